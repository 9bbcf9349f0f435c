"""Parse a text into sentences, what each claims, and how that is meant."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any

from msgspec.structs import replace

from grice.claims.lexicon import Lexicon
from grice.claims.passage import Atom, AtomKind, Clause, Modality, Passage, Sentence, Value
from grice.claims.terms import ParsedText, Term, parse_text
from grice.text.normalised import Normalised, normalise
from grice.text.quantities import Quantity
from grice.text.sentences import sentence_spans
from grice.text.times import Moment

MAX_INTERJECTION = 2
"""Words that may stand beside an interjection ("Thanks so much,") for it to be one still."""

MAX_BEFORE = 20

MAX_MARKS = 12
"""Characters in which the marks of a heading stand before it."""

_CUT = (
    r"[;!?]+|,(?!\d)|[()\[\]]|\s[-\u2013\u2014]+\s|\u2014|(?-i:(?<![A-Z][a-z])(?<![A-Z][a-z]{2}))\.\s"
    r"|\b(?:and|but|while|whereas|which|plus|though|although|however|yet|or|because|so|as well as)\b"
)
_CUTS = re.compile(_CUT, re.IGNORECASE)
_CUTS_AT_COLONS = re.compile(rf":\s|{_CUT}", re.IGNORECASE)
_JOINING = frozenset(("and", "but", "or", "plus"))
_SO = frozenset(("so", "then"))
_LINKS = frozenset(("so", "then", "just", "and", "but", "also"))
_OPENERS = frozenset(("for", "with", "given", "since", "as", "in", "on", "at", "to", "from", "based"))


@lru_cache(maxsize=16)
def parse_passage(
    text: str | Normalised, lexicon: Lexicon, *, strict: bool = False, is_sentence: bool = False
) -> Passage:
    """Parse a text. Linear in its length.

    A sentence has no clauses where it claims nothing: a question, a greeting, thanks, an offer, an
    invitation. What somebody thinks, advises or does, and what would be, is marked so: see `Modality`.
    `strict` is for a text that is there to claim, such as the reasons for a product: nothing in it is soft
    but what its speaker says of himself. The last passages are remembered: several checks look at one reply.
    """
    prose = normalise(text) if isinstance(text, str) else text
    reading = parse_text(prose.text, lexicon)
    headed = prose.original is not prose.text and "#" in prose.original
    found: list[Sentence] = []
    topic: frozenset[str] = frozenset()
    spans = ((0, len(prose.text)),) if is_sentence else sentence_spans(prose.text, lexicon.pack.code)
    for start, end in spans:
        one = _sentence(reading, start, end, lexicon, strict=strict)
        heads = headed and _is_heading(start, prose)
        if heads:  # what it is about is no claim, but its amounts are
            one = replace(one, clauses=tuple(_as(clause, "thinks") for clause in one.clauses))
        found.append(replace(one, topic=topic) if topic else one)
        if heads or one.text.rstrip(" *").endswith(":"):
            topic = one.stems
    return Passage(prose, tuple(found))


def _is_heading(start: int, prose: Normalised) -> bool:
    place = prose.offsets[start]
    marks = prose.original[max(0, place - MAX_MARKS) : place].rpartition("\n")[2]
    return marks.lstrip().startswith("#")


def _as(one: Clause, modality: Modality) -> Clause:
    """The clause, meant in another way."""
    if modality == one.modality:
        return one
    atoms = tuple(replace(atom, modality=modality) for atom in one.atoms)
    return replace(one, modality=modality, atoms=atoms)


def _sentence(reading: ParsedText, start: int, end: int, lexicon: Lexicon, *, strict: bool) -> Sentence:
    text = reading.text[start:end]
    first, last = _between(reading.tokens, start, end)
    stems = reading.stems[first:last]
    asks = text.rstrip(" \"')*").endswith("?")
    clauses: Sequence[Clause] = ()
    if stems and (not asks or lexicon.hedges.begin(stems)):
        clauses = _clauses(reading, start, text, stems, lexicon, strict=strict)
    return Sentence(text, start, end, tuple(clauses), frozenset(stems))


def _clauses(
    reading: ParsedText, start: int, text: str, stems: Sequence[str], lexicon: Lexicon, *, strict: bool
) -> list[Clause]:
    """The clauses of a sentence; none where its beginning makes nothing of it."""
    found: list[Clause] = []
    soft = wished = False
    about: _About = (frozenset(), frozenset())
    left = len(stems)
    values = [(one.start, one.end) for one in _slice(reading.quantities, start, start + len(text))]
    for begin, stop in _cuts(text, start, values, at_colons=lexicon.soft.begin(stems)):
        clause = _clause(reading, begin, stop)
        if clause is None:
            continue
        asks = clause.tokens[0].text == "please" and not lexicon.telling.begin(clause.stems[1:])
        if asks and not any(one.counted for one in clause.terms):
            break  # it asks the user for something
        if not found and (not strict or lexicon.soft.begin(clause.stems)):
            opening = _opening(clause, left, reading.text, lexicon)
            wished = opening == "wish" or (wished and reading.text[begin] != ",")
            if opening == "interjection" or wished:
                left -= len(clause.stems)
                continue
            if opening == "nothing":
                return []
            soft = opening == "soft"
        if soft and found:
            soft = _stays_soft(clause, begin, reading.text, lexicon)
        modality = _modality(clause, reading.text, lexicon, soft=soft, strict=strict)
        about = _about(clause, lexicon, about)
        found.append(_with_atoms(_as(clause, modality), about, reading, lexicon))
    return _with_opener(found, text, lexicon)


def _modality(clause: Clause, text: str, lexicon: Lexicon, *, soft: bool, strict: bool) -> Modality:
    if soft:
        return "thinks"
    if lexicon.offers.begin(clause.stems[1:] if clause.tokens[0].text in _SO else clause.stems):
        return "offers"
    may = clause.stems[0] == "if" or _commands(clause, text, lexicon)
    gets = lexicon.benefits.begin(clause.stems)
    may = may or (gets and not any(_is_told(one, text) for one in clause.terms))
    if not strict and (may or any(word.text in lexicon.hypothetical for word in clause.tokens)):
        return "conditional"
    return "states"


def _is_told(term: Term, text: str) -> bool:
    """Whether a word in what the user gets is a number or a name."""
    return term.counted or text[term.start].isupper()


def _with_opener(clauses: list[Clause], text: str, lexicon: Lexicon) -> list[Clause]:
    """The clauses, soft too where they only lead up to more: "For weekend hikes, I'd go with ...", "To
    update it:".
    """
    if len(clauses) == 1 and text.rstrip().endswith(":"):
        return [_as(clauses[0], "thinks")]
    leads = len(clauses) > 1 and clauses[0].tokens[0].text in _OPENERS
    if leads and lexicon.soft.begin(clauses[1].stems):
        return [*(_as(one, "thinks") for one in clauses[:2]), *clauses[2:]]
    return clauses


def _stays_soft(clause: Clause, begin: int, text: str, lexicon: Lexicon) -> bool:
    """Whether a clause of a soft sentence is soft too: not so "I'm not sure, but it was founded in 1994",
    and not "I've checked: it's open".
    """
    said = [word.text for word in clause.tokens[:2]]
    turns = text[begin : begin + 3].casefold() == "but" or text[begin] in ":;"
    turns = turns or (text[begin] == "," and len(said) > 1 and said[0] in _THINGS and said[1] in _BEING)
    return not turns or lexicon.soft.begin(clause.stems)


_THINGS, _BEING = (
    frozenset(("it", "they", "he", "she")),
    frozenset(("is", "are", "was", "were", "has", "have")),
)


def _commands(clause: Clause, text: str, lexicon: Lexicon) -> bool:
    """Whether a clause tells the user what to do: check the size chart, so keep it upright."""
    said = [word.text for word in clause.tokens[:3]]
    if len(said) > 1 and said[0] in _SO and said[1] in lexicon.imperatives:
        return True
    if len(said) > 1 and said[0] in lexicon.steps and text[clause.tokens[1].start].isupper():
        return True
    said = [*(said[1:] if said[0] in _LINKS else said), "", ""]
    return said[0] in lexicon.pointers or (said[0] in lexicon.imperatives and said[1] in lexicon.commanded)


def _opening(clause: Clause, left: int, text: str, lexicon: Lexicon) -> str:
    """What the beginning makes of a sentence with so many words left: nothing, an interjection or a wish
    before more, something soft, or "".
    """
    silent = lexicon.silent.length(clause.stems)
    behind = len(clause.stems) - silent
    if silent and behind > 1 and ":" in text[clause.tokens[silent - 1].end : clause.tokens[silent].start]:
        return ""
    if silent and behind <= MAX_INTERJECTION:
        goes_on = left > len(clause.stems) and not text[clause.end : clause.end + 1].isalnum()
        return "interjection" if goes_on else "nothing"
    if silent > 1 and left > len(clause.stems) and clause.stems[0] == "if":
        return "wish"
    if silent > 1:
        return "" if lexicon.reporting.length(clause.stems, silent) else "nothing"
    if lexicon.hedges.begin(clause.stems):
        return ""
    return "soft" if _commands(clause, text, lexicon) or lexicon.soft.begin(clause.stems) else ""


def _cuts(
    text: str, start: int, values: Sequence[tuple[int, int]], *, at_colons: bool
) -> Iterator[tuple[int, int]]:
    """Where the clauses of a sentence stand; what is within a value ("$200 or less") cuts nothing."""
    cursor = place = 0
    for cut in (_CUTS_AT_COLONS if at_colons else _CUTS).finditer(text):
        # the word that begins a clause stays with it: "which means ..."
        while place < len(values) and values[place][1] <= start + cut.start():
            place += 1
        if place < len(values) and values[place][0] < start + cut.start():
            continue
        if cut.start() > cursor:
            yield start + cursor, start + cut.start()
            cursor = cut.start()
    yield start + cursor, start + len(text)


def _clause(reading: ParsedText, start: int, end: int) -> Clause | None:
    first, last = _between(reading.tokens, start, end)
    while first < last and reading.tokens[first].text in _JOINING:
        first += 1
    if first == last:
        return None
    return Clause(
        start,
        end,
        "states",
        _slice(reading.terms, start, end),
        reading.stems[first:last],
        reading.tokens[first:last],
    )


_by_start = attrgetter("start")


def _between(found: Sequence[Any], start: int, end: int) -> tuple[int, int]:
    """The places, from and to, of those that start in a part of the text. They are in order."""
    return bisect_left(found, start, key=_by_start), bisect_left(found, end, key=_by_start)


def _slice(found: Sequence[Any], start: int, end: int) -> Sequence[Any]:
    return found[slice(*_between(found, start, end))] if found else ()


_About = tuple[frozenset[str], frozenset[str]]
"""The stems of what a clause speaks of, and the others that say what a value in it is."""


def _with_atoms(clause: Clause, about: _About, reading: ParsedText, lexicon: Lexicon) -> Clause:
    """The clause with the values it says, in order, each with what it is about."""
    values = [
        *_slice(reading.quantities, clause.start, clause.end),
        *_slice(reading.moments, clause.start, clause.end),
        *_slice(reading.codes, clause.start, clause.end),
    ]
    states = [one for one in clause.terms if not one.counted and one.stem in lexicon.states]
    subject, rest = about
    clause = replace(clause, subject=subject)
    if not values and not states:
        return clause
    found: list[Atom] = []
    for one in values:
        if one.end <= clause.tokens[0].start:
            continue  # it belongs to the interjection before
        said = reading.text[one.start : one.end]
        kind, value = _kind_and_value(one, said, lexicon)
        found.append(
            Atom(
                kind,
                value,
                said,
                one.start,
                one.end,
                subject,
                rest,
                _is_denied(one.start, clause),
                _is_end(reading.text, one.start, lexicon) or said.casefold().startswith(lexicon.tight),
                clause.modality,
            )
        )
    for term in states:
        said, named = reading.text[term.start : term.end], frozenset((term.stem,))
        found.append(
            Atom(
                *("state", not term.denied, said, term.start, term.end, subject - named, named, term.denied),
                modality=clause.modality,
            )
        )
    found.sort(key=_by_start)
    return replace(clause, atoms=tuple(found))


def _kind_and_value(one: Quantity | Moment, said: str, lexicon: Lexicon) -> tuple[AtomKind, Value]:
    if isinstance(one, Moment):
        return "moment", one
    if one.dimension == "name":
        return "code", said
    if one.comparison == "<=" and said.casefold().startswith(lexicon.tight):
        one = replace(one, low=one.high, comparison="")  # "up to 12 hours" says twelve
    return ("money" if one.dimension == "money" else "quantity"), one


def _about(clause: Clause, lexicon: Lexicon, before: _About) -> _About:
    """What a clause speaks of, before its verb, and the rest, without its values.

    One without a verb goes on with the verb of the clause before it ("and bikes within 14 days"), one without
    a subject with its subject ("and costs $40").
    """
    verbs = lexicon.verbs
    place = next((number for number, word in enumerate(clause.tokens) if word.text in verbs), -1)
    plain = [one for one in clause.terms if not one.counted]
    if place < 0:
        return frozenset(one.stem for one in plain), before[1] if before[0] else frozenset()
    verb = clause.tokens[place].start
    subject = frozenset(one.stem for one in plain if one.start < verb)
    return subject or before[0], frozenset(one.stem for one in plain if one.start >= verb)


def _is_denied(start: int, clause: Clause) -> bool:
    """Whether the word that stands at a place, or the one before it, is denied."""
    place = bisect_left(clause.terms, start + 1, key=_by_start)
    return place > 0 and clause.terms[place - 1].denied


def _is_end(text: str, start: int, lexicon: Lexicon) -> bool:
    """Whether words before a place make a number the end of a range: within 5 days."""
    return text[max(0, start - MAX_BEFORE) : start].rstrip().casefold().endswith(lexicon.bounding)
