"""The events of a run; a client continues from the last one that it received."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from grice.api.run_queue import RunProgress, RunQueue
from grice.experiments.attempts import failure_message
from grice.records import Result
from grice.running.journal.experiment import Experiment
from grice.running.journal.form import Begun
from grice.running.journal.tailing import JournalTail
from grice.store.run_states import RunState, Standing, seed_status


class RunEvent(NamedTuple):
    """An event: its kind, its data as JSON, and the id to go on from."""

    kind: str
    id: str
    data: dict[str, Any]

    def sent(self) -> bytes:
        """The event as `text/event-stream` has it."""
        data = msgspec.json.encode(self.data).decode()  # on one line
        id_ = f"id: {self.id}\n" if self.id else ""
        return f"event: {self.kind}\n{id_}data: {data}\n\n".encode()


class RunEvents:
    """The events of a run behind a given id: lines of its journal, and its state.

    `started`, `begun` and `result` are lines, so nobody misses or gets twice one of them, whatever becomes of
    the server; `state` says how the run stands now, and is the last one of a run that has ended. Raises
    JournalError when there is no such run, and BadPlace for an id that is none of this run.
    """

    def __init__(self, queue: RunQueue, runs: Path, run: str, last_id: str = "") -> None:
        self._queue = queue
        self._run = run
        queue.progress(run)
        self._tail = JournalTail(runs / run, last_id)
        self._last: RunState | None = None
        self.ended = False

    def new(self) -> list[RunEvent]:
        """The events since the last call. Raises JournalError."""
        state = self._queue.going_on(self._run)  # before the lines, so that none comes behind the end
        events = [_event(place, holds) for place, holds in self._tail.new_lines()]
        if state is None and not events and not self.ended:
            self.ended = True
            events.append(RunEvent("state", self._tail.place, state_data(self._queue.progress(self._run))))
        elif state is not None and state is not self._last:
            self._last = state
            events.append(RunEvent("state", self._tail.place, _state(Standing(state))))
        return events


def _event(place: str, holds: Experiment | Begun | Result) -> RunEvent:
    if isinstance(holds, Result):
        return RunEvent("result", place, _result(holds))
    if isinstance(holds, Begun):
        return RunEvent("begun", place, {"id": holds.id, "key": holds.key, "repeat": holds.repeat})
    data = {"name": holds.name, "planned": holds.planned, "finishedBefore": holds.finished_before}
    return RunEvent("started", place, data)


def _result(result: Result) -> dict[str, Any]:
    return {
        "id": result.id,
        "key": result.key,
        "repeat": result.repeat,
        "outcome": result.outcome.value,
        "counts": result.counts,
        "failure": result.failure,
        "message": failure_message(result),
        "turns": len(result.conversation.turns),
        "duration": result.duration,
    }


def state_data(progress: RunProgress) -> dict[str, Any]:
    """The state of a run as JSON."""
    return {**_state(progress.standing), "done": progress.done, "planned": progress.planned}


def _state(standing: Standing) -> dict[str, Any]:
    return {
        "state": standing.state.value,
        "status": seed_status(standing.state),
        "error": standing.error,
    }
