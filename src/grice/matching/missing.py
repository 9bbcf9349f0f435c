"""The value of what is not there: JavaScript's undefined, which is not null."""

from __future__ import annotations

from typing import Final

__all__ = ["MISSING", "Missing"]


class Missing:
    """The type of MISSING, the one value for what a path did not find."""

    __module__ = "grice"
    __slots__ = ()

    def __new__(cls) -> Missing:  # noqa: D102
        return _the_one

    def __repr__(self) -> str:
        return "MISSING"

    def __bool__(self) -> bool:
        return False

    def __copy__(self) -> Missing:
        return self

    def __deepcopy__(self, memo: object) -> Missing:
        return self

    def __reduce__(self) -> str:
        return "MISSING"


_the_one = object.__new__(Missing)

MISSING: Final = _the_one
"""What a path gives that resolves nothing. It is falsy, equals only itself, and is not None."""
