"""The engines of more than one machine: Ray and Daft. Their packages are imported when they are used."""

from __future__ import annotations

import gc
import importlib
import os
import pickle
import signal
import subprocess
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from itertools import islice
from typing import Any

from grice.scanning.engines import Answer, Engine, EngineFailed, PartJudge
from grice.scanning.log_parts import LogPart
from grice.scanning.workers import cores

_SIZE = 1 << 23
"""The bytes of a part that is worth sending to another machine."""
_AHEAD = 3
"""How many parts wait for each core of the cluster."""
_ROWS = 10_000
"""The parts in a data frame: each starts its processes anew."""
_ENDING = 30
"""The seconds in which these have to end."""


def engine_of(name: str) -> Engine:
    """The engine of this name. Raises EngineFailed where its package is not installed."""
    if find_spec(name) is None:
        raise EngineFailed(f"--engine {name} needs a package: pip install 'grice[{name}]'")
    return RayEngine() if name == "ray" else DaftEngine()


class RayEngine:
    """The cluster that `RAY_ADDRESS` names, else one that Ray starts on this machine."""

    far = True
    size = _SIZE

    def map(self, parts: Iterable[LogPart], judge: PartJudge) -> Generator[Answer]:
        """What the judge says of each part, in the order of the parts. Raises EngineFailed."""
        with ray_started() as ray:
            try:
                answer = ray.remote(_answer)
                sent = ray.put(judge)
                most = _AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
                waiting: deque[Any] = deque()
                for part in parts:
                    waiting.append(answer.remote(sent, part))
                    if len(waiting) >= most:
                        yield ray.get(waiting.popleft())
                while waiting:
                    yield ray.get(waiting.popleft())
            except ray.exceptions.RayError as error:
                raise EngineFailed(f"Ray broke: {type(error).__name__}: {error}") from error


@contextmanager
def ray_started() -> Iterator[Any]:
    """Ray, on the cluster that `RAY_ADDRESS` names or on this machine. Raises EngineFailed."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # Ray would report its use to its makers
    ray: Any = importlib.import_module("ray")
    try:
        ray.init(include_dashboard=False, log_to_driver=False, logging_level="error")
    except (ConnectionError, ValueError, RuntimeError, ray.exceptions.RayError) as error:
        raise EngineFailed(f"Ray cannot be reached: {error}") from error
    try:
        yield ray
    finally:
        ray.shutdown()


def _answer(judge: PartJudge, part: LogPart) -> Answer:
    return judge(part)


class DaftEngine:
    """The runner that Daft's own settings name."""

    far = True
    size = _SIZE

    def map(self, parts: Iterable[LogPart], judge: PartJudge) -> Generator[Answer]:
        """What the judge says of each part, in the order of the parts. Raises EngineFailed."""
        os.environ.setdefault("DAFT_ANALYTICS_ENABLED", "0")  # Daft would report its use to its makers
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # so would Ray below it
        os.environ.setdefault("DAFT_PROGRESS_BAR", "0")  # the scan has its own
        left = iter(parts)
        while rows := list(islice(left, _ROWS)):
            answers = _answers(rows, judge)
            while (answer := _next(answers)) is not None:
                yield answer


def _next(answers: Iterator[Answer]) -> Answer | None:
    try:
        return next(answers, None)
    except Exception as error:  # Daft's own are of many kinds
        raise EngineFailed(f"Daft broke: {type(error).__name__}: {error}") from error


def _answers(parts: Sequence[LogPart], judge: PartJudge) -> Iterator[Answer]:
    daft: Any = importlib.import_module("daft")
    binary = daft.DataType.binary()

    class Judging:
        def __init__(self, judge: PartJudge) -> None:
            self.judge = judge
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # who started it is asked, and ends it

        @daft.method.batch(return_dtype=binary, batch_size=1)  # type: ignore[untyped-decorator]
        def answers(self, parts: Any) -> list[bytes]:
            return [pickle.dumps(self.judge(pickle.loads(one))) for one in parts.to_pylist()]  # noqa: S301

    number = _processes(daft)
    sent = [pickle.dumps(one) for one in parts]
    frame = daft.from_pydict({"number": list(range(len(sent))), "part": sent})
    if _on_ray(daft):
        frame = frame.into_partitions(min(len(parts), number))
    judging = daft.cls(max_concurrency=number, use_process=True)(Judging)(judge)
    rows = frame.select(frame["number"], judging.answers(frame["part"]).alias("answer")).iter_rows()
    early: dict[int, bytes] = {}  # on Ray a frame has no order
    due = 0
    try:
        for row in rows:
            early[row["number"]] = row["answer"]
            while due in early:
                yield pickle.loads(early.pop(due))  # noqa: S301 - what the judge of this scan said
                due += 1
    finally:
        _let_end()


def _let_end() -> None:
    """Wait for the processes of a frame that was left early: Python cannot end while Daft waits for them."""
    handle = importlib.import_module("daft.execution.udf").UdfHandle
    for one in gc.get_objects():
        if isinstance(one, handle):
            with suppress(subprocess.TimeoutExpired):
                one.process.wait(_ENDING)


def _on_ray(daft: Any) -> bool:
    kind: str = daft.runners.get_or_infer_runner_type()
    return kind == "ray"


def _processes(daft: Any) -> int:
    """How many cores the machines have that Daft runs on."""
    if not _on_ray(daft):
        return cores()
    daft.runners.get_or_create_runner()  # it joins the cluster
    ray: Any = importlib.import_module("ray")
    return max(1, int(ray.cluster_resources().get("CPU", 1)))
