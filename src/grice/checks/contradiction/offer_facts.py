"""Compare what an assistant says of the offer (prices, hours, how many) with what it said before."""

from __future__ import annotations

from collections.abc import Iterator

from grice.checks.contradiction.consistency import Comparison
from grice.checks.contradiction.parsed_reply import ParsedReply
from grice.checks.contradiction.sentence_index import Index, Place, Talk
from grice.checks.contradiction.statements import Statement, in_words
from grice.checks.contradiction.wordlists import Wordlists
from grice.claims.passage import Atom
from grice.claims.terms import parse_text
from grice.claims.value_agreement import agree
from grice.text.quantities import Quantity
from grice.text.times import Moment


def offer_facts(talk: Talk, words: Wordlists) -> Iterator[Comparison]:
    """Compare the values in a reply with those given for the same thing before, with no tool call between."""
    ignored, since = words.groups["costs_nothing"] | words.groups["costs"] | words.groups["values"], 0
    valued = Index(talk, ignored)
    for place in talk.places():
        if talk.since[place[0]] > since:
            valued, since = Index(talk, ignored), talk.since[place[0]]
        if place[1] < 0 or not talk.counts(place):
            continue
        for other in valued.beside(place):
            yield from _held_against(other, place, talk, words)
        valued.add(place)


def _held_against(earlier: Place, later: Place, talk: Talk, words: Wordlists) -> Iterator[Comparison]:
    before, one = talk.said[earlier[0]], talk.said[later[0]]
    for told in talk.statements(later):
        for known in talk.statements(earlier):
            if _is_charged(known, told, words) or _is_charged(told, known, words):
                if not _is_new(known, told, before, one, words):
                    yield _compared((before, known, ""), (one, told, ""), words, opposed=True)
                continue
            found = _values_of_one(known, told, words)
            if found is None:
                continue
            opposed = agree(found[1], found[0].value) == agree(found[0], found[1].value) == "different"
            if not (opposed and _is_new(known, told, before, one, words)):
                sides = (before, known, found[0].said), (one, told, found[1].said)
                yield _compared(*sides, words, opposed=opposed)


def _is_new(
    known: Statement, told: Statement, before: ParsedReply, one: ParsedReply, words: Wordlists
) -> bool:
    """Whether what is told is of another thing, that the user has brought up, or follows from values that
    the user gives.
    """
    heard = one.message
    given = parse_text(heard.text, words.lexicon)
    if heard.mood == "assertion" and (given.quantities or given.moments):
        return True
    brought_up = heard.mood != "doubt" and (heard.around - before.message.around - known.words) & told.words
    return bool(brought_up)


def _is_charged(one: Statement, other: Statement, words: Wordlists) -> bool:
    """Whether one says that something is included or free, and the other that it costs."""
    free, charged = words.groups["costs_nothing"], words.groups["costs"]
    if one.sign < 0 or other.sign < 0 or not one.words & free or other.words & free:
        return False
    money = any(isinstance(atom.value, Quantity) and atom.kind == "money" for atom in other.values)
    if (not money and not other.words & charged) or (one.limits ^ other.limits) - words.groups["loose"]:
        return False
    mine, theirs = (each.words - each.counted - free - charged - words.light for each in (one, other))
    return bool(mine & theirs) and (mine <= theirs or theirs <= mine)


def _values_of_one(one: Statement, other: Statement, words: Wordlists) -> tuple[Atom, Atom] | None:
    """The values of one measure, the only ones, in two statements that say the same but for them."""
    if (
        one.sign != other.sign
        or one.past != other.past
        or (one.limits ^ other.limits) - words.groups["loose"]
    ):
        return None
    counted = one.counted | other.counted
    mine, theirs = one.words - counted, other.words - counted
    shared = mine & theirs
    if not shared or theirs - mine - words.light or len(mine - theirs) > len(shared):
        return None
    values, others = (_by_measure(each) for each in (one, other))
    if values is None or others is None:
        return None
    if {"date", "weekday"} & (values.keys() ^ others.keys()):
        return None
    found = [(values[name], others[name]) for name in values if name in others]
    apart = [pair for pair in found if agree(pair[1], pair[0].value) == "different"]
    if len(apart) > 1 or not found:
        return None
    return apart[0] if apart else found[0]


def _by_measure(one: Statement) -> dict[str, Atom] | None:
    """The values of a statement by what they measure; None where it has two of one."""
    found: dict[str, Atom] = {}
    for atom in one.values:
        value = atom.value
        if isinstance(value, Quantity):
            measure = value.dimension or "number"
        elif isinstance(value, Moment):
            measure = "time" if value.kind == "time" else "date"
        else:
            measure = atom.kind
        if measure in found:
            return None
        found[measure] = atom
    return found


_Side = tuple[ParsedReply, Statement, str]
"""A reply, what it states, and the value in it, "" for the whole."""


def _compared(one: _Side, other: _Side, words: Wordlists, *, opposed: bool) -> Comparison:
    about = in_words(other[0], other[1], one[1].words & other[1].words - other[1].counted, words)
    first, last = (
        said.holds(value, made.start, made.end, "facts", about) for said, made, value in (one, other)
    )
    return Comparison("facts", first, last, opposed)
