"""What the word of a test's body rests on: plain assertions, of which only the code is known."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from typing import Any

from grice.identity.code import code_fingerprint
from grice.records import JsonValue

__all__ = ["code_detail"]

_fingerprint = lru_cache(maxsize=256)(code_fingerprint)


def code_detail(function: Any) -> dict[str, JsonValue]:
    """`{"code": "sha256:..."}` of the body of a test, for the detail of a verdict; empty without a body.

    Comparisons tell by it whether two experiments asserted the same.
    """
    if function is None:
        return {}
    return {"code": _fingerprint(function) if isinstance(function, Hashable) else code_fingerprint(function)}
