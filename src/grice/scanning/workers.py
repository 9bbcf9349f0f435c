"""The cores of this machine: each judges the parts of logs that it is given, by the same function."""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections import deque
from collections.abc import Generator, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from grice.scanning.engines import Answer, EngineFailed, PartJudge
from grice.scanning.log_parts import LogPart

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

_AHEAD = 3
"""How many parts wait at a core, so that it never waits for the next."""


def cores() -> int:
    """How many cores this process may use."""
    with suppress(AttributeError):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Workers:
    """Processes of this machine, as many as `number` says."""

    far = False
    size = 1

    def __init__(self, number: int) -> None:
        self._number = number

    def map(self, parts: Iterable[LogPart], judge: PartJudge) -> Generator[Answer]:
        """What the judge says of each part, in the order of the parts. Raises EngineFailed."""
        workers = [_started(judge) for _ in range(self._number)]
        waiting: deque[Connection] = deque()
        try:
            for turn, part in enumerate(parts):
                connection = workers[turn % len(workers)][1]
                with suppress(OSError):  # it ended: receiving says so
                    connection.send_bytes(pickle.dumps(part))
                waiting.append(connection)
                if len(waiting) >= _AHEAD * len(workers):
                    yield _received(waiting.popleft())
            while waiting:
                yield _received(waiting.popleft())
        finally:
            for process, connection in workers:
                connection.close()
                process.terminate()
            for process, _ in workers:
                process.join()


def _started(judge: PartJudge) -> tuple[Any, Connection]:
    import multiprocessing

    # The threads by which objects are read do not come along with a fork.
    context = multiprocessing.get_context("spawn" if "obstore" in sys.modules else None)
    here, there = multiprocessing.Pipe()
    process = context.Process(target=_work, args=(there, here, judge), daemon=True)
    process.start()
    there.close()
    return process, here


def _received(connection: Connection) -> Answer:
    try:
        answer: Answer = connection.recv()
    except (EOFError, OSError):
        raise EngineFailed("a process of the scan ended before its work was done") from None
    return answer


def _work(connection: Connection, other_end: Connection, judge: PartJudge) -> None:
    other_end.close()  # else it would wait for ever where its parent was killed
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who started it is asked, and ends it
    with suppress(EOFError, OSError):
        while True:
            part: LogPart = pickle.loads(connection.recv_bytes())  # noqa: S301 - what its parent sent
            connection.send(judge(part))
