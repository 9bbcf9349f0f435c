# ruff: noqa: E501 - tables, one case a line
"""Running scenarios: scripts that do not fit, and agents that break."""

import time
from pathlib import Path
from typing import Any

import pytest
from suite_runs import Assistant, Run, echo, run_in, told

from grice.agents import AgentLoadError
from grice.records import Outcome


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run the one scenario that the YAML of its fields describes."""
    return run_in(tmp_path)


def test_an_empty_model_means_that_this_turn_makes_no_request(run: Run) -> None:
    left = run(
        "id: a\nturns: [{say: Hi, model: [a, b]}, {say: Bye, model: []}]\nexpect: [{matcher: toBeDefined}]"
    )
    assert "1 of 2 scripted model replies were never asked for" in left.verdicts[0].reason
    on = run("id: a\nturns: [{say: Hi, model: [a, b]}, {say: Bye}]\nexpect: [{matcher: toBeDefined}]")
    assert on.outcome is Outcome.PASS


def test_turns_without_a_script_of_their_own_go_on_with_what_is_left(run: Run) -> None:
    result = run(
        "{id: a, say: [Hi, Bye], model: [Hello, Goodbye], expect: [{matcher: toEqual, expected: Goodbye}]}"
    )
    assert result.outcome is Outcome.PASS
    assert [turn.text for turn in result.conversation.turns] == ["Hello", "Goodbye"]


@pytest.mark.parametrize(
    ("fields", "target", "reason"),
    [
        ("say: Hi\nmodel: [Hello, More]", Assistant,
         "1 of 2 scripted model replies were never asked for; the next one was 'More'"),
        ("say: Hi\nmodel: [{tool: look, arguments: {}}, Found]", Assistant, "; the agent left look to its client: answer it in 'tools'"),
        ("say: Hi\nmodel: [Hello]", echo, "; the agent did not ask the model in context.model at all"),
        ("turns: [{say: Hi, model: [a, b]}, {say: Bye, model: [c]}]", Assistant, "1 of 2 scripted model replies were never asked for"),
        ("say: Hi", Assistant, "model request 1 has no scripted reply (0 scripted)"),
        ("say: [Hi, Bye]\nmodel: [Hello]", Assistant, "model request 2 has no scripted reply (1 scripted)"),
        ("say: Hi\nmodel: [{tool: look}]\ntools: {lok: ok}", Assistant,
         "the agent called 'look', which is not among the tools of this test (lok) (did you mean 'lok'?)"),
        ("say: Hi\nmodel: [{fault: rate_limit}]", Assistant, "the agent raised ModelFault: "),
    ],
)  # fmt: skip
def test_a_script_that_does_not_fit_is_an_error_beside_the_transcript(
    run: Run, fields: str, target: object, reason: str
) -> None:
    result = run(f"id: a\n{fields}\nevaluate: [{{matcher: toBeDefined}}]", target)
    assert result.outcome is Outcome.ERROR
    assert result.failure == "error"
    broke = next(one for one in result.verdicts if one.mode == "hard")
    agent_failed = "the agent raised" in reason
    assert broke.claim == ("the agent to answer" if agent_failed else "the conversation to play as scripted")
    assert reason in broke.reason
    assert broke.turn == len(result.conversation.turns)


def test_an_unscripted_request_is_an_error_even_when_the_agent_hides_it(run: Run) -> None:
    class Apologetic(Assistant):
        def chat(self, messages: list[dict[str, Any]]) -> dict[str, Any]:
            try:
                return super().chat(messages)
            except Exception:
                return {"text": "Sorry!"}

    result = run("{id: a, say: Hi, expect: [{matcher: toContain, expected: Sorry}]}", Apologetic)
    assert result.outcome is Outcome.ERROR


def test_what_came_before_a_failure_keeps_its_verdicts(run: Run) -> None:
    def moody(text: str) -> str:
        if text == "Bye":
            raise RuntimeError("out of order")
        return echo(text)

    result = run(
        """
        id: a
        turns:
          - {say: Hi, expect: [{matcher: toContain, expected: Hi}]}
          - {say: Bye, expect: [{matcher: toContain, expected: Bye}]}
          - {say: Hi again}
        expect: [{matcher: toContain, expected: again}]
        """,
        moody,
    )
    assert told(result) == [
        "pass: the reply to contain 'Hi'",
        "error: the agent to answer: the agent raised RuntimeError: out of order",
        "skipped: every check to be made: 2 checks were not reached",
    ]
    assert len(result.conversation.turns) == 2


def test_time_outs_hold(run: Run) -> None:
    fields = "{id: a, say: Hi, expect: [{matcher: toBeDefined}]}"
    result = run(fields, lambda text: time.sleep(5), turn_timeout=0.05)
    assert result.failure == "timeout"
    assert "did not answer within 0.05 s" in result.verdicts[0].reason


def test_an_agent_that_cannot_be_built_is_no_result(run: Run) -> None:
    with pytest.raises(AgentLoadError):
        run("{id: a, say: Hi, expect: [{matcher: toBeDefined}]}", lambda context: None)


def test_an_agent_is_built_with_the_scenario(run: Run) -> None:
    seen = {}

    def factory(context: Any) -> Any:
        seen.update(context)
        return echo

    run("{id: a, description: About, say: Hi, expect: [{matcher: toBeDefined}]}", factory)
    assert seen["test_name"] == "a"
    assert seen["test_line"] == 2
    assert seen["scenario"]["description"] == "About"
