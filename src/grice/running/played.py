"""A conversation in which topics are followed, and a user may be played."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from grice.records import Classification, Conversation, JsonValue, Simulation, Termination
from grice.running.reading import Readable
from grice.running.turn import OpenTurn

if TYPE_CHECKING:
    from grice.running.events import Event
    from grice.running.following import Following
    from grice.running.steps import Steps
    from grice.running.support import Support
    from grice.topics.graph import TopicGraph
    from grice.users.protocol import UserPlan

__all__ = ["Played"]


class Played(Readable):
    """What a conversation that goes on has for topics and played users."""

    def __init__(
        self,
        id: str,  # noqa: A002 - the record's field
        support: Support | None,
        observe: Callable[[Event], None] | None,
    ) -> None:
        self.repeat = 1  # which of the conversations of one scenario it is
        self.simulating = False  # whether a user is being played
        self._id = id
        self._support = support
        self._observe = observe
        self.find_support: Callable[[], Support] = _alone
        self._following: Following | None = None
        self._simulations: list[Simulation] = []
        self.played: list[tuple[UserPlan, Simulation]] = []
        """Each played user, and the part of the conversation in which they were."""
        self._open: OpenTurn | None = None
        self._record: Conversation | None = None
        self._termination: Termination | None = None
        self._metadata: dict[str, JsonValue] = {}

    @property
    def support(self) -> Support:
        """What doors find for it, when a user is played or topics are followed."""
        if self._support is None:
            self._support = self.find_support()
        return self._support

    def follow(self, graph: object, *, ask: bool = True, strict: bool = False) -> TopicGraph:
        """Follow topics from now on: find the topic of each turn, and judge what is expected in each visit.

        `graph` is a TopicGraph, a dict `{topic: next topics}` (or names of topics that are declared around
        the test), or the path of a graph file. Where no trigger decides, the judge is asked, unless `ask` is
        false. Each move is a soft verdict, a hard one with `strict`: a pass where the graph has it. Returns
        the graph. Raises TopicGraphError for a wrong graph, RuntimeError after the first turn.
        """
        from grice.running.following import Following

        if self._open is not None or self._following is not None:
            what = "topics are followed already" if self._following else "the conversation has begun"
            raise RuntimeError(f"follow() comes before the first turn, once: {what}")
        self._following = Following(self, graph, ask=ask, strict=strict)
        self._record = None
        return self._following.graph

    def note(self, name: str, value: JsonValue) -> None:
        """Keep something about the conversation in its metadata."""
        self._metadata[name] = value
        self._record = None

    def add_simulation(self, simulation: Simulation, plan: UserPlan) -> None:
        """Keep the record of a played user, and how they were to be played; who plays them calls this."""
        self._simulations.append(simulation)
        self.played.append((plan, simulation))
        self._record = None
        if self._observe is not None:
            from grice.running.events import SimulationEnded

            told = simulation.turns, simulation.termination, simulation.reason
            self._observe(SimulationEnded(self._id, self.repeat, *told))

    def classify(self, turn: OpenTurn, topic: Classification) -> None:
        """Keep which topic the turn belongs to."""
        turn.classified = topic
        self._record = None

    def tell_topic(self, turn: int, before: str, now: Classification) -> None:
        """Tell observers that the conversation moved to another topic."""
        if self._observe is not None:
            from grice.running.events import TopicChanged

            self._observe(TopicChanged(self._id, self.repeat, turn, before, now))

    @property
    def topic_ahead(self) -> str:
        """The topic in which the next turn begins, "" where no topics are followed."""
        return self._following.topic if self._following is not None else ""

    def topic_names(self) -> list[str]:
        """The names of the topics that are followed, and of those that are declared around the test."""
        followed = self._following.graph.names if self._following is not None else ()
        return list(dict.fromkeys([*followed, *(one.name for one in self.support.find_topics())]))

    def raise_expected(self) -> None:
        """Raise ExpectationFailed for what was expected in a topic and has not been raised yet."""
        __tracebackhide__ = True
        if self._following is not None:
            self._following.raise_expected()

    def note_expected(self, error: BaseException) -> None:
        """Tell the same with an exception that is raised instead."""
        if self._following is not None:
            self._following.note_expected(error)

    @property
    def _has_steps(self) -> bool:
        """Whether something follows each turn."""
        return self._following is not None or self._observe is not None

    @property
    def _ends_with_steps(self) -> bool:
        """Whether the last topic is still to be judged."""
        return self._following is not None and self._termination is None and not self._following.ended

    def _after(self, turn: OpenTurn) -> Steps[None]:
        """What follows a turn: its topic, and what was expected in a topic that it left."""
        if self._following is not None:
            yield from self._following.after_turn(turn)
        if self._observe is not None:
            from grice.running.events import TurnFinished

            self._observe(TurnFinished(self._id, self.repeat, self.turns[turn.number - 1]))

    def _at_end(self) -> Steps[None]:
        """What follows the last turn. Raises ExpectationFailed, once."""
        if self._termination is None:
            self._end(self._final_termination())
        if self._following is not None:
            yield from self._following.at_end()

    def _final_termination(self) -> Termination:
        """Why it ends when nobody ends it: as the user that was played up to the last turn."""
        if self._simulations:
            last = self._simulations[-1]
            if last.first + last.turns > len(self.turns):
                return last.termination
        return "completed"

    def _end(self, termination: Termination) -> None:
        self._termination = termination
        self._record = None


def _alone() -> Support:
    """For a conversation outside of any test."""
    from grice.running.support import Support

    return Support()
