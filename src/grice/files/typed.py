"""Reading data as what its types say: every error at once, each with its place in the file.

A type is a msgspec Struct and what it is made of. `says` adds words of one's own and further conditions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, Protocol, TypeVar, Union

import msgspec
from msgspec import UNSET, UnsetType, inspect

from grice.text.display import shorten, value_text, visible
from grice.text.suggest import did_you_mean, nearest

if TYPE_CHECKING:  # settings have types too, and are read where no document is
    from grice.files.document import Document, FileError
    from grice.files.locate import JsonPath, JsonValue

__all__ = [
    "FieldType",
    "NotBlank",
    "Problem",
    "check_fields",
    "errors_in",
    "named",
    "problems_in",
    "read",
    "right_part",
    "says",
    "within",
]

T = TypeVar("T")


class Problem(NamedTuple):
    """Something wrong in data: where, and what. `key` is the field whose name is pointed to."""

    path: JsonPath
    message: str
    key: str = ""


Further = Callable[[Any], "str | Iterable[Problem]"]
"""What else is wrong with a value of the right type: a message, or problems with paths inside of it."""


class Checked(Protocol):
    """A Struct that says more of its fields than their types do."""

    @classmethod
    def wrong(cls, fields: Mapping[str, Any]) -> Iterator[Problem]:
        """What is wrong with the fields together, where each is right by itself."""
        ...


def says(expected: str = "", *, check: Further | None = None, **constraints: Any) -> msgspec.Meta:
    """What stands behind a type in `Annotated`: what it is called, and what else has to hold of it."""
    extra = {"expected": expected, "check": check}
    if expected:
        constraints.setdefault("description", f"{expected[0].upper()}{expected[1:]}.")
    return msgspec.Meta(extra={name: one for name, one in extra.items() if one}, **constraints)


NotBlank = Annotated[str, says("a text that is not empty", pattern=r"\S")]
"""A text that says something."""


def problems_in(value: JsonValue, type_: Any) -> list[Problem]:
    """Everything that keeps the value from being of the type."""
    shape = _shape_of(type_)
    try:
        msgspec.convert(value, type_)
    except msgspec.ValidationError as error:
        found: list[Problem] = []
        shape.check(value, (), found)
        return found or [Problem((), str(error))]
    if not shape.further:
        return []
    found = []
    shape.check(value, (), found)
    return found


def within(path: JsonPath, problems: Iterable[Problem]) -> Iterator[Problem]:
    """Problems of a part, as those of the whole that has it there."""
    return (one._replace(path=(*path, *one.path)) for one in problems)


def errors_in(document: Document, value: JsonValue, type_: Any, at: JsonPath = ()) -> list[FileError]:
    """The same for the value at a place of a document, by position."""
    found = problems_in(value, type_)
    return sorted((named(document, at, one) for one in found), key=lambda one: (one.line, one.column))


def named(document: Document, at: JsonPath, problem: Problem) -> FileError:
    """The problem of a value at a place of a document, with its position and path."""
    from grice.files.document import FileError, written

    path = (*at, *problem.path)
    point = (*path, problem.key) if problem.key else path
    where = written(path) or ("the file" if problem.message.startswith("expected ") else "")
    position = document.position(point, key=bool(problem.key))
    if document.syntax == "yaml":
        problem = problem._replace(message=problem.message + _yaml_hint(document, position, problem.message))
    return FileError(document.path, *position, f"{where}: {problem.message}" if where else problem.message)


def _yaml_hint(document: Document, position: tuple[int, int], said: str) -> str:
    """What to write where YAML made something else of it than its writer meant."""
    if not said.startswith("expected "):
        return ""
    wanted, _, found = said.rpartition(", found ")
    if found == "an object" and wanted.endswith(" list"):
        return ": begin each item with '- '"
    if found == "a list" and wanted.endswith(" object"):
        return ": leave the dash out, or one of two"
    line = document.text.split("\n")[position[0] - 1][position[1] - 1 :]
    if found == "null" and line.lstrip().startswith("#"):
        return ": # begins a comment, a text with it needs quotes"
    return ""


def read(document: Document, type_: type[T], value: JsonValue, at: JsonPath = ()) -> T | list[FileError]:
    """The value at a place of a document as the type, or everything that is wrong with it."""
    return errors_in(document, value, type_, at) or msgspec.convert(value, type_)


FieldType = type | tuple[type, ...]
"""What a field holds: `str`, `bool`, `int`, `float` (any number), `list`, `dict`, `type(None)`, `object`
(anything), or a tuple of these."""


def check_fields(
    document: Document,
    at: JsonPath,
    value: JsonValue,
    *,
    required: Mapping[str, FieldType],
    optional: Mapping[str, FieldType] | None = None,
) -> list[FileError]:
    """Everything wrong with the fields of an object of a document that has these, by position."""
    return errors_in(
        document, value, _object_of(tuple(required.items()), tuple((optional or {}).items())), at
    )


@lru_cache(maxsize=64)
def _object_of(required: tuple[Any, ...], optional: tuple[Any, ...]) -> type[msgspec.Struct]:
    """A type of objects with these fields."""
    fields: list[Any] = [(name, _as_type(kind)) for name, kind in required]
    fields += [(name, _as_type(kind) | UnsetType, UNSET) for name, kind in optional]
    return msgspec.defstruct("Fields", fields, forbid_unknown_fields=True, kw_only=True)


def _as_type(kind: FieldType) -> Any:
    kinds = kind if isinstance(kind, tuple) else (kind,)
    return Any if object in kinds else Union[kinds]  # noqa: UP007 - the types are known here only


def right_part(value: JsonValue, type_: Any) -> JsonValue:
    """A copy of the value without its wrong parts, so that the rest can be looked at; None: nothing is left.

    An object in which something is missing goes as a whole.
    """
    while problems := problems_in(value, type_):
        places = {_there((*one.path, one.key) if one.key else one.path, value) for one in problems}
        if () in places:
            return None
        value = _copied(value, (), places)
    return value


def _there(place: JsonPath, value: Any) -> JsonPath:
    """The place, or the deepest one on the way to it that is there."""
    for depth, step in enumerate(place):
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return place[:depth]
    return place


def _copied(value: JsonValue, at: JsonPath, left_out: set[JsonPath]) -> JsonValue:
    if isinstance(value, dict):
        items = {name: one for name, one in value.items() if (*at, name) not in left_out}
        return {name: _copied(one, (*at, name), left_out) for name, one in items.items()}
    if isinstance(value, list):
        return [
            _copied(one, (*at, index), left_out)
            for index, one in enumerate(value)
            if (*at, index) not in left_out
        ]
    return value


# -- what a type takes

_Check = Callable[["JsonValue", "JsonPath", list[Problem]], None]
_KINDS: dict[type, str] = {
    str: "text",
    bool: "bool",
    int: "int",
    float: "float",
    list: "list",
    dict: "object",
}


class _Shape(NamedTuple):
    """What a type takes: its name in words, the kinds of JSON values, and how one of these is checked.

    `further` says that some of its checks are none of msgspec's.
    """

    words: str
    kinds: frozenset[str]
    check: _Check
    further: bool = False


def _kind_of(value: JsonValue) -> str:
    return "null" if value is None else _KINDS[type(value)]


@lru_cache(maxsize=256)
def _shape_of(type_: Any) -> _Shape:
    return _shape(inspect.type_info(type_), {})


def _shape(info: inspect.Type, made: dict[type, _Shape]) -> _Shape:
    if isinstance(info, inspect.Metadata):
        return _described(_shape(info.type, made), info.extra or {})
    if isinstance(info, inspect.StructType):
        return _struct(info, made)
    if isinstance(info, inspect.UnionType):
        return _union([_shape(one, made) for one in info.types])
    if isinstance(info, inspect.ListType | inspect.VarTupleType):
        return _list(_shape(info.item_type, made), info.min_length or 0)
    if isinstance(info, inspect.DictType):
        return _object(_shape(info.value_type, made))
    if isinstance(info, inspect.LiteralType):
        return _choice(info.values)
    for kind, words, kinds in _PLAIN:
        if isinstance(info, kind):
            return _plain(info, words, kinds)
    return _Shape("any value", _ANYTHING, lambda *_: None)  # Any and object


_ANYTHING = frozenset({"null", "text", "bool", "int", "float", "list", "object"})
_PLAIN: tuple[tuple[type[inspect.Type], str, frozenset[str]], ...] = (
    (inspect.StrType, "a string", frozenset({"text"})),
    (inspect.BoolType, "true or false", frozenset({"bool"})),
    (inspect.IntType, "an integer", frozenset({"int"})),
    (inspect.FloatType, "a number", frozenset({"int", "float"})),
    (inspect.NoneType, "null", frozenset({"null"})),
)


def _wrong(value: JsonValue, path: JsonPath, words: str, found: list[Problem]) -> None:
    from grice.files.document import described

    found.append(Problem(path, f"expected {words}, found {described(value)}"))


def _of_kind(
    words: str, kinds: frozenset[str], inside: _Check | None = None, *, further: bool = False
) -> _Shape:
    def check(value: JsonValue, path: JsonPath, found: list[Problem]) -> None:
        if _kind_of(value) not in kinds:
            _wrong(value, path, words, found)
        elif inside is not None:
            inside(value, path, found)

    return _Shape(words, kinds, check, further)


def _plain(info: inspect.Type, words: str, kinds: frozenset[str]) -> _Shape:
    problem = _limits(info)

    def inside(value: Any, path: JsonPath, found: list[Problem]) -> None:
        if said := problem(value):
            found.append(Problem(path, f"expected {words} {said}, found {value_text(value)}"))

    return _of_kind(words, kinds, inside)


def _limits(info: Any) -> Callable[[Any], str]:
    """What is wrong with a text or number by the constraints of its type."""
    pattern = getattr(info, "pattern", None)
    compiled, least = re.compile(pattern) if pattern else None, getattr(info, "min_length", None)
    bounds = [(name, words, getattr(info, name, None)) for name, words in _BOUNDS.items()]
    given = [(name, words, limit) for name, words, limit in bounds if limit is not None]

    def problem(value: Any) -> str:
        if compiled is not None and not compiled.search(value):
            return f"like {pattern}"
        if least and len(value) < least:
            return "that is not empty"
        return next(
            (f"{words} {limit:g}" for name, words, limit in given if not _holds(name, value, limit)), ""
        )

    return problem


_BOUNDS = {"ge": "from", "gt": "above", "le": "up to", "lt": "below"}


def _holds(name: str, value: Any, limit: Any) -> bool:
    return bool({"ge": value >= limit, "gt": value > limit, "le": value <= limit, "lt": value < limit}[name])


def _choice(values: Iterable[Any]) -> _Shape:
    known = tuple(values)
    words = f"one of {', '.join(map(str, known))}"

    def check(value: JsonValue, path: JsonPath, found: list[Problem]) -> None:
        if value not in known or isinstance(value, bool):
            hint = did_you_mean(value, map(str, known)) if isinstance(value, str) else ""
            found.append(Problem(path, f"expected {words}, found {value_text(value)}{hint}"))

    return _Shape(words, frozenset(map(_kind_of, known)), check)


def _list(item: _Shape, least: int) -> _Shape:
    def inside(value: Any, path: JsonPath, found: list[Problem]) -> None:
        if len(value) < least:
            found.append(Problem(path, "the list is empty"))
        for index, one in enumerate(value):
            item.check(one, (*path, index), found)

    return _of_kind("a list", frozenset({"list"}), inside, further=item.further)


def _object(item: _Shape) -> _Shape:
    def inside(value: Any, path: JsonPath, found: list[Problem]) -> None:
        for name, one in value.items():
            item.check(one, (*path, name), found)

    return _of_kind("an object", frozenset({"object"}), inside, further=item.further)


def _union(several: list[_Shape]) -> _Shape:
    words = " or ".join(one.words for one in several if one.words != "null")
    kinds = frozenset(kind for one in several for kind in one.kinds)

    def inside(value: JsonValue, path: JsonPath, found: list[Problem]) -> None:
        kind = _kind_of(value)
        next(one for one in several if kind in one.kinds).check(value, path, found)

    return _of_kind(words, kinds, inside, further=any(one.further for one in several))


def _described(inner: _Shape, extra: Mapping[str, Any]) -> _Shape:
    """The shape under words of its own, with what else has to hold."""
    expected, further = extra.get("expected", ""), extra.get("check")

    def check(value: JsonValue, path: JsonPath, found: list[Problem]) -> None:
        own: list[Problem] = []
        inner.check(value, path, own)
        if expected and any(one.path == path and not one.key for one in own):
            from grice.files.document import described

            found_words = value_text(value) if _kind_of(value) in inner.kinds else described(value)
            own = [Problem(path, f"expected {expected}, found {found_words}")]
        elif not own and further is not None:
            said = further(value)
            more = ([Problem((), said)] if said else []) if isinstance(said, str) else said
            own = [*within(path, more)]
        found += own

    return _Shape(expected or inner.words, inner.kinds, check, inner.further or further is not None)


def _struct(info: inspect.StructType, made: dict[type, _Shape]) -> _Shape:
    """A Struct; one that is a part of itself is there already when its fields are looked at."""
    if info.cls in made:
        known = made[info.cls]
        return known._replace(check=lambda *given: made[info.cls].check(*given))
    more = getattr(info.cls, "wrong", None)
    made[info.cls] = _Shape("an object", frozenset({"object"}), lambda *_: None, more is not None)
    fields = {one.encode_name: _shape(one.type, made) for one in info.fields}
    required = [one.encode_name for one in info.fields if one.required]

    def inside(value: Any, path: JsonPath, found: list[Problem]) -> None:
        at_first = len(found)
        missing = [name for name in required if name not in value]
        meant = {nearest(name, missing) for name in value if name not in fields} if missing else set()
        found += [_missing(path, name, fields[name].words) for name in missing if name not in meant]
        for name, one in value.items():
            if name not in fields:
                if info.forbid_unknown_fields:
                    found.append(_unknown(path, name, [each for each in fields if each not in value]))
                continue
            fields[name].check(one, (*path, name), found)
        if more is not None and len(found) == at_first:
            found += within(path, more(value))

    further = more is not None or any(one.further for one in fields.values())
    made[info.cls] = _of_kind("an object", frozenset({"object"}), inside, further=further)
    return made[info.cls]


def _missing(path: JsonPath, name: str, words: str) -> Problem:
    expected = "" if words == "any value" else f", expected {words}"
    return Problem(path, f"missing field '{name}'{expected}")


def _unknown(path: JsonPath, name: str, known: Iterable[str]) -> Problem:
    shown = shorten(visible(name, newlines=False), 60)
    return Problem(path, f"unknown field '{shown}'{did_you_mean(name, known)}", name)
