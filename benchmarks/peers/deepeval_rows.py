"""The work in DeepEval: conversational test cases, a metric for each check; argument: `suite` or `log`."""

import json
import sys
from typing import Any

from bare_checks import CHECKS, LOG_RULES  # copied beside this script
from deepeval import evaluate
from deepeval.evaluate.configs import AsyncConfig, CacheConfig, DisplayConfig
from deepeval.metrics import BaseConversationalMetric
from deepeval.test_case import ConversationalTestCase, ToolCall, Turn


class Checked(BaseConversationalMetric):
    """A metric that is 1 where a check holds."""

    threshold = 1.0
    async_mode = False
    verbose_mode = False

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    def __name__(self) -> str:
        return self.name

    def holds(self, replies: list[str], calls: list[Any], order: str) -> bool:
        raise NotImplementedError

    def measure(self, test_case: ConversationalTestCase, *args: Any, **kwargs: Any) -> float:
        replies, calls = [], []
        for turn in test_case.turns:
            if turn.role == "assistant":
                replies.append(turn.content)
                calls += [
                    {"name": one.name, "arguments": one.input_parameters} for one in turn.tools_called or ()
                ]
        order = (test_case.metadata or {})["order_id"]
        self.score = float(self.holds(replies, calls, order))
        self.success = self.score >= 1
        return self.score

    async def a_measure(self, test_case: ConversationalTestCase, *args: Any, **kwargs: Any) -> float:
        return self.measure(test_case)


class Conversation(Checked):
    """One of the six checks of a played conversation."""

    def __init__(self, number: int) -> None:
        super().__init__(CHECKS[number].__name__)
        self.number = number

    def holds(self, replies: list[str], calls: list[Any], order: str) -> bool:
        return bool(CHECKS[self.number](replies, calls, order))


class Quiet(Checked):
    """One of the five patterns that no reply of a log may hold."""

    def __init__(self, number: int) -> None:
        super().__init__(f"rule {number}")
        self.number = number

    def holds(self, replies: list[str], calls: list[Any], order: str) -> bool:
        return not any(LOG_RULES[self.number].search(reply) for reply in replies)


class Shipped(Checked):
    """The value in the third reply."""

    def holds(self, replies: list[str], calls: list[Any], order: str) -> bool:
        return bool(json.loads(replies[2])["order"]["status"] == "shipped")


def played(recorded: dict[str, Any]) -> ConversationalTestCase:
    """The agent: it answers each turn as recorded."""
    turns = []
    for turn in recorded["turns"]:
        turns.append(Turn(role="user", content=turn["user"]))
        called = [ToolCall(name=one["name"], input_parameters=one["arguments"]) for one in turn["tool_calls"]]
        turns.append(Turn(role="assistant", content=turn["assistant"], tools_called=called or None))
    return ConversationalTestCase(
        name=recorded["id"], turns=turns, metadata={"order_id": recorded["order_id"]}
    )


def main(row: str) -> None:
    name = {"suite": "conversations.jsonl", "log": "log_2000.jsonl"}[row]
    with open(name, encoding="utf-8") as lines:
        cases = [played(json.loads(line)) for line in lines]
    checks: list[BaseConversationalMetric] = [Conversation(number) for number in range(len(CHECKS))]
    if row == "log":
        checks = [*(Quiet(number) for number in range(len(LOG_RULES))), Shipped("shipped")]
    report = evaluate(
        test_cases=cases,
        metrics=checks,
        async_config=AsyncConfig(run_async=False),
        display_config=DisplayConfig(show_indicator=False, print_results=False, inspect_after_run=False),
        cache_config=CacheConfig(write_cache=False),
    )
    failed = sum(not one.success for one in report.test_results)
    print(f"{len(report.test_results) - failed} passed, {failed} failed")


main(sys.argv[1])
