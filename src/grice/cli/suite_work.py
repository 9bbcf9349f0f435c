"""The work of `grice suite export` and `grice suite import`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from grice.cli.db_work import in_database, project_here
from grice.cli.output import print_unwritten, print_written, write_output
from grice.cli.suite import Export, ImportFiles
from grice.files.document import load_file
from grice.files.suite_files import SuiteErrors, is_suite_file, load_suites, suite_name
from grice.files.writing import check_output
from grice.reporting.console import Screen, print_line, print_problem, screen_for
from grice.running.project_llms import ProjectLLMs
from grice.running.projects import Projects
from grice.text import visible

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine


_JSON = ".json"


def export_suite(given: Export) -> int:
    """Write the suite; the exit code."""

    def work(console: Screen, engine: Engine) -> bool:
        from grice.store.database import read_only
        from grice.store.errors import StoreError, SuiteProblems
        from grice.store.migrating import check_version
        from grice.store.suites import suite_file_text, suite_named

        output = given.output
        if output is not None and not is_suite_file(output.name):
            raise StoreError(f"{output}: a suite file is named *.grice.yaml, *.grice.yml or *.grice.json")
        check_version(engine)
        try:
            if output is not None:
                check_output(output)
            with read_only(engine) as connection:
                suite = suite_named(connection, project_here()[1], given.suite)
                as_json = output is not None and output.suffix == _JSON
                text = suite_file_text(connection, suite, output.name if output else "", as_json=as_json)
            write_output(console, text.encode(), output)
        except SuiteProblems as error:
            for problem in error.problems:
                print_problem(screen_for(sys.stderr), f"error: {given.suite}: {problem}")
            return False
        except OSError as error:
            print_unwritten(screen_for(sys.stderr), "suite", error)
            return False
        if output is not None:
            print_written(console, output)
        return True

    return in_database(given.url, work)


def import_suites(given: ImportFiles) -> int:
    """Take the files into the tables, all or none; the exit code."""

    def work(console: Screen, engine: Engine) -> bool:
        from grice.store.database import locked
        from grice.store.errors import StoreError

        projects = Projects(Path.cwd())
        llms = ProjectLLMs(projects)
        try:
            load_suites(given.files, llms.criteria, projects.matcher_modules)
        except SuiteErrors as error:
            print_problem(screen_for(sys.stderr), str(error))
            return False
        told: list[str] = []
        with locked(engine) as connection:
            for file in given.files:
                try:
                    told.append(_import(connection, file, projects, llms))
                except StoreError as error:
                    raise StoreError(
                        "\n".join(f"{file}: {line}" for line in str(error).split("\n"))
                    ) from error
        for line in told:
            print_line(console, visible(line, newlines=False), hanging="  ")
        return True

    return in_database(given.url, work, make=True)


def _import(connection: Connection, file: Path, projects: Projects, llms: ProjectLLMs) -> str:
    """Take a file that is right into the tables; what came of it."""
    from grice.store.errors import NoSuchRow
    from grice.store.suite_editing import SuiteReading, change_suite, make_suite
    from grice.store.suites import suite_named

    value, project = load_file(file).value, project_here()[1]
    document = {"name": suite_name(file), **(value if isinstance(value, dict) else {"scenarios": value})}
    reading = SuiteReading(llms.criteria(file), projects.matcher_modules(file))
    try:
        found = suite_named(connection, project, document["name"])
    except NoSuchRow:
        suite, instead = make_suite(connection, project, document, reading=reading), ""
    else:
        suite = change_suite(connection, found.id, document, reading)
        instead = ", in place of what it said"
    number = len(document["scenarios"])
    return f"{file}: {suite.name}, {number} scenario{'' if number == 1 else 's'}{instead}"
