"""A conversation with its verdicts as nodes: who speaks, the words, and in the margin what was found in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from grice.matching.failure import headline, shown_reason
from grice.matching.judged_by import judges_of
from grice.matching.transcript import call_text
from grice.matching.trivial import TRIVIALLY_TRUE
from grice.records import Evidence, Exchange, Message, Outcome, Result, ToolCall, Turn, Verdict
from grice.reporting.figures_text import plural
from grice.reporting.renderers.html.evidence import Placed, marked, placed
from grice.reporting.renderers.html.nodes import Node, element
from grice.reporting.text import judge_marks, marked_turn
from grice.reporting.verdict_labels import label
from grice.text import shorten

__all__ = ["CALM", "SIGNS", "Row", "Shown", "conversation_row", "conversation_nodes", "turn_nodes", "verdict_list"]

SIGNS = {
    Outcome.PASS: "\u2713",
    Outcome.FAIL: "\u2717",
    Outcome.INCONCLUSIVE: "?",
    Outcome.ERROR: "!",
    Outcome.SKIPPED: "\u2013",
}
CALM = (Outcome.PASS, Outcome.SKIPPED)

MAX_VALUE = 20_000
"""Characters of a tool's result, of arguments, of data, that are shown."""
MAX_TEXT = 50_000
"""Characters of a message that are shown."""
MAX_CONVERSATION = 2_000_000
"""Characters of a conversation that are shown; what is longer than a line and comes behind is cut to one."""
_LINE = 160
_QUIET = 2
"""How many passed verdicts stand in a margin by themselves; more are folded."""
_QUOTES = 3


class Shown:
    """How much of a conversation is still shown, and how much was left out."""

    def __init__(self) -> None:
        self.left = MAX_CONVERSATION
        self.cut = 0

    def take(self, text: str, most: int) -> tuple[str, Node]:
        """The beginning of the text that is shown, and the note of what is not, "" where that is all."""
        most = min(most, max(self.left, _LINE))
        self.left -= min(len(text), most)
        if len(text) <= most:
            return text, ""
        self.cut += len(text) - most
        return text[:most], element("p", "cut", f"cut: the first {most:,} of {len(text):,} characters")


class Row(NamedTuple):
    """What a list says of a conversation. `turn` is where to open it, None at its beginning."""

    result: Result
    newly: bool
    turn: int | None

    @property
    def soft(self) -> bool:
        """Whether it passed and a soft check of it did not."""
        return self.result.outcome is Outcome.PASS and bool(self._notable)

    @property
    def _notable(self) -> list[Verdict]:
        return [one for one in self.result.verdicts if one.outcome not in CALM]

    @property
    def why(self) -> str:
        """What failed first, on one line; "" where nothing did."""
        found = sorted(self._notable, key=lambda one: (one.outcome is not self.result.outcome, one.mode == "soft"))
        if found and found[0].mode == "soft":
            reason = shown_reason(found[0].reason)[0] if found[0].reason else ""
            return ": ".join(filter(None, ("soft", label(found[0]), reason)))
        if found:
            return headline(found[0])
        if self.result.outcome is Outcome.PASS:
            return "" if self.result.verdicts else "nothing was checked"
        return next((one.reason or one.claim for one in self.result.verdicts), "nothing was checked")

    @property
    def name(self) -> str:
        """Its key, with the repeat where there are several."""
        return f"{self.result.key} (repeat {self.result.repeat})" if self.result.repeat > 1 else self.result.key


def conversation_row(row: Row) -> Node:
    """The line, or two, of a conversation in a list: outcome, name, what it took, and what failed first."""
    result = row.result
    taken = [plural(len(result.conversation.turns), "turn"), _seconds(result.duration)]
    facts = [*taken, "" if result.counts else "does not count"]
    return element(
        "summary",
        "",
        element(
            "h3",
            "",
            _badge(result.outcome, "hard"),
            element("span", "name", row.name),
            element("span", "about", result.description if result.description != result.key else ""),
            element("span", "facts", " \u00b7 ".join(filter(None, facts))),
        ),
        element("span", "why", *_why(row)) if row.why else "",
    )


def _why(row: Row) -> Iterator[Node]:
    if row.newly:
        yield element("b", "newly", "newly fails ")
    if row.soft:
        worst = next(one for one in row.result.verdicts if one.outcome not in CALM)
        yield _badge(worst.outcome, "soft", word=False)
        yield " "
    yield shorten(row.why, 300)


def conversation_nodes(result: Result, anchor: str) -> list[Node]:
    """What a conversation opens to."""
    verdicts = (*result.verdicts, *result.conduct)
    held = result.conversation
    room = Shown()
    unfound: dict[int, list[Evidence]] = {}
    system = _folded("the system prompt", held.system, room) if held.system else ""
    turns = turn_nodes(held.turns, verdicts, anchor, room, unfound, users=len(result.verdicts))
    known = {turn.number for turn in held.turns}
    whole = [number for number, one in enumerate(verdicts) if one.turn not in known]
    facts = [result.file, result.set_name and f"set {result.set_name}", _path(result), *_endings(result)]
    return [
        element("p", "facts", " \u00b7 ".join(filter(None, facts))),
        element("p", "cut", f"{room.cut:,} characters of this conversation are not shown") if room.cut else "",
        system,
        element("div", "whole", element("h4", "", "On the whole conversation"), _margin(whole, verdicts, unfound))
        if whole
        else "",
        *turns,
        *([] if verdicts else [element("p", "cut", "nothing was checked")]),
    ]


def turn_nodes(
    turns: Sequence[Turn],
    verdicts: Sequence[Verdict],
    anchor: str,
    room: Shown,
    unfound: dict[int, list[Evidence]],
    *,
    marked: int | None = None,
    users: int | None = None,
) -> list[Node]:
    """The turns. Verdicts from the number `users` on are about who played the user."""
    drawn: list[Node] = []
    calls, told = 0, ()  # type: int, Sequence[object]
    at = marked_turn(verdicts) if marked is None else marked
    topic = ""
    for turn in turns:
        found = placed(turn, verdicts, calls, unfound)
        calls += len(turn.tool_calls)
        rows = _Turn(turn, found, room).rows()
        kind = "turn marked" if turn.number == at else "turn"
        if turn.topic and turn.topic != topic:
            topic = turn.topic
            drawn.append(element("p", "topic", topic))
        lines = [
            _said(row, number, verdicts, unfound, str(turn.number) if not number else "", users)
            for number, row in enumerate(rows)
        ]
        if turn.exchanges:
            lines.append(_told(turn.exchanges, told, room))
            told = turn.exchanges[-1].messages
        where = {"id": f"{anchor}.{turn.number}", "aria-label": f"turn {turn.number}"}
        node = element("section", kind, *lines)
        assert isinstance(node, list)
        node[1] |= where
        drawn.append(node)
    return drawn


class _Line(NamedTuple):
    """A row of a turn: who, how it is drawn, what, and the numbers of the verdicts beside it."""

    who: str
    kind: str
    words: Node
    verdicts: list[int]


class _Turn:
    """Makes the rows of one turn."""

    def __init__(self, turn: Turn, found: Placed, room: Shown) -> None:
        self._turn = turn
        self._found = found
        self._room = room
        self._calls = list(enumerate(turn.tool_calls))
        self._answers = {
            one.tool_call_id: place
            for place, one in enumerate(turn.messages)
            if one.role == "tool" and one.tool_call_id
        }

    def rows(self) -> list[_Line]:
        """All of them; verdicts that are about no words in particular stand beside the last of the agent."""
        turn = self._turn
        rows: list[_Line] = []
        asked = {one.id for message in turn.messages for one in message.tool_calls}
        in_messages = [one for message in turn.messages for one in message.tool_calls]
        places = [self._place(one) for one in in_messages]
        drawn = iter(zip(in_messages, places, strict=True))
        for place, message in enumerate(turn.messages):
            if message.role == "tool" and message.tool_call_id in asked and message.tool_call_id:
                continue
            calls = [self._call(*next(drawn)) for _ in message.tool_calls]
            says = self._message(place, message)
            answered = any(one.id in self._answers for one in message.tool_calls)
            rows += [*says, *calls] if answered else [*calls, *says]
            if place == 0:
                rows += [self._call(one, f"c{number}") for number, one in self._calls]
        if turn.failure is not None:
            rows.append(_Line("failure", "failure", self._failure(), []))
        elif all(one.role == "user" for one in turn.messages):
            rows.append(_Line("assistant", "none", element("div", "words", "(no reply)"), []))
        if turn.data is not None:
            rows.append(_Line("data", "call", _value_fold("data", "", turn.data, self._room), []))
        said = [number for number, one in enumerate(rows) if one.kind == "assistant"]
        last = rows[said[-1] if said else -1] if rows else None
        if last is not None:
            last.verdicts.extend(self._found.rest)
        return rows

    def _place(self, call: ToolCall) -> str:
        """Where in the turn's list of calls it is, which is then no call that only the requests tell of."""
        same = next(
            (one for one in self._calls if (one[1].id == call.id if call.id else one[1].name == call.name)), None
        )
        if same is None:
            return ""
        self._calls.remove(same)
        return f"c{same[0]}"

    def _message(self, place: int, message: Message) -> list[_Line]:
        if not (message.content or message.attachments or message.is_error) and message.tool_calls:
            return []
        text, note = self._room.take(message.content, MAX_TEXT)
        words = marked(text, self._found.marks.get(place, ()))
        files = [element("p", "file", shorten(str(one), 200)) for one in message.attachments]
        node = element(
            "div", "words", "error: " if message.is_error else "", *words, note, *files, dir="auto"
        )
        if not message.content and not files:
            node = element("div", "words none", "(no text)")
        return [_Line(message.role, message.role, node, list(self._found.beside.get(place, ())))]

    def _call(self, call: ToolCall, place: str) -> _Line:
        beside = list(self._found.beside.get(place, ()))
        answer = self._answers.get(call.id) if call.id else None
        result: object = UNSET
        marks: Sequence[Any] = ()
        failed = call.error is not None
        if answer is not None:
            message = self._turn.messages[answer]
            result, failed = message.content, failed or message.is_error
            marks = self._found.marks.get(answer, ())
            beside += self._found.beside.get(answer, ())
        elif call.error is not None:
            result = call.error
        elif call.result is not UNSET:
            result = call.result
        seen = " (seen in the requests to the model)" if call.source == "wire" else ""
        asked = call.arguments if call.raw_arguments is None else call.raw_arguments
        fold = _call_fold(call_text(call) + seen, asked, result, failed, marks, self._room)
        return _Line("assistant", "call", fold, beside)

    def _failure(self) -> Node:
        failure = self._turn.failure
        assert failure is not None
        said = element("div", "words", f"{failure.kind}: {failure.message}")
        if not failure.traceback:
            return said
        return element("div", "words", f"{failure.kind}: {failure.message}",
                       _folded("traceback", failure.traceback, self._room))


def _said(
    row: _Line,
    _place: int,
    verdicts: Sequence[Verdict],
    unfound: Mapping[int, list[Evidence]],
    number: str,
    users: int | None,
) -> Node:
    who = element("div", "who", element("span", "n", number), " ", row.who)
    margin = _margin(row.verdicts, verdicts, unfound, users) if row.verdicts else ""
    return element("div", f"said {row.kind}", who, row.words, margin)


def _call_fold(
    line: str, asked: object, result: object, failed: bool, marks: Sequence[Any], room: Shown
) -> Node:
    """A call on one line, with what came back; opened, both as JSON."""
    answer = _text(result) if result is not UNSET else ""
    arrow = " \u2190 error: " if failed else " \u2190 "
    back = element("span", "back", arrow, shorten(answer, _LINE)) if result is not UNSET else element("span", "back", " (not answered)")
    parts: list[Node] = []
    if asked:
        parts += _pre("arguments", _text(asked), (), room)
    if result is not UNSET:
        parts += _pre("error" if failed else "result", answer, marks, room)
    head = element("summary", "", element("code", "", "\u2192 ", line), back)
    return element("details", "json words", head, *parts)


def _value_fold(name: str, line: str, value: object, room: Shown) -> Node:
    text = _text(value)
    return element(
        "details", "json words", element("summary", "", element("code", "", shorten(line or text, _LINE))), *_pre(name, text, (), room)
    )


def _folded(name: str, text: str, room: Shown) -> Node:
    shown, note = room.take(text, MAX_VALUE)
    head = element("summary", "", f"{name}, {len(text):,} characters")
    return element("details", "told", head, element("div", "text", shown, dir="auto"), note)


def _pre(name: str, text: str, marks: Sequence[Any], room: Shown) -> list[Node]:
    shown, note = room.take(text, MAX_VALUE)
    if not marks and not note:
        shown = _indented(shown)
    return [element("pre", "", element("b", "", f"{name} "), *marked(shown, marks)), note]


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    try:
        return msgspec.json.encode(value).decode()
    except (TypeError, ValueError, RecursionError, UnicodeError):
        return str(value)


def _indented(text: str) -> str:
    """JSON in lines, other text as it is."""
    if not text.startswith(("{", "[")):
        return text
    try:
        return msgspec.json.format(text, indent=2)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return text


def _told(exchanges: Sequence[Exchange], before: Sequence[object], room: Shown) -> Node:
    """The drawer of what the model was told; messages that it was told before are only counted."""
    drawn: list[Node] = []
    for number, one in enumerate(exchanges, 1):
        messages = one.messages
        known = 0
        while known < min(len(messages), len(before)) and messages[known] == before[known]:
            known += 1
        before = messages
        facts = [f"request {number}", one.model, _seconds(one.duration), _tokens(one), one.error or ""]
        drawn.append(element("h4", "", " \u00b7 ".join(filter(None, facts))))
        if one.system_field and not known:
            drawn.append(_message_told("system", one.system_field, room))
        if known:
            drawn.append(element("p", "cut", f"{plural(known, 'message')} as before"))
        drawn += [_message_told(str(each.get("role", each.get("type", "?"))), _content(each), room)
                  for each in messages[known:] if isinstance(each, dict)]
        if one.offered_tools and not known:
            drawn.append(_message_told("tools", ", ".join(one.offered_tools), room))
    count = plural(len(exchanges), "request")
    return element("details", "told", element("summary", "", f"what the model was told ({count})"), *drawn)


def _message_told(role: str, text: str, room: Shown) -> Node:
    shown, note = room.take(text, MAX_VALUE)
    return element("div", "heard", element("span", "role", shorten(role, 40)), " ", element("span", "text", shown, dir="auto"), note)


def _content(message: Mapping[str, Any]) -> str:
    """What a message of a request says: its text, and as JSON what is no text."""
    content = message.get("content")
    blocks = content if isinstance(content, list) else [content] if content else []
    said = [
        one if isinstance(one, str) else one["text"] if isinstance(one, dict) and isinstance(one.get("text"), str) else _text(one)
        for one in blocks
    ]
    others = {name: value for name, value in message.items() if name not in ("role", "content") and value}
    return "\n".join([*said, *([_text(others)] if others else [])])


def _margin(
    numbers: Iterable[int], verdicts: Sequence[Verdict], unfound: Mapping[int, list[Evidence]], users: int | None = None
) -> Node:
    """The verdicts beside some words; passed ones are folded where there are more than two."""
    ordered = sorted(numbers, key=lambda number: (verdicts[number].outcome in CALM, verdicts[number].mode == "soft"))
    drawn = [
        _verdict(verdicts[one], str(one), unfound.get(one, ()), of_user=users is not None and one >= users)
        for one in ordered
    ]
    loud = sum(verdicts[one].outcome not in CALM for one in ordered)
    if len(ordered) - loud <= _QUIET:
        return element("ul", "margin", *drawn)
    calm = [verdicts[one].outcome for one in ordered[loud:]]
    counts = ((Outcome.PASS, "pass"), (Outcome.SKIPPED, "skipped"))
    said = ", ".join(f"{SIGNS[one]} {calm.count(one)} {word}" for one, word in counts if one in calm)
    fold = element("li", "", element("details", "calm", element("summary", "", said), element("ul", "", *drawn[loud:])))
    return element("ul", "margin", *drawn[:loud], fold)


def verdict_list(verdicts: Sequence[Verdict]) -> Node:
    """Verdicts by themselves, each with its turn."""
    unfound = {number: list(one.evidence) for number, one in enumerate(verdicts)}
    return element("ul", "margin alone", *[
        _verdict(one, str(number), unfound[number], turn=True) for number, one in enumerate(verdicts)
    ])


def _verdict(
    verdict: Verdict, number: str, evidence: Sequence[Evidence], *, of_user: bool = False, turn: bool = False
) -> Node:
    calm = verdict.outcome in CALM
    score = "" if verdict.score is None else f"{verdict.score:g}/5"
    marks = [*([TRIVIALLY_TRUE] if verdict.trivially_true else []), *judge_marks(verdict)]
    head = [
        _badge(verdict.outcome, verdict.mode, word=False),
        " ",
        f"turn {verdict.turn}: " if turn and verdict.turn else "",
        "the user: " if of_user else "",
        element("span", "claim", label(verdict), title=verdict.claim[:1000]),
        f" {score}" if score else "",
        element("span", "marks", f" [{', '.join(marks)}]") if marks else "",
    ]
    why: list[Node] = []
    if verdict.reason and (not calm or verdict.outcome is Outcome.SKIPPED):
        why.append(element("div", "why", "\n".join(shown_reason(verdict.reason)), dir="auto"))
    if not calm:
        why += [element("div", "quote", f"\u201c{shorten(one.quote, 200)}\u201d{f' {one.note}' if one.note else ''}")
                for one in evidence[:_QUOTES] if one.quote and one.quote not in verdict.reason]
        why += [element("div", "by", line) for line in judges_of(verdict)]
    return element("li", f"{verdict.outcome.value} {verdict.mode}", *head, *why, data_of=number)


def _badge(outcome: Outcome, mode: str, *, word: bool = True) -> Node:
    """Sign and word of an outcome; a soft one is hollow. Without `word` only readers of screens hear it."""
    soft = "soft " if mode == "soft" else ""
    said = element("span", "" if word else "unseen", f" {soft}{outcome.value}")
    return element("span", f"badge {outcome.value} {mode}", element("span", "sign", SIGNS[outcome], aria_hidden="true"), said)


def _path(result: Result) -> str:
    """The topics in order with their turns."""
    parts = [
        f"{'' if one.legal or not number else '(not in the graph) '}{one.topic}"
        for number, one in enumerate(result.conversation.visits)
    ]
    return " \u2192 ".join(parts)


def _endings(result: Result) -> Iterator[str]:
    held = result.conversation
    for one in held.simulations:
        reason = f": {one.reason}" if one.reason else ""
        yield f"goal: {one.goal}" if one.goal else ""
        yield f"the user ended it with {one.termination}{reason}"
    if not held.simulations and held.termination not in (None, "completed"):
        yield f"ended with {held.termination}"
    if result.spoiled:
        yield f"the simulated user broke its rules and {result.spoiled} the agent"
    tokens = (held.input_tokens or 0) + (held.output_tokens or 0)
    if tokens:
        yield f"{tokens:,} tokens"


def _seconds(duration: float | None) -> str:
    if duration is None:
        return ""
    return f"{duration:.1f} s" if duration >= 1 else f"{duration * 1000:.0f} ms"


def _tokens(exchange: Exchange) -> str:
    counted = (exchange.input_tokens or 0) + (exchange.output_tokens or 0)
    return f"{counted:,} tokens" if counted else ""
