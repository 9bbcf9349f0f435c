"""The report of a run, made once for a run that has ended."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from grice.experiments.gates.declared import GateOptions
from grice.experiments.gates.judging import held_to_gates
from grice.experiments.gates.records import GateError
from grice.files.settings_files import SettingsError
from grice.reporting.document import Document
from grice.reporting.documents.gates import gates_document
from grice.reporting.documents.run import RunResults, run_document
from grice.reporting.next_steps import NO_EARLIER, Earlier
from grice.running.journal.form import JournalError
from grice.store import queries
from grice.store.result_list import count_outcomes, passes_in, personas_in, run_before

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Connection

    from grice.api.service import Service
    from grice.store.queries import RunRow


AT_ONCE = 2_000
"""Results of a run whose report is made before its page is shown; that of a larger one comes behind it."""
_KEPT = 64

_Made = TypeVar("_Made")


class RunReport(NamedTuple):
    """The report of a run and that of its gates, None where no gate is declared; `problem` says what is wrong
    with their declaration."""

    document: Document
    gates: Document | None
    problem: str


class Facets(NamedTuple):
    """What the results of a run can be filtered by: how many have which outcome, and names."""

    outcomes: dict[str, int]
    personas: list[str]
    criteria: list[str]
    matchers: list[str]
    topics: list[str]
    failures: list[str]


class RunReports:
    """The reports of runs. One object serves all threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: OrderedDict[tuple[object, ...], object] = OrderedDict()

    def is_made(self, row: RunRow) -> bool:
        """Whether the report of the run is there."""
        return _key("report", row) in self._made

    def report(self, connection: Connection, service: Service, row: RunRow) -> RunReport | None:
        """The report of the run, None of one without results or whose details were pruned."""
        return self._once("report", row, lambda: _report(connection, service, row))

    def facets(self, connection: Connection, row: RunRow) -> Facets:
        """What its results can be filtered by."""
        return self._once("facets", row, lambda: _facets(connection, row))

    def before(self, connection: Connection, project: str, row: RunRow) -> str:
        """The run before that has tests in common with it, "" for none."""
        return self._once("before", row, lambda: run_before(connection, project, row.id))

    def newly(
        self, connection: Connection, project: str, row: RunRow
    ) -> tuple[str, list[queries.NewlyFailing]]:
        """The run before, "" for none, and the tests that newly fail since."""
        before = self.before(connection, project, row)
        made = self._once("newly", row, lambda: _newly(connection, row, before))
        return before, made

    def _once(self, what: str, row: RunRow, make: Callable[[], _Made]) -> _Made:
        key = _key(what, row)
        with self._lock:
            if key in self._made:
                self._made.move_to_end(key)
                return self._made[key]  # type: ignore[return-value]
        made = make()
        with self._lock:
            self._made[key] = made
            if len(self._made) > 4 * _KEPT:
                self._made.popitem(last=False)
        return made


def _key(what: str, row: RunRow) -> tuple[object, ...]:
    """Another one whenever the run has another result or state."""
    return what, row.id, row.state, row.done, row.pruned_at


def _report(connection: Connection, service: Service, row: RunRow) -> RunReport | None:
    results = queries.experiment_of(connection, row.id)
    if results is None:
        return None
    before = run_before(connection, service.project, row.id)
    earlier = Earlier(before, passes_in(connection, before)) if before else NO_EARLIER
    found = RunResults(earlier)
    for attempt in results.attempts:
        found.add(attempt)
    found.summary.sort()
    document = run_document(results.heads, found, done=results.done, damaged=results.damaged, listed=False)
    gates, problem = None, ""
    try:
        held = held_to_gates(results, GateOptions(), runs=service.runs)
        gates = gates_document(held) if held.results else None
    except (GateError, SettingsError, JournalError) as error:
        problem = str(error)
    return RunReport(document, gates, problem)


def _facets(connection: Connection, row: RunRow) -> Facets:
    summary = queries.summary_of(connection, row.id) or {}
    return Facets(
        count_outcomes(connection, row.id),
        personas_in(connection, row.id),
        list(summary.get("criteria_results", {})),
        sorted({one["matcher"] for one in summary.get("matcher_results", [])}),
        list(summary.get("topic_results", {}).get("visits", {})),
        [one for one in summary.get("summary", {}).get("failure_types", {}) if one in _FAILURES],
    )


_FAILURES = ("assertion", "error", "timeout", "max_turns")


def _newly(connection: Connection, row: RunRow, before: str) -> list[queries.NewlyFailing]:
    return queries.newly_failing(connection, row.id, before) if before else []
