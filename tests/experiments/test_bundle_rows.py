"""The rows of a bundle are counted as its own, so that a gate on it knows them from others."""

import msgspec
import pytest
from made_experiments import experiment

from grice.experiments.attempts import Attempt, attempt_of
from grice.experiments.gates.declared import GateOptions, declared_gates
from grice.experiments.gates.judging import judge_gates
from grice.experiments.results import ExperimentResults
from grice.judging.bundles import Bundle, chat, policy, recommend
from grice.judging.judge import Judge
from grice.judging.meeting import meet
from grice.llm import ScriptedLLM
from grice.matching.context import resolve_subject
from grice.matching.judge import judge
from grice.records import Conversation, Message, Outcome, Reply, Result, ToolCall, Turn, Verdict

SCORES = {"naturalness": 4.2, "guidance": 3.8, "context_use": 4.0}


def met(bundle: Bundle, *tools: str) -> Verdict:
    """The verdict on a reply that used these tools."""
    said = (Message("user", "Hi"), Message("assistant", "I'm fine, and it's sunny."))
    turn = Turn(1, said, tuple(ToolCall(name) for name in tools))
    answers = {name: {"requirement": "r", "reasons": ["so"], "score": one} for name, one in SCORES.items()}
    seen = resolve_subject(Reply(Conversation("c", (turn,)), 1), mode="soft")
    context = msgspec.structs.replace(seen.context, judge=Judge(ScriptedLLM(answers)))
    return judge(meet(bundle), seen.subject, context)


def attempt(*verdicts: Verdict) -> Attempt:
    return attempt_of(Result("example:1", "s", Outcome.PASS, Conversation(), verdicts))


def nobody(wanted: str) -> ExperimentResults:
    raise AssertionError(wanted)


def test_a_row_is_counted_once_with_its_bundle_matcher_and_layer() -> None:
    found = attempt(met(chat), met(policy, "policy.get"))
    tools = [one for one in found.checks if one.criterion == "tools"]
    assert [(one.bundle, one.matcher, one.layer, one.outcome) for one in tools] == [
        ("chat", "toUseToolsFor", 0, "pass"),
        ("policy", "toUseToolsFor", 0, "pass"),
    ]
    assert {one.bundle for one in found.checks} == {"chat", "policy"}


def test_the_points_of_a_row_are_kept_by_bundle_each_once() -> None:
    found = attempt(met(chat), met(recommend))
    row = {"naturalness": (4.2,), "guidance": (3.8,), "context use": (4.0,)}
    assert found.bundle_scores == {"chat": row, "recommend": row}
    assert found.scores == {name: 2 * points for name, points in row.items()}


@pytest.mark.parametrize(
    ("verdicts", "kept"),
    [
        ([met(chat)], True),
        ([met(chat, "product.search")], False),
        ([met(chat), met(policy, "policy.get")], True),  # no tools unless policy
    ],
)
def test_ordinary_turns_use_no_tools_unless_policy(verdicts: list[Verdict], kept: bool) -> None:
    results = experiment("a", [attempt(*verdicts)])
    gates = declared_gates(None, GateOptions(bundles=("chat",))).gates
    found = {one.gate.name: one for one in judge_gates(gates, results, nobody).results}
    assert found["chat.tools"].passed is kept
    assert found["chat.naturalness"].passed
    assert found["chat.structure"].found == "has no answer: 1 check did not apply"


def test_the_guidance_of_a_recommendation_is_not_that_of_a_chat() -> None:
    results = experiment("a", [attempt(met(recommend))])
    gates = declared_gates(None, GateOptions(bundles=("recommend",))).gates
    found = {one.gate.name: one for one in judge_gates(gates, results, nobody).results}
    assert found["recommend.guidance"].found == "3.8 points (median of 1 score)"
    assert [found[f"recommend.{row}"].passed for row in ("naturalness", "guidance", "context_use")] == [
        True,
        False,
        True,
    ]
