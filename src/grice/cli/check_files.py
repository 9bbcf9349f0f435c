"""What `grice check` does."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from rich.console import Console

from grice.cli.exit_codes import FAILED, NOBODY_READS, PASSED, UNUSABLE
from grice.files.document import FileError, missing_file
from grice.files.folders import files_below
from grice.files.writing import replacing
from grice.reporting.console import console_for, print_line, print_problem
from grice.running.file_checking import SETTINGS, CheckedFile, check_file, is_known_file
from grice.running.project_llms import ProjectLLMs
from grice.running.projects import Projects
from grice.text import visible

__all__ = ["check_paths"]


def check_paths(paths: Sequence[Path], out: Path | None) -> int:
    """Check the files, print a line each and every error, and return the exit code."""
    console, errors = console_for(sys.stdout), console_for(sys.stderr)
    missing = [path for path in paths if not path.exists()]
    for path in missing:
        print_problem(errors, str(missing_file(path)))
    projects = Projects(Path.cwd())
    llms = ProjectLLMs(projects)
    checked: list[CheckedFile] = []
    told: set[str] = set()
    for file in dict.fromkeys(_files(path for path in paths if path.exists())):
        found = check_file(file, projects, llms)
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
        text = json.dumps([_plain(one) for one in checked], indent=2, ensure_ascii=False)
        with replacing(out) as stream:
            stream.write(f"{text}\n".encode())
    if missing or not checked:
        return UNUSABLE
    return FAILED if wrong else PASSED


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    """The files that the paths name: of a folder those whose names say what they are."""
    for path in paths:
        if path.is_dir():
            found = filter(is_known_file, files_below(path))
            yield from sorted(found, key=lambda file: file.name not in SETTINGS)  # their mistakes come first
        else:
            yield path


def _print(console: Console, checked: CheckedFile) -> None:
    if not checked.errors:
        print_line(console, f"ok     {visible(str(checked.path), newlines=False)}  {checked.content}")
        return
    print_line(
        console, f"wrong  {visible(str(checked.path), newlines=False)}  {checked.kind}", style="bold red"
    )
    for error in checked.errors:
        print_line(console, visible(str(error)), indent="  ", hanging="    ")


def _plain(checked: CheckedFile) -> dict[str, object]:
    errors = [
        {"line": one.line, "column": one.column, "message": one.message}
        if isinstance(one, FileError)
        else {"message": one}
        for one in checked.errors
    ]
    return {"path": str(checked.path), "kind": checked.kind, "count": checked.size, "errors": errors}
