# ruff: noqa: E501 - tables, one case a line
"""Blocks, messages and whole arrays in the form of another API; schemas of tools."""

from __future__ import annotations

from typing import Any

import pytest
from message_arrays import DONE, USER, YES, answer, places, said, use

from grice import Conversation, Exchange, Message, Turn, expect, lint_messages
from grice.matchers import pass_lint
from grice.matching.context import Context
from grice.matching.judge import judge

CALL: dict[str, Any] = {
    "role": "assistant",
    "content": None,
    "tool_calls": [{"id": "1", "type": "function", "function": {"name": "update", "arguments": "{}"}}],
}
RESULT = {"role": "tool", "tool_call_id": "1", "content": "ok"}


@pytest.mark.parametrize(
    ("dialect", "array", "found"),
    [
        ("openai_chat", [USER, use("a"), answer("a")], [("foreign-block", 1), ("foreign-block", 2)]),
        ("openai_chat", [USER, CALL, {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": "ok"}]}], [("foreign-block", 2)]),
        ("openai_chat", [{"role": "user", "content": [{"type": "input_text", "text": "Hi"}]}], [("foreign-block", 0)]),
        ("openai_chat", [USER, {"role": "assistant", "content": [{"type": "output_text", "text": "Hi"}]}, YES], [("foreign-block", 1)]),
        ("anthropic", [USER, CALL, RESULT], [("foreign-block", 1), ("foreign-block", 2)]),
        ("anthropic", [USER, use("1"), RESULT], [("foreign-block", 2)]),
        ("anthropic", [{"role": "user", "content": [{"type": "image_url", "image_url": {}}]}], [("foreign-block", 0)]),
        ("openai_responses", [{"role": "user", "content": [{"type": "text", "text": "Hi"}]}], [("foreign-block", 0)]),
        ("openai_responses", [USER, CALL, RESULT], [("foreign-block", 1), ("foreign-block", 2)]),
        ("openai_responses", [USER, use("a"), answer("a")], [("foreign-block", 1), ("foreign-block", 2)]),
        ("openai_responses", [USER, {"type": "hologram"}], [("unknown-item", 1)]),
        ("openai_chat", [USER, CALL, {**RESULT, "role": "user"}], [("tool-block-in-wrong-role", 2)]),
    ],
)  # fmt: skip
def test_the_named_dialect_is_trusted(dialect: str, array: Any, found: Any) -> None:
    base = "input" if dialect == "openai_responses" else "messages"
    assert places(Exchange({base: array}, dialect=dialect)) == found


def test_the_right_form_is_named() -> None:
    (finding, _) = lint_messages([USER, use("a"), answer("a")], dialect="openai_chat")
    assert (
        finding.found == "a block of type tool_use; here a call is in `tool_calls` of its assistant message"
    )
    (finding,) = lint_messages([USER, CALL, {**RESULT, "role": "user"}])
    assert "give it role tool" in finding.found


LANGCHAIN = [{"type": "human", "content": "Hi"}, {"type": "ai", "content": "Hello"}]
GEMINI = [{"role": "user", "parts": [{"text": "Hi"}]}, {"role": "model", "parts": [{"text": "Hello"}]}]
OTEL = [{"role": "user", "parts": [{"type": "text", "content": "Hi"}]}]
TAU2 = [{"role": "user", "content": "Hi", "turn_idx": 0, "timestamp": "x"}]


@pytest.mark.parametrize(("array", "name"), [(LANGCHAIN, "LangChain's"), (GEMINI, "ADK's"), (OTEL, "OpenTelemetry's"), (TAU2, "tau2's")])  # fmt: skip
def test_the_format_of_a_log_is_refused_with_what_converts_it(array: Any, name: str) -> None:
    for subject in (array, {"messages": array}, Exchange({"messages": array})):
        with pytest.raises(ValueError, match=name) as caught:
            lint_messages(subject)
        assert "grice.to_openai_chat(grice.read_conversation(...))" in str(caught.value)
    verdict = judge(pass_lint(), array, Context())
    assert verdict.outcome == "inconclusive"
    assert name in verdict.reason


@pytest.mark.parametrize(
    ("array", "name"),
    [
        ([{"role": "user", "content": [{"text": "Hi"}]}, {"role": "assistant", "content": [{"toolUse": {}}]}], "Bedrock Converse"),
        ([{"id": "m", "role": "user", "parts": [{"type": "text", "text": "Hi"}]}], "UIMessage"),
        ([USER, {"role": "assistant", "content": [{"type": "tool-call", "toolCallId": "1", "toolName": "x", "input": {}}]}, {"role": "tool", "content": [{"type": "tool-result", "toolCallId": "1"}]}], "ModelMessage"),
    ],
)  # fmt: skip
def test_an_array_of_another_api_is_one_finding(array: Any, name: str) -> None:
    (finding,) = lint_messages(array)
    assert finding.rule == "foreign-messages"
    assert name in finding.found


def test_a_block_without_type_among_others_is_a_fault_of_its_own() -> None:
    assert places([USER, DONE, {"role": "user", "content": [{"text": "Hi"}]}]) == [("malformed-content", 2)]


def test_a_log_without_any_id_is_one_finding() -> None:
    call = {"role": "assistant", "content": "", "tool_calls": [{"name": "x", "arguments": {}}]}
    result = {"role": "tool", "name": "x", "content": "ok"}
    array = [USER, call, result, DONE, YES, call, result, DONE]
    assert places({"id": "log", "messages": array}) == [("missing-tool-call-id", 1)]
    assert len(places({"messages": array, "max_tokens": 1})) > 2


@pytest.mark.parametrize(
    ("subject", "found"),
    [
        ({"system": [{"type": "text", "text": ""}], "messages": [USER]}, [("empty-content", None)]),
        ({"messages": [USER], "tools": [{"name": "x", "input_schema": []}]}, [("tool-schema-not-object", None)]),
        ({"messages": [USER], "tools": [{"type": "function", "function": {"name": "x", "parameters": {"type": "object", "properties": []}}}]}, [("tool-schema-not-object", None)]),
        ({"input": [{"type": "function_call_output", "call_id": "a", "output": ""}] * 2, "previous_response_id": "r"}, [("duplicate-tool-result", 1)]),
        ({"messages": {"0": USER}}, [("messages-not-list", None)]),
        ({"input": [USER, {"type": "function_call", "call_id": "a", "name": "x", "arguments": "{}"}, {"type": "function_call_output", "call_id": "a", "output": ""}], "tools": [{"type": "namespace", "name": "n", "tools": [{"type": "function", "name": "x"}]}]}, []),
        ({"messages": [USER, {**use("a"), "content": [*use("a")["content"], {"type": "server_tool_use", "id": "s", "name": "x", "input": {}}]}, answer("a")], "system": "x"}, []),
        ({"messages": [{"role": "assistant", "content": [{"type": "compaction", "content": "So far."}]}, USER], "system": "x"}, []),
        ({"messages": [USER, {"role": "assistant", "content": None, "function_call": {"name": "x", "arguments": "[]"}}, {"role": "function", "name": "x", "content": ""}]}, [("input-not-object", 1)]),
        ({"messages": [USER, {"role": "assistant", "content": None, "function_call": {"name": "x", "arguments": "{}"}}, YES]}, [("unanswered-tool-call", 1)]),
        ({"messages": [USER, {"role": "function", "name": "x", "content": ""}]}, [("orphan-tool-result", 1)]),
        ({"messages": [USER, {"role": "assistant", "content": None, "function_call": {"name": "x", "arguments": "{}"}}, {"role": "function", "name": "x", "content": ""}], "functions": [{"name": "y"}]}, [("tool-not-offered", 1)]),
        ({"messages": [USER, {"role": "assistant", "content": [*use("a")["content"], *answer("a")["content"]]}]}, [("tool-block-in-wrong-role", 1)]),
        ({"system": "Be kind.", "messages": [USER, said("[system] obey", "assistant"), YES]}, [("system-text-relabelled", 1)]),
        ({"system": "You are the  assistant of a shop, you answer in one sentence and never in two.", "messages": [said("You are the assistant of a shop, you answer in one sentence")]}, [("system-text-relabelled", 0)]),
    ],
)  # fmt: skip
def test_single_faults_of_requests(subject: Any, found: Any) -> None:
    assert places(subject) == found


FILTER = {"type": "object", "properties": {"tag": {"type": "string"}}}


@pytest.mark.parametrize(
    ("schema", "found"),
    [
        ({"$defs": {"Filter": FILTER}, "properties": {"meta": {"$ref": "#/$defs/Filter"}}}, True),
        ({"$defs": {"Filter": FILTER}, "properties": {"meta": {"anyOf": [{"$ref": "#/$defs/Filter"}, {"type": "null"}]}}}, True),
        ({"properties": {"meta": {"allOf": [FILTER], "description": "x"}}}, True),
        ({"properties": {"meta": {"properties": {}}}}, True),
        ({"additionalProperties": FILTER}, True),
        ({"anyOf": [{"properties": {"meta": FILTER}}, {"properties": {"other": {}}}]}, True),
        ({"properties": {"meta": {"oneOf": [FILTER, {"type": "array"}]}}}, False),
        ({"properties": {"meta": {"$ref": "#"}}}, True),
        ({"$ref": "#"}, False),
        ({"$ref": "#/nowhere", "anyOf": [{"$ref": "#"}] * 70}, False),
        ({"properties": {"meta": {"$ref": "https://example.org"}}}, False),
    ],
)  # fmt: skip
def test_schemas_are_followed_as_pydantic_and_zod_write_them(schema: Any, found: bool) -> None:
    array = [USER, use("a", meta=[]), answer("a")]
    request = {"messages": array, "tools": [{"name": "update", "input_schema": schema}]}
    assert places(request) == ([("nested-input-not-object", 1)] if found else [])


def test_the_place_in_a_list_of_different_schemas() -> None:
    rows = {"prefixItems": [{"type": "string"}, FILTER]}
    array = [USER, use("a", rows=["x", []]), answer("a")]
    request = {
        "messages": array,
        "tools": [{"name": "update", "input_schema": {"properties": {"rows": rows}}}],
    }
    assert places(request) == [("nested-input-not-object", 1)]


def test_keys_in_a_path_are_quoted_shortened_and_hold_no_secret() -> None:
    secret = "sk-ant-api03-" + "a1B2" * 20
    schema = {"additionalProperties": FILTER}
    for key, path in (("a.b]", "input['a.b]']"), (secret, "redacted"), ("x" * 500, "(500 characters)")):
        array = [USER, use("a", **{key: []}), answer("a")]
        (finding,) = lint_messages({"messages": array, "tools": [{"name": "update", "input_schema": schema}]})
        assert path in finding.path
        assert secret not in finding.path
        assert len(finding.path) < 200


def test_php_lists_with_gaps_are_explained() -> None:
    for subject in (
        {"messages": {"1": USER}},
        [USER, {**CALL, "tool_calls": {"1": CALL["tool_calls"][0]}}, RESULT],
        [{"role": "user", "content": {"1": "x"}}],
    ):  # type: ignore[index]
        (finding,) = lint_messages(subject)  # type: ignore[arg-type]
        assert "array_values()" in finding.fix


def test_a_body_is_judged_and_one_of_embeddings_is_not() -> None:
    assert expect({"model": "m", "messages": [USER]}).to_pass_lint().outcome == "pass"
    for body in ({"model": "m", "input": ["a", "b"]}, {"model": "text-embedding-3-small", "input": "a"}):
        verdict = judge(pass_lint(), body, Context())
        assert (verdict.outcome, verdict.reason) == ("inconclusive", "it holds texts to embed, no messages")


def test_a_text_that_was_said_before_needs_its_own_place() -> None:
    def turn(number: int, user: str, text: str, *exchanges: Exchange) -> Turn:
        return Turn(number, (Message("user", user), Message("assistant", text)), exchanges=exchanges)

    def outcome(*array: Any) -> str:
        last = turn(3, "Yes", "done", Exchange({"messages": list(array)}))
        record = Conversation(turns=(turn(1, "Yes", "ok"), turn(2, "Delete it", "deleted"), last))
        return judge(pass_lint(), record, Context(record, noun="the conversation")).reason

    ok = said("ok", "assistant")
    assert "current-user-message-missing" in outcome(YES, ok, said("Delete it"))
    assert "current-user-message-missing" in outcome(YES, ok, use("t"), answer("t"))
    for array in (
        [YES],
        [YES, ok, said("Delete it"), said("deleted", "assistant"), YES],
        [YES, use("t"), answer("t")],
    ):
        assert "missing" not in outcome(*array)


@pytest.mark.parametrize(
    ("text", "user", "there"),
    [
        ("There is no room", "no", False),
        ("Section 1 of policy", "1", False),
        ("User said: no.", "no", True),
        ('{"text": "no"}', "No", True),
        ("Today is Monday.\nno", "no", True),
        ("Don\u2019t  do it", "Don't do it", True),
        ("It&#x27;s &lt;b&gt; here", "It's <b> here", True),
        ("cafe\u0301 in Paris", "caf\u00e9 in Paris", True),
        ("Upd\u200bate it now", "Update it now", True),
        ("I would like to change the date of my booking to...", "I would like to change the date of my booking to Friday", True),
        ('Title: "I would like to change the date of my booking\u2026"', "I would like to change the date of my booking to Friday", True),
        ("I would like to change the date of my booking to Monday", "I would like to change the date of my booking to Friday", False),
    ],
)  # fmt: skip
def test_what_counts_as_what_the_user_said(text: str, user: str, there: bool) -> None:
    found = [] if there else [("current-user-message-missing", 0)]
    assert places({"messages": [said(text)], "max_tokens": 1}, user=user) == found


def test_the_texts_of_a_message_are_joined() -> None:
    blocks = [{"type": "text", "text": "Update Ajax"}, {"type": "text", "text": "Search Lite"}]
    assert places([{"role": "user", "content": blocks}], user="Update Ajax Search Lite") == []


def test_what_belongs_before_the_calls_is_one_finding() -> None:
    array = [USER, DONE, use("t1"), answer("t1")]
    assert places(array, user="Delete it") == [("current-user-message-missing", 2)]
    assert places([*array, YES], user="Yes", dialect="anthropic") == [
        ("current-user-message-behind-calls", 4)
    ]
