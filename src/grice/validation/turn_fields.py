"""The fields that tell of a turn in a row: what was said, and what the tools did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grice.files.document import FileError
from grice.files.locate import JsonPath
from grice.files.typed import FieldType
from grice.text import value_text
from grice.validation.rows import Row

__all__ = ["TURN_FIELDS", "wrong_turns"]

TURN_FIELDS: dict[str, FieldType] = {
    "user": (str, type(None)),
    "text": (str, type(None)),
    "data": object,
    "tool_calls": list,
    "duration": float,
}
_CALL: dict[str, FieldType] = {
    "arguments": dict,
    "result": object,
    "error": str,
    "id": str,
    "duration": float,
}


def wrong_turns(row: Row, fields: Mapping[str, Any]) -> list[FileError]:
    """What is wrong with the turns before, and with the calls of all turns."""
    errors = _wrong_calls(row, (), fields.get("tool_calls"))
    earlier = fields.get("earlier")
    for place, one in enumerate(earlier if isinstance(earlier, list) else ()):
        where: JsonPath = ("earlier", place)
        if isinstance(one, str):
            continue
        if not isinstance(one, dict):
            found = value_text(one)
            message = f"earlier[{place}]: expected a reply, or an object with user and text, found {found}"
            errors.append(row.error(where, message))
            continue
        errors += row.problems(where, one, TURN_FIELDS)
        errors += _wrong_calls(row, where, one.get("tool_calls"))
    return errors


def _wrong_calls(row: Row, where: JsonPath, calls: object) -> list[FileError]:
    given: Sequence[Any] = calls if isinstance(calls, list) else ()
    return [
        problem
        for place, one in enumerate(given)
        for problem in row.problems((*where, "tool_calls", place), one, _CALL, {"name": str})
    ]
