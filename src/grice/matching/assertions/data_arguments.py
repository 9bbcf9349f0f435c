"""Arguments of matchers as data: what `expected` and `options` mean for a matcher, and their JSON Schema."""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgspec

from grice.matching.json_text import json_text
from grice.matching.matcher import ArgumentError, Arguments, MatcherFactory
from grice.text import did_you_mean

__all__ = [
    "arguments_of",
    "camel",
    "check_types",
    "expected_schema",
    "in_words_of_files",
    "options_schema",
]

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
        args, read = _read(factory, fields["expected"])
        named.update(read)
    options = fields.get("options")
    if options is not None:
        if not isinstance(options, Mapping):
            raise ArgumentError(f"expected an object, found {json_text(options)}", "options")
        _add_options(named, _options(factory, options), factory, args)
    if factory.read is None and ("expected" in fields or named):
        _refuse_missing(parameters, args, named)
    return args, named


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


def _read(factory: MatcherFactory[Any, Any], expected: Any) -> Arguments:
    if factory.read is not None:
        return factory.read(expected)
    parameters = factory.parameters
    if not parameters:
        raise ArgumentError(f"it takes no expected value, found {json_text(expected)}")
    first = next(iter(parameters.values()))
    if first.kind is first.VAR_POSITIONAL:
        return (tuple(expected), {}) if isinstance(expected, list) else ((expected,), {})
    if first.kind in (first.KEYWORD_ONLY, first.VAR_KEYWORD):
        if not isinstance(expected, Mapping):
            names = "" if _takes_any(parameters) else f" with any of {', '.join(map(camel, parameters))}"
            raise ArgumentError(f"expected an object{names}, found {json_text(expected)}")
        return (), _by_name(expected, parameters, "expected")
    if isinstance(expected, Mapping) and len(parameters) > 1 and not _may_be_object(factory, first.name):
        return (), _by_name(expected, parameters, "expected")
    return (expected,), {}


def _takes_any(parameters: Parameters) -> bool:
    return any(one.kind is one.VAR_KEYWORD for one in parameters.values())


def _by_name(given: Mapping[Any, Any], parameters: Parameters, field: str) -> dict[str, Any]:
    own = [one.name for one in parameters.values() if one.kind not in _MANY]
    names = {camel(name): name for name in own} | {name: name for name in own}
    found: dict[str, Any] = {}
    for name, value in given.items():
        if _takes_any(parameters):
            names.setdefault(name, name)
        if name not in names:
            hint = did_you_mean(str(name), names)
            raise ArgumentError(f"unknown name {name!r} in {field}{hint}", field)
        if names[name] in found:
            raise ArgumentError(f"{camel(names[name])!r} is given twice in {field}", field)
        found[names[name]] = value
    return found


def check_types(factory: MatcherFactory[Any, Any], args: tuple[Any, ...], named: Mapping[str, Any]) -> None:
    """Raise ArgumentError for an argument of a wrong type, as far as annotations tell.

    What a `read` of the matcher's own made is not JSON any more, and is its business.
    """
    if factory.read is not None:
        return
    types = _types(factory)
    first = next(iter(factory.parameters.values()), None)
    if first is not None and first.kind is first.VAR_POSITIONAL:
        given = [(first.name, one) for one in args]
    else:
        given = list(zip(factory.parameters, args, strict=False))
    own = {name: types.get(name, Any) for name in factory.parameters}
    free = next((own[one.name] for one in factory.parameters.values() if one.kind is one.VAR_KEYWORD), Any)
    for name, value in (*given, *named.items()):
        kind = own.get(name, free)
        try:
            msgspec.convert(value, kind, strict=True)
        except msgspec.ValidationError as error:
            told = _plain(error, value)
            raise ArgumentError(told if args and value is args[0] else f"{camel(name)}: {told}") from None
        except (TypeError, RecursionError):
            continue  # a type that JSON does not know


def _plain(error: Exception, value: object) -> str:
    said = re.sub(r" - at `\$(.*?)`$", r" at \1", str(error)).replace("`", "")
    return f"{said[:1].lower()}{said[1:]}: {json_text(value)}"


@lru_cache(maxsize=512)
def _types(factory: MatcherFactory[Any, Any]) -> dict[str, Any]:
    try:
        return typing.get_type_hints(factory.function)
    except Exception:  # names that only a type checker sees
        return {}


def _may_be_object(factory: MatcherFactory[Any, Any], name: str) -> bool:
    kind = _types(factory).get(name, Any)
    kinds = [kind, *typing.get_args(kind)]
    return any(
        one in (Any, object, dict, Mapping) or typing.get_origin(one) in (dict, Mapping) for one in kinds
    )


def expected_schema(factory: MatcherFactory[Any, Any]) -> dict[str, Any] | None:
    """The JSON Schema of the `expected` value of a matcher; None when it takes none."""
    parameters = factory.parameters
    if factory.schema is not None:
        return dict(factory.schema)
    if not parameters:
        return None
    schemas, definitions = _schemas(factory, list(parameters))
    return {**_expected(factory, schemas), **definitions}


def _expected(factory: MatcherFactory[Any, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    parameters = factory.parameters
    first = next(iter(parameters.values()))
    required = [camel(one.name) for one in parameters.values() if one.default is one.empty]
    whole: dict[str, Any] = {"type": "object", "properties": schemas, "additionalProperties": False}
    if required and first.kind is not first.VAR_POSITIONAL:
        whole["required"] = required
    own: dict[str, Any] = schemas[camel(first.name)]
    if _takes_any(parameters):
        return {"type": "object", "minProperties": 1}
    if first.kind is first.KEYWORD_ONLY:
        return whole
    if first.kind is first.VAR_POSITIONAL:
        return {"anyOf": [own, {"type": "array", "items": own}]}
    if len(parameters) > 1 and not _may_be_object(factory, first.name):
        return {"anyOf": [own, whole]}
    return own


def options_schema(factory: MatcherFactory[Any, Any]) -> dict[str, Any] | None:
    """The JSON Schema of the `options` of a matcher; None when it takes none."""
    if _takes_any(factory.parameters):
        return {"type": "object"}
    named = [one.name for one in factory.parameters.values() if one.kind is not one.VAR_POSITIONAL]
    if not named:
        return None
    schemas, definitions = _schemas(factory, named)
    return {"type": "object", "properties": schemas, "additionalProperties": False, **definitions}


def _schemas(factory: MatcherFactory[Any, Any], names: list[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The schemas of parameters, and the `$defs` they refer to, which stand at the root of a schema."""
    types = _types(factory)
    schemas = {camel(name): _schema_of(types.get(name, Any)) for name in names}
    definitions: dict[str, Any] = {}
    for one in schemas.values():
        definitions |= one.pop("$defs", {})
    return schemas, {"$defs": definitions} if definitions else {}


def _schema_of(kind: Any) -> dict[str, Any]:
    try:
        return msgspec.json.schema(kind)
    except (TypeError, RecursionError):
        return {}


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
