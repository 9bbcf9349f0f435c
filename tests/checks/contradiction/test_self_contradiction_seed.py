"""The documented rubric: its word lists, its order, and where it is known to be wrong."""

from __future__ import annotations

import pytest

from grice.checks.contradiction.self_contradiction import self_contradiction


def positions(*replies: str) -> list[str]:
    messages = [
        message
        for reply in replies
        for message in ({"role": "user", "content": "And?"}, {"role": "assistant", "content": reply})
    ]
    return [stance.position for stance in self_contradiction(messages, profile="seed").stances]


@pytest.mark.parametrize(
    ("reply", "position"),
    [
        ("Yes, it should not.", "yes"),
        ("No it should", "no"),
        ("  YES, of course", "yes"),
        ("I support it.", "yes"),
        ("I believe so.", "yes"),
        ("I am in favor.", "yes"),
        ("The benefits outweigh the costs.", "yes"),
        ("I oppose it.", "no"),
        ("I don't think it works.", "no"),
        ("The risks outweigh the gains.", "no"),
        ("It is a negative thing.", "no"),
        ("AI shouldn't decide.", "no"),
        ("We should not do this.", "unclear"),
        ("Autonomous diagnoses are common.", "unclear"),
        ("AI must never decide alone.", "yes"),
        ("I don't disagree.", "no"),
        ("Definitely not.", "unclear"),
        ("We shouldn\u2019t do this.", "unclear"),
        ("I agree.", "unclear"),
        ("x" * 200 + " yes", "unclear"),
    ],
)
def test_the_position_is_read_as_documented(reply, position):
    assert positions(reply, "Yes, it is.")[0] == position


@pytest.mark.parametrize(
    "phrase",
    [
        "I have changed my mind",
        "I reconsidered",
        "Upon reflection it is bad",
        "I was wrong",
        "You've convinced me",
        "Let me revise that",
        "Initially I thought so",
        "I've shifted my view",
        "I haven't changed my mind",
    ],
)
def test_the_eight_phrases_excuse_wherever_they_stand(phrase):
    messages = [
        {"role": "assistant", "content": "Yes, it should."},
        {"role": "user", "content": "Sure?"},
        {"role": "assistant", "content": f"No, it is bad. {phrase}."},
    ]
    found = self_contradiction(messages, profile="seed")
    assert found.outcome == "acknowledged"
    assert found.acknowledgement is not None
    assert (
        found.acknowledgement.quote
        == messages[-1]["content"][found.acknowledgement.start : found.acknowledgement.end]
    )


@pytest.mark.parametrize(
    "phrase", ["You're right", "I stand corrected", "You make a good point", "I see now"]
)
def test_no_other_phrase_excuses(phrase):
    messages = [
        {"role": "assistant", "content": "Yes, it should."},
        {"role": "user", "content": "Sure?"},
        {"role": "assistant", "content": f"No, it is bad. {phrase}."},
    ]
    assert self_contradiction(messages, profile="seed")


def test_only_the_first_two_assistant_messages_are_compared():
    assert (
        self_contradiction(
            [
                {"role": "assistant", "content": "Yes, a."},
                {"role": "assistant", "content": "Yes, b."},
                {"role": "user", "content": "?"},
                {"role": "assistant", "content": "No, c."},
            ],
            profile="seed",
        ).outcome
        == "consistent"
    )
    assert (
        self_contradiction([{"role": "assistant", "content": "Yes, a."}], profile="seed").outcome
        == "undetermined"
    )
