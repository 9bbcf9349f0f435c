"""Regular expressions that cannot hang: RE2, with messages that say how to mend what it refuses."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from grice.records import clean_text

__all__ = ["MAX_SUBJECT", "PatternError", "compile_pattern", "search"]

MAX_SOURCE = 1_024
MAX_SUBJECT = 100_000
FLAGS = "imsu"

_UNSUPPORTED = (
    (
        r"\(\?<?[=!]",
        "look-around; say what must be there in one pattern and what must not in a second, negated one",
    ),
    (r"\\[1-9]", "a back-reference; RE2 has none, so that no text can make it hang"),
    (r"\(\?[a-zA-Z-]+[:)]", "inline flags; give them as flags='i'"),
    (r"\[\^\]", "[^]; write . with flags='s'"),
    (r"\\Z", r"\Z; write \z"),
)


class PatternError(ValueError):
    """A pattern that cannot be used: too long, not a pattern, or beyond what RE2 can express."""


@lru_cache(maxsize=512)
def compile_pattern(source: str, flags: str = "") -> Any:
    """The pattern compiled for RE2. `flags` are JavaScript's: any of i, m, s, u.

    Raises PatternError that says what is wrong and how to mend it.
    """
    import re2

    unknown = sorted(set(flags) - set(FLAGS))
    if unknown:
        raise PatternError(f"unknown flag {unknown[0]!r} in {flags!r}: flags are any of {', '.join(FLAGS)}")
    if len(source) > MAX_SOURCE:
        raise PatternError(f"the pattern has {len(source):,} characters, at most {MAX_SOURCE:,} are allowed")
    for construct, hint in _UNSUPPORTED:
        found = re.search(construct, source)
        if found and not _escaped(source, found.start()):
            raise PatternError(f"{source!r} uses {hint} (at character {found.start()})")
    options = re2.Options()
    options.log_errors = False
    prefix = "".join(sorted(set(flags) - {"u"}))
    translated = re.sub(r"\\u([0-9a-fA-F]{4})", r"\\x{\1}", clean_text(source))
    try:
        return re2.compile(f"(?{prefix}){translated}" if prefix else translated, options)
    except re2.error as error:
        detail = error.args[0] if error.args else error
        detail = detail.decode("utf-8", "replace") if isinstance(detail, bytes) else str(detail)
        raise PatternError(f"{source!r} is not a pattern: {detail}") from None


def search(source: str, flags: str, text: str) -> tuple[int, int] | None:
    """The span of the first match in the first 100,000 characters of `text`, None when there is none.

    Raises PatternError.
    """
    pattern = compile_pattern(source, flags)
    found = pattern.search(clean_text(text[:MAX_SUBJECT]))
    return (found.start(), found.end()) if found is not None else None


def _escaped(source: str, position: int) -> bool:
    backslashes = len(source[:position]) - len(source[:position].rstrip("\\"))
    return backslashes % 2 == 1
