"""The work of `grice prompt`: the versions of prompts."""

from __future__ import annotations

from difflib import unified_diff
from typing import TYPE_CHECKING

from grice.cli.db_work import in_database, project_here
from grice.cli.output import write_output
from grice.cli.prompt import Diff, History, Restore, Show
from grice.files.document import FileError
from grice.files.prompt_files import prompt_name
from grice.reporting.console import Screen, print_line
from grice.store.errors import StoreError
from grice.text import plural, visible

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Engine

    from grice.store.prompts import PromptRow, PromptVersion

    Work = Callable[[Screen, Engine, PromptRow, list[PromptVersion]], None]


def list_versions(given: History) -> int:
    """List the versions; the exit code."""

    def work(console: Screen, engine: Engine, row: PromptRow, versions: list[PromptVersion]) -> None:
        from grice.store.database import read_only
        from grice.store.prompt_sync import file_standing
        from grice.store.prompts import runs_by_version

        with read_only(engine) as connection:
            used = runs_by_version(connection, row.id)
        for one in versions:
            when = f"{one.kept_at:%Y-%m-%d %H:%M}" if one.kept_at is not None else "nobody wrote when"
            runs = plural(used.get(one.id, 0), "run")
            _say(console, f"{one.version:>4}  {when}  {plural(len(one.text), 'character')}, {runs}")
        if row.source_file is not None:
            standing = file_standing(project_here()[0], row.source_file, versions)
            keep = "" if standing.is_latest or standing.problem else "; grice db sync keeps it"
            _say(console, f"{standing}{keep}")

    return _with_prompt(given.prompt, given.url, work)


def show_version(given: Show) -> int:
    """Print the text of a version; the exit code."""

    def work(console: Screen, _: Engine, row: PromptRow, versions: list[PromptVersion]) -> None:
        write_output(console, _text(row, versions, given.version).encode("utf-8", "replace"))

    return _with_prompt(given.prompt, given.url, work)


def show_difference(given: Diff) -> int:
    """Print what differs between two versions; the exit code."""

    def work(console: Screen, _: Engine, row: PromptRow, versions: list[PromptVersion]) -> None:
        after = versions[0].version if given.after is None else given.after
        old, new = (_text(row, versions, number) for number in (given.before, after))
        titles = f"{row.name} version {given.before}", f"{row.name} version {after}"
        found = list(unified_diff(old.splitlines(), new.splitlines(), *titles, lineterm=""))
        same = "nothing differs" if old == new else "only line breaks differ"
        lines = [visible(line, newlines=False) for line in found or [same]]
        write_output(console, "".join(f"{line}\n" for line in lines).encode())  # no line is wrapped

    return _with_prompt(given.prompt, given.url, work)


def restore_version(given: Restore) -> int:
    """Go back to a version; the exit code."""

    def work(console: Screen, engine: Engine, row: PromptRow, _: list[PromptVersion]) -> None:
        from grice.store.database import locked
        from grice.store.prompt_sync import restore_file
        from grice.store.prompts import restore_prompt

        if row.source_file is None:
            with locked(engine) as connection:
                now = restore_prompt(connection, row.id, given.version)
            _say(console, f"{row.name}: version {now.version} has the text of version {given.version}")
            return
        root, project = project_here()
        done = restore_file(engine, root, project, row.source_file, given.version)
        if done.kept:
            _say(console, f"{row.source_file}: its text was in no version: kept as version {done.kept}")
        as_before = f"the latest version has the text of version {given.version} already"
        told = f"version {done.version}, with the text of version {given.version}"
        _say(console, f"{row.source_file}: {told if done.version else as_before}")

    return _with_prompt(given.prompt, given.url, work)


def _with_prompt(prompt: str, url: str, work: Work) -> int:
    """The exit code of work on a prompt and its versions, the latest first."""

    def on_database(console: Screen, engine: Engine) -> None:
        from grice.store.database import read_only
        from grice.store.migrating import check_version
        from grice.store.prompts import history_of, prompt_named

        root, project = project_here()
        check_version(engine)
        with read_only(engine) as connection:
            row = prompt_named(connection, project, prompt_name(prompt, root), prompt)
            versions = history_of(connection, row.id)
        try:
            work(console, engine, row, versions)
        except (FileError, OSError) as error:
            raise StoreError(str(error)) from error

    return in_database(url, on_database)


def _text(row: PromptRow, versions: list[PromptVersion], number: int | None) -> str:
    from grice.store.prompts import text_of_version

    return text_of_version(versions, versions[0].version if number is None else number, row.name)


def _say(console: Screen, text: str) -> None:
    print_line(console, visible(text, newlines=False), hanging="  ")
