"""Run suites in processes of their own: some at once, the others wait, and each can be cancelled.

The journal of a run is the truth about it. This queue starts and ends processes, and keeps nothing that it
could not read again: a server that starts anew finds runs that wait, runs that go on and runs that died.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, Self

import msgspec

from grice.api.run_requests import (
    RunEnding,
    RunProcess,
    RunRequest,
    command_of,
    ending_of,
    keep,
    process_of,
    request_of,
    requests_in,
)
from grice.identity import redact_text
from grice.running.journal.form import JournalError
from grice.running.journal.reading import index_run
from grice.store.run_states import RunState, Standing, standing_of, writers_of

MOST_AT_ONCE = 2
MOST_WAITING = 100
GRACE = 10.0
"""Seconds in which a run that is cancelled has to end before it is asked again, and then killed."""
_CONSOLE = "console.txt"
_TOLD = 2_000


class CannotRun(Exception):
    """A run cannot be started, cancelled or resumed in its present state."""


class RunProgress(NamedTuple):
    """The state of a run, and how much of it is done; `planned` is None while that is unknown."""

    standing: Standing
    done: int = 0
    planned: int | None = None


class RunQueue:
    """The runs that were requested here, from `start` to `stop`, or within a `with` block.

    At most `most_at_once` processes are there at once. `root` is the project's folder, `runs` that of the
    journals. Safe for threads.
    """

    def __init__(
        self,
        root: Path,
        runs: Path,
        *,
        most_at_once: int = MOST_AT_ONCE,
        grace: float = GRACE,
        command: Callable[[RunRequest, Path], list[str]] = command_of,
    ) -> None:
        self._root = root
        self._runs = runs
        self._most = most_at_once
        self._grace = grace
        self._command = command
        self._lock = threading.RLock()
        self._resuming = threading.Lock()
        self._waiting: dict[str, RunRequest] = {}
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._left: set[str] = set()
        self._cancelled: set[str] = set()
        self._watchers: list[threading.Thread] = []
        self._open = False

    def start(self) -> Self:
        """Take over the runs that an earlier server left waiting, and start as many as there is room for.

        Runs of a server that was killed go on, and take their room.
        """
        with self._lock:
            self._open = True
            for request in requests_in(self._runs):
                folder = self._runs / request.id
                if ending_of(folder) is None and process_of(folder) is None:
                    self._waiting[request.id] = request
                elif self._leader_of(request.id):
                    self._left.add(request.id)
            if self._left:
                threading.Thread(target=self._watch_left, name="grice-runs-left", daemon=True).start()
            self._start_next()
        return self

    def stop(self) -> None:
        """Start no more runs and cancel the running ones; waiting ones are left for the next server."""
        with self._lock:
            self._open = False
            running = dict(self._processes)
            self._cancelled.update(running)
            watchers = list(self._watchers)
        for process in running.values():
            self._end_process(process)
        for watcher in watchers:
            watcher.join()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def add(self, request: RunRequest) -> None:
        """Keep the request, and start the run as soon as there is room.

        Raises CannotRun when too many wait already, and OSError when it cannot be kept.
        """
        with self._lock:
            if not self._open:
                raise CannotRun("the server is about to end: nothing is started any more")
            if len(self._waiting) >= MOST_WAITING:
                raise CannotRun(f"{len(self._waiting)} runs wait already: cancel some, or wait")
            keep(self._runs / request.id, request)
            self._waiting[request.id] = request
            self._start_next()

    def resume(self, run: str) -> None:
        """Resume a run that died or was cancelled; what is finished stays. Raises CannotRun."""
        request = request_of(self._runs / run)
        if request is None:
            raise CannotRun(f"{run} was not started here: resume it with `grice run ... --resume {run}`")
        with self._resuming:  # who comes second finds that it goes on
            state = self.progress(run).standing.state
            if state not in (RunState.DIED, RunState.CANCELLED):
                raise CannotRun(f"{run} is {state}: only a run that died or was cancelled can be resumed")
            begun = bool(list((self._runs / run).glob("*.jsonl")))
            self.add(msgspec.structs.replace(request, resumes=request.resumes + 1 if begun else 0))

    def cancel(self, run: str) -> None:
        """Cancel a run: what is finished stays. Raises CannotRun for one that is not running or waiting."""
        with self._lock:
            if run in self._waiting:
                keep(self._runs / run, RunEnding(cancelled=True))
                del self._waiting[run]
                return
            process = self._processes.get(run)
            if process is not None:
                self._cancelled.add(run)
        if process is not None:
            self._end_process(process)
            return
        pid = self._leader_of(run)
        if not pid:
            raise CannotRun(f"{run} is {self.progress(run).standing.state}: there is nothing to cancel")
        _end_later(lambda how: os.kill(pid, how), lambda: bool(self._leader_of(run)), self._grace)

    def _end_process(self, process: subprocess.Popen[bytes]) -> None:
        _end_later(lambda how: _send(process, how), lambda: process.poll() is None, self._grace)

    def listed(self) -> list[str]:
        """The runs that are running or waiting, in the order in which they began."""
        with self._lock:
            return [*sorted(self._left), *self._processes, *self._waiting]

    def going_on(self, run: str) -> RunState | None:
        """Whether the run waits or runs; None where it has ended. Reads no journal."""
        with self._lock:
            if run in self._waiting:
                return RunState.QUEUED
            running = run in self._processes
        running = running or any(one.writes for one in writers_of(self._runs / run))
        return RunState.RUNNING if running else None

    def progress(self, run: str) -> RunProgress:
        """The state of the run: by its journal, else that it waits or could not be started.

        Raises JournalError when there is no such run, or its journal cannot be read.
        """
        folder = self._runs / run
        with self._lock:
            waits, goes_on = run in self._waiting, run in self._processes
        found = _journalled(folder)
        if waits:
            done, planned = (found.done, found.planned) if found else (0, None)
            return RunProgress(Standing(RunState.QUEUED), done, planned)
        if found is None:
            return RunProgress(Standing(RunState.RUNNING) if goes_on else self._never_begun(folder))
        if goes_on and found.standing.state is not RunState.FINISHED:  # it begins, or is about to end
            return found._replace(standing=Standing(RunState.RUNNING))
        return found._replace(standing=_with_complaint(found.standing, ending_of(folder)))

    def _never_begun(self, folder: Path) -> Standing:
        """How a run stands that has no journal."""
        ending = ending_of(folder)
        if ending is not None and ending.cancelled:
            return Standing(RunState.CANCELLED, "it was cancelled before it began")
        if ending is not None:
            return Standing(RunState.DIED, ending.error or f"its process ended with code {ending.code}")
        if request_of(folder) is None:
            raise JournalError(f"there is no run {folder.name!r}")
        return Standing(RunState.DIED, "its server ended before the run began")

    # -- processes

    def _start_next(self) -> None:
        """Start what there is room for. The caller has the lock."""
        while self._open and self._waiting and len(self._processes) + len(self._left) < self._most:
            request = self._waiting.pop(next(iter(self._waiting)))
            folder = self._runs / request.id
            if process_of(folder) is not None or ending_of(folder) is not None:
                continue  # another server of this project took it up
            try:
                process = _start(self._command(request, self._runs), self._root, folder / _CONSOLE)
                keep(folder, RunProcess(process.pid))
            except OSError as error:
                keep(folder, RunEnding(error=f"its process cannot be started: {error.strerror or error}"))
                continue
            self._processes[request.id] = process
            watcher = threading.Thread(target=self._watch, args=(request.id, process), daemon=True)
            self._watchers = [one for one in self._watchers if one.is_alive()] + [watcher]
            watcher.start()

    def _watch(self, run: str, process: subprocess.Popen[bytes]) -> None:
        """Wait for the end of a process, and keep how it ended."""
        code = process.wait()
        folder = self._runs / run
        with self._lock:
            cancelled = run in self._cancelled
            self._cancelled.discard(run)
            with suppress(OSError):  # the journal says the rest
                keep(folder, RunEnding(code, cancelled, _complaint(folder / _CONSOLE) if code else ""))
            del self._processes[run]
            self._start_next()

    def _watch_left(self) -> None:
        """Give the room of runs that an earlier server left to others, when they end."""
        while self._open and self._left:
            time.sleep(_PAUSE_OF_LEFT)
            ended = {one for one in self._left if not self._leader_of(one)}
            with self._lock:
                self._left -= ended
                self._start_next()

    def _leader_of(self, run: str) -> int:
        """The process that an earlier server started and that goes on with the run; 0 for none."""
        started = process_of(self._runs / run)
        writing = [int(one.pid) for one in writers_of(self._runs / run) if one.writes and one.pid]
        if started is None or not hasattr(os, "getsid"):
            return 0
        with suppress(OSError):
            if any(os.getsid(one) == started.pid for one in writing):
                return started.pid
        return 0


def _with_complaint(standing: Standing, ending: RunEnding | None) -> Standing:
    """How a run stands, with what its process complained of where it could not go on."""
    if standing.state is RunState.FINISHED or ending is None or ending.code != _UNUSABLE:
        return standing
    return standing._replace(error=f"{standing.error}: {ending.error}")


_UNUSABLE = 2
"""The exit code of `grice run` where not everything could be run."""


def _journalled(folder: Path) -> RunProgress | None:
    """How a run stands as its journal says; None where it has none yet."""
    writers = writers_of(folder)
    try:
        found = index_run(folder)
    except JournalError:
        return RunProgress(Standing(RunState.RUNNING)) if any(one.writes for one in writers) else None
    return RunProgress(standing_of(writers, found.done, found.planned), found.done, found.planned)


def _start(command: list[str], folder: Path, console: Path) -> subprocess.Popen[bytes]:
    """Start a process that no signal to this one reaches, with its output in a file. Raises OSError."""
    with console.open("wb") as output:
        return subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )


def _send(process: subprocess.Popen[bytes], how: int) -> None:
    if sys.platform == "win32" and how == signal.SIGINT:
        how = signal.CTRL_BREAK_EVENT
    process.send_signal(how)


def _end_later(send: Callable[[int], None], goes_on: Callable[[], bool], grace: float) -> None:
    """Send Ctrl-C now, again after a time, and then kill, as long as the process goes on."""
    with suppress(OSError):
        send(signal.SIGINT)

    def insist() -> None:
        for how in (signal.SIGINT, getattr(signal, "SIGKILL", signal.SIGTERM)):
            until = time.monotonic() + grace
            while time.monotonic() < until:
                if not goes_on():
                    return
                time.sleep(_PAUSE)
            with suppress(OSError):
                send(how)

    threading.Thread(target=insist, name="grice-cancel", daemon=True).start()


_PAUSE = 0.05
_PAUSE_OF_LEFT = 0.5


def _complaint(console: Path) -> str:
    """The end of what a process printed, without secrets."""
    try:
        with console.open("rb") as stream:
            stream.seek(0, os.SEEK_END)
            stream.seek(max(0, stream.tell() - _TOLD))
            return redact_text(stream.read().decode("utf-8", "replace").strip())
    except OSError:
        return ""
