"""What is wrong with a text that is no YAML: where the mistake is, and what to write instead.

The parser tells where it gave up, in words of its grammar. `yaml_mistake` looks at the text around that
place. Each cause is one function that answers or gives None; the first that answers counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from grice.text.display import shorten, visible
from grice.user_files import TYPOGRAPHIC, left_over

if TYPE_CHECKING:
    from grice.files.yaml_nodes import YamlPlace


MAX_SHOWN = 60

_CLOSES = {"[": "]", "{": "}"}
_DASHES = "–—‒―−‐‑"

_Mistake = tuple[int, str]


class _Yaml(NamedTuple):
    """Where the parser gave up, and the line there."""

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


def yaml_mistake(text: str, error: Any, known: YamlPlace) -> _Mistake:
    """The offset of the mistake in a text that the parser refused, and what to write; `error` is its
    MarkedYAMLError.
    """
    mark = error.problem_mark or error.context_mark
    offset = min(mark.index, len(text)) if mark else 0
    began = error.context_mark.index if error.context_mark else None
    start, line = _line_at(text, offset)
    place = _Yaml(text, error.context or "", error.problem or "", offset, began, known, start, line)
    found = left_over(text) or next(filter(None, (cause(place) for cause in _CAUSES)), None)
    where, message = found or (offset, ": ".join(filter(None, (error.context, error.problem))))
    hint = "; put a text with {{ }} into quotes" if "{{" in line and "quotes" not in message else ""
    return where, f"not valid YAML: {message}{hint}"


# -- what the parser takes, and its writer did not mean


def typographic_problem(text: str) -> str:
    """Why an unquoted text that begins with a typographic quote is none; "" for any other."""
    if not text or text[0] not in TYPOGRAPHIC:
        return ""
    sign = text[0]
    instead = f'write " instead of {sign}; a text that begins with {sign} needs quotes'
    return f"YAML has straight quotes only: {instead}"


def space_problem(written: str) -> tuple[int, str] | None:
    """Where a space is missing behind the colon of `name:value`, and how to write it."""
    found = _NO_SPACE.match(written)
    if found is None:
        return None
    right = _shown(f"{found[1]}: {written[found.end() :]}")
    return found.end(), f"a space is missing behind the colon: write '{right}'"


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


# -- lines and values


def _shown(text: str) -> str:
    return visible(shorten(text.strip(), MAX_SHOWN), newlines=False)


def _quoted(text: str) -> str:
    """The text as YAML takes it: in double quotes; in single ones where it has double ones or backslashes."""
    shown = _shown(text)
    if '"' in shown or "\\" in shown:
        return "'" + shown.replace("'", "''") + "'"
    return f'"{shown}"'


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


def _needs_quotes(at: _Yaml, start: int, sign: str = "") -> _Mistake:
    """What to write for the text that begins there: all up to the comment, or up to the next field or item.

    `sign` is what stands in it that it may not have, where that is not the first character.
    """
    first, line = _line_at(at.text, start)
    value = line[start - first :].partition(" #")[0]
    if at.known.bracket is not None or "{" in line[: start - first]:
        value = re.split(r", |,$|[}]", value)[0]
        while value.count("]") > value.count("["):
            value = value.rpartition("]")[0]
    why = f"with {sign} in it" if sign else f"that begins with {at.text[start]}"
    return start, f"a text {why} needs quotes: write {_quoted(value)}"


# -- the causes


def _tab(at: _Yaml) -> _Mistake | None:
    indent = at.line[: len(at.line) - len(at.line.lstrip(" \t"))]
    if "\t" in indent:
        return at.line_start + indent.index("\t"), "a tab indents this line: indent with spaces"
    if at.character == "\t":
        return at.offset, "a tab stands here: write a space"
    return None


_VALUE = re.compile(rf"\s*+(?:- ++)*(?:[\w-]++: ++)?(?=[{TYPOGRAPHIC}])")
_FLOW_VALUE = re.compile(rf"[:,\[{{] *+(?=[{TYPOGRAPHIC}])")


def _typographic(at: _Yaml) -> _Mistake | None:
    """A value on the line that begins with a quote that is none, and so ends too early."""
    found = _VALUE.match(at.line)
    if found is None and at.known.bracket is not None:
        found = _FLOW_VALUE.search(at.line)
    if found is None:
        return None
    return at.line_start + found.end(), typographic_problem(at.line[found.end() :])


def _quote(at: _Yaml) -> _Mistake | None:
    """A quote that is not closed, one that ended a text too early, or closed one that had been left open."""
    if at.problem == "found unexpected end of stream" and at.began is not None:
        return at.began, f"the quote that opens here is not closed: end the text with {at.text[at.began]}"
    known = at.known
    if not known.quote or known.end > at.offset or at.text[known.end : at.offset].strip(" \t"):
        return None
    if "\n" in at.text[known.start : known.end]:
        message = f"the quote that opens here is not closed on its line: end the text with {known.quote}"
        return known.start, message
    if "mapping values" in at.problem or ("," in at.problem and at.offset > known.end):
        return None
    if at.offset > known.end:
        return at.offset, "text stands behind the quote that ends the value: put all of it into the quotes"
    if known.quote == '"':
        return known.end - 1, 'the text ends at this quote: write a quote in a text as \\"'
    message = "the text ends at this apostrophe: write it twice, '', or the text in double quotes"
    return known.end - 1, message


def _bracket(at: _Yaml) -> _Mistake | None:
    opened, known = at.known.bracket, at.known
    if opened is None:
        return None
    bracket = at.text[opened]
    missing = f"the {bracket} that opens here is not closed: {_CLOSES.get(bracket, bracket)} is missing"
    if not at.text[at.offset :].strip():
        return opened, missing
    if "did not find expected ','" not in at.problem:
        return None
    if at.character in ("]", "}"):
        return at.offset, f"{at.character} stands where {_CLOSES.get(bracket, bracket)} is expected"
    if at.line_start > opened:
        return opened, f"{missing}, or a comma is"
    last = at.text[known.start : known.end]
    if at.character == ":" and " " in last:  # `{a: x b: y}` has the value `x b`
        return known.start + last.rindex(" "), "a comma is missing here, before the next field"
    return at.offset, "a comma is missing before this value"


_TO_BRACKET = re.compile(r".*(?:[{,:] +|[{\[])([^\s\"'\[{](?:[^\"'\[{]*[^\s\[{])?)[\[{]")


def _bracket_in_text(at: _Yaml) -> _Mistake | None:
    """`{path: $.items[0]}`: what begins a list for YAML, where a text goes on for its writer."""
    is_alias = "scanning an alias" in at.context and at.began is not None
    if not is_alias and (at.character not in ("[", "{") or "did not find expected ','" not in at.problem):
        return None
    end = at.began if is_alias and at.began is not None else at.offset + 1
    found = _TO_BRACKET.fullmatch(at.text, max(at.line_start, end - 200), end)
    return _needs_quotes(at, found.start(1), at.text[end - 1]) if found else None


def _first_character(at: _Yaml) -> _Mistake | None:
    """A text that begins with a sign that YAML keeps for itself; `{name} hello` begins as a collection."""
    known = at.known
    if known.flow and known.end <= at.offset and not at.text[known.end : at.offset].strip(" \t"):
        if at.character in ("]", "}"):
            return at.offset, f"nothing opens this {at.character}: leave it out"
        return None if at.line_start > known.start else _needs_quotes(at, known.start)
    if "cannot start any token" in at.problem or "expected node content" in at.problem:
        return _needs_quotes(at, at.offset) if at.character.strip() else None
    if at.began is None or not re.search("scanning an? (alias|anchor|directive|tag)", at.context):
        return None
    return _needs_quotes(at, at.began) if at.text[at.began : at.began + 1].strip() else None


def _escape(at: _Yaml) -> _Mistake | None:
    if "escape" not in at.problem:
        return None
    return at.offset, "a backslash in double quotes is written \\\\; in single quotes it stands as it is"


def _block_text(at: _Yaml) -> _Mistake | None:
    if "block scalar" not in at.context or at.began is None:
        return None
    where = "write the text on the lines below, indented, or in quotes"
    return at.began, f"behind {at.text[at.began]} nothing stands on the line: {where}"


_NAME_AND_TEXT = re.compile(r"\s*(?:- +)*([^\s\"'#:](?:[^:]|:(?! ))*): +(.*)")  # `*+` is wrong before 3.11.5


def _colon_in_text(at: _Yaml) -> _Mistake | None:
    if "mapping values" not in at.problem:
        return None
    found = _NAME_AND_TEXT.match(at.line)
    if not found or at.offset - at.line_start < found.start(2):
        return None
    right = f"{_shown(found[1])}: {_quoted(found[2])}"
    return at.offset, f"a text with a colon and a space needs quotes: write {right}"


_WRONG_DASH = re.compile(rf"[ \t]*+(-(?=[^\s-])|[{_DASHES}])")
_NO_SPACE = re.compile(r"\s*+(?:- ++)?([\w-]++):(?=[^\s:/])")


def _dash(at: _Yaml) -> _Mistake | None:
    """A list item with a wrong dash, on the line where the parser gave up or began, or on the one before."""
    lines = [(at.line_start, at.line), _line_before(at.text, at.line_start)]
    if at.began is not None and "simple key" in at.context:
        lines.insert(0, _line_at(at.text, at.began))
    for start, line in lines:
        if found := _WRONG_DASH.match(line):
            return start + found.start(1), _dash_message(line.lstrip())
    return None


def _colon(at: _Yaml) -> _Mistake | None:
    """A field without a space behind its colon, or without a colon."""
    if "':'" not in at.problem and "mapping values" not in at.problem:
        return None
    began = at.offset if at.began is None else at.began
    for start, line in (_line_at(at.text, began), _line_before(at.text, at.line_start)):
        found = None if ": " in line else space_problem(line)
        if found:
            return start + found[0], found[1]
    if at.problem != "could not find expected ':'":
        return None
    line = _shown(_line_at(at.text, began)[1])
    return began, f"'{line}' is neither 'name: value' nor '- item': is a colon missing?"


_BEFORE_FIELD = re.compile(r"\s*(?:- +|-$)*")


def _indent(at: _Yaml) -> _Mistake | None:
    """A field or list item that stands at another column than its siblings."""
    column = _column(at.line)
    first = at.line_start + column
    is_item = at.is_at_line_start and re.match(r"-(?: |$)", at.line[column:]) is not None
    is_field = at.is_at_line_start and "did not find expected" in at.problem
    if not (is_item or is_field or "mapping values" in at.problem):
        return None
    listed = at.began if at.began is not None and "block collection" in at.context else -1
    if not is_item and column < listed - at.text.rfind("\n", 0, max(listed, 0)):
        message = "a list stands above, and this is no item of it: begin the line with '- '"
        return first, f"{message}, or give the list a name"
    above = _columns_above(at, items=is_item)
    nearest = min(above, key=lambda one: abs(one - column), default=column)
    if nearest != column:
        here, there = ("list item", "items") if is_item else ("line", "fields")
        message = f"this {here} stands at column {column + 1}, the {there} above at column {nearest + 1}"
        return first, f"{message}: indent them alike"
    if is_item:
        message = "a list item stands among the fields of an object: give the list a name, as in 'name:'"
        return first, message
    return first, "this line is no field and no list item of what stands above it"


def _columns_above(at: _Yaml, *, items: bool) -> list[int]:
    """The columns at which the lists, or the objects, around the place have theirs, the innermost first."""
    columns: list[int] = []
    start = at.line_start
    while start > 0 and (not columns or columns[-1] > 0):
        start, line = _line_before(at.text, start)
        found = _BEFORE_FIELD.match(line)
        field = found.end() if found else 0
        column = _column(line) if items else field
        if line and not (items and column == field) and (not columns or column < columns[-1]):
            columns.append(column)
    return columns


_CAUSES: tuple[Callable[[_Yaml], _Mistake | None], ...] = (
    _tab,
    _typographic,
    _quote,
    _bracket_in_text,
    _bracket,
    _first_character,
    _escape,
    _block_text,
    _colon_in_text,
    _dash,
    _colon,
    _indent,
)
