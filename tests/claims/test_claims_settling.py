"""A claim is held against the fact that it is about, and a value of another one is told apart."""

from __future__ import annotations

from typing import Any

import pytest
from claims_held import settled, status

NESTED = {"returns": {"clothing": "14 days", "bikes": "45 days"}}
FLAT = {"height_cm": 72, "width_cm": 40, "batteryHours": 8}
ROWS = {"orders": [{"id": "A100", "status": "shipped"}, {"id": "A101", "status": "processing"}]}
PROSE = "Clothing can be returned within 14 days of delivery. Bikes have 45 days."


@pytest.mark.parametrize(
    ("text", "facts", "expected"),
    [
        ("Clothing can be returned within 14 days.", NESTED, "supported"),
        ("Clothing can be returned within 45 days.", NESTED, "contradicted"),
        ("It is 72 cm tall.", FLAT, "supported"),
        ("It is 72 cm wide.", FLAT, "contradicted"),
        ("Order A100 is shipped.", ROWS, "supported"),
        ("Order A101 is shipped.", ROWS, "contradicted"),
        ("You can return clothing within 14 days.", PROSE, "supported"),
        ("You can return clothing within 45 days.", PROSE, "contradicted"),
        ("You can return clothing within 90 days.", NESTED, "contradicted"),
        ("It weighs 3 kg.", FLAT, "unsupported"),
    ],
)
def test_values_are_bound_to_their_fields(text: str, facts: Any, expected: str) -> None:
    assert status(text, facts) == expected


def test_the_reason_says_where_a_swapped_value_stands() -> None:
    (found,) = settled("Clothing can be returned within 45 days.", NESTED)
    assert found.reason == "'45 days' is returns.bikes; returns.clothing: 14 days"


def test_one_of_several_rows_is_ambiguous() -> None:
    desks = [{"name": "Oak Desk", "price_usd": 349}, {"name": "Nordic Desk", "price_usd": 199}]
    assert status("It costs $349.", desks) == "ambiguous"
    assert status("The Oak Desk costs $349.", desks) == "supported"
    assert status("The Nordic Desk costs $349.", desks) == "contradicted"


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({"window_days": {"bikes": 45}}, "supported"),
        ({"bikes": {"window_days": "45"}}, "supported"),
        ({"bikes": {"window": "6 weeks"}}, "contradicted"),
    ],
)
def test_units_come_from_names(facts: Any, expected: str) -> None:
    assert status("Bikes have a window of 45 days.", facts) == expected


def test_a_code_of_a_kind_that_facts_have_is_looked_up() -> None:
    flights = [
        {"flight_number": "HAT136", "departs": "19:00"},
        {"flight_number": "HAT218", "departs": "18:00"},
    ]
    assert status("HAT136 leaves at 7 pm.", flights) == "supported"
    assert status("HAT999 leaves at 7 pm.", flights) == "unsupported"


def test_amounts_are_counted_up() -> None:
    assert status("Three jars cost $36.", {"jar": {"price_usd": 12}}) == "supported"
    assert status("Three jars cost $37.", {"jar": {"price_usd": 12}}) == "contradicted"
