"""Odd input: what a verdict must not turn into green or red, and what must not fail or take long."""

from __future__ import annotations

import pytest

from grice import self_contradiction


def talk(*said: str) -> list[dict[str, str]]:
    return [
        {"role": "assistant" if place % 2 else "user", "content": text} for place, text in enumerate(said)
    ]


def said_of(*said: str):
    return self_contradiction(talk(*said), language="en")


def quotes(found, messages: list[dict[str, str]]) -> list[str]:
    replies = [one["content"] for one in messages if one["role"] == "assistant"]
    return [replies[one.turn - 1][one.start : one.end] for one in found.stances]


@pytest.mark.parametrize(
    "numbers", [("**4**", "**2**"), ("### 4/5", "### 2/5"), ("\n- 4", "\n- 1"), ("4.", "2.")]
)
def test_a_rating_in_markdown_is_one(numbers):
    messages = talk("On a scale of 1 to 5, how safe is it?", numbers[0], "Sure?", numbers[1])
    found = self_contradiction(messages, language="en")
    assert found
    assert all(quotes(found, messages))


@pytest.mark.parametrize("question", ["Do you smoke?", "Do you smoke cigarettes in the house?"])
@pytest.mark.parametrize("no", ["No.", "n", "No. I like fresh air."])
def test_the_answer_to_a_question_about_oneself_is_quoted_as_it_stands(question, no):
    messages = talk(
        question, no, "And at night?", "I smoke two packs a day, and my last cigarette was at ten."
    )
    found = self_contradiction(messages, language="en")
    assert all(text in (no, no.split(". ")[0] + ".") for text in quotes(found, messages)[:1])


def test_a_letter_that_is_longer_in_lower_case_shifts_nothing():
    question, yes = "Is it open in \u0130stanbul?", "Yes, it is open in \u0130stanbul."
    found = said_of(question, yes, "Hm?", "No. In \u0130stanbul it is not. I was wrong.")
    assert (found.outcome, found.acknowledgement.quote) == ("acknowledged", "I was wrong")
    assert (
        said_of("Hi", "I'm a nurse", "Oh?", "\u0130" * 30 + " and I'm an accountant").outcome
        == "contradiction"
    )


@pytest.mark.parametrize(
    "between", ["Sorry for the mistake with the parcel.", "A duck walks in. Just kidding!"]
)
def test_an_apology_for_something_else_excuses_nothing(between):
    asked = "Is the soup vegan?", "Yes, the soup is vegan.", "Where is my parcel?", between
    assert said_of(*asked, "Is the soup vegan?", "No, the soup is not vegan.")


def test_a_reversal_with_a_tool_between_is_neither_green_nor_red():
    call = {"id": "c1", "type": "function", "function": {"name": "get_weather", "arguments": "{}"}}
    question = {"role": "user", "content": "Is breakfast included?"}
    messages = [
        question,
        {"role": "assistant", "content": "Yes, breakfast is included."},
        question,
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "sunny"},
        {"role": "assistant", "content": "No, breakfast is not included."},
    ]
    found = self_contradiction(messages)
    assert found.outcome == "undetermined"
    assert "between them a tool was called" in found.reason


def test_what_may_be_explained_is_not_green_because_something_else_agrees():
    said = (
        "Is it safe?",
        "Yes.",
        "I moved to Spain. Is it safe?",
        "No.",
        "I moved to Italy. Is it safe?",
        "No.",
    )
    assert said_of(*said).outcome == "undetermined"


def test_a_change_after_a_tool_that_is_admitted_is_acknowledged():
    call = {"id": "c1", "type": "function", "function": {"name": "look_up", "arguments": "{}"}}
    messages = [
        *talk("Is breakfast included?", "Yes, breakfast is included.", "Is breakfast included?"),
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "no"},
        {"role": "assistant", "content": "No, I was wrong: breakfast is not included."},
    ]
    assert self_contradiction(messages).outcome == "acknowledged"


@pytest.mark.parametrize(
    "unsure",
    ["No, I'm not sure. Let me check.", "No, I am not certain.", "No, I can't check that from here."],
)
def test_not_being_sure_is_no_answer(unsure):
    assert said_of("Is it vegan?", "Yes, it is vegan.", "Are you sure?", unsure).outcome == "undetermined"


@pytest.mark.parametrize("later", ["Was the pool open?", "Will the pool be open?"])
def test_another_time_is_another_question(later):
    assert not said_of("Is the pool open?", "Yes.", later, "No.")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The parcel left Berlin for Paris.", "The parcel left Paris for Berlin."),
        ("Please share your order number and email.", "Please share your email and order number."),
    ],
)
def test_the_same_words_in_another_order_are_not_the_same(first, second):
    assert said_of("Hello there.", first, "And then?", second).outcome == "undetermined"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("My name is Ed.", "My name is Fred."),
        ("My favorite color is red.", "My favorite color is blue, as I discovered."),
        ("I have never left the country.", "I lived in France for a year."),
    ],
)
def test_a_value_inside_another_word_is_another_value(first, second):
    assert said_of("Hi", first, "Oh?", second)


def test_a_reply_in_a_language_without_rules_leaves_the_talk_open():
    said = (
        "Is it vegan?",
        "Yes, it is vegan and has no milk in it.",
        "Sure?",
        "Yes, I am sure.",
        "Und das Brot?",
    )
    found = self_contradiction(talk(*said, "Nein, das Brot ist leider nicht vegan, denn darin ist Honig."))
    assert (found.outcome, "German" in found.reason) == ("undetermined", True)


def test_an_answer_behind_an_interjection_counts():
    assert said_of("Is it vegan?", "Oh yes, it is vegan.", "Sure?", "No.")


@pytest.mark.parametrize(
    "text",
    [
        "i smoke " * 2_500,
        "i smoke, " * 2_200,
        "We take " + ", ".join(f"b{place:x}" for place in range(3_500)) + ".",
        "my " + "a'" * 9_000,
        "an unsafe cat " * 1_400,
        "nothing never " * 1_400,
    ],
)
def test_hostile_texts_are_read_to_their_end(text):
    assert not said_of("Hi", text, "Oh?", text)  # how the time grows: benchmarks/hostile_texts.py


def test_many_turns_are_read_to_their_end():
    said = [
        text
        for turn in range(1_500)
        for text in ("I moved to Spain. Is it safe?", "Yes." if turn % 2 else "No.")
    ]
    assert said_of(*said).outcome == "undetermined"
