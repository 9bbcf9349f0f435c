"""Factual contradictions: how a value finds its attribute and its subject, and what excuses a new one."""

from __future__ import annotations

from typing import Any

import pytest

from counted_calls import calls_of
from grice.checks.contradiction.factual_contradiction import factual_contradictions
from grice.records import Conversation, Message, ToolCall, Turn


def talk(*messages: str) -> list[dict[str, Any]]:
    """Messages of a user and an assistant, in turn."""
    return [
        {"role": "assistant" if place % 2 else "user", "content": text} for place, text in enumerate(messages)
    ]


def told(result: object, reply: str, tool: str = "get_record", **arguments: object) -> Conversation:
    """A reply behind the result of a tool."""
    call = ToolCall(tool, arguments, result=result)  # type: ignore[arg-type]
    return Conversation(turns=(Turn(1, (Message("user", "Well?"), Message("assistant", reply)), (call,)),))


@pytest.mark.parametrize(
    ("first", "second", "attribute"),
    [
        ("AB 12 goes from gate D4.", "Your flight AB 12 leaves at 17:05 from gate E9.", "gate"),
        ("- Check-out: by 10:00\n- Pets: no", "You can stay until check-out closes at 12:00.", "checkout"),
        ("You have 3 weeks to send it back.", "The return period is 10 days from delivery.", "return"),
        ("There is no booking fee.", "A booking fee of $4 is added.", "fee"),
        ("You're on the Silver plan.", "As you are on the Gold plan, you may call us.", "plan"),
        ("The van seats 7.", "With the bags the van seats 5.", "seats"),
        ("Your card has a range of 30 km.", "Your card has a range of 50 km.", "range"),
        ("The lodge was built in 1954.", "The lodge was built in 1962.", "built"),
        ("The lift is switched off.", "The lift is switched on.", "enabled"),
    ],
)
def test_an_attribute_is_found_in_any_place_of_a_sentence(first: str, second: str, attribute: str) -> None:
    (found,) = factual_contradictions(talk("Hi", first, "Thanks!", second))
    assert found.later.attribute == attribute


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The small crate weighs 4 kg.", "The large crate weighs 9 kg."),
        ("The cleaning fee is $40.", "The booking fee is $15."),
        ("The 9:15 train arrives at 11:00.", "The 10:15 train arrives at 12:00."),
        ("The Alpha bike costs $900.", "The Beta bike costs $700."),
        ("A room for 2 people costs $90.", "A room for 4 people costs $150."),
        ("On Monday we open at 9:00.", "On Sunday we open at 11:00."),
        ("Your certificate has $80.", "The mug is $12, so $68 is left on your certificate."),
        ("The Solo plan includes 2 projects.", "There is also Crew, which includes 40 projects."),
        ("The hall is open on Friday.", "The hall is closed on Saturday."),
        ("Not all rooms have a view.", "All rooms have a view of something."),
        ("Outgoing: 3 May 2026", "Return: 9 May 2026"),
    ],
)
def test_what_tells_things_apart_keeps_their_values_apart(first: str, second: str) -> None:
    assert factual_contradictions(talk("Hi", first, "Thanks!", second)) == ()
    assert factual_contradictions(talk("Hi", f"{first} {second}")) == ()


@pytest.mark.parametrize(
    ("user", "excused"),
    [
        ("Thanks. Is there a lounge nearby?", False),
        ("Great, I'll tell my wife. And where can I park?", False),
        ("Summarise it, please.", False),
        ("What does it cost with the oak legs?", True),
        ("Make it two, please.", True),
        ("I have a voucher of $20.", True),
    ],
)
def test_the_user_excuses_only_what_the_message_changes(user: str, excused: bool) -> None:
    second = "The Tavo table with the oak legs costs $320." if "oak" in user else "The Tavo table costs $320."
    found = factual_contradictions(talk("Hi", "The Tavo table costs $300.", user, second))
    assert (found == ()) is excused


def test_a_call_excuses_only_what_it_touches() -> None:
    first = Turn(1, (Message("user", "Hi"), Message("assistant", "Your appointment is on Tuesday at 9:15.")))
    later = (Message("user", "Is there a lift?"), Message("assistant", "Yes. See you on Tuesday at 10:45!"))
    note = ToolCall("add_note", {"note": "needs the lift"}, result={"ok": True})
    moved = ToolCall("update_booking", {"time": "10:45"}, result={"time": "10:45"})
    assert len(factual_contradictions(Conversation(turns=(first, Turn(2, later, (note,)))))) == 1
    assert factual_contradictions(Conversation(turns=(first, Turn(2, later, (moved,))))) == ()


@pytest.mark.parametrize(
    ("result", "reply", "path"),
    [
        ({"total": 31}, "You have 26 invoices.", "list_invoices#1.total"),
        (
            {"plan": "pro", "per": "year", "price": 149},
            "The Pro plan is $119 per year.",
            "list_invoices#1.price",
        ),
        ({"two_step": False}, "Two-step login is switched on.", "list_invoices#1.two_step"),
        ({"ref": "K7", "status": "cancelled"}, "Your booking K7 is confirmed.", "list_invoices#1.status"),
        ({"status": "processing"}, "Your order has been delivered.", "list_invoices#1.status"),
        (
            {"sick_days": 3, "vacation_days": 9},
            "You have 14 vacation days left.",
            "list_invoices#1.vacation_days",
        ),
    ],
)
def test_a_field_is_found_by_its_name_the_tool_and_the_arguments(
    result: object, reply: str, path: str
) -> None:
    (found,) = factual_contradictions(told(result, reply, "list_invoices"))
    assert found.earlier.path == path


@pytest.mark.parametrize(
    ("result", "reply"),
    [
        ({"total_baggages": 0}, "The total is $325."),
        ({"price": 74}, "I can offer a $30 certificate."),
        ({"offers": [{"price": 74}, {"price": 90}]}, "The price is $80."),
        ({"insurance": "yes"}, "The insurance is non-refundable."),
        ({"total": 31}, "You have 31 invoices, and 3 of them are open."),
        ({"price": 84}, "The Pro plan is about $85."),
    ],
)
def test_a_value_that_fits_no_field_alone_is_held_against_none(result: object, reply: str) -> None:
    assert factual_contradictions(told(result, reply)) == ()


def test_the_cells_of_a_table_have_the_names_of_row_and_column() -> None:
    table = "| | Rova 3 | Rova 5 |\n|---|---|---|\n| Warranty | 2 years | 3 years |"
    (found,) = factual_contradictions(talk("Hi", "The Rova 5 has a six-year warranty.", "Compare", table))
    assert found.later.value == "3 years"
    assert factual_contradictions(talk("Hi", "The Rova 5 has a three-year warranty.", "Compare", table)) == ()


@pytest.mark.slow
def test_the_work_for_a_long_list_grows_with_its_length_only() -> None:
    def read(count: int) -> None:
        lines = (f"- Offer {number}: ${number}, from gate A{number}, at 9:00" for number in range(count))
        assert factual_contradictions(talk("Hi", "\n".join(lines))) == ()

    read(1)
    few, many = (calls_of(read, count) for count in (15, 60))
    assert many < 6 * few


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The Fox tent sleeps four people.", "Just note the Fox tent sleeps three people."),
        ("Delivery is free in the city.", "Done. The delivery fee is \u20ac3.90."),
        ("You're in seat 21F, by the window.", "The meal will be served at your seat 12F."),
        ("Your appointment with Dr. Osei is on 6 May at 10:20.", "See you on 7 May at 10:20!"),
        ("The deposit for the kayak is \u00a360.", "Please bring the \u00a345 deposit for the kayak."),
        ("Your appointment is with Dr. Patel.", "Your appointment is with Dr. Lee."),
        ("The library is open until 8 PM today.", "Sorry, the library closes at 6 PM today."),
        ("We deliver Monday to Saturday.", "I'm afraid we don't deliver on Saturdays."),
        ("- Starter: $9 per month\n- Team: $29 per month", "The Team plan is $39 per month."),
    ],
)
def test_the_same_is_found_in_other_words(first: str, second: str) -> None:
    assert len(factual_contradictions(talk("Hi", first, "Thanks!", second))) == 1


@pytest.mark.parametrize(
    ("first", "user", "second"),
    [
        (
            "The room costs \u20ac90 without breakfast.",
            "And with?",
            "With breakfast, the room costs \u20ac104.",
        ),
        ("The boots are sold out in 40.", "41?", "In 41 the boots are available."),
        ("Parking is free for the first hour.", "Then?", "After the first hour, parking costs $3 per hour."),
        ("Flat 3 is $700 a month plus $90 for heating.", "In all?", "All in all flat 3 is $790 a month."),
        ("The fee is $45.", "Really?", 'You said "the fee is $40".'),
    ],
)
def test_a_condition_tells_two_values_apart(first: str, user: str, second: str) -> None:
    assert factual_contradictions(talk("Hi", first, user, second)) == ()


@pytest.mark.parametrize(
    ("result", "reply", "contradicts"),
    [
        ({"apr": "24.9%"}, "The APR on your card is 19.9%.", True),
        ({"party_size": 4}, "Your booking is for six people.", True),
        ({"renewal_date": "2026-06-11"}, "Your plan renews on 1 June.", True),
        ({"cabin": "8120", "deck": 8}, "You're booked in cabin 7214.", True),
        ({"seats_total": 50, "seats_used": 46}, "You have used 46 of 50 seats.", False),
        ({"pets": [{"name": "Bello", "due": "2026-10-03"}]}, "Mimi's vaccination is due on 12 May.", False),
    ],
)
def test_a_field_is_meant_by_all_words_of_its_name(result: object, reply: str, contradicts: bool) -> None:
    assert bool(factual_contradictions(told(result, reply))) is contradicts


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece",
    ["the gate A1, ", "$1 ", "it costs $1, ", "| a | $5 |\n", "The fee is $1. ", "please "],
)
def test_the_work_for_a_long_reply_grows_with_its_length_only(piece: str) -> None:
    def read(count: int) -> None:
        factual_contradictions(talk("Hi", piece * count))

    read(1)
    few, many = (calls_of(read, count) for count in (300, 1_200))
    assert many < 6 * few
