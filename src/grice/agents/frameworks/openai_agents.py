"""OpenAI's Agents SDK: agents, the results of their runs, and streams of these."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, ClassVar

from grice.agents.frameworks.protocol import (
    Aspect,
    NativeAgent,
    answers_in,
    as_records,
    belongs_to,
    module_beside,
    responses_of,
    split,
)
from grice.formats import openai_responses, read_message
from grice.records import AgentResponse, clean_json

_PACKAGE = "agents"


def adapt(agent: object) -> NativeAgent | None:
    """An `Agent`."""
    names = ("instructions", "handoffs", "tools")
    is_agent = belongs_to(agent, _PACKAGE) and all(hasattr(agent, name) for name in names)
    return _Agent(agent) if is_agent else None


class _Agent(NativeAgent):
    """An agent, and after a handoff the one that was handed over to."""

    framework = "OpenAI Agents SDK"
    unseen: ClassVar[Mapping[Aspect, str]] = {
        "tool errors": "the SDK puts the error of a tool into its result, as a text",
    }

    def __init__(self, agent: Any) -> None:
        self._agent = agent
        self._run = module_beside(agent, _PACKAGE, "").Runner.run
        self._items: list[Any] | None = None
        self._paused: Any = None
        self._told: set[str] = set()

    async def chat(self, messages: list[dict[str, Any]]) -> Any:
        before, new = split(messages)
        given: Any
        if self._paused is not None and (answers := answers_in(new)):
            given = self._paused.to_state()
            for item in self._paused.interruptions:
                answer = answers.get(_field(item.raw_item, "call_id"))
                if not isinstance(answer, bool):
                    raise ValueError(
                        f"a call that waits for approval is answered with True or False: {answer!r}"
                    )
                (given.approve if answer else given.reject)(item)
        else:
            self._told = set()
            known = self._items
            start = openai_responses.write(list(as_records(before))) if known is None else known
            given = [*start, *openai_responses.write(list(as_records(new)))]
        result = await self._run(self._agent, given)
        self._items, self._agent = result.to_input_list(), result.last_agent
        self._paused = result if getattr(result, "interruptions", None) else None
        return self._new(result) if self._told or self._paused else result

    def _new(self, result: Any) -> Any:
        """The items that are not known from before a pause, and the result's output."""
        raw = [clean_json(item.raw_item) for item in _items(result)]
        new = [one for one in raw if _key(one) not in self._told]
        self._told |= set(map(_key, new))
        return _Run(new, result.final_output)


class _Run:
    """The items of a part of a run."""

    __module__ = _PACKAGE

    def __init__(self, raw_items: list[Any], final_output: object) -> None:
        self.new_items = [_Item(raw) for raw in raw_items]
        self.final_output = final_output


class _Item:
    __slots__ = ("raw_item",)

    def __init__(self, raw_item: Any) -> None:
        self.raw_item = raw_item


def _key(raw: Any) -> str:
    return f"{_field(raw, 'type')} {_field(raw, 'call_id') or _field(raw, 'id')}"


def _field(raw: Any, name: str) -> Any:
    return raw.get(name) if isinstance(raw, Mapping) else getattr(raw, name, None)


def _items(result: Any) -> list[Any]:
    """The items of a run without the requests for approval, which repeat the calls."""
    return [item for item in result.new_items if getattr(item, "type", "") != "tool_approval_item"]


def is_reply(value: object) -> bool:
    """The result of a run, or an event of a stream."""
    if not belongs_to(value, _PACKAGE):
        return False
    return hasattr(value, "new_items") or str(getattr(value, "type", "")).endswith("_event")


def stream_of(value: object) -> AsyncIterator[object] | None:
    """The result of a run that is streamed, once it is there."""
    return _streamed(value) if hasattr(value, "stream_events") else None


async def _streamed(value: Any) -> AsyncIterator[object]:
    async for _ in value.stream_events():
        pass
    yield value


def responses(pieces: Sequence[Any]) -> list[AgentResponse]:
    """The responses in the items of runs; of a stream those that are whole."""
    items: list[Any] = []
    data = None
    for piece in pieces:
        if hasattr(piece, "new_items"):
            items += _items(piece)
            output = piece.final_output
            data = None if output is None or isinstance(output, str) else clean_json(output)
        elif getattr(piece, "type", "") == "run_item_stream_event":
            items.append(piece.item)
    raws = [clean_json(item.raw_item) for item in items]
    said = [one for raw in raws for one in read_message(raw, format="openai_responses")]
    if data is not None:  # the last message is the output as JSON text
        said = [one for place, one in enumerate(said) if place < len(said) - 1 or one.tool_calls]
    return responses_of([one for one in said if one.content or one.tool_calls or one.role == "tool"], data)
