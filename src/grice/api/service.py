"""The served project: its settings, its database, and the journals that are read into it."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hmac import compare_digest
from pathlib import Path
from typing import Annotated

from fastapi import Depends, Request
from sqlalchemy import Connection, Engine

from grice.api.errors import ApiError
from grice.api.run_queue import MOST_AT_ONCE, RunQueue
from grice.api.sessions import Sessions
from grice.api.stored_replies import StoredReplies
from grice.files.document import FileErrors
from grice.files.settings import Settings
from grice.running.journal.folders import runs_in
from grice.running.journal.form import JournalError
from grice.running.project_llms import ProjectLLMs
from grice.running.projects import Projects
from grice.scanning.kept_scan import SCANS, KeptScans
from grice.store.database import locked, read_only
from grice.store.owners import add_project, project_name
from grice.store.run_states import RunState
from grice.store.suite_saving import SuiteSaver
from grice.store.suite_workspace import ReadingByFile, SuiteWorkspace
from grice.store.syncing import forget_lost, sync_run
from grice.store.tokens import OWNER, Caller, Role, add_change, hash_of, tokens_caller
from grice.validation.labelling.stored import LABELS_FILE, sync_labels

_WAIT = 2.0
"""Seconds for which a request waits while another one reads journals; then it takes what there is."""
_Sizes = frozenset[tuple[str, int, int]]


class Service:
    """The project of a folder. Its `token` may do everything; others are in the database with their roles.

    `settings` are those of the folder (or the defaults), `runs` is the folder of journals, `engine` a
    database with the tables of this Grice. With `allow_code` suites may be given other agents, modules and
    files. At most `runs_at_once` runs that are started here go on at once. One object serves all threads.
    """

    def __init__(
        self,
        settings: Settings,
        engine: Engine,
        runs: Path,
        token: str,
        *,
        allow_code: bool = False,
        runs_at_once: int = MOST_AT_ONCE,
    ) -> None:
        self.settings = settings
        self.root = settings.root
        self.project = project_name(settings.root)
        self.engine = engine
        self.runs = runs
        self.queue = RunQueue(settings.root, runs, most_at_once=runs_at_once)
        self.replies = StoredReplies()
        self.scans = KeptScans(settings.root / SCANS)
        self.labelling = threading.Lock()
        self._token_hash = hash_of(token)
        self.sessions = Sessions()
        projects = Projects(settings.root)
        self.suites = SuiteWorkspace(
            engine,
            settings.root,
            self.project,
            settings.root / ".grice",
            ReadingByFile(ProjectLLMs(projects).criteria, projects.matcher_modules),
            allow_code=allow_code,
        )
        self.saver = SuiteSaver(self.suites)
        self._journals = _JournalReader(engine, runs, self.project, settings.root / LABELS_FILE)
        self._made = threading.Event()

    def caller_of(self, token: str) -> Caller | None:
        """Find who has that token; None for a wrong one. Reads the database."""
        return self._caller_with(hash_of(token))

    def caller_in(self, session: str) -> Caller | None:
        """Find who has that browser session; None where it, or its token, has ended."""
        hashed = self.sessions.token_hash(session)
        return None if hashed is None else self._caller_with(hashed)

    def _caller_with(self, hashed: str) -> Caller | None:
        if compare_digest(hashed, self._token_hash):
            return Caller(OWNER, Role.EDIT)
        with read_only(self.engine) as connection:
            return tokens_caller(connection, self.project, hashed)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Begin a transaction that reads, after new lines of journals were read into the database."""
        self._make_project()
        self._journals.read_new()
        with read_only(self.engine) as connection:
            yield connection

    @contextmanager
    def writing(self, caller: Caller, what: str) -> Iterator[Connection]:
        """Begin a transaction that changes something and records who did it and, in words, `what`."""
        self._make_project()
        with locked(self.engine) as connection:
            yield connection
            add_change(connection, self.project, caller.name, what)

    def _make_project(self) -> None:
        if not self._made.is_set():
            with locked(self.engine) as connection:
                add_project(connection, self.project)
            self._made.set()


def _service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


def _caller(request: Request) -> Caller:
    caller: Caller = request.state.caller
    return caller


def _ask_again(request: Request) -> Callable[[], Caller | None]:
    ask: Callable[[], Caller | None] = request.state.ask_again
    return ask


Served = Annotated[Service, Depends(_service)]
"""A parameter of a route: what is served."""
Asking = Annotated[Caller, Depends(_caller)]
"""A parameter of a route: who asks."""
AskAgain = Annotated[Callable[[], Caller | None], Depends(_ask_again)]
"""A parameter of a route whose answer goes on for long: who asks now, None since the token was revoked."""


class Needs:
    """A dependency that lets a route require a role."""

    def __init__(self, role: Role) -> None:
        self.role = role

    def __call__(self, caller: Asking) -> None:
        """Raise ApiError where the caller's token does not allow it."""
        if not caller.role.allows(self.role):
            raise ApiError(
                403,
                f"the token {caller.name!r} has the role {caller.role}, and this needs the role {self.role}",
            )


READ, RUN, EDIT = (Depends(Needs(role)) for role in Role)
"""What a route names in its `dependencies`: the role that it needs."""


class _JournalReader:
    """Remembers how far each journal and the file `labels` were read, and opens only what changed."""

    def __init__(self, engine: Engine, root: Path, project: str, labels: Path) -> None:
        self._engine = engine
        self._root = root
        self._project = project
        self._labels = labels
        self._labels_read: tuple[int, int] | None = None
        self._lock = threading.Lock()
        self._read: dict[Path, _Sizes] = {}
        self.problems: dict[str, str] = {}

    def read_new(self) -> None:
        """Read what is new. What cannot be read is in `problems`, by folder."""
        if not self._lock.acquire(timeout=_WAIT):
            return
        try:
            sizes = {folder: _sizes(folder) for folder in _folders(self._root)}
            changed = {folder for folder, found in sizes.items() if self._read.get(folder) != found}
            if changed:
                self._read_changed(changed, sizes)
            self._read_labels()
        finally:
            self._lock.release()

    def _read_labels(self) -> None:
        """Read the file of labels when it changed; one with mistakes is read once they are corrected."""
        try:
            told = self._labels.stat()
            if (told.st_size, told.st_mtime_ns) != self._labels_read:
                sync_labels(self._engine, self._labels, self._project)
                self._labels_read = (told.st_size, told.st_mtime_ns)
            self.problems.pop(self._labels.name, None)
        except FileNotFoundError:
            return  # nobody labelled anything yet
        except (OSError, FileErrors) as error:
            self.problems[self._labels.name] = str(error)

    def _read_changed(self, changed: set[Path], sizes: dict[Path, _Sizes]) -> None:
        try:
            kept = [folder for folder, _ in reversed(runs_in(self._root).runs)]
        except JournalError as error:
            self.problems = {str(self._root): str(error)}
            return
        for folder in kept:
            if folder in changed:
                found = sync_run(self._engine, folder, self._project)
                self.problems.pop(folder.name, None)
                if found.problem:
                    self.problems[folder.name] = found.problem
                if found.state == RunState.RUNNING.value:
                    self._read.pop(folder, None)  # it ends without a word in its journal where it is killed
                    changed.discard(folder)
        self._read |= {folder: sizes[folder] for folder in changed}
        forget_lost(self._engine)


def _folders(root: Path) -> list[Path]:
    try:
        with os.scandir(root) as entries:
            return [root / one.name for one in entries if one.is_dir()]
    except OSError:
        return []  # nothing was run yet


def _sizes(folder: Path) -> _Sizes:
    """The files of a run with size and time: of journals, and of the locks of those who write them."""
    found: set[tuple[str, int, int]] = set()
    try:
        with os.scandir(folder) as entries:
            for one in entries:
                if one.name.endswith((".jsonl", ".lock")):
                    status = one.stat()
                    found.add((one.name, status.st_size, status.st_mtime_ns))
    except OSError:
        return frozenset()  # it was taken away meanwhile
    return frozenset(found)
