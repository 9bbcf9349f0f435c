"""Code as data: what a fingerprint says of a function."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from grice.records import JsonValue

__all__ = ["code_data", "name_of_code"]


def code_data(code: Callable[..., Any]) -> dict[str, JsonValue]:
    """`{"opaque": "sha256:..."}` of the source text of a function, its layout apart; of its name without one.

    What the function reads from elsewhere is not in it.
    """
    import inspect  # slow to import
    import textwrap

    plain: Any = code
    while hasattr(plain, "func"):  # functools.partial
        plain = plain.func
    try:
        source = textwrap.dedent(inspect.getsource(plain))
    except (OSError, TypeError, SyntaxError, SystemError):  # the last where threads parse at once (3.11)
        source = f"{getattr(plain, '__module__', '')}.{name_of_code(plain)}"
    lines = (line.rstrip() for line in source.splitlines())
    text = "\n".join(line for line in lines if line)
    return {"opaque": f"sha256:{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()}"}


def name_of_code(code: Any) -> str:
    """What a function is called in messages."""
    while hasattr(code, "func"):
        code = code.func
    name = str(getattr(code, "__name__", type(code).__name__))
    place = getattr(code, "__code__", None)
    if name != "<lambda>" or place is None:
        return name
    return f"lambda at {place.co_filename.replace(chr(92), '/').rpartition('/')[2]}:{place.co_firstlineno}"
