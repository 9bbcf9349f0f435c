"""Regular expressions that cannot hang: RE2, with messages that say how to mend what it refuses."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from grice.records import clean_text

__all__ = ["MAX_SUBJECT", "PatternError", "compile_pattern", "is_settled", "search"]

MAX_SOURCE = 1_024
MAX_SUBJECT = 100_000
FLAGS = "imsu"

_INLINE_FLAGS = re.compile(r"\(\?[a-zA-Z-]+[:)]")
_UNSUPPORTED = (
    (
        re.compile(r"\(\?<?[=!]"),
        "look-around; say what must be there in one pattern and what must not in a second, negated one",
    ),
    (re.compile(r"\\[1-9]|\\k<"), "a back-reference; RE2 has none, so that no text can make it hang"),
    (re.compile(r"\[\^\]"), "[^]; write . with flags='s'"),
    (re.compile(r"\\Z"), r"\Z; write \z"),
)
_ESCAPE_OR_CLASS = re.compile(r"\\.|\[(?>\^?\]?)(?:\\.|[^\]\\])*\]", re.DOTALL)
_UNICODE_ESCAPE = re.compile(
    r"\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})"  # a surrogate pair
    r"|\\u(?:\{([0-9a-fA-F]{1,6})\}|([0-9a-fA-F]{4}))"
    r"|\\.",
    re.DOTALL,
)
# Where a match may depend on what follows the cut.
_LOOKS_AHEAD = re.compile(r"\$|\\[zbB]")


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
    inline = _INLINE_FLAGS.search(_skeleton(source))
    if inline is not None:
        raise PatternError(
            f"{source!r} uses inline flags; give them as flags='i' (at character {inline.start()})"
        )
    options = re2.Options()
    options.log_errors = False
    prefix = "".join(sorted(set(flags) - {"u"}))
    translated = _UNICODE_ESCAPE.sub(_translated, clean_text(source))
    try:
        return re2.compile(f"(?{prefix}){translated}" if prefix else translated, options)
    except re2.error as error:
        raise PatternError(_why_refused(source, error)) from None


def search(source: object, flags: object, text: str) -> tuple[int, int] | None:
    """The span of the first match in the first 100,000 characters of `text`, None when there is none.

    `text` has no lone surrogates (`clean_text`). Raises PatternError.
    """
    if not isinstance(source, str) or not isinstance(flags, str):
        wrong = flags if isinstance(source, str) else source
        raise PatternError(f"pattern and flags are texts, found {wrong!r}")
    found = compile_pattern(source, flags).search(text[:MAX_SUBJECT])
    return (found.start(), found.end()) if found is not None else None


def is_settled(source: str, span: tuple[int, int]) -> bool:
    """Whether a match in the first 100,000 characters stands whatever follows them."""
    return span[1] < MAX_SUBJECT or _LOOKS_AHEAD.search(source) is None


def _why_refused(source: str, error: Any) -> str:
    skeleton = _skeleton(source)
    for construct, hint in _UNSUPPORTED:
        found = construct.search(skeleton)
        if found is not None:
            return f"{source!r} uses {hint} (at character {found.start()})"
    detail = error.args[0] if error.args else error
    detail = detail.decode("utf-8", "replace") if isinstance(detail, bytes) else str(detail)
    return f"{source!r} is not a pattern: {detail}"


def _skeleton(source: str) -> str:
    """The pattern with classes and escaped punctuation blanked out, character for character."""
    return _ESCAPE_OR_CLASS.sub(
        lambda m: m[0] if m[0][0] == "\\" and m[0][1].isalnum() else "_" * len(m[0]), source
    )


def _translated(found: re.Match[str]) -> str:
    high, low, braced, plain = found.groups()
    if high is not None:
        return rf"\x{{{0x10000 + ((int(high, 16) & 0x3FF) << 10) + (int(low, 16) & 0x3FF):x}}}"
    return rf"\x{{{braced or plain}}}" if braced or plain else found[0]
