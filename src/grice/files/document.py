"""Reading and changing data files: JSON and hardened YAML with the line and column of every value."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from math import isinf
from os import PathLike
from pathlib import Path
from typing import Literal

from grice.files.locate import MAX_DEPTH, JsonPath, JsonValue, Node, Refused, json_nodes
from grice.text.display import shorten
from grice.text.suggest import did_you_mean
from grice.user_files import SAVE_AS_UTF8, TomlError, link_problem, open_file, read_toml

Syntax = Literal["json", "yaml", "toml"]
MAX_SIZE = 10_000_000

_SYNTAXES: dict[str, Syntax] = {".json": "json", ".yaml": "yaml", ".yml": "yaml"}


class FileError(ValueError):
    """Something in a data file is wrong: `path`, `line` and `column` (from 1) say where, `message` what.

    `more` is what else is wrong where one error is raised: FileErrors tell it too.
    """

    def __init__(self, path: str, line: int, column: int, message: str) -> None:
        super().__init__(path, line, column, message)
        self.more: tuple[FileError, ...] = ()
        self.path = path
        self.line = line
        self.column = column
        self.message = message

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}: {self.message}"


class WholeFileError(FileError):
    """What is wrong with a whole file or folder: there is no line to point to."""

    def __init__(self, path: str | PathLike[str], message: str) -> None:
        super().__init__(str(path), 1, 1, message)

    def __reduce__(self) -> tuple[type[WholeFileError], tuple[str, str]]:
        return WholeFileError, (self.path, self.message)

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"


class FileErrors(ValueError):
    """Everything wrong with the files that were read, one FileError each."""

    def __init__(self, errors: Sequence[FileError]) -> None:
        told = (one for error in errors for one in (error, *error.more))
        self.errors = tuple(dict.fromkeys(told))  # those of others' errors are there already
        super().__init__("\n".join(map(str, self.errors)))

    def __reduce__(self) -> tuple[type[FileErrors], tuple[tuple[FileError, ...]]]:
        return type(self), (self.errors,)


@dataclass(frozen=True)
class Document:
    """A data file that has been read: its text (without a byte order mark), and the JSON value in it."""

    path: str
    text: str
    syntax: Syntax
    value: JsonValue

    def position(self, json_path: JsonPath = (), *, key: bool = False) -> tuple[int, int]:
        """The line and column, from 1, of the value at `json_path`; with `key`, of the name it stands under.

        For a path that is not there it is the position of the deepest part that is.
        """
        if self.syntax == "toml":
            from grice.files.toml_places import place_in

            return _line_and_column(self.text, place_in(self.text, json_path))
        parent = node = self._root
        for step in json_path:
            if step not in node.children:
                key = False
                break
            parent, node = node, node.children[step]
        offset = parent.keys.get(str(json_path[-1]), node.start) if key and json_path else node.start
        return _line_and_column(self.text, offset)

    def span(self, json_path: JsonPath = ()) -> tuple[int, int]:
        """The character offsets of the value in the text. Raises KeyError when nothing is there."""
        node = self._find(json_path)
        return node.start, node.end

    def with_value(self, json_path: JsonPath, new_value: object) -> str:
        """The text with only the value at `json_path` replaced; it parses to the changed value.

        In JSON the new value is indented as the file is; in YAML it is flow style on one line, and comments
        outside the old value stay. What JSON cannot hold is made to fit as `grice.records.clean_json` does.
        Raises KeyError when nothing is at the path, FileError when YAML shares the value by an alias.
        """
        from grice.records.capture import clean_json

        node, new_value = self._find(json_path), clean_json(new_value)
        write = _json_instead if self.syntax == "json" else _yaml_instead
        text = write(self.text, node, new_value)
        if not _is_changed(self, json_path, new_value, text):
            message = "this value cannot be replaced alone: aliases or an unusual layout tie it to others"
            raise FileError(self.path, *self.position(json_path), message)
        return text

    @cached_property
    def _root(self) -> Node:
        return json_nodes(self.text) if self.syntax == "json" else _yaml_nodes(self.text)

    def _find(self, json_path: JsonPath) -> Node:
        node = self._root
        for step in json_path:
            if step not in node.children:
                raise KeyError(json_path)
            node = node.children[step]
        return node


def load_file(
    path: str | PathLike[str], *, toml: bool = False, errors: type[FileErrors] | None = None
) -> Document:
    """The document in a `.json`, `.yaml` or `.yml` file of UTF-8 text, at most 10 MB. Raises FileError.

    With `toml` it may be a `.toml` file. `errors` is what is raised with the error instead.
    """
    try:
        return _loaded(Path(path), toml=toml)
    except FileError as error:
        if errors is None:
            raise
        raise errors([error]) from error


def _loaded(file: Path, *, toml: bool) -> Document:
    syntaxes: dict[str, Syntax] = {**_SYNTAXES, ".toml": "toml"} if toml else _SYNTAXES
    syntax = syntaxes.get(file.suffix.lower())
    if syntax is None:
        *others, last = syntaxes
        raise FileError(str(file), 1, 1, f"expected a {', '.join(others)} or {last} file")
    return parse_document(file_text(file), path=file, syntax=syntax)


def file_text(file: Path) -> str:
    """The text of a file of UTF-8, at most 10 MB. Raises FileError."""
    try:
        with open_file(file) as stream:
            data = stream.read(MAX_SIZE + 1)
    except FileNotFoundError as error:
        raise missing_file(file) from error
    except OSError as error:
        raise WholeFileError(file, f"cannot be read: {error.strerror or error}") from error
    if len(data) > MAX_SIZE:
        raise FileError(str(file), 1, 1, f"larger than {MAX_SIZE // 1_000_000} MB")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8", "replace")
        hint = "; it looks like UTF-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else ""
        message = f"not UTF-8: byte 0x{data[error.start]:02x}{hint}{SAVE_AS_UTF8}"
        raise FileError(str(file), *_line_and_column(before, len(before)), message) from error


def missing_file(path: Path, what: str = "file") -> WholeFileError:
    """The error of a file that is not there, with the nearest name that is; `what` is what was expected."""
    if link := link_problem(path):
        return WholeFileError(path, link)
    hint = ""
    if not path.parent.is_dir():
        hint = f"; there is no folder {path.parent} either"
    else:
        with suppress(OSError):
            names = [each.name for each in path.parent.iterdir() if not each.name.startswith(".")]
            same = next((f" (did you mean '{one}'?)" for one in names if Path(one).stem == path.stem), "")
            hint = did_you_mean(path.name, names) or same
    return WholeFileError(path, f"there is no such {what}{hint}")


def parse_document(text: str, *, path: str | PathLike[str], syntax: Syntax = "json") -> Document:
    """The document in a text; `path` is what errors call it.

    Refuses, as FileError with line and column: syntax errors, a name twice in one object, NaN, numbers larger
    than a double can be, nesting deeper than 200 levels, and in YAML everything that is not plain data (tags,
    merge keys, names that are not text, several documents, aliases without end).
    """
    name, text = str(path), text.removeprefix("\ufeff")
    if len(text) > MAX_SIZE:
        raise FileError(name, 1, 1, f"larger than {MAX_SIZE // 1_000_000} MB")
    try:
        if syntax == "toml":
            text = text.replace("\r\n", "\n")
            value = read_toml(text)
        else:
            value = _read_json(text) if syntax == "json" else _yaml_nodes(text).value()
    except TomlError as error:
        raise FileError(name, error.line, error.column, f"not valid TOML: {error}") from error
    except Refused as error:
        first, *others = (
            FileError(name, *_line_and_column(text, one.offset), one.message) for one in (error, *error.more)
        )
        first.more = tuple(others)
        raise first from error
    return Document(name, text, syntax, value)


def _yaml_nodes(text: str) -> Node:
    from grice.files.yaml_nodes import yaml_nodes

    return yaml_nodes(text)


def _read_json(text: str) -> JsonValue:
    if surrogate := _SURROGATE.search(text):
        raise Refused(surrogate.start(), "a surrogate stands alone: not valid Unicode")
    try:
        value = json.loads(
            text,
            object_pairs_hook=_once_each,
            parse_constant=_refuse_number,
            parse_float=_finite,
            parse_int=_whole,
        )
    except json.JSONDecodeError as error:
        from grice.text.json_mistakes import json_mistake

        raise Refused(*json_mistake(text, error)) from error
    except (ValueError, RecursionError) as error:
        json_nodes(text)  # knows where
        raise Refused(0, f"not valid JSON: {error}") from error
    if _is_too_deep(value):
        json_nodes(text)
    return value


def _is_too_deep(value: JsonValue) -> bool:
    level: list[JsonValue] = [value] if type(value) in _CONTAINERS else []
    for _ in range(MAX_DEPTH + 1):
        if not level:
            return False
        below = (each.values() if type(each) is dict else each for each in level)
        level = [child for children in below for child in children if type(child) in _CONTAINERS]
    return True


_CONTAINERS = (dict, list)


_SURROGATE = re.compile("[\ud800-\udfff]")


def _once_each(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ValueError("a field is there twice in one object")
    return fields


def _refuse_number(written: str) -> JsonValue:
    raise ValueError(f"{shorten(written, 60)} is not a JSON number")


def _finite(written: str) -> float:
    number = float(written)
    return _refuse_number(written) if isinf(number) else number


def _whole(written: str) -> int:
    _finite(written)
    return int(written)


def _line_and_column(text: str, offset: int) -> tuple[int, int]:
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def _dumped(value: JsonValue, indent: str | None = None) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)


_INDENT = re.compile(r"\n([ \t]+)\S")


def _json_instead(text: str, node: Node, value: JsonValue) -> str:
    """The text with the node's place taken by the value, indented as the rest of the file."""
    if "\n" not in text.strip():
        return text[: node.start] + _dumped(value) + text[node.end :]
    unit = _INDENT.search(text)
    line = text[text.rfind("\n", 0, node.start) + 1 : node.start]
    margin = line[: len(line) - len(line.lstrip(" \t"))]
    newline = "\r\n" if "\r\n" in text else "\n"
    written = _dumped(value, unit[1] if unit else "").replace("\n", newline + margin)
    return text[: node.start] + written + text[node.end :]


def _yaml_instead(text: str, node: Node, value: JsonValue) -> str:
    """The text with the node's place taken by the value in flow style on one line."""
    from grice.files.yaml_writing import flow_text

    written = flow_text(value)
    start = node.start
    if start == node.end:  # nothing is written there, so the value goes right behind the sign before it
        before = text[:start].rstrip()
        start = len(before) if before else start
        sign = "" if not before or before[-1] in ":-?" or before.endswith("---") else ":"
        written = f"{sign} {written}" if before else f"{written}\n"
        return text[:start] + written + text[start:]
    if node.block and node.kind == "list" and not text[text.rfind("\n", 0, start) + 1 : start].strip():
        written = f"  {written}"  # a list may stand as far left as its name, another value may not
    return text[:start] + written + text[node.end :]


def _is_changed(document: Document, json_path: JsonPath, new_value: JsonValue, text: str) -> bool:
    try:
        found = parse_document(text, path=document.path, syntax=document.syntax).value
    except FileError:
        return False
    return _dumped(found) == _dumped(_changed(document.value, json_path, new_value))


def _changed(value: JsonValue, json_path: JsonPath, new_value: JsonValue) -> JsonValue:
    if not json_path:
        return new_value
    copy = value.copy()
    copy[json_path[0]] = _changed(copy[json_path[0]], json_path[1:], new_value)
    return copy
