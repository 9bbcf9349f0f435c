"""A child process that speaks JSON lines: its threads, its output, and its end."""

from __future__ import annotations

import os
import queue
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import msgspec

from grice.agents.errors import BadReturn
from grice.records import JsonValue, clean_json, clean_text
from grice.text import shorten, value_text

POLL = 0.05
GRACE = 2.0
"""Seconds that a process has to end by itself once its input has ended, and again once it is told to."""
GONE = 2.0
"""Seconds in which a process that was killed, and the threads that served it, must be gone."""
LAST_WORDS = 0.5
"""Seconds in which the output of a process that has ended must have arrived."""
WAITING_LINES = 1_000
STRAY_LINES = 20
STRAY_LENGTH = 500
STDERR_BYTES = 8_192
STDERR_SHOWN = 1_000
STDERR_LINES = 20

_OWN_GROUP = os.name != "nt"


class ProcessFailed(Exception):
    """The agent's process could not be started, or ended before it answered."""


class ChildProcess:
    """A running process. Lines for it are written, and its output is read, by threads.

    `next_line` gives the JSON objects that it prints; of everything else on its standard output the beginning
    is kept, of its standard error the end. A line of more than `max_bytes` is refused. Raises ProcessFailed
    when it cannot be started.
    """

    def __init__(
        self, command: Sequence[str], cwd: str | None, environ: Mapping[str, str], *, max_bytes: int
    ) -> None:
        self._stray: list[str] = []
        self._stray_count = 0
        self._lock = threading.Lock()
        self._max_bytes = max_bytes
        self._lines: queue.Queue[dict[str, JsonValue] | BadReturn | None] = queue.Queue(WAITING_LINES)
        self._input: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._stderr = b""
        self._over = threading.Event()
        self._owner = os.getpid()
        self._process = _started(command, cwd, environ)
        self._threads = [
            threading.Thread(target=target, args=(pipe,), name=f"grice-process-{name}", daemon=True)
            for name, target, pipe in (
                ("in", self._write, self._process.stdin),
                ("out", self._read, self._process.stdout),
                ("err", self._drain, self._process.stderr),
            )
        ]
        self._reader = self._threads[1]
        for thread in self._threads:
            thread.start()

    def send(self, value: JsonValue) -> None:
        """Write one line. It never blocks."""
        self._input.put(msgspec.json.encode(value) + b"\n")

    def waiting(self) -> dict[str, JsonValue] | None:
        """The next object that has arrived already. Raises BadReturn."""
        try:
            return self._taken(self._lines.get_nowait())
        except queue.Empty:
            return None

    def next_line(self) -> dict[str, JsonValue]:
        """The next object that the process prints; the wait polls, so that a time-out can interrupt it.

        Raises ProcessFailed when the process has ended, and BadReturn for a line that is too long.
        """
        ended: float | None = None
        while True:
            try:
                line = self._taken(self._lines.get(timeout=POLL))
            except queue.Empty:
                if self._process.poll() is None:
                    continue
                ended = ended or time.monotonic()
                if time.monotonic() - ended < LAST_WORDS:
                    continue
                line = None  # another process holds its output open
            if line is not None:
                return line
            raise ProcessFailed(f"the agent's process {self._how_it_ended()} before it answered")

    def take_stray(self) -> list[str]:
        """The lines since the last call that were no JSON objects; of many the first, and their number."""
        with self._lock:
            lines, count = self._stray, self._stray_count
            self._stray, self._stray_count = [], 0
        return [*lines, f"... ({count} lines)"] if count > len(lines) else lines

    def last_words(self) -> list[str]:
        """The last output that explains a failure."""
        words = []
        stray = self.take_stray()
        if stray:
            words.append(f"it printed lines that are no JSON objects: {', '.join(map(value_text, stray))}")
        text = clean_text(self._stderr.decode("utf-8", "replace")).strip()
        if text:
            tail = "\n".join(text[-STDERR_SHOWN:].split("\n")[-STDERR_LINES:])
            words.append(f"its standard error ended with:\n{tail}")
        return words

    def end(self, *, at_once: bool = False) -> None:
        """End the process and everything that it started; unless `at_once`, it may finish by itself first.

        What it printed last is still there for `waiting` then. In a fork of the process that started it
        nothing happens: it is not the fork's to end.
        """
        if self._over.is_set() or os.getpid() != self._owner:
            return
        self._input.put(None)
        if not at_once and not self._ends_within(GRACE):
            self._signal("SIGTERM")
            self._ends_within(GRACE)
        self._signal("SIGKILL")
        self._ends_within(GONE)
        if not at_once:
            self._reader.join(LAST_WORDS)
        self._over.set()
        for thread in self._threads:
            thread.join(GONE)

    # -- the threads

    def _write(self, pipe: IO[bytes]) -> None:
        try:
            with pipe:
                while (line := self._input.get()) is not None:
                    pipe.write(line)
                    pipe.flush()
        except (OSError, ValueError):
            return  # it reads no more; how it ended says why

    def _read(self, pipe: IO[bytes]) -> None:
        with pipe:
            while line := pipe.readline(self._max_bytes + 1):
                if len(line) > self._max_bytes:
                    shown = value_text(line[:100].decode("utf-8", "replace"))
                    self._put(
                        BadReturn(
                            f"the agent's process printed a line of more than {self._max_bytes:,} bytes "
                            f"(max_bytes): {shown}..."
                        )
                    )
                    while line and not line.endswith(b"\n"):
                        line = pipe.readline(self._max_bytes)
                elif line.strip():
                    self._sort(line)
        self._put(None)

    def _sort(self, line: bytes) -> None:
        try:
            value = clean_json(msgspec.json.decode(line))
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            value = None
        if isinstance(value, dict):
            self._put(value)
            return
        text = line.decode("utf-8", "replace").rstrip("\r\n")
        with self._lock:
            self._stray_count += 1
            if len(self._stray) < STRAY_LINES:
                self._stray.append(shorten(clean_text(text), STRAY_LENGTH))

    def _drain(self, pipe: IO[bytes]) -> None:
        with pipe:
            while chunk := os.read(pipe.fileno(), 65_536):
                self._stderr = (self._stderr + chunk)[-STDERR_BYTES:]

    def _put(self, line: dict[str, JsonValue] | BadReturn | None) -> None:
        while not self._over.is_set():
            try:
                self._lines.put(line, timeout=POLL)
            except queue.Full:
                continue
            return

    # -- its end

    def _taken(self, line: dict[str, JsonValue] | BadReturn | None) -> dict[str, JsonValue] | None:
        if line is None:
            self._lines.put(None)  # for whoever asks next
        elif isinstance(line, BadReturn):
            raise line
        return line

    def _how_it_ended(self) -> str:
        if not self._ends_within(LAST_WORDS):
            return "closed its output"
        code = self._process.returncode
        return f"was ended by {_signal_name(-code)}" if code < 0 else f"ended with exit code {code}"

    def _ends_within(self, seconds: float) -> bool:
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def _signal(self, name: str) -> None:
        """Send the signal to the process and all that it started and that stayed in its group."""
        try:
            if _OWN_GROUP:
                os.killpg(self._process.pid, getattr(signal, name))
            elif self._process.poll() is None:
                self._process.kill()
        except OSError:
            return  # nobody is left


def _started(command: Sequence[str], cwd: str | None, environ: Mapping[str, str]) -> Any:
    if cwd is not None and not Path(cwd).is_dir():
        raise ProcessFailed(f"the agent's process cannot be started: there is no folder {cwd!r}")
    program = command[0]
    found = program if os.path.dirname(program) else shutil.which(program, path=environ.get("PATH"))
    if found is None:
        raise ProcessFailed(f"the agent's process cannot be started: there is no program {program!r} on PATH")
    try:
        return subprocess.Popen(
            [found, *command[1:]],
            cwd=cwd,
            env=dict(environ),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=_OWN_GROUP,
        )
    except OSError as error:
        raise ProcessFailed(
            f"the agent's process cannot be started: {program}: {error.strerror or error}"
        ) from None


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
