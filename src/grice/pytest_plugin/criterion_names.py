"""Names of criteria that a test's source gives to `satisfy`, looked up before anything runs."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from grice.files.settings_files import SettingsError
from grice.pytest_plugin.criteria import criteria_of, declared_criteria
from grice.text import did_you_mean, visible

_METHODS = ("to_satisfy", "not_to_satisfy")
_FACTORY = "satisfy"


class _Named(NamedTuple):
    """A name, and where it stands."""

    name: str
    file: Path
    line: int


def criterion_problems(items: Iterable[pytest.Item]) -> Iterator[tuple[str, str]]:
    """What is wrong with the criteria that tests declare or name, as node id and message.

    Only names that stand in the body of a test, as they are, can be looked up here; others are looked up
    when the check is made.
    """
    calls = _Calls()
    said: set[str] = set()
    for item in items:
        if not isinstance(item, pytest.Function):
            continue
        named = calls.of(item)
        if not named and not _declares(item):
            continue
        for problem in _problems(item, named):
            if problem not in said:
                said.add(problem)
                yield item.nodeid, problem


def _declares(item: pytest.Item) -> bool:
    return next(declared_criteria(item), None) is not None


def _problems(item: pytest.Item, named: Iterable[_Named]) -> Iterator[str]:
    from grice.judging.criterion import CriterionError

    try:
        known = criteria_of(item)
    except CriterionError as error:
        yield f"{item.nodeid}: {error}"
        return
    except SettingsError as error:
        yield str(error)
        return
    for one in named:
        if one.name not in known:
            hint = did_you_mean(one.name, known)
            listed = f"known here: {', '.join(sorted(known))}" if known else "no criteria are declared here"
            shown = visible(f"{one.file}:{one.line}: unknown criterion {one.name!r}{hint}; {listed}")
            yield f"{shown}; a text of several words is a criterion of its own"


class _Calls:
    """The names that each test function gives to `satisfy`; a file is read once."""

    def __init__(self) -> None:
        self._files: dict[Path, dict[int, list[_Named]]] = {}

    def of(self, item: pytest.Function) -> list[_Named]:
        """The names in the body of the test, which a base class in another module may have."""
        function: Any = inspect.unwrap(getattr(item.function, "__func__", item.function))
        code = getattr(function, "__code__", None)
        names = getattr(function, "__globals__", {})
        file = names.get("__file__")
        if code is None or not isinstance(file, str):
            return []
        path = Path(file)
        if path not in self._files:
            self._files[path] = _named_in(path, names)
        return self._files[path].get(code.co_firstlineno, [])


def _named_in(path: Path, names: Mapping[str, object]) -> dict[int, list[_Named]]:
    """The names in each function of a file that speaks of Grice, by its first line, decorators included."""
    try:
        source = path.read_bytes()
        looked_up = _FACTORY.encode() in source and b"grice" in source
        looked_up = looked_up and b"use_judge" not in source  # which brings its own criteria
        tree = ast.parse(source) if looked_up else ast.Module([], [])
    except (OSError, SyntaxError, ValueError):  # collecting it has said so
        return {}
    return {
        min(node.lineno, *(one.lineno for one in node.decorator_list), node.lineno): [
            _Named(name, path, line)
            for call in ast.walk(node)
            if isinstance(call, ast.Call) and _is_satisfy(call.func, names)
            for argument in call.args
            for name, line in _names(argument)
        ]
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def _is_satisfy(called: ast.expr, names: Mapping[str, object]) -> bool:
    """Whether this is `to_satisfy` or Grice's own `satisfy`: other libraries have words like that too."""
    if isinstance(called, ast.Attribute):
        base = names.get(called.value.id) if isinstance(called.value, ast.Name) else None
        own = called.attr == _FACTORY and isinstance(base, ModuleType) and base.__name__ == "grice.matchers"
        return own or called.attr in _METHODS
    loaded = sys.modules.get("grice.judging.satisfy_criteria")
    return loaded is not None and isinstance(called, ast.Name) and names.get(called.id) is loaded.satisfy


def _names(argument: ast.expr) -> Iterator[tuple[str, int]]:
    """The names in an argument, with their lines: texts without white space, and lists of them.

    Of two in brackets the first may name a function, which is the second.
    """
    from grice.judging.criterion import is_name

    if isinstance(argument, ast.Starred):
        yield from _names(argument.value)
    elif isinstance(argument, ast.List | ast.Tuple):
        pair = isinstance(argument, ast.Tuple) and len(argument.elts) == 2
        for element in argument.elts:
            if not (pair and not isinstance(argument.elts[1], ast.Constant)):
                yield from _names(element)
    elif isinstance(argument, ast.Constant) and isinstance(argument.value, str):
        name = argument.value.strip()
        if is_name(name):
            yield name, argument.lineno
