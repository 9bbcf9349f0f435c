"""The state of a run, by its journal and its processes."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from grice.records import Outcome, fold_all
from grice.running.journal.file_lock import Holder, holder_of


class RunState(StrEnum):
    """The state of a run. Only a finished one has an outcome."""

    QUEUED = "QUEUED"
    RUNNING = "RUNNING"
    FINISHED = "FINISHED"
    CANCELLED = "CANCELLED"
    DIED = "DIED"


class Standing(NamedTuple):
    """The state of a run, and the reason why it is not finished."""

    state: RunState
    error: str = ""


_SEED = {
    RunState.QUEUED: "PENDING",
    RunState.RUNNING: "RUNNING",
    RunState.FINISHED: "COMPLETED",
    RunState.CANCELLED: "FAILED",
    RunState.DIED: "FAILED",
}


def seed_status(state: RunState) -> str:
    """The status that PromptKitchen's server and its readers know."""
    return _SEED[state]


def writers_of(folder: Path) -> tuple[Holder, ...]:
    """The processes that write the journal in that folder, or wrote it last."""
    return tuple(holder_of(one) for one in sorted(folder.glob("*.lock")))


def standing_of(writers: Iterable[Holder], done: int, planned: int | None) -> Standing:
    """Decide the state of a run of which so much is done.

    Somebody writes it: it is running. Everything that was planned is done: finished, however its processes
    ended. Else it died where one of them is gone without a word, and was cancelled where all ended in good
    order, as with Ctrl-C; a run without a plan that ended so is finished.
    """
    known = tuple(writers)
    if any(one.writes for one in known):
        return Standing(RunState.RUNNING)
    if planned is not None and done >= planned > 0:
        return Standing(RunState.FINISHED)
    gone = ", ".join(one.pid for one in known if one.is_gone)
    so_far = (
        f"{done} of {planned} conversations are finished" if planned is not None else f"{done} are finished"
    )
    if gone:
        return Standing(RunState.DIED, f"its process {gone} is gone; {so_far}")
    if planned is None:
        return Standing(RunState.FINISHED)
    return Standing(RunState.CANCELLED, f"it was ended before everything was done; {so_far}")


def outcome_of_run(outcomes: Iterable[str]) -> str:
    """The outcome of a finished run by those of its results; inconclusive for none or only skipped ones."""
    folded = fold_all(map(Outcome, outcomes))
    return (Outcome.INCONCLUSIVE if folded is Outcome.SKIPPED else folded).value
