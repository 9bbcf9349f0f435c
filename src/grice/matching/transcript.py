"""A conversation as plain text, the way failures and reports show it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from msgspec import UNSET

from grice.matching.redacted import redacted_record
from grice.records import AgentFailure, JsonValue, Message, ToolCall, Turn
from grice.text import shorten, value_text, visible
from grice.text.display import shown_lines

ROLE_WIDTH = 11
MAX_TEXT = 2_000
MAX_LINES = 40
MAX_ARGUMENT = 200
MAX_ARGUMENTS = 500
MAX_NAME = 100
MAX_TURNS = 20
MAX_RETRIES = 10

_Row = tuple[Message, list[str]]


def transcript(turns: tuple[Turn, ...], *, marked: int | None = None, keep: int = MAX_TURNS) -> str:
    """The turns as text, one message a row, with the agent's side of turn `marked` behind `>`.

    Secrets are redacted, as in a journal. Text of agents is shown as text: control characters become visible
    escapes, long messages are cut with their length named, and of a long conversation only the last `keep`
    turns up to the marked one are shown.
    """
    turns = redacted_record(turns, tuple[Turn, ...])
    last = next((i + 1 for i, turn in enumerate(turns) if turn.number == marked), len(turns))
    end = max(last, min(len(turns), keep))
    start = max(0, end - keep)
    width = max([2, *(len(str(turn.number)) for turn in turns[start:end])])
    lines = [_omitted(start, "earlier", width)] if start else []
    for turn in turns[start:end]:
        lines += _turn_lines(turn, width, marked=turn.number == marked)
    if end < len(turns):
        lines.append(_omitted(len(turns) - end, "later", width))
    return "\n".join(lines)


def _omitted(count: int, which: str, width: int) -> str:
    return f"{'':{width + 3}}... {count} {which} turn{'' if count == 1 else 's'}"


def _turn_lines(turn: Turn, width: int, *, marked: bool) -> Iterator[str]:
    number = str(turn.number)
    answers = {message.tool_call_id for message in turn.messages if message.role == "tool"}
    for message, lines in _folded([(one, _message_lines(one, answers)) for one in turn.messages]):
        agents = message.role != "user"
        yield from _rows(f"{number:>{width}}", message.role, lines, marked=marked and agents)
        number = ""
        if message is turn.messages[0]:
            yield from _rows(f"{'':>{width}}", "retried", _retry_lines(turn), marked=marked)
            yield from _rows(f"{'':>{width}}", "assistant", _seen_lines(turn), marked=marked)
    if turn.failure is not None:
        yield from _rows(f"{number:>{width}}", "failure", _failure_lines(turn.failure), marked=True)
    elif all(message.role == "user" for message in turn.messages):
        yield from _rows(f"{number:>{width}}", "assistant", ["(no reply)"], marked=marked)


def _folded(rows: list[_Row]) -> Iterator[_Row]:
    """The messages with their lines; equal calls in a row with equal results are one, with their number."""
    steps: list[list[_Row]] = []
    for row in rows:
        if row[0].role != "tool" or not steps:
            steps.append([])
        steps[-1].append(row)
    last: list[str] = []
    count = 0
    waiting: list[_Row] = []
    for step, whole, times in map(_one_of_equal, steps):
        if waiting and waiting[0][0].tool_calls and whole == last:
            count += times
            continue
        yield from _counted(waiting, count)
        waiting, last, count = step, whole, times
    yield from _counted(waiting, count)


def _one_of_equal(step: list[_Row]) -> tuple[list[_Row], list[str], int]:
    """A message and its results, as one call and its result where all are the same; what they are as a whole,
    of which lines may show a part; and how many they are.
    """
    (message, lines), *results = step
    calls = [whole_call(one) for one in message.tool_calls]
    answers = [repr((one.role, one.content, one.is_error, one.attachments)) for one, _ in results]
    times = len(calls)
    same = times > 1 and lines == [lines[0]] * times and calls == [calls[0]] * times
    if not same or len(results) not in (0, times) or answers != answers[:1] * len(answers):
        said = "" if calls and not message.content and not message.attachments else repr(message)
        return step, [said, *calls, *answers], 1
    return [(message, lines[:1]), *results[:1]], ["", calls[0], *answers[:1]], times


def _counted(step: list[_Row], count: int) -> list[_Row]:
    return [
        (one, [f"{lines[0]}  x {count}", *lines[1:]] if count > 1 and one.tool_calls else lines)
        for one, lines in step
    ]


def _rows(number: str, role: str, lines: list[str], *, marked: bool) -> Iterator[str]:
    marker = ">" if marked else " "
    for line in lines:
        yield f"{marker}{number}  {role:<{ROLE_WIDTH}}{line}".rstrip()
        number, role = " " * len(number), ""


def _message_lines(message: Message, answers: set[str | None]) -> list[str]:
    said = _text_lines(message.content) if message.content else []
    said += [shorten(visible(str(one), newlines=False), MAX_ARGUMENT) for one in message.attachments]
    asked = [(whole_call(call), list(_call_lines(call, answers))) for call in message.tool_calls]
    told = any(call.id in answers for call in message.tool_calls)  # then they are folded with their results
    shown = [lines for _, lines in asked] if told else _equal_once(asked)
    calls = [line for lines in shown for line in lines]
    if message.is_error:
        said[:1] = [f"error: {said[0] if said else '(no text)'}"]
    if told:
        return said + calls  # what it said while it asked for the tool
    return calls + said or ["(no text)"]


def _call_lines(call: ToolCall, answers: set[str | None]) -> Iterator[str]:
    yield f"-> {call_text(call)}"
    if call.id in answers:
        return  # a message below shows what came back
    if call.error is not None:
        yield f"   error: {shorten(visible(call.error, newlines=False), MAX_ARGUMENT)}"
    elif call.result is not UNSET:
        yield f"   result: {value_text(call.result)}"


def _seen_lines(turn: Turn) -> list[str]:
    """The calls that only the requests to the model tell of."""
    calls: list[tuple[str, list[str]]] = []
    for call in turn.tool_calls:
        if call.source == "wire":
            first, *rest = _call_lines(call, set())
            calls.append((whole_call(call), [f"{first}   (seen in the requests to the model)", *rest]))
    return [line for lines in _equal_once(calls) for line in lines]


def whole_call(call: ToolCall) -> str:
    """All that was asked and came back, by which calls are told apart: what is shown of it is cut."""
    return repr((call.name, call.arguments, call.raw_arguments, call.result, call.error))


def _equal_once(calls: list[tuple[str, list[str]]]) -> Iterator[list[str]]:
    """The lines of the calls with their results; equal ones in a row are one, with their number."""
    for (_, (first, *rest)), equal in groupby(calls):
        count = sum(1 for _ in equal)
        yield [f"{first}  x {count}" if count > 1 else first, *rest]


def _text_lines(text: str) -> list[str]:
    return shown_lines(text, MAX_TEXT, MAX_LINES)


def _retry_lines(turn: Turn) -> list[str]:
    """What the agent noted of the requests that it had to repeat: `503 Service Unavailable, after 0.5 s`."""
    noted = turn.metadata.get("retries")
    retries = [one for one in noted if isinstance(one, dict)] if isinstance(noted, list) else []
    lines = [_retry_line(one) for one in retries[:MAX_RETRIES]]
    return [*lines, f"... ({len(retries)} times)"] if len(retries) > MAX_RETRIES else lines


def _retry_line(retry: dict[str, JsonValue]) -> str:
    from http import HTTPStatus

    cause = retry.get("status", retry.get("error"))
    if cause in {status.value for status in HTTPStatus}:
        cause = f"{cause} {HTTPStatus(cause).phrase}"
    wait = retry.get("after_seconds")
    waited = f", after {wait:g} s" if isinstance(wait, int | float) else ""
    return shorten(visible(f"{cause}{waited}", newlines=False), MAX_ARGUMENT)


def _failure_lines(failure: AgentFailure) -> list[str]:
    return _text_lines(f"{failure.kind}: {failure.message}")


def call_text(call: ToolCall) -> str:
    """A tool call as it would be written, cut when it is long: `book(room='Blue', people=10)`."""
    name = _name_text(call.name)
    if call.raw_arguments is not None:
        return f"{name}(malformed arguments: {value_text(call.raw_arguments)})"
    return f"{name}({arguments_text(call.arguments)})"


def arguments_text(arguments: Mapping[str, object]) -> str:
    """Named arguments as they would be written, as many as fit in 500 characters, at least one."""
    shown: list[str] = []
    room = MAX_ARGUMENTS
    for key, value in arguments.items():
        text = f"{_name_text(key)}={value_text(value)}"
        room -= len(text) + 2
        if room < 0 and shown:
            left = len(arguments) - len(shown)
            return f"{', '.join(shown)} and {left} more argument{'' if left == 1 else 's'}"
        shown.append(text)
    return ", ".join(shown)


def _name_text(name: str) -> str:
    return shorten(visible(name, newlines=False), MAX_NAME)
