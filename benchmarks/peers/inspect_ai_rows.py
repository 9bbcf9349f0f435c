"""The work in Inspect: a solver that plays back, a scorer for each check; argument: `suite` or `log`."""

import json
import sys
from typing import Any

from bare_checks import CHECKS, LOG_RULES  # copied beside this script
from inspect_ai import Task
from inspect_ai import eval as evaluate
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageAssistant, ChatMessageUser
from inspect_ai.scorer import CORRECT, INCORRECT, Score, Scorer, Target, accuracy, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolCall


@solver
def play() -> Solver:
    """The agent: it answers each turn as recorded."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state.messages = []
        for turn in state.metadata["turns"]:
            state.messages.append(ChatMessageUser(content=turn["user"]))
            called = [
                ToolCall(id=f"call_{number}", function=one["name"], arguments=one["arguments"])
                for number, one in enumerate(turn["tool_calls"])
            ]
            state.messages.append(ChatMessageAssistant(content=turn["assistant"], tool_calls=called or None))
        return state

    return solve


def said(state: TaskState) -> tuple[list[str], list[Any]]:
    """Replies and calls of the played conversation."""
    replies, calls = [], []
    for message in state.messages:
        if isinstance(message, ChatMessageAssistant):
            replies.append(message.text)
            calls += [{"name": one.function, "arguments": one.arguments} for one in message.tool_calls or ()]
    return replies, calls


@scorer(metrics=[accuracy()])
def checked(number: int) -> Scorer:
    """One of the six checks of a played conversation."""

    async def score(state: TaskState, target: Target) -> Score:
        return Score(value=CORRECT if CHECKS[number](*said(state), state.metadata["order_id"]) else INCORRECT)

    return score


@scorer(metrics=[accuracy()])
def quiet(number: int) -> Scorer:
    """One of the five patterns that no reply of a log may hold."""

    async def score(state: TaskState, target: Target) -> Score:
        replies, _ = said(state)
        found = any(LOG_RULES[number].search(reply) for reply in replies)
        return Score(value=INCORRECT if found else CORRECT)

    return score


@scorer(metrics=[accuracy()])
def shipped() -> Scorer:
    """The value in the third reply."""

    async def score(state: TaskState, target: Target) -> Score:
        replies, _ = said(state)
        found = json.loads(replies[2])["order"]["status"]
        return Score(value=CORRECT if found == "shipped" else INCORRECT)

    return score


def main(row: str) -> None:
    name = {"suite": "conversations.jsonl", "log": "log_2000.jsonl"}[row]
    with open(name, encoding="utf-8") as lines:
        samples = [Sample(id=one["id"], input=one["id"], metadata=one) for one in map(json.loads, lines)]
    checks: list[Scorer] = [checked(number) for number in range(len(CHECKS))]
    if row == "log":
        checks = [*(quiet(number) for number in range(len(LOG_RULES))), shipped()]
    task = Task(name=row, dataset=MemoryDataset(samples), solver=play(), scorer=checks)
    [log] = evaluate(task, model="mockllm/model", display="none", log_dir="inspect_logs", max_samples=100)
    results = log.samples or []
    failed = sum(any(one.value != CORRECT for one in (sample.scores or {}).values()) for sample in results)
    print(f"{len(results) - failed} passed, {failed} failed")


main(sys.argv[1])
