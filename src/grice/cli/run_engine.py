"""`grice run --engine ray`: workers hold the conversations of scenario sets, each with a journal of its own.

Each worker prepares the same sets from the same files, holds the conversations that it is given by their
identity, and keeps what came of each in its file of the run's journal before it sends it back.
"""

from __future__ import annotations

import importlib
import os
import platform
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from grice.cli.run import Command
from grice.cli.run_files import FilesError, files_of
from grice.cli.run_sets import Sets, read_sets
from grice.records import Result
from grice.records.codec import encode
from grice.running.file_work import Door
from grice.running.journal.experiment import Experiment
from grice.running.journal.form import Begun, JournalError
from grice.running.journal.reading import first_head, read_run
from grice.running.journal.writing import Journal
from grice.running.planned_conversations import Held, Observe
from grice.running.project_llms import ProjectLLMs
from grice.running.projects import Projects
from grice.scanning.engines import EngineFailed
from grice.scanning.many_machines import engine_of, ray_started

if TYPE_CHECKING:
    from grice.running.run_many import Planned
    from grice.running.session import RunSession

_RESTARTS = 3
"""How often a worker that died is started anew; what it had not finished is held again."""
_ENDING = 10
"""The seconds in which workers have to close their journals."""


def refuse_engine(sets: Sets, arguments: Command) -> None:
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

    def __init__(self, ray: Any, session: RunSession, arguments: Command) -> None:
        self._ray = ray
        cores = max(1, int(ray.cluster_resources().get("CPU", 1)))
        self.number = min(cores, arguments.concurrency or cores)
        modules = tuple(one for one in sys.path if os.path.isabs(one))
        worker = ray.remote(_Worker).options(max_restarts=_RESTARTS, max_task_retries=_RESTARTS)
        same = (os.getcwd(), modules, arguments, session.folder, session.experiment)
        self._workers = [worker.remote(*same, f"ray-{number + 1}") for number in range(self.number)]
        self._busy = Counter[int]()

    async def hold(self, identity: tuple[str, int, str]) -> Held | None:
        place = min(range(self.number), key=lambda one: self._busy[one])
        self._busy[place] += 1
        try:
            held = await self._workers[place].hold.remote(identity)
        except self._ray.exceptions.RayError as error:
            cause = getattr(error, "cause", None) or error
            raise EngineFailed(f"a worker of Ray broke: {cause}") from error
        finally:
            self._busy[place] -= 1
        return None if held is None else Held(msgspec.json.decode(held[0], type=Result), held[1])

    def close(self) -> None:
        """Have the workers that are there close their journals."""
        for one in self._workers:
            with suppress(self._ray.exceptions.RayError):  # it died, and its lock with it
                self._ray.get(one.close.remote(), timeout=_ENDING)


class _Worker:
    """Holds conversations in a process of a worker, several at once, and keeps what came of them."""

    def __init__(
        self,
        folder: str,
        modules: Iterable[str],
        arguments: Command,
        run: Path,
        head: Experiment,
        name: str,
    ) -> None:
        os.chdir(folder)
        sys.path.extend(one for one in modules if one not in sys.path)
        projects = Projects(Path.cwd(), agent=arguments.agent or None, strict=arguments.strict)
        door = Door(projects, ProjectLLMs(projects), arguments.record, arguments.update)
        sets = read_sets(files_of(arguments.paths, projects), door, arguments.options, arguments.checks)
        self._works = {one.identity: one for one in sets.works}
        self._run, self._head, self._name = run, head, name
        ray: Any = importlib.import_module("ray")
        self._is_again: bool = ray.get_runtime_context().was_current_actor_reconstructed

    @cached_property
    def _journal(self) -> Journal:
        """Its file of the run's journal. Raises JournalError."""
        main = self._run / "main.jsonl"
        seen = first_head(main) if main.exists() else None
        if seen is None or seen.id != self._head.id:
            raise JournalError(
                f"{self._run.absolute()}: {platform.node()} does not find the run {self._head.id} there: "
                "its folder has to be on a disk that all machines share (--runs)"
            )
        return Journal.resume(self._run, self._head, worker=self._name)

    @cached_property
    def _before(self) -> dict[tuple[str, int, str], Result]:
        """What it finished before it was started anew, and may not have sent. Raises JournalError."""
        known = read_run(self._run).results if self._is_again else ()
        return {(one.id, one.repeat, one.fingerprint): one for one in known}

    async def hold(self, identity: tuple[str, int, str]) -> tuple[bytes, tuple[str, ...]] | None:
        """What came of the conversation, as its journal has it; None where a budget ended it."""
        journal = self._journal
        if identity in self._before:
            return encode(self._before[identity]), ()
        work = self._works[identity]
        journal.begin(Begun(work.id, work.key, work.repeat, work.group))
        held = await work.hold(lambda _: None)
        if held is None:
            return None
        journal.append(held.result)
        return encode(held.result), tuple(held.notes)

    def close(self) -> None:
        """Close the journal, where there is one."""
        if "_journal" in self.__dict__:
            self._journal.close()


@contextmanager
def held_by_ray(
    works: Sequence[Planned], session: RunSession, arguments: Command
) -> Iterator[tuple[list[RayWork], int]]:
    """The conversations as workers hold and keep them, and how many are held at once. Raises EngineFailed."""
    with ray_started() as ray:
        crew = _Crew(ray, session, arguments)
        at_once = arguments.concurrency or crew.number * works[0].config.settings.concurrency
        try:
            yield [RayWork(one, crew) for one in works], at_once
        finally:
            crew.close()
