"""The clauses of an English text: what each of them says, and whether its speaker says it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Literal

import msgspec

from grice.checks.contradiction.positions.stance_words import (
    AUXILIARIES,
    CONCESSIONS,
    CONDITIONS,
    CONTRASTS,
    GENERIC,
    OPPOSING,
    REASONS,
    RELATIVES,
)
from grice.checks.tone.speech import prose, unquoted
from grice.text.negation import negated, negations
from grice.text.normalised import Normalised
from grice.text.packs.pack import LanguagePack
from grice.text.sentences import sentence_spans
from grice.text.words import Word, stem, words

__all__ = ["Clause", "ClauseKind", "Reading", "content", "read_clauses", "root"]

ClauseKind = Literal["main", "concession", "condition", "reason", "relative", "reported", "question"]

MAX_SENTENCES = 400
_AHEAD = 6

_HARD = re.compile(r"[;:()\[\]\n]|\s-+\s|\u2026")
_OWN = re.compile(
    r"\b(?:i|we)(?:'d|'m)? (?:\w+ly |still |also |do |really |don't |do not |can't |cannot "
    r"|never |continue to "
    r"|have to |must |would |remain |am |not |will |could |truly )*(?:believe|think|maintain"
    r"|argue|contend|hold"
    r"|feel|say|stand by|affirm|reiterate|assert|insist|disagree|agree|oppose|opposed|support"
    r"|favou?r|advocate"
    r"|recommend|reject|endorse|doubt|convinced|confident|certain|against|in favou?r|view|consider)\b"
    r"|\bin my (?:\w+ )?(?:view|opinion|judg?ment)\b|\bmy (?:\w+ )?(?:position|stance|view"
    r"|opinion|belief|answer"
    r"|conclusion)\b"
)
_CONCEDES = re.compile(
    r"^(?:and |so |yes |well )*(?:i|we)(?:'d| can| do| fully| completely| totally| also| will"
    r"| certainly| must)*"
    r" (?:understand|acknowledge|recogni[sz]e|appreciate|respect|concede|see|hear|realize|realise|grant"
    r"|get (?:it|that|why|how|where|what)"
    r"|admit)\b"
)
_GRANTS = re.compile(
    r"^(?:and )?(?:it is|it's) (?:also )?(?:true|undeniable|clear|important to (?:note|acknowledge))\b"
)
_OTHERS = re.compile(
    r"^(?:and |but |while |although |of course |sure |yes )*(?:some|many|most|several|other|others|critics?"
    r"|opponents?|proponents?|supporters?|skeptics?|advocates?|experts?|people|one|you|they|he|she|scientists"
    r"|researchers|studies|detractors|your|their|his|her|a lot of|plenty of|customers|users"
    r"|reviewers)\b[^,;]{0,60}?"
    r"\b(?:say|says|said|saying|argue|argues|argued|arguing|think|thinks|thinking|wonder|wondering"
    r"|believe|believes|claim|claims"
    r"|claimed|suggest|suggests"
    r"|contend|maintain|feel|worry|fear|object|insist|disagree|agree|oppose|support|favou?r|view|argument"
    r"|point|concern|question whether)\b|^(?:and |but )?(?:according to|it is (?:often |sometimes |commonly )"
    r"|it's (?:often|sometimes|commonly) )|^(?:an?|the|your) \w+ (?:would|might|could|may"
    r"|will) (?:say|argue|claim|object|tell)\b|^(?:and |but )?(?:let's|let us|suppose|imagine"
    r"|hypothetically|say)\b"
)
_THEN = re.compile(r"(?:yes |no )?(?:then|in that case|in this case)\b")
_CONCLUDES = re.compile(
    r"^(?:so |and |but )?(?:in (?:conclusion|short|summary|sum|the end|brief|closing)"
    r"|to (?:conclude|summarize|sum"
    r" up)|overall|ultimately|therefore|thus|all in all|on balance|bottom line|taken together|all things"
    r" considered)\b"
)


class Clause(msgspec.Struct, frozen=True, gc=False):
    """A clause. `start` and `end` are offsets into the prose; `words` and `denied` go together.

    `negations` counts the negations in it. `own` says that it is put as the speaker's opinion, `contrast`
    that it stands against what was said before it. `conditioned` says that its sentence has a condition.
    `sentence` counts from 0.
    """

    kind: ClauseKind
    words: tuple[Word, ...]
    denied: tuple[bool, ...]
    negations: tuple[bool, ...]
    start: int
    end: int
    sentence: int
    own: bool = False
    contrast: bool = False
    conditioned: bool = False
    concludes: bool = False

    @property
    def text(self) -> str:
        """Its words, with one space between them."""
        return " ".join(word.text for word in self.words)


class Reading(msgspec.Struct, frozen=True, gc=False):
    """The clauses of a text. `prose` is it without code, quotes left out in `text`, which is as long."""

    prose: Normalised
    text: str
    clauses: tuple[Clause, ...]
    sentences: tuple[tuple[int, int], ...]


@lru_cache(maxsize=4096)
def root(word: str, pack: LanguagePack) -> str:
    """What a word shares with the words made of it: decide, decision; sustainable, sustainability."""
    found = stem(word, pack)
    for ending, other in _ENDINGS:
        if found.endswith(ending) and len(found) - len(ending) >= 3:
            return found[: -len(ending)] + other
    return found


_ENDINGS = (
    *(
        ("abiliti", ""),
        ("ibiliti", ""),
        ("iveness", "iv"),
        ("ively", "iv"),
        ("iveli", "iv"),
        ("ousli", "ous"),
    ),
    *(
        ("alli", "al"),
        ("ision", "id"),
        ("iction", "ict"),
        ("ection", "ect"),
        ("uction", "uc"),
        ("ellation", "el"),
    ),
    *(("ization", "iz"), ("isation", "is"), ("ulation", "ulat"), ("cation", "cat"), ("bition", "bit")),
    *(("ication", "icat"), ("sition", "s"), ("uce", "uc"), ("abl", ""), ("ibl", "")),
)


def read_clauses(text: str, pack: LanguagePack) -> Reading:
    """The clauses of a text. Linear in its length; never raises."""
    normal = prose(text)
    plain = unquoted(normal.text)
    found = words(plain)
    denied = negated(plain, found, pack)
    marks = negations(plain, found, pack)
    spans = sentence_spans(plain)
    if len(spans) > MAX_SENTENCES:  # the beginning and the end say what a reply holds
        spans = spans[: MAX_SENTENCES // 2] + spans[-MAX_SENTENCES // 2 :]
    clauses: list[Clause] = []
    place = 0
    for number, (start, end) in enumerate(spans):
        while place < len(found) and found[place].start < start:
            place += 1
        first = place
        while place < len(found) and found[place].end <= end:
            place += 1
        if place > first:
            one = _Sentence(
                plain, found, denied, marks, first, place, number, plain[start:end].rstrip(" \"')*")
            )
            clauses += one.clauses(pack)
    return Reading(normal, plain, tuple(clauses), spans)


class _Sentence(msgspec.Struct, frozen=True, gc=False):
    text: str
    found: Sequence[Word]
    denied: Sequence[bool]
    marks: Sequence[bool]
    first: int
    last: int
    number: int
    written: str

    def clauses(self, pack: LanguagePack) -> Iterator[Clause]:
        asked = self.written.endswith("?")
        begins = [self.first, *self._cuts(pack), self.last]
        spans = list(pairwise(begins))
        shown = [" ".join(word.text for word in self.found[start:end]) for start, end in spans]
        kinds = _kinds(shown, asked=asked)
        conditioned = "condition" in kinds or any(_THEN.match(one) for one in shown[:2])
        concludes = _CONCLUDES.match(shown[0]) is not None
        for (start, end), kind, said in zip(spans, kinds, shown, strict=True):
            yield Clause(
                kind,
                tuple(self.found[start:end]),
                tuple(self.denied[start:end]),
                tuple(self.marks[start:end]),
                self.found[start].start,
                self.found[end - 1].end,
                self.number,
                own=_OWN.search(said) is not None,
                contrast=said.split(" ", 1)[0] in CONTRASTS,
                conditioned=conditioned,
                concludes=concludes,
            )

    def _cuts(self, pack: LanguagePack) -> Iterator[int]:
        subordinate = self.found[self.first].text in CONCESSIONS | CONDITIONS | REASONS
        start = self.first
        for place in range(self.first + 1, self.last):
            cut, subordinate_now = self._cut(place, start, pack, subordinate=subordinate)
            if cut:
                yield place
                start, subordinate = place, subordinate_now

    def _cut(self, place: int, start: int, pack: LanguagePack, *, subordinate: bool) -> tuple[bool, bool]:
        """Whether a clause begins here, and whether that is a subordinate one."""
        between = self.text[self.found[place - 1].end : self.found[place].start]
        word, before = self.found[place].text, self.found[place - 1].text
        if _HARD.search(between):
            return True, word in CONCESSIONS | CONDITIONS
        if word in CONCESSIONS or word in CONDITIONS or word in REASONS:
            joined = before in ("even", "only", "but", "and") and place - 1 == start
            return not joined, True
        if word in ("but", "however", "nevertheless", "nonetheless", "instead") or (
            word in ("yet", "rather", "so", "therefore", "thus", "hence") and "," in between
        ):
            return True, False
        if word in RELATIVES:
            return True, True
        if word in ("and", "or") and place + 1 < self.last and self.found[place + 1].text in pack.pronouns:
            return self.found[place + 1].text not in (
                "that",
                "those",
                "these",
            ), subordinate and "," not in between
        return "," in between and self._new_clause(place, pack, subordinate=subordinate), False

    def _new_clause(self, place: int, pack: LanguagePack, *, subordinate: bool) -> bool:
        """Whether a clause of its own follows a comma: a subject, or a verb comes soon."""
        if self.found[place].text in ("and", "or"):
            place += 1
        if place >= self.last:
            return False
        if self.found[place].text in pack.pronouns and self.found[place].text not in ("those", "these"):
            return True
        if not subordinate:
            return False
        for step, word in enumerate(self.found[place : min(self.last, place + _AHEAD * 2)]):
            if step and "," in self.text[self.found[place + step - 1].end : word.start]:
                return False
            if word.text in pack.clause_verbs or word.text in AUXILIARIES:
                return True
        return False


def _kinds(shown: Sequence[str], *, asked: bool) -> list[ClauseKind]:
    """What kind of clause each of those of a sentence is."""
    contrasts = any(one.split(" ", 1)[0] in CONTRASTS for one in shown[1:])
    kinds: list[ClauseKind] = []
    others = False
    for said in shown:
        first = said.split(" ", 1)[0]
        if first in CONTRASTS or _OWN.match(said):
            others = False
        kind = _kind(said, first, contrasts=contrasts)
        if kind == "reported":
            others = True
        kinds.append("question" if asked else "reported" if others and kind == "main" else kind)
    return kinds


def _kind(said: str, first: str, *, contrasts: bool) -> ClauseKind:
    second = said.split(" ", 2)[1] if " " in said else ""
    leading = second if first in ("even", "but", "and", "only") else first
    if leading in CONCESSIONS:
        return "concession"
    if leading in CONDITIONS:
        return "condition"
    if leading in REASONS:
        return "reason"
    if leading in RELATIVES:
        return "relative"
    if _CONCEDES.match(said) or (contrasts and _GRANTS.match(said)):
        return "concession"
    return "reported" if _OTHERS.match(said) and not _GRANTED.search(said) else "main"


_GRANTED = re.compile(r"\b(?:is|are|was|were)(?: \w+ly)? (?:right|correct)\b")
"""Whom the speaker says to be right speaks for it."""


def content(clause_words: Sequence[Word], pack: LanguagePack) -> Iterator[tuple[int, str]]:
    """The words with a meaning of their own, as their place and root."""
    for place, word in enumerate(clause_words):
        bare = word.text.removesuffix("'s")
        if bare == "encouraging" or (bare == "against" and not _stands_against(clause_words, place)):
            continue
        if bare in OPPOSING:
            yield place, bare
            continue
        if bare in pack.stop_words or bare in GENERIC or word.text in pack.contracted or "'" in bare:
            continue
        yield place, root(bare, pack)


_STANDING = frozenset(
    [
        "am",
        "i'm",
        "is",
        "are",
        "be",
        "was",
        "been",
        "argue",
        "argued",
        "arguing",
        "vote",
        "voted",
        "stand",
        "standing",
        "advise",
        "advised",
        "recommend",
        "recommended",
        "decide",
        "decided",
        "lean",
        "leaning",
        "firmly",
        "strongly",
        "completely",
        "totally",
        "still",
        "remain",
        "remains",
    ]
)


def _stands_against(clause_words: Sequence[Word], place: int) -> bool:
    """Whether "against" says what somebody is opposed to: no preposition, as in "protection against"."""
    return place == 0 or any(word.text in _STANDING for word in clause_words[max(0, place - 2) : place])
