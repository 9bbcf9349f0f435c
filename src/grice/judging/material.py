"""The material of a judge: the conversation up to the judged part, and that part marked.

It is shown as it is, for a judge cannot hold a reply against what was taken out: secrets that tools returned
go to the judge's LLM too. What is written of it, cassettes and reports, has them redacted.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from grice.judging.delimiting import Piece, data_of, json_data, newest
from grice.matching.context import Context
from grice.matching.matcher import Unsuitable
from grice.records import Conversation, Evidence, JsonValue, Message, Reply, ToolCall, Turn
from grice.text import value_text

MAX_JUDGED = 100_000
MAX_TEXT = 20_000
MAX_ARGUMENTS = 4_000
MAX_RECORDS = 50_000
MAX_TOTAL = 300_000
"""Characters that are shown: of a judged text, of any other, of a call's arguments, of records, in all."""

_JUDGED = ' judged="yes"'


class Material(msgspec.Struct, frozen=True):
    """The judged part, and what led to it.

    `record` is the conversation up to the judged turn; `whole` says that all of it is judged, from the turn
    with the number `since` on. A bare text has none.
    """

    record: Conversation | None = None
    whole: bool = False
    bare: str = ""
    since: int = 1

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns up to the judged one."""
        return self.record.turns if self.record is not None else ()

    @property
    def judged(self) -> tuple[Turn, ...]:
        """The turns that are judged."""
        if not self.whole:
            return self.turns[-1:]
        return tuple(turn for turn in self.turns if turn.number >= self.since)

    @property
    def texts(self) -> list[tuple[int | None, str]]:
        """The texts of the agent that are judged, each with the number of its turn."""
        return [(turn.number, turn.text) for turn in self.judged] if self.turns else [(None, self.bare)]

    @property
    def silent(self) -> bool:
        """Whether the judged part has no text but white space, and no data that is shown with it."""
        if any(_shown_data(turn) is not None for turn in self.judged):
            return False
        texts = [turn.full_text for turn in self.judged] if self.turns else [self.bare]
        return not any(text.strip() for text in texts)

    @property
    def idle(self) -> bool:
        """Whether the judged part has neither text nor tool calls."""
        return self.silent and not any(turn.tool_calls for turn in self.judged)

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The tool calls of all turns up to the judged one."""
        return tuple(call for turn in self.turns for call in turn.tool_calls)

    def evidence(self, quote: str, note: str = "") -> Evidence | None:
        """The place in the judged texts where the quote stands literally; None where it does not."""
        for number, text in self.texts:
            start = text.find(quote) if quote else -1
            if start >= 0:
                return Evidence(quote, number, start, start + len(quote), note=note)
        return None

    def pieces(self, *, speech_only: bool = False) -> list[Piece]:
        """All of it for the judge to read, the judged part marked; the earliest turns are left out first.

        `speech_only` leaves out tool calls and their results.
        """
        if self.record is None:
            return data_of(self.bare, f'from="agent"{_JUDGED}', MAX_JUDGED)
        first = 1
        shown: list[list[Piece]] = []
        for turn in self.turns:
            marked = turn.number >= self.since if self.whole else turn is self.turns[-1]
            seen = _speech_of(turn) if speech_only else turn
            shown.append([f"Turn {turn.number}", *_turn_pieces(seen, first, _JUDGED if marked else "")])
            first += len(turn.tool_calls)
        instructions = self.record.system or ""
        system = data_of(instructions, 'from="instructions of the agent"', MAX_TEXT) if instructions else []
        return [*system, *newest(shown, MAX_TOTAL, "turn")]


def _speech_of(turn: Turn) -> Turn:
    """The turn without its tool calls and their results."""
    spoken = [replace(message, tool_calls=()) for message in turn.messages if message.role != "tool"]
    return replace(turn, messages=tuple(spoken), tool_calls=())


def material_of(subject: object, ctx: Context) -> Material:
    """Make the material for a text, Reply, Turn or Conversation. Raises Unsuitable for anything else."""
    if isinstance(subject, str):
        return Material(bare=subject)
    if isinstance(subject, Conversation):
        return Material(subject, True, since=ctx.since)
    if not isinstance(subject, Reply | Turn):
        raise Unsuitable(f"a text, a Reply, a Turn or a Conversation, found {value_text(subject)}")
    turn = ctx.turn or (subject.turn if isinstance(subject, Reply) else subject)
    record = ctx.conversation or Conversation()
    return Material(replace(record, turns=(*ctx.earlier_turns(), turn)))


def _turn_pieces(turn: Turn, first: int, judged: str) -> Iterator[Piece]:
    numbers = {call.id: number for number, call in enumerate(turn.tool_calls, first) if call.id}
    told = {message.tool_call_id for message in turn.messages if message.role == "tool"}
    asked = [call for message in turn.messages for call in message.tool_calls]
    seen = {call.id for call in asked}
    spoken = [message for message in turn.messages if message.role != "user"]
    for message in turn.messages:
        if message.role == "user":
            yield from data_of(_with_attachments(message), 'from="user"', MAX_TEXT)
    for number, call in enumerate(turn.tool_calls, first):
        if call not in asked and (not call.id or call.id not in seen):
            yield from _call_pieces(call, number, judged, told)
    for message in spoken:
        yield from _message_pieces(message, numbers, judged, told)
    if turn.failure is not None:
        yield from data_of(turn.failure.message, f'failure="of the agent"{judged}', MAX_TEXT)
    elif not spoken:
        yield "(no answer)"
    shown = _shown_data(turn)
    if shown is not None:
        yield from json_data(shown, f'data="shown with the answer"{judged}', MAX_RECORDS)


def _shown_data(turn: Turn) -> JsonValue:
    """The data of the turn without what the agent reports of itself in it; None where nothing is left."""
    if not isinstance(turn.data, dict):
        return turn.data
    return {name: value for name, value in turn.data.items() if name != "meta"} or None


def _with_attachments(message: Message) -> str:
    return "\n".join([message.content, *map(str, message.attachments)])


def _message_pieces(
    message: Message, numbers: dict[str, int], judged: str, told: set[str | None]
) -> Iterator[Piece]:
    if message.role == "tool":
        number = numbers.get(message.tool_call_id or "", 0)
        yield from data_of(message.content, _result_label(number, failed=message.is_error), MAX_TEXT)
        return
    label = f'from="agent"{judged}' if message.role == "assistant" else f'from="{message.role}"'
    limit = MAX_JUDGED if judged else MAX_TEXT
    said = data_of(message.content, label, limit) if message.content else []
    calls = [
        piece
        for call in message.tool_calls
        for piece in _call_pieces(call, numbers.get(call.id, 0), judged, told)
    ]
    asks = any(call.id in told for call in message.tool_calls)  # then the text was said before the results
    yield from (*said, *calls) if asks else (*calls, *said)


def _call_pieces(call: ToolCall, number: int, judged: str, told: set[str | None]) -> Iterator[Piece]:
    if call.raw_arguments is None:
        asked = {"name": call.name, "arguments": call.arguments}
    else:
        asked = {"name": call.name, "malformed arguments": call.raw_arguments}
    yield from json_data(asked, f'tool-call="{number or ""}"{judged}', MAX_ARGUMENTS)
    if call.id and call.id in told:
        return  # a message below says what came back
    yield from result_pieces(call, number)


def result_pieces(call: ToolCall, number: int) -> Iterator[Piece]:
    """The result of a call for the judge to read; () where there is none."""
    if call.error is not None:
        yield from data_of(call.error, _result_label(number, failed=True), MAX_TEXT)
    elif call.result is not UNSET:
        yield from json_data(call.result, _result_label(number, failed=False), MAX_TEXT)


def _result_label(number: int, *, failed: bool) -> str:
    return f'{"tool-error" if failed else "tool-result"}="{number or ""}"'
