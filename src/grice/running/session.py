"""A run that keeps what is finished: its journal, what an earlier try finished already, and its observers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self, TypeVar

import msgspec

from grice.records import Result
from grice.running.events import RunFinished, RunStarted
from grice.running.journal.changes import changes_since, refuse_changes
from grice.running.journal.experiment import Experiment
from grice.running.journal.folders import RUNS, find_run
from grice.running.journal.form import Begun, JournalError
from grice.running.journal.reading import Finished, Run, collect_run, read_run
from grice.running.journal.writing import Journal, wait_for_workers
from grice.running.planned_conversations import Named, Observe, PlainWork, Work, play_each


class Identified(Protocol):
    """A conversation that is to be held, as journals know it."""

    @property
    def identity(self) -> Finished: ...  # noqa: D102
    @property
    def place(self) -> str: ...  # noqa: D102 - its file and name, for people


W = TypeVar("W", bound=Identified)


class Planned(Work, Identified, Protocol):
    """A work of a run that is held with others at once."""


class PlannedPlain(PlainWork, Identified, Protocol):
    """A work of a run that is held by itself."""


@dataclass(frozen=True)
class Keeping:
    """Where a run is kept: below `root`, unless `keep` is false. `resume` is the run to go on with.

    With `mix` it may go on with another agent, other models, criteria or code than it began with. `tell` is
    called with what is waited for before it goes on.
    """

    root: Path = RUNS
    keep: bool = True
    resume: str = ""
    mix: bool = False
    tell: Callable[[str], object] = lambda _: None


@dataclass(eq=False)
class RunSession:
    """A run that goes on; use it with `with`. `results` are those of this try, `before` earlier ones.

    A result is kept, in the journal first, before `finish` returns. Raises JournalError when there is no run
    to resume, it began with another configuration, another process has it, or it cannot be written, and
    ValueError when two of the works have the same stable id, so that the result of one would take the other's
    place.
    """

    experiment: Experiment
    works: Sequence[Identified]
    keeping: Keeping
    observe: Observe
    results: list[Result] = field(default_factory=list)
    before: tuple[Result, ...] = ()
    folder: Path = Path()
    complete: bool = False
    """Whether everything that was planned is finished."""
    notes: Sequence[str] = ()
    """What is to be known of the run that goes on: what cannot be read of it, and what is different now."""
    take: Callable[[Result], Result] = lambda result: result
    """What stays in memory of a result that is kept in the journal."""

    def __post_init__(self) -> None:
        self._journal: Journal | None = None
        _refuse_namesakes(self.works)
        self._done: frozenset[Finished] = frozenset()
        self._differs: tuple[str, ...] = ()
        if self.keeping.resume:
            self.folder = find_run(self.keeping.resume, self.keeping.root)
            wait_for_workers(self.folder, self.keeping.tell)
            earlier = self._kept()
            _refuse_another_run(earlier, self.works)
            self._take_finished(earlier)
            same = earlier.experiment
            if not self.keeping.mix:
                refuse_changes(same, self.experiment, self.folder)
            self._differs = tuple(
                f"the run goes on with {one}" for one in changes_since(same, self.experiment)
            )
            self.notes = [*earlier.notes, *self._differs]
            self.experiment = msgspec.structs.replace(
                self.experiment, id=same.id, name=same.name, tags=same.tags
            )
        elif self.keeping.keep:
            self.folder = self.keeping.root / self.experiment.id

    def _kept(self) -> Run:
        """What the journal has. Raises JournalError."""
        found = collect_run(self.folder, self.take)
        return Run(self.folder, found.heads, found.results, found.notes)

    def whole(self) -> Run:
        """The same run with all that the journal has of each result. Raises JournalError."""
        run = self.run
        kept = {(one.id, one.repeat): one for one in read_run(self.folder).results}
        results = tuple(kept.get((one.id, one.repeat), one) for one in run.results)
        return msgspec.structs.replace(run, results=results)

    def _take_finished(self, earlier: Run) -> None:
        """Keep which of the works an earlier try finished."""
        planned = {work.identity for work in self.works}
        self.before = tuple(one for one in earlier.results if _identity(one) in planned)
        self._done = frozenset(map(_identity, self.before))

    def left(self, works: Iterable[W]) -> list[W]:
        """Those of the works that are not finished."""
        return [work for work in works if work.identity not in self._done]

    def play(self, works: Iterable[PlannedPlain]) -> None:
        """Hold those of the works that are not finished, one after the other."""
        play_each(self.left(works), begin=self.begin, finish=self.finish, observe=self.observe)

    def hold(self, works: Iterable[Planned], concurrency: int) -> bool:
        """Hold them, so many at once; whether none was left for want of a budget."""
        import asyncio

        with asyncio.Runner() as runner:
            return runner.run(self.hold_later(works, concurrency))

    async def hold_later(self, works: Iterable[Planned], concurrency: int) -> bool:
        """The same in a coroutine."""
        from grice.running.many import hold_all

        left = self.left(works)
        return await hold_all(
            left, concurrency=concurrency, begin=self.begin, finish=self.finish, observe=self.observe
        )

    def hold_elsewhere(self, works: Iterable[Work], concurrency: int) -> None:
        """Hold works whose results are kept when they come, as by workers with journals of their own."""
        import asyncio

        from grice.running.many import hold_all

        asyncio.run(hold_all(works, concurrency=concurrency, finish=self._add, observe=self.observe))

    def begin(self, work: Named) -> None:
        """Keep that the work begins now. Raises JournalError."""
        if self._journal is not None:
            self._journal.begin(Begun(work.id, work.key, work.repeat, work.group))

    def finish(self, result: Result) -> None:
        """Keep a result. Raises JournalError."""
        if self._journal is not None:
            self._journal.append(result)
        self._add(result)

    def _add(self, result: Result) -> None:
        self.results.append(result if self._journal is None else self.take(result))

    @property
    def run(self) -> Run:
        """Everything that is finished, in the order in which it was planned."""
        places = {work.identity[:2]: place for place, work in enumerate(self.works)}
        done = sorted((*self.before, *self.results), key=lambda one: places.get((one.id, one.repeat), -1))
        return Run(self.folder, (self.experiment,), tuple(done))

    def __enter__(self) -> Self:
        if self.keeping.resume:
            self.experiment = msgspec.structs.replace(self.experiment, finished_before=len(self.before))
            self._journal = Journal.resume(self.folder, self.experiment)
            now = self._kept()  # who had it may have finished more in the meantime
            self._take_finished(now)
            self.notes = [*_cut(self._journal), *now.notes, *self._differs]
        elif self.keeping.keep:
            self._journal = Journal.create(self.folder, self.experiment)
        self.observe(RunStarted(self.experiment.id, len(self.works), len(self.before)))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._journal is not None:
            self._journal.close()
        done = len(self.before) + len(self.results)
        self.complete = error is None and done >= len(self.works)
        self.observe(RunFinished(self.experiment.id, done, self.complete))


def _refuse_namesakes(works: Iterable[Identified]) -> None:
    """Raise ValueError with the first few works that have the stable id of another."""
    known: dict[tuple[str, int], Identified] = {}
    problems: list[str] = []
    for work in works:
        first = known.setdefault(work.identity[:2], work)
        if first is not work:
            problems.append(f"{work.place} has the same stable id as {first.place}")
    if problems:
        more = len(problems) - _NAMED
        rest = [f"and {more} more"] if more > 0 else []
        advice = "an id follows the name of the file, the test and the scenario: give one another name"
        raise ValueError("\n".join([*problems[:_NAMED], *rest, advice]))


_NAMED = 3


def _refuse_another_run(earlier: Run, works: Iterable[Identified]) -> None:
    """Raise JournalError when nothing that the run has finished is among the works."""
    ids = {work.identity[0] for work in works}
    if earlier.results and not any(result.id in ids for result in earlier.results):
        first = earlier.results[0].key
        raise JournalError(
            f"{earlier.folder}: it is a run of other conversations, such as {first!r}: give the command that "
            "it began with, and --resume"
        )


def _cut(journal: Journal) -> Iterator[str]:
    """That a torn last line is no more: readers do not tell of it again."""
    if journal.cut:
        yield f"{journal.path}: its torn last line ({journal.cut} bytes) was cut off"


def _identity(result: Result) -> Finished:
    return result.id, result.repeat, result.fingerprint
