"""The tests of a Python file that can be run outside of pytest."""

from __future__ import annotations

import importlib.util
import inspect
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from grice.running.body import Body, body_of
from grice.text import did_you_mean

__all__ = ["TestFile", "TestFileError", "load_tests"]


class TestFileError(ValueError):
    """A test file cannot be loaded; the message begins with the file."""


class TestFile(NamedTuple):
    """The tests of a file that can be run, and why others cannot, by name."""

    path: Path
    bodies: list[Body]
    left_out: dict[str, str]


def load_tests(path: Path, names: tuple[str, ...] = ()) -> TestFile:
    """The tests of the file: functions `test_*`, and those of classes `Test*`.

    With `names` only those of them, `test_it` or `TestClass::test_it`. The file is imported as pytest does,
    with its folder (the first that is no package) first on the path; no conftest.py and no fixture is there.
    Raises TestFileError.
    """
    module = _imported(path)
    bodies: list[Body] = []
    left_out: dict[str, str] = {}
    for owner, name, function in _functions(module):
        full = f"{owner.__name__}::{name}" if owner is not None else name
        if names and full not in names and (owner is None or owner.__name__ not in names):
            continue
        try:
            bodies.append(body_of(function, owner, named=True))
        except ValueError as error:
            left_out[full] = str(error)
    missing = [one for one in names if not any(_meant(one, name) for name in (*_names(bodies), *left_out))]
    if missing:
        known = [name for owner, name, _ in _functions(module) if owner is None]
        hints = ", ".join(f"{one}{did_you_mean(one, known)}" for one in missing)
        raise TestFileError(f"{path}: there is no test {hints}")
    return TestFile(path, bodies, left_out)


def _names(bodies: list[Body]) -> list[str]:
    return ["::".join(body.names) for body in bodies]


def _meant(wanted: str, name: str) -> bool:
    return wanted == name or name.startswith(f"{wanted}::")


def _functions(module: ModuleType) -> Iterator[tuple[type | None, str, Callable[..., Any]]]:
    """Every test of the module in the order in which they stand there: its class, its name, itself."""
    for name, value in list(vars(module).items()):
        if name.startswith("test") and inspect.isfunction(value):
            yield None, name, value
        elif name.startswith("Test") and isinstance(value, type):
            if inspect.getattr_static(value, "__init__") is not object.__init__:
                continue  # pytest leaves it out too
            seen: set[str] = set()
            for base in reversed(value.__mro__):
                for each in vars(base):
                    function = inspect.getattr_static(value, each, None)
                    if each.startswith("test") and inspect.isfunction(function) and each not in seen:
                        seen.add(each)
                        yield value, each, function


def _imported(path: Path) -> ModuleType:
    if not path.is_file():
        near = [one.name for one in path.parent.glob("*.py")] if path.parent.is_dir() else []
        raise TestFileError(f"{path}: there is no such file{did_you_mean(path.name, near)}")
    file = path.resolve()
    folder, parts = file.parent, [file.stem]
    while (folder / "__init__.py").is_file():
        parts.insert(0, folder.name)
        folder = folder.parent
    name = ".".join(parts)
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    known = sys.modules.get(name)
    if known is not None and getattr(known, "__file__", None) == str(file):
        return known
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise TestFileError(f"{path}: is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        sys.modules.pop(name, None)
        if isinstance(error, KeyboardInterrupt):
            raise
        raise TestFileError(f"{path}: cannot be imported: {_where(error, file)}") from error
    return module


def _where(error: BaseException, file: Path) -> str:
    """What was raised, and at which line of the file."""
    if isinstance(error, SyntaxError) and error.lineno is not None:
        return f"line {error.lineno}: {error.msg}"
    frames = traceback.extract_tb(error.__traceback__)
    line = next((frame.lineno for frame in reversed(frames) if frame.filename == str(file)), None)
    at = f"line {line}: " if line is not None else ""
    return f"{at}{type(error).__name__}: {error}"
