"""Why a call that is not on record may have been made all the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from grice.matching.calls.fit import UNSEEN
from grice.matching.calls.names import name_text
from grice.records import Exchange, JsonValue, ToolCall, Turn


class Doubt(NamedTuple):
    """A reason to think that more was called than is on record: that tool, or any when `name` is None."""

    name: str | None
    reason: str


def doubts_of(turns: Sequence[Turn]) -> list[Doubt]:
    """The doubts about these turns.

    An agent failed, it does not tell what it calls, or its model asked for a call that nobody reported.
    """
    doubts: list[Doubt] = []
    for turn in turns:
        if turn.failure is not None:
            reason = f"the agent failed in turn {turn.number}, and what it did there may not be known"
            doubts.append(Doubt(None, reason))
        if (unseen := unseen_in(turn, "tool calls")) and not turn.exchanges:
            doubts.append(Doubt(None, f"{unseen}, and no request to its model is on record"))
        reported = Counter(call.name for call in turn.tool_calls)
        for name, asked in _asked(turn.exchanges).items():
            if asked > reported[name]:
                reason = _unreported(name_text(name), turn.number, asked, reported[name])
                doubts.append(Doubt(name, reason))
    return doubts


def with_unseen_errors(calls: Sequence[ToolCall], turns: Sequence[Turn]) -> Sequence[ToolCall]:
    """The calls of these turns, those marked of which their agent does not tell whether they failed."""
    whys = [unseen_in(turn, "tool errors") for turn in turns for _ in turn.tool_calls]
    if not any(whys):
        return calls
    return [
        replace(call, metadata={**call.metadata, UNSEEN: why}) if why else call
        for call, why in zip(calls, whys, strict=True)
    ]


def unseen_in(turn: Turn, aspect: str) -> JsonValue:
    """Why the turn's agent does not tell this, "" where it does."""
    unseen = turn.metadata.get("unseen")
    return unseen.get(aspect, "") if isinstance(unseen, dict) else ""


def _unreported(name: str, turn: int, asked: int, reported: int) -> str:
    if not reported:
        return f"in turn {turn} the model asked for {name}, and the agent reported no call of it"
    calls = f"{reported} call{'' if reported == 1 else 's'}"
    return f"in turn {turn} the model asked for {name} {asked} times, and the agent reported {calls} of it"


def _asked(exchanges: Sequence[Exchange]) -> Counter[str]:
    """How often the model asked for each tool. What has an id counts once, however often a reply is there."""
    asked: Counter[str] = Counter()
    known: set[tuple[str, str]] = set()
    for exchange in exchanges:
        names = exchange.asked_tools
        ids = list(_ids(exchange)) if names else []
        for name, one in zip(names, ids if len(ids) == len(names) else [""] * len(names), strict=True):
            if not one or (name, one) not in known:
                known.add((name, one))
                asked[name] += 1
    return asked


def _ids(exchange: Exchange) -> Iterator[str]:
    """The ids of the calls that `asked_tools` names, in the same order; "" for one that has none."""
    reply: dict[str, Any] = exchange.reply or {}
    for item in (*_dicts(reply.get("content")), *_dicts(reply.get("output"))):
        if item.get("type") in ("tool_use", "function_call", "custom_tool_call"):
            yield str(item.get("call_id") or item.get("id") or "")
    for choice in _dicts(reply.get("choices")):
        message = choice.get("message")
        if isinstance(message, dict):
            for call in (*_dicts(message.get("tool_calls")), *_dicts([message.get("function_call")])):
                yield str(call.get("id") or "")


def _dicts(value: object) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def doubt_about(doubts: Sequence[Doubt], names: Collection[str], *, others: bool = False) -> str | None:
    """The first reason to think that one of these tools was called; with `others`, any but these."""
    for doubt in doubts:
        if doubt.name is None or (doubt.name in names) is not others:
            return doubt.reason
    return None
