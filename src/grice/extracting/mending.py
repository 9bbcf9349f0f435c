"""What the turn of a fault would be without it: one mending for each kind of finding that has one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import msgspec
from msgspec.structs import replace

from grice.extracting.fault import Fault, judge_last
from grice.extracting.shrinking import rebuilt
from grice.formats.pairing import CallPlace, pair_results
from grice.formats.writing import write_conversation
from grice.records import Conversation, Exchange, JsonValue, Message, Outcome, ToolCall, Turn
from grice.text.sentences import sentence_spans

_OTHER_REPLIES = (
    "Nothing was done yet. Which of these would you like?",
    "That did not work: the tool returned an error, and nothing was changed.",
    "Please wait a moment.",
    "Understood.",
)
"""Replies that claim nothing and repeat nothing."""
_MOST_FACTS = 20


def mended(fault: Fault) -> Conversation | None:
    """The conversation with a small change of its last turn that the check passes, None if none is known."""
    turns = fault.conversation.turns
    for last in _mendings(fault, turns):
        candidate = replace(fault.conversation, turns=(*turns[:-1], last))
        if judge_last(fault.check, candidate).outcome is Outcome.PASS:
            return candidate
    return None


def _mendings(fault: Fault, turns: tuple[Turn, ...]) -> Iterator[Turn]:
    last = turns[-1]
    if fault.check.target.kind == "exchange":
        yield replace(last, exchanges=_whole_requests(turns))
        return
    if any(one.raw_arguments is not None for one in last.tool_calls):
        yield from _changed(last, lambda one: replace(one, tool_calls=_well_formed(one.tool_calls)))
    yield from _changed(last, _without_narration)
    once = rebuilt(last, list(_each_call_once(last.messages)))
    if once is not None and once != last:
        yield once
    silent = next(_changed(last, _without_narration), None)
    for text in (*_without_marked(fault), *_earlier_statements(fault), *_OTHER_REPLIES, *_facts(fault)):
        yield from _with_reply(last, text)
        if silent is not None:
            yield from _with_reply(silent, text)


def _changed(turn: Turn, change: Any) -> Iterator[Turn]:
    made = rebuilt(turn, [change(one) if one.role == "assistant" else one for one in turn.messages])
    if made is not None and made != turn:
        yield made


def _well_formed(calls: tuple[ToolCall, ...]) -> tuple[ToolCall, ...]:
    return tuple(replace(one, raw_arguments=None, arguments={}) for one in calls)


def _each_call_once(messages: Sequence[Message]) -> Iterator[Message]:
    """The messages with each call once, whatever its id, and without the answers to the others."""
    answers = pair_results(messages)
    seen: set[bytes] = set()
    kept: set[CallPlace] = set()
    for index, one in enumerate(messages):
        if one.role == "tool" and index in answers and answers[index] not in kept:
            continue
        calls: list[ToolCall] = []
        for number, call in enumerate(one.tool_calls):
            asked = msgspec.json.encode([call.name, call.arguments, call.raw_arguments])
            if asked not in seen:
                seen.add(asked)
                kept.add(CallPlace(index, number))
                calls.append(call)
        if calls or one.content or not one.tool_calls:
            yield replace(one, tool_calls=tuple(calls))


def _without_narration(message: Message) -> Message:
    return replace(message, content="") if message.tool_calls else message


def _without_marked(fault: Fault) -> Iterator[str]:
    """The reply without the sentences that the verdict marks."""
    text, turn = fault.conversation.turns[-1].text, fault.turn
    marked = [
        (one.start, one.end)
        for one in fault.verdict.evidence
        if one.turn in (None, turn) and one.path is None and one.start is not None and one.end is not None
    ]
    left = [
        text[start:end].strip()
        for start, end in sentence_spans(text)
        if not any(first < end and start < last for first, last in marked)
    ]
    if marked and left:
        yield " ".join(left)


def _earlier_statements(fault: Fault) -> Iterator[str]:
    """What the agent said in the turns that the verdict names: who says it again contradicts nothing."""
    turns = fault.conversation.turns
    for one in fault.verdict.evidence:
        if one.turn is not None and 0 < one.turn < len(turns):
            yield turns[one.turn - 1].text


def _facts(fault: Fault) -> Iterator[str]:
    """Sentences that say nothing but a fact: a field of a result, what was told to the model."""
    turns = fault.conversation.turns
    results = [one.result for turn in reversed(turns) for one in turn.tool_calls if one.answered]
    yield from islice(
        (f"The {name} is {value}." for one in results for name, value in _fields(one)), _MOST_FACTS
    )
    told = [
        one.content for turn in reversed(turns) for one in turn.messages if one.role in ("tool", "system")
    ]
    sentences = (text[start:end].strip() for text in told for start, end in sentence_spans(text))
    yield from islice((one for one in sentences if one[:1] not in ("{", "[")), _MOST_FACTS)


def _fields(value: Any) -> Iterator[tuple[str, str]]:
    """The fields with a text or number in a result, wherever they are, each by its name in words."""
    if isinstance(value, dict):
        for name, item in value.items():
            if isinstance(item, str | int | float) and not isinstance(item, bool):
                yield name.replace("_", " "), str(item)
            else:
                yield from _fields(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _fields(item)


def _with_reply(turn: Turn, text: str) -> Iterator[Turn]:
    """The turn with another answer at its end."""
    messages = list(turn.messages)
    if messages and messages[-1].role == "assistant" and not messages[-1].tool_calls:
        messages.pop()
    made = rebuilt(turn, [*messages, Message("assistant", text)])
    if made is not None:
        yield replace(made, data=None)


def _whole_requests(turns: tuple[Turn, ...]) -> tuple[Exchange, ...]:
    """The requests of the last turn with all that was said before each of them."""
    earlier = [one for turn in turns[:-1] for one in turn.messages]
    last = turns[-1]
    before: list[int] = [index for index, one in enumerate(last.messages) if one.role == "assistant"]
    made: list[Exchange] = []
    for number, exchange in enumerate(last.exchanges):
        end = before[number] if number < len(before) else len(last.messages)
        form: Any = "openai_chat" if exchange.dialect == "openai_chat" else "anthropic"
        written: JsonValue = write_conversation([*earlier, *last.messages[:end]], form)[0]
        made.append(replace(exchange, request={**exchange.request, "messages": written}))
    return tuple(made)
