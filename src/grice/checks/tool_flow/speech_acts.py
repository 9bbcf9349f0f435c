"""What a reply does with its words, clause by clause: reports, announces, asks for permission, offers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal

import msgspec

from grice.checks.tool_flow.english_actions import (
    ADVERBS,
    INFORMING,
    groups_of,
    is_participle,
    lemma,
)
from grice.checks.tool_flow.english_speech import (
    ABLE,
    AFTER_MARK,
    AND_DID,
    ASK_DONE,
    ASK_FOR_ME,
    ASK_YOU,
    BARE_ASK,
    BEFORE_REPORT,
    CONDITION,
    DOING,
    DONE,
    ELLIPTIC,
    FIRMLY,
    GERUND,
    GO_AHEAD,
    HAVE,
    HEADLINE,
    NAMED_OBJECT,
    NOMINAL,
    ON_IT,
    PASSIVE,
    PAST,
    WELCOME,
    WH,
    WILL,
)
from grice.checks.tool_flow.verb_phrases import VerbPhrase, phrase_at, phrase_of_noun, subject_phrase
from grice.text.negation import negated
from grice.text.packs.english import PACK
from grice.text.packs.tables import listed
from grice.text.sentences import sentence_spans
from grice.text.words import Word, words

__all__ = ["Act", "Kind", "Sentence", "acts_in", "read_sentences"]

Kind = Literal["report", "announce", "ask", "offer", "able"]

MAX_SENTENCE = 800
"""The characters up to which a sentence is read as one."""
_MAX_ACTS = 400


class Sentence(msgspec.Struct, frozen=True, gc=False):
    """One sentence of a prose text: its place there, its casefolded text, its words (offsets in the prose)
    and which of them are denied.
    """

    start: int
    text: str
    cased: str
    words: Sequence[Word]
    denied: Sequence[bool]

    @property
    def asks(self) -> bool:
        """Whether it ends with a question mark."""
        return "?" in self.text[-4:] or self.text.rstrip("\"')* \u00a4").endswith("?")

    def denies(self, place: int) -> bool:
        """Whether the word at an offset in the sentence is denied."""
        at = self.start + place
        for word, denied in zip(self.words, self.denied, strict=True):
            if word.start <= at < word.end:
                return denied
        return False


class Act(msgspec.Struct, frozen=True, gc=False):
    """One speech act.

    `verb` is the lemma of the action, "" where the words leave it to the context (go ahead, on it). `firm`
    says that it is being done, or is announced to be done at once. `own` says that the assistant names itself
    as the one who does it. `start` and `end` are its place in the prose.
    """

    kind: Kind
    phrase: VerbPhrase
    sentence: int
    start: int
    end: int
    firm: bool = True
    own: bool = True
    whole: str = ""

    @property
    def verb(self) -> str:
        """The lemma of the action."""
        return self.phrase.verb


def read_sentences(text: str) -> list[Sentence]:
    """The sentences of an English prose text."""
    found = words(text)
    denied = negated(text, found, PACK)
    sentences: list[Sentence] = []
    place = 0
    for start, end in _pieces(text):
        while place < len(found) and found[place].start < start:
            place += 1
        first = place
        while place < len(found) and found[place].start < end:
            place += 1
        cased = text[start:end]
        lowered = cased.lower()
        lowered = lowered if len(lowered) == len(cased) else "".join(one.lower()[:1] for one in cased)
        sentences.append(
            Sentence(start, lowered.replace("\n", " "), cased, found[first:place], denied[first:place])
        )
    return sentences


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Where the sentences stand; one that never ends is cut, so that no text takes more than linear time."""
    for start, end in sentence_spans(text, "en"):
        while end - start > MAX_SENTENCE:
            space = text.rfind(" ", start + 1, start + MAX_SENTENCE)
            stop = space if space > start else start + MAX_SENTENCE
            yield start, stop
            start = stop
        yield start, end


def acts_in(sentences: Sequence[Sentence]) -> list[Act]:
    """The speech acts of the sentences, by sentence."""
    acts: list[Act] = []
    for number, sentence in enumerate(sentences):
        acts += _asks(sentence, number)
        acts += _announcements(sentence, number)
        acts += _reports(sentence, number)
        if len(acts) > _MAX_ACTS:
            break
    return acts


def _asks(sentence: Sentence, number: int) -> Iterator[Act]:
    text = sentence.text
    if not ("?" in text or _may_ask().search(text)):
        return
    done: list[int] = []
    for found in ASK_FOR_ME.finditer(text):
        if WH.search(text[: found.start()]) or sentence.denies(found.start()):
            continue
        head = found[0]
        if not sentence.asks and head.startswith(("should", "can ", "could", "may ", "like ", "need ")):
            continue
        phrase = phrase_at(sentence.cased, text, found.end())
        if head.startswith(("can ", "could", "may ")) and not (phrase.generic or groups_of(phrase.verb)):
            continue
        done.append(phrase.start)
        also = phrase.other or " also " in head
        kind: Kind = "offer" if also or (phrase.verb in INFORMING_LEMMAS() and not phrase.generic) else "ask"
        yield _act(kind, phrase, sentence, number, found.start(), phrase.end)
    for found in ASK_YOU.finditer(text):
        phrase = phrase_at(sentence.cased, text, found.end())
        if phrase.start in done or not sentence.asks or WH.search(text[: found.start()]):
            continue
        acts = phrase.generic or bool(groups_of(phrase.verb)) or found[0].endswith("about")
        kind = "offer" if phrase.other or not acts else "ask"
        yield _act(kind, phrase, sentence, number, found.start(), phrase.end)
    yield from _other_asks(sentence, number)


def _other_asks(sentence: Sentence, number: int) -> Iterator[Act]:
    """Do you want it deleted? Proceed? Delete it?"""
    text = sentence.text
    for found in ASK_DONE.finditer(text):
        if is_participle(found[2]) and sentence.asks:
            phrase = VerbPhrase(lemma(found[2]), start=found.start(1), end=found.end())
            yield _act("ask", phrase, sentence, number, found.start(), found.end())
    for pattern in (BARE_ASK, GO_AHEAD):
        bare = pattern.search(text)
        if bare is not None:
            phrase = VerbPhrase("", generic=True, start=bare.start(), end=bare.end())
            yield _act("ask", phrase, sentence, number, bare.start(), bare.end())
            return
    soft = WELCOME.search(text)
    if soft is not None:
        phrase = VerbPhrase("", generic=True, start=soft.start(), end=soft.end())
        yield _act("ask", phrase, sentence, number, soft.start(), soft.end(), firm=False)
    if sentence.asks and 1 < len(sentence.words) <= 5:
        first = sentence.words[0].text
        if groups_of(lemma(first)) and not first.endswith(("ed", "ing", "s")):
            phrase = phrase_at(sentence.cased, text, sentence.words[0].start - sentence.start)
            if phrase.names or phrase.pronoun or phrase.nouns:
                yield _act("offer" if phrase.other else "ask", phrase, sentence, number, 0, len(text))


def _announcements(sentence: Sentence, number: int) -> Iterator[Act]:
    text = sentence.text
    conditional = CONDITION.search(text) is not None
    for found in DOING.finditer(text):
        verb = found[1]
        before = text[: found.start()]
        if verb in _NOT_DOING or sentence.denies(found.start(1)) or BEFORE_REPORT.search(before[-30:]):
            continue
        phrase = phrase_at(sentence.cased, text, found.start(1))
        yield _act("announce", phrase, sentence, number, found.start(), phrase.end)
    for found in WILL.finditer(text):
        if conditional or sentence.denies(found.start(1)) or sentence.asks:
            continue
        phrase = phrase_at(sentence.cased, text, found.start(1))
        firm = found[0].startswith("going ahead") or bool(
            FIRMLY.search(text, found.start(), phrase.clause_end)
        )
        yield _act("announce", phrase, sentence, number, found.start(), phrase.end, firm=firm)
    for pattern in (GERUND, AFTER_MARK):
        found_gerund = pattern.search(text)
        if found_gerund is not None and _announces(sentence, found_gerund):
            phrase = phrase_at(sentence.cased, text, found_gerund.start(1))
            yield _act("announce", phrase, sentence, number, found_gerund.start(1), phrase.end)
            break
    for found in ABLE.finditer(text):
        phrase = phrase_at(sentence.cased, text, found.end())
        if groups_of(phrase.verb) and not sentence.denies(phrase.start):
            yield _act("able", phrase, sentence, number, found.start(), phrase.end, firm=False)
    on_it = ON_IT.search(text)
    if on_it is not None and not conditional and not sentence.denies(on_it.start()):
        phrase = VerbPhrase("", generic=True, start=on_it.start(), end=on_it.end())
        yield _act("announce", phrase, sentence, number, on_it.start(), on_it.end())


def _announces(sentence: Sentence, gerund: re.Match[str]) -> bool:
    """Whether what begins with a gerund says what is being done: it is no subject of a verb."""
    verb = lemma(gerund[1])
    phrase_end = phrase_at(sentence.cased, sentence.text, gerund.start(1)).clause_end
    clause = sentence.text[gerund.end(1) : phrase_end]
    ahead = _GOING_AHEAD.match(sentence.text, gerund.start(1)) is not None
    if not groups_of(verb) and not ahead and not FIRMLY.search(clause):
        return False
    return not any(word in _FINITE for word in re.findall(r"[\w']+", clause))


_GOING_AHEAD = re.compile(r"going ahead (?:and|with)\b")


def _reports(sentence: Sentence, number: int) -> Iterator[Act]:
    if sentence.asks and not re.match(r"\W*(?:i|we|it|that|this|the|your|done)\b", sentence.text):
        return
    text = sentence.text
    taken: set[int] = set()
    for pattern in (HAVE, PAST):
        for found in pattern.finditer(text):
            if found.start(1) in taken or not is_participle(found[1]) or _unsaid(sentence, found):
                continue
            taken.add(found.start(1))
            phrase = phrase_at(sentence.cased, text, found.start(1))
            yield _act("report", phrase, sentence, number, found.start(), phrase.end)
    yield from _coordinated(sentence, number, taken)
    for found in PASSIVE.finditer(text):
        if found.start(1) in taken or not is_participle(found[1]) or _unsaid(sentence, found):
            continue
        taken.add(found.start(1))
        phrase = subject_phrase(sentence.cased, text, found.start(), found[1], found.end(1))
        fresh = (
            found[0].rstrip().split()[0].strip("'") in ("has", "have", "s", "ve")
            or " now " in f"{found[0]}{text[found.end() : found.end() + 4]} "
        )
        yield _act("report", phrase, sentence, number, phrase.start, found.end(), firm=fresh, own=False)
    yield from _short_reports(sentence, number, taken)


def _coordinated(sentence: Sentence, number: int, taken: set[int]) -> Iterator[Act]:
    """What a report goes on with: I've booked the hotel and rented the car."""
    text = sentence.text
    for found in AND_DID.finditer(text, min(taken)) if taken else ():
        place = found.start(1)
        does = is_participle(found[1]) and groups_of(lemma(found[1]))
        if place not in taken and does and not sentence.denies(place):
            taken.add(place)
            phrase = phrase_at(sentence.cased, text, place)
            yield _act("report", phrase, sentence, number, place, phrase.end)


def _short_reports(sentence: Sentence, number: int, taken: set[int]) -> Iterator[Act]:
    """The update is complete. Updated! Ajax Search Lite updated from 4.9 to 4.13. Done."""
    text = sentence.text
    for found in NOMINAL.finditer(text):
        phrase = phrase_of_noun(found[1], found.start(1), found.end())
        if phrase is None or _unsaid(sentence, found, of=2):
            continue
        running = found[2].startswith(("start", "begin", "begun", "run", "under", "in "))
        kind: Kind = "announce" if running else "report"
        fresh = re.search(r"\b(?:was|were)\b", found[0]) is None
        yield _act(kind, phrase, sentence, number, found.start(), found.end(), firm=fresh, own=False)
    short = ELLIPTIC.search(text) or _with_named_object(sentence)
    if (
        short is not None
        and groups_of(lemma(short[1].lower()))
        and _is_past(short[1].lower())
        and short.start(1) not in taken
    ):
        phrase = phrase_at(sentence.cased, text, short.start(1))
        yield _act("report", phrase, sentence, number, short.start(1), phrase.end)
    else:
        line = HEADLINE.search(text)
        if (
            line is not None
            and line.start(2) not in taken
            and _is_past(line[2])
            and groups_of(lemma(line[2]))
            and not any(word in _FINITE or word in PACK.pronouns for word in line[1].split())
            and not sentence.denies(line.start(2))
        ):
            phrase = subject_phrase(sentence.cased, text, line.start(2), line[2], line.end(2))
            yield _act("report", phrase, sentence, number, line.start(1), line.end(), own=False)
    done = DONE.search(text)
    if done is not None and not sentence.asks and not _unsaid(sentence, done, of=0):
        phrase = VerbPhrase("", generic=True, start=done.start(), end=done.end())
        yield _act("report", phrase, sentence, number, done.start(), done.end(), own=False)


def _with_named_object(sentence: Sentence) -> re.Match[str] | None:
    """Invited Sam to the call. But not: Created At: 3 May; Updated WordPress plugins are here."""
    if any(one.text in _FINITE for one in sentence.words):
        return None
    found = NAMED_OBJECT.search(sentence.cased)
    behind = re.match(r"\W*(\w*)", sentence.text[found.end() :]) if found is not None else None
    return None if behind is not None and behind[1] in PACK.prepositions else found


def _is_past(word: str) -> bool:
    return is_participle(word) and word not in ("set", "put", "cut", "run", "read", "reset", "come", "made")


def _unsaid(sentence: Sentence, found: re.Match[str], of: int = 1) -> bool:
    """Whether a report is denied, a condition, or no report of this conversation at all."""
    before = sentence.text[: found.start()]
    if sentence.denies(found.start(of)) or BEFORE_REPORT.search(before[-40:]):
        return True
    return (
        re.search(
            r"\b(?:can|could|may|might|must|should|would|will|to|won't|can't)(?: \w+)? ?$", before[-24:]
        )
        is not None
    )


def _act(
    kind: Kind,
    phrase: VerbPhrase,
    sentence: Sentence,
    number: int,
    start: int,
    end: int,
    *,
    firm: bool = True,
    own: bool = True,
) -> Act:
    first = sentence.start + start
    return Act(kind, phrase, number, first, max(first + 1, sentence.start + end), firm, own, sentence.text)


_NOT_DOING = listed(
    """
    going having being looking getting hoping assuming wondering afraid thinking trying guessing
    feeling missing asking referring talking speaking calling following wanting needing seeing showing
    """
)
_FINITE = (PACK.clause_verbs | listed("can't involves takes means lets helps")) - listed(
    """
    add check choose click contact tell try use let see go features covers includes
    ships offers starts runs supports do please have look
    """
)


@lru_cache(maxsize=1)
def INFORMING_LEMMAS() -> frozenset[str]:  # noqa: N802 - a constant that is made at first use
    return frozenset(map(lemma, INFORMING)) | ADVERBS


@lru_cache(maxsize=1)
def _may_ask() -> re.Pattern[str]:
    return re.compile(
        r"would you|do you|shall|want (?:me|us)|let me know|tell me|if you'd|you'd like|say the "
        r"word|give me|permission|go[- ]?ahead|whether"
        r"|indicate|advise|await|your (?:consent|approval|instruct|leave|authori)"
    )
