"""The served project: its settings, its database, and the journals that are read into it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hmac import compare_digest
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, Request

from grice.api.errors import ApiError
from grice.api.journals import JournalReader
from grice.api.run_queue import MOST_AT_ONCE, RunQueue
from grice.api.sessions import Sessions
from grice.api.stored_replies import StoredReplies
from grice.files.settings import Settings
from grice.running.project_llms import ProjectLLMs
from grice.running.projects import Projects
from grice.scanning.kept_scan import SCANS, KeptScans
from grice.store.database import locked, read_only
from grice.store.owners import add_project, project_name
from grice.store.suite_saving import SuiteSaver
from grice.store.suite_workspace import ReadingByFile, SuiteWorkspace
from grice.store.tokens import OWNER, Caller, Role, add_change, hash_of, tokens_caller
from grice.validation.labelling.stored import LABELS_FILE

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine


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
        self._journals = JournalReader(engine, runs, self.project, settings.root / LABELS_FILE)
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
