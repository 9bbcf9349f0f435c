"""Following topics in a live conversation: each turn's topic, and what is expected in every visit."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from grice.matching.context import Context
from grice.matching.failure import ExpectationFailed, failure_text
from grice.matching.recording import find_judge, find_recorder
from grice.matching.verdicts import AsyncVerdict
from grice.records import Classification, Conversation, Outcome, TopicVisit, Turn, Verdict
from grice.running.steps import Steps, Wait
from grice.running.turn import OpenTurn
from grice.topics.graph import TopicGraph, followed_graph
from grice.topics.moves import end_checks, move_checks
from grice.topics.tracker import Tracker, current_topic
from grice.topics.visits import visit_checks

if TYPE_CHECKING:
    from grice.running.support import Support
    from grice.topics.topic import Topic


class Followed(Protocol):
    """A conversation whose topics are followed; `simulating` while a user is being played in it."""

    simulating: bool

    @property
    def support(self) -> Support: ...  # noqa: D102
    @property
    def record(self) -> Conversation: ...  # noqa: D102
    @property
    def turns(self) -> tuple[Turn, ...]: ...  # noqa: D102
    @property
    def visits(self) -> tuple[TopicVisit, ...]: ...  # noqa: D102
    def classify(self, turn: OpenTurn, topic: Classification) -> None: ...  # noqa: D102
    def tell_topic(self, turn: int, before: str, now: Classification) -> None: ...  # noqa: D102


class Following:
    """The topics of one conversation.

    Verdicts on a visit are made when the conversation leaves it, on the last one when it `ended`. A hard one
    that does not pass is raised then; while a user is played it is kept until they are done.
    """

    def __init__(self, live: Followed, graph: object, *, ask: bool, strict: bool) -> None:
        self.graph = graph_of(graph, live.support.find_topics, live.support.folder)
        self.kept = followed_graph(self.graph)
        self.ended = False
        self._live = live
        self._strict = strict
        self._tracker = Tracker(self.graph, find_judge=lambda: find_judge(find_recorder(live)), ask=ask)
        self._judged: set[tuple[str, int, int]] = set()
        self._told: dict[tuple[int | None, str], Outcome] = {}
        self._failed: list[Verdict] = []

    @property
    def topic(self) -> str:
        """The topic in which the next turn begins."""
        return current_topic(self.graph, self._live.record)

    def after_turn(self, turn: OpenTurn) -> Steps[None]:
        """Classify the turn that has ended; judge the visit that it ended, and what is expected of moves."""
        __tracebackhide__ = True
        live = self._live
        before = next((one.topic for one in reversed(live.turns[:-1]) if one.topic), "")
        found = self._tracker.classify(live.record)
        now: Classification = (yield Wait.on(found)) if isinstance(found, Coroutine) else found
        live.classify(turn, now)
        yield from self._take(self._tracker.take())
        visits = live.visits
        if now.topic != before:
            live.tell_topic(turn.number, before, now)
        if len(visits) > 1:
            yield from self._judge_visit(visits[-2])
        yield from self._take(self._moves())
        if not live.simulating:
            self.raise_expected()

    def at_end(self) -> Steps[None]:
        """Judge the last visit, and what is expected of the whole conversation."""
        __tracebackhide__ = True
        self.ended = True
        visits = self._live.visits
        if visits:
            yield from self._judge_visit(visits[-1])
        yield from self._take(end_checks(self.graph, self._live.record))
        self.raise_expected()

    def raise_expected(self) -> None:
        """Raise ExpectationFailed for the first hard verdict that did not pass and was not raised yet."""
        __tracebackhide__ = True
        if self._failed:
            verdict, *others = self._failed
            self._failed = []
            record = self._live.record
            text = failure_text(verdict, Context(record))
            for other in others:
                text += f"\n\n  also: expected {other.claim}: {other.outcome}"
            raise ExpectationFailed(text, verdict)

    def note_expected(self, error: BaseException) -> None:
        """Add the same as a note to an exception that is raised instead."""
        failed, self._failed = self._failed, []
        for verdict in failed:
            error.add_note(f"before that: expected {verdict.claim}: {verdict.outcome}, {verdict.reason}")

    def _moves(self) -> Iterator[Verdict]:
        """What is to be said of the last turn, once: it is looked at again when its client answers.

        What passed at the first look may fail at the next.
        """
        for verdict in move_checks(self.graph, self._live.record, strict=self._strict):
            about = verdict.turn, verdict.claim
            before = self._told.get(about)
            if before is None or (before is Outcome.PASS and verdict.outcome is not Outcome.PASS):
                self._told[about] = verdict.outcome
                yield verdict

    def _judge_visit(self, visit: TopicVisit) -> Steps[None]:
        if (visit.topic, visit.first, visit.last) in self._judged:
            return
        self._judged.add((visit.topic, visit.first, visit.last))
        topic = self.graph.topic(visit.topic)
        judge = find_judge(find_recorder(self._live)) if topic.judged else None
        yield from self._take(visit_checks(topic, self._live.record, visit, judge=judge))

    def _take(self, checks: Iterable[Verdict | AsyncVerdict]) -> Steps[None]:
        """Record the verdicts, in order; those that have to be waited for are waited for together."""
        made = list(checks)
        later = [one for one in made if not isinstance(one, Verdict)]
        if later:
            answers: list[Verdict] = yield Wait(partial(_all, later), partial(_close_all, later))
            made = [one if isinstance(one, Verdict) else answers.pop(0) for one in made]
        recorder = find_recorder(self._live)
        for verdict in made:
            assert isinstance(verdict, Verdict)
            if recorder is not None:
                recorder.add(verdict)
            if verdict.mode == "hard" and verdict.outcome not in (Outcome.PASS, Outcome.SKIPPED):
                self._failed.append(verdict)


def graph_of(
    given: object, find_declared: Callable[[], Sequence[Topic]], folder: Path = Path()
) -> TopicGraph:
    """The graph, or that of a file in the folder, or of a dict; its names may be those of declared topics.

    Raises TopicGraphError, and GraphErrors for a file.
    """
    if isinstance(given, str | Path):
        from grice.files.graph_files import load_graph

        return load_graph(folder / given, find_declared())
    return TopicGraph.of(given, declared=find_declared())


def _close_all(later: list[AsyncVerdict]) -> None:
    for one in later:
        one.close()


async def _all(later: list[AsyncVerdict]) -> list[Verdict]:
    return list(await asyncio.gather(*[one.run() for one in later]))
