"""Showing text that others wrote: nothing in it may move the cursor, reverse a line or hide."""

from __future__ import annotations

import re
from typing import Any

MAX_VALUE = 200

_EMOJI = "\u203c-\u3299\U0001f000-\U0001faff"
_JOINED_SCRIPTS = "\u0600-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u18af\ufb50-\ufdff\ufe70-\ufefc"

# C0 without tab and newline, DEL and C1; line separators; soft hyphen, fillers and joiners that show
# nothing; bidirectional marks, embeddings, overrides and isolates; tags and variation selectors, which can
# smuggle whole sentences; surrogates that stand alone.
_HIDDEN = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029"
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff\ud800-\udfff"
)
# A zero-width (non-)joiner is spelling between letters of a joining script, and glue between emoji; an emoji
# or text selector belongs after the one character it changes. Anywhere else they hide.
_UNUSUAL = (
    rf"[{_HIDDEN}]"
    rf"|\u200c(?!(?<=[{_JOINED_SCRIPTS}]\u200c)[{_JOINED_SCRIPTS}])"
    rf"|\u200d(?!(?<=[{_JOINED_SCRIPTS}]\u200d)[{_JOINED_SCRIPTS}]|(?<=[{_EMOJI}\ufe0f]\u200d)[{_EMOJI}])"
    rf"|(?<![{_EMOJI}0-9#*\u00a9\u00ae])[\ufe0e\ufe0f]"
)
# Compiled when a text needs them, which is rare.
_ANY_LINES = _UNUSUAL
_ONE_LINE = rf"\n|{_UNUSUAL}"
_ASCII_ANY_LINES = r"[\x00-\x08\x0b-\x1f\x7f]"
_ASCII_ONE_LINE = r"[\x00-\x08\x0a-\x1f\x7f]"

_NAMED = {"\n": r"\n", "\r": r"\r"}


def visible(text: str, *, newlines: bool = True) -> str:
    r"""The text with everything that could act on a terminal or hide from a reader written as an escape.

    Control characters (so ANSI sequences too), bidirectional controls, zero-width and other format
    characters and lone surrogates become `\x1b`, `\u202e` or `\U000e0041`; the rest is unchanged, tabs too.
    Newlines are kept unless `newlines` is false, which gives one line with `\n` in it. This is for reading:
    a backslash in the text stays as it is, so the result cannot be turned back.
    """
    if text.isascii():
        plain = text.replace("\n", "").replace("\t", "") if newlines else text
        if plain.isprintable():
            return text
        return re.sub(_ASCII_ANY_LINES if newlines else _ASCII_ONE_LINE, _escape, text)
    return re.sub(_ANY_LINES if newlines else _ONE_LINE, _escape, text)


def shorten(text: str, limit: int) -> str:
    """The text when it has at most `limit` characters, else its beginning and `... (N characters)`.

    N is the length of the whole text. The result never has more than `limit` characters; a limit too small
    for the note gives the beginning and `...` alone.
    """
    if len(text) <= limit:
        return text
    note = f"... ({len(text)} characters)"
    if len(note) >= limit:
        note = "..."
    return (text[: max(limit - len(note), 0)] + note)[: max(limit, 0)]


def plural(count: int, noun: str) -> str:
    """`1 visit`, `2,000 visits`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def shown_lines(text: str, characters: int, lines: int) -> list[str]:
    """The lines of a text, made visible; of a long one its beginning, and how long the whole is."""
    shown = visible(shorten(text, characters)).split("\n")
    if len(shown) <= lines:
        return shown
    return [*shown[:lines], f"... ({text.count(chr(10)) + 1} lines)"]


def value_text(value: object) -> str:
    """A value for a message: its repr on one line, cut when long. Never raises."""
    if isinstance(value, str) and len(value) > MAX_VALUE:
        shown = f"{value[: MAX_VALUE - 40]!r}... ({len(value)} characters)"
    else:
        try:
            shown = _bounded_repr(value)
        except Exception:  # somebody's object
            shown = f"<{type(value).__name__}>"
    return shown if shown.isascii() and shown.isprintable() else visible(shown, newlines=False)


def _bounded_repr(value: object) -> str:
    """The value's repr, cut when long; of plain containers only the part that is shown is looked at."""
    if type(value) not in _CONTAINERS:
        return shorten(repr(value), MAX_VALUE)
    parts: list[str] = []
    room = _add_repr(value, parts, MAX_VALUE, 0)
    shown = "".join(parts)
    return shown if room >= 0 and len(shown) <= MAX_VALUE else f"{shown[: MAX_VALUE - 3]}..."


_CONTAINERS: dict[type, str] = {dict: "{}", list: "[]", tuple: "()"}
MAX_NESTING = 20


def _add_repr(value: Any, parts: list[str], room: int, depth: int) -> int:
    """Add the value's repr to the parts; returns how much room is left, below 0 when it was cut."""
    brackets = _CONTAINERS.get(type(value))
    if brackets is None or depth > MAX_NESTING:
        cut = isinstance(value, str) and len(value) > MAX_VALUE
        shown = "..." if brackets else repr(value[:MAX_VALUE] if cut else value)
        parts.append(shown)
        return room - len(shown)
    parts.append(brackets[0])
    room -= 2
    for place, one in enumerate(value):
        if room <= 0:
            parts.append("...")
            return -1
        if place:
            parts.append(", ")
            room -= 2
        if brackets == "{}":
            key = f"{one!r}: "
            parts.append(key)
            room -= len(key)
            one = value[one]
        room = _add_repr(one, parts, room, depth + 1)
    parts.append(",)" if brackets == "()" and len(value) == 1 else brackets[1])
    return room


def _escape(found: re.Match[str]) -> str:
    character = found[0]
    if character in _NAMED:
        return _NAMED[character]
    code = ord(character)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
