# ruff: noqa: E501 - tables, one case a line
"""contain_message and pair_tool_calls look at the array that the model was sent."""

import msgspec
import pytest
from refusals import answers_of, refusal_of

from grice.checks.context import have_last_user_message
from grice.checks.message_events import ReadMessages, events_of
from grice.formats import read_conversation
from grice.matchers import contain_message, pair_tool_calls
from grice.matching.context import resolve_subject
from grice.matching.judge import judge
from grice.records import Conversation, Exchange, Message, ToolCall, Turn

ANTHROPIC = [
    {"role": "user", "content": "Update Ajax Search"},
    {
        "role": "assistant",
        "content": [
            {"type": "text", "text": "Updating now!"},
            {"type": "tool_use", "id": "t1", "name": "update", "input": {"slug": "ajax"}},
        ],
    },
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "4.13.5"}]},
]
CHAT = [
    {"role": "user", "content": "Update Ajax Search"},
    {
        "role": "assistant",
        "content": "Updating now!",
        "tool_calls": [
            {"id": "t1", "type": "function", "function": {"name": "update", "arguments": '{"slug":"ajax"}'}}
        ],
    },
    {"role": "tool", "tool_call_id": "t1", "content": "4.13.5"},
]
RESPONSES = [
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Update Ajax Search"}]},
    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Updating now!"}]},
    {"type": "function_call", "call_id": "t1", "name": "update", "arguments": '{"slug":"ajax"}'},
    {"type": "function_call_output", "call_id": "t1", "output": "4.13.5"},
]
NEUTRAL = Conversation(
    turns=(
        Turn(
            1,
            (
                Message("user", "Update Ajax Search"),
                Message("assistant", "Updating now!", (ToolCall("update", {"slug": "ajax"}, id="t1"),)),
                Message("tool", "4.13.5", tool_call_id="t1"),
            ),
        ),
    )
)
SHAPES = [
    ANTHROPIC,
    tuple(ANTHROPIC),
    CHAT,
    RESPONSES,
    Exchange({"messages": ANTHROPIC}),
    Exchange({"messages": CHAT}, dialect="openai_chat"),
    Exchange({"input": RESPONSES}, dialect="openai_responses"),
    NEUTRAL,
]


def verdict_on(subject, matcher):
    seen = resolve_subject(subject)
    verdict = judge(matcher, seen.subject, seen.context)
    negated = judge(~matcher, seen.subject, seen.context)
    assert negated.outcome == {"pass": "fail", "fail": "pass"}.get(verdict.outcome, verdict.outcome)
    return verdict


def verdict_on_value(subject, matcher):
    """The verdict that names its subject as a value."""
    return judge(
        matcher, subject, msgspec.structs.replace(resolve_subject(subject).context, noun="the value")
    )


@pytest.mark.parametrize(
    ("arguments", "outcome"),
    [
        ({"role": "user"}, "pass"),
        ({"role": "user", "content": "Ajax"}, "pass"),
        ({"role": "user", "content": "ajax"}, "fail"),
        ({"content": "4.13.5"}, "pass"),
        ({"role": "user", "content": "4.13.5"}, "fail"),
        ({"role": "user", "content": "Ajax", "before": "tool_use"}, "pass"),
        ({"role": "user", "content": "Ajax", "after": "tool_use"}, "fail"),
        ({"role": "assistant", "before": "tool_use", "after": "user"}, "pass"),
        ({"role": "tool_use", "content": "update"}, "pass"),
        ({"role": "tool_use", "content": '"slug":"ajax"'}, "pass"),
        ({"role": "tool_result", "id": "t1", "after": "tool_use"}, "pass"),
        ({"role": "tool_result", "id": "t2"}, "fail"),
        ({"id": "t1", "before": "tool_result"}, "pass"),
        ({"role": "tool_result", "before": "tool_use"}, "fail"),
        ({"role": "system"}, "fail"),
        ({"role": "user", "before": "system"}, "inconclusive"),
        ({"role": "user", "after": "system"}, "inconclusive"),
    ],
    ids=str,
)
def test_the_three_shapes_and_the_record_say_the_same(arguments, outcome):
    for subject in SHAPES:
        assert verdict_on(subject, contain_message(**arguments)).outcome == outcome, type(subject).__name__


@pytest.mark.parametrize("subject", SHAPES, ids=lambda value: type(value).__name__)
def test_calls_and_results_pair_up_in_every_shape(subject):
    assert verdict_on(subject, pair_tool_calls()).outcome == "pass"


def test_bug_b_the_users_message_is_not_in_the_array_of_the_tool_result_turn():
    asked = contain_message(role="user", content="Update", before="tool_use")
    verdict = verdict_on(Exchange({"messages": ANTHROPIC[1:]}), asked)
    assert verdict.outcome == "fail"
    assert (
        verdict.claim
        == "the request to the model to contain a user message with 'Update' before the last tool_use"
    )
    assert verdict.reason.split("\n") == [
        "the model was sent:",
        "   0  assistant    'Updating now!'",
        '   0  tool_use     \'update {"slug":"ajax"}\'',
        "   1  tool_result  '4.13.5'",
    ]


def test_a_message_in_the_wrong_place_is_named():
    messages = [*ANTHROPIC[1:], {"role": "user", "content": "Update"}]
    verdict = verdict_on(messages, contain_message(role="user", content="Update", before="tool_use"))
    assert verdict.reason.startswith("it is there, but in the wrong place (message 2); the model was sent:")


def test_before_is_the_last_of_its_kind_and_after_the_first():
    twice = [*ANTHROPIC, {"role": "user", "content": "again"}, *ANTHROPIC[1:]]
    assert verdict_on(twice, contain_message(content="again", before="tool_use")).outcome == "pass"
    assert verdict_on(twice, contain_message(content="again", after="tool_use")).outcome == "pass"


def test_a_message_found_is_the_evidence():
    (evidence,) = verdict_on(ANTHROPIC, contain_message(role="tool_result")).evidence
    assert (evidence.quote, evidence.path) == ("4.13.5", "messages[2]")


@pytest.mark.parametrize(
    "subject",
    [
        Exchange({"system": "Be kind.", "messages": ANTHROPIC}),
        Exchange({"system": [{"type": "text", "text": "Be kind."}], "messages": ANTHROPIC}),
        Exchange({"instructions": "Be kind.", "input": RESPONSES}),
        Exchange({"messages": [{"role": "system", "content": "Be kind."}, *CHAT]}),
        [{"role": "system", "content": "Be kind."}, *CHAT],
        Conversation(turns=NEUTRAL.turns, system="Be kind."),
    ],
    ids=["anthropic", "anthropic blocks", "responses", "chat", "array", "record"],
)
def test_the_system_prompt_counts_wherever_it_is(subject):
    assert (
        verdict_on(subject, contain_message(role="system", content="kind", before="user")).outcome == "pass"
    )
    assert verdict_on(subject, contain_message(role="system", content="rude")).outcome == "fail"


def test_an_input_that_is_a_text_is_a_user_message():
    assert (
        verdict_on(Exchange({"input": "Hello"}), contain_message(role="user", content="Hell")).outcome
        == "pass"
    )


@pytest.mark.parametrize(
    "subject", [[], (), Exchange({}), Exchange({"messages": []}), Exchange({"messages": 5})]
)
def test_an_empty_array_is_inconclusive(subject):
    assert verdict_on(subject, contain_message(role="user")).reason == "the message array is empty"
    assert verdict_on(subject, contain_message(role="user")).outcome == "inconclusive"
    assert verdict_on(subject, pair_tool_calls()).outcome == "inconclusive"


KINDS = "'system', 'user', 'assistant', 'tool_use' or 'tool_result'"


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({}, "name the message: role=, content= or id="),
        ({"before": "user"}, "name the message: role=, content= or id="),
        ({"role": "tool_usee"}, f"role is {KINDS}, found 'tool_usee' (did you mean 'tool_use'?)"),
        ({"role": "zebra"}, f"role is {KINDS}, found 'zebra'"),
        (
            {"role": "user", "before": "tooluse"},
            f"before is {KINDS}, found 'tooluse' (did you mean 'tool_use'?)",
        ),
        ({"role": "user", "after": 5}, f"after is {KINDS}, found 5"),
        ({"role": "user", "content": ""}, "content is a text that is not empty, found ''"),
        ({"content": 5}, "content is a text that is not empty, found 5"),
        ({"role": "tool_use", "id": ""}, "id is a text that is not empty, found ''"),
    ],
)
def test_a_message_that_is_not_named_rightly_is_refused(arguments, problem):
    assert refusal_of(contain_message, **arguments) == problem
    for subject in (ANTHROPIC, []):
        assert answers_of(subject, "contain_message", **arguments) == {("error", problem)}


@pytest.mark.parametrize(
    ("subject", "reason"),
    [
        ("text", "judges a Conversation, an Exchange or a list of messages, found str"),
        (None, "found NoneType"),
        ([5], "judges message arrays: message 0 "),
        ([{"role": "user", "content": "x"}, {"role": "robot"}], "judges message arrays: message 1 "),
    ],
)
def test_what_is_no_message_array_is_an_error(subject, reason):
    verdict = verdict_on(subject, contain_message(role="user"))
    assert verdict.outcome == "error"
    assert reason in verdict.reason


def use(*ids):
    blocks = [{"type": "tool_use", "id": id_, "name": "x", "input": {}} for id_ in ids]
    return {"role": "assistant", "content": blocks}


def result(*ids):
    blocks = [{"type": "tool_result", "tool_use_id": id_, "content": "ok"} for id_ in ids]
    return {"role": "user", "content": blocks}


@pytest.mark.parametrize(
    ("messages", "outcome", "reason"),
    [
        ([{"role": "user", "content": "Hi"}], "inconclusive", "the message array has no tool calls"),
        ([use("a"), result("a")], "pass", "2 calls and results pair up"),
        ([use("a", "b"), result("b", "a")], "pass", "4 calls"),
        ([use("a"), result("a"), use("a"), result("a")], "pass", "4 calls"),
        ([use("a")], "fail", "the tool call of id 'a' has no result"),
        ([use("a", "b"), result("a")], "fail", "the tool call of id 'b' has no result"),
        ([result("a")], "fail", "message 0: a result of id 'a' answers no open tool call"),
        ([result("a"), use("a")], "fail", "message 0: a result of id 'a' answers no open tool call"),
        (
            [use("a"), result("b")],
            "fail",
            "message 1: a result of id 'b' answers no open tool call; the tool call",
        ),
        ([use("a"), result("a"), result("a")], "fail", "message 2: a result of id 'a' answers no open"),
        ([use("a", "a"), result("a")], "fail", "message 0: a second tool call of id 'a' is open"),
    ],
)
def test_every_call_is_answered_once_by_a_later_result(messages, outcome, reason):
    verdict = verdict_on(messages, pair_tool_calls())
    assert verdict.outcome == outcome
    assert verdict.reason.startswith(reason)


def test_a_long_array_is_shown_from_its_end():
    messages = [{"role": "user", "content": f"message {n} " + "x" * 500} for n in range(40)]
    lines = verdict_on(messages, contain_message(content="needle")).reason.split("\n")
    assert len(lines) == 14
    assert lines[1].strip() == "... 28 earlier"
    assert lines[-1].startswith("  39  user         'message 39")


def test_messages_that_were_read_are_judged_like_the_request():
    request = Exchange({"messages": ANTHROPIC})
    for matcher in (contain_message(role="user", before="tool_use"), pair_tool_calls()):
        assert verdict_on(ReadMessages(events_of(request)), matcher) == verdict_on_value(request, matcher)


def test_a_list_that_changed_is_read_again():
    messages = CHAT[:1]
    assert len(events_of(messages)) == 1
    messages.append({"role": "assistant", "content": "Hi"})
    assert len(events_of(messages)) == 2


PAGE = {
    "type": "document",
    "source": {"type": "text", "media_type": "text/plain", "data": "The secret word."},
}
PICTURE = {
    "type": "image",
    "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0K" * 5_000},
}


@pytest.mark.parametrize(
    ("messages", "role"),
    [
        ([{"role": "user", "content": [PAGE]}], "user"),
        ([{"role": "user", "content": [{"type": "text", "text": "Read it"}, PICTURE, PAGE]}], "user"),
        ([*ANTHROPIC[:2], {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": [PAGE]}]}], "tool_result"),
        ([*ANTHROPIC[:2], {"role": "user", "content": [*ANTHROPIC[2]["content"], PAGE]}], "user"),
        ([*CHAT[:2], {"role": "tool", "tool_call_id": "t1", "content": [PAGE]}], "tool_result"),
        ([*RESPONSES[:3], {"type": "function_call_output", "call_id": "t1", "output": [PAGE]}], "tool_result"),
        ([{"role": "assistant", "content": [{"type": "thinking", "thinking": "The secret word."}]}], "assistant"),
        ([{"type": "reasoning", "summary": [{"text": "The secret word."}]}], "assistant"),
        ([{"type": "mcp_call", "name": "f", "id": "m", "arguments": "{}", "output": [PAGE]}], "tool_result"),
    ],
    ids=["document", "among others", "in a result", "beside a result", "chat result", "responses result", "thinking", "reasoning", "mcp"],
)  # fmt: skip
def test_content_that_is_not_text_is_looked_at_as_json(messages, role):
    for subject in (messages, Exchange({"messages": messages}), read_conversation(messages)):
        found = verdict_on(subject, contain_message(role=role, content="The secret word."))
        assert found.outcome == "pass", found.reason
        assert verdict_on(subject, contain_message(content="another word")).outcome == "fail"


def test_encoded_bytes_are_cut_and_text_is_not():
    long = {**PAGE, "source": {**PAGE["source"], "data": "word " * 1_000 + "needle"}}
    (event,) = events_of([{"role": "user", "content": [{"type": "text", "text": "Look"}, PICTURE, long]}])
    assert event.said == "Look"
    assert event.text.startswith('Look\n{"type":"image"')
    assert "(40000 characters)" in event.text
    assert "needle" in event.text
    assert len(event.text) < 6_000


EARLIER = [
    {"role": "user", "content": "Yesterday my plugin broke. Update it?"},
    use("h1"),
    result("h1"),
    {"role": "assistant", "content": "Shall I update it?"},
]
YES = {"role": "user", "content": "Yes"}
REMINDER = {"type": "text", "text": "Remember: one sentence."}


@pytest.mark.parametrize(
    ("messages", "outcome", "reason"),
    [
        ([YES, use("t1"), result("t1")], "pass", "message 0 is it"),
        ([*EARLIER, YES, use("t1"), result("t1"), use("t2"), result("t2")], "pass", "message 4 is it"),
        ([*EARLIER, use("t1"), result("t1")], "fail", "the last user message is 'Yesterday my plugin broke."),
        ([{"role": "user", "content": "Yes, please"}, use("t1")], "fail", "the last user message is 'Yes, please'"),
        ([use("t1"), result("t1")], "fail", "there is no user message; the model was sent:"),
        ([use("t1"), result("t1"), YES], "fail", "it is there, but in the wrong place (message 2)"),
        ([use("t1"), result("t1"), YES, use("t2"), result("t2")], "fail", "it is there, but in the wrong place"),
        ([YES, *EARLIER[1:], use("t1"), result("t1")], "fail", "it is there, but in the wrong place (message 0)"),
        ([YES, use("x1"), result("x1")], "pass", "message 0 is it"),
        ([YES], "inconclusive", "there is no tool_use to be before"),
        ([{"role": "user", "content": [{"type": "text", "text": "Yes"}, PICTURE]}, use("t1")], "pass", ""),
        ([YES, use("t1"), {"role": "user", "content": [*result("t1")["content"], REMINDER]}], "pass", ""),
        ([*EARLIER, use("t1"), {"role": "user", "content": [*result("t1")["content"], {"type": "text", "text": "Yes"}]}], "fail", "it is there, but in the wrong place"),
        ([use("h1"), {"role": "user", "content": [*result("h1")["content"], {"type": "text", "text": "Yes"}]}, use("t1")], "pass", ""),
    ],
)  # fmt: skip
def test_the_last_user_message_is_the_turns_own_and_stands_before_its_calls(messages, outcome, reason):
    verdict = verdict_on(messages, have_last_user_message("Yes", {"t1", "t2"}))
    assert verdict.outcome == outcome, verdict.reason
    assert verdict.reason.startswith(reason)
    if outcome != "pass":
        assert "the model was sent:" in verdict.reason


def in_role(message, role):
    return {**message, "role": role}


SERVED = [
    {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {}},
    {"type": "web_search_tool_result", "tool_use_id": "s1", "content": []},
]


@pytest.mark.parametrize(
    ("call", "result", "stray", "problem"),
    [
        (in_role(use("a"), "user"), result("a"), "tool_use", "message 1: a tool_use stands in a user message, and belongs to the assistant"),
        (in_role(use("a"), "system"), result("a"), "tool_use", "message 1: a tool_use stands in a system message, and belongs to the assistant"),
        (use("a"), in_role(result("a"), "assistant"), "tool_result", "message 2: a tool_result stands in an assistant message, and belongs to a user or tool message"),
        (use("a"), in_role(result("a"), "system"), "tool_result", "message 2: a tool_result stands in a system message, and belongs to a user or tool message"),
    ],
)  # fmt: skip
def test_a_call_belongs_to_the_assistant_and_a_result_to_the_user(call, result, stray, problem):
    messages = [YES, call, result]
    for subject in (messages, Exchange({"messages": messages}), read_conversation(messages)):
        verdict = verdict_on(subject, contain_message(role=stray, id="a"))
        assert verdict.outcome == "fail"
        assert verdict.reason.startswith("message ")
        other = "tool_use" if stray == "tool_result" else "tool_result"
        assert verdict_on(subject, contain_message(role=other, id="a")).outcome == "pass"
    assert verdict_on(messages, contain_message(role=stray)).reason.startswith(
        f"{problem}; the model was sent:"
    )
    assert verdict_on(messages, pair_tool_calls()).reason == problem
    # without a role it is the content that counts, wherever it stands
    assert verdict_on(messages, contain_message(id="a")).outcome == "pass"


def test_in_the_chat_shape_a_call_and_its_result_have_their_roles_too():
    for index, role in ((1, "user"), (2, "user"), (2, "assistant")):
        messages = [*CHAT]
        messages[index] = in_role(messages[index], role)
        kind = "tool_use" if index == 1 else "tool_result"
        assert verdict_on(messages, contain_message(role=kind)).outcome == "fail", (index, role)
        assert verdict_on(messages, pair_tool_calls()).outcome == "fail", (index, role)


def test_the_providers_own_tools_answer_in_the_assistants_message():
    messages = [YES, {"role": "assistant", "content": SERVED}]
    assert verdict_on(messages, pair_tool_calls()).outcome == "pass"
    assert verdict_on(messages, contain_message(role="tool_result", id="s1")).outcome == "pass"


def test_a_users_own_calls_are_in_their_place():
    calls = [{"id": "u1", "name": "reboot", "arguments": {}, "requestor": "user"}]
    talk = read_conversation(
        [
            {"role": "user", "content": None, "tool_calls": calls},
            {"role": "tool", "id": "u1", "content": "done", "requestor": "user"},
        ]
    )
    assert verdict_on(talk, contain_message(role="tool_use", id="u1")).outcome == "pass"


def test_a_block_that_stands_in_a_strangers_message_is_neither_found_by_its_id_nor_a_bound():
    strayed = [{"role": "user", "content": "hi"}, {"role": "user", "content": [use("a")["content"][0]]}]
    assert verdict_on(strayed, contain_message(id="a")).outcome.value == "fail"
    bound = verdict_on(strayed, contain_message(role="user", content="hi", before="tool_use"))
    assert bound.outcome.value == "inconclusive"
