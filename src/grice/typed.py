"""Reading data as what its types say: every error at once, each with its place in the file.

A type is a msgspec Struct and what it is made of. `says` adds words of one's own and further conditions;
the classmethod `wrong(fields)` of a Struct yields what is wrong with fields together, each right by itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import inspect

from grice.text.display import shorten, value_text, visible
from grice.text.suggest import did_you_mean, nearest

JsonValue = Any
JsonPath = tuple[str | int, ...]


class Closed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An object of a file, all of whose fields are known."""


class Problem(NamedTuple):
    """Something wrong in data: where, and what. `key` is the field whose name is pointed to."""

    path: JsonPath
    message: str
    key: str = ""

    def __str__(self) -> str:
        where = written(self.path)
        return f"{where}: {self.message}" if where else self.message


Further = Callable[[Any], "str | Iterable[Problem]"]
"""What else is wrong with a value of the right type: a message, or problems with paths inside of it."""


def says(
    expected: str = "", *, check: Further | None = None, once: str = "", **constraints: Any
) -> msgspec.Meta:
    """What stands behind a type in `Annotated`: what it is called, and what else has to hold of it.

    `check` is asked of a value of the right type. `once` is the field whose values the objects of a list do
    not share.
    """
    extra = {"expected": expected, "check": check, "once": once}
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
    except (msgspec.ValidationError, UnicodeEncodeError) as error:
        found: list[Problem] = []
        shape.check(value, (), found)
        if not found and isinstance(error, UnicodeEncodeError):
            name = error.object  # of a field that may have any name
            found = [Problem((), f"the name of a field has half a character: {value_text(name)}", name)]
        return found or [Problem((), str(error))]
    found = []
    if shape.ask is not None:
        shape.ask(value, (), found)
    return found


def schemas_of(*types: Any) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The JSON Schemas of the types, and those that they refer to as `#/$defs/...`, as plain JSON."""
    made = msgspec.json.schema_components(types, ref_template="#/$defs/{name}")
    shapes, definitions = msgspec.json.decode(msgspec.json.encode(made))
    return shapes, definitions


def written(path: JsonPath) -> str:
    """A place in data as a reader writes it: `turns[0].say`."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{visible(step, newlines=False)}" for step in path)
    return "".join(steps).removeprefix(".")


def problems_of(record: msgspec.Struct, type_: Any = None) -> list[Problem]:
    """What is wrong with a record that was made in Python, where nothing looks at the types of its fields."""
    found: list[Problem] = []
    data = msgspec.json.encode(record, enc_hook=lambda strange: {value_text(strange): None})
    _shape_of(type_ or type(record)).check(msgspec.json.decode(data), (), found)
    return found


def within(path: JsonPath, problems: Iterable[Problem]) -> Iterator[Problem]:
    """Problems of a part, as those of the whole that has it there."""
    return (one._replace(path=(*path, *one.path)) for one in problems)


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
    tuple: "list",
    dict: "object",
}


def _nothing(value: JsonValue, path: JsonPath, found: list[Problem]) -> None:
    """Check nothing."""


class _Shape(NamedTuple):
    """What a type takes: its name in words, the kinds of JSON values, and how one of these is checked.

    `ask` makes the checks that are none of msgspec's of a value that is right for it; None where there are
    none.
    """

    words: str
    kinds: frozenset[str]
    check: _Check
    ask: _Check | None = None


def _kind_of(value: JsonValue) -> str:
    return "null" if value is None else _KINDS.get(type(value), "")


@lru_cache(maxsize=256)
def _shape_of(type_: Any) -> _Shape:
    return _shape(inspect.type_info(type_), {})


def _shape(info: inspect.Type, made: dict[type, _Shape]) -> _Shape:
    if isinstance(info, inspect.Metadata):
        return _named(_shape(info.type, made), info.extra or {})
    if isinstance(info, inspect.StructType):
        return _struct(info, made)
    if isinstance(info, inspect.UnionType):
        return _union([_shape(one, made) for one in info.types])
    if isinstance(info, inspect.ListType | inspect.VarTupleType | inspect.FrozenSetType):
        return _list(_shape(info.item_type, made), info.min_length or 0)
    if isinstance(info, inspect.TupleType):
        return _tuple([_shape(one, made) for one in info.item_types])
    if isinstance(info, inspect.DictType):
        return _object(_shape(info.key_type, made), _shape(info.value_type, made))
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
    (inspect.DecimalType, "a number", frozenset({"int", "float"})),
    (inspect.NoneType, "null", frozenset({"null"})),
)


def _described(value: JsonValue) -> str:
    """What a value is, in a few words."""
    kind = _kind_of(value)
    if kind in ("int", "float"):
        return f"the number {shorten(str(value), 40)}"
    if kind == "text":
        return f"the string '{shorten(visible(value, newlines=False), 60)}'"
    if kind in ("list", "object"):
        return f"a{'n' if kind == 'object' else ''} {kind}"
    return {"null": "null", "bool": str(value).lower()}.get(kind) or value_text(value)


def _wrong(value: JsonValue, path: JsonPath, words: str, found: list[Problem]) -> None:
    found.append(Problem(path, f"expected {words}, found {_described(value)}"))


def _of_kind(words: str, kinds: frozenset[str], inside: _Check, ask: _Check | None = None) -> _Shape:
    def check(value: JsonValue, path: JsonPath, found: list[Problem]) -> None:
        if _kind_of(value) not in kinds:
            _wrong(value, path, words, found)
        else:
            inside(value, path, found)

    return _Shape(words, kinds, check, ask)


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
    most = getattr(info, "max_length", None)
    bounds = [(name, words, getattr(info, name, None)) for name, words in _BOUNDS.items()]
    given = [(name, words, limit) for name, words, limit in bounds if limit is not None]

    def problem(value: Any) -> str:
        if compiled is not None and not compiled.search(value):
            return f"like {pattern}"
        if least and len(value) < least:
            return "that is not empty"
        if most and len(value) > most:
            return f"of at most {most:,} characters"
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

    def ask(value: Any, path: JsonPath, found: list[Problem]) -> None:
        for index, one in enumerate(value):
            item_ask(one, (*path, index), found)

    item_ask = item.ask or _nothing
    return _of_kind("a list", frozenset({"list"}), inside, ask if item.ask else None)


def _tuple(items: list[_Shape]) -> _Shape:
    words = f"a list of {len(items)}"

    def inside(value: Any, path: JsonPath, found: list[Problem]) -> None:
        if len(value) != len(items):
            found.append(Problem(path, f"expected {words}, found {value_text(value)}"))
            return
        for index, (item, one) in enumerate(zip(items, value, strict=True)):
            item.check(one, (*path, index), found)

    def ask(value: Any, path: JsonPath, found: list[Problem]) -> None:
        for index, (item, one) in enumerate(zip(items, value, strict=True)):
            if item.ask is not None:
                item.ask(one, (*path, index), found)

    asks = any(one.ask for one in items)
    return _of_kind(words, frozenset({"list"}), inside, ask if asks else None)


def _object(key: _Shape, item: _Shape) -> _Shape:
    def each(of_key: _Check, of_item: _Check) -> _Check:
        def inside(value: Any, path: JsonPath, found: list[Problem]) -> None:
            for name, one in value.items():
                wrong: list[Problem] = []
                of_key(name, (), wrong)
                found += [Problem(path, problem.message, name) for problem in wrong]
                of_item(one, (*path, name), found)

        return inside

    ask = each(key.ask or _nothing, item.ask or _nothing) if key.ask or item.ask else None
    return _of_kind("an object", frozenset({"object"}), each(key.check, item.check), ask)


def _union(several: list[_Shape]) -> _Shape:
    words = " or ".join(one.words for one in several if one.words != "null")
    kinds = frozenset(kind for one in several for kind in one.kinds)

    def of(value: JsonValue) -> _Shape:
        kind = _kind_of(value)
        return next(one for one in several if kind in one.kinds)

    def inside(value: JsonValue, path: JsonPath, found: list[Problem]) -> None:
        of(value).check(value, path, found)

    def ask(value: JsonValue, path: JsonPath, found: list[Problem]) -> None:
        (of(value).ask or _nothing)(value, path, found)

    return _of_kind(words, kinds, inside, ask if any(one.ask for one in several) else None)


def _named(inner: _Shape, extra: Mapping[str, Any]) -> _Shape:
    """The shape under words of its own, with what else has to hold."""
    expected, further, once = extra.get("expected", ""), extra.get("check"), extra.get("once", "")

    def check(value: JsonValue, path: JsonPath, found: list[Problem]) -> None:
        own: list[Problem] = []
        inner.check(value, path, own)
        finish(value, path, own, found)

    def ask(value: JsonValue, path: JsonPath, found: list[Problem]) -> None:
        own: list[Problem] = []
        if inner.ask is not None:
            inner.ask(value, path, own)
        finish(value, path, own, found)

    def finish(value: JsonValue, path: JsonPath, own: list[Problem], found: list[Problem]) -> None:
        if expected and any(
            one.path == path and not one.key and one.message.startswith(_OF_VALUE) for one in own
        ):
            found_words = value_text(value) if _kind_of(value) in inner.kinds else _described(value)
            hint = re.search(r"(?: \(did you mean .*)?$", own[0].message)
            own = [Problem(path, f"expected {expected}, found {found_words}{hint[0] if hint else ''}")]
        elif not own and further is not None:
            said = further(value)
            more = ([Problem((), said)] if said else []) if isinstance(said, str) else said
            own = [*within(path, more)]
        if once and isinstance(value, list | tuple):
            own += within(path, _twice(value, once))
        found += own

    asks = inner.ask is not None or further is not None or bool(once)
    return _Shape(expected or inner.words, inner.kinds, check, ask if asks else None)


_OF_VALUE = ("expected ", "the list is empty")
"""How problems begin that are with the value itself, and not with what is in it."""


def _twice(listed: Iterable[Any], field: str) -> Iterator[Problem]:
    """The objects in which the field has the text of an earlier one."""
    first: dict[str, int] = {}
    for index, one in enumerate(listed):
        name = one.get(field) if isinstance(one, Mapping) else None
        if isinstance(name, str) and first.setdefault(name, index) != index:
            yield Problem((index, field), f"the {field} {value_text(name)} is that of [{first[name]}] too")


def _struct(info: inspect.StructType, made: dict[type, _Shape]) -> _Shape:
    """A Struct; one that is a part of itself is there already when its fields are looked at."""
    if info.cls in made:
        return _later(info.cls, made)
    more = getattr(info.cls, "wrong", None)
    made[info.cls] = _Shape("an object", frozenset({"object"}), _nothing)
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

    made[info.cls] = _of_kind("an object", frozenset({"object"}), inside, _asking(fields, more))
    return made[info.cls]


def _asking(fields: Mapping[str, _Shape], more: Callable[[Any], Iterable[Problem]] | None) -> _Check | None:
    """What asks the fields of a Struct, and then what is wrong with them together."""
    asked = {name: one.ask for name, one in fields.items() if one.ask is not None}

    def ask(value: Any, path: JsonPath, found: list[Problem]) -> None:
        at_first = len(found)
        for name, one in value.items():
            if name in asked:
                asked[name](one, (*path, name), found)
        if more is not None and len(found) == at_first:
            found += within(path, more(value))

    return ask if asked or more else None


def _later(cls: type, made: dict[type, _Shape]) -> _Shape:
    """The shape of a Struct that is not looked at whole yet."""
    return made[cls]._replace(
        check=lambda *given: made[cls].check(*given),
        ask=lambda *given: (made[cls].ask or _nothing)(*given),
    )


def _missing(path: JsonPath, name: str, words: str) -> Problem:
    expected = "" if words == "any value" else f", expected {words}"
    return Problem(path, f"missing field '{name}'{expected}")


def _unknown(path: JsonPath, name: str, known: Iterable[str]) -> Problem:
    shown = shorten(visible(name, newlines=False), 60)
    return Problem(path, f"unknown field '{shown}'{did_you_mean(name, known)}", name)
