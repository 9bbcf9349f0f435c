"""What a reply says of policy is on the store card, and no number more."""

from __future__ import annotations

from typing import Any

import pytest

from evidence_subjects import verdict_on
from grice.checks.evidence.policy import follow_policy
from grice.matching.matcher import ArgumentError
from grice.records import Outcome, Verdict

CARD = {"returns": {"window_days": 30, "fee": 0}, "warranty": {"years": 2}, "exchanges": True}


def followed(text: str, card: Any = CARD, **options: Any) -> Verdict:
    return verdict_on(text, follow_policy(card, **options))


def test_another_number_is_named_with_the_field() -> None:
    verdict = followed("You can return it within 60 days.")
    assert verdict.outcome is Outcome.FAIL
    assert "'60 days', but returns.window_days: 30" in verdict.reason


@pytest.mark.parametrize("condition", ["unworn", "with the tags attached", "unless it was on sale"])
def test_a_condition_more_is_a_violation(condition: str) -> None:
    assert followed("You can return it within 30 days.").outcome is Outcome.PASS
    assert followed(f"You can return it within 30 days, {condition}.").outcome is Outcome.FAIL


def test_sentences_on_something_else_are_left_alone() -> None:
    assert followed("The Zephyr glows in the dark.").outcome is Outcome.INCONCLUSIVE
    assert followed("The Zephyr glows in the dark. Returns have a window of 30 days.").outcome is Outcome.PASS


def test_topics_of_the_caller_are_policy_too() -> None:
    text = "Lessons cost $80."
    assert followed(text).outcome is Outcome.INCONCLUSIVE
    assert followed(text, topics=["lessons"]).outcome is Outcome.FAIL


@pytest.mark.parametrize("options", [{"topics": "returns"}, {"topics": [""]}, {"card": 3}, {"profile": "x"}])
def test_wrong_arguments_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ArgumentError):
        follow_policy(**options)


def test_the_card_is_not_printed_as_a_name() -> None:
    assert follow_policy({"returns": {"days": 30}}).words == "follow the store card"


def test_a_number_of_another_section_is_no_support() -> None:
    card = {"refunds": {"processing": "7-10 business days"}, "shipping": {"standard": "2-4 business days"}}
    verdict = verdict_on("Refunds are processed within 4 business days.", follow_policy(card))
    assert verdict.outcome.value == "fail"
    assert "4 business days" in verdict.reason
