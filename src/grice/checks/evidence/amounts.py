"""Numbers and dates of a claim, held against those of the facts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal

import msgspec

from grice.checks.evidence.findings import Atom
from grice.checks.evidence.scene import Scene
from grice.checks.evidence.sheet import Fact
from grice.text.quantities import Quantity, same_quantity
from grice.text.times import Moment
from grice.text.words import stem, words

__all__ = ["for_all", "is_measure", "weigh_moment", "weigh_quantity"]

NEAR, FAR = 2, 1
"""What a shared word counts in the same clause, and in the same sentence."""


def weigh_quantity(one: Quantity, near: Iterable[str], scene: Scene) -> Atom:
    """Whether a quantity is that of a fact.

    Of the facts that measure the same, those whose name shares words with what stands around the quantity
    decide: one that agrees supports it; where none of them does, they speak against it.
    """
    said = scene.text[one.start : one.end]
    if one.comparison == "<=" and said.casefold().startswith(tuple(scene.lexicon.tight)):
        one = msgspec.structs.replace(one, low=one.high, comparison="")  # "up to 12 hours" says twelve
    own = {stem(word.text, scene.lexicon.pack) for word in words(said)}
    stems = frozenset(near) - own
    scene = msgspec.structs.replace(scene, stems=scene.stems - own, topic=scene.topic - own)
    agreeing, (best, opposed) = _nearest(one, said, stems, scene)
    if agreeing is not None and scene.strict and not agreeing[0] and _is_elsewhere(agreeing[1], scene):
        return Atom("unsupported", said, one.start, one.end, note=f"only {agreeing[1].line} has it")
    if agreeing is not None and scene.strict and agreeing[0] < best and _is_elsewhere(agreeing[1], scene):
        return Atom("contradicted", said, one.start, one.end, opposed)
    if agreeing is not None and (agreeing[0] or best < NEAR or scene.is_prose):
        return Atom("supported", said, one.start, one.end, agreeing[1])
    named = None if agreeing or is_measure(one.dimension) else _as_word(said, scene, one)
    if named is not None and scene.strict and best > NEAR and _is_elsewhere(named, scene):
        named = None  # the field that is spoken of has another number
    if named is not None:
        return Atom("supported", said, one.start, one.end, named)
    cued = (stems if scene.strict else stems | scene.stems) & scene.lexicon.derived
    wide = scene if scene.strict else msgspec.structs.replace(scene, hidden=frozenset())
    if (cued and _is_computed(one, wide)) or (one.dimension == "time" and _is_between(one, wide)):
        return Atom("supported", said, one.start, one.end, opposed, note="computed from other numbers")
    if best < NEAR and _is_tally(one, scene):
        return Atom("supported", said, one.start, one.end, note="counted the records")
    if best >= NEAR:
        return Atom("contradicted", said, one.start, one.end, opposed)
    return Atom("unsupported", said, one.start, one.end, opposed)


def _nearest(
    one: Quantity, said: str, stems: frozenset[str], scene: Scene
) -> tuple[tuple[int, Fact] | None, tuple[int, Fact | None]]:
    """The fact that agrees with a quantity and the one that does not, of each kind that whose name shares
    most with what stands around the quantity, with how much that is.
    """
    best: int = 0
    opposed: Fact | None = None
    agreeing: tuple[int, Fact] | None = None
    noun = _noun(one, scene)
    for fact in scene.numeric(one.dimension):
        agrees = _agrees(one, fact, said, scene)
        if agrees is None:
            continue
        weight = _overlap(fact, stems, scene, noun)
        if agrees and (weight or not fact.size) and (agreeing is None or weight > agreeing[0]):
            agreeing = (weight, fact)
        elif not agrees and weight > best and not fact.size:
            best, opposed = weight, fact
    return agreeing, (best, opposed)


def _is_tally(one: Quantity, scene: Scene) -> bool:
    """Whether a count is that of the records of a kind, or of those that say what is counted."""
    if one.low is None or one.low != one.high or one.comparison or is_measure(one.dimension):
        return False
    noun, sheet = _noun(one, scene), scene.sheet
    before = scene.text[max(0, one.start - MAX_BEFORE) : one.start].rstrip().casefold()
    every = not noun or noun in scene.lexicon.frame or noun in sheet.heads or before.endswith("all")
    every = every or not (scene.focus or noun in sheet.by_word or noun in sheet.by_key)
    having: dict[str, set[int]] = {}
    if every:
        for place, record in enumerate(sheet.records):
            having.setdefault(record.group, set()).add(place)
    for place in sheet.by_word.get(noun, ()):
        for number in sheet.facts[place].records:
            having.setdefault(sheet.records[number].group, set()).add(number)
    return any(len(records) > 1 and len(records) == one.low for records in having.values())


def for_all(atom: Atom, one: Quantity, scene: Scene) -> Atom:
    """What becomes of an amount that is said of all records, not of one: "both are under $300"."""
    fact = atom.fact
    if atom.status != "supported" or fact is None or not fact.records or _is_end(one, scene):
        return atom
    group = scene.sheet.records[fact.records[-1]].group
    for other in scene.numeric(one.dimension):
        beside = other.records and scene.sheet.records[other.records[-1]].group == group
        if beside and other.leaf == fact.leaf and _agrees(one, other, atom.said, scene) is False:
            return msgspec.structs.replace(atom, status="contradicted", fact=other)
    return atom


def _is_computed(one: Quantity, scene: Scene) -> bool:
    if one.dimension == "money":
        return _is_derived(one, scene)
    return _is_combined(one, scene) if is_measure(one.dimension) else _is_left(one, scene)


def _is_combined(one: Quantity, scene: Scene) -> bool:
    """Whether a measure is the sum or difference of two that facts have: 650 g lighter."""
    if one.low is None or one.low != one.high or scene.strict:
        return False
    known = {
        other.low
        for fact in scene.numeric(one.dimension)[:MAX_AMOUNTS]
        for other in fact.quantities
        if other.dimension == one.dimension and other.low is not None and other.low == other.high
    }
    return any(one.low - other in known or one.low + other in known for other in known)


MINUTE, HOUR, DAY = 60, 3_600, 86_400


def _is_between(one: Quantity, scene: Scene) -> bool:
    """Whether a duration is the time between two clock times, or two dates, of facts."""
    if one.low is None or one.low != one.high or scene.strict:
        return False
    found = [moment for fact in scene.dated()[:MAX_DATED] for moment in fact.moments]
    clock = {
        moment.hour * HOUR + (moment.minute or 0) * MINUTE for moment in found if moment.hour is not None
    }
    days = {moment.day * DAY for moment in found if moment.day is not None and moment.month == found[0].month}
    return any(two + int(one.low) in times for times in (clock, days) for two in times)


MAX_DATED = 40


def _is_elsewhere(fact: Fact, scene: Scene) -> bool:
    """Whether a fact is of another section than the one that the sentence names."""
    section = _section(fact)
    named = {_section(one) for stem_ in scene.topic for one in scene.called(stem_)}
    return bool(section and named) and section not in named


def _section(fact: Fact) -> str:
    """The first name on the path of a fact that lies deeper."""
    names = fact.path.removeprefix("$").lstrip(".").split(".")
    return names[0] if len(names) > 1 else ""


MAX_AMOUNTS = 200
MAX_TIMES = 10
MULTIPLES = (*range(2, MAX_TIMES), 12)
"""How many of a thing are counted up in the head, and the months of a year."""


def _is_derived(one: Quantity, scene: Scene) -> bool:
    """Whether an amount is a sum or difference of two others, a multiple of one, or the sum of all
    said before it.
    """
    if one.low is None or one.low != one.high:
        return False
    amounts = [
        other.low
        for fact in scene.numeric()
        for other in fact.quantities
        if other.dimension == "money" and other.low is not None
    ]
    amounts += [
        abs(fact.number)
        for fact in scene.numeric()
        if fact.number is not None and not fact.quantities and not fact.size
    ]
    before = [amount for place, amount in scene.said if place < one.start]
    known = set(amounts[:MAX_AMOUNTS]) | set(before)
    if any(one.low - amount in known or one.low + amount in known for amount in known):
        return True
    if any(amount and one.low == amount * times for amount in known for times in MULTIPLES):
        return True
    return any(sum(before[start:]) == one.low for start in range(len(before)))


def _is_left(one: Quantity, scene: Scene) -> bool:
    """Whether a count is the difference of two numbers that stand side by side: 18 of 25, 7 left."""
    if one.low is None or one.low != one.high or is_measure(one.dimension):
        return False
    beside: dict[str, list[Decimal]] = {}
    for fact in scene.numeric():
        if (
            fact.number is not None
            and not fact.size
            and not any(q.dimension == "money" for q in fact.quantities)
        ):
            beside.setdefault(fact.path.rpartition(".")[0], []).append(fact.number)
    return any(
        one.low == abs(mine - theirs)
        for numbers in beside.values()
        for place, mine in enumerate(numbers[:MAX_TIMES])
        for theirs in numbers[place + 1 : MAX_TIMES]
    )


def weigh_moment(one: Moment, scene: Scene) -> Atom:
    """Whether a date or time is that of a fact."""
    said = scene.text[one.start : one.end]
    for fact in scene.dated():
        if any(one.agrees_with(other) for other in fact.moments):
            return Atom("supported", said, one.start, one.end, fact)
    agreeing = _as_word(said, scene)
    if agreeing is not None:
        return Atom("supported", said, one.start, one.end, agreeing)
    return Atom("unsupported", said, one.start, one.end)


def is_measure(dimension: str) -> bool:
    """Whether a quantity of the dimension measures something, where others count."""
    return dimension in _MEASURES


_MEASURES = frozenset(
    [
        "money",
        "time",
        "length",
        "mass",
        "volume",
        "temperature",
        "data",
        "percent",
        "power",
        "energy",
        "speed",
        "area",
    ]
)


def _agrees(one: Quantity, fact: Fact, said: str, scene: Scene) -> bool | None:
    """Whether a quantity is that of a fact; None when they do not measure the same."""
    found: bool | None = None
    ends = _is_end(one, scene)
    limit = not scene.lexicon.thresholds.isdisjoint(fact.raw)
    for other in fact.quantities:
        same = _same(one, other, said, limit=limit)
        if same or (ends and other.dimension == one.dimension and one.low in (other.low, other.high)):
            return True
        found = found if same is None else False
    if found is None and limit and one.comparison and not fact.keys.isdisjoint(scene.lexicon.gratis):
        return _is_free_from(one, fact)
    if found is not None or fact.number is None:
        return found
    if one.dimension == "money" and fact.leaf & scene.lexicon.money and not fact.quantities:
        return _holds(one, abs(fact.number))
    if one.dimension == "money" and not fact.quantities and not fact.size and fact.keys & scene.topic:
        if limit:
            return abs(fact.number) in _bounds(one)  # free_over: 75
        return _holds(one, abs(fact.number)) or None  # deductible: 500
    if any(other.dimension for other in fact.quantities) or one.dimension in ("money", "percent"):
        return True if not one.dimension and _holds(one, fact.number) else None  # "40 hours, the other 30"
    holds = _holds(one, fact.number)
    return holds if holds or not one.dimension or _noun(one, scene) in fact.keys else None


def _is_free_from(one: Quantity, fact: Fact) -> bool | None:
    """Whether a bound without a currency, or with one, is that from which on something is free."""
    if is_measure(one.dimension) and one.dimension != "money":
        return None
    known = {side for other in fact.quantities if other.dimension == "money" for side in _bounds(other)}
    known |= {abs(fact.number)} if fact.number is not None else set()
    return not known.isdisjoint(_bounds(one)) if known else None


def _is_end(one: Quantity, scene: Scene) -> bool:
    """Whether a number is said to be the end of a range: within 5 days."""
    if one.low is None or one.low != one.high:
        return False
    before = scene.text[max(0, one.start - MAX_BEFORE) : one.start].rstrip().casefold()
    return before.endswith(scene.lexicon.bounding)


MAX_BEFORE = 20


def _noun(one: Quantity, scene: Scene) -> str:
    """The stem of what is counted."""
    return stem(one.dimension.split()[-1], scene.lexicon.pack) if one.dimension.strip() else ""


def _same(one: Quantity, other: Quantity, said: str, *, limit: bool) -> bool | None:
    """Whether a claimed quantity is one of a fact; `limit` says that the fact is the name of a bound."""
    if one.dimension == other.dimension == "money" and not (one.unit and other.unit):
        one, other = (msgspec.structs.replace(each, unit=one.unit or other.unit) for each in (one, other))
    if one.dimension == other.dimension and (one.comparison or other.comparison):
        settled = _by_bound(one, other, limit=limit)
        if settled is not None:
            return settled
    if limit and one.low != one.high and one.dimension == other.dimension and other.low == other.high:
        return other.low in (one.low, one.high) or None  # 2 to 4 days: days_min is 2, days_max is 4
    if one.dimension == other.dimension == "data" and one.unit != other.unit and _near(one, other, BINARY):
        return True
    same = same_quantity(one, other)
    return _rounds_to(one, other, said) if same is False and one.dimension != "money" else same


BINARY = Decimal("0.05")
"""How far a terabyte of 1000 gigabytes is from one of 1024, and a gigabyte in megabytes, at most."""


def _near(one: Quantity, other: Quantity, share: Decimal) -> bool:
    if one.low is None or other.low is None or one.low != one.high or not other.low:
        return False
    return abs(one.low - other.low) <= abs(other.low) * share


def _by_bound(one: Quantity, other: Quantity, *, limit: bool) -> bool | None:
    """Whether two quantities agree where one is a bound; None where their numbers decide.

    "Orders over $50" is what `free_shipping_over: 50` says; "under $300" is not what `price: 300` says.
    """
    if _bounds(one) == _bounds(other):
        return True if limit or other.comparison or one.comparison in ("<=", ">=") else None
    if other.comparison:
        return False if one.comparison else same_quantity(other, one)
    return False if limit else None


def _bounds(one: Quantity) -> frozenset[Decimal]:
    return frozenset(side for side in (one.low, one.high) if side is not None)


def _holds(one: Quantity, number: Decimal) -> bool:
    """Whether a bare number satisfies a quantity."""
    if one.low is not None and one.low == one.high and not one.comparison:
        return one.low == number
    low = one.low is None or (number > one.low if one.comparison == ">" else number >= one.low)
    high = one.high is None or (number < one.high if one.comparison == "<" else number <= one.high)
    return low and high


def _rounds_to(one: Quantity, other: Quantity, said: str) -> bool:
    """Whether a quantity is another one, rounded to the decimals that it shows (2.5 kg for 2460 g)."""
    if one.low is None or one.low != one.high or other.low is None or other.low != other.high or not one.low:
        return False
    digits = sum(character.isdigit() for character in said)
    return (
        digits > 1
        and abs(one.low - other.low) / abs(one.low) <= Decimal("0.5") / Decimal(10) ** (digits - 1) / 10 * 9
    )


def _overlap(fact: Fact, stems: frozenset[str], scene: Scene, noun: str) -> int:
    """How much of what stands around a quantity the fact is about."""
    names = fact.keys | fact.words if fact.prose else fact.keys
    weight = NEAR * len(names & stems) + FAR * len(names & (scene.topic - stems))
    return weight + NEAR * 2 if noun and noun in names else weight


def _counts(fact: Fact, one: Quantity | None) -> bool:
    return (
        one is not None
        and bool(one.dimension)
        and any(other.dimension == one.dimension for other in fact.quantities)
    )


def _as_word(said: str, scene: Scene, counted: Quantity | None = None) -> Fact | None:
    """A fact that holds the number as a word, as in the name of a product or a flight, and does not count
    the same with it.
    """
    found: Sequence[str] = [word.text for word in words(said) if any(one.isdigit() for one in word.text)]
    if counted is not None and counted.low is not None and counted.low == counted.high:
        times = next((fact for fact in scene.saying(f"{counted.low:f}x")), None)  # 2x USB-C
        if times is not None:
            return times
    facts = [
        [fact for fact in scene.saying(one) if fact.number is None and not _counts(fact, counted)]
        for one in found
    ]
    return facts[0][0] if facts and all(facts) else None
