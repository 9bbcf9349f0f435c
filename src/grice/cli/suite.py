"""`grice suite`: suites in the database."""

from __future__ import annotations

from pathlib import Path

from grice.cli.arguments import Given, argument
from grice.cli.options import URL, output


class Export(Given):
    """Write a suite of the database as a suite file: YAML, or JSON to a file that is named *.grice.json.

    The suite is printed unless a file is named. Exit code 0: done. 2: there is no such suite, it cannot be
    written, the database cannot be used, or wrong usage. 141: nobody reads the output any more.
    """

    suite: str = argument(metavar="SUITE", help="The name, the file or the id of a suite in the database.")
    output: Path | None = output("the suite")
    url: str = URL

    def __call__(self) -> int:
        from grice.cli.suite_work import export_suite

        return export_suite(self)


class ImportFiles(Given):
    """Take suites into the database, where they live on without their files.

    A suite that is there under the same name, and stands in no file, says then what the file says. Suites
    whose files stay in the project need no import: `grice db sync` follows them. Exit code 0: done. 2: a file
    has mistakes, then nothing is changed, the database cannot be used, or wrong usage.
    """

    files: tuple[Path, ...] = argument(metavar="FILE...", required=True, help="Suite files.")
    url: str = URL

    def __call__(self) -> int:
        from grice.cli.suite_work import import_suites

        return import_suites(self)
