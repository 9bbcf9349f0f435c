"""What the word of a test's body rests on: plain assertions, of which only the code is known."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import lru_cache
from types import CodeType, FunctionType
from typing import Any

from grice.identity.code import code_fingerprint, has_assertion
from grice.records import JsonValue

__all__ = ["UNCHECKED", "asserting_code", "asserts", "checks_nothing", "code_detail"]

UNCHECKED = "it speaks to the agent and makes no check that can be seen"
"""Why the word of a body says nothing: no verdict, and no assertion of its own or of a function it calls."""

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


def checks_nothing(function: Any, owner: type | None = None) -> bool:
    """Whether neither the body nor a function or method that it names asserts anything.

    Names such as `raises` and `assert_called` are assertions of other libraries. `owner` is its class. What a
    body is given by fixtures and calls cannot be seen.
    """
    return function is not None and not any(map(_may_check, _reached(function, owner)))


def _reached(function: Any, owner: type | None) -> Iterator[Any]:
    """The body, and the functions and methods that it names."""
    yield function
    inner = getattr(function, "__func__", function)
    for name in _names(getattr(inner, "__code__", None)):
        named = getattr(inner, "__globals__", {}).get(name, getattr(owner, name, None))
        yield named if isinstance(named, FunctionType) else name


def _names(code: Any) -> Iterator[str]:
    """The names of globals and attributes in the code, that of functions in it too."""
    if isinstance(code, CodeType):
        yield from code.co_names
        for inner in code.co_consts:
            yield from _names(inner)


def _may_check(named: Any) -> bool:
    if isinstance(named, str):
        return named.startswith("assert") or named in ("raises", "warns", "fail")
    return asserts(named)


def asserting_code(functions: Iterable[Any]) -> str:
    """The fingerprint of those bodies that have assertions of their own, "" where none has."""
    codes = [_code(one) for one in functions if asserts(one)]
    if len(codes) < 2:
        return "".join(codes)
    return f"sha256:{hashlib.sha256(' '.join(codes).encode()).hexdigest()}"


def _code(function: Callable[..., Any]) -> str:
    return _fingerprint(function) if isinstance(function, Hashable) else code_fingerprint(function)
