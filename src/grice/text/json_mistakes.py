"""What is wrong with a text that is no JSON: where the mistake is, and what to write instead.

Python's parser tells where it gave up, in words of its grammar. `json_mistake` looks at the text around that
place. Each cause is one function that answers or gives None; the first that answers counts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import NamedTuple

from grice.text.display import shorten, visible
from grice.user_files import TYPOGRAPHIC, left_over

_CLOSES = {"[": "]", "{": "}"}
_WORDS = {"True": "true", "False": "false", "None": "null", "undefined": "null"}
"""What other languages write for a constant of JSON."""

_Mistake = tuple[int, str]


class _Place(NamedTuple):
    """Where json gave up: its words, the offset, what stands there, and what before without white space."""

    text: str
    said: str
    offset: int
    rest: str
    before: str


def json_mistake(text: str, error: json.JSONDecodeError) -> _Mistake:
    """The offset of the mistake in a text that json refused, and what to write."""
    if not text.strip():
        return 0, "the file is empty"
    at = error.pos
    place = _Place(text, error.msg, at, text[at : at + 200], text[:at].rstrip(" \t\r\n"))
    where, message = left_over(text) or next(filter(None, (cause(place) for cause in _CAUSES)))
    return where, f"not valid JSON: {message}"


def no_number(written: str) -> str:
    """The message for NaN and the like, which Python's parser accepts."""
    return f"{written} is no JSON number: write null, or a text in quotes"


def _in_a_string(at: _Place) -> _Mistake | None:
    if at.said.startswith("Unterminated string"):
        return at.offset, 'the quote that opens here is not closed: end the text with "'
    if at.said.startswith("Invalid control character"):
        if at.rest[:1] in "\r\n":
            message = (
                'the quote that opens here is not closed on its line: end the text with ", '
                "and write a line break in it as \\n"
            )
            return _last_quote(at.text, at.offset), message
        written = "\\t" if at.rest[0] == "\t" else f"\\u{ord(at.rest[0]):04x}"
        return at.offset, f"a control character cannot stand in a text: write {written}"
    if at.said.startswith("Invalid \\"):
        return at.offset, "a backslash in a text is written \\\\"
    return None


_TOKEN = re.compile(r'(?s)"(?:[^"\\]|\\.)*+"?|[{}\[\]]')


def _last_quote(text: str, offset: int) -> int:
    """Where the text opens within which the offset lies."""
    return max(found.start() for found in _TOKEN.finditer(text, 0, offset) if found[0][0] == '"')


def _comment(at: _Place) -> _Mistake | None:
    if not at.rest.startswith(("//", "/*", "#")):
        return None
    return at.offset, "JSON has no comments: leave it out, or save the file as .yaml, where # begins one"


def _comma(at: _Place) -> _Mistake | None:
    following = at.rest.lstrip(", \t\r\n")[:1]
    if at.rest[:1] in ("}", "]") and at.before.endswith(","):
        return len(at.before) - 1, f"a comma stands before {at.rest[0]}: leave it out"
    if at.said.startswith("Illegal trailing comma"):
        return at.offset, f"a comma stands before {following}: leave it out"
    if at.rest.startswith(",") and at.before.endswith((",", "[", "{", ":")):
        return at.offset, "a value is missing before this comma: write it, or leave the comma out"
    return None


def _other_quotes(at: _Place) -> _Mistake | None:
    first = at.rest[:1]
    if not first or first not in f"'’`{TYPOGRAPHIC}":
        return None
    kind = "double" if first in "'`" else "straight"
    return at.offset, f'JSON has {kind} quotes only: write " instead of {first}'


def _second_value(at: _Place) -> _Mistake | None:
    if at.said != "Extra data":
        return None
    if at.rest[0] in "}]":
        return at.offset, f"nothing opens this {at.rest[0]}: leave it out"
    if at.rest[0] in "{[":
        return at.offset, "a second document starts here: put both into one list, [..., ...]"
    return at.offset, f"the value ends before {_beginning_of(at.rest.splitlines()[0])!r}: leave that out"


def _end_of_text(at: _Place) -> _Mistake | None:
    if at.rest.strip():
        return None
    opened: list[int] = []
    for found in _TOKEN.finditer(at.text):
        if found[0] in _CLOSES:
            opened.append(found.start())
        elif found[0] in ("]", "}") and opened:
            opened.pop()
    if not opened:
        return None
    bracket = at.text[opened[-1]]
    return opened[-1], f"the {bracket} that opens here is not closed: {_CLOSES[bracket]} is missing"


_BARE_WORD = re.compile(r"[^\W\d][\w-]*")
_YAML_FIELD = re.compile(r"(?:- )?[\w-]+:(?:\s|$)|---")


def _bare_word(at: _Place) -> _Mistake | None:
    if not at.before and _YAML_FIELD.match(at.text.lstrip()):
        return at.offset, "this is YAML: save the file as .yaml"
    if "delimiter" in at.said or not (found := _BARE_WORD.match(at.rest)):
        return None
    if found[0] in _WORDS:
        return at.offset, f"JSON has no {found[0]}: write {_WORDS[found[0]]}"
    kind = "the name of a field" if "property name" in at.said else "a text"
    return at.offset, f'{kind} needs double quotes: write "{_beginning_of(found[0])}"'


_NUMBER_BEFORE = re.compile(r"(?<![\w.+-])-?\d[\d.]*\Z")
_NUMBER = re.compile(r"[-+.]?\d[\w.+-]*")


def _number(at: _Place) -> _Mistake | None:
    """`01`, `5.` and `0x1f`, of which the parser took the beginning, and `+1` and `.5`, which it did not."""
    begun = _NUMBER_BEFORE.search(at.text, max(at.offset - 60, 0), at.offset)
    start = begun.start() if begun else at.offset
    found = _NUMBER.match(at.text, start)
    if found is None or found.end() == at.offset or (begun is None and at.said != "Expecting value"):
        return None
    written = _beginning_of(found[0])
    return start, f"{written} is no JSON number: write it as 1, -1, 0.5 or 1e3, or as a text in quotes"


def _missing(at: _Place) -> _Mistake | None:
    first = at.rest[:1]
    if "':' delimiter" in at.said:
        return len(at.before), "a colon is missing here, between a name and its value"
    if "',' delimiter" not in at.said:
        return (at.offset, f"a value is missing before this {first}") if first in ("}", "]", ":") else None
    if first in "}]":
        wanted = "]" if first == "}" else "}"
        return at.offset, f"{first} stands where {wanted} is expected: close what was opened last first"
    if at.text[at.offset - 1] == '"' and (first.isalnum() or first == '"'):
        return at.offset - 1, 'the text ends at this quote: write a quote in a text as \\"'
    return len(at.before), "a comma is missing here, between two values"


def _something_else(at: _Place) -> _Mistake:
    wanted = "the name of a field in double quotes" if "property name" in at.said else "a value"
    return at.offset, f"{wanted} is expected here, found {_beginning_of(at.rest[:1])!r}"


def _beginning_of(text: str) -> str:
    return visible(shorten(text.strip(), 60), newlines=False)


_CAUSES: tuple[Callable[[_Place], _Mistake | None], ...] = (
    _in_a_string,
    _comment,
    _comma,
    _other_quotes,
    _second_value,
    _end_of_text,
    _bare_word,
    _number,
    _missing,
    _something_else,
)
