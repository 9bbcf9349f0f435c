"""The tests of a Python file that can be run outside of pytest."""

from __future__ import annotations

import importlib.util
import inspect
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NamedTuple

from grice.running.body import Body, body_of, markers
from grice.suites.files import missing_file
from grice.text import did_you_mean
from grice.user_files import open_file

__all__ = ["Chosen", "TestFile", "TestFileError", "load_tests"]


class TestFileError(ValueError):
    """A test file cannot be loaded, or has no such test; the message begins with the file."""


class Chosen(NamedTuple):
    """A test, and which of its scenarios are meant, none for all of them."""

    body: Body
    keys: tuple[str, ...] = ()


class TestFile(NamedTuple):
    """The tests of a file that can be run, and why others cannot, by name.

    `notes` name fixtures that pytest would take an agent or an LLM from.
    """

    path: Path
    tests: list[Chosen]
    left_out: dict[str, str]
    notes: list[str]


def load_tests(path: Path, names: Sequence[str] = (), folders: Sequence[Path] = ()) -> TestFile:
    """The tests of the file: functions `test_*`, and those of classes `Test*`.

    With `names` only those of them: `test_it`, `TestClass`, `TestClass::test_it`, with the key of a scenario
    `test_it[key]`. The file is imported as pytest does, with its folder (the first that is no package) first
    on the path; behind it are `folders`, and those above that have a conftest.py, which is not imported: no
    fixture is there. Raises TestFileError, also for a name that stands for nothing that can be run.
    """
    try:
        module = _imported(path, folders)
    except _SkippedModule as skipped:
        return TestFile(path, [], {"": str(skipped)}, [])
    wanted = [_split(name) for name in names]
    tests: list[Chosen] = []
    left_out: dict[str, str] = {}
    for owner, name, function in _functions(module):
        full = _full(owner, name)
        meant = [key for chosen, key in wanted if _meant(chosen, full)]
        if wanted and not meant:
            continue
        reason = _why_not(module, owner, function)
        try:
            body = body_of(function, owner, named=True)
        except ValueError as error:
            left_out[full] = reason or str(error)
            continue
        if reason:
            left_out[full] = reason
        else:
            tests.append(Chosen(body, () if "" in meant else tuple(meant)))
    _refuse_missing(path, module, wanted, tests, left_out)
    return TestFile(path, tests, left_out, list(_fixtures_beside(path, folders)))


def _split(name: str) -> tuple[str, str]:
    """`test_it[key]` in two."""
    test, bracket, key = name.partition("[")
    return (test, key[:-1]) if bracket and key.endswith("]") and len(key) > 1 else (name, "")


def _full(owner: type | None, name: str) -> str:
    return f"{owner.__name__}::{name}" if owner is not None else name


def _meant(wanted: str, name: str) -> bool:
    return wanted == name or name.startswith(f"{wanted}::")


def _refuse_missing(
    path: Path,
    module: ModuleType,
    wanted: Sequence[tuple[str, str]],
    tests: Sequence[Chosen],
    left_out: dict[str, str],
) -> None:
    """Raise TestFileError when a name stands for nothing that can be run."""
    can = ["::".join(chosen.body.names) for chosen in tests]
    problems: list[str] = []
    for name, _ in wanted:
        if any(_meant(name, one) for one in can):
            continue
        reasons = [
            f"{path}::{one} cannot be run: {why}" for one, why in left_out.items() if _meant(name, one)
        ]
        if not reasons:
            known = [_full(owner, one) for owner, one, _ in _functions(module)]
            reasons = [f"{path}: there is no test {name}{did_you_mean(name, known)}"]
        problems += reasons
    if problems:
        raise TestFileError("\n".join(dict.fromkeys(problems)))


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


# -- what only pytest can run

_SET_UPS = ("setup_method", "teardown_method", "setup_class", "teardown_class")
_MODULE_SET_UPS = ("setup_module", "teardown_module", "setup_function", "teardown_function")


def _why_not(module: ModuleType, owner: type | None, function: Callable[..., Any]) -> str:
    """Why pytest would not run the test so, or would do something before it; "" when it can be run."""
    for mark in (mark for one in (module, owner, function) for mark in markers(one)):
        reason = _why_marked(mark)
        if reason:
            return reason
    hooks = [name for name in _SET_UPS if owner is not None and hasattr(owner, name)]
    hooks += [name for name in _MODULE_SET_UPS if inspect.isfunction(getattr(module, name, None))]
    return f"it needs {hooks[0]}, which only pytest calls" if hooks else ""


def _why_marked(mark: Any) -> str:
    """Why a test with this marker of pytest is not run; "" for other markers."""
    name, values = getattr(mark, "name", ""), getattr(mark, "args", ())
    reason = str(getattr(mark, "kwargs", {}).get("reason", "") or "")
    said = f": {reason}" if reason else ""
    if name == "skip":
        return f"it is marked skip{said or _first(values)}"
    if name == "skipif" and any(isinstance(value, str) or value for value in values):
        return f"it is marked skipif{said}"
    if name == "xfail" and (not values or any(isinstance(value, str) or value for value in values)):
        return f"it is marked xfail{said}"
    if name == "usefixtures" and values:
        return f"it uses the fixture {values[0]}, which only pytest has"
    return ""


def _first(values: tuple[Any, ...]) -> str:
    return f": {values[0]}" if values else ""


_FIXTURE = re.compile(
    r"^@(?:pytest\.)?fixture\b.*\n(?:@.*\n)*(?:async )?def (agent|agent_factory|judge_llm|user_llm)\(",
    re.MULTILINE,
)


def _fixtures_beside(path: Path, folders: Sequence[Path]) -> Iterator[str]:
    """What to say of fixtures in the file, and in the conftest.py of its folder and those above."""
    file = path.resolve()
    conftests = [above / "conftest.py" for above in (file.parent, *_above(file.parent, folders))]
    for one in (file, *filter(Path.is_file, conftests)):
        with suppress(OSError, ValueError):
            for name in dict.fromkeys(_FIXTURE.findall(one.read_text("utf-8"))):
                taken = "agent" if name.startswith("agent") else name
                option = "--agent or " if taken == "agent" else ""
                shown = os.path.relpath(one)
                yield f"{shown}: the fixture {name} is pytest's: here {option}{taken} in [tool.grice] counts"


# -- importing the file


class _SkippedModule(Exception):
    """The module asks pytest to leave it out."""


class _FromSource(SourceFileLoader):
    """Compiles the file each time, with or without bytecode of it beside; what the file imports is Python's.

    Python takes bytecode for current when the file has the same size and was changed within the same second:
    a run right after an edit could test what stood there before. pytest 9.2 compares the content.
    """

    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002 - as every loader has it
        return self.source_to_code(self.get_data(self.path), self.path)


def _imported(path: Path, folders: Sequence[Path]) -> ModuleType:
    try:
        open_file(path).close()
    except FileNotFoundError:
        raise TestFileError(str(missing_file(path))) from None
    except OSError as error:
        raise TestFileError(f"{path}: cannot be read: {error.strerror or error}") from None
    file = path.resolve()
    folder, parts = file.parent, [file.stem]
    while (folder / "__init__.py").is_file():
        parts.insert(0, folder.name)
        folder = folder.parent
    name = ".".join(parts)
    _prepend((folder, *_with_conftest(folder, folders), *folders))
    known = sys.modules.get(name)
    if known is not None and getattr(known, "__file__", None) == str(file):
        return known
    loader = _FromSource(name, str(file))
    spec = importlib.util.spec_from_loader(name, loader)
    assert spec is not None  # as it is with a loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        loader.exec_module(module)
    except BaseException as error:
        sys.modules.pop(name, None)
        if isinstance(error, KeyboardInterrupt):
            raise
        outcomes = sys.modules.get("_pytest.outcomes")
        if outcomes is not None and isinstance(error, outcomes.Skipped):
            raise _SkippedModule(f"the module skips itself: {error}") from error
        raise TestFileError(f"{path}: cannot be imported: {_where(error, file)}") from error
    return module


def _above(folder: Path, roots: Sequence[Path]) -> Iterator[Path]:
    """The folders above, up to the uppermost of the roots that they lie in."""
    for above in folder.parents:
        if not any(above.is_relative_to(root.resolve()) for root in roots):
            return
        yield above


def _with_conftest(folder: Path, roots: Sequence[Path]) -> Iterator[Path]:
    """Those of the folders above from which pytest would import a conftest.py as it stands there."""
    for above in _above(folder, roots):
        if (above / "conftest.py").is_file() and not (above / "__init__.py").is_file():
            yield above


def _prepend(folders: Sequence[Path]) -> None:
    """Put the folders first on the path, in this order, but for those that stand there."""
    new = [str(one.resolve()) for one in folders]
    sys.path[:0] = [one for one in dict.fromkeys(new) if one not in sys.path]


def _where(error: BaseException, file: Path) -> str:
    """What was raised, and at which line of the file."""
    if isinstance(error, SyntaxError) and error.lineno is not None and error.filename == str(file):
        return f"line {error.lineno}: {error.msg}"
    frames = traceback.extract_tb(error.__traceback__)
    line = next((frame.lineno for frame in reversed(frames) if frame.filename == str(file)), None)
    at = f"line {line}: " if line is not None else ""
    return f"{at}{type(error).__name__}: {error}"
