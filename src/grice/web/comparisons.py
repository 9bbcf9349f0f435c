"""Comparisons of runs, made once and kept while neither run changes."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import NamedTuple

from sqlalchemy import Connection

from grice.api.errors import ApiError
from grice.experiments.comparison.comparing import compare, comparison_problems
from grice.experiments.comparison.records import Comparison
from grice.experiments.results import ExperimentResults
from grice.reporting.document import Document
from grice.reporting.documents.comparison import comparison_document
from grice.store.queries import RunRow, experiment_of

AT_ONCE = 4_000
"""Results of two runs that are compared before the page is shown; those of larger ones come behind it."""
_KEPT = 16


class Compared(NamedTuple):
    """Two runs and their comparison; `document` has it without the single scenarios."""

    before: RunRow
    now: RunRow
    comparison: Comparison
    document: Document
    problems: list[str]


class Comparisons:
    """Compares runs. One object serves all threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: OrderedDict[tuple[object, ...], Compared] = OrderedDict()

    def takes_long(self, before: RunRow, now: RunRow) -> bool:
        """Whether the comparison is not there yet and the runs have many results."""
        return _key(before, now) not in self._made and (before.done or 0) + (now.done or 0) > AT_ONCE

    def of(self, connection: Connection, before: RunRow, now: RunRow) -> Compared:
        """The comparison. Raises ApiError for a run that has only its sums."""
        key = _key(before, now)
        with self._lock:
            if key in self._made:
                self._made.move_to_end(key)
                return self._made[key]
        old, new = (_experiment(connection, one.id) for one in (before, now))
        found = compare(old, new)
        document = comparison_document(found, listed=False)
        made = Compared(before, now, found, document, comparison_problems(old, new, found))
        with self._lock:
            self._made[key] = made
            if len(self._made) > _KEPT:
                self._made.popitem(last=False)
        return made


def _key(before: RunRow, now: RunRow) -> tuple[object, ...]:
    return tuple((one.id, one.state, one.done, one.pruned_at) for one in (before, now))


def _experiment(connection: Connection, run: str) -> ExperimentResults:
    found = experiment_of(connection, run)
    if found is None:
        raise ApiError(422, f"the results of the run {run!r} were pruned: only its sums are kept")
    return found
