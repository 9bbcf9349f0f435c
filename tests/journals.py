"""Runs with journals for the store, and what stands in a database."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, select

from grice.records import Classification, Conversation, Message, Outcome, Result, Turn, Verdict
from grice.running.journal.experiment import Experiment
from grice.running.journal.writing import Journal
from grice.store.database import read_only
from grice.store.tables import METADATA

MARKS = {
    "+": Outcome.PASS,
    "-": Outcome.FAIL,
    "?": Outcome.INCONCLUSIVE,
    "!": Outcome.ERROR,
    "s": Outcome.SKIPPED,
}


def result(number: int, outcome: Outcome, *, repeat: int = 1, said: str = "It is 90.", **more: Any) -> Result:
    """The result of a conversation of one turn with a hard and a soft check."""
    turn = Turn(
        1,
        (Message("user", "What does it cost?"), Message("assistant", said)),
        duration=0.5 + number,
        classified=Classification("prices", "start"),
    )
    verdicts = (
        Verdict(outcome, "so it is", matcher="toContain", claim="the reply to contain '90'", turn=1),
        Verdict(Outcome.PASS, matcher="toSatisfy", criterion="friendly", mode="soft", score=4.0, turn=1),
    )
    if outcome is Outcome.SKIPPED:
        return Result(f"example:{number:012x}", f"s{number}", outcome, Conversation(), repeat=repeat)
    given: dict[str, Any] = {"file": "tests/test_rooms.py", "set_name": "rooms", **more}
    conversation = Conversation(turns=(turn,))
    return Result(
        f"example:{number:012x}", f"s{number}", outcome, conversation, verdicts, repeat=repeat, **given
    )


def head(id_: str, *, day: int = 20, planned: int | None = None, **more: Any) -> Experiment:
    """The head of a run that began on that day of November."""
    given = {"name": "rooms", "git_branch": "main", "git_commit": "abc", **more}
    return Experiment(id_, f"2026-11-{day:02d}T10:00:00.000Z", planned=planned, **given)


def write_run(
    root: Path,
    id_: str,
    marks: str | Sequence[str],
    *,
    day: int = 20,
    planned: int | None = None,
    worker: str = "main",
    said: str = "It is 90.",
    **more: Any,
) -> Path:
    """A run that ended in good order, with a result for each mark."""
    plan = len(marks) if planned is None else planned
    with Journal.create(root / id_, head(id_, day=day, planned=plan, **more), worker=worker) as journal:
        for number, mark in enumerate(marks):
            journal.append(result(number, MARKS[mark], said=said))
    return root / id_


def rows(engine: Engine) -> dict[str, list[dict[str, Any]]]:
    """Everything that stands in the tables, but for when a run was heard of."""
    found: dict[str, list[dict[str, Any]]] = {}
    with read_only(engine) as connection:
        for table in METADATA.sorted_tables:
            order = list(table.primary_key.columns)
            found[table.name] = [
                {**row, "heard_at": None} if "heard_at" in row else dict(row)
                for row in connection.execute(select(table).order_by(*order)).mappings()
            ]
    return found


def run_row(engine: Engine, id_: str) -> dict[str, Any]:
    """The row of a run."""
    return next(one for one in rows(engine)["test_suite_runs"] if one["id"] == id_)
