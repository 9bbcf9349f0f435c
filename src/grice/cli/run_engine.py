"""`grice run --engine ray`: workers hold the conversations of scenario sets, and the journal stays here.

Each worker prepares the same sets from the same files, holds the conversations that it is given by their
identity, and sends back what came of them.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from grice.cli.run_files import FilesError, files_of
from grice.cli.run_sets import Sets, read_sets
from grice.records import Result
from grice.records.codec import encode
from grice.running.file_work import Door
from grice.running.planned_conversations import Held, Observe
from grice.running.project_llms import ProjectLLMs
from grice.running.projects import Projects
from grice.scanning.engines import EngineFailed
from grice.scanning.many_machines import engine_of, ray_started

if TYPE_CHECKING:
    from grice.cli.run import Arguments
    from grice.running.run_many import Planned

_RESTARTS = 3
"""How often a worker that died is started anew; what it held is held again."""


def refuse_engine(sets: Sets, arguments: Arguments) -> None:
    """Raise FilesError where these sets cannot be held by workers."""
    try:
        engine_of(arguments.engine)
    except EngineFailed as error:
        raise FilesError(str(error)) from error
    if not sets.works:
        raise FilesError("--engine is for scenario sets, and there is none")
    for config in sets.configs:
        settings = config.settings
        if settings.server is not None:
            raise FilesError(
                f"--engine: {settings.root} has a [server], which each worker would start: start it "
                "yourself, and name its address with --agent"
            )
        if settings.model_port is not None:
            raise FilesError("--engine: model_port is one address, and workers would need one each")
        for llm in (config.find_judge_llm(), config.find_user_llm()):
            if getattr(llm, "budget", None) is not None:
                raise FilesError("--engine: an LLM has a budget, which each worker would spend by itself")


class RayWork:
    """A conversation of a set that a worker holds."""

    def __init__(self, work: Planned, crew: _Crew) -> None:
        self.id, self.key, self.repeat, self.group = work.id, work.key, work.repeat, work.group
        self.identity, self.place = work.identity, work.place
        self._crew = crew

    async def hold(self, observe: Observe) -> Held | None:
        """What came of it. Raises EngineFailed where the workers are gone."""
        del observe
        return await self._crew.hold(self.identity)


class _Crew:
    """The workers, of which the least busy one is given the next conversation."""

    def __init__(self, ray: Any, arguments: Arguments) -> None:
        self._ray = ray
        cores = max(1, int(ray.cluster_resources().get("CPU", 1)))
        self.number = min(cores, arguments.concurrency or cores)
        modules = tuple(one for one in sys.path if os.path.isabs(one))
        worker = ray.remote(_Worker).options(max_restarts=_RESTARTS, max_task_retries=_RESTARTS)
        self._workers = [worker.remote(os.getcwd(), modules, arguments) for _ in range(self.number)]
        self._busy = Counter[int]()

    async def hold(self, identity: tuple[str, int, str]) -> Held | None:
        place = min(range(self.number), key=lambda one: self._busy[one])
        self._busy[place] += 1
        try:
            held = await self._workers[place].hold.remote(identity)
        except self._ray.exceptions.RayError as error:
            raise EngineFailed(f"a worker of Ray broke: {error}") from error
        finally:
            self._busy[place] -= 1
        return None if held is None else Held(msgspec.json.decode(held[0], type=Result), held[1])


class _Worker:
    """Holds conversations in a process of a worker, several at once."""

    def __init__(self, folder: str, modules: Iterable[str], arguments: Arguments) -> None:
        os.chdir(folder)
        sys.path.extend(one for one in modules if one not in sys.path)
        projects = Projects(Path.cwd(), agent=arguments.agent or None, strict=arguments.strict)
        door = Door(projects, ProjectLLMs(projects), arguments.record, arguments.update)
        sets = read_sets(files_of(arguments.paths, projects), door, arguments.options, arguments.checks)
        self._works = {one.identity: one for one in sets.works}

    async def hold(self, identity: tuple[str, int, str]) -> tuple[bytes, tuple[str, ...]] | None:
        """What came of the conversation, as a journal has it; None where a budget ended it."""
        held = await self._works[identity].hold(lambda _: None)
        return None if held is None else (encode(held.result), tuple(held.notes))


@contextmanager
def held_by_ray(works: Sequence[Planned], arguments: Arguments) -> Iterator[tuple[list[RayWork], int]]:
    """The conversations as workers hold them, and how many are held at once. Raises EngineFailed."""
    with ray_started() as ray:
        crew = _Crew(ray, arguments)
        at_once = arguments.concurrency or crew.number * works[0].config.settings.concurrency
        yield [RayWork(one, crew) for one in works], at_once
