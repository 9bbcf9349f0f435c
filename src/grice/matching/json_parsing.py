"""Reading the JSON that a text is, or holds in a code fence."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from grice.matching.selector import Parse
from grice.records import JsonValue
from grice.text import value_text

MAX_TEXT = 10_000_000
MAX_DIGITS = 4_000

_FENCE = re.compile(r"(`{3,}|~{3,})([^`]*)")


class NotJson(ValueError):
    """A text that is not JSON; the message says why."""


def parse_json(text: str, parse: Parse = "json") -> JsonValue:
    """The JSON value of the text, or of its first code fence that is JSON.

    `json` takes the whole text, `fenced` only a fence, `auto` the whole text or else a fence. A number
    without a value (NaN, Infinity) is not JSON. Raises NotJson.
    """
    if parse in ("json", "auto"):
        try:
            return _loads(text)
        except NotJson:
            if parse == "json" or not _fences(text):
                raise
    problem = "there is no code fence in the text"
    for fenced in _fences(text):
        try:
            return _loads(fenced)
        except NotJson as error:
            problem = f"in the code fence, {error}"
    raise NotJson(problem)


@lru_cache(maxsize=4)
def parsed_once(text: str, parse: Parse) -> JsonValue:
    """Parse as `parse_json` does; a text that was parsed before costs nothing.

    The value is one for all who ask: nobody may change it. Raises NotJson.
    """
    return parse_json(text, parse)


def json_problem(text: str) -> str | None:
    """Why the text is not JSON, None when it is."""
    try:
        _loads(text)
    except NotJson as error:
        return str(error)
    return None


def json_hint(value: object, expected: object, *, as_value: bool) -> str:
    """How a text that holds an object or array is judged as one, where `expected` is one; else "".

    `as_value` as of a Context: there the text stands at a path already.
    """
    if not isinstance(value, str) or not isinstance(expected, Mapping | list | tuple):
        return ""
    if not value.lstrip().startswith(("{", "[")) or json_problem(value) is not None:
        return ""
    how = "add parse='json'" if as_value else "add path='$', parse='json'"
    return f", which is JSON in a text: {how}"


def _fences(text: str) -> list[str]:
    """The contents of the code fences, those marked as JSON first; a last one need not be closed."""
    found: list[tuple[bool, list[str]]] = []
    fence = ""
    for line in text[:MAX_TEXT].splitlines(keepends=True):
        bare = line.strip()
        if not fence:
            opening = _FENCE.fullmatch(bare)
            if opening is not None:
                fence = opening[1]
                found.append((opening[2].strip().lower() != "json", []))
        elif bare.startswith(fence) and not bare.strip(fence[0]):
            fence = ""
        else:
            found[-1][1].append(line)
    return ["".join(lines) for _, lines in sorted(found, key=lambda one: one[0])]


def _loads(text: str) -> Any:
    if len(text) > MAX_TEXT:
        raise NotJson(f"the text has {len(text):,} characters, at most {MAX_TEXT:,} are read")
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        near = text[error.pos : error.pos + 30]
        found = f"found {value_text(near)}" if near else "the text ends"
        raise NotJson(f"it is not JSON: {error.msg} (at character {error.pos}, {found})") from None
    except RecursionError:
        raise NotJson("it is not JSON that can be read: nested too deep") from None
    except ValueError as error:
        raise NotJson(f"it is not JSON: {error}") from None


def _no_number(written: str) -> Any:
    raise ValueError(f"{written} is not a number in JSON")


def _integer(written: str) -> int:
    if len(written) > MAX_DIGITS:
        raise ValueError(f"a number of {len(written):,} digits")
    return int(written)


_DECODER = json.JSONDecoder(parse_constant=_no_number, parse_int=_integer)
