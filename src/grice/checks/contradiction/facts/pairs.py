"""Whether two values that a talk gives are of the same thing, and whether both can hold."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

import msgspec

from grice.checks.contradiction.facts.conflicts import clash
from grice.checks.contradiction.facts.mentions import Mention
from grice.checks.contradiction.facts.stated_reading import Statement
from grice.checks.contradiction.facts.wording import CHANGING, COLOURS, VARIANTS
from grice.text.quantities import Quantity
from grice.text.times import Moment
from grice.text.words import stem

__all__ = ["Wish", "admits", "both_hold", "excused", "same_thing", "wished"]

_ONCE = frozenset(["gate", "terminal", "platform", "seat", "plan", "checkin", "checkout", "return", "event"])
"""Attributes that a talk has one of: other words beside them tell no other thing."""

_REACHED = frozenset(["shipped", "delivered", "confirm", "paid"])
_CHANGEABLE = frozenset(
    ["price", "total", "balance", "refund", "charge", "discount", "subtotal", "tax", "weight"]
)
"""Attributes that several things of a talk have: "the price" is not always that of the same."""

_HISTORIC = frozenset(["build", "found", "born", "die", "release", "invent"])
_TIMELESS = frozenset(
    ["build", "found", "born", "die", "release", "invent", "end", "event", "arrive", "depart"]
)
_ADMITS = re.compile(
    r"(?i)\b(?:correction|correct(?:ed|ing)? (?:that|my|myself|what)|i was (?:wrong|mistaken|incorrect)"
    r"|(?:my|a|the) mistake|mistaken(?:ly)?|misspoke|misread|misinformed"
    r"|(?:my|the) (?:earlier|previous|last) (?:message|answer|statement|reply|quote|information|figure)"
    r"|wrong (?:figure|day|flight|order|page|line|account|product|model|price"
    r"|date|time|number|answer|information)|for the (?:confusion|error|mix-?up|mistake)"
    r"|oversight|stand corrected|to clarify|i (?:said|told you|mentioned|quoted)|turns out|actually"
    r"|has (?:been |since |just )?(?:changed|updated|increased|decreased|moved|dropped|gone up|risen)"
    r"|have (?:been )?(?:changed|updated|moved|corrected)|(?:was|were) (?:changed|moved|updated|rescheduled)"
    r"|just (?:sold|became|changed|now)|in the meantime|(?:is|are|it's|you're|leaves|departs) now"
    r"|now (?:is|leaves|departs|costs)|not [$\u20ac\u00a3]?\d|since (?:january|february|march|april|may"
    r"|june|july|august|september|october|november|december))\b"
)
_ASKS_AGAIN = re.compile(
    r"(?i)\b(?:are you sure|you sure|i thought|earlier you|you said|you told|didn't you|isn't it|again"
    r"|confirm|double.?check|remind|wait|hold on|summar\w+|recap)\b"
)
_TURNS_TO = re.compile(
    r"(?i)^\W*(?:ok |okay |thanks |great )?(?:and|what about|how about|for)\b"
    r"(?! (?:what|when|how|is|are|do|does)\b)"
)
_CHANGING = re.compile(CHANGING, re.IGNORECASE)


class Wish(msgspec.Struct, frozen=True):
    """What the user said in a turn: all that means something, what of it is new, and whether it asks for
    something else. `changes` says that a word like "instead" is in it.
    """

    turn: int
    words: frozenset[str]
    new: frozenset[str]
    numbers: frozenset[Decimal]
    moments: frozenset[str]
    changes: bool
    names: frozenset[str] = frozenset()
    turns_to: bool = False
    said: frozenset[str] = frozenset()


def wished(
    turn: int,
    text: str,
    words: frozenset[str],
    seen: set[str],
    given: tuple[frozenset[Decimal], frozenset[str]],
    names: frozenset[str] = frozenset(),
    said: frozenset[str] = frozenset(),
) -> Wish:
    """What a message of the user says; `seen` are the words of the talk before it."""
    again = _ASKS_AGAIN.search(text) is not None
    changes = _CHANGING.search(text) is not None and not again
    new = words - seen
    return Wish(turn, words, new, *given, changes, names & new, _TURNS_TO.search(text) is not None, said)


def both_hold(one: Mention, other: Mention) -> bool | None:
    """Whether two values of one thing can both hold; None where nobody can tell."""
    mine, theirs = one.statement, other.statement
    if isinstance(mine.value, bool) and isinstance(theirs.value, bool):
        if mine.attribute in _REACHED and mine.value is False and theirs.value and mine.turn != theirs.turn:
            return None
        return mine.value == theirs.value
    if isinstance(mine.value, Quantity) and isinstance(theirs.value, Quantity):
        return _amounts(mine.value, theirs.value)
    apart = clash(mine, theirs)
    return None if apart is None else not apart


def _amounts(one: Quantity, other: Quantity) -> bool | None:
    if one.unit and other.unit and one.unit != other.unit and one.dimension in ("money", "rating"):
        return None
    if one.period != other.period and one.period and other.period:
        return None
    if one.comparison and one.comparison == other.comparison:
        bounds = one.number, other.number
        if None in bounds or one.approximate or other.approximate:
            return None
        return _close(bounds[0] or Decimal(0), bounds[1] or Decimal(0), Decimal("0.02"))
    slack = Decimal("0.15") if one.approximate or other.approximate else Decimal("0.02")
    if one.unit == other.unit and not (one.approximate or other.approximate):
        slack = Decimal(0)
    low, high = _bounds(one)
    least, most = _bounds(other)
    if (low is None and high is None) or (least is None and most is None):
        return None
    apart = (high is not None and least is not None and high * (1 + slack) < least) or (
        most is not None and low is not None and most * (1 + slack) < low
    )
    if apart and _is_rounded(low, least):
        return True
    return not apart


def _bounds(one: Quantity) -> tuple[Decimal | None, Decimal | None]:
    return one.low, one.high


def _close(one: Decimal, other: Decimal, slack: Decimal) -> bool:
    return abs(one - other) <= slack * max(abs(one), abs(other))


def _is_rounded(one: Decimal | None, other: Decimal | None) -> bool:
    if one is None or other is None or abs(one - other) >= 1:
        return False
    return (one == one.to_integral_value()) != (other == other.to_integral_value())


def same_thing(one: Mention, other: Mention, *, single: bool) -> bool:
    """Whether the later of two values with one key is of the same thing.

    What tells things apart may stand on one side only, not on both. `single` says that the talk has spoken
    of one thing of the kind.
    """
    if one.statement.turn == other.statement.turn and not _told_apart(one, other):
        return False
    if one.listed and other.listed and not (single and one.names & other.names):
        return False
    if one.bound != other.bound or _is_far(one, other) or not _same_modifier(one, other):
        return False
    if one.names - _context(other) and other.names - _context(one):
        return False
    return _same_variant(one, other, single=single) and _overlaps(one, other, single=single)


def _told_apart(one: Mention, other: Mention) -> bool:
    """Whether two values of one reply are told in two places: not two items of a list, nor one sentence."""
    mine, theirs = one.statement, other.statement
    if (
        mine.kind == "money"
        or one.cell
        or other.cell
        or (one.listed and other.listed)
        or mine.quote == theirs.quote
    ):
        return False
    if not (one.listed or other.pronoun or one.words & other.words or mine.attribute in _HISTORIC):
        return False  # "the platform is at 78 metres" is of the platform
    return mine.attribute not in ("depart", "arrive", "event") or one.listed != other.listed


def _context(one: Mention) -> frozenset[str]:
    """The words that name what a value is of: its sentence, and the one before where it is called "it"."""
    return one.wide if one.pronoun or not one.words else one.near


def _same_modifier(one: Mention, other: Mention) -> bool:
    if one.statement.kind == "quantity count":
        return True
    if one.modifier and other.modifier and not (one.modifier & other.modifier):
        return bool(one.modifier & other.words and other.modifier & one.words)
    if not (one.modifier or other.modifier):
        return True
    return one.modifier <= other.wide | other.asked and other.modifier <= one.wide | one.asked


def _is_far(one: Mention, other: Mention) -> bool:
    """Whether what else stands beside the values tells two cases apart: another day, size or number."""
    kind, attribute = one.statement.kind, one.statement.attribute
    mine, theirs = one.around - other.around, other.around - one.around
    if kind == "date":  # the days beside a date are part of it
        mine, theirs = (frozenset(word for word in each if "/" in word) for each in (mine, theirs))
    if attribute in ("open", "close"):  # closed on Mondays, open from 7
        mine, theirs = (
            frozenset(word for word in each if not word.startswith("time")) for each in (mine, theirs)
        )
    if {_measured(word) for word in mine} & {_measured(word) for word in theirs}:
        return True
    days = any("/" not in word for word in mine | theirs)
    if isinstance(one.statement.value, bool):
        return days and attribute in ("open", "available")
    if kind in ("choice", "quantity count") or attribute in _TIMELESS:
        return False
    if kind == "money" and any("/" in word and not word.startswith("0/0") for word in mine | theirs):
        return True
    return any(word.startswith(("date", "weekday", "time")) for word in mine | theirs) or (
        days and isinstance(one.statement.value, Moment)
    )


def _measured(word: str) -> str:
    """What kind of amount or moment a word beside a value is."""
    return word.rpartition(" ")[2] if "/" in word else word.partition(" ")[0]


def _same_variant(one: Mention, other: Mention, *, single: bool) -> bool:
    if one.statement.kind == "choice":
        return True
    more = other.variants - one.variants
    less = one.variants - other.variants
    if more and less:
        return False
    neutral = COLOURS if one.statement.kind == "money" else frozenset()
    more = more - neutral
    if more - one.near:
        return False
    return not less or single or less <= other.near


def _overlaps(one: Mention, other: Mention, *, single: bool) -> bool:
    """Whether the words around two values speak of the same."""
    shared = one.words & other.words
    state = isinstance(one.statement.value, bool)
    if one.statement.attribute == "have":
        return _same_object(one, other)
    if state:
        return (
            (bool(shared) and _mostly(one.words, other.words))
            or (bool(shared & (one.names | other.names)))
            or (single and not other.words)
        )
    if one.statement.kind == "quantity count":
        return bool(shared) or not one.words or not other.words
    if one.statement.attribute in _ONCE:
        return single or one.statement.attribute != "event"
    if one.names & other.names:
        return True
    if not one.words or not other.words:
        return single or bool((one.wide | one.asked) & other.words or (other.wide | other.asked) & one.words)
    if shared and (_mostly(one.words, other.words) or single):
        return True
    if one.statement.attribute in _HISTORIC and one.statement.turn == other.statement.turn:
        return single and bool(one.wide & other.wide)
    if single and other.definite and one.statement.attribute not in _CHANGEABLE:
        return True
    mine, theirs = one.wide | one.asked, other.wide | other.asked
    return single and bool((mine & other.words) | (theirs & one.words))


def _mostly(one: frozenset[str], other: frozenset[str]) -> bool:
    return 2 * len(one & other) >= min(len(one), len(other))


def _same_object(one: Mention, other: Mention) -> bool:
    """Whether what one side has is what the other has not."""
    negative, positive = (one, other) if not one.statement.value else (other, one)
    if positive.names - negative.near - negative.asked or negative.names - positive.wide - positive.asked:
        return False
    if negative.denied:
        return negative.denied <= positive.words and bool(
            not negative.names or negative.names & positive.wide or not positive.names
        )
    return (
        bool(negative.words)
        and negative.words - negative.names <= positive.words | positive.wide
        and bool(negative.words & positive.words)
    )


def excused(one: Mention, other: Mention, wishes: Sequence[Wish]) -> bool:
    """Whether what the user said between two values makes the later one no contradiction."""
    turns = range(one.statement.turn + 1, other.statement.turn + 1)
    return any(_explains(wish, one, other) for wish in wishes if wish.turn in turns)


def _explains(wish: Wish, one: Mention, other: Mention) -> bool:
    """Whether a message of the user changes what the later value is of: only by what it says itself."""
    later = other.statement
    if _gives(wish, later) or _makes(wish, one.statement, later) or _another(wish, one, other):
        return True
    fresh = wish.new - _META - one.words - one.wide - (_VARIED if later.kind == "money" else frozenset())
    if fresh & other.words - one.words:
        return True
    if wish.changes and (
        fresh & other.near or (fresh and later.kind in _VOLATILE and not other.words & one.words)
    ):
        return True
    if wish.turn != later.turn:
        return False
    if not other.words & one.words and fresh and _leaves_it_open(wish, one, other):
        return True
    return bool(wish.numbers or wish.moments) and _told(wish, one, other)


_META = frozenset(
    stem(word)
    for word in [
        "summarise",
        "summarize",
        "summary",
        "recap",
        "kindly",
        "please",
        "check",
        "come",
        "came",
        "great",
        "perfect",
        "sounds",
        "good",
        "nice",
    ]
)
_VARIED = frozenset(COLOURS)
_VOLATILE = frozenset(["money", "time", "date", "choice", "quantity count", "availability"])


def _gives(wish: Wish, later: Statement) -> bool:
    """Whether the user asked for the value itself, or for another day of what is free on some."""
    value = later.value
    if later.kind == "availability" and wish.moments:
        return True
    if isinstance(value, Quantity):
        return wish.changes and bool(wish.numbers) and (later.kind == "money" or value.number in wish.numbers)
    if isinstance(value, Moment):
        return wish.changes and bool(wish.moments)
    return isinstance(value, bool) and wish.changes and bool(wish.words & (later.topic | {later.attribute}))


def _makes(wish: Wish, earlier: Statement, later: Statement) -> bool:
    """Whether the user named the difference of two amounts: a voucher of $50."""
    if not (isinstance(earlier.value, Quantity) and isinstance(later.value, Quantity)):
        return False
    numbers = earlier.value.number, later.value.number
    return None not in numbers and abs((numbers[0] or 0) - (numbers[1] or 0)) in wish.numbers


def _another(wish: Wish, one: Mention, other: Mention) -> bool:
    """Whether the user named another variant, or "the other one"."""
    if "other" in wish.said or "another" in wish.said:
        return True
    if wish.turn != other.statement.turn:
        return False
    named = wish.said & (VARIANTS | COLOURS) - (COLOURS if one.statement.kind == "money" else frozenset())
    stems = {stem(word) for word in named}
    return one.statement.kind in ("availability", "money") and bool(stems - one.near - one.asked - one.wide)


def _leaves_it_open(wish: Wish, one: Mention, other: Mention) -> bool:
    """Whether a short answer can be about what the user has just named: "it is in stock"."""
    if other.near & one.words:
        return False
    if isinstance(other.statement.value, bool):
        return not other.words
    return not other.words and (bool(wish.names) or wish.turns_to)


def _told(wish: Wish, one: Mention, other: Mention) -> bool:
    fresh = other.around - one.around
    return any(word.startswith(f"{number}/") for number in wish.numbers for word in fresh) or bool(
        wish.moments & {word.removeprefix("date ").removeprefix("time ") for word in fresh}
    )


def admits(text: str, start: int, end: int, before: int = 140) -> bool:
    """Whether a reply says, in a sentence or just before it, that something was wrong or is new."""
    return _ADMITS.search(text, max(0, start - before), end) is not None
