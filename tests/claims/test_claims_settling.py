"""A claim is held against the fact that it is about, and a value of another one is told apart."""

from __future__ import annotations

from typing import Any

import pytest
from claims_settled import english, settled, status

from grice.claims.fact_store import FactStore
from grice.claims.passage_parsing import parse_passage
from grice.claims.settling import settle

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


def test_sums_and_shares_follow_from_facts() -> None:
    claims = {"items": [{"name": "rug", "claimed_eur": 350}, {"name": "shelf", "claimed_eur": 240}]}
    assert status("You claimed €590 in all.", claims) == "supported"
    assert status("You claimed €600 in all.", claims) == "contradicted"


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
        ("Your alarm is on.", {"heating_state": "on", "alarm_state": "off"}, "contradicted"),
    ],
)
def test_values_in_words_meet_values_in_fields(text: str, facts: Any, expected: str) -> None:
    assert status(text, facts) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Breakfast is included in every rate.", "supported"),
        ("Parking is included in every rate.", "contradicted"),
        ("Dr. Hale sees patients on Thursdays.", "supported"),
        ("Dr. Hale sees patients on Tuesdays.", "contradicted"),
        ("It opens at 9 am.", "supported"),
    ],
)
def test_a_sentence_speaks_of_its_subject(text: str, expected: str) -> None:
    prose = (
        "Breakfast is included in every rate. Parking is charged extra. It opens at 9 am. "
        "Dr. Novak sees patients on Tuesdays. Dr. Hale sees patients on Thursdays."
    )
    assert status(text, prose) == expected


def test_values_describe_the_row_that_is_meant() -> None:
    variants = {
        "variants": [{"colour": "navy", "size": "M", "stock": 0}, {"colour": "navy", "size": "L", "stock": 6}]
    }
    assert status("Navy in size M is sold out.", variants) == "supported"
    assert status("Navy in size M is in stock.", variants) == "contradicted"


def test_the_sentence_before_tells_which_section_is_meant() -> None:
    plants = {
        "lavender": {"spacing_cm": 30, "height_cm": 60},
        "rosemary": {"spacing_cm": 75, "height_cm": 120},
    }
    found = settled("Lavender grows 60 cm high. The spacing is 75 cm.", {"plants": plants})
    assert [one.status for one in found] == ["supported", "contradicted"]


def test_what_a_later_call_told_counts_before_what_an_earlier_one_did() -> None:
    told = [("check#1", {"room": "Oak", "price_usd": 90}), ("check#2", {"room": "Oak", "price_usd": 120})]
    (found,) = settle(parse_passage("The room is $120.", english()), FactStore(told, english()))
    assert found.status == "supported"


def test_a_word_is_swapped_between_fields_of_one_source_only() -> None:
    told = [("balance#1", {"owner": "Kim", "state": "frozen"}), ("trivia#1", {"state": "open"})]
    (found,) = settle(parse_passage("The account is frozen.", english()), FactStore(told, english()))
    assert found.status != "contradicted"


def test_a_bare_number_supports_no_measure() -> None:
    assert (
        status("A refund takes 5 to 7 business days.", {"reservations": [1, 2, 3, 4, 5, 6, 7]})
        == "unsupported"
    )


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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Aero is the cheapest.", "supported"),
        ("Aero isn't the cheapest.", "contradicted"),
        ("Bolt isn't the cheapest.", "supported"),
        ("Bolt isn't cheaper than Aero.", "supported"),
        ("Aero isn't cheaper than Bolt.", "contradicted"),
    ],
)
def test_what_is_denied_ranks_the_other_way(text: str, expected: str) -> None:
    assert status(text, [{"name": "Aero", "price_usd": 10}, {"name": "Bolt", "price_usd": 20}]) == expected


def test_a_value_that_is_denied_is_judged_the_other_way() -> None:
    (found,) = settled("The price isn't $299.", {"price_usd": 299})
    assert found.status == "contradicted"
    assert found.reason == "'$299': denied, but price_usd: 299"
    assert status("The price isn't $500.", {"price_usd": 299}) == "supported"


def test_a_field_that_is_named_in_full_is_not_computed_away() -> None:
    refund = {"refund_usd": 50, "items": [{"price_usd": 100}, {"price_usd": 200}]}
    assert status("The refund is $300.", refund) == "contradicted"


def test_a_field_whose_value_nobody_knows_says_nothing() -> None:
    assert status("It is waterproof.", {"waterproof": "unknown"}) == "unsupported"
    assert status("It is waterproof.", {"waterproof": "yes"}) == "supported"


def test_a_state_of_one_row_of_several_is_ambiguous() -> None:
    orders = [{"id": "A1", "status": "shipped"}, {"id": "A2", "status": "pending"}]
    assert status("Your order is shipped.", orders) == "ambiguous"
    assert status("Order A1 is shipped.", orders) == "supported"
    rooms = [{"room": "Oak", "pets_allowed": True}, {"room": "Elm", "pets_allowed": False}]
    assert status("Pets are allowed.", rooms) == "ambiguous"


def test_open_until_is_when_it_closes() -> None:
    assert status("We're open until 6 pm.", {"opens": "9:00", "closes": "18:00"}) == "supported"
