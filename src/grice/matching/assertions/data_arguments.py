"""Arguments of matchers as data: what `expected` and `options` mean for a matcher, and their JSON Schema."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from functools import partial
from typing import Any

from grice.matching.json_text import json_text
from grice.matching.matcher import ArgumentError, Arguments, MatcherFactory
from grice.text import did_you_mean, value_text

Parameters = Mapping[str, inspect.Parameter]
_CAPITAL = re.compile(r"(?<=[a-z])[A-Z]")
_MANY = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def arguments_of(factory: MatcherFactory[Any, Any], fields: Mapping[str, Any]) -> Arguments:
    """The arguments that an assertion's `expected` and `options` give. Raises ArgumentError.

    `expected` is the matcher's first argument; a list for one that takes any number of them. Where the first
    argument cannot be an object, or there is none, an object names several arguments. Names are written as
    in Python or in camel case.
    """
    args: tuple[Any, ...] = ()
    named: dict[str, Any] = {}
    parameters = factory.parameters
    if "expected" in fields:
        reader = factory.read or partial(expected_arguments, factory)
        args, read = reader(fields["expected"])
        named.update(read)
    options = fields.get("options")
    if options is not None:
        if not isinstance(options, Mapping):
            raise ArgumentError(f"expected an object, found {json_text(options)}", "options")
        _add_options(named, _options(factory, options), factory, args)
    if factory.read is not None:
        return args, named
    if "expected" in fields or named:
        _refuse_missing(parameters, args, named)
    return _from_data(factory, args, named)


def _from_data(
    factory: MatcherFactory[Any, Any], args: tuple[Any, ...], named: Mapping[str, Any]
) -> Arguments:
    """The arguments with the records that annotations name in the place of objects."""
    types = factory.types
    first = next(iter(factory.parameters.values()), None)
    many = first is not None and first.kind is first.VAR_POSITIONAL
    places = [first.name] * len(args) if first is not None and many else list(types)
    made = tuple(types[name].from_data(one) for name, one in zip(places, args, strict=False))
    return made, {name: types[name].from_data(one) if name in types else one for name, one in named.items()}


def _add_options(
    named: dict[str, Any],
    options: Mapping[str, Any],
    factory: MatcherFactory[Any, Any],
    args: tuple[Any, ...],
) -> None:
    given = {*named, *(_by_position(factory.parameters)[: len(args)] if factory.read is None else ())}
    for name in options:
        if name in given:
            raise ArgumentError(f"{camel(name)!r} is given by expected already", "options")
    named.update(options)


def _options(factory: MatcherFactory[Any, Any], options: Mapping[Any, Any]) -> dict[str, Any]:
    if factory.read is not None and _takes_any(factory.parameters):  # its own names, in camel case too
        return {
            _CAPITAL.sub(lambda found: f"_{found[0].lower()}", str(name)): options[name] for name in options
        }
    return _by_name(options, factory.parameters, "options")


def _by_position(parameters: Parameters) -> list[str]:
    """The names of the parameters that positional arguments are for."""
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [one.name for one in parameters.values() if one.kind in kinds]


def _refuse_missing(parameters: Parameters, args: tuple[Any, ...], named: Mapping[str, Any]) -> None:
    given = {*named, *_by_position(parameters)[: len(args)]}
    for one in parameters.values():
        if one.default is one.empty and one.kind not in _MANY and one.name not in given:
            raise ArgumentError(f"{camel(one.name)!r} is missing")


def expected_arguments(factory: MatcherFactory[Any, Any], expected: Any) -> Arguments:
    """The arguments that `expected` gives by the matcher's signature. Raises ArgumentError."""
    parameters = factory.parameters
    if not parameters:
        raise ArgumentError(f"it takes no expected value, found {json_text(expected)}")
    first = next(iter(parameters.values()))
    if first.kind in (first.KEYWORD_ONLY, first.VAR_KEYWORD) and not isinstance(expected, Mapping):
        names = "" if _takes_any(parameters) else f" with any of {', '.join(map(camel, parameters))}"
        raise ArgumentError(f"expected an object{names}, found {json_text(expected)}")
    named: dict[str, Any] = {}
    if isinstance(expected, Mapping) and _is_read_by_name(factory):
        named = _by_name(expected, parameters, "expected")
        if first.kind is not first.VAR_POSITIONAL:
            return (), named
        if not expected or named.get(first.name) == []:
            raise ArgumentError(f"{camel(first.name) if expected else 'expected'} is empty: leave it out")
        expected = named.pop(first.name, [])
    if first.kind is first.VAR_POSITIONAL and isinstance(expected, list):
        return tuple(expected), named
    return (expected,), named


def _is_read_by_name(factory: MatcherFactory[Any, Any]) -> bool:
    """Whether an object has the arguments by name: it cannot be the first one itself."""
    first = next(iter(factory.parameters.values()))
    if first.kind in (first.KEYWORD_ONLY, first.VAR_KEYWORD):
        return True
    return len(factory.parameters) > 1 and not factory.types[first.name].is_object


def _takes_any(parameters: Parameters) -> bool:
    return any(one.kind is one.VAR_KEYWORD for one in parameters.values())


def _by_name(given: Mapping[Any, Any], parameters: Parameters, field: str) -> dict[str, Any]:
    own = [one.name for one in parameters.values() if one.kind not in _MANY]
    if field == "expected":  # a list of them, where they come first
        own += [one.name for one in list(parameters.values())[:1] if one.kind is one.VAR_POSITIONAL]
    names = {camel(name): name for name in own} | {name: name for name in own}
    found: dict[str, Any] = {}
    for name, value in given.items():
        if _takes_any(parameters):
            names.setdefault(name, name)
        if name not in names:
            hint = did_you_mean(name, names) if isinstance(name, str) else ""
            raise ArgumentError(f"unknown name {value_text(name)} in {field}{hint}", field)
        if names[name] in found:
            raise ArgumentError(f"{camel(names[name])!r} is given twice in {field}", field)
        found[names[name]] = value
    return found


def expected_schema(factory: MatcherFactory[Any, Any]) -> dict[str, Any] | None:
    """The JSON Schema of the `expected` value of a matcher; None when it takes none."""
    parameters = factory.parameters
    if factory.schema is not None:
        return dict(factory.schema)
    if not parameters:
        return None
    defs: dict[str, Any] = {}
    found = {name: _hoisted(kind.schema(), defs) for name, kind in factory.types.items()}
    schema = _forms(factory, found)
    return {**schema, "$defs": defs} if defs else schema


def _forms(factory: MatcherFactory[Any, Any], schemas: Mapping[str, Any]) -> dict[str, Any]:
    """What `expected` may be: the first argument itself, an object with all of them, or either."""
    parameters = factory.parameters
    if _takes_any(parameters):
        return {"type": "object", "minProperties": 1}
    first = next(iter(parameters.values()))
    own = schemas[first.name] or {}
    forms = [] if first.kind is first.KEYWORD_ONLY else [own]
    properties = {camel(name): one for name, one in schemas.items() if one is not None}
    if first.kind is first.VAR_POSITIONAL:
        forms.append({"type": "array", "items": own})
        properties[camel(first.name)] = {"anyOf": forms[:]}
    if _is_read_by_name(factory):
        names = [
            one.name for one in parameters.values() if one.default is one.empty and one.kind not in _MANY
        ]
        required = {"required": list(map(camel, names))} if names else {}
        forms.append({"type": "object", "properties": properties, **required, "additionalProperties": False})
    return {"anyOf": forms} if len(forms) > 1 else forms[0]


def options_schema(factory: MatcherFactory[Any, Any]) -> dict[str, Any] | None:
    """The JSON Schema of the `options` of a matcher; None when it takes none."""
    if _takes_any(factory.parameters):
        return {"type": "object"}
    named = [one.name for one in factory.parameters.values() if one.kind is not one.VAR_POSITIONAL]
    if not named:
        return None
    defs: dict[str, Any] = {}
    found = {name: _hoisted(factory.types[name].schema(), defs) for name in named}
    properties = {camel(name): one for name, one in found.items() if one is not None}
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**schema, "$defs": defs} if defs else schema


def _hoisted(schema: Any, defs: dict[str, Any]) -> Any:
    """The schema with the definitions inside it moved to `defs`: their references are from the root."""
    if isinstance(schema, list):
        return [_hoisted(one, defs) for one in schema]
    if not isinstance(schema, dict):
        return schema
    defs |= schema.get("$defs", {})
    return {name: _hoisted(one, defs) for name, one in schema.items() if name != "$defs"}


def in_words_of_files(message: str, parameters: Parameters) -> str:
    """A message about arguments with the names of parameters as files write them."""
    for name in parameters:
        if "_" in name:
            message = re.sub(rf"\b{name}\b", camel(name), message)
    return message


def camel(name: str) -> str:
    """A Python name as files write it: `ignore_case` is `ignoreCase`."""
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)
