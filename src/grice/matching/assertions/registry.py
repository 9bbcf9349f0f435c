"""Finding matchers by their names in files, and making them of data."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Mapping
from functools import lru_cache
from types import FunctionType, ModuleType
from typing import Any

import msgspec

from grice import _catalogue
from grice.matching.assertions.data_arguments import (
    arguments_of,
    expected_schema,
    in_words_of_files,
    options_schema,
)
from grice.matching.json_text import json_text
from grice.matching.matcher import REGISTRY, ArgumentError, Matcher, MatcherFactory
from grice.matching.subject_types import subject_types
from grice.text import did_you_mean, value_text

ENTRY_POINTS = "grice.matchers"

"""The group of entry points by which other packages offer matchers; each is named as its matcher is."""

_OF_TYPE = 'write toMatchSchema, as in {"type": "string"}'

_SNAPSHOT = "a golden or a cassette keeps what was said before"

FAILED_CALL = 'nothing is thrown here; for a failed call write toCallTool with "error": true'

_CALLED = "write toCallTool"

CALLED_TIMES = 'write toCallTool, as in {"name": "book", "times": 2}'

INSTEAD = {
    "toBe": "write toEqual",
    "toStrictEqual": "write toEqual",
    "toBeTrue": "write toEqual true",
    "toBeFalse": "write toEqual false",
    "toBeNaN": 'JSON has no NaN; what is no number is `not` toMatchSchema {"type": "number"}',
    "toBeNil": "write toBeNull or toBeUndefined",
    "toBeInstanceOf": _OF_TYPE,
    "toBeTypeOf": _OF_TYPE,
    "toBeString": _OF_TYPE,
    "toBeNumber": _OF_TYPE,
    "toBeBoolean": _OF_TYPE,
    "toBeArray": _OF_TYPE,
    "toBeObject": _OF_TYPE,
    "toBeInteger": _OF_TYPE,
    "toBeEmpty": "write toHaveLength 0",
    "toBeEmptyObject": "write toEqual {}",
    "toBeArrayOfSize": "write toHaveLength",
    "toBeWithin": "write toBeGreaterThanOrEqual and toBeLessThan",
    "toInclude": "write toContain",
    "toIncludeMultiple": "write toContain once for each text",
    "toContainKey": "write toHaveProperty",
    "toMatchSnapshot": _SNAPSHOT,
    "toMatchInlineSnapshot": _SNAPSHOT,
    "toThrow": FAILED_CALL,
    "toThrowError": FAILED_CALL,
    "toHaveBeenCalled": _CALLED,
    "toBeCalled": _CALLED,
    "toHaveBeenCalledWith": f"{_CALLED} with arguments",
    "toBeCalledWith": f"{_CALLED} with arguments",
    "toHaveBeenLastCalledWith": f"{_CALLED} with arguments",
    "toHaveBeenNthCalledWith": "write toCallTools, which knows the order",
    "toHaveBeenCalledTimes": CALLED_TIMES,
    "toBeCalledTimes": CALLED_TIMES,
    "toHaveBeenCalledOnce": CALLED_TIMES,
}

"""What to write for matchers of Jest and jest-extended that Grice does not have."""


def find_matcher(name: str) -> MatcherFactory[Any, Any]:
    """The matcher of that name: a known one, a built-in one, else one of an installed package.

    Raises ArgumentError with the nearest right name when there is none.
    """
    if name in REGISTRY:
        return REGISTRY[name]
    module = _catalogue.MODULES.get(name)
    if module is not None:
        importlib.import_module(module)
        return REGISTRY[name]
    return _from_package(name)


def is_known(name: str) -> bool:
    """Whether a matcher of that name is registered or built in, and no package has to be asked for it."""
    return name in REGISTRY or name in _catalogue.MODULES


def is_built_in(name: str) -> bool:
    """Whether the matcher of that name is Grice's."""
    return name in _catalogue.MODULES


def registers_matchers(module: ModuleType) -> bool:
    """Whether a matcher that is not built in stands in the module, below it, or where it imports from."""
    places = {module.__name__, *map(_home, vars(module).values())} - {""}
    own = [one.function.__module__ for name, one in REGISTRY.items() if name not in _catalogue.MODULES]
    return any(home == place or home.startswith(f"{place}.") for home in own for place in places)


def _home(value: object) -> str:
    """The module that a value in another module was imported from, "" where nobody knows."""
    if isinstance(value, ModuleType):
        return value.__name__
    known = value.function if isinstance(value, MatcherFactory) else value
    return known.__module__ if isinstance(known, FunctionType | type) else ""


def matcher_names() -> list[str]:
    """The names of all matchers that files may use, sorted."""
    return sorted({*REGISTRY, *_catalogue.MODULES, *_offered()})


@lru_cache(maxsize=1)
def _offered() -> Mapping[str, Any]:
    """The entry points of installed packages; reading them opens every package, so once a process."""
    from importlib.metadata import entry_points

    return {one.name: one for one in entry_points(group=ENTRY_POINTS)}


def _from_package(name: str) -> MatcherFactory[Any, Any]:
    offered = _offered()
    if name not in offered:
        raise ArgumentError(f"unknown matcher {value_text(name)}{_hint(name, offered)}")
    place = f"the entry point {name} = {offered[name].value}"
    try:
        loaded = offered[name].load()
    except Exception as error:
        raise ArgumentError(f"{place} cannot be loaded: {type(error).__name__}: {error}") from error
    if not isinstance(loaded, MatcherFactory) or loaded.name != name:
        found = f"the matcher {loaded.name}" if isinstance(loaded, MatcherFactory) else value_text(loaded)
        raise ArgumentError(f"{place} is not the matcher {name}: found {found}")
    return loaded


def _hint(name: str, offered: Mapping[str, Any]) -> str:
    if name in INSTEAD:
        return f" ({INSTEAD[name]})"
    hint = did_you_mean(name, [*_catalogue.MODULES, *REGISTRY, *offered])
    return hint or (_OWN if _OWN_NAME.fullmatch(name) else "")


_OWN_NAME = re.compile(r"to[A-Z]\w*")

_OWN = "; for one of your own write matchers: [your_project.your_module], in the suite or in [tool.grice]"


def matcher_from_data(fields: Mapping[str, Any]) -> Matcher[Any]:
    """The matcher that `{matcher, expected, options}` says, without a negation.

    `expected` is absent for matchers without arguments; `options` are further arguments by name. Raises
    ArgumentError that says what is wrong.
    """
    name = fields.get("matcher")
    if not isinstance(name, str):
        found = "nothing" if "matcher" not in fields else json_text(name)
        raise ArgumentError(f"expected the name of a matcher, found {found}", "matcher")
    try:
        factory = find_matcher(name)
    except ArgumentError as error:
        raise ArgumentError(error.message, "matcher") from error.__cause__
    try:
        args, kwargs = arguments_of(factory, fields)
        if "expected" not in fields and factory.needs_arguments and (factory.read or not kwargs):
            raise ArgumentError("expected is missing", "matcher")
        return factory(*args, **kwargs)
    except RecursionError:
        raise ArgumentError(f"{name}: expected is nested too deep", "expected") from None
    except (ArgumentError, TypeError) as error:
        said = in_words_of_files(str(error).removeprefix(f"{name}: "), factory.parameters)
        raise ArgumentError(f"{name}: {said}", getattr(error, "field", "") or _field(fields, said)) from None


def _field(fields: Mapping[str, Any], said: str) -> str:
    """The field that is wrong: options when the words name one of them, else expected."""
    options = fields.get("options")
    named = options if isinstance(options, Mapping) else {}
    if any(re.search(rf"\b{re.escape(str(name))}\b", said) for name in named):
        return "options"
    return "expected" if "expected" in fields else "matcher"


class MatcherInfo(msgspec.Struct, frozen=True):
    """A matcher as `grice.registry()` lists it.

    `name` is its name in files (`toContain`), `python_name` its name in Python (`contain`), `module` where it
    is defined. `arity` is how many positional arguments it needs and how many it takes, None for any number.
    `expected` and `options` are the JSON Schemas of these fields of an assertion, None where it has none.
    `documentation` is the first paragraph of its docstring, `subjects` the names of the types that it judges,
    `layer` as `Verdict.layer` has it, `judged` whether an LLM judges, or may.
    """

    name: str
    python_name: str
    module: str
    arity: tuple[int, int | None]
    expected: dict[str, Any] | None
    options: dict[str, Any] | None
    documentation: str
    subjects: tuple[str, ...]
    layer: int | None
    judged: bool


def registry() -> tuple[MatcherInfo, ...]:
    """Every matcher that is known: built-in ones, those registered so far, and those of installed packages.

    They are sorted by name. Raises ArgumentError for a package whose matcher cannot be loaded.
    """
    return tuple(_info(find_matcher(name)) for name in matcher_names())


def _info(factory: MatcherFactory[Any, Any]) -> MatcherInfo:
    return MatcherInfo(
        name=factory.name,
        python_name=factory.python_name,
        module=factory.function.__module__,
        arity=_arity(factory),
        expected=expected_schema(factory),
        options=options_schema(factory),
        documentation=_first_paragraph(factory),
        subjects=tuple(sorted(subject_types(factory))),
        layer=factory.layer,
        judged=factory.judged,
    )


def _arity(factory: MatcherFactory[Any, Any]) -> tuple[int, int | None]:
    parameters = factory.parameters.values()
    own = [one for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    needed = sum(one.default is one.empty for one in own)
    return needed, None if any(one.kind is one.VAR_POSITIONAL for one in parameters) else len(own)


def _first_paragraph(factory: MatcherFactory[Any, Any]) -> str:
    paragraph = re.split(r"\n\s*\n", inspect.cleandoc(factory.__doc__ or ""))[0]
    return " ".join(paragraph.split())
