"""Five ways to say the wrong thing after a tool has run, with two examples each: one bad, one good."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from grice import expect, validate_response
from grice.checks.tool_flow.labels import LABELS, Label
from grice.checks.tool_flow.status import ToolStatus


class Example(NamedTuple):
    label: Label
    tool_status: ToolStatus
    bad: str
    good: str


EXAMPLES = [
    Example(
        "CONTRADICTORY_PREACTION_AND_ASK",
        "none",
        bad="Updating now! Would you like me to update it?",
        good="Ajax Search Lite can be updated to 4.13.5. Would you like me to update it?",
    ),
    Example(
        "UNEXPECTED_TRIGGER_LANGUAGE",
        "success",
        bad="It seems an update action was triggered unexpectedly.",
        good="The update you asked for is done.",
    ),
    Example(
        "CONFIRMATION_LANGUAGE_ON_SUCCESS",
        "success",
        bad="Ajax Search Lite updated. Use the buttons below to finish.",
        good="Ajax Search Lite updated from v4.9.5 to v4.13.5.",
    ),
    Example(
        "REDUNDANT_CONFIRMATION_ASK",
        "pending",
        bad="The update is ready. Shall I go on?",
        good="The update of Ajax Search Lite is waiting for your decision with the buttons below.",
    ),
    Example(
        "SELF_INTRODUCTION",
        "none",
        bad="Hello! I'm WP AI, and I look after your site.",
        good="Two plugins are installed.",
    ),
]

each_label = pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.label)


@each_label
def test_bad_reply_is_flagged(example: Example) -> None:
    validation = validate_response(example.bad, example.tool_status)
    assert not validation.valid
    assert validation.issues == [example.label]
    expect(example.bad).not_to_be_free_of([example.label], tool_status=example.tool_status)


@each_label
def test_good_reply_is_clean(example: Example) -> None:
    assert validate_response(example.good, example.tool_status).valid
    expect(example.good).to_be_free_of([example.label], tool_status=example.tool_status)


def test_every_label_has_its_examples() -> None:
    assert [example.label for example in EXAMPLES] == list(LABELS)


def test_several_findings_come_in_the_order_of_the_labels() -> None:
    reply = "I'm your AI. The update was triggered unexpectedly, so I stopped it now. Shall I confirm it?"
    assert validate_response(reply, "success", profile="seed").issues == [
        "CONTRADICTORY_PREACTION_AND_ASK",
        "UNEXPECTED_TRIGGER_LANGUAGE",
        "CONFIRMATION_LANGUAGE_ON_SUCCESS",
        "SELF_INTRODUCTION",
    ]


@pytest.mark.parametrize("status", ["pending", "error", "none"])
def test_talk_of_buttons_is_wrong_only_after_success(status: ToolStatus) -> None:
    expect("Use the buttons below to confirm.").to_be_valid_response(tool_status=status)


@pytest.mark.parametrize("status", ["success", "error", "none"])
def test_an_offer_is_wrong_only_while_something_is_pending(status: ToolStatus) -> None:
    expect("Would you like to see the plugins?").to_be_valid_response(tool_status=status)
