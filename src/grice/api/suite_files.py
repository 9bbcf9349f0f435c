"""The suites of a project that are files, by their ids."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import NamedTuple

from grice.files.folders import files_below
from grice.files.suite_files import is_suite_file
from grice.store.rows import suite_id

__all__ = ["SuiteFile", "suite_files"]


class SuiteFile(NamedTuple):
    """A suite: its id, and its file below the project's folder, with `/` between names."""

    id: str
    file: str

    @property
    def name(self) -> str:
        """The name of the file, without what tells that it is a suite."""
        return PurePath(self.file).name.partition(".grice.")[0]


def suite_files(root: Path, project: str) -> dict[str, SuiteFile]:
    """The suite files below the folder of the project, in their order; hidden folders are left out.

    A file whose name has `::` is left out too: a command would take what is behind it for a scenario.
    """
    names = [one.relative_to(root).as_posix() for one in files_below(root) if is_suite_file(one.name)]
    found = [SuiteFile(suite_id(project, name), name) for name in names if "::" not in name]
    return {one.id: one for one in found}
