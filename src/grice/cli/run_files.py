"""The goldens, suites, tests and scenario sets that `grice run` finds under the paths it is given."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from grice.files.document import FileError, load_file, missing_file
from grice.files.folders import files_below
from grice.files.golden_records import Golden
from grice.files.goldens import GoldenErrors, find_goldens, is_golden_file, load_all
from grice.files.suite_records import SuiteScenario
from grice.running.file_work import Door, FileWork, Shelf
from grice.running.projects import Projects, path_at
from grice.running.scripted import scripted_id
from grice.text import did_you_mean
from grice.user_files import open_file, real_path


class FilesError(ValueError):
    """Everything wrong with the paths and the files that they name, a line each."""


class Files(NamedTuple):
    """The files to run. `problems` say what is wrong with paths, a line each.

    `tests` are the paths, as they are given, below which there are Python tests with conversations; `sets`
    are scenario sets. `fixtures` are files whose fixtures may be meant for goldens and suites beside them,
    and in which tests may stand that only pytest finds. `chosen` are ids in goldens, suites and sets of which
    only some are to be run.
    """

    goldens: list[Path]
    suites: list[Path]
    problems: list[str]
    tests: list[Path | str]
    sets: list[Path]
    fixtures: list[Path]
    chosen: dict[Path, list[str]]


def files_of(paths: Sequence[Path | str], projects: Projects) -> Files:
    """The files that the paths name: a file as it is, of a folder all goldens, suites and tests in it.

    A text is the id of a test, `test_it.py::test_one`.

    Goldens are also those that the settings name. A folder has tests when a file that pytest takes by default
    speaks of a conversation. What is wrong with paths is kept for `works_of_files`, which tells it with
    what is wrong in files. Raises SettingsError.
    """
    files = Files([], [], [], [], [], [], {})
    for given in paths:
        path = Path(given)
        if isinstance(given, str) or not path.is_dir():
            _add_file(files, given)
            files.fixtures.extend(_conftests_above(Path(str(given).partition("::")[0]), projects))
            continue
        named = projects.named_goldens(path)
        below = list(files_below(path))
        goldens = [file for file in below if is_golden_file(file.name)]
        goldens += [file for file in named if not is_golden_file(file.name) and not _is_suite(file)]
        suites = [file for file in below if _is_suite(file)]
        files.goldens.extend(goldens)
        files.suites.extend(suites)
        python = {file: _content(file, files.problems) for file in below if file.suffix == ".py"}
        found = any(b"conversation" in python[file] for file in python if _is_named_test(file))
        files.tests.extend([path] if found else [])
        files.fixtures.extend(file for file, content in python.items() if _is_for_pytest(file, content))
        files.fixtures.extend(_conftests_above(path, projects))
        files.fixtures.extend(_own_names(projects.of(path).root))
        if not (goldens or suites or found):
            files.problems.append(f"{path}: {_NOTHING}")
    return files


_FEW = 10
"""The ids that are named where none is near."""
_NOTHING = (
    "no golden files in this folder; they are named *.golden.json or *.golden.yaml; no suites, which are "
    "named *.grice.yaml or *.grice.json; and no tests with a conversation, in test_*.py or *_test.py"
)


def _is_named_test(file: Path) -> bool:
    return file.match("test_*.py") or file.match("*_test.py")


_FIXTURES = re.compile(
    rb"\bdef (agent|agent_factory|judge_llm|user_llm|prompt_llm|scripted_model)\b|\bautouse\b"
    rb"|\bdef \w+\([^)]*\b(async_)?conversation\b"
)
"""What tells that a conftest.py has fixtures for goldens and suites, or for tests with conversations."""
_TESTS = re.compile(rb"\bdef test\w*\([^)]*\b(async_)?conversation\b")
_OWN_NAMES = re.compile(rb"\bpython_(files|classes|functions)\b")


def _is_for_pytest(file: Path, content: bytes) -> bool:
    """Whether a Python file has fixtures, or tests that others may derive from."""
    return (_FIXTURES if file.name == "conftest.py" else _TESTS).search(content) is not None


def _own_names(root: Path) -> Iterator[Path]:
    """The files in which a project tells pytest names of its own for tests."""
    for name in ("pyproject.toml", "pytest.ini", ".pytest.ini", "tox.ini", "setup.cfg"):
        file = root / name
        if file.is_file() and _OWN_NAMES.search(_content(file, [])):
            yield file


def _content(file: Path, problems: list[str]) -> bytes:
    """The content of a Python file; why it cannot be read is a problem."""
    try:
        with open_file(file) as stream:
            return stream.read()
    except OSError as error:
        problems.append(_why_unread(file, error))
        return b""


def _conftests_above(path: Path, projects: Projects) -> Iterator[Path]:
    """The conftest.py with such fixtures in the folders above a path, up to its project's."""
    root, place = projects.of(path).root, real_path(path)
    for folder in place.parents:
        if not folder.is_relative_to(root):
            return
        file = folder / "conftest.py"
        if file.is_file() and _FIXTURES.search(_content(file, [])):
            yield file


def _why_unread(file: Path, error: OSError) -> str:
    if isinstance(error, FileNotFoundError) or file.is_symlink():
        return str(missing_file(file))
    return f"{file}: cannot be read: {error.strerror or error}"


def _add_file(files: Files, given: Path | str) -> None:
    """Add a file by what it is: tests (`test_it.py`, `test_it.py::test_one`), a suite, a set, a golden."""
    name, separator, id_ = str(given).partition("::")
    path = Path(name)
    if separator and path.suffix != ".py":
        files.chosen.setdefault(path, []).append(id_)
    if path.suffix == ".py":
        try:
            open_file(path).close()
        except OSError as error:
            files.problems.append(_why_unread(path, error))
        files.tests.append(given)
    elif _is_suite(path):
        files.suites.append(path)
    elif _is_set(path):
        if _known(path, files.sets) not in files.sets:
            files.sets.append(path)
    elif path.suffix.lower() in _DATA or not path.exists():  # what is not there is told with the others
        files.goldens.append(path)
    else:
        files.problems.append(
            f"{path}: expected a file of tests (.py), or {', '.join(_DATA)}, .jsonl or .csv"
        )


_DATA = (".json", ".yaml", ".yml")


def _known(path: Path, paths: Collection[Path]) -> Path:
    """The same file as it was named before, else the path."""
    return next((one for one in paths if real_path(one) == real_path(path)), path)


def _is_set(path: Path) -> bool:
    """Whether the file holds scenarios: a table or lines, or a list of records that are no goldens."""
    suffix = path.suffix.lower()
    if suffix in (".jsonl", ".csv"):
        return True
    if suffix not in _DATA or is_golden_file(path.name):
        return False
    try:
        value = load_file(path).value
    except (FileError, OSError):
        return False  # said by who reads it as a golden
    if not isinstance(value, list):
        return False
    return not any(isinstance(one, dict) and _GOLDENS_OWN & one.keys() for one in value)


_GOLDENS_OWN = {"mockLlmResponses", "userMessage", "assertions", "steps"}


def _is_suite(path: Path) -> bool:
    if ".grice." not in path.name:
        return False  # the reader of suites is loaded when there are some
    from grice.files.suite_files import is_suite_file

    return is_suite_file(path.name)


def works_of_files(files: Files, door: Door, repeat: int) -> list[FileWork]:
    """The goldens and then the scenarios of the files, as often as they are to be held.

    All of one repeat come before those of the next. Raises FilesError with everything that is wrong in them,
    and SettingsError.
    """
    problems = list(files.problems)
    works: list[FileWork] = []
    try:
        works += [_work(golden, golden, door) for golden in load_all(find_goldens(files.goldens))]
    except GoldenErrors as error:
        others = no_goldens(files.goldens)
        problems += others.values()
        problems += [str(one) for one in error.errors if one.path not in others]
    if files.suites:
        from grice.files.suite_files import SuiteErrors, each_suite, find_suites, load_suite

        criteria, modules = door.llms.criteria, door.projects.matcher_modules
        shelf = Shelf(lambda file: load_suite(file, criteria(file), modules(file)))
        try:
            for scenarios in each_suite(find_suites(files.suites, modules), criteria, modules):
                works += _works_of(scenarios, door, shelf)
        except SuiteErrors as error:
            problems.append(str(error))
    for path, ids in files.chosen.items():
        if path not in files.sets and not problems:
            problems += unknown_ids(path, ids, [one.key for one in works if one.file == str(path)])
    if problems:
        raise FilesError("\n".join(problems))
    works = [one for one in works if one.key in files.chosen.get(path_at(one.file), [one.key])]
    again = [work for work in works if not work.left_out]
    return works + [replace(work, repeat=number) for number in range(2, repeat + 1) for work in again]


def _work(what: Golden | SuiteScenario, source: Golden | Shelf, door: Door, **more: Any) -> FileWork:
    """The work that a golden or scenario is."""
    prompt = getattr(what, "prompt", None)
    id_ = scripted_id(what)
    return FileWork(door, id_, what.id, what.fingerprint, what.file, what.agent, prompt, source, **more)


def _works_of(scenarios: list[SuiteScenario], door: Door, shelf: Shelf) -> Iterator[FileWork]:
    """The scenarios of a file, each with why it is left out: run modes count within a file."""
    from grice.running.suite import left_out

    if scenarios:
        shelf.hold(scenarios[0].file, scenarios)
    for number, (scenario, why) in enumerate(zip(scenarios, left_out(scenarios), strict=True)):
        judged = bool(scenario.criteria) or scenario.judged
        yield _work(scenario, shelf, door, number=number, left_out=why, judged=judged)


def unknown_ids(path: Path, ids: Iterable[str], known: Sequence[str]) -> list[str]:
    """What to say of ids that a file does not have."""
    few = f"; it has {', '.join(known[:_FEW])}{', ...' if len(known) > _FEW else ''}" if known else ""
    return [f"{path}: it has no {one!r}{did_you_mean(one, known) or few}" for one in ids if one not in known]


def no_goldens(files: Sequence[Path]) -> dict[str, str]:
    """What to say of files that were taken for goldens and hold something else, by path."""
    said: dict[str, str] = {}
    for file in files:
        if is_golden_file(file.name):
            continue
        with suppress(FileError):
            value = load_file(file).value
            if not isinstance(value, dict) or _GOLDENS_OWN & value.keys():
                continue
            if "scenarios" in value:
                name = f"{file.stem}.grice{file.suffix}"
                said[str(file)] = f"{file}: it has scenarios, so it is a suite: name it {name}"
            elif "topics" in value:
                said[str(file)] = f"{file}: it has topics, so it is a graph: give it with --topics {file}"
            elif "goal" in value:
                said[str(file)] = f"{file}: it has a goal, so it is a scenario: write a list of them"
    return said
