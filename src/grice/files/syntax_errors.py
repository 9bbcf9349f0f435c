"""What is wrong with a text that is no JSON or no YAML: where the mistake is, and what to write instead.

The parsers tell where they gave up, in words of their grammar. `json_mistake` and `yaml_mistake` look at the
text around that place, and answer with the offset of the mistake and a message. Each cause is one function
that answers or gives None; the first that answers counts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from grice.text.display import shorten, visible

if TYPE_CHECKING:
    from grice.files.yaml_nodes import YamlPlace

__all__ = ["Mistake", "dash_problem", "json_mistake", "yaml_mistake"]

MAX_SHOWN = 60

_CLOSES = {"[": "]", "{": "}"}
_DOUBLE_QUOTES = "“”„‟«»"
_SINGLE_QUOTES = "'‘’‚`"
_DASHES = "–—‒―−‐‑"
_WORDS = {
    "True": "true",
    "False": "false",
    "None": "null",
    "nil": "null",
    "undefined": "null",
}
"""What other languages write for a constant of JSON."""


class Mistake(NamedTuple):
    """The offset at which a text is wrong, and what is wrong with it."""

    offset: int
    message: str


def _shown(text: str) -> str:
    return visible(shorten(text.strip(), MAX_SHOWN), newlines=False)


# -- JSON


class _Json(NamedTuple):
    """Where json gave up: its words, the offset, what stands there, and what before without white space."""

    text: str
    said: str
    offset: int
    rest: str
    before: str


def json_mistake(text: str, error: json.JSONDecodeError) -> Mistake:
    """The mistake in a text that json refused."""
    if not text.strip():
        return Mistake(0, "the file is empty")
    offset = error.pos
    place = _Json(text, error.msg, offset, text[offset : offset + 200], text[:offset].rstrip(" \t\r\n"))
    found = next(filter(None, (cause(place) for cause in _JSON_CAUSES)), None)
    where, message = found or Mistake(offset, error.msg)
    return Mistake(where, f"not valid JSON: {message}")


def _in_a_string(at: _Json) -> Mistake | None:
    if at.said.startswith("Unterminated string"):
        return Mistake(at.offset, 'the quote that opens here is not closed: end the text with "')
    if at.said.startswith("Invalid control character"):
        if at.rest[:1] in "\r\n":
            message = (
                'the quote that opens here is not closed on its line: end the text with ", '
                "and write a line break in it as \\n"
            )
            return Mistake(_last_quote(at.text, at.offset), message)
        written = "\\t" if at.rest[0] == "\t" else f"\\u{ord(at.rest[0]):04x}"
        return Mistake(at.offset, f"a control character cannot stand in a text: write {written}")
    if at.said.startswith("Invalid \\"):
        if at.said.startswith("Invalid \\u"):
            return Mistake(
                at.offset, "four hexadecimal digits follow \\u; a backslash itself is written \\\\"
            )
        return Mistake(at.offset, "a backslash in a text is written \\\\")
    return None


_TOKEN = re.compile(r'(?s)"(?:[^"\\]|\\.)*+"?|[{}\[\]]')


def _last_quote(text: str, offset: int) -> int:
    """Where the text opens within which the offset lies."""
    return max(found.start() for found in _TOKEN.finditer(text, 0, offset) if found[0][0] == '"')


def _comment(at: _Json) -> Mistake | None:
    if at.rest.startswith(("//", "/*", "#")):
        return Mistake(
            at.offset, "JSON has no comments: leave it out, or save the file as .yaml, where # begins one"
        )
    return None


def _comma(at: _Json) -> Mistake | None:
    following = at.rest.lstrip(", \t\r\n")[:1]
    if at.rest[:1] in ("}", "]") and at.before.endswith(","):
        return Mistake(len(at.before) - 1, f"a comma stands before {at.rest[0]}: leave it out")
    if at.said.startswith("Illegal trailing comma"):
        return Mistake(at.offset, f"a comma stands before {following}: leave it out")
    if at.rest.startswith(",") and at.before.endswith((",", "[", "{", ":")):
        return Mistake(at.offset, "a value is missing before this comma: write it, or leave the comma out")
    return None


def _other_quotes(at: _Json) -> Mistake | None:
    first = at.rest[:1]
    if first and first in _SINGLE_QUOTES:
        return Mistake(at.offset, f'JSON has double quotes only: write " instead of {first}')
    if first and first in _DOUBLE_QUOTES:
        return Mistake(at.offset, f'JSON has straight quotes only: write " instead of {first}')
    return None


def _second_value(at: _Json) -> Mistake | None:
    if at.said != "Extra data":
        return None
    if at.rest[0] in "}]":
        return Mistake(at.offset, f"nothing opens this {at.rest[0]}: leave it out")
    if at.rest[0] in "{[":
        return Mistake(at.offset, "a second document starts here: put both into one list, [..., ...]")
    return Mistake(at.offset, f"the value ends before {_shown(at.rest.splitlines()[0])!r}: leave that out")


def _end_of_text(at: _Json) -> Mistake | None:
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
    return Mistake(opened[-1], f"the {bracket} that opens here is not closed: {_CLOSES[bracket]} is missing")


_BARE_WORD = re.compile(r"[^\W\d][\w-]*")
_YAML_FIELD = re.compile(r"(?:- )?[\w-]+:(?:\s|$)|---")


def _bare_word(at: _Json) -> Mistake | None:
    if "delimiter" in at.said or not (found := _BARE_WORD.match(at.rest)):
        if at.offset or not _YAML_FIELD.match(at.text.lstrip()):
            return None
        return Mistake(at.offset, "this is YAML: save the file as .yaml")
    word = found[0]
    if word in _WORDS:
        return Mistake(at.offset, f"JSON has no {word}: write {_WORDS[word]}")
    if not at.before and _YAML_FIELD.match(at.rest):
        return Mistake(at.offset, "this is YAML: save the file as .yaml")
    kind = "the name of a field" if "property name" in at.said else "a text"
    return Mistake(at.offset, f'{kind} needs double quotes: write "{_shown(word)}"')


_NUMBER = re.compile(r"[-+.]?[\d.][\w.+-]*")


def _number(at: _Json) -> Mistake | None:
    start = at.offset
    while start and (at.text[start - 1].isdigit() or at.text[start - 1] in "-."):
        start -= 1
    found = _NUMBER.match(at.text, start)
    if start == at.offset and at.said != "Expecting value":
        return None
    if found is None or not found.start() <= at.offset < found.end():
        return None
    written = _shown(found[0])
    return Mistake(
        start, f"{written} is no JSON number: write it as 1, -1, 0.5 or 1e3, or as a text in quotes"
    )


def _missing_comma(at: _Json) -> Mistake | None:
    if "',' delimiter" not in at.said:
        return None
    first = at.rest[0]
    if first in "}]":
        wanted = "]" if first == "}" else "}"
        return Mistake(
            at.offset, f"{first} stands where {wanted} is expected: close what was opened last first"
        )
    if at.text[at.offset - 1] == '"' and (first.isalnum() or first == '"'):
        return Mistake(at.offset - 1, 'the text ends at this quote: write a quote in a text as \\"')
    if first in ";:=":
        return Mistake(at.offset, f"a comma is expected between two values, found {first}")
    return Mistake(len(at.before), "a comma is missing here, between two values")


def _missing_value(at: _Json) -> Mistake | None:
    if "':' delimiter" in at.said:
        if at.rest[0] == "=":
            return Mistake(at.offset, "a colon stands between a name and its value, found =")
        return Mistake(len(at.before), "a colon is missing here, between a name and its value")
    if at.rest[:1] in ("}", "]", ":"):
        return Mistake(at.offset, f"a value is missing before this {at.rest[0]}")
    return None


def _something_else(at: _Json) -> Mistake | None:
    if not at.rest or not at.said.startswith("Expecting "):
        return None
    wanted = "the name of a field in double quotes" if "property name" in at.said else "a value"
    return Mistake(at.offset, f"{wanted} is expected here, found {_shown(at.rest[:1])!r}")


_JSON_CAUSES: tuple[Callable[[_Json], Mistake | None], ...] = (
    _in_a_string,
    _comment,
    _comma,
    _other_quotes,
    _second_value,
    _end_of_text,
    _bare_word,
    _number,
    _missing_comma,
    _missing_value,
    _something_else,
)


# -- YAML


class _Yaml(NamedTuple):
    """Where YAML's parser gave up, and the line there."""

    text: str
    context: str
    problem: str
    offset: int
    began: int | None
    """Where what it was reading begins."""
    known: YamlPlace
    line_start: int
    line: str

    @property
    def character(self) -> str:
        return self.text[self.offset : self.offset + 1]

    @property
    def is_at_line_start(self) -> bool:
        return not self.text[self.line_start : self.offset].strip()


def yaml_mistake(text: str, error: Any, known: YamlPlace) -> Mistake:
    """The mistake in a text that YAML's parser refused; `error` is its MarkedYAMLError."""
    mark = error.problem_mark or error.context_mark
    offset = min(mark.index, len(text)) if mark else 0
    began = error.context_mark.index if error.context_mark else None
    start, line = _line_at(text, offset)
    place = _Yaml(text, error.context or "", error.problem or "", offset, began, known, start, line)
    found = next(filter(None, (cause(place) for cause in _YAML_CAUSES)), None)
    where, message = found or Mistake(offset, ": ".join(filter(None, (error.context, error.problem))))
    return Mistake(where, f"not valid YAML: {message}")


def dash_problem(text: str, start: int) -> str:
    """Why an unquoted name that begins with a dash, at that offset, is none; "" for any other."""
    if not _WRONG_DASH.match(text, start):
        return ""
    line = text[start : start + MAX_SHOWN].partition("\n")[0]
    return f"{_dash_message(line)}; a name that begins so needs quotes"


def _dash_message(written: str) -> str:
    rest = _shown(written.lstrip(f" -{_DASHES}"))
    if written[0] == "-":
        return f"a space is missing behind the dash: write '- {rest}' for a list item"
    return f"'{written[0]}' is not the dash of a list: write '- {rest}', with a hyphen and a space"


def _line_at(text: str, offset: int) -> tuple[int, str]:
    """The line on which the offset lies: where it begins, and what it says."""
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    return start, text[start : end if end >= 0 else len(text)].rstrip("\r")


def _line_before(text: str, start: int) -> tuple[int, str]:
    """The last line before that says something."""
    while start > 0:
        start, line = _line_at(text, start - 1)
        if line.strip() and not line.lstrip().startswith("#"):
            return start, line
    return 0, ""


def _column(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _tab(at: _Yaml) -> Mistake | None:
    indent = at.line[: len(at.line) - len(at.line.lstrip(" \t"))]
    if "\t" in indent:
        return Mistake(at.line_start + indent.index("\t"), "a tab indents this line: indent with spaces")
    if at.character == "\t":
        return Mistake(at.offset, "a tab stands here: write a space")
    return None


def _open_quote(at: _Yaml) -> Mistake | None:
    if at.problem == "found unexpected end of stream" and at.began is not None:
        quote = at.text[at.began]
        return Mistake(at.began, f"the quote that opens here is not closed: end the text with {quote}")
    return None


def _behind_a_quote(at: _Yaml) -> Mistake | None:
    """A quote that ended a text too early, or closed one that had been left open."""
    known = at.known
    if not known.quote or known.end > at.offset or at.text[known.end : at.offset].strip(" \t"):
        return None
    if "\n" in at.text[known.start : known.end]:
        message = f"the quote that opens here is not closed on its line: end the text with {known.quote}"
        return Mistake(known.start, message)
    if "mapping values" in at.problem or ("," in at.problem and at.offset > known.end):
        return None
    if at.offset == known.end and known.quote == "'":
        return Mistake(
            known.end - 1,
            "the text ends at this apostrophe: write it twice, '', or the text in double quotes",
        )
    if at.offset == known.end:
        return Mistake(known.end - 1, 'the text ends at this quote: write a quote in a text as \\"')
    return Mistake(
        at.offset, "text stands behind the quote that ends the value: put all of it into the quotes"
    )


def _bracket(at: _Yaml) -> Mistake | None:
    opened = at.known.bracket
    if opened is None:
        return None
    bracket = at.text[opened]
    missing = f"the {bracket} that opens here is not closed: {_CLOSES.get(bracket, bracket)} is missing"
    if not at.text[at.offset :].strip():
        return Mistake(opened, missing)
    if "did not find expected ','" not in at.problem:
        return None
    if at.character in ("]", "}"):
        return Mistake(at.offset, f"{at.character} stands where {_CLOSES.get(bracket, bracket)} is expected")
    if at.line_start > opened:
        return Mistake(opened, f"{missing}, or a comma is")
    last = at.text[at.known.start : at.known.end]
    if at.character == ":" and " " in last:  # `{a: x b: y}` has the value `x b`
        return Mistake(at.known.start + last.rindex(" "), "a comma is missing here, before the next field")
    return Mistake(at.offset, "a comma is missing before this value")


def _begins_as_a_bracket(at: _Yaml) -> Mistake | None:
    """`{name} hello`: a text that YAML takes for a collection, and what follows for too much."""
    known = at.known
    if not known.flow or known.end > at.offset or at.text[known.end : at.offset].strip(" \t"):
        return None
    if at.character in ("]", "}"):
        return Mistake(at.offset, f"nothing opens this {at.character}: leave it out")
    if at.line_start > known.start:
        return None
    rest = at.line[known.start - at.line_start :]
    return Mistake(known.start, f"a text that begins with {rest[0]} needs quotes: write {_quoted(rest)}")


def _quoted(text: str) -> str:
    """The text as YAML takes it: in double quotes; in single ones where it has double ones or backslashes."""
    shown = _shown(text)
    if '"' in shown or "\\" in shown:
        return "'" + shown.replace("'", "''") + "'"
    return f'"{shown}"'


def _first_character(at: _Yaml) -> Mistake | None:
    """A text that begins with a sign that YAML keeps for itself."""
    kept = at.problem == "found character that cannot start any token"
    where = at.offset if kept else at.began
    if not kept and not re.search("scanning an? (alias|anchor|directive|tag)", at.context):
        return None
    if where is None or not at.text[where : where + 1].strip():
        return None
    rest = at.line[max(where - at.line_start, 0) :]
    return Mistake(where, f"a text that begins with {at.text[where]} needs quotes: write {_quoted(rest)}")


def _behind_the_end(at: _Yaml) -> Mistake | None:
    if "<document start>" not in at.problem:
        return None
    return Mistake(at.offset, "a line '...' ends the file above, and more stands here: leave that line out")


def _escape(at: _Yaml) -> Mistake | None:
    if "escape" not in at.problem:
        return None
    return Mistake(
        at.offset, "a backslash in double quotes is written \\\\; in single quotes it stands as it is"
    )


def _block_text(at: _Yaml) -> Mistake | None:
    if "block scalar" not in at.context or at.began is None:
        return None
    sign = at.text[at.began]
    message = (
        f"behind {sign} nothing stands on the line: write the text on the lines below, indented, or in quotes"
    )
    return Mistake(at.began, message)


_WRONG_DASH = re.compile(rf"[ \t]*+(-(?=[^\s-])|[{_DASHES}])")
_NO_SPACE = re.compile(r"\s*+(?:- ++)?([\w-]++):(?=[^\s:/])")


def _dash(at: _Yaml) -> Mistake | None:
    """A list item with a wrong dash, on the line where the parser gave up or began, or on the one before."""
    lines = [(at.line_start, at.line), _line_before(at.text, at.line_start)]
    if at.began is not None and "simple key" in at.context:
        lines.insert(0, _line_at(at.text, at.began))
    for start, line in lines:
        if found := _WRONG_DASH.match(line):
            return Mistake(start + found.start(1), _dash_message(line.lstrip()))
    return None


def _space_behind_colon(at: _Yaml) -> Mistake | None:
    if "':'" not in at.problem and "mapping values" not in at.problem:
        return None
    began = at.offset if at.began is None else at.began
    for start, line in (_line_at(at.text, began), _line_before(at.text, at.line_start)):
        found = _NO_SPACE.match(line)
        if found and ": " not in line:
            name, rest = found[1], line[found.end() :]
            return Mistake(
                start + found.end(),
                f"a space is missing behind the colon: write '{_shown(f'{name}: {rest}')}'",
            )
    return None


_NAME_AND_TEXT = re.compile(r"\s*(?:- +)*([^\s\"'#:](?:[^:]|:(?! ))*): +(.*)")  # `*+` is wrong before 3.11.5


def _colon_in_text(at: _Yaml) -> Mistake | None:
    if "mapping values" not in at.problem:
        return None
    found = _NAME_AND_TEXT.match(at.line)
    if not found or at.offset - at.line_start < found.start(2):
        return None
    message = f"a text with a colon and a space needs quotes: write {_shown(found[1])}: {_quoted(found[2])}"
    return Mistake(at.offset, message)


def _indent_of_item(at: _Yaml) -> Mistake | None:
    """A list item that stands at another column than the one before it."""
    if not at.is_at_line_start or (not at.line.lstrip().startswith(("- ", "-\n")) and at.line.strip() != "-"):
        return None
    here, start = _column(at.line), at.line_start
    while start > 0:
        start, line = _line_before(at.text, start)
        if line.lstrip().startswith("- ") or line.strip() == "-":
            if _column(line) == here:
                break
            message = (
                f"this list item stands at column {here + 1}, the one before at column {_column(line) + 1}"
            )
            return Mistake(at.offset, f"{message}: indent them alike")
    return Mistake(
        at.offset, "a list item stands among the fields of an object: give the list a name, as in 'name:'"
    )


def _indent_of_name(at: _Yaml) -> Mistake | None:
    """A field that stands at another column than its siblings."""
    is_wrong = at.is_at_line_start and "did not find expected" in at.problem
    if not is_wrong and "mapping values" not in at.problem:
        return None
    column = _column(at.line)
    first = at.line_start + column
    if "block collection" in at.context and at.began is not None and column <= _column_of(at.text, at.began):
        message = "a list stands above, and this is no item of it: begin the line with '- '"
        return Mistake(first, f"{message}, or give the list a name")
    nearest = min(_field_columns(at), key=lambda one: abs(one - column), default=column)
    if nearest == column:
        return Mistake(first, "this line is no field and no list item of what stands above it")
    message = f"this line stands at column {column + 1}, the fields above at column {nearest + 1}"
    return Mistake(first, f"{message}: indent them alike")


def _column_of(text: str, offset: int) -> int:
    return offset - text.rfind("\n", 0, offset) - 1


_BEFORE_FIELD = re.compile(r"\s*(?:- +)*")


def _field_columns(at: _Yaml) -> list[int]:
    """The columns at which the objects around the place have their fields, the innermost first."""
    columns: list[int] = []
    start = at.line_start
    while start > 0 and (not columns or columns[-1] > 0):
        start, line = _line_before(at.text, start)
        found = _BEFORE_FIELD.match(line)
        column = found.end() if found else 0
        if line and (not columns or column < columns[-1]):
            columns.append(column)
    return columns


def _no_colon(at: _Yaml) -> Mistake | None:
    if at.problem != "could not find expected ':'" or at.began is None:
        return None
    _, line = _line_at(at.text, at.began)
    return Mistake(at.began, f"'{_shown(line)}' is neither 'name: value' nor '- item': is a colon missing?")


def _nothing_to_close(at: _Yaml) -> Mistake | None:
    if at.character in ("]", "}", ",") and at.character:
        return Mistake(
            at.offset, f"nothing opens this {at.character}: leave it out, or put the text into quotes"
        )
    return None


_YAML_CAUSES: tuple[Callable[[_Yaml], Mistake | None], ...] = (
    _tab,
    _open_quote,
    _behind_a_quote,
    _bracket,
    _begins_as_a_bracket,
    _first_character,
    _behind_the_end,
    _escape,
    _block_text,
    _nothing_to_close,
    _colon_in_text,
    _dash,
    _space_behind_colon,
    _no_colon,
    _indent_of_item,
    _indent_of_name,
)
