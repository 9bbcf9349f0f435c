"""Request templates: placeholders, lists, and what cannot be filled."""

import re

import pytest

from grice.agents.chat_turn import ChatTurn
from grice.agents.context import AgentContext
from grice.agents.template import TEXT_NAMES, check_template, fill, names_in
from grice.wire.placeholders import check_text

HELLO = {"role": "user", "content": "Hello"}
HI = {"role": "assistant", "content": "Hi"}
ASKED = {"role": "user", "content": "Update it"}
CALLED = {
    "role": "assistant",
    "content": "One moment.",
    "tool_calls": [
        {"id": "c1", "type": "function", "function": {"name": "update", "arguments": '{"plugin":"a"}'}},
        {"id": "c2", "type": "function", "function": {"name": "list", "arguments": ""}},
    ],
}
DONE = {"role": "tool", "content": '{"done":true}', "tool_call_id": "c1"}
BROKEN = {"role": "tool", "content": "no such plugin", "tool_call_id": "c2", "is_error": True}


def filled(template, *messages):
    check_template(template, "request")
    return fill(template, ChatTurn(messages, "id1", AgentContext()))


@pytest.mark.parametrize(
    ("template", "value"),
    [
        ("${user}", "Update it"),
        ("The user said: ${user}!", "The user said: Update it!"),
        ("${turn}", 2),
        ("turn ${turn} of ${conversation_id}", "turn 2 of id1"),
        ("${messages}", [HELLO, HI, ASKED]),
        ("${history}", [HELLO, HI]),
        ("all: ${tool_calls}", "all: []"),
        ("${assistant_text}", ""),
        ("$${user} costs $5", "${user} costs $5"),
        ("$${", "${"),
        ({"a": ["${user}", 1, None, True, 1.5], "b": {"c": "${turn}"}}, None),
        ("", ""),
        (None, None),
    ],
)
def test_placeholders_are_filled_with_typed_values(template, value):
    if value is None and template is not None:
        value = {"a": ["Update it", 1, None, True, 1.5], "b": {"c": 2}}
    assert filled(template, HELLO, HI, ASKED) == value


def test_text_of_users_is_never_read_as_a_template():
    assert filled("${user}", {"role": "user", "content": "${history} $${ ${"}) == "${history} $${ ${"
    assert filled("x ${user}", {"role": "user", "content": "${turn}"}) == "x ${turn}"


def test_a_request_about_answered_calls_knows_calls_results_and_what_was_before():
    names = ("user", "history", "tool_calls", "tool_results", "assistant_text", "turn")
    told = filled({name: f"${{{name}}}" for name in names}, HELLO, HI, ASKED, CALLED, DONE, BROKEN)
    assert told == {
        "user": "Update it",
        "history": [HELLO, HI, ASKED],
        "tool_calls": [
            {"id": "c1", "name": "update", "arguments": {"plugin": "a"}},
            {"id": "c2", "name": "list", "arguments": {}},
        ],
        "tool_results": [
            {
                "id": "c1",
                "name": "update",
                "result": {"done": True},
                "content": '{"done":true}',
                "is_error": False,
            },
            {
                "id": "c2",
                "name": "list",
                "result": "no such plugin",
                "content": "no such plugin",
                "is_error": True,
            },
        ],
        "assistant_text": "One moment.",
        "turn": 2,
    }


def test_results_of_an_earlier_turn_are_history():
    told = filled({"h": "${history}", "r": "${tool_results}"}, ASKED, CALLED, DONE, BROKEN, HI, HELLO)
    assert told == {"h": [ASKED, CALLED, DONE, BROKEN, HI], "r": []}


@pytest.mark.parametrize(
    ("content", "result"),
    [
        ("42", 42),
        ("null", None),
        ("true", True),
        ("[1, 2]", [1, 2]),
        ('"quoted"', "quoted"),
        ("1.10", "1.10"),
        ("1e5", "1e5"),
        ("", ""),
        ("no JSON", "no JSON"),
        ("NaN", "NaN"),
        ("[" * 5000, "[" * 5000),
    ],
)
def test_a_result_is_a_json_value_unless_that_would_change_it(content, result):
    message = {"role": "tool", "content": content, "tool_call_id": "c1"}
    assert filled("${tool_results}", ASKED, CALLED, message)[0]["result"] == result


def test_each_maps_a_list():
    template = {
        "results": {
            "$each": "${tool_results}",
            "$as": {"tool_call_id": "${item.id}", "output": "${item.content}", "of": "${conversation_id}"},
        }
    }
    assert filled(template, ASKED, CALLED, DONE) == {
        "results": [{"tool_call_id": "c1", "output": '{"done":true}', "of": "id1"}]
    }
    assert filled(template, ASKED) == {"results": []}


def test_each_may_map_messages_by_role():
    template = {
        "$each": "${history}",
        "$as": {
            "user": {"from": "human", "value": "${item.content}"},
            "assistant": {"from": "bot", "value": "${item.blocks}"},
        },
    }
    assert filled(template, ASKED, CALLED, DONE, HI, HELLO) == [
        {"from": "human", "value": "Update it"},
        {
            "from": "bot",
            "value": [
                {"type": "text", "text": "One moment."},
                {"type": "tool_use", "id": "c1", "name": "update", "input": {"plugin": "a"}},
                {"type": "tool_use", "id": "c2", "name": "list", "input": {}},
            ],
        },
        {"from": "bot", "value": [{"type": "text", "text": "Hi"}]},
    ]


def test_every_message_of_a_list_has_every_field():
    fields = ("role", "content", "tool_calls", "tool_call_id", "is_error", "blocks")
    shape = {name: f"${{item.{name}}}" for name in fields}
    user, tool = filled({"$each": "${messages}", "$as": shape}, HELLO, BROKEN)
    assert user == {
        "role": "user",
        "content": "Hello",
        "tool_calls": [],
        "tool_call_id": "",
        "is_error": False,
        "blocks": [{"type": "text", "text": "Hello"}],
    }
    assert (tool["tool_call_id"], tool["is_error"]) == ("c2", True)


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("${usr}", "request: unknown placeholder ${usr} (did you mean 'user'?); known are user, messages, "),
        (
            {"a": [{"b": "${histry}"}]},
            "request.a[0].b: unknown placeholder ${histry} (did you mean 'history'?)",
        ),
        ("${}", "request: unknown placeholder ${}"),
        ("${user", "request: ${ in '${user' is not closed by }; $${ stands for itself"),
        ("${env:KEY}", "request: ${env:KEY} may stand in 'url' and 'headers' only"),
        ("${item.id}", "request: ${item.id} may stand in the '$as' of an '$each' only"),
        ({"$each": "${user}", "$as": 1}, "request.$each: expected one of ${messages}, ${history}, "),
        ({"$each": "${message}", "$as": 1}, "(did you mean 'messages'?)"),
        ({"$each": ["${messages}"], "$as": 1}, "request.$each: expected one of"),
        ({"$each": "${messages}"}, "request: '$each' and '$as' go together"),
        ({"$as": 1}, "request: '$each' and '$as' go together"),
        (
            {"$each": "${messages}", "$as": 1, "b": 2},
            "'$each' goes with '$as' and nothing else, found 'b' too",
        ),
        (
            {"$each": "${tool_calls}", "$as": "${item.args}"},
            "request.$as: unknown placeholder ${item.args} (did you mean 'item.arguments'?)",
        ),
        (
            {"$each": "${messages}", "$as": [{"$each": "${messages}", "$as": 1}]},
            "an '$each' inside another one is not possible",
        ),
        ({"a": {1, 2}}, "request.a: expected a JSON value, found {1, 2}"),
    ],
)
def test_what_cannot_be_filled_is_refused_with_its_place(template, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        check_template(template, "request")


def test_texts_of_addresses_and_headers_have_names_of_their_own():
    check_text(
        "Bearer ${env:TOKEN} ${conversation_id} ${turn} ${model_url} ${model_key} $${x}",
        "headers.a",
        names=TEXT_NAMES,
    )
    with pytest.raises(ValueError, match=r"headers.a: unknown placeholder \$\{user\}"):
        check_text("${user}", "headers.a", names=TEXT_NAMES)
    with pytest.raises(ValueError, match=r"unknown placeholder \$\{env:\}"):
        check_text("${env:}", "headers.a", names=TEXT_NAMES)


def test_the_names_of_a_template_are_known():
    template = {"a": ["${user}", {"$each": "${history}", "$as": "${item.role} ${turn}"}], "b": 1}
    assert names_in(template) == {"user", "history", "item.role", "turn"}
