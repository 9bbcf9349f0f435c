"""Finding matchers by their names in files, and making them of data."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

from grice import _catalogue
from grice.matching.assertions.data_arguments import arguments_of, check_types
from grice.matching.json_text import json_text
from grice.matching.matcher import REGISTRY, ArgumentError, Matcher, MatcherFactory
from grice.text import did_you_mean, value_text

__all__ = ["ENTRY_POINTS", "find_matcher", "matcher_from_data", "matcher_names"]

ENTRY_POINTS = "grice.matchers"
"""The group of entry points by which other packages offer matchers; each is named as its matcher is."""


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


def matcher_names() -> list[str]:
    """The names of all matchers that files may use, sorted."""
    return sorted({*REGISTRY, *_catalogue.MODULES, *_offered()})


def _offered() -> dict[str, Any]:
    from importlib.metadata import entry_points

    return {one.name: one for one in entry_points(group=ENTRY_POINTS)}


def _from_package(name: str) -> MatcherFactory[Any, Any]:
    offered = _offered()
    if name not in offered:
        hint = did_you_mean(name, [*_catalogue.MODULES, *REGISTRY, *offered])
        if not hint and name and name.isidentifier() and not name.startswith("to"):
            hint = did_you_mean(f"to{name[0].upper()}{name[1:]}", _catalogue.MODULES)
        raise ArgumentError(f"unknown matcher {value_text(name)}{hint}")
    place = f"the entry point {name} = {offered[name].value}"
    try:
        loaded = offered[name].load()
    except Exception as error:
        raise ArgumentError(f"{place} cannot be loaded: {type(error).__name__}: {error}") from error
    if not isinstance(loaded, MatcherFactory) or loaded.name != name:
        found = f"the matcher {loaded.name}" if isinstance(loaded, MatcherFactory) else value_text(loaded)
        raise ArgumentError(f"{place} is not the matcher {name}: found {found}")
    return loaded


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
        if "expected" not in fields and not kwargs and factory.needs_arguments:
            raise ArgumentError("expected is missing")
        made = factory(*args, **kwargs)
        check_types(factory, args, kwargs)
        return made
    except RecursionError:
        raise ArgumentError(f"{name}: expected is nested too deep", "expected") from None
    except (ArgumentError, TypeError) as error:
        field = getattr(error, "field", "") or ("expected" if "expected" in fields else "matcher")
        said = str(error).removeprefix(f"{name}: ")  # of a matcher of that name inside
        raise ArgumentError(f"{name}: {said}", field) from None
