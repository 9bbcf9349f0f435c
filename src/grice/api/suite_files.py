"""The suites of a project that can be run, by id: files, and those in the tables."""

from __future__ import annotations

import os
from pathlib import Path, PurePath
from typing import NamedTuple

from sqlalchemy import Connection

from grice.files.folders import files_below
from grice.files.suite_files import is_suite_file
from grice.store.errors import CannotWrite
from grice.store.prompts import find_prompt
from grice.store.result_rows import suite_id, suite_in_run_folder
from grice.store.suites import Suite, suite_file_text
from grice.user_files import replacing


class SuiteFile(NamedTuple):
    """A suite: its id, and its file below the project's folder, with `/` between names."""

    id: str
    file: str

    @property
    def name(self) -> str:
        """The name of the file, without its ending for suites."""
        return PurePath(self.file).name.partition(".grice.")[0]


def suite_files(root: Path, project: str) -> dict[str, SuiteFile]:
    """The suite files below the folder of the project, in their order; hidden folders are left out.

    A file whose name has `::` is left out too: a command would take what is behind it for a scenario.
    """
    names = [one.relative_to(root).as_posix() for one in files_below(root) if is_suite_file(one.name)]
    found = [SuiteFile(suite_id(project, name), name) for name in names if "::" not in name]
    return {one.id: one for one in found}


def _prompt_for_run(connection: Connection, suite: Suite, folder: Path, root: Path) -> tuple[str, str | None]:
    """The file of the suite's prompt, as the suite names it, and its text where it is to be written."""
    if suite.prompt is not None:
        row = find_prompt(connection, suite.prompt)
        if row.source_file is None:
            return f"{row.id}.prompt.md", row.text
        return PurePath(os.path.relpath(root / row.source_file, folder)).as_posix(), None
    said = suite.head.get("prompt")
    return PurePath(os.path.relpath(root / said, folder)).as_posix() if isinstance(said, str) else "", None


def write_for_run(connection: Connection, suite: Suite, folder: Path, root: Path) -> Path:
    """Write a suite of the tables into the folder of its run, as a file that names the suite its results
    belong to.

    Its prompt is written beside it, unless that stands in a file below the project's folder.

    Raises SuiteProblems for what no suite file says, and CannotWrite.
    """
    file = folder / f"{suite.id}.grice.json"
    prompt, prompt_said = _prompt_for_run(connection, suite, folder, root)
    text = suite_file_text(connection, suite, as_json=True, prompt=prompt)
    if suite_in_run_folder(file.as_posix(), folder.name) != suite.id:
        raise CannotWrite(f"{suite.id}: no file can be called so: copy the suite, and run the copy")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if prompt_said is not None:
            with replacing(folder / prompt) as stream:
                stream.write(prompt_said.encode())
        with replacing(file) as stream:
            stream.write(text.encode())
    except OSError as error:
        raise CannotWrite(f"{file}: cannot be written: {error.strerror or error}") from error
    return file
