"""A claim is held against the fact that it is about, and a value of another one is told apart."""

from __future__ import annotations

from typing import Any

import pytest
from claims_settled import settled, status

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
        ("It is 72 cm tall and 40 cm wide.", FLAT, "supported"),
        ("It is 40 cm tall and 72 cm wide.", FLAT, "contradicted"),
        ("It is 60 cm wide.", {"width": 40, "height": 60}, "contradicted"),
        ("It is 60 cm tall.", {"width": 40, "height": 60}, "supported"),
        ("It is 60 cm wide.", {"width": 40, "height": 70}, "unsupported"),  # 40 of what?
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
    assert found.reason == "'45 days': that is returns.bikes, and returns.clothing: 14 days"


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


@pytest.mark.parametrize(
    ("text", "facts", "expected"),
    [
        ("Electric motor", {"motor": True}, "supported"),
        ("Electric motor", {"motor": False}, "contradicted"),
        ("Electric motor", {"saddle": True}, "unsupported"),
        ("Gold-plated titanium motor", {"motor": True}, "unsupported"),
        ("A Michelin star", {"rating": 4.7}, "unsupported"),
    ],
)
def test_a_yes_carries_a_word_that_describes_it(text: str, facts: Any, expected: str) -> None:
    assert status(text, facts) == expected


def test_a_code_of_a_kind_that_facts_have_is_looked_up() -> None:
    flights = [
        {"flight_number": "HAT136", "departs": "19:00"},
        {"flight_number": "HAT218", "departs": "18:00"},
    ]
    assert status("HAT136 leaves at 7 pm.", flights) == "supported"
    assert status("HAT999 leaves at 7 pm.", flights) == "unsupported"


@pytest.mark.parametrize(
    ("text", "facts", "expected"),
    [
        ("We open at half past nine.", {"opens": "09:30", "closes": "17:00"}, "supported"),
        ("We open at five in the afternoon.", {"opens": "09:30", "closes": "17:00"}, "contradicted"),
        ("The pitch is €22 a night.", {"pitch": {"eur_night": 22}}, "supported"),
        ("It runs for 22 hours.", {"runs_h_anc_on": 22, "runs_h_anc_off": 35}, "supported"),
        ("It stays warm for half an hour.", {"stay_warm_min": 30}, "supported"),
        ("The pickup is in 10 minutes.", {"MinutesTillPickup": 10}, "supported"),
        ("The water has 27 degrees.", {"water_temp_c": 27}, "supported"),
        ("Your jumper is a size M.", {"jumper": {"size": "L"}, "shirt": {"size": "M"}}, "contradicted"),
    ],
)
def test_values_in_words_meet_values_in_fields(text: str, facts: Any, expected: str) -> None:
    assert status(text, facts) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Breakfast is included in every rate.", "supported"),
        ("Dr. Hale sees patients on Thursdays.", "supported"),
        ("It opens at 9 am.", "supported"),
    ],
)
def test_a_sentence_speaks_of_its_subject(text: str, expected: str) -> None:
    prose = (
        "Breakfast is included in every rate. Parking is charged extra. It opens at 9 am. "
        "Dr. Novak sees patients on Tuesdays. Dr. Hale sees patients on Thursdays."
    )
    assert status(text, prose) == expected


@pytest.mark.parametrize(
    ("text", "facts", "expected"),
    [
        ("The desk is 75 cm wide and 120 cm high.", {"width_cm": 75, "height_cm": 120}, "supported"),
        ("The desk is 120 cm wide and 75 cm high.", {"width_cm": 75, "height_cm": 120}, "contradicted"),
        (
            "Adults pay 10 euros and children pay 25.",
            "Adults pay 25 euros. Children pay 10 euros.",
            "contradicted",
        ),
    ],
)
def test_two_values_that_change_places_are_told_apart(text: str, facts: Any, expected: str) -> None:
    assert status(text, facts) == expected


def test_a_value_that_is_denied_is_judged_the_other_way() -> None:
    (found,) = settled("The price isn't $299.", {"price_usd": 299})
    assert found.status == "contradicted"
    assert found.reason == "'$299', but price_usd: 299"
    assert status("The price isn't $500.", {"price_usd": 299}) == "supported"


def test_a_field_that_is_named_in_full_is_not_computed_away() -> None:
    refund = {"refund_usd": 50, "items": [{"price_usd": 100}, {"price_usd": 200}]}
    assert status("The refund is $300.", refund) == "contradicted"


def test_a_field_whose_value_nobody_knows_says_nothing() -> None:
    assert status("It is waterproof.", {"waterproof": "unknown"}) == "unsupported"
    assert status("It is waterproof.", {"waterproof": "yes"}) == "supported"


def test_open_until_is_when_it_closes() -> None:
    assert status("We're open until 6 pm.", {"opens": "9:00", "closes": "18:00"}) == "supported"


def test_a_bare_number_supports_a_measure_that_names_its_field() -> None:
    assert status("The trip takes 5 hours.", {"reservations": [4, 5]}) == "unsupported"
    assert status("The trip takes 5 hours.", {"trip": 5}) == "supported"


def test_what_is_said_of_another_record_is_contradicted() -> None:
    assert status("The Oak Desk is shipped.", ROWS) != "contradicted"
    assert status("Order A101 is shipped.", ROWS) == "contradicted"
