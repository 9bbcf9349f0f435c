"""Records and texts are flattened to facts once."""

from __future__ import annotations

from typing import Any

import pytest

from counted_calls import calls_of
from evidence_subjects import outcome
from grice.claims.fact_store import FactStore
from grice.claims.facts import Fact
from grice.claims.lexicon import Lexicon, lexicon_for


def english() -> Lexicon:
    found = lexicon_for("The board is soft.", "en")
    assert not isinstance(found, str)
    return found


def facts_of(source: Any) -> list[Fact]:
    return FactStore([("$", source)], english()).facts


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ({"a": {"b": [1, 2]}}, ["a.b: 2 items", "a.b[0]: 1", "a.b[1]: 2"]),
        ('{"a": true}', ["a: true"]),
        ({"raw": '{"a": 1}'}, ["raw.a: 1"]),
        ({"a": None}, []),
        ({"a": []}, ["a: empty"]),
        ("It is red. It is round.", ["text: It is red.", "text: It is round."]),
        ({"a": float("nan")}, []),
        ({}, []),
        ([], []),
    ],
)
def test_values_become_lines(source: Any, lines: list[str]) -> None:
    assert [fact.line for fact in facts_of(source)] == lines


@pytest.mark.parametrize(
    ("record", "dimension", "low"),
    [
        ({"weight_g": 500}, "mass", 500),
        ({"weightKg": 2}, "mass", 2000),
        ({"window_days": 1}, "time", 86400),
        ({"price": 20, "currency": "EUR"}, "money", 20),
        ({"fee_usd": 5}, "money", 5),
        ({"weight": {"value": 2, "unit": "kg"}}, "mass", 2000),
        ({"discount_pct": 15}, "percent", 15),
    ],
)
def test_the_name_of_a_field_gives_the_unit(record: Any, dimension: str, low: int) -> None:
    (fact,) = [one for one in facts_of(record) if one.quantities]
    assert (fact.quantities[0].dimension, fact.quantities[0].low) == (dimension, low)


def test_deep_and_wide_values_are_read() -> None:
    deep: Any = "red"
    for _ in range(2_000):
        deep = {"a": deep}
    assert outcome("It is red.", deep) == "pass"


def test_the_work_for_a_reply_grows_with_its_length_only() -> None:
    facts = [{"id": f"p{place}", "name": f"Board {place}", "price": place + 0.5} for place in range(50)]
    text = "Board 7 costs $7.50. It has a soft flex, and it weighs 2 kg. "
    outcome(text, facts)
    few, many = (calls_of(outcome, text * times, facts) for times in (5, 20))
    assert many < 6 * few


@pytest.mark.parametrize(
    ("text", "facts", "expected"),
    [
        ("It costs $899.", {"priceCents": 89900, "currency": "USD"}, "pass"),
        ("It costs $89,900.", {"priceCents": 89900, "currency": "USD"}, "fail"),
        ("You paid €42.50.", {"amount": -42.5, "currency": "EUR"}, "pass"),
        ("Your deductible is $500.", {"deductible": 500}, "pass"),
        ("Your deductible is $600.", {"deductible": 500}, "fail"),
        ("Parking costs $12 a night.", {"parking": {"pricePerNight": 12, "currency": "USD"}}, "pass"),
        ("Parking costs $12 a week.", {"parking": {"pricePerNight": 12, "currency": "USD"}}, "fail"),
        ("The flight takes 7 hours 45 minutes.", {"flight": {"durationMinutes": 465}}, "pass"),
        ("The flight takes 7 hours 15 minutes.", {"flight": {"durationMinutes": 465}}, "fail"),
        ("You can cancel until 48 hours before.", {"cancelUntilHoursBefore": 48}, "pass"),
        ("It has 1 TB of storage.", {"storageGb": 1024}, "pass"),
        ("It has 2 TB of storage.", {"storageGb": 1024}, "fail"),
        ("9 more seats are left.", {"seats": {"used": 18, "limit": 25}}, "fail"),
    ],
)
def test_numbers_are_read_as_programs_write_them(text: str, facts: Any, expected: str) -> None:
    assert outcome(text, facts) == expected


def test_records_are_of_one_kind_whatever_the_order_of_their_fields() -> None:
    records = [
        {"sku": "A", "title": "Aero", "id": 1, "ram_gb": 16},
        {"id": 2, "title": "Bolt", "sku": "B", "ram_gb": 8},
    ]
    assert outcome("The Aero has 16 GB of RAM.", records) == "pass"
    assert outcome("The Bolt has 16 GB of RAM.", records) == "fail"
