"""What an annotation says of an argument: which values fit, why another does not, and its JSON Schema.

`argument_type` reads plain types, `Literal`, unions, lists, objects, records, and `Annotated`: with a
`msgspec.Meta` that bounds a value (its `description` is what messages call it), and with functions that raise
ArgumentError for a value of the right type with which no question can be asked all the same.
"""

from __future__ import annotations

import math
import re
import types
import typing
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from functools import reduce
from typing import Annotated, Any, Literal, NotRequired, Required, Union

import msgspec
from msgspec import Meta

from grice.matching.matcher import ArgumentError, Matcher, MatcherFactory
from grice.text import did_you_mean, value_text

MAX_CHOICES = 6

Fits = Callable[[Any], bool]
Schema = dict[str, Any]

_LISTS: dict[object, tuple[type, ...]] = {
    list: (list, tuple),
    tuple: (list, tuple),
    set: (list, tuple, set, frozenset),
    frozenset: (list, tuple, set, frozenset),
    Set: (list, tuple, Set),
    Sequence: (Sequence,),
    Collection: (Collection,),
    Iterable: (Iterable,),
}
"""What stands for a list in Python, by its annotation; files have nothing but lists."""


class ArgumentType:
    """What an argument may be; by itself something of Python, of which nothing can be told.

    `fits` is None where everything does. `words` are what messages call one, `many` several. `is_object` says
    whether an object of any names may be one.
    """

    words = "a value"
    many = ""
    is_object = False

    def __init__(self, fits: Fits | None = None) -> None:
        self.fits = fits
        self.notes: Schema = {}

    def schema(self) -> Schema | None:
        """The JSON Schema; None for what JSON cannot write."""
        form = self._schema()
        return None if form is None else {**form, **self.notes}

    def _schema(self) -> Schema | None:
        return None

    def check(self, place: str, value: object) -> None:
        """Raise ArgumentError for a value that does not fit."""
        if self.fits is not None and not self.fits(value):
            raise ArgumentError(self.problem(place, value))

    def has_form_of(self, value: object) -> bool:  # noqa: ARG002 - others look at it
        """Whether it can tell what is wrong inside a value that does not fit."""
        return False

    def from_data(self, value: Any) -> Any:
        """What JSON data stand for: the record that the annotation names; others as they are."""
        return value

    def problem(self, place: str, value: object) -> str:
        """Why a value that does not fit does not."""
        hint = self.hint(value)
        if isinstance(value, Matcher | MatcherFactory) and not hint:
            hint = ", a matcher: give it to .to(...)"
        return f"{place} is {self.words}, found {value_text(value)}{hint}"

    def hint(self, value: object) -> str:  # noqa: ARG002 - others look at it
        """What is meant by a value that does not fit, in brackets; "" when nobody knows."""
        return ""


class Anything(ArgumentType):
    """What nothing is known of, and nothing is wrong with."""

    is_object = True

    def _schema(self) -> Schema | None:
        return {}


class _Plain(ArgumentType):
    """What nobody looks into: a text, a number, a function."""

    def __init__(self, words: str, many: str, fits: Fits, schema: Schema | None) -> None:
        super().__init__(fits)
        self.words = words
        self.many = many
        self._form = schema

    def _schema(self) -> Schema | None:
        return self._form


class _Choice(_Plain):
    """One of some values. `instead` in the extra of its Meta has words that others use for them."""

    def __init__(self, options: tuple[Any, ...], meta: Meta) -> None:
        words = [value_text(one) for one in options]
        few = len(options) <= MAX_CHOICES
        super().__init__(
            _either(words) if few else f"one of {len(options)} values",
            "",
            self._is_one,
            {"enum": list(options)},
        )
        self._all = "" if few else f"; known are {', '.join(words)}"
        self._options = options
        self._instead: Mapping[str, str] = (meta.extra or {}).get("instead", {})

    def _is_one(self, value: Any) -> bool:
        kind = str if isinstance(value, str) else type(value)  # True is not 1
        return any(type(one) is kind and one == value for one in self._options)

    def hint(self, value: object) -> str:
        if not isinstance(value, str):
            return self._all
        other = self._instead.get(value.lower())
        texts = [one for one in self._options if isinstance(one, str)]
        return f" (here that is {other!r})" if other else did_you_mean(value, texts) or self._all


class _Text(_Plain):
    """A text."""

    def hint(self, value: object) -> str:
        name = None if isinstance(value, MatcherFactory) else getattr(value, "name", None)
        return f" (give its name, {name!r})" if isinstance(name, str) else ""


class _Instance(ArgumentType):
    """An object of a class. Where no other type stands beside it, data of a file are made one."""

    def __init__(self, kind: type, *, alone: bool) -> None:
        super().__init__(lambda value: isinstance(value, kind))
        self._kind = kind
        self._alone = alone
        self.words = f"{'an' if kind.__name__[:1] in 'AEIOU' else 'a'} {kind.__name__}"

    def _schema(self) -> Schema | None:
        try:
            return msgspec.json.schema(self._kind) if self._alone else None
        except (TypeError, RecursionError):
            return None

    def from_data(self, value: Any) -> Any:
        with suppress(msgspec.ValidationError, TypeError, RecursionError):
            return msgspec.convert(value, self._kind) if self._alone else value
        return value

    def hint(self, value: object) -> str:
        if isinstance(value, Mapping) and self._schema() is not None:
            try:
                msgspec.convert(value, self._kind)
            except msgspec.ValidationError as error:
                return f": {error}".replace("`", "")
        return ""


class _Whole(ArgumentType, ABC):
    """What has parts, each with a type of its own."""

    def __init__(self) -> None:
        super().__init__(
            lambda value: self.has_form_of(value) and next(self._faults("", value), None) is None
        )

    def problem(self, place: str, value: object) -> str:
        return next(self._faults(place, value)) if self.has_form_of(value) else super().problem(place, value)

    @abstractmethod
    def _faults(self, place: str, value: Any) -> Iterator[str]:
        """What is wrong with the parts of a value that has the form."""


class _List(_Whole):
    """A list, of any number of elements of one type."""

    def __init__(self, kinds: tuple[type, ...], item: ArgumentType, meta: Meta) -> None:
        super().__init__()
        self._kinds = kinds
        self._item = item
        self._least = meta.min_length or 0
        self._most = meta.max_length
        of = f" of {item.many}" if item.many else ""
        size = (
            " that is not empty" if self._least == 1 else f", at least {self._least}" if self._least else ""
        )
        most = "" if self._most is None else f", at most {self._most:,}"
        self.words = f"a list{of}{size}{most}"

    def _schema(self) -> Schema | None:
        item = self._item.schema()
        if item is None:
            return None
        found: Schema = {"type": "array", "items": item, "minItems": self._least, "maxItems": self._most}
        return {name: value for name, value in found.items() if value}

    def has_form_of(self, value: object) -> bool:
        return isinstance(value, self._kinds) and not isinstance(value, str | bytes | Mapping)

    def from_data(self, value: Any) -> Any:
        return [self._item.from_data(one) for one in value] if isinstance(value, list) else value

    def _faults(self, place: str, value: Any) -> Iterator[str]:
        if not isinstance(value, Collection):  # an iterator is read only once
            return
        if len(value) < self._least:
            yield ArgumentType.problem(self, place, value)
        if self._most is not None and len(value) > self._most:
            yield f"{place} is {self.words}, found {len(value):,}"
        fits = self._item.fits
        for number, one in enumerate(value if fits is not None else ()):
            if fits is not None and not fits(one):
                inside = f"{place}[{number}]" if isinstance(value, Sequence) else f"an element of {place}"
                yield self._item.problem(inside, one)


class _Tuple(_Whole):
    """A list with a type for each of its places."""

    def __init__(self, items: Sequence[ArgumentType]) -> None:
        super().__init__()
        self._items = items
        self.words = f"a list of {len(items)}"

    def _schema(self) -> Schema | None:
        items = [one.schema() for one in self._items]
        count = len(items)
        return None if None in items else {
            "type": "array", "prefixItems": items, "minItems": count, "maxItems": count
        }  # fmt: skip

    def has_form_of(self, value: object) -> bool:
        return isinstance(value, list | tuple)

    def _faults(self, place: str, value: Any) -> Iterator[str]:
        if len(value) != len(self._items):
            yield ArgumentType.problem(self, place, value)
            return
        for number, (item, one) in enumerate(zip(self._items, value, strict=True)):
            if item.fits is not None and not item.fits(one):
                yield item.problem(f"{place}[{number}]", one)


class _Object(_Whole):
    """An object of any names, with values of one type."""

    words = "an object"
    is_object = True

    def __init__(self, key: ArgumentType, item: ArgumentType) -> None:
        super().__init__()
        self._key = key
        self._item = item

    def _schema(self) -> Schema | None:
        item = self._item.schema()
        return (
            None if item is None else {"type": "object", **({"additionalProperties": item} if item else {})}
        )

    def has_form_of(self, value: object) -> bool:
        return isinstance(value, Mapping)

    def from_data(self, value: Any) -> Any:
        is_object = isinstance(value, dict)
        return {name: self._item.from_data(one) for name, one in value.items()} if is_object else value

    def _faults(self, place: str, value: Any) -> Iterator[str]:
        for key, one in value.items():
            if self._key.fits is not None and not self._key.fits(key):
                yield self._key.problem(f"a name in {place}", key)
            if self._item.fits is not None and not self._item.fits(one):
                yield self._item.problem(f"{place}[{value_text(key)}]", one)


class _Record(_Whole):
    """An object whose names are known: a TypedDict."""

    words = "an object"

    def __init__(self, kind: Any) -> None:
        super().__init__()
        hints = typing.get_type_hints(kind, include_extras=True)
        self._fields = {name: argument_type(hint) for name, hint in hints.items()}
        self._required: Sequence[str] = sorted(kind.__required_keys__)

    def _schema(self) -> Schema | None:
        fields = {name: one.schema() for name, one in self._fields.items()}
        found: Schema = {
            "type": "object",
            "properties": {name: one for name, one in fields.items() if one is not None},
            "additionalProperties": False,
        }
        return {**found, "required": self._required} if self._required else found

    def has_form_of(self, value: object) -> bool:
        return isinstance(value, Mapping)

    def _faults(self, place: str, value: Any) -> Iterator[str]:
        for name, one in value.items():
            known = self._fields.get(name) if isinstance(name, str) else None
            if known is None:
                hint = (
                    did_you_mean(name, self._fields) if isinstance(name, str) else ""
                ) or f": {', '.join(self._fields)}"
                yield f"{place} has an unknown field {value_text(name)}{hint}"
            elif known.fits is not None and not known.fits(one):
                yield known.problem(f"{place}.{name}", one)
        for name in self._required:
            if name not in value:
                yield f"{place} lacks the field {name!r}"


class _Union(ArgumentType):
    """One of several types."""

    def __init__(self, members: Sequence[ArgumentType]) -> None:
        kinds = [one.fits for one in members if one.fits is not None]
        if len(kinds) == len(members):  # else one of them may be anything
            super().__init__(reduce(_or, kinds))
        else:
            super().__init__()
        self._members = members
        self.is_object = any(one.is_object for one in members)
        self._named = [one for one in members if one is not _NONE]
        self.words = _either(list(dict.fromkeys(one.words for one in self._named)))
        self.many = (
            " or ".join(one.many for one in self._named) if all(one.many for one in self._named) else ""
        )

    def _schema(self) -> Schema | None:
        found = [schema for one in self._members if (schema := one.schema()) is not None]
        if not found or {} in found:
            return {} if found else None
        return found[0] if len(found) == 1 else {"anyOf": found}

    def problem(self, place: str, value: object) -> str:
        only = self._named[0] if len(self._named) == 1 else None
        known = next((one for one in self._members if one.has_form_of(value)), only)
        return super().problem(place, value) if known is None else known.problem(place, value)

    def hint(self, value: object) -> str:
        return next(filter(None, (one.hint(value) for one in self._members)), "")

    def from_data(self, value: Any) -> Any:
        return self._named[0].from_data(value) if len(self._named) == 1 else value

    def has_form_of(self, value: object) -> bool:
        return any(one.has_form_of(value) for one in self._members)


class _Checked(ArgumentType):
    """What also functions have a say in, which raise ArgumentError."""

    def __init__(self, kind: ArgumentType, checks: Sequence[Callable[[Any], object]]) -> None:
        super().__init__(self._is_right)
        self._kind = kind
        self._checks = checks
        self.words, self.many, self.is_object = kind.words, kind.many, kind.is_object
        self.schema, self.from_data = kind.schema, kind.from_data  # type: ignore[method-assign]

    def _is_right(self, value: Any) -> bool:
        if self._kind.fits is not None and not self._kind.fits(value):
            return False
        return self._fault(value) is None

    def _fault(self, value: Any) -> str | None:
        try:
            for check in self._checks:
                check(value)
        except ArgumentError as error:
            return error.message
        return None

    def has_form_of(self, value: object) -> bool:
        return self._kind.has_form_of(value)

    def problem(self, place: str, value: object) -> str:
        if self._kind.fits is not None and not self._kind.fits(value):
            return self._kind.problem(place, value)
        fault = self._fault(value) or ""
        return fault if place.isidentifier() else f"{place}: {fault}"  # of a list it says which element


def _or(one: Fits, other: Fits) -> Fits:
    return lambda value: one(value) or other(value)


_NONE = _Plain("None", "", lambda value: value is None, {"type": "null"})


def argument_type(annotation: Any, *, alone: bool = True) -> ArgumentType:
    """What an annotation allows; anything where it says nothing that can be looked at.

    `alone` is false for one of several types of a union.
    """
    annotation, meta, checks = _without_metadata(annotation)
    found = _union(annotation) or _plain(annotation, meta) or _container(annotation, meta)
    if found is None:
        found = _of_class(annotation, alone=alone)
    found.words = meta.description or found.words
    notes = {"title": meta.title, "description": meta.description, "examples": meta.examples}
    found.notes = {name: note for name, note in notes.items() if note} | (meta.extra_json_schema or {})
    return _Checked(found, checks) if checks else found


def _without_metadata(annotation: Any) -> tuple[Any, Meta, list[Callable[[Any], object]]]:
    """The bare annotation, the last Meta beside it, and the functions beside it."""
    meta = Meta()
    checks: list[Callable[[Any], object]] = []
    while True:
        origin = typing.get_origin(annotation)
        if origin is Annotated:
            metas = [one for one in annotation.__metadata__ if isinstance(one, Meta)]
            checks = [one for one in annotation.__metadata__ if isinstance(one, types.FunctionType)]
            meta = metas[-1] if metas else meta
            annotation = annotation.__origin__
        elif origin in (Required, NotRequired):
            annotation = typing.get_args(annotation)[0]
        elif hasattr(annotation, "__supertype__"):  # NewType
            annotation = annotation.__supertype__
        elif hasattr(annotation, "__value__") and not isinstance(annotation, type):  # type X = ...
            annotation = annotation.__value__
        else:
            return annotation, meta, checks


def _union(annotation: Any) -> ArgumentType | None:
    if typing.get_origin(annotation) not in (Union, types.UnionType):
        return None
    kinds = typing.get_args(annotation)
    alone = sum(one is not type(None) for one in kinds) == 1
    return _Union([argument_type(one, alone=alone) for one in kinds])


def _plain(annotation: Any, meta: Meta) -> ArgumentType | None:
    if typing.get_origin(annotation) is Literal:
        return _Choice(typing.get_args(annotation), meta)
    if annotation is None or annotation is type(None):
        return _NONE
    if annotation is bool:
        return _Plain("true or false", "", lambda value: isinstance(value, bool), {"type": "boolean"})
    if annotation is int or annotation is float:
        return _number(annotation, meta)
    return _text(meta) if annotation is str else None


def _number(kind: type[int | float], meta: Meta) -> ArgumentType:
    whole = kind is int or meta.multiple_of == 1
    kinds = (int,) if kind is int else (int, float)
    bounds: Schema = {
        "minimum": meta.ge,
        "exclusiveMinimum": meta.gt,
        "maximum": meta.le,
        "exclusiveMaximum": meta.lt,
        "multipleOf": meta.multiple_of if kind is int or not whole else None,
    }
    bounds = {name: bound for name, bound in bounds.items() if bound is not None}
    schema = {"type": "integer" if whole else "number", **bounds}
    noun, words = ("whole number" if whole else "number"), _bounds_text(meta)
    return _Plain(f"a {noun}{words}", f"{noun}s", _in_bounds(kinds, meta), schema)


def _in_bounds(kinds: tuple[type, ...], meta: Meta) -> Fits:
    def is_number(value: Any) -> bool:
        return isinstance(value, kinds) and not isinstance(value, bool)

    least, most, step = meta.ge, meta.le, meta.multiple_of
    above, below = meta.gt, meta.lt
    if (least, most, above, below, step) == (None,) * 5:
        return is_number
    above = -math.inf if above is None and least is None else above  # what is bounded is finite
    below = math.inf if below is None and most is None else below

    def is_in_bounds(value: Any) -> bool:
        return (
            is_number(value)
            and (value >= least if above is None else value > above)
            and (value <= most if below is None else value < below)
            and (step is None or value % step == 0)
        )

    return is_in_bounds


def _bounds_text(meta: Meta) -> str:
    if meta.ge is not None and meta.le is not None:
        return f" from {meta.ge} to {meta.le}"
    bounds = (("from", meta.ge), ("above", meta.gt), ("up to", meta.le), ("below", meta.lt))
    words = " and ".join(f"{word} {bound}" for word, bound in bounds if bound is not None)
    return f" {words}" if words else ""


def _text(meta: Meta) -> ArgumentType:
    least, most, pattern = meta.min_length or 0, meta.max_length, meta.pattern
    schema = {"type": "string", "minLength": least, "maxLength": most, "pattern": pattern}
    words = " that is not empty" if least == 1 else f" of at least {least} characters" if least else ""
    words += f" of at most {most} characters" if most is not None else ""
    words += f" like /{pattern}/" if pattern is not None else ""
    search = re.compile(pattern).search if pattern is not None else None

    def fits(value: Any) -> bool:
        return (
            isinstance(value, str)
            and len(value) >= least
            and (most is None or len(value) <= most)
            and (search is None or search(value) is not None)
        )

    return _Text(f"a text{words}", "texts", fits, {name: one for name, one in schema.items() if one})


def _container(annotation: Any, meta: Meta) -> ArgumentType | None:
    kind = typing.get_origin(annotation) or annotation
    arguments = typing.get_args(annotation)
    if kind is tuple and arguments and Ellipsis not in arguments:
        return _Tuple([argument_type(one) for one in arguments])
    if isinstance(kind, type) and kind in _LISTS:
        return _List(_LISTS[kind], argument_type(arguments[0] if arguments else Any), meta)
    if kind is dict or kind is Mapping:
        key, item = arguments or (Any, Any)  # in JSON every name is a text
        return _Object(argument_type(Any if key is str else key), argument_type(item))
    return _Record(annotation) if typing.is_typeddict(annotation) else None


def _of_class(annotation: Any, *, alone: bool) -> ArgumentType:
    kind = typing.get_origin(annotation) or annotation
    if kind is Callable:
        return _Plain("a function", "functions", callable, None)
    if not isinstance(kind, type) or kind in (object, Any):
        return Anything()
    return ArgumentType() if getattr(kind, "_is_protocol", False) else _Instance(kind, alone=alone)


def _either(words: Sequence[str]) -> str:
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
