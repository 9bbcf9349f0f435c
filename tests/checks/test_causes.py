# ruff: noqa: E501 - tables, one case a line
"""Each cause that the record of a conversation shows, and the record beside it that shows none."""

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from grice.checks.causes import cause_lines, causes
from grice.records import Conversation, Exchange, Message, ToolCall, Turn

ORDER = {"id": "A101", "status": "open"}


TOOLS = [
    {"type": "function", "function": {"name": "refund"}},
    {"type": "function", "function": {"name": "get_order"}},
]


def request(*messages, system="You help.", reply="Hi!", calls=(), tools=()):
    """A request to a model and its reply; messages are texts of the user, or pairs of role and text."""
    told = [("user", one) if isinstance(one, str) else one for one in messages]
    body = [{"role": "system", "content": system}] if system else []
    body += [{"role": role, "content": text} for role, text in told]
    asked = [
        {"id": c.id, "type": "function", "function": {"name": c.name, "arguments": args}} for c, args in calls
    ]
    message = {"role": "assistant", "content": reply, **({"tool_calls": asked} if asked else {})}
    return Exchange(
        {"messages": body, "tools": list(tools)}, {"choices": [{"message": message}]}, "openai_chat"
    )


def turn(number, user, reply, *exchanges, calls=()):
    messages = [Message("user", user)]
    if calls:
        messages.append(Message("assistant", tool_calls=tuple(calls)))
        messages += [
            Message("tool", str(one.error or one.result), tool_call_id=one.id, is_error=one.error is not None)
            for one in calls
        ]
    messages.append(Message("assistant", reply))
    return Turn(number, tuple(messages), tuple(calls), tuple(exchanges))


def call(name="get_order", arguments=None, result=UNSET, error=None, id="c1", **more):  # noqa: A002
    return ToolCall(
        name, {"id": "A101"} if arguments is None else arguments, id, result=result, error=error, **more
    )


def talk(*turns):
    return Conversation("", turns)


FIRST = turn(1, "Hello there", "Hi!", request("Hello there"))
ANSWERED = call(result=ORDER)
PRICED = call(result={**ORDER, "total": 95})
PROMISE = request(*["Please refund A101", ("assistant", "I have refunded your order.")] * 12, tools=TOOLS)


@pytest.mark.parametrize(
    ("kind", "conversation", "line"),
    [
        (
            "message_not_sent",
            talk(FIRST, turn(2, "Refund order A101", "Sure?", request("Hello there", ("assistant", "Hi!"), "Please continue."))),
            "turn 2: the user's message is in no request to the model, which was sent 'Please continue.'",
        ),
        (
            "model_not_asked",
            talk(FIRST, turn(2, "Refund order A101", "Sure?")),
            "turn 2: the model was not asked",
        ),
        (
            "history_cut",
            talk(FIRST, turn(2, "Refund order A101", "Sure?", request("Refund order A101"))),
            "turn 2: the model was sent 0 of the 2 messages that were said before",
        ),
        (
            "system_prompt_missing",
            talk(FIRST, turn(2, "Bye", "Bye!", request("Hello there", ("assistant", "Hi!"), "Bye", system=""))),
            "turn 2: request 1 to the model has no system prompt, others have one",
        ),
        (
            "equal_calls",
            talk(turn(1, "Where is A101?", "It is open.", calls=[ANSWERED] * 5)),
            "turn 1: get_order(id='A101') was called 5 times with the same arguments",
        ),
        (
            "malformed_arguments",
            talk(turn(1, "Where?", "Hm.", calls=[call(arguments={}, raw_arguments='{"id": "A1', result="?")])),
            """turn 1: the arguments of get_order are no JSON object: '{"id": "A1'""",
        ),
        (
            "call_not_run",
            talk(turn(1, "Where?", "Hm.", request("Where?", calls=[(call(), '{"id": "A101"}')]))),
            "turn 1: the model asked for get_order, and no call of it is on record",
        ),
        (
            "arguments_changed",
            talk(
                turn(
                    1,
                    "Where?",
                    "It is open.",
                    request("Where?", calls=[(call(), '{"id": "B7"}')]),
                    calls=[ANSWERED],
                )
            ),
            "turn 1: the model asked for get_order(id='B7'), the agent ran get_order(id='A101')",
        ),
        (
            "raw_result",
            talk(turn(1, "Where?", '{"status":"open", "id":"A101"}', calls=[ANSWERED])),
            "turn 1: the reply is the raw result of get_order",
        ),
        (
            "broken_json",
            talk(turn(1, "Where?", '```json\n{"status": "open"\n```')),
            "turn 1: the reply begins as JSON and is none: Input data was truncated",
        ),
        (
            "untrue_of_tools",
            talk(turn(1, "Please refund A101", "I have refunded your order.", PROMISE)),
            "turn 1: the reply says 'I have refunded your order', and no tool did that: no tool was called",
        ),
        (
            "untrue_of_tools",
            talk(turn(1, "Please refund A101", "I have refunded it.", calls=[call("refund", error="no route")])),
            "turn 1: the reply says 'I have refunded it', although refund failed: 'no route'",
        ),
        (
            "contradiction",
            talk(turn(1, "Where?", "The status of your order A101 is shipped.", calls=[ANSWERED])),
            "turn 1: the reply speaks of A101, whose status get_order returned as 'open'",
        ),
        (
            "contradiction",
            talk(turn(1, "Where?", "Your order A101 is delivered.", calls=[ANSWERED])),
            "turn 1: the reply speaks of A101, whose status get_order returned as 'open'",
        ),
        (
            "contradiction",
            talk(turn(1, "What does it cost?", "Your order costs 1,095 dollars.", calls=[PRICED])),
            "turn 1: the reply says 1,095, which nothing before it says: get_order returned {'id': 'A101', ",
        ),
    ],
)  # fmt: skip
def test_a_cause_is_named_in_one_line(kind, conversation, line):
    assert [one.kind for one in causes(conversation)] == [kind]
    (told,) = cause_lines(conversation)
    assert told.startswith(line)
    assert "\n" not in told


def must_call(exchange):
    """The same request, which leaves no choice but a call."""
    return replace(exchange, request={**exchange.request, "tool_choice": "required"})


ASKED = request("Where?", calls=[(call(), '{"id": "A101"}')])
SAID = request("Hello there", ("assistant", "Hi!"), "Where is A101?", calls=[(call(), '{"id": "A101"}')])


@pytest.mark.parametrize(
    "conversation",
    [
        talk(),
        talk(FIRST),
        talk(FIRST, turn(2, "Where is A101?", "It is open.", SAID, calls=[ANSWERED])),
        talk(turn(1, "Where is A101?", "It is open.", calls=[ANSWERED])),
        talk(turn(1, "Where is order A101?", "Open.", request("Order A101: where is it, asks a user"))),
        talk(turn(1, "Two of them?", "Both are open.", calls=[ANSWERED, ANSWERED])),
        talk(turn(1, "As JSON", '{"status": "open"}', calls=[ANSWERED])),
        talk(turn(1, "What does it cost?", "Your order A101 (#101) costs $95.00, in 40 days.", calls=[call(result={"total": "$95 in 40 days"})])),
        talk(turn(1, "Cancel it", "A101 is canceled.", calls=[call(result={"id": "A101", "status": "cancelled"})])),
        talk(turn(1, "I have 250 dollars", "Order A101 is open; 250 is enough.", calls=[ANSWERED])),
        talk(turn(1, "Braces?", "{name} is a placeholder: [see above].")),
        talk(turn(1, "...", "Yes?", request("..."))),
        talk(turn(1, "Where?", '{"id": "A101"}', must_call(ASKED))),
    ],
)  # fmt: skip
def test_a_record_that_shows_nothing_has_no_cause(conversation):
    assert causes(conversation) == []


def test_language_is_read_only_where_asked_and_only_the_first_are_listed():
    promise = talk(
        *(turn(n, "Please refund A101", "I have refunded your order.", PROMISE) for n in range(1, 13))
    )
    assert causes(promise, read=False) == []
    assert cause_lines(promise)[-1] == "... and 2 more"


def test_calls_that_differ_behind_what_is_shown_are_not_equal():
    booked = [call(name="book", arguments={"notes": "n" * 600, "amount": one}) for one in range(3)]
    record = talk(turn(1, "Book it", "Done.", calls=booked))
    assert not [one for one in cause_lines(record) if "the same arguments" in one]
