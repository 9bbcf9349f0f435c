# ruff: noqa: E501 - tables, one case a line
"""The lint of message arrays: single rules, the user's message, and the matcher."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import pytest
from message_arrays import DONE, USER, YES, answer, places, said, use

from grice import (
    Exchange,
    LintFinding,
    lint_messages,
    read_conversation,
    to_openai_chat,
)
from grice.checks.message_lint import RULES


def item(kind: str, id_: str, **more: Any) -> dict[str, Any]:
    return {"type": kind, "call_id": id_, **more}


def test_a_finding_says_what_where_why_and_how_to_mend_it() -> None:
    assert lint_messages(
        [USER, {**use("t1"), "content": [{**use("t1")["content"][0], "input": []}]}, answer("t1")]
    ) == (
        LintFinding(
            rule="input-not-object",
            severity="error",
            index=1,
            path="messages[1].content[0].input",
            found="an empty list",
            why="Anthropic rejects with 400: tool_use.input: Input should be a valid dictionary",
            fix="send an object, {} for no arguments; PHP writes an empty array as [] unless it is cast to an object",
        ),
    )


def test_bug_b_the_users_message_is_not_in_the_array_of_the_tool_result_turn() -> None:
    array = [use("t1"), answer("t1")]
    assert places(array) == [("current-user-message-missing", 0)]
    assert places(Exchange({"messages": array}), user="Update Ajax") == [("current-user-message-missing", 0)]
    assert places([USER, *array], user="Update Ajax Search Lite") == []


def test_a_short_prompt_is_found_only_as_a_whole() -> None:
    for text, found in [("Be  kind.", [("system-text-relabelled", 0)]), ("Be kind. Hello", [])]:
        assert places({"system": "Be kind.", "messages": [said(text)], "max_tokens": 1}) == found


@pytest.mark.parametrize(
    ("subject", "found"),
    [
        ([], [("no-messages", None)]),
        ({"model": "m", "messages": []}, [("no-messages", None)]),
        ({"model": "m"}, [("no-messages", None)]),
        ({"model": "m", "input": None}, [("no-messages", None)]),
        ({"model": "m", "input": "", "previous_response_id": None}, [("empty-content", 0)]),
        ({"model": "m", "input": "Hello"}, []),
        ({"model": "m", "input": [], "previous_response_id": "resp_1"}, []),
        ({"model": "m", "prompt": {"id": "p"}}, []),
        ({"model": "m", "messages": {"role": "user"}}, [("messages-not-list", None)]),
        ({"model": "m", "messages": "Hello"}, [("messages-not-list", None)]),
        (Exchange({"messages": []}), [("no-messages", None)]),
        (Exchange({"input": ["a", "b"]}, dialect="openai_embeddings"), []),
        ({"model": "text-embedding-3-small", "input": ["a", "b"]}, []),
        ({"model": "m", "input": ["a"]}, []),
        (Exchange({"input": ["a"]}, dialect="openai_responses"), [("message-not-object", 0)]),
    ],
)
def test_a_request_has_messages(subject: Any, found: Any) -> None:
    assert places(subject) == found


RESULT = item("function_call_output", "t1", output="ok")
ASKED = item("function_call", "t1", name="update", arguments="{}")


@pytest.mark.parametrize(
    ("request_", "found"),
    [
        ({"input": [RESULT]}, [("orphan-tool-result", 0)]),
        ({"input": [RESULT], "previous_response_id": "resp_1"}, []),
        ({"input": [RESULT], "conversation": "conv_1"}, []),
        ({"input": [{"type": "item_reference", "id": "fc_1"}, RESULT]}, []),
        ({"input": [ASKED, RESULT], "previous_response_id": "resp_1"}, []),
        ({"input": [ASKED], "previous_response_id": "resp_1"}, [("unanswered-tool-call", 0)]),
        ({"input": [USER, ASKED, RESULT, item("computer_call", "c1"), item("computer_call_output", "c1", output={})]}, []),
        ({"input": [USER, {"type": "web_search_call", "id": "w"}, {"type": "reasoning", "summary": []}]}, []),
        ({"input": [USER, item("custom_tool_call", "t1", name="run", input="print(1)"), item("custom_tool_call_output", "t1", output="1")]}, []),
        ({"input": [USER, said("", "developer")]}, [("empty-content", 1), ("system-message-late", 1)]),
    ],
)  # fmt: skip
def test_a_responses_request_may_go_on_from_what_is_stored(request_: Any, found: Any) -> None:
    assert places(request_, dialect="openai_responses") == found


@pytest.mark.parametrize(
    ("array", "found"),
    [
        ([USER, {"role": "assistant", "content": None, "refusal": "No."}, YES], []),
        ([USER, {"role": "assistant", "content": None}, YES], [("malformed-content", 1)]),
        ([USER, {"role": "assistant", "content": ""}, YES], [("empty-content", 1)]),
        ([USER, {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}}, {"role": "function", "name": "f", "content": "x"}], []),
        ([{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}], []),
        ([{"role": "user", "content": "x", "tool_calls": [{"id": "1"}]}], [("tool-block-in-wrong-role", 0)]),
        ([USER, {"role": "assistant", "tool_calls": [7]}, {"role": "tool", "tool_call_id": "1", "content": "x"}], [("malformed-tool-call", 1)]),
        ([USER, {"role": "assistant", "tool_calls": [{"id": "1", "type": "custom", "custom": {"name": "run", "input": "x"}}]}, {"role": "tool", "tool_call_id": "1", "content": "x"}], []),
        ([USER, {"role": "assistant", "tool_calls": [{"id": "1", "name": "f", "arguments": {"a": 1}}]}, {"role": "tool", "tool_call_id": "1", "content": ""}], []),
        ([USER, {"role": "assistant", "tool_calls": [{"id": "1", "name": "f", "args": []}]}, {"role": "tool", "tool_call_id": "1", "content": ""}], [("input-not-object", 1)]),
        ([USER, {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "f", "arguments": "{}"}}]}, {"role": "tool", "tool_call_id": "1", "content": None}], [("malformed-tool-result", 2)]),
        ([{"role": "system", "content": "a"}, {"role": "developer", "content": "b"}, USER], []),
        ([{"role": "tool", "tool_call_id": "1", "content": "x"}], [("orphan-tool-result", 0)]),
        ([USER, YES, YES], [("same-role-neighbours", 1), ("same-role-neighbours", 2)]),
    ],
)  # fmt: skip
def test_chat_messages(array: Any, found: Any) -> None:
    assert places(array, dialect="openai_chat") == found


SEARCH = {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "x"}}
HITS = {"type": "web_search_tool_result", "tool_use_id": "s1", "content": []}


@pytest.mark.parametrize(
    ("array", "found"),
    [
        ([USER, {"role": "assistant", "content": [SEARCH, HITS, {"type": "text", "text": "Found."}]}, YES], []),
        ([USER, {"role": "assistant", "content": [SEARCH]}], []),
        ([USER, {"role": "assistant", "content": [{**SEARCH, "input": []}]}], [("input-not-object", 1)]),
        ([USER, use("a", "b"), answer("b", "a")], []),
        ([USER, use("a", "b"), answer("a")], [("unanswered-tool-call", 1)]),
        ([USER, use("a", "b"), answer("a"), answer("b")], []),
        ([USER, use("a"), DONE, answer("a")], [("tool-result-misplaced", 3)]),
        ([USER, use("a"), answer("a"), use("a"), answer("a"), use("a"), answer("a")], [("tool-call-id-reused", 3), ("tool-call-id-reused", 5)]),
        ([USER, use("a", "a"), answer("a", "a")], [("duplicate-tool-call-id", 1)]),
        ([USER, use("a", "a"), answer("a")], [("duplicate-tool-call-id", 1)]),
        ([USER, use("a"), answer("x")], [("orphan-tool-result", 2)]),
        ([USER, use("a"), YES], [("unanswered-tool-call", 1)]),
        ([USER, use("a")], [("unanswered-tool-call", 1)]),
        ([USER, answer("x"), use("a"), answer("a")], [("orphan-tool-result", 1)]),
        ([USER, {"role": "assistant", "content": ""}], []),
        ([USER, {"role": "assistant", "content": ""}, YES], [("empty-content", 1)]),
        ([{"role": "tool", "tool_call_id": "a", "content": "x"}], [("foreign-block", 0)]),
        ([{"role": 7, "content": "x"}], [("unknown-role", 0)]),
        ([USER, {"role": "user", "content": [{"type": "tool_use", "id": "a", "name": "x", "input": {}}]}, answer("a")], [("tool-block-in-wrong-role", 1)]),
        ([USER, 5, answer("a")], [("message-not-object", 1)]),
        ([USER, use("a"), "oops", DONE], [("message-not-object", 2)]),
    ],
)  # fmt: skip
def test_anthropic_messages(array: Any, found: Any) -> None:
    assert places(array, dialect="anthropic") == found


def test_the_finding_of_a_wrong_id_names_the_call_that_is_left_over() -> None:
    (finding,) = lint_messages([USER, use("a"), answer("x")])
    assert finding.found == "a result of id 'x'; the call at messages[1].content[0] has 'a'"
    (finding,) = lint_messages([{"role": "asistant", "content": "x"}], dialect="anthropic")
    assert finding.found == "the text 'asistant' (did you mean 'assistant'?)"


META = {"type": "object", "properties": {"meta": {"type": ["object", "null"]}, "tags": {"type": "array"}}}


@pytest.mark.parametrize(
    ("arguments", "schema", "found"),
    [
        ({"meta": []}, META, [("nested-input-not-object", 1)]),
        ({"tags": []}, META, []),
        ({"meta": []}, None, []),
        (
            {"rows": [{"meta": []}]},
            {"properties": {"rows": {"items": META}}},
            [("nested-input-not-object", 1)],
        ),
        ({"other": []}, META, []),
        ({"meta": []}, {"properties": {"meta": {"type": ["object", "array"]}}}, []),
        ({"meta": []}, {"properties": []}, [("tool-schema-not-object", None)]),
    ],
)
def test_a_nested_empty_list_is_judged_by_the_tools_schema(arguments: Any, schema: Any, found: Any) -> None:
    array = [USER, use("t1", **arguments), answer("t1")]
    tool = {"name": "update"} if schema is None else {"name": "update", "input_schema": schema}
    assert places({"messages": array, "tools": [tool]}) == found
    chat = to_openai_chat(read_conversation(array))
    function = {"name": "update"} if schema is None else {"name": "update", "parameters": schema}
    assert places({"messages": chat, "tools": [{"type": "function", "function": function}]}) == found


def test_the_path_of_a_nested_list() -> None:
    schema = {"properties": {"rows": {"items": META}}}
    array = [USER, use("t1", rows=[{}, {"meta": []}]), answer("t1")]
    (finding,) = lint_messages({"messages": array, "tools": [{"name": "update", "input_schema": schema}]})
    assert finding.path == "messages[1].content[0].input.rows[1].meta"


@pytest.mark.parametrize(
    ("subject", "path"),
    [
        ([USER, use("a")], "messages[1].content[0]"),
        (Exchange({"messages": [USER, use("a")]}), "messages[1].content[0]"),
        ([USER, {"role": "assistant", "tool_calls": [{"id": "a", "function": {"name": "x", "arguments": "{}"}}]}], "messages[1].tool_calls[0]"),
        ([USER, ASKED], "input[1]"),
        ({"input": [USER, ASKED]}, "input[1]"),
        (Exchange({"input": [USER, ASKED]}, dialect="openai_responses"), "input[1]"),
    ],
)  # fmt: skip
def test_the_content_tells_the_dialect(subject: Any, path: str) -> None:
    assert [one.path for one in lint_messages(subject)] == [path]


def test_an_exchange_that_names_its_dialect_is_believed() -> None:
    chat = [
        USER,
        {"role": "assistant", "tool_calls": [{"id": "a", "function": {"name": "x", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "a", "content": ""},
    ]
    assert (
        places(Exchange({"messages": chat}))
        == places(Exchange({"messages": chat}, dialect="openai_chat"))
        == []
    )
    system = [said("Be kind.", "system"), USER]
    assert places(Exchange({"messages": system}, dialect="openai_chat")) == []
    assert places(Exchange({"messages": system})) == []
    assert places(Exchange({"messages": system}, dialect="anthropic")) == [("system-role-in-array", 0)]
    assert places(Exchange({"messages": chat}, dialect="anthropic")) == [
        ("foreign-block", 1),
        ("foreign-block", 2),
    ]
    assert places({"system": "x", "messages": system}) == [("system-role-in-array", 0)]
    assert places(system) == []


def test_only_a_request_has_to_end_with_something_to_answer() -> None:
    array = [USER, DONE]
    assert places(array) == places({"id": "log", "messages": array, "model": "m"}) == []
    assert places({"model": "m", "messages": array}) == [("last-message-from-assistant", 1)]
    assert places(Exchange({"messages": array})) == [("last-message-from-assistant", 1)]


class Block:
    """Stands for an object of an SDK."""

    def __init__(self, **fields: Any) -> None:
        self.fields = fields

    def model_dump(self, **_: Any) -> dict[str, Any]:
        return self.fields


def test_objects_of_an_sdk_and_other_mappings_are_read() -> None:
    call = Block(type="tool_use", id="t1", name="update", input={})
    array: Any = [MappingProxyType(USER), {"role": "assistant", "content": [call]}, answer("t2")]
    assert places(array) == [("orphan-tool-result", 2)]
    assert places({"messages": tuple(array), "max_tokens": 1}) == [("orphan-tool-result", 2)]
    assert places(Exchange({"messages": array})) == [("orphan-tool-result", 2)]


@pytest.mark.parametrize("subject", ["text", 5, None, b"x"])
def test_another_subject_is_a_type_error(subject: Any) -> None:
    with pytest.raises(TypeError, match=f"found {type(subject).__name__}"):
        lint_messages(subject)


def test_an_unknown_dialect_is_a_value_error() -> None:
    with pytest.raises(ValueError, match=r"unknown dialect 'antropic' \(did you mean 'anthropic'\?\)"):
        lint_messages([], dialect="antropic")  # type: ignore[arg-type]


def test_every_rule_says_what_why_and_how() -> None:
    for name, rule in RULES.items():
        assert name == rule.name
        assert name == name.lower().replace("_", "-").replace(" ", "-")
        for dialect in ("anthropic", "openai_chat", "openai_responses"):
            assert rule.severity_for(dialect) in ("error", "warning")  # type: ignore[arg-type]
            assert len(rule.why_for(dialect)) > 20  # type: ignore[arg-type]
        assert rule.finds
        assert rule.fix


def test_tools_that_a_search_has_loaded_are_offered() -> None:
    items = [
        {"role": "user", "content": "hi"},
        {"type": "tool_search_call", "id": "s", "arguments": {}},
        {"type": "tool_search_output", "tools": [{"type": "function", "name": "w", "parameters": {}}]},
        {"type": "function_call", "call_id": "1", "name": "w", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "1", "output": "x"},
    ]
    body = {"model": "m", "input": items, "tools": [{"type": "tool_search"}]}
    assert lint_messages(body) == ()
    del items[2]["tools"]
    assert [one.rule for one in lint_messages(body)] == ["tool-not-offered"]
