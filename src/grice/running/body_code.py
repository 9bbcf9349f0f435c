"""What the word of a test's body rests on: plain assertions, of which only the code is known."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterable
from functools import lru_cache
from typing import Any

from grice.identity.code import code_fingerprint, has_assertion
from grice.records import JsonValue

__all__ = ["asserting_code", "asserts", "code_detail"]

_fingerprint = lru_cache(maxsize=256)(code_fingerprint)
_has_assertion = lru_cache(maxsize=256)(has_assertion)


def code_detail(function: Any) -> dict[str, JsonValue]:
    """`{"code": "sha256:..."}` of the body of a test, for the detail of a verdict; empty without a body.

    Comparisons tell by it whether two experiments asserted the same.
    """
    return {} if function is None else {"code": _code(function)}


def asserts(function: Any) -> bool:
    """Whether the body of a test has assertions of its own: an `assert` or a `raise` in its source.

    One whose source cannot be read, or that leaves it to a function that it calls, counts as having none.
    """
    if function is None:
        return False
    return _has_assertion(function) if isinstance(function, Hashable) else has_assertion(function)


def asserting_code(functions: Iterable[Any]) -> str:
    """The fingerprint of those bodies that have assertions of their own, "" where none has."""
    codes = [_code(one) for one in functions if asserts(one)]
    if len(codes) < 2:
        return "".join(codes)
    return f"sha256:{hashlib.sha256(' '.join(codes).encode()).hexdigest()}"


def _code(function: Callable[..., Any]) -> str:
    return _fingerprint(function) if isinstance(function, Hashable) else code_fingerprint(function)
