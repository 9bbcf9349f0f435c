"""Scenario sets that are written in Python: lists, generators, and whatever makes them."""

from __future__ import annotations

import inspect
import math
import re
import traceback
from collections.abc import Iterable, Mapping
from typing import Any, cast

from grice.files.document import WholeFileError
from grice.files.locate import MAX_DEPTH, JsonPath, JsonValue
from grice.files.scenario_entries import Enough, Source
from grice.records import Scenario
from grice.text import value_text
from grice.typed import Problem

_SURROGATE = re.compile("[\ud800-\udfff]")
_EXPECTED = "a file's path, a list of objects, or something that yields them"


def read_values(given: object, label: str) -> Source:
    """The entries of an iterable of records, or of what a callable without arguments returns.

    Records are mappings and Scenarios; they are copied, so that later changes change no scenario. Nothing is
    raised: what is wrong, an exception of the iterable included, is in the source's `errors`.
    """
    source = Source(label)
    try:
        _read_each(source, _iterable(given))
    except Enough:
        pass
    except _Unusable as error:
        source.errors.append(WholeFileError(label, str(error)))
    except Exception as error:  # it is the user's code, whatever it raises
        message = f"after {len(source.entries)} scenarios, {_raised(error)}"
        source.errors.append(WholeFileError(label, message))
    return source


class _Unusable(Exception):
    """What was given yields no records."""


def _iterable(given: object) -> Iterable[object]:
    made = given
    if not isinstance(given, Iterable) or isinstance(given, type):
        if not callable(given):
            raise _Unusable(f"expected {_EXPECTED}, found {value_text(given)}{_of_what(given)}")
        made = given()
    if inspect.iscoroutine(made):
        made.close()
        raise _Unusable("expected a plain function, found one that is asynchronous")
    if isinstance(made, Mapping):
        raise _Unusable(
            f"expected a list of objects, found one object {value_text(made)}: put it into a list"
        )
    if isinstance(made, str | bytes) or not isinstance(made, Iterable):
        what = f"expected {_EXPECTED}, found {value_text(made)}"
        raise _Unusable(f"{what}{_of_what(made)}")
    return cast("Iterable[object]", made)


def _of_what(made: object) -> str:
    return "; scenarios cannot be made asynchronously" if hasattr(made, "__aiter__") else ""


def _read_each(source: Source, records: Iterable[object]) -> None:
    for index, record in enumerate(records):
        key = file = ""
        line = 1
        value: object = record
        if isinstance(record, Scenario):
            key, file, line, value = record.key, record.file, record.line, record.data
        problems: list[Problem] = []
        plain = _plain(value, (), problems)
        for problem in problems:
            source.refuse(index, line, problem)
        if not problems:
            source.add(plain, index, line, key=key, file=file)


def _plain(value: object, path: JsonPath, problems: list[Problem]) -> JsonValue:
    """The value as plain JSON data, a copy; where it is none, that is added to the problems."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        if _SURROGATE.search(value):
            problems.append(Problem(path, "a surrogate stands alone: not valid Unicode"))
        return str.__str__(value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float) and math.isfinite(value):
        return float(value)
    if isinstance(value, Mapping | list | tuple):
        if len(path) > MAX_DEPTH:
            problems.append(Problem(path[:3], f"nested deeper than {MAX_DEPTH} levels"))
            return None
        if isinstance(value, Mapping):
            return _plain_fields(cast("Mapping[object, object]", value), path, problems)
        items = enumerate(cast("list[object]", value))
        return [_plain(one, (*path, index), problems) for index, one in items]
    problems.append(Problem(path, f"expected JSON data, found {value_text(value)}"))
    return None


def _plain_fields(
    fields: Mapping[object, object], path: JsonPath, problems: list[Problem]
) -> dict[str, JsonValue]:
    plain: dict[str, JsonValue] = {}
    for name, one in fields.items():
        if isinstance(name, str):
            plain[_plain(name, path, problems)] = _plain(one, (*path, name), problems)
        else:
            problems.append(Problem(path, f"expected texts as names of fields, found {value_text(name)}"))
    return plain


def _raised(error: Exception) -> str:
    """What the user's code raised, and where."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" at {frames[-1].filename}:{frames[-1].lineno}" if frames else ""
    said: Any = str(error)
    return (
        f"it raised {type(error).__name__}{where}: {said}"
        if said
        else f"it raised {type(error).__name__}{where}"
    )
