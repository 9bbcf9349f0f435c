"""Regular expressions that cannot hang: JavaScript's, on RE2, with messages that say how to mend them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from grice.matching.patterns.javascript import PatternError, Translation, translate
from grice.records import clean_text
from grice.text import value_text

MAX_SOURCE = 1_024
MAX_SUBJECT = 100_000
FLAGS = "imsu"
MAX_MEMORY = 64 << 20
"""For one pattern. In RE2's own 8 MB a large repeat, as in `[^c]{0,1000}c`, can be a hundred times slower."""

_OTHER_FLAGS = {
    "d": "the span is always given",
    "g": "whether there is a match does not depend on it",
    "v": "of its notation for sets RE2 has nothing; use u",
    "y": "write ^ for the beginning of the text",
}
_DOT = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]|(?P<dot>\.)", re.DOTALL)
# Where a match may depend on what follows the cut.
_LOOKS_AHEAD = re.compile(r"\\(?P<boundary>[bB])|\\.|\[(?:\\.|[^\]\\])*\]|(?P<end>\$)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern ready for use. Spans are in characters."""

    translation: Translation
    _whole: Any
    _anywhere: Any

    def search(self, text: str) -> tuple[int, int] | None:
        """The span of the first match, None when there is none.

        Lone surrogates in the text count as U+FFFD, pairs of them as one character (`clean_text`).
        """
        subject = self._subject(text)
        found = self._anywhere.search(subject)
        if found is None:
            return None
        start, end = found.span(1 if self.translation.inside_characters else 0)
        if len(subject) == len(text):  # ASCII
            return start, end
        start_in_text = len(subject[:start].decode())
        return start_in_text, start_in_text + len(subject[start:end].decode())

    def occurs_in(self, subject: bytes) -> bool:
        """Whether it matches somewhere in what `encoded` made of a text."""
        return self._anywhere.search(subject) is not None

    def fullmatch(self, text: str) -> bool:
        """Whether the whole text matches."""
        return self._whole.fullmatch(self._subject(text)) is not None

    def _subject(self, text: str) -> bytes:
        return encoded(text, any_line_end=self.translation.any_line_end)


def encoded(text: str, *, any_line_end: bool) -> bytes:
    r"""The text as RE2 reads it; `any_line_end` makes every line end a \n, character for character."""
    if any_line_end:
        for line_end in "\r\u2028\u2029":
            text = text.replace(line_end, "\n")
    try:
        return text.encode()
    except UnicodeEncodeError:
        return clean_text(text).encode()


def compile_pattern(
    source: str, flags: str = "", *, max_source: int = MAX_SOURCE, allowed_flags: str = FLAGS
) -> Pattern:
    """The JavaScript pattern ready for use. `flags` are any of i, m, s, u.

    Raises PatternError that says what is wrong, where, and how to mend it.
    """
    _check_flags(flags, allowed_flags)
    _check_length(source, max_source)
    return _compiled(source, "".join(sorted(flags)), properties=False)


def compile_iregexp(source: str) -> Pattern:
    r"""A pattern of RFC 9485, as JSON paths have them, ready for use. Raises PatternError.

    The caller has checked that it is one; against JavaScript's without flags, \p{...} is allowed and `.`
    leaves out \n and \r only.
    """
    _check_length(source, MAX_SOURCE)
    return _compiled(
        _DOT.sub(lambda found: r"[^\n\r]" if found["dot"] else found[0], source), "", properties=True
    )


def search(
    source: object,
    flags: object,
    text: str,
    *,
    max_source: int = MAX_SOURCE,
    max_subject: int = MAX_SUBJECT,
    allowed_flags: str = FLAGS,
) -> tuple[int, int] | None:
    """The span of the first match in the first `max_subject` characters of `text`, None when there is none.

    Spans are those of `clean_text(text)`. Raises PatternError.
    """
    if not isinstance(source, str) or not isinstance(flags, str):
        wrong = flags if isinstance(source, str) else source
        raise PatternError(f"pattern and flags are texts, found {value_text(wrong)}")
    pattern = compile_pattern(source, flags, max_source=max_source, allowed_flags=allowed_flags)
    return pattern.search(text[:max_subject])


def is_settled(source: str, span: tuple[int, int], *, max_subject: int = MAX_SUBJECT) -> bool:
    r"""Whether a match in the first `max_subject` characters stands whatever follows them.

    It does when it ends before the cut: what it looked at is then all there. One that reaches the cut stands
    when the pattern has no `$`, \b or \B, which look at the character that follows. (That there is no match
    is never settled.) The flags do not matter.
    """
    return span[1] < max_subject or not any(found.lastgroup for found in _LOOKS_AHEAD.finditer(source))


@lru_cache(maxsize=256)
def matches_everything(source: str, flags: str = "") -> bool:
    """Whether every text has a match, as of a pattern with an empty alternative: `sorry|`.

    It has one when the pattern, which compiles, matches nothing at the start whatever stands behind.
    """
    try:
        return all(
            _compiled(f"(?:{source}){written}", "".join(sorted(flags)), properties=False).fullmatch(text)
            for text, written in _STARTS
        )
    except PatternError:  # with one character more it is too large
        return False


_STARTS = (("a", "a"), (" ", " "), ("\n", r"\n"), ("\ue000", "\ue000"))


def _check_flags(flags: str, allowed: str) -> None:
    allowed = "".join(flag for flag in FLAGS if flag in allowed)
    for index, flag in enumerate(flags):
        if flag not in allowed:
            any_of = f"flags are any of {', '.join(allowed)}" if allowed else "no flags are allowed"
            why = f" ({_OTHER_FLAGS[flag]})" if flag in _OTHER_FLAGS else ""
            known = "not allowed: flag" if flag in FLAGS else "unknown flag"
            raise PatternError(f"{known} {value_text(flag)} in {value_text(flags)}: {any_of}{why}")
        if flag in flags[:index]:
            raise PatternError(f"flag {flag!r} is given twice in {value_text(flags)}")


def _check_length(source: str, limit: int) -> None:
    if len(source) > limit:
        raise PatternError(
            f"the pattern has {len(source):,} characters, at most {limit:,} are allowed: {value_text(source)}"
        )


@lru_cache(maxsize=256)
def _compiled(source: str, flags: str, *, properties: bool) -> Pattern:
    import re2

    translation = translate(source, flags, properties=properties)
    options = re2.Options()
    options.log_errors = False
    options.max_mem = MAX_MEMORY
    options.never_capture = not translation.inside_characters
    try:
        whole = re2.compile(translation.source, options)
        anywhere = re2.compile(searching(translation), options) if translation.inside_characters else whole
    except re2.error as error:
        raise PatternError(f"{value_text(source)} {_why_refused(error)}") from None
    return Pattern(translation, whole, anywhere)


def searching(translation: Translation) -> str:
    r"""The pattern for RE2 that finds the translated one anywhere in a text, as its first group.

    For \B the way to the match is spelled out in whole characters: on its own RE2 finds it inside them.
    """
    source = translation.source
    return rf"\A(?s:.)*?({source})" if translation.inside_characters else source


def _why_refused(error: Any) -> str:
    detail = error.args[0] if error.args else error
    detail = detail.decode("utf-8", "replace") if isinstance(detail, bytes) else str(detail)
    if "repetition size" in detail:
        return "repeats too much: RE2 repeats up to 1,000 times, repeats inside repeats multiplied"
    if "too large" in detail:
        return "is too large for RE2; use smaller numbers in its repeats, or fewer properties"
    return f"is beyond RE2: {detail}"
