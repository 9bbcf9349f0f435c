"""Bring the rows of runs up to date with their journals.

A journal is read from where it was left; what was read and how far is one transaction, so that a process
that ends within it loses and doubles nothing. Where a conversation has several results the journal's own
rule says which of them counts: such a run is read as a whole whenever there is more of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, Engine, delete, insert, select, update
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from grice.matching.limits import limits_in_force
from grice.running.journal.experiment import Experiment
from grice.running.journal.folders import runs_in
from grice.running.journal.form import JournalError
from grice.running.journal.reading import first_head, index_run
from grice.running.journal.result_selector import Place
from grice.store.database import locked
from grice.store.journal_lines import Added, Position, read_added
from grice.store.owners import add_project, add_run
from grice.store.result_rows import Owner, add_rows
from grice.store.run_outcomes import settle
from grice.store.run_states import RunState, seed_status, writers_of
from grice.store.tables import conversations, journal_files, run_heads, test_results, test_suite_runs

_LOST_AFTER = timedelta(days=1)
"""After which a run is given up that was pushed while it ran, and of which nothing was heard since."""
_AT_ONCE = 500


class Synced(NamedTuple):
    """The result of reading a run: how many results were read, its state, notes on its journal.

    `problem` says why it was left out, `changed` whether anything was written.
    """

    run: str
    read: int = 0
    state: str = ""
    notes: tuple[str, ...] = ()
    problem: str = ""
    changed: bool = False
    pruned: bool = False


def sync_folder(engine: Engine, root: Path, project: str, *, anew: bool = False) -> Iterator[Synced]:
    """Read every run in the folder, the earliest first; with `anew` its rows are made again.

    Raises JournalError for a file in place of the folder.
    """
    kept = runs_in(root)
    for folder, _ in reversed(kept.runs):
        yield sync_run(engine, folder, project, anew=anew)
    for problem in (*kept.problems, *kept.copies):
        yield Synced("", problem=problem)
    forget_lost(engine)


def sync_run(engine: Engine, folder: Path, project: str, *, anew: bool = False) -> Synced:
    """Read the run in that folder. A journal is read up to the first mistake, which is reported."""
    try:
        return _Sync(engine, folder, project).run(anew=anew)
    except JournalError as error:
        return Synced(folder.name, problem=str(error))
    except (SQLAlchemyError, OverflowError) as error:
        why = error.orig if isinstance(error, DBAPIError) else error
        return Synced(folder.name, problem=f"{folder}: cannot be written to the database: {why}")


def forget_lost(engine: Engine, *, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
    """Mark runs as died that ran on another machine and were not heard of for a day."""
    runs = test_suite_runs.c
    with locked(engine) as connection:
        connection.execute(
            update(test_suite_runs)
            .where(runs.state == RunState.RUNNING.value, runs.heard_at < clock() - _LOST_AFTER)
            .values(
                state=RunState.DIED.value,
                status=seed_status(RunState.DIED),
                error="it ran elsewhere, and nothing was heard of it for a day",
                heard_at=None,
            )
        )


class _Sync:
    """One run on its way into the database."""

    def __init__(self, engine: Engine, folder: Path, project: str) -> None:
        self.engine = engine
        self.folder = folder
        self.limits = limits_in_force()
        self.head = _first_head(folder)
        self.owner = Owner(project, self.head.id)
        self.read = 0
        self.notes: dict[str, None] = {}

    def run(self, *, anew: bool) -> Synced:
        """Read what is new, a chunk a transaction, then write how the run stands."""
        writers = writers_of(self.folder)  # asked first: what a writer wrote before it ended is read below
        changed, problem = False, ""
        while True:
            with locked(self.engine) as connection:
                row = self._row(connection)
                if row.pruned_at is not None:
                    return Synced(self.owner.run, state=row.state, pruned=True)
                if anew:
                    self._forget(connection)
                    anew = False
                try:
                    if self._add_next(connection, selected=row.selected):
                        changed = True
                        continue
                except JournalError as error:
                    if not _positions(connection, self.owner.run):
                        raise  # nothing of it was read, and nothing is to be kept
                    problem = str(error)
                state = str(row.state)
                if changed or state == RunState.RUNNING.value:
                    changed, done = True, row.done if row.selected else None
                    state = settle(connection, self.owner.run, writers, done=done).state.value
            return Synced(self.owner.run, self.read, state, tuple(self.notes), problem, changed)

    def _row(self, connection: Connection) -> Any:
        """The row of the run, which is made where there is none."""
        runs = test_suite_runs.c
        query = select(runs.state, runs.selected, runs.done, runs.pruned_at).where(runs.id == self.owner.run)
        row = connection.execute(query).first()
        if row is None:
            add_project(connection, self.owner.project)
            add_run(connection, self.owner, self.head)
            row = connection.execute(query).one()
        return row

    def _forget(self, connection: Connection) -> None:
        """Take away everything that was read of the run."""
        run = self.owner.run
        connection.execute(delete(test_results).where(test_results.c.test_suite_run_id == run))
        for table in (conversations, run_heads, journal_files):
            connection.execute(delete(table).where(table.c.run_id == run))
        running = {"state": RunState.RUNNING.value, "selected": False}
        connection.execute(update(test_suite_runs).where(test_suite_runs.c.id == run).values(running))

    def _add_next(self, connection: Connection, *, selected: bool) -> bool:
        """Write the next chunk of what is new; whether there was one."""
        known = _positions(connection, self.owner.run)
        sizes = {file.name: file.stat().st_size for file in _files(self.folder)}
        if any(sizes.get(name, -1) < one.bytes for name, one in known.items()):
            self._forget(connection)  # a file is gone, or another one than was read
            known, selected = {}, False
        for name, size in sizes.items():
            start = known.get(name, Position())
            if size == start.bytes:
                continue
            if selected:
                self._add_whole(connection)
                return True
            added = read_added(self.folder / name, start)
            self.notes |= dict.fromkeys(added.notes)
            if added.position != start:
                self._add(connection, name, added)
                return True
        return False

    def _add(self, connection: Connection, name: str, added: Added) -> None:
        """Write a chunk of a file; where a conversation has a result already, the whole run."""
        self._refuse_others(added)
        try:
            with connection.begin_nested():
                add_rows(connection, self.owner, added.results, self.limits)
        except IntegrityError:
            self._add_whole(connection)
            return
        self.read += len(added.results)
        _add_heads(connection, self.owner.run, dict(added.heads))
        _set_position(connection, self.owner.run, name, added.position)
        running = {"state": RunState.RUNNING.value}  # until it is settled
        connection.execute(
            update(test_suite_runs).where(test_suite_runs.c.id == self.owner.run).values(running)
        )

    def _add_whole(self, connection: Connection) -> None:
        """Write the run as its journal gives it, by the one rule for several results of a conversation."""
        sizes = {file.name: file.stat().st_size for file in _files(self.folder)}
        index = index_run(self.folder)
        self.notes |= dict.fromkeys(index.notes)
        self._forget(connection)
        results = ((one, index.latest[one.id, one.repeat]) for one in index.results())
        while batch := list(islice(results, _AT_ONCE)):
            add_rows(connection, self.owner, batch, self.limits)
            self.read += len(batch)
        latest = {("", number): head for number, head in enumerate(index.heads)}
        _add_heads(connection, self.owner.run, latest)
        for name, size in sizes.items():
            _set_position(connection, self.owner.run, name, Position(size))
        values = {"selected": True, "done": index.done}
        connection.execute(
            update(test_suite_runs).where(test_suite_runs.c.id == self.owner.run).values(values)
        )

    def _refuse_others(self, added: Added) -> None:
        for place, head in added.heads:
            if head.id != self.owner.run:
                raise JournalError(
                    f"{self.folder / place[0]}:{place[1]}: it is the journal of {head.id}, and other files "
                    f"here are of {self.owner.run}: a folder holds one run"
                )


def _first_head(folder: Path) -> Experiment:
    """The head of the run. Raises JournalError where there is none that can be read."""
    for file in _files(folder):
        try:
            head = first_head(file)
        except OSError as error:
            raise JournalError(f"{file}: cannot be read: {error.strerror or error}") from error
        if head is not None:
            return head
    raise JournalError(f"{folder}: nothing was written to its journal")


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.jsonl"))


def _positions(connection: Connection, run: str) -> dict[str, Position]:
    files = journal_files.c
    rows = connection.execute(
        select(files.journal, files.bytes, files.lines, files.damaged, files.session, files.results).where(
            files.run_id == run
        )
    )
    return {row[0]: Position(*row[1:]) for row in rows}


def _set_position(connection: Connection, run: str, name: str, position: Position) -> None:
    files = journal_files.c
    connection.execute(delete(journal_files).where(files.run_id == run, files.journal == name))
    connection.execute(insert(journal_files).values(run_id=run, journal=name, **position._asdict()))


def _add_heads(connection: Connection, run: str, heads: Mapping[Place, Experiment]) -> None:
    rows = [
        {"run_id": run, "journal": journal, "line": line, "head": msgspec.json.encode(head).decode()}
        for (journal, line), head in heads.items()
    ]
    if rows:
        connection.execute(insert(run_heads), rows)
