"""Factual contradictions: what is found, what explains a new value, and what is no statement at all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counted_calls import calls_of
from grice.checks.contradiction import factual_contradiction
from grice.checks.contradiction.factual_contradiction import (
    avoid_factual_contradiction,
    factual_contradictions,
)
from grice.formats import FormatError, read_conversation
from grice.matching.context import Context
from grice.matching.judge import judge
from grice.matching.matcher import ArgumentError
from grice.records import Conversation, Message, ToolCall, Turn, Verdict


def said(*messages: str) -> list[dict[str, Any]]:
    """Messages of a user and an assistant, in turn."""
    return [
        {"role": "assistant" if place % 2 else "user", "content": text} for place, text in enumerate(messages)
    ]


def verdict_on(talk: Conversation) -> Verdict:
    """The verdict on a whole conversation."""
    return judge(avoid_factual_contradiction(), talk, Context(talk, noun="the conversation"))


def told(result: object, reply: str, tool: str = "get_record") -> Conversation:
    """A reply behind the result of a tool."""
    call = ToolCall(tool, {"id": 1}, result=result)  # type: ignore[arg-type]
    return Conversation(turns=(Turn(1, (Message("user", "Well?"), Message("assistant", reply)), (call,)),))


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        ("The Nordic Desk weighs 1.2 kg.", "The Nordic Desk weighs 1450 g.", "quantity"),
        ("Your balance is $1,204.50.", "Your balance is $1,024.50.", "money"),
        ("Your flight departs at 2 pm.", "Your flight departs at 15:00.", "time"),
        ("Your order will arrive on Tuesday.", "Your order will arrive on Thursday.", "date"),
        ("The blue jacket is in stock.", "The blue jacket is sold out.", "yes_no"),
        ("Breakfast is included in your rate.", "Breakfast isn\u2019t included in your rate.", "yes_no"),
    ],
)
def test_two_values_of_one_thing_contradict(first: str, second: str, kind: str) -> None:
    found = factual_contradictions(said("Hi", first, "Thanks.", second))
    assert [one.later.kind for one in found] == [kind]
    assert found[0].earlier.quote == first.rstrip(".")
    assert (found[0].earlier.turn, found[0].later.turn) == (1, 2)


@pytest.mark.parametrize(
    ("between", "second"),
    [
        ("Make it two nights.", "The total is $300."),
        ("Thanks.", "Sorry, I made a mistake: the total is $300."),
        ("Thanks.", "The total is actually $300."),
        ("Thanks.", "The total has changed: it is now $300."),
        ("And with breakfast?", "With breakfast the total is $300."),
        ("Thanks.", "The total would be $300."),
        ("Thanks.", "Is the total $300?"),
        ("Thanks.", 'You said "the total is $300 for everybody".'),
        ("Thanks.", "If you stay longer, the total is $300."),
        ("I have a voucher of $50 now.", "The total is $100."),
    ],
)
def test_what_is_explained_or_not_stated_is_no_contradiction(between: str, second: str) -> None:
    assert factual_contradictions(said("Hi", "The total is $150.", between, second)) == ()


def test_a_challenge_of_the_user_excuses_no_new_value() -> None:
    sure = "Are you sure? I thought it was 30 days."
    talk = said("Hi", "The return window is 14 days.", sure, "Yes, the return window is 30 days.")
    assert len(factual_contradictions(talk)) == 1


def test_any_two_turns_are_held_against_one_another() -> None:
    small = ["Thanks.", "You're welcome."] * 20
    talk = said("Hi", "The warranty is two years.", *small, "Bye", "The warranty is five years.")
    (found,) = factual_contradictions(talk)
    assert (found.earlier.turn, found.later.turn) == (1, 22)


@pytest.mark.parametrize(
    ("result", "reply", "path"),
    [
        ({"total": 420.0, "currency": "USD"}, "Your total is $480.", "get_record#1.total"),
        ({"check_in": "15:00"}, "Check-in is at 2 PM.", "get_record#1.check_in"),
    ],
)
def test_a_reply_is_held_against_what_tools_told(result: object, reply: str, path: str) -> None:
    talk = told(result, reply)
    (found,) = factual_contradictions(talk)
    assert (found.earlier.path, found.earlier.start, found.earlier.end) == (path, 0, 0)
    assert factual_contradictions(talk, tool_results=False) == ()


def test_a_result_between_two_replies_explains_the_new_value() -> None:
    first = Turn(1, (Message("user", "Hi"), Message("assistant", "The flight costs $434.")))
    again = (Message("user", "Check."), Message("assistant", "The flight costs $512."))
    bare = Conversation(turns=(first, Turn(2, again)))
    explained = Conversation(turns=(first, Turn(2, again, (ToolCall("search", {}, result={"price": 512}),))))
    assert len(factual_contradictions(bare)) == 1
    assert factual_contradictions(explained) == ()


def test_the_evidence_quotes_both_statements_at_their_places() -> None:
    reply = "Certainly! The **Nordic Desk** costs $349. Anything else?"
    talk = read_conversation(said("Hi", "The Nordic Desk costs $299.", "Thanks.", reply))
    verdict = verdict_on(talk)
    assert verdict.outcome == "fail"
    assert "turn 1 said" in verdict.reason
    earlier, later = verdict.evidence
    assert earlier.quote == "The Nordic Desk costs $299"
    assert later.start is not None
    assert later.end is not None
    assert reply[later.start : later.end] == later.quote
    assert "$349" in later.quote


def test_places_are_in_the_answer_where_there_was_narration_before_it() -> None:
    fee, answer = "The fee is $45.", "Here you are. The fee is $42."
    narrated = (Message("user", "Hm."), Message("assistant", "Let me look."), Message("assistant", answer))
    first = Turn(1, (Message("user", "Hi"), Message("assistant", fee)))
    (found,) = factual_contradictions(Conversation(turns=(first, Turn(2, narrated))))
    assert answer[found.later.start : found.later.end] == found.later.quote == "The fee is $42"


def test_a_pass_says_how_much_was_compared() -> None:
    talk = said("Hi", "The fee is $45.", "Hm.", "I apologize for the confusion. The fee is $42.")
    verdict = verdict_on(read_conversation(talk))
    assert verdict.outcome == "pass"
    assert verdict.reason == "2 facts stated, 1 compared, none contradicts"


def test_of_a_reply_only_its_own_facts_are_judged() -> None:
    talk = read_conversation(
        said("Hi", "The fee is $45.", "Hm.", "The fee is $42.", "And?", "The deposit is $100.")
    )
    outcomes = [
        judge(avoid_factual_contradiction(), turn, Context(talk, turn, noun="the reply")).outcome
        for turn in talk.turns
    ]
    assert outcomes == ["pass", "fail", "pass"]


@pytest.mark.parametrize(
    ("first", "second", "subject", "about"),
    [
        (
            "The green curry is vegan.",
            "The green curry is not vegan.",
            "green curry vegan",
            "green curry vegan: no",
        ),
        (
            "Breakfast is included.",
            "Breakfast is not included.",
            "Breakfast included",
            "Breakfast included: no",
        ),
        (
            "The parcel weighs 2 kg.",
            "The parcel weighs 3 kg.",
            "parcel weighs",
            "parcel weighs, quantity: 3 kg",
        ),
    ],
)
def test_what_it_is_about_is_told_in_the_words_of_the_reply(
    first: str, second: str, subject: str, about: str
) -> None:
    (found,) = factual_contradictions(said("Hi", first, "Thanks.", second))
    assert found.later.subject == subject
    assert f"({about})" in found.reason


def test_messages_in_another_format_are_read() -> None:
    talk = said("Hi", "Breakfast is included.", "Thanks.", "Breakfast is not included.")
    assert factual_contradictions({"messages": talk}) == factual_contradictions(talk) != ()


@pytest.mark.parametrize(
    ("talk", "reason"),
    [
        (said("Hi", ""), "said nothing"),
        (said("Hi", "Hello! How can I help?"), "no facts are stated"),
        (said("Hi", "\U0001f44d"), "no facts are stated"),
        (said("Hi", "Das Zimmer kostet leider nicht 120 Euro, sondern 150 Euro."), "German"),
        (said("Hi", "\u623f\u4ef7\u5305\u542b\u65e9\u9910\u3002"), "language pack"),
    ],
)
def test_nothing_to_compare_is_inconclusive(talk: list[dict[str, Any]], reason: str) -> None:
    verdict = verdict_on(read_conversation(talk))
    assert verdict.outcome == "inconclusive"
    assert reason in verdict.reason


@pytest.mark.parametrize("wrong", [None, 5, "The fee is $5."])
def test_what_is_no_conversation_is_an_argument_error(wrong: object) -> None:
    with pytest.raises(ArgumentError, match="conversation is"):
        factual_contradictions(wrong)


@pytest.mark.parametrize("wrong", [{}, {"a": 1}, [{"role": "asistant", "content": "Hello"}]])
def test_messages_that_cannot_be_read_are_a_format_error(wrong: object) -> None:
    with pytest.raises(FormatError):
        factual_contradictions(wrong)


def test_wrong_arguments_are_told() -> None:
    with pytest.raises(ArgumentError, match="tool_results is true or false"):
        avoid_factual_contradiction(tool_results="no")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    with pytest.raises(ArgumentError, match="language is a language code such as 'en'"):
        avoid_factual_contradiction(language="")


def prices(turns: int) -> Conversation:
    """A talk that states two things in each turn."""
    talk = (said("Hi", f"The Oslo Chair {n} costs ${n}. It arrives on Friday.") for n in range(turns))
    return read_conversation([message for turn in talk for message in turn])


@pytest.mark.slow
def test_the_work_for_a_turn_does_not_grow_with_the_turns_before() -> None:
    factual_contradictions(prices(1))
    few, many = (calls_of(factual_contradictions, prices(turns)) for turns in (40, 160))
    assert many < 6 * few


def test_there_are_examples_with_an_alarm_and_without() -> None:
    file = Path(factual_contradiction.__file__).with_name("factual-contradiction.examples.jsonl")
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    labels = [row["robust"] for row in rows]
    assert min(labels.count("fail"), labels.count("pass")) >= 50


_PIECES = st.sampled_from(
    [
        *(
            "The fee is $20. ",
            "The fee is $30. ",
            "is ",
            "not ",
            "and ",
            "2 pm ",
            "Tuesday ",
            "gate B12 ",
            "\ud800",
        ),
        *(
            "- ",
            "1. ",
            "**",
            "|",
            "(",
            '"',
            "free of charge ",
            "order number is A-1 ",
            "9 to 5 ",
            "\x00",
            "\u4ef7",
        ),
    ]
)
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["price", "open", ""]), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(st.lists(_PIECES, max_size=20), st.lists(_PIECES, max_size=6), _VALUES)
def test_nothing_raises_and_the_spans_are_those_of_the_reply(
    pieces: list[str], user: list[str], value: object
) -> None:
    reply = "".join(pieces)
    call = ToolCall("get_x", {}, result=value)  # type: ignore[arg-type]
    turn = Turn(1, (Message("user", "".join(user)), Message("assistant", reply)), (call,))
    for one in factual_contradictions(Conversation(turns=(turn,))):
        assert reply[one.later.start : one.later.end] == one.later.quote


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("'", "\u2019"),
        lambda text: f"**{text}**",
        lambda text: f"Hi there! {text}",
        lambda text: f"{text} Let me know if you need anything else!",
        lambda text: text.replace(" ", "\u00a0"),
    ],
)
@pytest.mark.parametrize(
    ("text", "contradicts"),
    [("We don't ship to Canada.", True), ("We ship to Canada.", False), ("We don't ship to Mexico.", False)],
)
def test_how_it_is_written_changes_nothing(change: Any, text: str, contradicts: bool) -> None:
    talk = said("Hi", "We ship to Canada.", "Thanks.", change(text))
    assert bool(factual_contradictions(talk)) is contradicts
