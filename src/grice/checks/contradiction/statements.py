"""What a reply states, clause by clause: what it is about, and whether it is affirmed or denied."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec
from msgspec.structs import replace

from grice.checks.contradiction.acknowledgement import acknowledges
from grice.checks.contradiction.parsed_reply import ParsedReply
from grice.checks.contradiction.wordlists import QUOTED, Wordlists, is_adverb
from grice.claims.passage import Atom, Clause
from grice.claims.passage_parsing import parse_passage
from grice.text.negation import negations
from grice.text.words import Word
from grice.text.words import words as words_of

MAX_LISTED = 4
"""Words of one more thing in a list."""

MAX_LIST = 40
"""Words of all that is listed; what follows stands for itself."""

_COLON = re.compile(r"(?<=:)\s(?=\S)")

MAX_STATEMENTS = 60
"""Statements of a sentence, the first ones."""

MAX_FRAGMENT = 2
"""Words of an answer that is no clause: "Not rude"."""

MAX_ELLIPTIC = 5
"""Words of a clause that leaves out what it speaks of: "I wouldn't"."""

MIN_BEFORE = 10
"""Characters before an aside that ends what a clause says: "for that reason" may also begin it."""

_FRAGMENTS = frozenset(("not", "no", "very", "so"))
_BLANK = "^"
"""What stands for each character that is left out, so that places stay."""

_TELLS_NOTHING = ("unsure", "partly", "agreeing")
_WITHOUT = frozenset(("without",))


class Statement(msgspec.Struct, frozen=True, eq=False):
    """What a clause says, or the answer to a question.

    `words` are the stems of what it is about, antonyms under one, `own` those that the clause has itself,
    `around` also those of the clause before it, or of the message that it answers; `sign` is 1 where it is
    affirmed and -1 where it is denied: each negation, antonym and word of opposing turns it round. `limits`
    are the words that bind it to a case (only, now, without, if, than); `person` is who it is said of, where
    that is the speaker or the user. `values` are its numbers and dates, `counted` those of its words that
    belong to them, `than` those of what it compares with, `subject` those before its
    verb, `predicate` the first behind it, `lacks` says that it is without something, and `said` are its own
    words, lowered. `past` says that it was so, `denied` that it has a negation, `answers` that it is the yes
    or no to a question, and `elliptic` that it leaves out what it speaks of. `start`, `end` are its place in
    the prose.
    """

    turn: int
    words: frozenset[str]
    sign: int
    start: int
    end: int
    own: frozenset[str] = frozenset()
    around: frozenset[str] = frozenset()
    limits: frozenset[str] = frozenset()
    person: str = ""
    past: bool = False
    values: Sequence[Atom] = ()
    counted: frozenset[str] = frozenset()
    answers: bool = False
    elliptic: bool = False
    than: frozenset[str] = frozenset()
    denied: bool = False
    predicate: str = ""
    subject: frozenset[str] = frozenset()
    lacks: bool = False
    said: str = ""

    def has(self, name: str, words: Wordlists) -> bool:
        """Whether a named pattern stands in its words."""
        return words.patterns[name].search(self.said) is not None


def statements_in(one: ParsedReply, place: int, topic: frozenset[str], words: Wordlists) -> list[Statement]:
    """Read what a sentence states; `topic` is what "it" and "that" refer to. What the sentence asks,
    supposes, concedes, quotes or reports is left out.
    """
    start, end = one.sentences[place]
    text = one.prose.text[start:end]
    first, last = one.prose.span(start, end)
    if text.rstrip(" \"')*").endswith("?") or "|" in one.prose.original[first:last]:
        return []  # a question, the row of a table
    if one.message.chooses and not place and len(one.tokens[place]) <= MAX_FRAGMENT:
        return []  # a choice
    for blank in (QUOTED, words.patterns["tells_nothing"]):
        text = blank.sub(lambda found: _BLANK * len(found[0]), text)
    found: list[Statement] = []
    shift = 0
    so_far = frozenset(("yet",)).intersection(one.tokens[place])  # it begins a clause of its own
    for part in _COLON.split(text):
        lead, adjunct, head, listed = frozenset[str](), frozenset[str](), None, 0
        for clauses, number in _clauses(part, words):
            clause = clauses[number]
            made = _statement_of(one.turn, clause, part, topic, words, opens=not number)
            if made is not None and number and found and _has_no_subject(clause, words):
                made = replace(made, words=made.words | found[-1].subject)
            if made is not None and adjunct and made.own != made.words:
                made = replace(made, words=made.words | adjunct, own=made.own | adjunct)
            if made is not None:
                begin, stop = (start + shift + at for at in (made.start, made.end))
                limits = made.limits | _conditions(clauses, number, part, words) | so_far
                made = replace(made, start=begin, end=stop, limits=limits, around=lead | made.own)
                found.append(made)
                if head is None or not _goes_on(made, clause, words) or len(head.words) > MAX_LIST:
                    head, listed = made, 0
                else:
                    head = replace(head, words=head.words | made.own, own=head.own | made.own, end=stop)
                    listed = listed or len(found)
                    found[listed : listed + 1] = [head]
                leaves = made.words <= topic or (
                    made.person == "i" and acknowledges(_clause_text(clause, part), words)
                )
                topic = topic if leaves else made.words
            says = not words.lexicon.verbs.isdisjoint(word.text for word in clause.tokens)
            lead = frozenset() if says else words.keys([word.text for word in clause.tokens])
            adjunct = lead if not number and clause.tokens[0].text in words.groups["adjuncts"] else adjunct
        shift += len(part) + 1
    return found


def _clauses(text: str, words: Wordlists) -> Iterator[tuple[Sequence[Clause], int]]:
    """The clauses of a text, each as those of its sentence and its place among them; none that report, up to
    one that comes back to the speaker: "some say no, but I think so".
    """
    for sentence in parse_passage(text, words.lexicon, is_sentence=True).sentences:
        reports = words.patterns["reported"].search(sentence.text.lower()) is not None
        for place, clause in enumerate(sentence.clauses):
            reports = reports and words.patterns["comes_back"].match(_clause_text(clause, text)) is None
            if not reports and place < MAX_STATEMENTS:
                yield sentence.clauses, place


def _has_no_subject(clause: Clause, words: Wordlists) -> bool:
    """Whether a clause goes on with that of the one before: "and can't be returned"."""
    said = [word.text for word in clause.tokens]
    return (
        said[said[0] in ("and", "but", "or") :][:1] != []
        and said[said[0] in ("and", "but", "or")] in words.groups["auxiliaries"]
    )


def _conditions(clauses: Sequence[Clause], place: int, text: str, words: Wordlists) -> frozenset[str]:
    """The words that make a clause conditional: its own, those that begin the next, or the first of all."""
    pattern = words.patterns["conditions"]
    found = {one[0] for one in pattern.finditer(_clause_text(clauses[place], text))}
    for one in {0, place + 1} - {place}:
        if one < len(clauses) and (opens := pattern.match(_clause_text(clauses[one], text))):
            found.add(opens[0])
    return frozenset(found)


def _clause_text(clause: Clause, text: str) -> str:
    return text[clause.tokens[0].start : clause.end].lower()


def _goes_on(made: Statement, clause: Clause, words: Wordlists) -> bool:
    """Whether a clause only lists more of what the one before speaks of: "Visa, Mastercard and Amex"."""
    listed = len(clause.tokens) <= MAX_LISTED
    bare = listed and words.lexicon.verbs.isdisjoint(word.text for word in clause.tokens)
    return bare and made.sign > 0 and not made.values and not made.limits and made.own == made.words


def sign_of(one: ParsedReply, place: int, about: frozenset[str], words: Wordlists) -> int:
    """Find whether a sentence affirms (1) or denies (-1) a subject, by the clause that says most of it; 0
    where it says nothing of it.
    """
    said = [(len(made.own & about), made.sign) for made in statements_in(one, place, about, words)]
    most = max((shared for shared, _ in said), default=0)
    return next(sign for shared, sign in reversed(said) if shared == most) if most else 0


class _Part(msgspec.Struct, frozen=True, gc=False):
    """What is left of a clause without "I think that" before it and "regardless of" behind it.

    `said` is its text, lowered, from `start` to `end` of the sentence, `tokens` its words. `stances` are the
    places of its words of favouring and opposing, `against` how many oppose, `denials` how often it denies;
    `lacks` says that it is without something.
    """

    clause: Clause
    text: str
    start: int
    end: int
    tokens: Sequence[str]
    stances: Sequence[tuple[int, int]]
    against: int
    denials: int
    lacks: bool

    @property
    def said(self) -> str:
        return self.text[self.clause.start : self.end].lower()

    def has(self, place: int) -> bool:
        """Whether a place of the sentence is in it, and in none of its words of favouring and opposing."""
        return self.start <= place < self.end and not any(one <= place < end for one, end in self.stances)


def _statement_of(
    turn: int, clause: Clause, text: str, topic: frozenset[str], words: Wordlists, *, opens: bool
) -> Statement | None:
    """What a clause of a sentence states; `topic` is what "it" speaks of, `opens` that it is the first."""
    part = _part(clause, text, words)
    first = part.tokens[0] if part.tokens else ""
    has_verb = not words.lexicon.verbs.isdisjoint(part.tokens)
    groups = words.groups
    if (first in groups["includes"] and not has_verb) or (opens and first in groups["concedes"]):
        return None
    if any(words.patterns[name].search(part.said) for name in _TELLS_NOTHING):
        return None
    own, than, subject, predicate, turned = _words_of(part, words)
    is_answer = " ".join(word.text for word in clause.tokens) in words.answers
    says = own or (len(part.tokens) > 1 and (part.stances or (turned and has_verb)))
    about = own | topic if _leans(part, own, words, opens=opens) else own
    if is_answer or not says or not about:
        return None
    limits = groups["limits"].intersection(word.text for word in clause.tokens if part.has(word.start))
    return Statement(
        turn,
        about,
        -1 if turned % 2 else 1,
        clause.tokens[0].start,
        clause.tokens[-1].end,
        own or about,
        limits=limits - _WITHOUT if part.lacks else limits,
        person=_person(part.tokens, words)
        if not part.stances or words.patterns["dislikes"].search(part.said)
        else "",
        past=not groups["past"].isdisjoint(part.tokens) and "never" not in part.tokens,
        denied=part.denials % 2 == 1,
        elliptic=not own or (part.tokens[-1:] != [] and part.tokens[-1] in groups["auxiliaries"]),
        than=than,
        predicate=predicate,
        lacks=part.lacks,
        said=part.said,
        subject=subject,
        values=[one for one in clause.atoms if one.kind != "state"] if _asserts(part.tokens, words) else (),
        counted=frozenset(words.canonical(term.stem)[0] for term in clause.terms if term.counted),
    )


def _part(clause: Clause, text: str, words: Wordlists) -> _Part:
    patterns, lowered, end = words.patterns, text.lower(), clause.end
    if aside := patterns["aside"].search(lowered, clause.start + MIN_BEFORE, end):
        end = aside.start()
    said = lowered[clause.start : end]
    framed = patterns["opinion"].match(said)
    start = clause.start + (framed.end() if framed else 0)
    against, favours = ([*patterns[name].finditer(said)] for name in ("against", "favours"))
    lacks = patterns["lacks"].search(said) is not None
    stances = [(clause.start + one.start(), clause.start + one.end()) for one in (*against, *favours)]
    outside = [one for one in clause.tokens if not any(first <= one.start < last for first, last in stances)]
    return _Part(
        clause,
        text,
        start,
        end,
        [word.text for word in clause.tokens if start <= word.start < end],
        stances,
        len(against),
        _denials(lowered, outside, words) + lacks,
        lacks,
    )


def _words_of(
    part: _Part, words: Wordlists
) -> tuple[frozenset[str], frozenset[str], frozenset[str], str, int]:
    """The stems of what a clause is about, those behind "than", its subject and what it says of it (none
    where no verb is known), and how often it is turned round.
    """
    lowered = part.text.lower()
    compares = lowered.find(" than ", part.start, part.end)
    verb = next((one.start for one in part.clause.tokens if one.text in words.lexicon.verbs), -1)
    own: set[str] = set()
    than: set[str] = set()
    subject: set[str] = set()
    predicate = ""
    turned = part.against + part.denials
    for term, stem, opposite in words.meanings(part.clause.terms, lowered):
        if not part.has(term.start):
            continue
        said = lowered[term.start : term.end]
        turned += opposite or (term.denied and not part.denials and words.reverses(said))
        ours = lowered.endswith(" our ", 0, term.start) and not part.text[term.start].isupper()
        if stem in words.empty or ours or is_adverb(said):
            continue
        if 0 <= verb <= term.start and len(own) == len(subject):
            before = lowered[: term.start].split()[-1:]
            predicate = "" if words.groups["determiners"].issuperset(before) else stem
        if term.start < verb:
            subject.add(stem)
        if 0 < compares < term.start:
            than.add(stem)
        own.add(stem)
    return frozenset(own), frozenset(than), frozenset(subject), predicate, turned


def _leans(part: _Part, own: frozenset[str], words: Wordlists, *, opens: bool) -> bool:
    """Whether a clause speaks of what was said before it: "it is", "I think so", "I wouldn't"."""
    tokens = part.tokens
    if tokens and tokens[-1] in words.groups["objects"]:
        return True
    if stands_for_another(tokens[:2], tokens[:3], words):
        return words.patterns["empty_it"].match(part.said) is None or not own
    if opens and (len(tokens) == 1 or (len(tokens) == MAX_FRAGMENT and tokens[0] in _FRAGMENTS)):
        return True
    return not own and (bool(part.stances) or len(tokens) <= MAX_ELLIPTIC)


def stands_for_another(first: Sequence[str], tokens: Sequence[str], words: Wordlists) -> bool:
    """Whether one of the first words is a pronoun, and does not point to a word behind it ("that coat")."""
    return any(
        word in words.groups["pronouns"]
        and not (
            word in words.groups["pointing"]
            and place + 1 < len(tokens)
            and tokens[place + 1] not in words.lexicon.verbs | {"one", "ones"}
        )
        for place, word in enumerate(first)
    )


def _asserts(tokens: Sequence[str], words: Wordlists) -> bool:
    """Whether a clause has a verb, and does not say what would be."""
    return "would" not in tokens and not words.lexicon.verbs.isdisjoint(tokens)


def _person(tokens: Sequence[str], words: Wordlists) -> str:
    """Of whom a clause speaks that begins with these words: the speaker, the user, or "" for others."""
    if tokens and (tokens[0] in words.groups["advises"] or "would" in tokens[:4]):
        return "would"
    if words.patterns["own_favourite"].search(" ".join(tokens)) or words.groups["own_verbs"].issuperset(
        tokens[:1]
    ):
        return "i"
    return next((each for each in ("i", "you") if not words.groups[each].isdisjoint(tokens[:2])), "")


def _denials(text: str, tokens: Sequence[Word], words: Wordlists) -> int:
    """How often the words of a clause are denied; "without" only limits it."""
    marks = negations(text, tokens, words.lexicon.pack)
    count, last = 0, False
    for word, mark in zip(tokens, marks, strict=True):
        mark = mark and word.text != "without"
        count += mark and not last
        last = mark
    return count


def in_words(one: ParsedReply, made: Statement, shared: frozenset[str], words: Wordlists) -> str:
    """What two statements share, in the words of one of them."""
    text = one.prose.text[made.start : made.end]
    said = [word for word in words_of(text) if words.keys([word.text]) & shared]
    return " ".join(text[word.start : word.end] for word in said)
