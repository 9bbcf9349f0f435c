"""Suite files: scenarios with checks, `*.grice.yaml`, `*.grice.yml` and `*.grice.json`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path

from grice.files.document import Document, FileError, FileErrors, WholeFileError, load_file
from grice.files.folders import files_named
from grice.files.matcher_modules import MatcherModules
from grice.files.suite_reading import SuiteReader
from grice.files.suite_records import SuiteScenario
from grice.identity import stable_path
from grice.judging.criterion import Criterion
from grice.matching.limits import Limits, LimitsError

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


class SuiteErrors(FileErrors):
    """Everything wrong with the suite files that were read, one FileError each."""

    __module__ = "grice"


def is_suite_file(name: str) -> bool:
    """Whether a file of that name is a suite: `*.grice.yaml`, `*.grice.yml` or `*.grice.json`."""
    return name.endswith(SUFFIXES)


def suite_name(path: str | PathLike[str]) -> str:
    """The name of the suite in a file that gives none: `plugins` of `plugins.grice.yaml`."""
    stem = Path(path).stem
    return stem.removesuffix(".grice") or stem


def find_suites(
    paths: Iterable[str | PathLike[str]], modules: Callable[[Path], MatcherModules] | None = None
) -> list[Path]:
    """The suite files that the paths name: a file as it is, of a folder all suite files in it, sorted.

    Hidden folders, environments and builds in a folder are left out. Raises SuiteErrors for a path that is
    not there and a folder without suite files, with whatever is wrong in the files that are. `modules` is
    that of `load_suites`.
    """
    found, errors = files_named(
        paths,
        is_suite_file,
        "no suites in this folder; they are named *.grice.yaml or *.grice.json",
    )
    if errors:
        try:
            load_suites(found, modules=modules)
        except SuiteErrors as others:
            errors += others.errors
        raise SuiteErrors(errors)
    return found


def load_suites(
    files: Iterable[Path],
    criteria: Callable[[Path], Mapping[str, Criterion]] | None = None,
    modules: Callable[[Path], MatcherModules] | None = None,
) -> list[SuiteScenario]:
    """The scenarios of all files; `criteria` and `modules` give those of a file's project.

    Raises SuiteErrors with every error; suites of one name share their ids.
    """
    scenarios: list[SuiteScenario] = []
    errors: list[FileError] = []
    for file in files:
        try:
            known = criteria(file) if criteria is not None else None
            scenarios += load_suite(file, known, modules(file) if modules is not None else None)
        except SuiteErrors as error:
            errors += error.errors
    errors += _duplicates(scenarios)
    if errors:
        raise SuiteErrors(errors)
    return scenarios


def load_suite(
    path: str | PathLike[str],
    criteria: Mapping[str, Criterion] | None = None,
    modules: MatcherModules | None = None,
) -> list[SuiteScenario]:
    """The scenarios of one file, in order.

    `criteria` are those of its project, by name; with them a name that neither they nor the file have is an
    error. `modules` is how its project imports the modules with matchers that the file names; without, they
    are found on the import path. Raises SuiteErrors with everything wrong in it.
    """
    try:
        document, limits = load_file(path), Limits.from_environment()
    except FileError as error:
        raise SuiteErrors([error]) from error
    except LimitsError as error:
        raise SuiteErrors([WholeFileError(path, str(error))]) from error
    reader = SuiteReader(document, suite_name(path), limits, criteria, modules)
    scenarios = reader.scenarios()
    errors = reader.errors + _duplicates(scenarios, document)
    if errors:
        raise SuiteErrors(sorted(errors, key=lambda error: (error.line, error.column)))
    return scenarios


def _duplicates(scenarios: Sequence[SuiteScenario], document: Document | None = None) -> list[FileError]:
    """An error for each id that is used already; at the id itself when all are of one document."""
    first: dict[str, SuiteScenario] = {}
    errors = []
    for index, scenario in enumerate(scenarios):
        if not scenario.id:
            continue
        known = first.setdefault(stable_path(scenario.suite, scenario=scenario.id), scenario)
        if known is not scenario:
            message = f"the id {scenario.id!r} is used already, at {known.file}:{known.line}"
            if "id" not in scenario.content:
                message = f"the same scenario stands at {known.file}:{known.line}: give both an id"
            errors.append(_at_the_id(document, index, scenario, message))
    return errors


def _at_the_id(document: Document | None, index: int, scenario: SuiteScenario, message: str) -> FileError:
    if document is None:
        return FileError(scenario.file, scenario.line, 1, message)
    top = isinstance(document.value, list)
    name = f"{'' if top else 'scenarios'}[{index}]{'.id' if 'id' in scenario.content else ''}"
    place = (index, "id") if top else ("scenarios", index, "id")
    return FileError(scenario.file, *document.position(place), f"{name}: {message}")
