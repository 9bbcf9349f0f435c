"""Remove the transcripts of old runs from the database; the numbers stay."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import Engine, delete, select, update

from grice.experiments.baselines import known_baselines, load_baseline
from grice.store.database import locked
from grice.store.errors import StoreError
from grice.store.run_states import RunState
from grice.store.tables import conversations, journal_files, run_heads, test_results, test_suite_runs

_UNITS = {"d": 1, "w": 7}


def age_in(text: str) -> timedelta:
    """Read an age such as `90d` or `12w`. Raises StoreError."""
    found = re.fullmatch(r"([1-9][0-9]{0,4})([dw])", text)
    if found is None:
        raise StoreError(f"--keep: expected days or weeks, as in 90d or 12w, found {text!r}")
    return timedelta(days=int(found[1]) * _UNITS[found[2]])


def baseline_runs(folder: Path) -> frozenset[str]:
    """The runs that named baselines were made of. Raises JournalError for one that cannot be read."""
    return frozenset(load_baseline(path).id for path in known_baselines(folder).values())


def prune(
    engine: Engine,
    project: str,
    keep: timedelta,
    kept: Iterable[str],
    *,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> list[str]:
    """Remove results, conversations and verdicts of a project's runs that began earlier than that; the ids of
    these runs.

    The rows of such runs stay, with their sums, so that trends go on; sync does not bring the rest back.
    Runs that go on are left, and those of `kept`.
    """
    runs = test_suite_runs.c
    pruned: list[str] = []
    with locked(engine) as connection:
        old = select(runs.id).where(
            runs.project_id == project,
            runs.run_at < clock() - keep,
            runs.state != RunState.RUNNING.value,
            runs.pruned_at.is_(None),
            runs.id.not_in(sorted(kept)),
        )
        for run in list(connection.execute(old.order_by(runs.run_at)).scalars()):
            connection.execute(delete(test_results).where(test_results.c.test_suite_run_id == run))
            for table in (conversations, run_heads, journal_files):
                connection.execute(delete(table).where(table.c.run_id == run))
            connection.execute(update(test_suite_runs).where(runs.id == run).values(pruned_at=clock()))
            pruned.append(str(run))
    if pruned and engine.dialect.name == "sqlite":
        _give_room_back(engine)
    return pruned


def _give_room_back(engine: Engine) -> None:
    raw = engine.raw_connection()
    try:
        raw.cursor().execute("VACUUM")
    finally:
        raw.close()
