"""The cores of this machine: each judges the parts of a log that it is given, by the same function."""

from __future__ import annotations

import os
import pickle
import signal
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from grice.files.settings import find_settings
from grice.formats.lines import Unreadable
from grice.matching.recording import EMBEDDER, ENTAILMENT
from grice.running.embedders import embedder_of
from grice.running.entailments import entailment_of
from grice.running.vocabularies import bring_vocabulary_in_force
from grice.scanning.batch import Part, ScanChecks, scan_batch
from grice.scanning.check_choice import Choice
from grice.scanning.chosen_lines import LineFilter
from grice.scanning.log_parts import LogPart, read_part

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

_AHEAD = 3
"""How many parts wait at a core, so that it never waits for the next."""


class ScanSetup(msgspec.Struct, frozen=True):
    """All that a process needs to judge parts of a log. It can be pickled where its checks can.

    `project` is the folder whose settings hold, "" for none.
    """

    choice: Choice
    project: str = ""
    with_conversations: bool = False
    chosen: LineFilter | None = None

    def ready(self) -> ScanChecks:
        """The checks, with the vocabulary, the embedder and the entailment of the project in force."""
        settings = find_settings(Path(self.project)) if self.project else None
        if settings is not None:
            bring_vocabulary_in_force(settings)
            EMBEDDER.set(embedder_of(settings))
            ENTAILMENT.set(entailment_of(settings))
        return ScanChecks(self.choice.checks, with_conversations=self.with_conversations, chosen=self.chosen)


def cores() -> int:
    """How many cores this process may use."""
    with suppress(AttributeError):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Workers:
    """Processes that judge parts. A context manager: at its end they end."""

    def __init__(self, setup: bytes, number: int) -> None:
        import multiprocessing

        self._workers: list[tuple[Any, Any]] = []
        context = multiprocessing.get_context()
        for _ in range(number):
            here, there = multiprocessing.Pipe()
            process = context.Process(target=_work, args=(there, here, setup), daemon=True)
            process.start()
            there.close()
            self._workers.append((process, here))

    def judged(self, parts: Iterable[LogPart]) -> Iterator[tuple[Part, int]]:
        """What each part gave and how many line ends it has, in the order of the parts.

        Raises Unreadable, and RuntimeError for a process that ended.
        """
        waiting: deque[int] = deque()
        left = iter(parts)
        turn = 0
        for part in left:
            self._send(turn, part)
            waiting.append(turn)
            turn = (turn + 1) % len(self._workers)
            if len(waiting) < _AHEAD * len(self._workers):
                continue
            yield self._received(waiting.popleft())
        while waiting:
            yield self._received(waiting.popleft())

    def _send(self, number: int, part: LogPart) -> None:
        with suppress(OSError):  # it ended: receiving says so
            self._workers[number][1].send_bytes(pickle.dumps(part))

    def _received(self, number: int) -> tuple[Part, int]:
        try:
            answer: tuple[Part, int] | Exception = self._workers[number][1].recv()
        except (EOFError, OSError):
            raise RuntimeError("a process of the scan ended before its work was done") from None
        if isinstance(answer, Exception):
            raise answer
        return answer

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        for process, connection in self._workers:
            connection.close()
            process.terminate()
        for process, _ in self._workers:
            process.join()


def packed(setup: ScanSetup) -> bytes | None:
    """The set-up for another process; None where a check cannot be sent to one."""
    try:
        sent = pickle.dumps(setup)
        pickle.loads(sent)  # noqa: S301 - our own
    except Exception:  # somebody's objects: they stay here
        return None
    return sent


def _work(connection: Connection, other_end: Connection, setup: bytes) -> None:
    other_end.close()  # else it would wait for ever where its parent was killed
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who started it is asked, and ends it
    checks = pickle.loads(setup).ready()  # noqa: S301 - what its parent made
    with suppress(EOFError, OSError):
        while True:
            part: LogPart = pickle.loads(connection.recv_bytes())  # noqa: S301
            connection.send(_answer(part, checks))


def _answer(part: LogPart, checks: ScanChecks) -> tuple[Part, int] | Exception:
    try:
        data = read_part(part)
        return scan_batch(data, checks, file=part.path), data.count(b"\n")
    except Unreadable as problem:
        return problem
    except Exception as error:  # it has to reach the one who can tell of it
        return RuntimeError(f"a process of the scan broke: {type(error).__name__}: {error}")
