"""The work of `grice check`: what is wrong with files, without running them."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from grice.cli.check import Command
from grice.cli.exit_codes import FAILED, NOBODY_READS, PASSED, UNUSABLE
from grice.cli.file_checking import SETTINGS, CheckedFile, check_file, is_known_file, told_lines
from grice.files.document import FileError, missing_file
from grice.files.folders import files_below
from grice.files.settings import settings_in
from grice.files.settings_files import SettingsError, settings_file_in
from grice.files.writing import check_output
from grice.reporting.console import Screen, print_line, print_problem, screen_for
from grice.running.project_llms import ProjectLLMs, Role
from grice.running.projects import Projects
from grice.text import visible
from grice.user_files import replacing


def check_paths(given: Command) -> int:
    """Check the files, print a line each and every error, and return the exit code."""
    paths, out = given.paths or (Path(),), given.json
    console, errors = screen_for(sys.stdout), screen_for(sys.stderr)
    missing = [path for path in paths if not path.exists()]
    for path in missing:
        print_problem(errors, str(missing_file(path)))
    if out is not None:
        try:
            check_output(out, [*paths, *_files(path for path in paths if path.exists())])
        except OSError as error:
            print_problem(errors, f"error: {error}")
            return UNUSABLE
    projects = Projects(Path.cwd())
    llms = ProjectLLMs(projects)
    checked: list[CheckedFile] = []
    told: set[str] = set()
    for file in dict.fromkeys(_files(path for path in paths if path.exists())):
        found = _checked(file, projects, llms)
        fresh = [one for one in found.errors if str(one) not in told]  # a project's is of each of its files
        told.update(map(str, fresh))
        checked.append(found._replace(errors=tuple(fresh)))
        _print(console, checked[-1])
        if console.quiet:
            return NOBODY_READS
    wrong = [one for one in checked if one.errors]
    count = sum(len(one.errors) for one in wrong)
    if checked:
        errors_said = f"{count} error{'' if count == 1 else 's'} in {len(wrong)} of " if wrong else ""
        files_said = f"{len(checked)} file{'' if len(checked) == 1 else 's'}"
        print_line(console, f"\n{errors_said}{files_said}{'' if wrong else ', no error'}")
    elif not missing:
        print_problem(errors, "no file of Grice is here: name one, or a folder with some")
    if out is not None:
        _write(out, checked)
    if missing or not checked:
        return UNUSABLE
    return FAILED if wrong else PASSED


def wrong_beside_settings(paths: Iterable[Path], told: SettingsError) -> list[str]:
    """What else is wrong in the files of the paths than what is told of their settings."""
    projects = Projects(Path.cwd())
    llms = ProjectLLMs(projects)
    files = [file for file in _files(filter(Path.exists, paths)) if file.suffix not in (".py", ".toml")]
    found = [str(one) for file in dict.fromkeys(files) for one in check_file(file, projects, llms).errors]
    return [one for one in dict.fromkeys(found) if one not in str(told)]


def _checked(file: Path, projects: Projects, llms: ProjectLLMs) -> CheckedFile:
    found = check_file(file, projects, llms)
    if found.kind != "settings":
        return found
    more = _wrong_gates(file) if found.errors else _wrong_settings(file, projects, llms)
    return found._replace(errors=(*found.errors, *more))


def _write(out: Path, checked: Sequence[CheckedFile]) -> None:
    whole = {"version": 1, "files": [_plain(one) for one in checked]}
    with replacing(out) as stream:
        stream.write(f"{json.dumps(whole, indent=2, ensure_ascii=False)}\n".encode())


def _wrong_settings(file: Path, projects: Projects, llms: ProjectLLMs) -> Iterator[str]:
    """What is wrong with what settings name: it is looked up where it is used."""
    from grice.experiments.gates.declared import declared_gates
    from grice.experiments.gates.records import GateError

    settings = projects.of(file)
    named: list[Callable[[], object]] = [
        partial(declared_gates, settings),
        partial(projects.import_matchers, file),
        partial(llms.criteria, file),
    ]
    roles: tuple[Role, ...] = ("judge_llm", "user_llm", "prompt_llm")
    named += [partial(llms.llm, file, role) for role in roles if getattr(settings, role) is not None]
    for look_up in named:
        try:
            look_up()
        except (SettingsError, GateError) as error:
            yield from told_lines(error)


def _wrong_gates(file: Path) -> Iterator[str]:
    """What is wrong with the gates of settings in which something else is wrong."""
    from grice.experiments.gates.declared import declared_gates
    from grice.experiments.gates.records import GateError

    try:
        found = settings_file_in(file.parent)
        if found is not None and "gates" in found.table:
            declared_gates(settings_in(replace(found, table={"gates": found.table["gates"]})))
    except SettingsError:  # which is told already
        return
    except GateError as error:
        yield from told_lines(error)


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    """The files that the paths name: of a folder those whose names say what they are."""
    for path in paths:
        if path.is_dir():
            found = filter(is_known_file, files_below(path))
            yield from sorted(found, key=lambda file: file.name not in SETTINGS)  # their mistakes come first
        else:
            yield path


def _print(console: Screen, checked: CheckedFile) -> None:
    if not checked.errors:
        print_line(console, f"ok     {visible(str(checked.path), newlines=False)}  {checked.content}")
        for note in checked.notes:
            print_line(console, visible(note), style="yellow", indent="  ", hanging="    ")
        return
    print_line(
        console, f"wrong  {visible(str(checked.path), newlines=False)}  {checked.kind}", style="bold red"
    )
    for error in checked.errors:
        print_line(console, visible(str(error)), indent="  ", hanging="    ")


_PLACED = re.compile(r"(?s)(?:[^\n]+?):(\d+):(\d+): (.*)")


def _placed(told: str) -> dict[str, object]:
    """What is told of settings, whose place stands in the text."""
    found = _PLACED.fullmatch(told)
    if found is None:
        return {"message": told}
    return {"line": int(found[1]), "column": int(found[2]), "message": found[3]}


def _plain(checked: CheckedFile) -> dict[str, object]:
    errors = [
        {"line": one.line, "column": one.column, "message": one.message}
        if isinstance(one, FileError)
        else _placed(one)
        for one in checked.errors
    ]
    return {"path": str(checked.path), "kind": checked.kind, "count": checked.size, "errors": errors}
