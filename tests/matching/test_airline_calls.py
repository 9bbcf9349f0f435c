"""Real runs of an agent against the actions that solve their task: how often checks agree with the reward.

The runs are tau-bench's airline ones (sierra-research/tau-bench, MIT): see tests/data/README.md.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

import grice
from grice.matching.calls.matchers import have_called_tools
from grice.matching.calls.spec import call
from grice.matching.context import resolve_subject
from grice.matching.judge import judge
from grice.records import Conversation, Outcome, ToolCall
from outside_data import AIRLINE, needs_airline_runs

ROOT = Path(__file__).parents[2]
FIXTURE = ROOT / "tests" / "data" / "airline_agent_runs.jsonl"
PAGE = ROOT / "docs" / "tool-calls.md"

WRITES = {
    "book_reservation",
    "cancel_reservation",
    "send_certificate",
    "update_reservation_baggages",
    "update_reservation_flights",
    "update_reservation_passengers",
}


class Run(NamedTuple):
    conversation: Conversation
    gold: list[dict[str, Any]]
    rewarded: bool


def runs(path: Path) -> Iterator[Run]:
    lines = path.read_text("utf-8").splitlines()
    for line, conversation in zip(lines, grice.read_conversations(path), strict=True):
        labels = msgspec.json.decode(line)["labels"]
        yield Run(conversation, labels["gold_actions"], labels["reward"] == 1.0)


def writes(one: ToolCall) -> bool:
    return one.name in WRITES


def changes(one: ToolCall) -> bool:
    """A write that was not refused: these tools answer a refusal with a text."""
    return writes(one) and not str(one.result).startswith("Error")


def kept(conversation: Conversation, keep: Any) -> Conversation:
    turns = (
        msgspec.structs.replace(turn, tool_calls=tuple(filter(keep, turn.tool_calls)))
        for turn in conversation.turns
    )
    return msgspec.structs.replace(conversation, turns=tuple(turns))


# words of the page: order, which calls of the run, which gold actions
CHECKS: dict[str, tuple[Any, Any, Any]] = {
    "all gold calls made (`superset`)": ("superset", lambda one: True, lambda name: True),
    "exactly the gold writes, in order (`exact`)": ("exact", writes, WRITES.__contains__),
    "the same, without refused writes": ("exact", changes, WRITES.__contains__),
}


def answers(path: Path, check: str, args: Any) -> Iterator[tuple[bool, bool]]:
    """For each run that the check has a question for: whether it passes, and whether it was rewarded."""
    order, keep, wanted = CHECKS[check]
    for run in runs(path):
        gold = [call(one["name"], **one["arguments"]) for one in run.gold if wanted(one["name"])]
        if gold or order == "exact":
            seen = resolve_subject(kept(run.conversation, keep))
            verdict = judge(have_called_tools(gold, order=order, args=args), seen.subject, seen.context)
            assert verdict.outcome in (Outcome.PASS, Outcome.FAIL), verdict
            yield verdict.outcome is Outcome.PASS, run.rewarded


def agreement(pairs: list[tuple[bool, bool]]) -> tuple[int, float, float]:
    """How many, the rate of agreement, and Cohen's kappa: agreement beyond what chance gives."""
    count = len(pairs)
    rate = sum(passed == rewarded for passed, rewarded in pairs) / count
    passes, rewards = (sum(column) / count for column in zip(*pairs, strict=True))
    chance = passes * rewards + (1 - passes) * (1 - rewards)
    return count, rate, (rate - chance) / (1 - chance)


def row(check: str) -> str:
    cells = [check]
    for args in ("exact", "ignore"):
        pairs = list(answers(AIRLINE, check, args))
        count, rate, kappa = agreement(pairs)
        wrong = sum(passed and not rewarded for passed, rewarded in pairs)
        missed = sum(rewarded and not passed for passed, rewarded in pairs)
        cells += [str(count)] if args == "exact" else []
        cells.append(f"{rate:.1%}, {kappa:.2f} ({wrong} / {missed})")
    return f"| {' | '.join(cells)} |"


@pytest.mark.slow
@needs_airline_runs
@pytest.mark.parametrize("check", CHECKS)
def test_the_page_says_how_often_a_check_agrees_with_the_reward(check: str) -> None:
    assert row(check) in PAGE.read_text("utf-8").splitlines()


@pytest.mark.parametrize("check", CHECKS)
def test_the_two_runs_of_the_fixture_solve_their_task(check: str) -> None:
    assert list(answers(FIXTURE, check, "exact")) == [(True, True), (True, True)]


def test_they_make_one_call_that_is_no_gold_action() -> None:
    for run in runs(FIXTURE):
        gold = [call(one["name"], **one["arguments"]) for one in run.gold]
        seen = resolve_subject(run.conversation)
        verdict = judge(have_called_tools(gold, order="exact"), seen.subject, seen.context)
        assert verdict.reason.startswith("1 of 2 calls is not expected")
        assert "not expected: call 2  transfer_to_human_agents(" in verdict.reason


def test_kappa_is_one_for_the_same_answers_and_nothing_for_chance() -> None:
    assert agreement([(True, True), (False, False)]) == (2, 1.0, 1.0)
    assert agreement([(True, True), (True, False), (False, True), (False, False)]) == (4, 0.5, 0.0)
