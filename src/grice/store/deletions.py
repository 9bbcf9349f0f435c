"""Deleted suites and cases, kept for a while so that they can be put back."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from typing import Any, NamedTuple

from grice.store import suite_editing
from grice.store.errors import NoSuchRow
from grice.store.suite_workspace import SuiteWorkspace
from grice.store.suites import Case, Suite, find_suite

MOST_KEPT = 100
MOST_BYTES = 64 * 1024 * 1024


class DeletedRows(NamedTuple):
    """The rows of a suite outside of files: with its cases where `is_suite`, else of one case."""

    suite: dict[str, Any]
    cases: list[dict[str, Any]]
    is_suite: bool


class DeletedCase(NamedTuple):
    """A deleted scenario: its place, the file's text with it, the file's digest without it."""

    suite: str
    scenario: dict[str, Any]
    place: int
    text: str
    digest_after: str


class DeletedFile(NamedTuple):
    """A deleted file: the id of its suite, its place below the folder of the project, its bytes."""

    suite: str
    file: str
    content: bytes


Deleted = DeletedRows | DeletedCase | DeletedFile


class Deletions:
    """The last deletions of this process, by tokens that cannot be guessed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, Deleted] = OrderedDict()

    def keep(self, deleted: Deleted) -> str:
        """Keep what was deleted and give its token. The oldest ones are forgotten."""
        token = secrets.token_urlsafe(16)
        with self._lock:
            self._kept[token] = deleted
            while len(self._kept) > 1 and self._is_too_much():
                self._kept.popitem(last=False)
        return token

    def _is_too_much(self) -> bool:
        return len(self._kept) > MOST_KEPT or sum(map(_size, self._kept.values())) > MOST_BYTES

    def find(self, token: str) -> Deleted:
        """Find what was deleted under that token. Raises NoSuchRow."""
        with self._lock:
            found = self._kept.get(token)
        if found is None:
            raise NoSuchRow("this deletion is not known any more: it was undone, or the server began anew")
        return found

    def forget(self, token: str) -> None:
        """Forget a deletion that was undone."""
        with self._lock:
            self._kept.pop(token, None)


def _size(deleted: Deleted) -> int:
    if isinstance(deleted, DeletedRows):
        return sum(len(one.get("content") or "") for one in [deleted.suite, *deleted.cases])
    return len(deleted.text) if isinstance(deleted, DeletedCase) else len(deleted.content)


def put_back(suites: SuiteWorkspace, who: str, deleted: Deleted) -> tuple[Suite, Case | None]:
    """Restore what was deleted: the suite, and the case where it was one.

    Raises SuiteProblems where something else has the place by now.
    """
    if isinstance(deleted, DeletedRows):
        return _put_back_rows(suites, who, deleted)
    if isinstance(deleted, DeletedFile):
        suites.put_back_file(who, f"undid the deletion of {deleted.file}", deleted.file, deleted.content)
        return suites.find_suite(deleted.suite), None
    return _put_back_case(suites, who, deleted)


def _put_back_rows(suites: SuiteWorkspace, who: str, deleted: DeletedRows) -> tuple[Suite, Case | None]:
    suite, cases = deleted.suite, deleted.cases
    with suites.in_tables(who, f"undid a deletion in the suite {suite['name']}") as connection:
        if deleted.is_suite:
            return suite_editing.put_back_suite(connection, suite, cases), None
        case = suite_editing.put_back_case(connection, cases[0])
        return find_suite(connection, case.suite), case


def _put_back_case(suites: SuiteWorkspace, who: str, deleted: DeletedCase) -> tuple[Suite, Case]:
    suite = suites.find_suite(deleted.suite)
    with suites.in_file(suite) as file:
        raw = file.raw
        place = min(deleted.place, len(raw))
        raw.insert(place, deleted.scenario)
        text = deleted.text if file.digest == deleted.digest_after else ""
        checked = suites.checked(file, file.with_scenarios(raw), text=text)
        suites.write(who, f"undid a deletion in {suite.source_file}", file, checked)
    return suite, suites.case_in(checked, place)
