"""Suite files: scenarios with checks, `*.grice.yaml`, `*.grice.yml` and `*.grice.json`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from os import PathLike
from pathlib import Path

from grice.files.document import Document, FileError, FileErrors, WholeFileError, load_file, parse_document
from grice.files.folders import files_named
from grice.files.matcher_modules import MatcherModules
from grice.files.prompt_files import PromptFile
from grice.files.suite_reading import SuiteReader, duplicates
from grice.files.suite_records import SuiteScenario
from grice.judging.criterion import Criterion
from grice.matching.limits import Limits, LimitsError
from grice.records import JsonValue
from grice.typed import Problem

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
        paths, is_suite_file, "no suites in this folder; they are named *.grice.yaml or *.grice.json"
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
    return [one for scenarios in each_suite(files, criteria, modules) for one in scenarios]


def each_suite(
    files: Iterable[Path],
    criteria: Callable[[Path], Mapping[str, Criterion]] | None = None,
    modules: Callable[[Path], MatcherModules] | None = None,
) -> Iterator[list[SuiteScenario]]:
    """The scenarios of one file after the other, for who does not want those of all at once.

    The arguments are those of `load_suites`. Raises SuiteErrors with every error of every file at its end.
    """
    errors: list[FileError] = []
    again: list[FileError] = []
    first: dict[str, str] = {}
    for file in files:
        try:
            known = criteria(file) if criteria is not None else None
            scenarios = load_suite(file, known, modules(file) if modules is not None else None)
        except SuiteErrors as error:
            errors += error.errors
            continue
        for index, message in duplicates(scenarios, first):
            again.append(FileError(scenarios[index].file, scenarios[index].line, 1, message))
        yield scenarios
    if errors or again:
        raise SuiteErrors([*errors, *again])


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
    document = load_file(path, errors=SuiteErrors)
    try:
        limits = Limits.from_environment()
    except LimitsError as error:
        raise SuiteErrors([WholeFileError(path, str(error))]) from error
    reader = SuiteReader(document, suite_name(path), limits, criteria, modules)
    scenarios = reader.scenarios()
    if reader.problems:
        raise SuiteErrors(reader.errors)
    return scenarios


def read_suite(
    value: JsonValue,
    name: str,
    criteria: Mapping[str, Criterion] | None = None,
    modules: MatcherModules | None = None,
    prompt: PromptFile | None = None,
) -> tuple[list[SuiteScenario], list[Problem]]:
    """The scenarios of a suite that stands in no file, in order, and everything that is wrong with it.

    `value` is what a file would say, `name` its name where it gives none, `prompt` what it tests where that
    stands in no file either. The rest is that of `load_suite`. The scenarios are not to be used where there
    are problems.
    """
    if prompt is not None and isinstance(value, dict):
        value = {**value, "prompt": prompt.path}
    try:
        document = parse_document(json.dumps(value), path="")
    except FileError as error:
        return [], [Problem((), error.message)]
    except (TypeError, ValueError, RecursionError) as error:  # not JSON
        return [], [Problem((), str(error))]
    return read_document(document, name, criteria, modules, prompt)


def read_document(
    document: Document,
    name: str,
    criteria: Mapping[str, Criterion] | None = None,
    modules: MatcherModules | None = None,
    prompt: PromptFile | None = None,
) -> tuple[list[SuiteScenario], list[Problem]]:
    """The same of a document that was read, from the file that it names or one that it is to become."""
    try:
        limits = Limits.from_environment()
    except LimitsError as error:
        return [], [Problem((), str(error))]
    reader = SuiteReader(document, name, limits, criteria, modules, prompt)
    scenarios = reader.scenarios()
    return scenarios, reader.problems
