"""Drivers: the properties by which one product is better than another."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Annotated, Any, Literal

from msgspec import Meta

from grice.matching.argument_types import Text
from grice.text.quantities import quantities

Direction = Literal["higher", "lower"]
Drivers = Mapping[Text, Direction | Annotated[Sequence[str], Meta(min_length=2)]]
"""For each property which way is better: more of it, less of it, or its values from worst to best."""

_INSIDE = ("attributes", "specs", "specifications", "properties")
_NUMBER = re.compile(r"[-\u2212]?\d[\d,]*(?:\.\d+)?")
_Rank = tuple[str, Decimal]
"""What is measured ("mass"; "" without a unit), and how good the value is, more being better."""


def beaten(
    product: Mapping[str, Any], rivals: Sequence[Mapping[str, Any]], drivers: Drivers
) -> tuple[list[str], list[str]]:
    """The drivers in which the product beats every rival, and those of which nobody knows the values.

    Values with units are compared by their units: 900 g is less than 1.2 kg.
    """
    better: list[str] = []
    unknown: list[str] = []
    for name, direction in drivers.items():
        mine = _rank(_value(product, name), direction)
        theirs = [rank for rival in rivals if (rank := _rank(_value(rival, name), direction)) is not None]
        if mine is None or not theirs or any(kind != mine[0] for kind, _ in theirs):
            unknown.append(name)
        elif all(mine > one for one in theirs):
            better.append(name)
    return better, unknown


def _value(product: Mapping[str, Any], name: str) -> Any:
    found = _at(product, name)
    for inside in _INSIDE:
        part = product.get(inside)
        if found is None and isinstance(part, Mapping):
            found = _at(part, name)
    return found


def _at(value: Any, name: str) -> Any:
    if isinstance(value, Mapping) and name in value:
        return value[name]
    for step in name.split("."):
        value = value.get(step) if isinstance(value, Mapping) else None
    return value


def _rank(value: Any, direction: Direction | Sequence[str]) -> _Rank | None:
    """How good a value is; None for one that cannot be compared."""
    if not isinstance(direction, str):
        order = [one.casefold() for one in direction]
        key = value.strip().casefold().replace("_", " ") if isinstance(value, str) else ""
        places = [place for place, one in enumerate(order) if one.replace("_", " ") == key]
        return ("", Decimal(places[0])) if places else None
    measured = _measured(value)
    if measured is None or direction == "higher":
        return measured
    return measured[0], -measured[1]


def _measured(value: Any) -> _Rank | None:
    if isinstance(value, bool):
        return "", Decimal(int(value))
    if isinstance(value, int | float):
        number = Decimal(str(value))
        return ("", number) if number.is_finite() else None
    if not isinstance(value, str) or len(value) > 200:
        return None
    first = next(iter(quantities(value)), None)
    if first is not None and first.dimension != "name" and first.number is not None:
        kind = first.unit if first.dimension == "money" else first.dimension
        return ("" if kind == "rating" else kind), first.number  # 4.8 stars, or a bare 4.8
    found = _NUMBER.search(value)
    return ("", Decimal(found[0].replace(",", "").replace("\u2212", "-"))) if found else None
