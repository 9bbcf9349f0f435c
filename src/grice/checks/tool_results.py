"""What tools returned, to look up whether an id was really read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec
from msgspec import UNSET

from grice.checks.message_events import Event, events_of
from grice.checks.model_requests import answering
from grice.formats.turns import parse_result
from grice.matching.calls.names import name_text
from grice.matching.matcher import Unsuitable
from grice.records import Exchange, JsonValue, Turn

_LONGER_BEFORE = r"(?<!\w)(?<!\w[-.])"
_LONGER_AFTER = r"(?!\w)(?![-.:/]\w)"


class Results(msgspec.Struct, frozen=True):
    """The texts, numbers and keys in what the tools of a turn returned, each once.

    `text` is all of them, one a line. `unknown` are the names of the tools of which nobody knows what they
    returned.
    """

    values: Mapping[str, None]
    text: str
    unknown: tuple[str, ...] = ()

    def hold(self, id_: str) -> bool:
        """Whether the id is one of the values or a word of its own in one, not part of a longer id."""
        if id_ in self.values:
            return True
        word = f"{_LONGER_BEFORE}{re.escape(id_)}{_LONGER_AFTER}"
        return id_ in self.text and re.search(word, self.text) is not None


def results_of(turn: Turn) -> Results:
    """What the tools of a turn returned, as the agent reported it and as its model was told of it."""
    told = [event for request in answering(turn) for event in _results_in(request.exchange)]
    known = {event.id for event in told if event.id}
    returned: list[JsonValue] = [event.text for event in told]
    unknown: dict[str, None] = {}
    for call in turn.tool_calls:
        if call.result is not UNSET:
            returned.append(call.result)
        elif not call.answered and call.id not in known:
            unknown[name_text(call.name)] = None
    values = dict.fromkeys(value for result in returned for value in _values(result))
    return Results(values, "\n".join(values), tuple(unknown))


def _results_in(exchange: Exchange) -> Sequence[Event]:
    try:
        return [event for event in events_of(exchange) if event.kind == "tool_result"]
    except Unsuitable:  # malformed messages: nobody can tell what is a result in them
        return []


def _values(result: JsonValue) -> Iterator[str]:
    """The texts, numbers and keys in a result; a text that is JSON counts by what is in it too."""
    waiting: list[JsonValue] = [result]
    if isinstance(result, str) and not isinstance(parsed := parse_result(result), str):
        waiting.append(parsed)
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, Mapping):
            waiting += [*value.keys(), *value.values()]
        elif isinstance(value, list):
            waiting += value
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield str(value)
