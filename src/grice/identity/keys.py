"""The keys and ids of scenarios and tests, which stay when text, line or place change."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from grice.identity.canonical import canonical_json

_SHORT, _LONG, _LARGE_SET = 8, 16, 1000

_ESCAPES = str.maketrans({mark: f"\\{mark}" for mark in "\\:@["})


def scenario_key(record: Mapping[str, Any], *, set_size: int = 0) -> str:
    """The key of a scenario: its own `id`, else `scenario_` and hex digits of its content.

    An id is a non-empty text or an integer. The content's key has 8 digits of the SHA-256 of the canonical
    JSON, and 16 in sets of more than 1,000 scenarios, where 32 bits would soon collide.
    """
    own = record.get("id")
    if isinstance(own, str) and own.strip():
        return own
    if isinstance(own, int) and not isinstance(own, bool):
        return str(own)
    digits = _LONG if set_size > _LARGE_SET else _SHORT
    return f"scenario_{hashlib.sha256(canonical_json(record)).hexdigest()[:digits]}"


@lru_cache(maxsize=1_024)
def stable_path(suite: str, *names: str, params: str | None = None, scenario: str | None = None) -> str:
    r"""The canonical path of a test, `Suite::Class::test[params]@scenario-key`.

    Every part is NFC, with runs of white space made one space, stripped, and "(anonymous)" when nothing is
    left. Inside a part the characters `\`, `:`, `@` and `[` are written with a backslash before them, so
    different parts never make the same path: `stable_path("a::b")` is `a\:\:b`, not `a::b`.
    """
    path = "::".join(_part(name) for name in (suite, *names))
    if params is not None:
        path += f"[{_part(params)}]"
    if scenario is not None:
        path += f"@{_part(scenario)}"
    return path


@lru_cache(maxsize=1_024)
def stable_id(path: str) -> str:
    """`example:` and the first 12 hex digits of the SHA-256 of the path as UTF-8."""
    return f"example:{hashlib.sha256(path.encode('utf-8', 'replace')).hexdigest()[:12]}"


def _part(text: str) -> str:
    folded = " ".join(unicodedata.normalize("NFC", text).split())
    return (folded or "(anonymous)").translate(_ESCAPES)
