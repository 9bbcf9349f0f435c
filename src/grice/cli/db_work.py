"""The work of `grice db`: runs in a database."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grice.cli.db import Prune, Push, Sync, Upgrade
from grice.cli.exit_codes import NOBODY_READS, PASSED, UNUSABLE
from grice.cli.output import print_problems
from grice.files.settings import find_settings
from grice.files.settings_files import SettingsError
from grice.matching.limits import LimitsError, limits_in_force
from grice.reporting.console import Screen, print_line, print_problem, screen_for
from grice.running.journal.folders import find_run
from grice.running.journal.form import JournalError
from grice.running.runs_folder import runs_folder
from grice.store.errors import StoreError, missing_extra
from grice.text import plural, visible

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from grice.store.syncing import Synced


def upgrade_database(given: Upgrade) -> int:
    """Bring the tables up to date; the exit code."""

    def work(console: Screen, engine: Engine) -> None:
        from grice.store.database import shown
        from grice.store.migrating import upgrade

        before, now = upgrade(engine)
        told = "is up to date" if before == now else f"{before or 'no version'} -> {now}"
        _say(console, f"{shown(engine.url)}: {told}")

    return in_database(given.url, work)


def sync_database(given: Sync) -> int:
    """Read what is new in all runs; the exit code."""
    return _synced(given)


def rebuild_database(given: Sync) -> int:
    """Read all runs anew; the exit code."""
    return _synced(given, anew=True)


def push_run(given: Push) -> int:
    """Read one run; the exit code."""

    def work(console: Screen, engine: Engine) -> bool:
        from grice.store.syncing import sync_run

        folder = find_run(given.run, runs_folder(given.runs))
        whole = _keep_prompts(console, engine, again=False)
        return _tell(console, [sync_run(engine, folder, project_here()[1])]) and whole

    return in_database(given.url, work, make=True)


def show_status(given: Sync) -> int:
    """Say what the database holds; the exit code."""

    def work(console: Screen, engine: Engine) -> None:
        from grice.running.journal.folders import runs_in
        from grice.store.database import is_missing, read_only, shown
        from grice.store.migrating import head_version, version_of
        from grice.store.queries import UnreadJournals, count_states, unread_journals

        kept = [(folder, head.id) for folder, head in runs_in(runs_folder(given.runs)).runs]
        unread = UnreadJournals([id_ for _, id_ in kept], [])
        if is_missing(engine):  # looking makes no file
            _say(console, f"{shown(engine.url)}: is not there yet")
        else:
            with read_only(engine) as connection:
                found = version_of(connection)
                _say(console, f"{shown(engine.url)}: {f'version {found}' if found else 'no tables yet'}")
                if found == head_version():
                    counts = count_states(connection)
                    states = ", ".join(f"{number} {state}" for state, number in counts.items())
                    _say(console, f"runs: {sum(counts.values())}{f' ({states})' if states else ''}")
                    unread = unread_journals(connection, kept)
                elif found or not kept:
                    _say(console, "run grice db upgrade")
        for file in unread.torn:
            _say(console, f"{file}: the last line is torn; all before it is read")
        if unread.runs:
            _say(console, f"journals to read: {len(unread.runs)}: grice db sync")

    return in_database(given.url, work)


def prune_database(given: Prune) -> int:
    """Take out what is old; the exit code."""

    def work(console: Screen, engine: Engine) -> None:
        from grice.experiments.baselines import baselines_folder
        from grice.store.migrating import check_version
        from grice.store.pruning import age_in, baseline_runs, prune

        keep = age_in(given.keep)
        check_version(engine)
        pruned = prune(engine, project_here()[1], keep, baseline_runs(baselines_folder()))
        _say(console, f"pruned: {plural(len(pruned), 'run')} older than {given.keep}; their sums stay")

    return in_database(given.url, work)


def migrate(given: Any) -> int:
    """Give a case assertions; the exit code."""

    def work(console: Screen, engine: Engine) -> None:
        from grice.store.columns import json_text
        from grice.store.database import locked
        from grice.store.migrating import check_version
        from grice.store.suite_editing import migrate_case

        check_version(engine)
        with locked(engine) as connection:
            made = migrate_case(connection, given.case)
        _say(console, f"{given.case}: {json_text(made)}")

    return in_database(given.url, work)


def _synced(given: Sync, *, anew: bool = False) -> int:
    def work(console: Screen, engine: Engine) -> bool:
        from grice.store.syncing import sync_folder

        wrong = _follow_suites(console, engine, anew=anew)
        whole = _keep_prompts(console, engine, told=wrong) and not wrong
        found = sync_folder(engine, runs_folder(given.runs), project_here()[1], anew=anew)
        whole = _tell(console, found) and whole
        return _sync_labels(console, engine) and whole

    return in_database(given.url, work, make=True)


def in_database(url: str, work: Callable[[Screen, Engine], bool | None], *, make: bool = False) -> int:
    """The exit code of work in the database that is meant; with `make` an empty one gets its tables first.

    Work that gives False could not be done as a whole.
    """
    console, errors = screen_for(sys.stdout), screen_for(sys.stderr)
    if missing := missing_extra():
        print_problem(errors, f"error: {missing}")
        return UNUSABLE
    from sqlalchemy.exc import DBAPIError

    from grice.store.database import DEFAULT, open_database, shown
    from grice.store.migrating import check_version

    engine: Engine | None = None
    try:
        limits_in_force()  # a wrong one is told before anything is made
        settings = find_settings(Path.cwd())
        meant = url or (settings.database if settings is not None else "") or DEFAULT
        engine = open_database(meant, None if url or settings is None else settings.root)
        if make:
            check_version(engine, make=True)
        whole = work(console, engine)
    except (JournalError, LimitsError, SettingsError, StoreError) as error:
        print_problem(errors, f"error: {error}")
        return UNUSABLE
    except DBAPIError as error:
        where = "" if engine is None else f"{shown(engine.url)}: "
        print_problem(errors, f"error: {where}{str(error.orig).strip()}")
        return UNUSABLE
    finally:
        if engine is not None:
            engine.dispose()
    if console.quiet:
        return NOBODY_READS
    return UNUSABLE if whole is False else PASSED


def _tell(console: Screen, found: Iterable[Synced]) -> bool:
    """Say what came of runs; whether none was left out."""
    errors, whole = screen_for(sys.stderr), True
    counts: Counter[str] = Counter()
    for one in found:
        for note in one.notes:
            print_line(errors, visible(f"warning: {note}", newlines=False), style="yellow")
        if one.problem:
            print_problem(errors, f"error: left out: {one.problem}")
            whole = False
        elif one.changed:
            _say(console, f"{one.run}: {plural(one.read, 'result')}, {one.state}")
        counts[_came_of(one)] += 1
    _say(console, f"runs: {', '.join(f'{number} {what}' for what, number in counts.items()) or 'none'}")
    return whole


def _came_of(one: Synced) -> str:
    if one.problem:
        return "left out"
    return "pruned" if one.pruned else "read" if one.changed else "as before"


def _follow_suites(console: Screen, engine: Engine, *, anew: bool) -> list[str]:
    """Have the tables follow the suite files, and say what came of them; the files that are left out."""
    from grice.files.suite_files import load_suite
    from grice.running.project_llms import ProjectLLMs
    from grice.running.projects import Projects
    from grice.store.suite_syncing import sync_suites

    projects = Projects(Path.cwd())
    llms = ProjectLLMs(projects)
    found = sync_suites(
        engine,
        *_folder_here(),
        lambda path: load_suite(path, llms.criteria(path), projects.matcher_modules(path)),
        anew=anew,
    )
    errors = screen_for(sys.stderr)
    for problem in (problem for one in found for problem in one.problems):
        print_problem(errors, f"error: left out: {problem}")
    for one in (one for one in found if one.replaced):
        warning = f"warning: {one.file}: it takes the place of what {one.replaced} wrote"
        print_line(errors, visible(warning, newlines=False), style="yellow")
    counts = Counter(one.state for one in found)
    told = [f"{counts[what]} {what}" for what in ("read", "as before", "gone", "left out") if counts[what]]
    if told:
        _say(console, f"suites: {', '.join(told)}")
    return [one.file for one in found if one.state == "left out"]


def _keep_prompts(console: Screen, engine: Engine, *, again: bool = True, told: Collection[str] = ()) -> bool:
    """Keep the texts of the prompts that suites name, and say what came of them; whether none is wrong.

    Of the suites in `told` it is said already what is wrong.
    """
    from grice.store.prompt_sync import sync_prompts

    errors, whole = screen_for(sys.stderr), True
    counts: Counter[str] = Counter()
    for one in sync_prompts(engine, *_folder_here(), again=again, told=told):
        if one.problem:
            print_problem(errors, f"error: left out: {one.problem}")
            whole = False
        elif one.version:
            _say(console, f"{one.name}: version {one.version}")
        counts["left out" if one.problem else "read" if one.version else "as before"] += 1
    if counts:
        _say(console, f"prompts: {', '.join(f'{number} {what}' for what, number in counts.items())}")
    return whole


def _sync_labels(console: Screen, engine: Engine) -> bool:
    """Read the project's file of labels, where it has one; whether it could be read."""
    from grice.files.document import FileErrors
    from grice.validation.labelling.stored import LABELS_FILE, sync_labels

    root, project = project_here()
    file = root / LABELS_FILE
    if not file.exists():
        return True
    try:
        new, replaced = sync_labels(engine, file, project)
    except FileErrors as error:
        print_problems(screen_for(sys.stderr), (f"left out: {one}" for one in error.errors))
        return False
    except OSError as error:
        print_problem(screen_for(sys.stderr), f"error: left out: {file}: {error.strerror or error}")
        return False
    if new or replaced:
        taken = f", {replaced} replaced or taken back" if replaced else ""
        _say(console, f"{LABELS_FILE}: {plural(new, 'new label')}{taken}")
    return True


def project_here() -> tuple[Path, str]:
    """The folder and the name of the project in which the command was given. Raises SettingsError."""
    from grice.store.owners import project_name

    settings = find_settings(Path.cwd())
    root = Path.cwd() if settings is None else settings.root
    return root, project_name(root)


def _folder_here() -> tuple[Path, str]:
    """The same with the folder as a person here would write it, where it lies below."""
    here, (root, project) = Path.cwd(), project_here()
    return root.relative_to(here) if root.is_relative_to(here) else root, project


def _say(console: Screen, text: str) -> None:
    print_line(console, visible(text, newlines=False), hanging="  ")
