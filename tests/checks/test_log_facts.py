"""Faults that are facts of any log, on their examples."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import grice.checks.log_facts
from grice.checks.log_facts import LOG_FACTS
from grice.formats import read_conversation
from grice.records import Conversation, Message, Reply, ToolCall, Turn
from grice.running.suite_checks import judge_checks
from grice.scanning import choose_checks
from grice.scanning.kept import read_whole

FILE = Path(grice.checks.log_facts.__file__).with_name("log_facts.examples.jsonl")
EXAMPLES: list[dict[str, Any]] = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]
OWN_TESTS = {"malformed-arguments"}
"""Checks whose examples are calls in the shapes of every format, in tests/scanning."""


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda one: f"{one['check']}: {one['why']}")
def test_an_example_has_its_outcome(example: dict[str, Any]) -> None:
    [check] = choose_checks(example["check"]).checks
    [record], _ = read_whole(example["messages"], "")
    number = example.get("turn", len(record.turns))
    [verdict] = judge_checks([check.check], Reply(record, number))
    assert verdict.outcome == example["expected"], verdict.reason


def test_every_fact_has_ten_examples_half_of_them_faults() -> None:
    rows = Counter(one["check"] for one in EXAMPLES)
    faults = Counter(one["check"] for one in EXAMPLES if one["expected"] == "fail")
    assert set(rows) == set(LOG_FACTS) - OWN_TESTS
    assert set(rows.values()) == {10}
    assert set(faults.values()) == {5}


def test_a_reason_shows_no_secret() -> None:
    [check] = choose_checks("leaked-secret").checks
    secret = "AKIA" + "Z7QX3M2LK9PT4RWV"
    record = read_conversation(
        [{"role": "user", "content": "Config?"}, {"role": "assistant", "content": f"The key is {secret}"}]
    )
    [verdict] = judge_checks([check.check], Reply(record, 1))
    assert verdict.outcome == "fail"
    assert secret not in str(verdict)


def test_calls_that_differ_behind_what_is_shown_are_no_loop() -> None:
    [check] = choose_checks("repeated-calls").checks
    booked = [ToolCall("book", {"notes": "n" * 600, "amount": one}, result={"ok": False}) for one in range(3)]
    said = (Message("user", "Book it"), Message("assistant", "Done."))
    [verdict] = judge_checks(
        [check.check], Reply(Conversation(id="c", turns=(Turn(1, said, tuple(booked)),)), 1)
    )
    assert verdict.outcome == "pass"


def test_calls_that_nothing_answered_are_a_loop_too() -> None:
    [check] = choose_checks("repeated-calls").checks
    said = (Message("user", "Book it"), Message("assistant", "Done."))
    turn = Turn(1, said, (ToolCall("book", {"id": 7}),) * 3)
    [verdict] = judge_checks([check.check], Reply(Conversation(id="c", turns=(turn,)), 1))
    assert verdict.outcome == "fail"


def test_a_call_that_was_tried_until_it_worked_is_no_loop() -> None:
    [check] = choose_checks("repeated-calls").checks
    said = (Message("user", "Book it"), Message("assistant", "Booked."))
    calls = [ToolCall("book", {"id": 7}, result={"ok": number == 3}) for number in range(4)]
    [verdict] = judge_checks(
        [check.check], Reply(Conversation(id="c", turns=(Turn(1, said, tuple(calls)),)), 1)
    )
    assert verdict.outcome == "pass"


def test_a_loop_beside_a_call_that_was_tried_until_it_worked_is_found() -> None:
    [check] = choose_checks("repeated-calls").checks
    said = (Message("user", "Book it"), Message("assistant", "Booked."))
    tried = [ToolCall("book", {"id": 7}, result={"ok": number == 4}) for number in range(5)]
    looped = [ToolCall("look", {"id": 7}, result=None)] * 3
    [verdict] = judge_checks(
        [check.check], Reply(Conversation(id="c", turns=(Turn(1, said, (*tried, *looped)),)), 1)
    )
    assert verdict.outcome == "fail"
    assert verdict.reason.startswith("look(")
