"""`@scenarios`: a test or class of tests that is run once for each scenario of a set."""

from __future__ import annotations

import sys
from functools import cached_property
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar

from grice.files.scenario_sets import (
    ScenarioErrors,
    ScenarioSet,
    ScenarioSource,
    caller_folder,
    check_name,
    read_scenarios,
)
from grice.text import value_text

ATTRIBUTE = "__grice_scenarios__"

T = TypeVar("T")


class Scenarios:
    """What `@scenarios` says: a source of scenarios, read at the first use and then kept.

    It decorates tests and classes, any number of them, and is a value too: `load()` gives the set.
    """

    def __init__(self, source: ScenarioSource, name: str, folder: Path) -> None:
        self.source = source
        self.name = name
        self.folder = folder

    def __call__(self, target: T) -> T:
        """The test or class, which from now on is run with these scenarios."""
        if not callable(target):
            raise TypeError(f"@scenarios stands before a test or a class, found {value_text(target)}")
        if ATTRIBUTE in vars(target):
            raise TypeError(f"{_name(target)} has two @scenarios; put all its scenarios into one set")
        setattr(target, ATTRIBUTE, self)
        return target

    def __repr__(self) -> str:
        return f"scenarios({value_text(self.source)})"

    def load(self) -> ScenarioSet:
        """The set. Raises ScenarioErrors with everything wrong in it, the same each time."""
        if isinstance(self._read, ScenarioErrors):
            raise ScenarioErrors(self._read.errors)
        return self._read

    @cached_property
    def _read(self) -> ScenarioSet | ScenarioErrors:
        try:
            return read_scenarios(self.source, name=self.name, folder=self.folder)
        except ScenarioErrors as error:
            return error


def scenarios(source: ScenarioSource, *, name: str = "") -> Scenarios:
    """Run a test, or every test of a class, once for each scenario: `@scenarios("venues.json")`.

    The test is handed its own as `scenario`. `source` and `name` are those of `load_scenarios`; a relative
    path begins at the folder of the file in which this is written. Nothing is read before tests are
    collected. Raises TypeError where it is used without its parentheses.
    """
    check_name(name)
    if _is_a_test(source):
        raise TypeError(f"{_name(source)}: write @scenarios(...) with a file or a list in the parentheses")
    return Scenarios(source, name, caller_folder(sys._getframe(1).f_globals))


def declared_scenarios(target: object, owner: type | None = None) -> Scenarios | None:
    """What `@scenarios` says of a test, or of the class that it stands in; None without one.

    Raises TypeError when both have one.
    """
    own: Scenarios | None = getattr(target, ATTRIBUTE, None)
    of_class: Scenarios | None = getattr(owner, ATTRIBUTE, None)
    if own is not None and of_class is not None:
        raise TypeError(
            f"{_name(target)} and its class {_name(owner)} both have @scenarios; keep one of the two"
        )
    return own or of_class


def scenarios_of(target: object, owner: type | None = None) -> ScenarioSet | None:
    """The scenarios of a test, `owner` being its class; None without `@scenarios`.

    They are read once. Raises ScenarioErrors with everything wrong in them, TypeError for two @scenarios.
    """
    declared = declared_scenarios(target, owner)
    return None if declared is None else declared.load()


def _is_a_test(source: object) -> bool:
    """Whether the source is what should have been decorated."""
    if isinstance(source, type):
        return source.__name__.startswith("Test") and not hasattr(source, "__iter__")
    if not isinstance(source, FunctionType):
        return False
    needs = source.__code__.co_argcount - len(source.__defaults__ or ())
    return needs > 0 or source.__name__.startswith("test_")


def _name(target: Any) -> str:
    return str(getattr(target, "__qualname__", type(target).__name__))
