"""The context manager in which an agent wants its conversation to take place."""

from __future__ import annotations

import types
from contextlib import AbstractContextManager
from typing import Any

from grice.agents import BadReturn
from grice.text import value_text

__all__ = ["plain_manager"]


def plain_manager(value: Any) -> AbstractContextManager[Any]:
    """What `around()` returned. Raises BadReturn for what a `with` statement does not take."""
    kind = type(value)
    if hasattr(kind, "__enter__") and hasattr(kind, "__exit__"):
        return value  # type: ignore[no-any-return]
    if isinstance(value, types.CoroutineType):
        value.close()
    if any(hasattr(kind, name) for name in ("__aenter__", "__await__", "__aiter__")):
        raise BadReturn("around() is asynchronous: it must be a plain context manager")
    raise BadReturn(f"around() returned {value_text(value)}, expected a context manager")
