"""The clauses of a reply that state something: what stands in them, and what they go on about."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import TypeVar

import msgspec

from grice.checks.contradiction.facts.stated_words import StatedWords
from grice.checks.evidence.lexicon import Lexicon
from grice.checks.evidence.terms import Reading, read_text
from grice.checks.tone.speech import prose, unquoted
from grice.text.negation import negated
from grice.text.normalised import Normalised
from grice.text.packs.tables import listed
from grice.text.quantities import Quantity
from grice.text.sentences import sentence_spans
from grice.text.times import Moment
from grice.text.words import Word

__all__ = ["MAX_TEXT", "Clause", "Token", "clauses_of", "in_name"]

MAX_TEXT = 50_000
"""Characters of a reply that are read."""

_LEFT_OUT = "\u00a4"
_GRATIS = re.compile(r"(?i)\b(?:free of charge|at no (?:extra |additional )?(?:cost|charge)|free of cost)\b")
MAX_CLAUSE = 600
"""Characters of a clause that are read: a longer one is no sentence that somebody says."""

MAX_QUOTED_NAME = 4
MEASURED = frozenset(
    listed("money time length mass volume temperature data percent power energy speed area rating")
)
_BEFORE_NUMBER = re.compile(
    r"(?i)(?:\b(?:order|booking|flight|ticket|size|number|no|room|gate|terminal|platform|seat|account|ending|case"
    r"|reference|invoice|step|line|bus|route|in|uk|eu|us)\.?|#)\s*\Z"
)
_CODED = re.compile(r"[A-Z][\w-]*\s\Z")
_CUT = re.compile(
    r"[;()\[\]]|,(?=\s)|(?<!\d)\s-\s|(?<=\d)\s-\s(?!\d)|\b(?:and|but|while|whereas|plus|though"
    r"|although)\b",
    re.IGNORECASE,
)
_UNSURE = re.compile(
    r"\b(?:would|could|might|maybe|perhaps|possibly|suppose|imagine|assuming|hypothetically|for example"
    r"|for instance|e\.g|such as|let's say|like to|i can|i could|i'll|i will|let me|shall i|should i|i'd"
    r"|you (?:mentioned|said|asked|requested|wanted|told|provided|stated|wrote|thought|believe"
    r"|are looking)"
    r"|you're looking|your (?:request|budget|question|preference|preferred)|as you|would you|do you"
    r"|please"
    r"|next(?! to\b| door\b)|than|cheaper|compared|difference|previously|formerly|used to|originally"
    r"|unless|otherwise"
    r"|not sure|not certain|i think|i believe|i guess|probably|likely|may be|seems|appears|thought"
    r"|as if|whether)\b",
    re.IGNORECASE,
)
_AFTERWARDS = re.compile(
    r"(?i)\W*(?:then|in that case|after (?:that|which)|afterwards|in this case|until then)\b"
)
_LEADING = re.compile(
    r"(?i)\W*(?:with|without|for|after|before|on|in|at|during|under|over|as|from|within|until|to|by"
    r"|through)\b"
)
_NOTE = re.compile(
    r"(?i)^\W*(?:(?:and|also|but|so)\W+)?"
    r"(?:(?:please |i should (?:also )?|do |kindly )?"
    r"(?:note|be aware|be advised|remember|mention|keep in mind|remind you)|just (?:so you know"
    r"|a reminder)|by the way"
    r"|as (?:a reminder|mentioned)|for your information)\b(?: that)?,?\s*"
)
_IF = re.compile(
    r"\b(?:if|when|whenever|once|in case|provided|so|therefore|thus|hence|because|since)\b", re.IGNORECASE
)
_ITEM = re.compile(r"[ \t>]*(?:[-*+\u2022\u25e6\u2013]|(\d{1,3})[.)])[ \t]+[*_`]*\Z")
_KEY = re.compile(r"([^\n:.!?]{2,40}):(?=\s|\Z)")
_PRONOUNS = frozenset(
    [
        "it",
        "it's",
        "its",
        "it'll",
        "they",
        "they're",
        "their",
        "this",
        "that",
        "that's",
        "these",
        "those",
        "he",
        "she",
        "he's",
        "she's",
        "which",
    ]
)
_POINTING = listed(
    """
    this that these those its their
    """
)
_INTERJECTIONS = frozenset(
    [
        "yes",
        "no",
        "yeah",
        "yep",
        "sure",
        "great",
        "perfect",
        "certainly",
        "absolutely",
        "actually",
        "correct",
        "so",
        "well",
        "okay",
        "ok",
        "thanks",
        "hello",
        "hi",
        "unfortunately",
        "also",
        "then",
        "indeed",
        "right",
        "and",
        "but",
    ]
)


class Token(msgspec.Struct, frozen=True, gc=False):
    """A word of a clause: its place, whether a negation denies it, whether it looks like a name."""

    text: str
    stem: str
    start: int
    end: int
    denied: bool
    name: bool


class Clause(msgspec.Struct, frozen=True, gc=False):
    """A part of a sentence with one thing to say.

    `tokens` are its words outside quantities and moments. `pronoun` says that its subject is one, `bare`
    that it has no subject of its own and goes on with that of the clause before. `item` is the number of the
    list item it stands in, "" outside of lists; `listed` says that it is a line of a list. `key` is the part
    before the colon of "Gate: B12". `first` is whether it begins a sentence.
    """

    start: int
    end: int
    tokens: Sequence[Token]
    quantities: Sequence[Quantity]
    moments: Sequence[Moment]
    sentence: tuple[int, int]
    first: bool
    pronoun: bool
    conditional: bool
    listed: bool
    number: str
    key: str


def in_name(text: str, one: Quantity) -> bool:
    """Whether a number is part of a name: LX 318 leaves, order 7719, size 42."""
    if one.dimension in MEASURED or one.ordinal or not text[one.start].isdigit():
        spelled = one.dimension not in MEASURED and "-" in text[one.start : one.end]  # two-factor
        return one.ordinal or spelled
    before = text[max(0, one.start - 20) : one.start]
    return _BEFORE_NUMBER.search(before) is not None or _CODED.search(before) is not None


class _Page(msgspec.Struct, frozen=True):
    """A reply as it is read."""

    prose: Normalised
    reading: Reading
    denied: Sequence[bool]
    words: StatedWords


def clauses_of(text: str, words: StatedWords, lexicon: Lexicon) -> tuple[Normalised, list[Clause]]:
    """The prose of a reply and its clauses that state something, as facts.

    Questions, wishes, offers, guesses, comparisons, examples, what the user said and quotations state
    nothing.
    """
    normal = prose(text[:MAX_TEXT])
    plain = _with_names(normal.text)
    reading = read_text(plain, lexicon)
    named = [one for one in reading.quantities if not in_name(plain, one)]
    reading = msgspec.structs.replace(reading, quantities=named)
    page = _Page(normal, reading, negated(plain, reading.tokens, lexicon.pack), words)
    found: list[Clause] = []
    for start, end in _sentences(plain, lexicon.pack.code):
        found += _of_sentence(page, start, end)
    return normal, found


def _with_names(text: str) -> str:
    """The text without its quotations, but with those of a few words: they are names."""
    plain = unquoted(text)
    if _GRATIS.search(text):  # what is free of charge is not without something
        plain = _GRATIS.sub(lambda found: f"free{' ' * (len(found[0]) - 4)}", plain)
    if _LEFT_OUT not in plain:
        return plain
    return re.sub(
        f"{_LEFT_OUT}+",
        lambda found: (
            text[found.start() : found.end()]
            if len(text[found.start() : found.end()].split()) <= MAX_QUOTED_NAME
            else found[0]
        ),
        plain,
    )


def _sentences(text: str, language: str) -> Iterator[tuple[int, int]]:
    """The sentences, cut at line ends too."""
    for start, end in sentence_spans(text, language):
        place = start
        for line in text[start:end].split("\n"):
            if line.strip():
                yield place, place + len(line)
            place += len(line) + 1


def _of_sentence(page: _Page, start: int, end: int) -> Iterator[Clause]:
    text = page.reading.text[start:end]
    note = _NOTE.match(text)
    begin = start + note.end() if note else start
    text = page.reading.text[begin:end]
    if text.rstrip(" \"')*").endswith("?") or _UNSURE.search(text) or _AFTERWARDS.match(text):
        return
    conditional = _IF.search(text) is not None
    listed, number = _item(page.prose, start)
    key = _KEY.match(text)
    first = True
    spans = [(begin, end)] if conditional else list(_cuts(page, begin, end))
    for one, other in spans:
        if other - one > MAX_CLAUSE:
            continue
        tokens = _tokens(page, one, other, begin)
        quantities = _within(page.reading.quantities, one, other)
        moments = _within(page.reading.moments, one, other)
        if not tokens and not quantities and not moments:
            continue
        said = [token.text for token in tokens if token.text not in _INTERJECTIONS]
        yield Clause(
            one,
            other,
            tokens,
            quantities,
            moments,
            (start, end),
            first,
            _is_pronoun(said, page.words),
            conditional,
            listed,
            number,
            key[1].strip() if key else "",
        )
        first = first and all(token.text in _INTERJECTIONS for token in tokens)


def _is_pronoun(said: Sequence[str], words: StatedWords) -> bool:
    """Whether the subject is a pronoun: "this is", but not "this rate is"."""
    if not said or said[0] not in _PRONOUNS:
        return False
    if said[0] not in _POINTING or len(said) == 1:
        return True
    return (
        said[1] in words.pack.clause_verbs or said[1] in words.predicates or said[1] in words.pack.stop_words
    )


def _cuts(page: _Page, start: int, end: int) -> Iterator[tuple[int, int]]:
    text = page.reading.text
    cursor = start
    leads = _LEADING.match(text, start, end) is not None  # "With your code, it costs $40"
    for cut in _CUT.finditer(text, start, end):
        if cut.start() <= cursor:
            continue
        if leads and cut[0] == ",":
            leads = False
            continue
        if _inside(page, cut) or (
            cut[0].casefold() == "and" and re.search(r"(?i)\bbetween\b", text[cursor : cut.start()])
        ):
            continue
        yield cursor, cut.start()
        cursor = cut.end()
    if cursor < end:
        yield cursor, end


def _inside(page: _Page, cut: re.Match[str]) -> bool:
    """Whether a cut is within a quantity or date, or joins the ends of a range."""
    text = page.reading.text
    for found in (page.reading.quantities, page.reading.moments):
        place = bisect_left(found, cut.start(), key=attrgetter("start"))
        before = found[place - 1] if place else None
        after = found[place] if place < len(found) else None
        if before is not None and before.end > cut.start():
            return True
        if before is None or after is None or not isinstance(before, Moment):
            continue
        near = not text[before.end : cut.start()].strip() and not text[cut.end() : after.start].strip()
        if near and (cut[0].strip() == "-" or (cut[0] == "," and before.kind != "time")):
            return True
    return False


_Measured = TypeVar("_Measured", Quantity, Moment)


def _within(found: Sequence[_Measured], start: int, end: int) -> Sequence[_Measured]:
    by_start = attrgetter("start")
    return found[bisect_left(found, start, key=by_start) : bisect_left(found, end, key=by_start)]


def _tokens(page: _Page, start: int, end: int, sentence: int) -> list[Token]:
    by_start = attrgetter("start")
    tokens = page.reading.tokens
    low, high = bisect_left(tokens, start, key=by_start), bisect_left(tokens, end, key=by_start)
    spans = [(one.start, one.end) for one in _within(page.reading.quantities, start, end)]
    spans += [(one.start, one.end) for one in _within(page.reading.moments, start, end)]
    made: list[Token] = []
    for place in range(low, high):
        word = tokens[place]
        if any(one <= word.start < other for one, other in spans):
            continue
        name = _is_name(page.reading.text, word, begins=word.start <= sentence + 2)
        made.append(
            Token(word.text, page.reading.stems[place], word.start, word.end, page.denied[place], name)
        )
    return made


def _is_name(text: str, word: Word, *, begins: bool) -> bool:
    written = text[word.start : word.end]
    if any(one.isdigit() for one in written):
        return True
    return written[:1].isupper() and (not begins or (len(written) > 1 and written.isupper()))


def _item(normal: Normalised, start: int) -> tuple[bool, str]:
    """Whether a line is an item of a list, and its number."""
    place = normal.offsets[start] if start < len(normal.offsets) else 0
    before = normal.original[max(0, place - 24) : place].rpartition("\n")[2]
    found = _ITEM.fullmatch(before)
    return found is not None, (found[1] or "") if found else ""
