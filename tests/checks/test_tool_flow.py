"""The response validator: the five labels of profile `seed`, examples, and the matchers made of it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from refusals import answers_of, refusal_of

import grice
from grice import ExpectationFailed, expect
from grice.agents import bind_agent
from grice.checks.tool_flow.matchers import be_free_of, be_valid_response
from grice.checks.tool_flow.status import status_of_result, tool_status_of
from grice.checks.tool_flow.validator import _rules, validate_response
from grice.matching.matcher import Matcher, MatcherFactory
from grice.matching.recording import CURRENT
from grice.records import Conversation, Exchange, Message, Outcome, Reply, ToolCall, Turn, Verdict
from grice.running.live import LiveConversation
from grice.scanning import choose_checks, scan

INTRODUCTION = "Hi, I'm WP AI."
CONFIRM = "Please confirm."


class Nowhere:
    """Takes the verdicts under test, so that they are not those of this test run."""

    name = ""

    def add(self, verdict: Verdict) -> None:
        pass


def verdict(matcher: Matcher[Any], subject: object) -> Verdict:
    token = CURRENT.set(Nowhere())
    try:
        return grice.evaluate(subject).to(matcher)
    finally:
        CURRENT.reset(token)


def reply_of(text: str, *calls: ToolCall) -> Reply:
    turn = Turn(1, (Message("user", "hi"), Message("assistant", text)), calls)
    return Reply(Conversation(turns=(turn,)), 1)


def test_the_spans_are_those_of_the_text_as_it_was_given() -> None:
    text = "İ İ Updating NOW! Shall I update it?"  # İ is two characters in lower case
    [finding] = validate_response(text, profile="seed").findings
    assert [text[start:end] for start, end in finding.spans] == ["NOW!", "Shall I"]


@pytest.mark.parametrize("text", [None, b"Updating now!", 5, ["text"]])
def test_a_text_that_is_not_a_string_is_refused(text: Any) -> None:
    with pytest.raises(TypeError, match=r"validate_response judges a text \(str\), found "):
        validate_response(text)


@pytest.mark.parametrize(
    ("status", "message"),
    [
        ("sucess", "unknown tool status 'sucess' (did you mean 'success'?): success, pending, error, none"),
        ("", "unknown tool status '': success"),
        (7, "unknown tool status 7: success"),
    ],
)
def test_an_unknown_status_is_refused_with_the_nearest(status: Any, message: str) -> None:
    with pytest.raises(ValueError, match="unknown tool status") as caught:
        validate_response("x", status)
    assert str(caught.value).startswith(message)


def test_the_patterns_take_linear_time_because_none_of_them_repeats_anything() -> None:
    sources = [pattern.regex.pattern for rule in _rules() for pattern in rule.patterns]
    assert len(sources) == 6
    assert not [source for source in sources if re.search(r"[*+{]", source)]


@pytest.mark.parametrize(
    ("result", "status"),
    [
        ({"success": True}, "success"),
        ({"success": False}, "error"),
        ({"error": "no such plugin"}, "error"),
        ({"error": None}, "success"),
        ({"is_error": True}, "error"),
        ({"status": "pending_confirmation"}, "pending"),
        ({"status": "PENDING"}, "pending"),
        ({"status": "rejected"}, "error"),
        ({"status": 3}, "success"),
        ({"status": 200}, "success"),
        ({"status": 400}, "error"),
        ({"status": 503.0}, "error"),
        ({"status": True}, "success"),
        ({"status": " Pending Confirmation "}, "pending"),
        ({"status": "pending-confirmation"}, "pending"),
        ({"status": "Awaiting - Confirmation"}, "pending"),
        ({"requires_confirmation": True}, "pending"),
        ({"success": False, "confirmation_required": True}, "pending"),
        ({"requires_confirmation": False}, "success"),
        ({"requires_confirmation": "no"}, "success"),
        ({"ok": False}, "error"),
        ({"ok": True, "errors": []}, "success"),
        ({"errors": ["no such plugin"]}, "error"),
        ({"errors": {"name": "missing"}}, "error"),
        ({"success": "false"}, "error"),
        ({"success": "False "}, "error"),
        ({"success": "true"}, "success"),
        ({"data": {"success": False}}, "error"),
        ({"success": True, "data": {"status": "pending"}}, "pending"),
        ({"result": "ok", "data": {"result": {"ok": False}}}, "error"),
        ({"data": ["Error: a line of a log"]}, "success"),
        ("Failed: no such plugin", "error"),
        ("failed: no such plugin", "error"),
        ("Failed jobs: 0", "success"),
        ({"success": True, "result": {"status": "pending"}}, "pending"),
        ({"result": {"result": {"success": False}}}, "error"),
        ("Error: payment method not found", "error"),
        ("  traceback (most recent call last):\n", "error"),
        ("No error: all fine", "success"),
        ("", "success"),
        (None, "success"),
        ([], "success"),
        (0, "success"),
        ({"isError": True, "content": [{"type": "text", "text": "no such plugin"}]}, "error"),
        ({"isError": False, "content": [{"type": "text", "text": '{"status":"pending"}'}]}, "pending"),
        ({"content": [{"type": "text", "text": "Error: no such plugin"}]}, "error"),
        ({"content": "free text"}, "success"),
        ('{"success": false}', "error"),
        (' {"status": "pending"} ', "pending"),
        ('{"isError": true}', "error"),
        ('{"error": ""}', "success"),
        ({"result": '{"success": false}'}, "error"),
        ('"Error: no such plugin"', "error"),
        ('{"success": false', "success"),
        ("[1, 2]", "success"),
        ('[{"type": "text", "text": "{\\"success\\": false}"}]', "error"),
        ([{"type": "text", "text": '{"success": false}'}], "error"),
        ([{"type": "text", "text": "ok"}, {"type": "text", "text": '{"status": "pending"}'}], "pending"),
        ([{"type": "text", "text": "Error: no such plugin"}], "error"),
        ([{"type": "text", "text": "fine"}, {"type": "image"}, "x", {"type": "text"}], "success"),
        ([{"success": False}], "success"),
        ("[" * 100_000, "success"),
        ('{"result":' * 100_000, "success"),
    ],
)
def test_the_status_that_a_result_speaks_of(result: Any, status: str) -> None:
    assert status_of_result(result) == status


def result_through(door: str, content: Any, tmp_path: Path) -> str:
    """The status that a tool's result has when it comes through this door."""
    if door == "live":
        calls = [{"id": "t1", "name": "f", "arguments": {}, "result": content}]
        with LiveConversation(bind_agent(lambda text: {"text": "Done.", "tool_calls": calls})) as live:
            return tool_status_of(live.say("Hi").tool_calls)
    block = {"type": "tool_result", "tool_use_id": "t1", "content": content}
    messages = [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "f", "input": {}}]},
        {"role": "user", "content": [block]},
        {"role": "assistant", "content": "I'm WP AI."},
    ]
    if door == "log":
        return tool_status_of(grice.read_conversation(messages).tool_calls)
    found: list[Any] = []
    (tmp_path / "log.jsonl").write_text(json.dumps({"messages": messages}))
    scan([tmp_path / "log.jsonl"], choose_checks("tool-flow", "seed"), on_finding=found.append)
    return str(found[0].reason).rpartition("tool status ")[2].rstrip(")").split(",")[0]


@pytest.mark.parametrize("door", ["live", "log", "scan"])
@pytest.mark.parametrize(
    ("content", "status"),
    [
        ('{"success": false}', "error"),
        ('{"status": "pending_confirmation"}', "pending"),
        ([{"type": "text", "text": '{"success": false}'}], "error"),
        ([{"type": "text", "text": "Error: no such plugin"}], "error"),
        ({"isError": True, "content": [{"type": "text", "text": "no such plugin"}]}, "error"),
        ("updated", "success"),
    ],
)
def test_every_door_takes_the_same_status_from_the_same_result(
    door: str, content: Any, status: str, tmp_path: Path
) -> None:
    assert result_through(door, content, tmp_path) == status


@pytest.mark.slow
def test_a_nest_of_results_has_no_depth_limit() -> None:
    result: Any = {"status": "pending"}
    for _ in range(20_000):
        result = {"result": result}
    assert status_of_result(result) == "pending"
    while result:  # taken apart by hand: Python would recurse
        result = result.pop("result", None)


@pytest.mark.parametrize(
    ("calls", "status"),
    [
        ((), "none"),
        ((ToolCall("f"),), "none"),
        ((ToolCall("f", result={"status": "pending"}),), "pending"),
        ((ToolCall("f", result="ok"), ToolCall("g", error="boom")), "error"),
        ((ToolCall("f", error="boom"), ToolCall("g", result=None)), "success"),
        ((ToolCall("f", result={"status": "pending"}), ToolCall("g")), "pending"),
    ],
)
def test_the_status_of_a_turn_is_that_of_its_last_answered_call(
    calls: tuple[ToolCall, ...], status: str
) -> None:
    assert tool_status_of(calls) == status


@pytest.mark.parametrize(
    ("matcher", "subject", "outcome", "reason"),
    [
        (be_valid_response(), "Done.", Outcome.PASS, "none found (tool status none, profile robust)"),
        (be_valid_response(), INTRODUCTION, Outcome.FAIL, "SELF_INTRODUCTION"),
        (be_valid_response(), CONFIRM, Outcome.PASS, "tool status none"),
        (
            be_valid_response(tool_status="success", profile="seed"),
            CONFIRM,
            Outcome.FAIL,
            "CONFIRMATION_LANGUAGE_ON_SUCCESS",
        ),
        (be_valid_response(), "  \n", Outcome.INCONCLUSIVE, "the text is white space only"),
        (~be_valid_response(), "", Outcome.INCONCLUSIVE, "the text is empty"),
        (~be_valid_response(), INTRODUCTION, Outcome.PASS, "SELF_INTRODUCTION"),
        (~be_valid_response(), "Done.", Outcome.FAIL, "none found"),
        (be_valid_response(), 5, Outcome.ERROR, "judges a text, a Reply or a Turn, found 5"),
        (be_free_of(), INTRODUCTION, Outcome.FAIL, "SELF_INTRODUCTION"),
        (be_free_of(["SELF_INTRODUCTION"]), INTRODUCTION, Outcome.FAIL, "SELF_INTRODUCTION"),
        (be_free_of("SELF_INTRODUCTION"), INTRODUCTION, Outcome.FAIL, "SELF_INTRODUCTION"),
        (be_free_of(["UNEXPECTED_TRIGGER_LANGUAGE"]), INTRODUCTION, Outcome.PASS, "none found"),
        (~be_free_of(["SELF_INTRODUCTION"]), INTRODUCTION, Outcome.PASS, "SELF_INTRODUCTION"),
    ],
)
def test_the_matchers_judge(matcher: Matcher[Any], subject: object, outcome: Outcome, reason: str) -> None:
    judged = verdict(matcher, subject)
    assert judged.outcome is outcome
    assert reason in judged.reason


STATUSES = "tool_status is 'success', 'pending', 'error' or 'none', found"


@pytest.mark.parametrize(
    ("matcher", "args", "named", "problem"),
    [
        (be_valid_response, (), {"tool_status": "good"}, f"{STATUSES} 'good'"),
        (
            be_valid_response,
            (),
            {"tool_status": "sucess"},
            f"{STATUSES} 'sucess' (did you mean 'success'?)",
        ),
        (be_free_of, (), {"tool_status": 7}, f"{STATUSES} 7"),
        (
            be_free_of,
            (["SELF_INTRO"],),
            {},
            "labels[0] is one of 10 values, found 'SELF_INTRO' (did you mean 'SELF_INTRODUCTION'?)",
        ),
        (be_free_of, ([],), {}, "no label is named"),
        (
            be_free_of,
            (5,),
            {},
            "labels is a list or one of 10 values, found 5",
        ),
        (
            be_free_of,
            ([None],),
            {},
            "labels[0] is one of 10 values, found None; known are ",
        ),
    ],
)
def test_unknown_labels_and_statuses_are_refused(
    matcher: MatcherFactory[Any, Any], args: tuple[Any, ...], named: dict[str, Any], problem: str
) -> None:
    refusal = refusal_of(matcher, *args, **named)
    assert refusal.startswith(problem)
    for subject in ("Done.", reply_of(CONFIRM), ""):
        assert answers_of(subject, matcher.python_name, *args, **named) == {(Outcome.ERROR, refusal)}


@pytest.mark.parametrize(
    ("call", "outcome"),
    [
        (ToolCall("f", result={"success": True}), Outcome.FAIL),
        (ToolCall("f", result={"status": "pending"}), Outcome.PASS),
        (ToolCall("f", error="boom"), Outcome.PASS),
        (ToolCall("f"), Outcome.PASS),
    ],
)
@pytest.mark.parametrize("matcher", [be_valid_response(), be_free_of()])
def test_the_status_comes_from_the_turn_unless_it_is_given(
    matcher: Matcher[Any], call: ToolCall, outcome: Outcome
) -> None:
    reply = reply_of(CONFIRM, call)
    assert verdict(matcher, reply).outcome is outcome
    assert verdict(matcher, reply.turn).outcome is outcome
    assert verdict(be_valid_response(tool_status="success"), reply).outcome is Outcome.FAIL


def test_a_failure_quotes_what_was_found_and_where() -> None:
    judged = verdict(be_valid_response(profile="seed"), "Updating now! Shall I?")
    assert (
        judged.reason
        == "CONTRADICTORY_PREACTION_AND_ASK: 'now!' and 'Shall I' (tool status none, profile seed)"
    )
    assert [(e.quote, e.start, e.end, e.note) for e in judged.evidence] == [
        ("now!", 9, 13, "CONTRADICTORY_PREACTION_AND_ASK"),
        ("Shall I", 14, 21, "CONTRADICTORY_PREACTION_AND_ASK"),
    ]


@pytest.mark.parametrize(
    ("matcher", "phrase"),
    [
        (be_free_of(profile="seed"), "be free of any of the bad patterns"),
        (be_free_of(), "be free of any of the bad patterns"),
        (be_free_of("SELF_INTRODUCTION"), "be free of SELF_INTRODUCTION"),
        (
            ~be_free_of(["SELF_INTRODUCTION"], tool_status="error"),
            "not be free of SELF_INTRODUCTION (tool status error)",
        ),
        (be_valid_response(tool_status="pending"), "pass the response validator (tool status pending)"),
    ],
)
def test_the_claim_is_a_sentence(matcher: Matcher[Any], phrase: str) -> None:
    assert matcher.phrase == phrase


def test_the_status_of_an_agent_that_reports_no_calls_is_read_from_what_its_model_was_sent():
    block = {"type": "tool_result", "tool_use_id": "t", "content": '{"success": true}'}
    sent = Exchange({"messages": [{"role": "user", "content": [block]}]}, turn=1)
    said = (Message("user", "Update it"), Message("assistant", "Updated. Please confirm."))
    with pytest.raises(ExpectationFailed, match="CONFIRMATION_LANGUAGE_ON_SUCCESS"):
        expect(Turn(1, said, exchanges=(sent,))).to_be_valid_response()
    before = Exchange({"messages": [*sent.messages, {"role": "user", "content": "Go on"}]}, turn=1)
    expect(Turn(1, said, exchanges=(before,))).to_be_valid_response()
