"""What an agent reports of its own turn: the `meta` of the data that it returned."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from grice.matching.calls.names import step_text
from grice.records import JsonValue, Reply, Turn
from grice.text import did_you_mean, value_text

FIELDS = ("tools_used", "store_card_used", "retrieval_ids", "reason_for_tools")
MAX_FAULTS = 20


class Reported(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an agent reports of one turn; None is what it does not report.

    `tools_used` are names of tools, `retrieval_ids` the ids of the records it says it consulted. `faults` say
    what is malformed, each with its path (`$.meta.tools_used[1]`); a malformed field is None.
    """

    tools_used: tuple[str, ...] | None = None
    store_card_used: bool | None = None
    retrieval_ids: tuple[str, ...] | None = None
    reason_for_tools: str | None = None
    faults: tuple[str, ...] = ()


def reported(turn: Turn | Reply) -> Reported | None:
    """What the agent reports in the `meta` of its data; None when none of the four fields is there.

    A field that is null counts as one that is not there. Never raises.
    """
    meta = _meta(turn.data)
    if meta is None:
        return None
    if not isinstance(meta, dict):
        return Reported(faults=(f"$.meta is an object, found {value_text(meta)}",))
    if all(meta.get(field) is None for field in FIELDS):
        return None
    faults: list[str] = []
    return Reported(
        _texts(meta, "tools_used", faults),
        _typed(meta, "store_card_used", bool, "true or false", faults),
        _texts(meta, "retrieval_ids", faults),
        _typed(meta, "reason_for_tools", str, "a text", faults),
        tuple(faults[:MAX_FAULTS]),
    )


def unread_fields(turn: Turn) -> str:
    """A hint at fields of `meta` that look like misspelled ones: `; $.meta.toolsUsed (did you mean ...)`."""
    meta = _meta(turn.data)
    if not isinstance(meta, dict):
        return ""
    hints = [(name, did_you_mean(name, FIELDS)) for name in meta if name not in FIELDS]
    return "".join(
        f"; $.meta{step_text(name)} is not read{hint}" for name, hint in hints[:MAX_FAULTS] if hint
    )


def _meta(data: JsonValue) -> JsonValue:
    return data.get("meta") if isinstance(data, dict) else None


def _typed(meta: Mapping[str, Any], field: str, kind: type, words: str, faults: list[str]) -> Any:
    """The value of a field when it is of that type; a fault is noted when it is of another."""
    value = meta.get(field)
    if value is None or isinstance(value, kind):
        return value
    faults.append(f"$.meta.{field} is {words}, found {value_text(value)}")
    return None


def _texts(meta: Mapping[str, Any], field: str, faults: list[str]) -> tuple[str, ...] | None:
    values = _typed(meta, field, list, "a list of texts", faults)
    if values is None:
        return None
    wrong = [place for place, value in enumerate(values) if not isinstance(value, str) or not value.strip()]
    for place in wrong[:MAX_FAULTS]:
        found = value_text(values[place])
        faults.append(f"$.meta.{field}[{place}] is a text that is not empty, found {found}")
    return None if wrong else tuple(values)
