"""Save with the version that was read, and report the conflict where another one is there."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated, Any, Protocol, TypeVar

from fastapi import Header, Response

from grice.api.errors import ApiError, ConflictBody
from grice.store.errors import NoSuchRow, Outdated

CONFLICT: dict[int | str, dict[str, Any]] = {
    409: {
        "model": ConflictBody,
        "description": "Somebody changed it since it was read, or its present state does not allow it.",
    }
}
IfMatch = Annotated[
    str,
    Header(
        alias="If-Match",
        min_length=1,
        max_length=500,
        description="The `ETag`, or `fingerprint`, of what was read; `*` saves over whatever is there.",
    ),
]
T = TypeVar("T")


class _Versioned(Protocol):
    """A body that says its version."""

    fingerprint: str

    def model_dump(self, *, by_alias: bool) -> dict[str, Any]:
        """The body as JSON has it."""
        ...


_TAG = re.compile(r'\s*(?:W/)?"?([^"\s]+)"?\s*')


def base_of(if_match: str) -> str:
    """The version that a header names. Raises ApiError."""
    found = _TAG.fullmatch(if_match)
    if found is None:
        raise ApiError(400, "the request is wrong", [("If-Match", 'expected one ETag, such as "sha256:..."')])
    return found[1]


def tagged(response: Response, fingerprint: str) -> None:
    """Put the version of the answer's content into its ETag."""
    response.headers["ETag"] = f'"{fingerprint}"'


def saved(work: Callable[[str], T], if_match: str, mine: Any, theirs: Callable[[], _Versioned]) -> T:
    """Save with the version that was read, and give what `work` gives.

    Raises ApiError with both versions where another one is there, of which `theirs` gives the body.
    """
    base = base_of(if_match)
    try:
        return work(base)
    except Outdated as error:
        told = str(error)
    try:
        body = theirs()
        now, fingerprint = body.model_dump(by_alias=True), body.fingerprint
    except NoSuchRow:
        now, fingerprint = None, None
    more = {"mine": mine, "theirs": now, "fingerprint": fingerprint, "base": base}
    raise ApiError(409, told, more=more)
