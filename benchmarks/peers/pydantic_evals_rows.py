"""The work in pydantic-evals: cases, an evaluator for each check; the argument is `suite` or `log`."""

import json
import sys
from dataclasses import dataclass
from typing import Any

from bare_checks import CHECKS, LOG_RULES  # copied beside this script
from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import Evaluator, EvaluatorContext


@dataclass
class Checked(Evaluator[Any, Any, Any]):
    """One of the six checks of a played conversation."""

    number: int

    def get_default_evaluation_name(self) -> str:
        return str(CHECKS[self.number].__name__)

    def evaluate(self, ctx: EvaluatorContext[Any, Any, Any]) -> bool:
        return bool(CHECKS[self.number](ctx.output["replies"], ctx.output["calls"], ctx.inputs["order_id"]))


@dataclass
class Quiet(Evaluator[Any, Any, Any]):
    """One of the five patterns that no reply of a log may hold."""

    number: int

    def get_default_evaluation_name(self) -> str:
        return f"rule {self.number}"

    def evaluate(self, ctx: EvaluatorContext[Any, Any, Any]) -> bool:
        return not any(LOG_RULES[self.number].search(reply) for reply in ctx.output["replies"])


@dataclass
class Shipped(Evaluator[Any, Any, Any]):
    """The value in the third reply."""

    def evaluate(self, ctx: EvaluatorContext[Any, Any, Any]) -> bool:
        return bool(json.loads(ctx.output["replies"][2])["order"]["status"] == "shipped")


async def play(recorded: dict[str, Any]) -> dict[str, Any]:
    """The agent: it answers each turn as recorded."""
    replies, calls = [], []
    for turn in recorded["turns"]:
        replies.append(turn["assistant"])
        calls += turn["tool_calls"]
    return {"replies": replies, "calls": calls}


def main(row: str) -> None:
    name = {"suite": "conversations.jsonl", "log": "log_2000.jsonl"}[row]
    with open(name, encoding="utf-8") as lines:
        cases = [Case(name=one["id"], inputs=one) for one in map(json.loads, lines)]
    checks: list[Evaluator[Any, Any, Any]] = [Checked(number) for number in range(len(CHECKS))]
    if row == "log":
        checks = [*(Quiet(number) for number in range(len(LOG_RULES))), Shipped()]
    dataset = Dataset(name=row, cases=cases, evaluators=checks)
    report = dataset.evaluate_sync(play, name=row, progress=False)
    failed = sum(not all(one.value for one in case.assertions.values()) for case in report.cases)
    print(f"{len(report.cases) - failed} passed, {failed} failed")


main(sys.argv[1])
