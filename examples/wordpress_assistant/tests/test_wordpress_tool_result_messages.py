"""The message array after a tool has run: what the model is told about who asked for what.

Bug B was a hole in this array. TC-1 to TC-6 are the cases of the assistant's specification. Each looks at
what the assistant's step sends its model, and at what the pure function makes, which may be right alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from grice import ScriptedModel, expect
from wordpress_assistant.assistant import Assistant
from wordpress_assistant.messages import build_tool_result_messages

Build = Callable[[Any, Any, Any], list[Any]]

ASKED = {"role": "user", "content": "Update Ajax Search Lite"}
CALL = {
    "id": "toolu_01",
    "name": "update_plugin",
    "input": {"plugin": "ajax-search-lite/ajax-search-lite.php"},
}
RESULT = {"tool_call_id": "toolu_01", "result": {"message": "Plugin updated from v4.9.5 to v4.13.5."}}


@pytest.fixture(params=["step", "pure function"])
def build(request: pytest.FixtureRequest, agent: Assistant, scripted_model: ScriptedModel) -> Build:
    """Makes messages of history, calls and results: as the assistant's step sends them, or alone."""
    if request.param == "pure function":
        return build_tool_result_messages

    def sent_by_step(*arguments: Any) -> list[Any]:
        scripted_model.script("Ajax Search Lite updated from v4.9.5 to v4.13.5.")
        agent.tool_result_step(*arguments)
        messages = scripted_model.exchanges[-1].messages
        assert isinstance(messages, list)
        return messages

    return sent_by_step


def test_tc1_the_users_message_comes_before_the_tool_call(build: Build) -> None:
    messages = build([ASKED], [CALL], [RESULT])
    expect(messages).to_contain_message(role="user", content="Update Ajax Search Lite", before="tool_use")


def test_tc2_the_assistants_tool_call_is_there(build: Build) -> None:
    messages = build([ASKED], [CALL], [RESULT])
    expect(messages).to_contain_message(role="tool_use", id="toolu_01", content="update_plugin")


def test_tc3_the_tools_result_is_there(build: Build) -> None:
    messages = build([ASKED], [CALL], [RESULT])
    expect(messages).to_contain_message(role="tool_result", id="toolu_01", content="4.13.5", after="tool_use")
    expect(messages).to_pair_tool_calls()


def test_tc4_earlier_turns_keep_their_order_and_roles(build: Build) -> None:
    earlier = [
        {"role": "user", "content": "Which plugins are installed?"},
        {"role": "assistant", "content": "Ajax Search Lite and Akismet."},
        ASKED,
    ]
    messages = build(earlier, [CALL], [RESULT])
    expect(messages).to_contain_messages(
        [
            {"role": "user", "content": "Which plugins are installed?"},
            {"role": "assistant", "content": "Ajax Search Lite and Akismet."},
            {"role": "user", "content": "Update Ajax Search Lite"},
            {"role": "tool_use", "id": "toolu_01"},
            {"role": "tool_result", "id": "toolu_01"},
        ],
        order="exact",
    )


@pytest.mark.parametrize("history", [[], None], ids=["empty", "null"])
def test_tc5_without_a_history_there_are_the_call_and_its_result_only(
    build: Build, history: list[Any] | None
) -> None:
    messages = build(history, [CALL], [RESULT])
    expect(messages).to_contain_messages([{"role": "tool_use"}, {"role": "tool_result"}], order="exact")


@pytest.mark.parametrize("empty", [[], None, ""], ids=["PHP's empty array", "null", "empty text"])
def test_tc6_empty_input_is_an_empty_object(build: Build, empty: object) -> None:
    messages = build([ASKED], [{**CALL, "input": empty}], [RESULT])
    (call,) = messages[-2]["content"]
    expect(call["input"]).to_equal({})


def test_entries_that_are_not_for_the_model_are_left_out() -> None:
    history = [{"role": "system", "content": "Be brief."}, ASKED, {"role": "assistant", "content": ""}]
    messages = build_tool_result_messages(history, [CALL], [RESULT])
    expect([message["role"] for message in messages]).to_equal(["user", "assistant", "user"])


# -- calls and results pair up by id

SECOND_CALL = {"id": "toolu_02", "name": "list_plugins", "input": {}}
SECOND_RESULT = {"tool_call_id": "toolu_02", "result": "two plugins"}


def test_each_call_is_answered_once() -> None:
    messages = build_tool_result_messages([ASKED], [CALL, SECOND_CALL], [RESULT, SECOND_RESULT])
    expect(messages).to_pair_tool_calls()


def test_results_follow_the_order_of_their_calls() -> None:
    messages = build_tool_result_messages([ASKED], [CALL, SECOND_CALL], [SECOND_RESULT, RESULT])
    expect(messages).to_pair_tool_calls()
    expect([block["tool_use_id"] for block in messages[-1]["content"]]).to_equal(["toolu_01", "toolu_02"])


def test_calls_that_were_lost_are_made_up_from_their_results() -> None:
    messages = build_tool_result_messages([ASKED], None, [RESULT])
    expect(messages).to_pair_tool_calls()
    expect(messages[1]["content"][0]["input"]).to_equal({})


def test_an_earlier_round_in_the_history_stays_paired() -> None:
    earlier: list[dict[str, Any]] = [
        ASKED,
        {"role": "assistant", "content": [{"type": "tool_use", **SECOND_CALL}]},
        {"role": "tool_result", "tool_call_id": "toolu_02", "content": "two plugins", "is_error": False},
    ]
    messages = build_tool_result_messages(earlier, [CALL], [RESULT])
    expect(messages).to_pair_tool_calls()
    expect(messages).to_contain_message(role="tool_result", id="toolu_02", before="tool_use")


@pytest.mark.parametrize(
    ("calls", "results", "said"),
    [
        pytest.param([CALL], [SECOND_RESULT], "answer no pending call: toolu_02", id="another id"),
        pytest.param([CALL], [RESULT, SECOND_RESULT], "answer no pending call: toolu_02", id="one too many"),
        pytest.param([CALL, SECOND_CALL], [RESULT], "calls have no result: toolu_02", id="one missing"),
        pytest.param([CALL], [RESULT, RESULT], "tool results share an id: toolu_01", id="answered twice"),
        pytest.param([CALL, CALL], [RESULT], "pending tool calls share an id: toolu_01", id="called twice"),
        pytest.param(
            [CALL], [{"result": "done"}], "a tool result has no tool_call_id", id="result without id"
        ),
        pytest.param([{"name": "x"}], [RESULT], "a tool call has no id", id="call without id"),
        pytest.param([], [], "there is no tool result to send", id="nothing at all"),
    ],
)
def test_calls_and_results_that_do_not_pair_up_are_refused(
    calls: list[dict[str, Any]], results: list[dict[str, Any]], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        build_tool_result_messages([ASKED], calls, results)
