# ruff: noqa: E501 - tables, one case a line
"""Running scenarios: what is said, what each check looks at, and what does not fit."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from suite_runs import UPDATE, Assistant, Run, echo, run_in, told

from grice.files.suite_files import load_suite
from grice.identity import fingerprint, stable_id
from grice.matching.matcher import REGISTRY, matcher
from grice.records import (
    Outcome,
    Reply,
    Verdict,
    decode_conversation,
    encode_conversation,
    passed,
    skipped,
)
from grice.running.scripted import not_held
from grice.running.suite import left_out


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run the one scenario that the YAML of its fields describes."""
    return run_in(tmp_path)


def test_a_scenario_is_a_conversation_with_its_checks(run: Run) -> None:
    result = run(UPDATE + 'expect: [{matcher: toContain, expected: "4.13.5"}]')
    assert result.outcome is Outcome.PASS
    assert result.failure == "none"
    assert told(result) == ["pass: the reply to contain '4.13.5'"]
    (turn,) = result.conversation.turns
    assert [message.role for message in turn.messages] == ["user", "assistant", "tool", "assistant"]
    assert turn.tool_calls[0].result == {"message": "updated to 4.13.5"}
    assert len(turn.exchanges) == 2
    assert result.conversation.termination == "completed"
    assert decode_conversation(encode_conversation(result.conversation)) == result.conversation


def test_a_result_is_known_by_suite_and_id_and_changes_with_its_content(run: Run) -> None:
    first = run(
        "{id: greets, description: Greets, say: Hi, expect: [{matcher: toContain, expected: Hi}]}", echo
    )
    edited = run("{id: greets, say: Hi there, expect: [{matcher: toContain, expected: Hi}]}", echo)
    assert first.key == edited.key == "greets"
    assert first.id == edited.id == stable_id("shop@greets")
    assert first.fingerprint != edited.fingerprint
    assert edited.fingerprint == fingerprint(
        {"id": "greets", "say": "Hi there", "expect": [{"matcher": "toContain", "expected": "Hi"}]}
    )
    assert first.description == "Greets"
    assert first.file.endswith("shop.grice.yaml")


@pytest.mark.parametrize(
    ("check", "claim"),
    [
        ("{on: reply, matcher: toMatch, expected: 4\\.13}", "the reply to match /4\\.13/"),
        ("{on: reply.data, path: '$.items[*].status', pathMatch: ALL, matcher: toBeOneOf, expected: [READY, PENDING]}",
         "every value at $.items[*].status of the data of the reply to be one of ['READY', 'PENDING']"),
        ("{on: reply.data, matcher: toMatchObject, expected: {items: [{status: READY}, {}]}}", "the data of the reply to "),
        ("{on: tool_calls, matcher: toCallTool, expected: update_plugin}", "the reply to call update_plugin"),
        ("{on: tool_calls, matcher: toHaveLength, expected: 1}", "the tool calls to have length 1"),
        ("{on: tool_calls, path: '$[0].arguments.plugin', matcher: toEqual, expected: search}",
         "the value at $[0].arguments.plugin of the tool calls to equal 'search'"),
        ("{on: tool_calls, path: '$[0].result.message', matcher: toContain, expected: updated}",
         "the value at $[0].result.message of the tool calls to contain 'updated'"),
        ("{on: exchange 1, matcher: toOfferTool, expected: x, not: true}", "request 1 to the model not to offer "),
        ("{on: exchange 2, matcher: toPassLint}", "request 2 to the model to pass the lint of message arrays"),
        ("{on: exchange -1, path: '$.request.messages[0].content', matcher: toEqual, expected: Update the search}",
         "the value at $.request.messages[0].content of request 2 to the model to equal 'Update the search'"),
        ("{on: prompt, matcher: toContain, expected: assistant}", "the system prompt to contain 'assistant'"),
        ("{on: prompt, matcher: toHaveInSystemPrompt, expected: shop}", "the system prompt to "),
        ("{on: conversation, matcher: toHaveCalledTool, expected: update_plugin}", "the conversation to have called update_plugin"),
        ("{on: conversation, path: '$.turns[*].tool_calls[*].name', matcher: toEqual, expected: update_plugin}",
         "some value at $.turns[*].tool_calls[*].name of the conversation to equal 'update_plugin'"),
    ],
)  # fmt: skip
def test_a_check_looks_at_what_on_names(run: Run, check: str, claim: str) -> None:
    result = run(f"{UPDATE}expect: [{check}]")
    assert result.outcome is Outcome.PASS, told(result)
    assert result.verdicts[0].claim.startswith(claim)


def test_a_reply_that_should_be_json_is_read_as_json_below_the_root(run: Run) -> None:
    result = run(
        """
        id: json
        say: Give me JSON
        model: ['{"items": [{"status": "READY"}, {"status": "GONE"}]}']
        expect:
          - {path: "$.items[*].status", matcher: toEqual, expected: READY}
          - {path: "$.items[*].status", pathMatch: ALL, matcher: toBeOneOf, expected: [READY, PENDING]}
          - {matcher: toStartWith, expected: "{"}
        """
    )
    assert [one.outcome.value for one in result.verdicts] == ["pass", "fail", "pass"]
    assert "$.items[1].status (value 2 of 2)" in result.verdicts[1].reason
    assert result.failure == "assertion"


@pytest.mark.parametrize(
    ("check", "verdict"),
    [
        ("{on: exchange 5, matcher: toPassLint}",
         "error: request 5 to the model to pass the lint of message arrays: the agent sent its model 2 requests in this turn; there is no request 5"),
        ("{on: exchange -3, matcher: toPassLint, not: true}",
         "error: the request to the model not to pass the lint of message arrays: the agent sent its model 2 requests in this turn; there is no request -3"),
        ("{on: reply, path: $.x, matcher: toEqual, expected: 1}",
         "fail: the value at $.x of the reply to equal 1: nothing resolved: "),
    ],
)  # fmt: skip
def test_what_is_not_there_is_an_error_that_says_what_is(run: Run, check: str, verdict: str) -> None:
    result = run(
        f"""
        id: update
        turns:
          - say: Update
            model: [{{tool: update_plugin}}, done]
            tools: {{update_plugin: ok}}
            expect: [{check}]
        """
    )
    assert told(result)[0].startswith(verdict)


def test_an_agent_without_a_model_and_data_has_no_prompt_no_request_and_no_data(run: Run) -> None:
    result = run(
        """
        id: echo
        say: Hi
        expect:
          - {on: prompt, matcher: toContain, expected: x, not: true}
          - {on: exchange -1, matcher: toPassLint}
          - {on: reply.data, path: $.items, matcher: toContain, expected: x, not: true}
          - {on: reply.data, matcher: toEqual, expected: x, not: true}
          - {on: reply.data, matcher: toBeNull}
          - {on: reply.data, matcher: toBeUndefined}
          - {on: reply.data, path: $.items, matcher: toBeUndefined}
          - {on: tool_calls, matcher: toEqual, expected: []}
        """,
        echo,
    )
    assert told(result) == [
        "error: the system prompt not to contain 'x': the agent sent its model no request in the whole conversation",
        "error: the request to the model to pass the lint of message arrays: the agent sent its model no request in the whole conversation",
        "pass: the value at $.items of the data of the reply not to contain 'x'",
        "pass: the data of the reply not to equal 'x'",
        "fail: the data of the reply to be null: nothing resolved: the agent returned no data with this reply",
        "pass: the data of the reply to be undefined",
        "pass: the value at $.items of the data of the reply to be undefined",
        "pass: the tool calls to equal []",
    ]
    assert [one.unresolved for one in result.verdicts] == [False, False, True, True, True, True, True, False]
    assert result.outcome is Outcome.FAIL


@pytest.mark.parametrize("system", [None, "", " \n"])
def test_a_request_without_system_prompt_has_no_prompt_under_either_polarity(
    run: Run, system: str | None
) -> None:
    def without(context: Any) -> Any:
        def chat(text: str) -> str:
            request = {"model": "m", "messages": [{"role": "user", "content": text}]}
            said = context.model.transport(request if system is None else {**request, "system": system})
            return said["content"][0]["text"]

        return chat

    result = run(
        """
        id: bare
        say: [Hi, Bye]
        model: [Hello, Goodbye]
        expect:
          - {on: prompt, matcher: toContain, expected: secret, not: true}
          - {on: prompt, matcher: toHaveLength, expected: 0}
          - {on: prompt, matcher: toHaveInSystemPrompt, expected: secret}
        """,
        without,
    )
    assert told(result)[:2] == [
        "error: the system prompt not to contain 'secret': request 2 has no system prompt",
        "error: the system prompt to have length 0: request 2 has no system prompt",
    ]
    assert "has no system prompt" not in result.verdicts[2].reason


def test_checks_of_a_turn_look_at_the_turn_and_those_of_the_scenario_at_all_of_it(run: Run) -> None:
    result = run(
        """
        id: two
        turns:
          - say: Update
            model: [{tool: update_plugin}, done]
            tools: {update_plugin: ok}
            expect:
              - {on: exchange -1, path: "$.request.messages", matcher: toHaveLength, expected: 3}
          - say: Thanks
            model: [You are welcome]
            expect:
              - {on: exchange 1, path: "$.request.messages", matcher: toHaveLength, expected: 5}
              - {on: exchange 2, matcher: toPassLint}
        expect:
          - {matcher: toContain, expected: welcome}
          - {on: exchange 3, path: "$.request.messages", matcher: toHaveLength, expected: 5}
          - {on: exchange 2, matcher: toPassLint}
          - {on: tool_calls, matcher: toCallTool, expected: update_plugin}
          - {on: conversation, matcher: toHaveCalledTool, expected: update_plugin}
        """
    )
    claims = [(one.outcome.value, one.claim.split(" to ")[0], one.turn) for one in result.verdicts]
    assert claims == [
        ("pass", "the value at $.request.messages of request 2", 1),
        ("pass", "the value at $.request.messages of request 1", 2),
        ("error", "request 2", 2),
        ("pass", "the last reply", 2),
        ("pass", "the value at $.request.messages of request 3", 2),
        ("pass", "request 2", 1),
        ("fail", "the last reply", 2),
        ("pass", "the conversation", None),
    ]


def test_requests_for_embeddings_are_not_counted(run: Run) -> None:
    class Searching(Assistant):
        def __init__(self, context: Any) -> None:
            super().__init__(context)
            self.model = context.model

        def chat(self, messages: list[dict[str, Any]]) -> dict[str, Any]:
            self.model.embed({"model": "e", "input": "Hi"})
            return super().chat(messages)

    result = run(
        "{id: a, say: Hi, model: [Hello], expect: [{on: exchange 1, matcher: toPassLint}]}", Searching
    )
    assert told(result) == ["pass: request 1 to the model to pass the lint of message arrays"]


def test_a_description_leads_the_claim(run: Run) -> None:
    result = run(UPDATE + "expect: [{matcher: toContain, expected: Hi, description: it greets}]")
    assert result.verdicts[0].claim == "[it greets] the reply to contain 'Hi'"


def test_hard_checks_decide_and_soft_ones_never_do(run: Run) -> None:
    result = run(
        """
        id: a
        say: Hi
        expect: [{matcher: toContain, expected: Hi}]
        evaluate: [{matcher: toContain, expected: Bye}]
        """,
        echo,
    )
    assert [(one.mode, one.outcome.value) for one in result.verdicts] == [("hard", "pass"), ("soft", "fail")]
    assert result.outcome is Outcome.PASS


@pytest.mark.parametrize("expected", ["Hi", "Bye"])
def test_a_scenario_with_soft_checks_only_passes_when_it_was_run(run: Run, expected: str) -> None:
    """As a test does that has no `expect`; summaries say that nothing in it can fail."""
    result = run(f"{{id: a, say: Hi, evaluate: [{{matcher: toContain, expected: {expected}}}]}}", echo)
    assert result.outcome is Outcome.PASS
    assert result.failure == "none"


def test_white_space_around_an_expected_output_counts_unless_it_is_left_out(run: Run) -> None:
    def spaced(messages: Any) -> str:
        return f"\n{messages[-1]['content']}  "

    for trims, outcome in (("true", Outcome.PASS), ("false", Outcome.FAIL)):
        found = run(f"{{id: a, say: Hi, expected_output: ' Hi', should_trim_whitespace: {trims}}}", spaced)
        assert found.outcome is outcome
    wrong = run("{id: a, say: Hi, expected_output: Ho, should_trim_whitespace: true}", spaced)
    assert told(wrong) == ["fail: the reply without white space around it to equal 'Ho': found 'Hi'"]


def test_an_expected_output_beside_checks_is_a_soft_verdict_that_says_so(run: Run) -> None:
    legacy = run("{id: a, say: Hi, expected_output: you said Hi}", echo)
    assert told(legacy) == ["pass: the reply to equal 'you said Hi'"]
    beside = run("{id: a, say: Hi, expected_output: Hi, expect: [{matcher: toContain, expected: Hi}]}", echo)
    assert beside.outcome is Outcome.PASS
    assert beside.verdicts[-1].outcome is Outcome.SKIPPED
    assert beside.verdicts[-1].mode == "soft"
    assert "expected_output is not looked at" in beside.verdicts[-1].reason


def test_the_history_was_said_before(run: Run) -> None:
    result = run(
        """
        id: a
        history: [{role: user, content: Hi}, {role: assistant, content: Hello}]
        say: Bye
        model: [Goodbye]
        expect: [{on: exchange 1, path: "$.request.messages[*].content", matcher: toEqual, expected: Hello}]
        """
    )
    assert result.outcome is Outcome.PASS
    assert [turn.user for turn in result.conversation.turns] == ["Hi", "Bye"]
    assert result.verdicts[0].turn == 2


def test_calls_of_the_history_are_no_deeds_of_the_agent(run: Run) -> None:
    result = run(
        """
        id: a
        history:
          - {role: user, content: Delete it}
          - role: assistant
            content: ''
            tool_calls: [{id: c1, type: function, function: {name: delete_post, arguments: '{}'}}]
          - {role: tool, tool_call_id: c1, content: deleted}
          - {role: assistant, content: Done.}
        say: Thanks
        model: [Welcome]
        expect:
          - {on: conversation, matcher: toHaveCalledTool, expected: delete_post}
          - {on: conversation, path: "$.turns", matcher: toHaveLength, expected: 1}
        """
    )
    assert [one.outcome.value for one in result.verdicts] == ["fail", "pass"], told(result)
    assert len(result.conversation.turns) == 2


# -- matchers of others


def test_a_matcher_of_replies_gets_the_reply_and_one_of_values_the_calls(run: Run) -> None:
    seen: list[object] = []

    def of_replies(subject: Reply, ctx: object) -> Verdict:
        seen.append(subject)
        return passed()

    def of_values(subject: Any, ctx: object) -> Verdict:
        seen.append(subject)
        return passed()

    def of_who_knows(subject, ctx):
        seen.append(subject)
        return passed()

    of_replies.__annotations__["subject"] = "Reply | NotImported"
    names = {"toBeQuick": of_replies, "toBeLarge": of_values, "toBeOdd": of_who_knows}
    for name, function in names.items():
        matcher(name)(function)
    try:
        checks = ", ".join(f"{{on: tool_calls, matcher: {name}}}" for name in names)
        result = run(f"{UPDATE}expect: [{checks}]")
    finally:
        for name in names:
            del REGISTRY[name]
    assert result.outcome is Outcome.PASS, told(result)
    assert isinstance(seen[0], Reply)
    assert seen[1] == seen[2]
    (call,) = seen[1]
    assert (call["name"], call["arguments"]) == ("update_plugin", {"plugin": "search"})


# -- run modes


@pytest.mark.parametrize(
    ("modes", "reasons"),
    [
        (["DEFAULT", "SKIP"], ["", "its run_mode is SKIP"]),
        (["DEFAULT", "ONLY", "SKIP", "ONLY"],
         ["another scenario of this file has run_mode ONLY", "", "its run_mode is SKIP", ""]),
    ],
)  # fmt: skip
def test_run_modes_say_what_is_left_out_of_a_file(
    tmp_path: Path, modes: list[str], reasons: list[str]
) -> None:
    scenarios = [
        {"id": f"s{i}", "say": "Hi", "run_mode": mode, "expect": [{"matcher": "toBeDefined"}]}
        for i, mode in enumerate(modes)
    ]
    path = tmp_path / "a.grice.json"
    path.write_text(json.dumps({"scenarios": scenarios}))
    loaded = load_suite(path)
    assert left_out(loaded) == reasons
    skipped = not_held(loaded[0], Outcome.SKIPPED, "why", "the scenario to be run")
    assert (skipped.outcome, skipped.failure, skipped.verdicts[0].reason) == (Outcome.SKIPPED, "none", "why")


def test_a_scenario_of_which_every_check_is_skipped_is_skipped_and_no_failure(run: Run) -> None:
    matcher("toApplyNowhere")(_applies_nowhere)
    try:
        result = run("{id: a, say: Hi, expect: [{matcher: toApplyNowhere}]}", echo)
        soft = run("{id: a, say: Hi, evaluate: [{matcher: toApplyNowhere}]}", echo)
    finally:
        del REGISTRY["toApplyNowhere"]
    assert (result.outcome, result.failure) == (Outcome.SKIPPED, "none")
    assert soft.outcome is Outcome.INCONCLUSIVE


def _applies_nowhere(subject: str, ctx: object) -> Verdict:
    return skipped("not here")


STATE = """
id: refund
state: {orders: "shop_state_of_a_suite:orders"}
turns:
  - say: Hello
    expect: [{on: state, matcher: toBeUnchanged}]
  - say: Refund A101
    expect:
      - {on: state, matcher: toHaveChanged, expected: {orders.A101: [open, refunded]}, options: {only: true}}
      - {on: state, path: $.after.orders.A101, matcher: toEqual, expected: refunded}
expect:
  - {on: state, matcher: toHaveChanged, expected: {orders.A101: [open, refunded]}}
  - {on: state, matcher: toBeUnchanged, expected: orders.A102}
  - {on: state, matcher: toBeUnchanged}
"""


def test_a_state_is_compared_before_and_after_each_turn_and_the_whole(run: Run, tmp_path: Path) -> None:
    code = "held = {'A101': 'open', 'A102': 'open'}\n\n\ndef orders():\n    return held\n"
    (tmp_path / "shop_state_of_a_suite.py").write_text(code)

    def agent(text: str) -> str:
        if "A101" in text:
            sys.modules["shop_state_of_a_suite"].held["A101"] = "refunded"
        return "Done."

    result = run(STATE, agent)
    outcomes = [str(verdict.outcome) for verdict in result.verdicts]
    assert outcomes == ["pass", "pass", "pass", "pass", "pass", "fail"]
    assert result.verdicts[-1].reason == "orders.A101: 'open' -> 'refunded'"


@pytest.mark.parametrize("negated", ["", ", not: true"])
@pytest.mark.parametrize(
    "check", ["matcher: toBeUnchanged", "path: $.after.n, matcher: toEqual, expected: 1"]
)
def test_a_state_that_cannot_be_read_is_an_error(run: Run, check: str, negated: str) -> None:
    state = "state: 'http://127.0.0.1:9/orders'"
    result = run(f"{{id: a, {state}, say: Hi, expect: [{{on: state, {check}{negated}}}]}}", echo)
    assert result.outcome is Outcome.ERROR
    assert "could not be read" in result.verdicts[0].reason


def test_a_state_of_no_such_function_says_so(run: Run) -> None:
    result = run(
        "{id: a, state: 'no_such_module:orders', say: Hi, expect: [{on: state, matcher: toBeUnchanged}]}",
        echo,
    )
    assert result.outcome is Outcome.ERROR
    assert "there is no module 'no_such_module'" in result.verdicts[0].reason


def asks(messages: list[dict[str, Any]]) -> str:
    return "Yes, delivery costs 5 euros. Which size do you need?"


PAIRS = [
    "toDifferFromPrevious",
    "toOpenDifferently",
    "toOpenDifferently, options: {profile: seed}",
    "toAskNewClarifiers",
    "toAvoidSelfContradiction",
    "toAvoidSelfContradiction, options: {profile: seed}",
    "toAvoidFactualContradiction",
    "toRememberAnswers",
]


@pytest.mark.parametrize("check", [*PAIRS, *(f"{one}, on: conversation" for one in PAIRS[3:])])
def test_a_check_over_pairs_finds_nothing_to_compare_in_one_reply(run: Run, check: str) -> None:
    result = run(f"{{say: I want boots, expect: [{{matcher: {check}}}]}}", asks)
    assert result.outcome is Outcome.INCONCLUSIVE


def test_what_the_user_has_just_said_can_be_asked_again_in_one_reply(run: Run) -> None:
    fields = "say: I want boots, expect: [{matcher: toRememberAnswers}]"
    known = fields.replace("boots", "boots in size 42")
    other = fields.replace("I want boots", "My budget is 100 euros")
    outcomes = [run(f"{{{one}}}", asks).outcome for one in (fields, known, other)]
    assert outcomes == [Outcome.INCONCLUSIVE, Outcome.FAIL, Outcome.PASS]
