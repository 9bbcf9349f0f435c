"""A conversation as nodes: who speaks, the words, and in the margin what was found in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from grice.matching.transcript import call_text, whole_call
from grice.records import Conversation, Evidence, Exchange, Message, Outcome, Result, ToolCall, Turn, Verdict
from grice.reporting.renderers.html.nodes import Node, element
from grice.reporting.renderers.html.verdicts import Margin
from grice.text import plural, shorten

MAX_VALUE = 20_000
"""Characters of a tool's result, of arguments, of data, that are shown."""
MAX_TEXT = 50_000
"""Characters of a message that are shown."""
MAX_CONVERSATION = 2_000_000
"""Characters of a conversation that are shown; of what comes behind them a line each."""
_LINE = 160
_NO_NOTES: Mapping[int, Sequence[Node]] = {}
_LONGEST_ROLE, _LONGEST_FILE = 40, 200

_SHORTENED = re.compile(r"(?:\.\.\.|\u2026)(?: \(\d+ characters\))?$")
_CALL = re.compile(r"tool_calls\[(\d+)\]")
_ORDER = {"assistant": 0, "user": 1, "tool": 2, "system": 3}
_LEAST = 2
"""Characters of a quote that is looked for where nothing says where it stands."""
WORST_FIRST = (Outcome.FAIL, Outcome.ERROR, Outcome.INCONCLUSIVE, Outcome.PASS, Outcome.SKIPPED)


class Room:
    """How much of a conversation may still be shown, and how much was cut."""

    def __init__(self) -> None:
        self.left = MAX_CONVERSATION
        self.cut = 0

    def take(self, text: str, most: int) -> tuple[str, Node]:
        """What is shown of the text, and the note of what is not; "" where that is all."""
        most = min(most, max(self.left, _LINE))
        self.left -= min(len(text), most)
        if len(text) <= most:
            return text, ""
        self.cut += len(text) - most
        return text[:most], element("p", "cut", f"cut: the first {most:,} of {len(text):,} characters")


def conversation_nodes(result: Result, anchor: str, at: int | None) -> list[Node]:
    """What a conversation opens to, with the turn of the number `at` set apart."""
    margin, room = margin_of(result), Room()
    turns = turn_nodes(result.conversation.turns, margin, anchor, room, at)
    return facts_nodes(result, margin, room) + turns


def margin_of(result: Result) -> Margin:
    """The verdicts on a conversation and on who played its user."""
    return Margin((*result.verdicts, *result.conduct), users=len(result.verdicts))


def facts_nodes(result: Result, margin: Margin, room: Room) -> list[Node]:
    """What stands before the turns: facts, the system prompt, the verdicts on the whole conversation."""
    held, verdicts = result.conversation, margin.verdicts
    system = _fold("the system prompt", held.system, room) if held.system else ""
    known = {turn.number for turn in held.turns}
    whole = margin.beside([number for number, one in enumerate(verdicts) if one.turn not in known])
    facts = [result.file, result.set_name and f"set {result.set_name}", _topics(held), *_endings(result)]
    cut = f"{room.cut:,} characters are not shown, each at its place" if room.cut else ""
    shown = [
        element("p", "facts", " \u00b7 ".join(filter(None, facts))) if any(facts) else "",
        element("p", "cut", cut) if cut else "",
        element("p", "cut", "nothing was checked") if not verdicts else "",
        system,
        element("div", "whole", element("h4", "", "On the whole conversation"), whole) if whole else "",
    ]
    return [one for one in shown if one]


def turn_nodes(
    turns: Sequence[Turn],
    margin: Margin,
    anchor: str,
    room: Room,
    at: int | None = None,
    *,
    before: Sequence[Turn] = (),
    told_at: Callable[[Turn], Node] | None = None,
) -> list[Node]:
    """The turns, the one of the number `at` set apart.

    `before` are those that come before them and are not drawn. What the model was told is drawn with each
    turn, or stands where `told_at` says.
    """
    shown: list[Node] = []
    calls = sum(len(one.tool_calls) for one in before)
    topic = before[-1].topic if before else ""
    told = _told_last(before)
    for turn in turns:
        found = _placed(turn, margin.verdicts, calls, margin.unfound)
        calls += len(turn.tool_calls)
        if turn.topic and turn.topic != topic:
            topic = turn.topic
            shown.append(element("p", "topic", topic))
        number = str(turn.number)
        rows: list[Node] = []
        for one in _Rows(turn, found, room).all():
            who = element("div", "who", "" if rows else element("span", "n", f"{number} "), one.who)
            beside = margin.beside(one.verdicts) if one.verdicts else ""
            rows.append(element("div", f"said {one.kind}", who, one.words, beside))
        if turn.exchanges:
            drawn = (
                told_at(turn)
                if told_at
                else element("details", "told", told_summary(turn), *_told(turn.exchanges, told, room))
            )
            rows.append(drawn)
            told = turn.exchanges[-1].messages
        kind = "turn marked" if turn.number == at else "turn"
        name = {"id": f"{anchor}.{number}", "role": "group", "aria_label": f"turn {number}"}
        shown.append(element("div", kind, *rows, **name))
    return shown


class _Row(NamedTuple):
    """A row of a turn: who, how it is drawn, what, and the numbers of the verdicts beside it.

    Of a call `whole` is all of it, of which the words may show a part.
    """

    who: str
    kind: str
    words: Node
    verdicts: list[int]
    whole: str = ""


class _Rows:
    """The rows of one turn."""

    def __init__(self, turn: Turn, found: _Placed, room: Room) -> None:
        self._turn = turn
        self._found = found
        self._room = room
        self._unsaid = dict(enumerate(turn.tool_calls))
        self._answers = {
            one.tool_call_id: place
            for place, one in enumerate(turn.messages)
            if one.role == "tool" and one.tool_call_id
        }

    def all(self) -> list[_Row]:
        """Verdicts that are about no words in particular stand beside the last ones of the agent."""
        turn = self._turn
        asked = [one for message in turn.messages for one in message.tool_calls]
        ids = {one.id for one in asked if one.id}
        places = iter([self._place(one) for one in asked])
        rows: list[_Row] = []
        for place, message in enumerate(turn.messages):
            if message.role == "tool" and message.tool_call_id in ids:
                continue  # it stands with its call
            calls = [self._call(one, next(places)) for one in message.tool_calls]
            words = self._message(place, message)
            answered = any(one.id in self._answers for one in message.tool_calls)
            rows += [*words, *calls] if answered else [*calls, *words]
            if place == 0:
                rows += [self._call(one, number) for number, one in self._unsaid.items()]
        if turn.failure is not None:
            rows.append(self._failure())
        elif all(one.role == "user" for one in turn.messages):
            rows.append(_Row("assistant", "none", element("div", "words", "(no reply)"), []))
        if turn.data is not None:
            text = _text(turn.data)
            line = element("summary", "", element("code", "", shorten(text, _LINE)))
            fold = element("details", "json words", line, *_json("data", text, (), self._room))
            rows.append(_Row("data", "call", fold, []))
        rows = list(_equal_once(rows))
        said = [one for one in rows if one.kind == "assistant"] or rows
        said[-1].verdicts.extend(self._found.rest)
        return rows

    def _place(self, call: ToolCall) -> int | None:
        """Its place in the turn's list of calls, which no other call of a message has from now on."""
        for number, one in self._unsaid.items():
            if one.id == call.id if call.id else one.name == call.name:
                del self._unsaid[number]
                return number
        return None

    def _message(self, place: int, message: Message) -> list[_Row]:
        if message.tool_calls and not (message.content or message.attachments or message.is_error):
            return []
        text, note = self._room.take(message.content, MAX_TEXT)
        files = [element("p", "cut", shorten(str(one), _LONGEST_FILE)) for one in message.attachments]
        words = [
            "error: " if message.is_error else "",
            *_marked(text, self._found.marks.get(place, ())),
            "" if text or files else "(no text)",
        ]
        node = element("div", "words" if text else "words none", *words, note, *files, dir="auto")
        return [_Row(message.role, message.role, node, self._found.beside.get(place, []))]

    def _call(self, call: ToolCall, place: int | None) -> _Row:
        """A call with its answer on one line; opened, both as they are, JSON in lines."""
        verdicts = list(self._found.beside.get(f"c{place}", ()))
        answer: object = call.result if call.error is None else call.error
        failed = call.error is not None
        marks: Sequence[_Mark] = ()
        if call.id in self._answers:
            at = self._answers[call.id]
            message = self._turn.messages[at]
            answer, failed = message.content, failed or message.is_error
            marks = self._found.marks.get(at, ())
            verdicts += self._found.beside.get(at, ())
        name = "error" if failed else "result"
        text = _text(answer) if answer is not UNSET else ""
        back = ("\u2190 error: " if failed else "\u2190 ", shorten(text, _LINE))
        seen = " (seen in the requests to the model)" if call.source == "wire" else ""
        line = element("code", "", "\u2192 ", call_text(call), seen)
        answered = element("code", "back", *(back if answer is not UNSET else ("(not answered)",)))
        parts: list[Node] = [element("summary", "", line, " ", answered)]
        asked = call.arguments if call.raw_arguments is None else call.raw_arguments
        if asked:
            parts += _json("arguments", _text(asked), (), self._room)
        if answer is not UNSET:
            parts += _json(name, text, marks, self._room)
        whole = f"{whole_call(call)} {text}"
        return _Row("assistant", "call", element("details", "json words", *parts), verdicts, whole)

    def _failure(self) -> _Row:
        failure = self._turn.failure
        assert failure is not None
        text, note = self._room.take(f"{failure.kind}: {failure.message}", MAX_TEXT)
        trace = _fold("the traceback", failure.traceback, self._room) if failure.traceback else ""
        return _Row("failure", "failure", element("div", "words", text, note, trace), [])


def _equal_once(rows: Sequence[_Row]) -> Iterator[_Row]:
    """The rows; equal calls in a row are one, with their number, unless verdicts stand beside."""
    for one, equal in groupby(rows):
        alike = list(equal)
        if one.kind != "call" or one.verdicts or len(alike) == 1:
            yield from alike
        else:
            yield one._replace(words=element("div", "", one.words, element("code", "", f"x {len(alike)}")))


def _json(name: str, text: str, marks: Sequence[_Mark], room: Room) -> list[Node]:
    shown, note = room.take(text, MAX_VALUE)
    if not marks and not note:
        shown = _in_lines(shown)
    return [element("pre", "", element("b", "", name), *_marked(shown, marks)), note]


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    try:
        return msgspec.json.encode(value).decode()
    except (TypeError, ValueError, RecursionError):
        return str(value)


def _in_lines(text: str) -> str:
    """JSON with a line for each value, other text as it is."""
    try:
        return msgspec.json.format(text, indent=2) if text.startswith(("{", "[")) else text
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return text


def _fold(name: str, text: str, room: Room) -> Node:
    shown, note = room.take(text, MAX_VALUE)
    line = element("summary", "", f"{name} ({len(text):,} characters)")
    return element("details", "told", line, element("div", "text", shown, dir="auto"), note)


def _told_last(turns: Sequence[Turn]) -> Sequence[object]:
    """The messages of the last request in the turns."""
    return next((one.exchanges[-1].messages for one in reversed(turns) if one.exchanges), ())


def told_summary(turn: Turn) -> Node:
    """What the drawer of what the model was told is called."""
    return element("summary", "", f"what the model was told ({plural(len(turn.exchanges), 'request')})")


def told_nodes(
    turn: Turn, before: Sequence[Turn], room: Room, notes: Mapping[int, Sequence[Node]]
) -> list[Node]:
    """What the model was told in the turn; `notes` has what is to be said of each of its requests."""
    return _told(turn.exchanges, _told_last(before), room, notes)


def _told(
    exchanges: Sequence[Exchange],
    before: Sequence[object],
    room: Room,
    notes: Mapping[int, Sequence[Node]] = _NO_NOTES,
) -> list[Node]:
    """The drawer of what the model was told; messages that it was told before are only counted."""
    shown: list[Node] = []
    for number, one in enumerate(exchanges, 1):
        tokens = (one.input_tokens or 0) + (one.output_tokens or 0)
        counted = f"{tokens:,} tokens" if tokens else ""
        facts = (f"request {number}", one.model, seconds(one.duration), counted, one.error)
        shown.append(element("h4", "", " \u00b7 ".join(filter(None, facts))))
        shown += notes.get(number, ())
        messages = one.messages
        known = _alike(messages, before)
        before = messages
        if known:
            shown.append(element("p", "cut", f"{plural(known, 'message')} as before"))
        else:
            shown += _heard("system", one.system_field, room)
        for each in messages[known:]:
            if isinstance(each, dict):
                shown += _heard(str(each.get("role") or each.get("type")), _content(each), room)
        if not known:
            shown += _heard("tools", ", ".join(one.offered_tools), room)
    return shown


def _alike(one: Sequence[object], other: Sequence[object]) -> int:
    """How many of their first items are the same."""
    pairs = zip(one, other, strict=False)
    return next((place for place, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _heard(role: str, text: str, room: Room) -> list[Node]:
    if not text:
        return []
    shown, note = room.take(text, MAX_VALUE)
    words = element("span", "text", shown, dir="auto")
    return [element("div", "heard", element("span", "role", shorten(role, _LONGEST_ROLE)), " ", words, note)]


def _content(message: Mapping[str, Any]) -> str:
    """What a message of a request says: its texts, and as JSON what is none."""
    content = message.get("content") or ()
    blocks = content if isinstance(content, list) else [content] if content else []
    said = []
    for one in blocks:
        text = one.get("text") if isinstance(one, dict) else one
        said.append(text if isinstance(text, str) else _text(one))
    others = {name: value for name, value in message.items() if name not in ("role", "content") and value}
    return "\n".join([*said, *([_text(others)] if others else [])])


def _topics(held: Conversation) -> str:
    """The topics in the order of their visits."""
    strange = ("" if one.legal or one.number == 1 else "(not in the graph) " for one in held.visits)
    return " \u2192 ".join(f"{mark}{one.topic}" for mark, one in zip(strange, held.visits, strict=True))


def _endings(result: Result) -> Iterator[str]:
    held = result.conversation
    for one in held.simulations:
        yield f"goal: {one.goal}" if one.goal else ""
        yield f"{one.termination}: {one.reason}" if one.reason else one.termination
    if not held.simulations and held.termination not in (None, "completed"):
        yield f"ended: {held.termination}"
    if result.spoiled:
        yield f"the simulated user broke its rules, which {result.spoiled} the agent"
    tokens = (held.input_tokens or 0) + (held.output_tokens or 0)
    if tokens:
        yield f"{tokens:,} tokens"


def seconds(duration: float | None) -> str:
    """`4.1 s`, `12 ms`, "" for None."""
    if duration is None:
        return ""
    return f"{duration:.1f} s" if duration >= 1 else f"{duration * 1000:.0f} ms"


class _Mark(NamedTuple):
    """Words of a message that are evidence of the verdict of that number."""

    start: int
    end: int
    verdict: int
    outcome: Outcome


class _Placed:
    """What stands beside what in one turn.

    `marks` are those in a message, by its place in the turn. `beside` are the numbers of the verdicts whose
    evidence is in a message (its place) or in a call (`c` and its place in the turn), `rest` all others.
    `unfound` has for a verdict the evidence that none of the words shown are.
    """

    def __init__(self) -> None:
        self.marks: dict[int, list[_Mark]] = {}
        self.beside: dict[int | str, list[int]] = {}
        self.rest: list[int] = []


def _placed(
    turn: Turn, verdicts: Sequence[Verdict], first_call: int, unfound: dict[int, list[Evidence]]
) -> _Placed:
    """Find where the evidence on this turn stands. `first_call` is the number of its first call in the whole.

    Evidence in this turn whose words are not there is added to `unfound`.
    """
    found = _Placed()
    by_speaker = sorted(enumerate(turn.messages), key=lambda one: _ORDER[one[1].role])
    for number, verdict in enumerate(verdicts):
        where: int | str | None = None
        for one in verdict.evidence:
            if (one.turn or verdict.turn) != turn.number:
                continue
            spot: int | str | None = _call(one, first_call, len(turn.tool_calls))
            if spot is None:
                for place, message in by_speaker:
                    span = _span(message.content, one)
                    if span is not None:
                        spot = place
                        mark = _Mark(*span, number, verdict.outcome)
                        found.marks.setdefault(place, []).append(mark)
                        break
            if spot is None and one.quote:
                unfound.setdefault(number, []).append(one)
            where = spot if where is None else where
        if verdict.turn == turn.number:
            (found.rest if where is None else found.beside.setdefault(where, [])).append(number)
    return found


def _call(evidence: Evidence, first: int, count: int) -> str | None:
    """The call of the turn that the path of the evidence names."""
    named = _CALL.match(evidence.path or "")
    place = int(named[1]) - first if named else -1
    return f"c{place}" if 0 <= place < count else None


def _span(text: str, evidence: Evidence) -> tuple[int, int] | None:
    """Where the quote stands: at its offsets when they fit, else where it is first found."""
    quote = _SHORTENED.sub("", evidence.quote)
    if not quote:
        return None
    start = evidence.start
    if start is None or text[start : start + len(quote)] != quote:
        start = text.find(quote) if len(quote) >= _LEAST else -1
    return None if start < 0 else (start, start + len(quote))


def _marked(text: str, marks: Iterable[_Mark]) -> list[Node]:
    """The text with what is marked in elements that name their verdicts; the worst outcome has its colour."""
    found = [one for one in marks if one.start < len(text)]
    if not found:
        return [text]
    edges = sorted({0, len(text), *(min(edge, len(text)) for one in found for edge in (one.start, one.end))})
    nodes: list[Node] = []
    for start, end in pairwise(edges):
        over = [one for one in found if one.start <= start and end <= one.end]
        if not over:
            nodes.append(text[start:end])
            continue
        worst = min(over, key=lambda one: WORST_FIRST.index(one.outcome))
        numbers = " ".join(str(one.verdict) for one in over)
        nodes.append(element("mark", worst.outcome.value, text[start:end], data_of=numbers))
    return nodes
