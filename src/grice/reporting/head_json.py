"""The head of an experiment as JSON, alike in the reports of one and of two."""

from __future__ import annotations

from typing import Any

import msgspec

from grice.records import JsonValue
from grice.running.journal.experiment import Experiment


def head_json(head: Experiment) -> dict[str, JsonValue]:
    """Every field, those of the whole experiment first; null is what is not known."""
    return _fields(head)


def _fields(record: msgspec.Struct) -> dict[str, JsonValue]:
    return {name: _plain(getattr(record, name)) for name in record.__struct_fields__}


def _plain(value: Any) -> JsonValue:
    """A text that says nothing is null; models are whole, as the head is."""
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    if isinstance(value, msgspec.Struct):
        return _fields(value)
    plain: JsonValue = msgspec.to_builtins(value)
    return None if plain == "" else plain
