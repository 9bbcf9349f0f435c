"""Suite files: scenarios with checks, `*.grice.yaml`, `*.grice.yml` and `*.grice.json`. Source: seed 002."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path

from grice.identity import stable_path
from grice.matching.limits import Limits, LimitsError
from grice.suites.files import FileError, load_file
from grice.suites.folders import files_below
from grice.suites.suite_reading import SuiteReader
from grice.suites.suite_records import SuiteScenario
from grice.text import did_you_mean

__all__ = [
    "SUFFIXES",
    "SuiteErrors",
    "find_suites",
    "is_suite_file",
    "load_suite",
    "load_suites",
    "suite_name",
]

SUFFIXES = (".grice.json", ".grice.yaml", ".grice.yml")


class SuiteErrors(ValueError):
    """Everything wrong with the suite files that were read, one FileError each."""

    def __init__(self, errors: Sequence[FileError]) -> None:
        super().__init__("\n".join(map(str, errors)))
        self.errors = tuple(errors)

    def __reduce__(self) -> tuple[type[SuiteErrors], tuple[tuple[FileError, ...]]]:
        return SuiteErrors, (self.errors,)


class _PathError(FileError):
    """What is wrong with a whole file or folder: there is no line to point to."""

    def __init__(self, path: Path, message: str) -> None:
        super().__init__(str(path), 1, 1, message)

    def __reduce__(self) -> tuple[type[_PathError], tuple[Path, str]]:
        return _PathError, (Path(self.path), self.message)

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"


def is_suite_file(name: str) -> bool:
    """Whether a file of that name is a suite: `*.grice.yaml`, `*.grice.yml` or `*.grice.json`."""
    return name.endswith(SUFFIXES)


def suite_name(path: str | PathLike[str]) -> str:
    """The name of the suite in a file that gives none: `plugins` of `plugins.grice.yaml`."""
    stem = Path(path).stem
    return stem.removesuffix(".grice") or stem


def find_suites(paths: Iterable[str | PathLike[str]]) -> list[Path]:
    """The suite files that the paths name: a file as it is, of a folder all suite files in it, sorted.

    Hidden folders, environments and builds in a folder are left out. Raises SuiteErrors for a path that is
    not there and a folder without suite files, with whatever is wrong in the files that are.
    """
    found: dict[Path, Path] = {}  # by where it really is: a file that is named twice counts once
    errors: list[FileError] = []
    for path in map(Path, paths):
        if path.is_dir():
            files = [file for file in files_below(path) if is_suite_file(file.name)]
            if not files:
                message = "no suites in this folder; they are named *.grice.yaml or *.grice.json"
                errors.append(_PathError(path, message))
            for file in files:
                found.setdefault(file.resolve(), file)
        elif path.exists():
            found.setdefault(path.resolve(), path)
        else:
            siblings = [file.name for file in path.parent.iterdir()] if path.parent.is_dir() else []
            errors.append(_PathError(path, f"no such file or folder{did_you_mean(path.name, siblings)}"))
    if errors:
        try:
            load_suites(found.values())
        except SuiteErrors as others:
            errors += others.errors
        raise SuiteErrors(errors)
    return list(found.values())


def load_suites(files: Iterable[Path]) -> list[SuiteScenario]:
    """The scenarios of all files. Raises SuiteErrors with every error; suites of one name share their ids."""
    scenarios: list[SuiteScenario] = []
    errors: list[FileError] = []
    for file in files:
        try:
            scenarios += load_suite(file)
        except SuiteErrors as error:
            errors += error.errors
    errors += _duplicates(scenarios)
    if errors:
        raise SuiteErrors(errors)
    return scenarios


def load_suite(path: str | PathLike[str]) -> list[SuiteScenario]:
    """The scenarios of one file, in order. Raises SuiteErrors with everything wrong in it."""
    try:
        document, limits = load_file(path), Limits.from_environment()
    except FileError as error:
        raise SuiteErrors([error]) from error
    except LimitsError as error:
        raise SuiteErrors([_PathError(Path(path), str(error))]) from error
    reader = SuiteReader(document, suite_name(path), limits)
    scenarios = reader.scenarios()
    errors = reader.errors + _duplicates([scenario for scenario in scenarios if scenario.id])
    if errors:
        raise SuiteErrors(sorted(errors, key=lambda error: (error.line, error.column)))
    return scenarios


def _duplicates(scenarios: Sequence[SuiteScenario]) -> list[FileError]:
    first: dict[str, SuiteScenario] = {}
    errors = []
    for scenario in scenarios:
        known = first.setdefault(stable_path(scenario.suite, scenario=scenario.id), scenario)
        if known is not scenario:
            message = f"the id {scenario.id!r} is used already, at {known.file}:{known.line}"
            if "id" not in scenario.content:
                message = f"the same scenario stands at {known.file}:{known.line}: give both an id"
            errors.append(FileError(scenario.file, scenario.line, 1, message))
    return errors
