"""Follow a conversation through its topic graph, one turn at a time."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator, Sequence
from typing import Any

from grice.judging.judge import NO_JUDGE, Judge
from grice.judging.topics import TopicCandidate, classify_topic
from grice.matching.protocols import LLMError, missing_reason
from grice.matching.verdicts import error_text
from grice.records import Classification, Conversation, Outcome, Turn, Verdict, clean_text
from grice.text import shorten
from grice.topics.graph import TopicGraph
from grice.topics.topic import Topic
from grice.topics.triggers import Trigger, TriggerBroken

MAX_REASON = 1_000
WITHOUT_JUDGE = ", or follow(graph, ask=False) to go by triggers only"


def current_topic(graph: TopicGraph, conversation: Conversation) -> str:
    """The topic that the conversation is in: that of its last turn with one, else the initial one."""
    return _last_topic(graph, conversation.turns) or graph.initial.name


def _last_topic(graph: TopicGraph, turns: Sequence[Turn]) -> str:
    """That of the last turn that has one, "" where none has."""
    return next((turn.topic for turn in reversed(turns) if turn.topic in graph), "")


class Tracker:
    """Decides to which topic each turn of one conversation belongs.

    `find_judge` finds the judge that is asked where no trigger fires, and is called only then; with
    `ask=False` nobody is asked, and the conversation stays in its topic. What goes wrong on the way waits in
    `take()`.
    """

    def __init__(
        self,
        graph: TopicGraph,
        *,
        find_judge: Callable[[], Judge | None] = lambda: None,
        ask: bool = True,
    ) -> None:
        self.graph = graph
        self.ask = ask
        self._find_judge = find_judge
        self._verdicts: list[Verdict] = []

    def take(self) -> tuple[Verdict, ...]:
        """The soft `error` verdicts on triggers that broke since the last call."""
        taken, self._verdicts = tuple(self._verdicts), []
        return taken

    def classify(self, conversation: Conversation) -> Classification | Coroutine[Any, Any, Classification]:
        """The topic of the conversation's last turn; the turns before it have theirs in `classified`.

        Triggers of the current topic go first, then those of its successors in their order: the first that
        fires decides. Else one of another topic moves the conversation there against the graph (`legal` is
        false); only triggers on what is said and done in the turn do that. Else the judge chooses among the
        current topic and its successors: the coroutine asks it. A judge that fails leaves the conversation
        where it is, `by` is then `error`; so it does where a trigger broke and nobody else can tell. Raises
        LLMError where a judge is needed and none is configured, ValueError for a conversation without turns.
        """
        if not conversation.turns:
            raise ValueError("the conversation has no turn yet")
        turn = conversation.turns[-1]
        current = _last_topic(self.graph, conversation.turns[:-1])
        here = current or self.graph.initial.name
        legal = [here, *self.graph.successors(here)]
        notes: list[str] = []
        fired = list(self._fired(legal, turn, conversation, notes))
        if fired:
            return self._by_trigger(fired, here, notes)
        others = [name for name in self.graph.names if name not in legal]
        astray = list(self._fired(others, turn, conversation, notes, of_turn=True))
        if astray:
            return self._by_trigger(astray, here, notes, legal=False)
        if self.ask and len(legal) > 1:
            return self._ask(self._judge(), conversation, legal, notes)
        said = "no trigger fired" if self._has_triggers(legal) else "its topics have no triggers"
        if notes:  # one that broke may have been the one to fire
            return Classification(here, "error", _reason([*notes, said]))
        if not current:
            return Classification(here, "start", f"the conversation begins here: {said}")
        return Classification(here, "stay", said)

    def _has_triggers(self, names: Sequence[str]) -> bool:
        return any(self.graph.topic(name).triggers for name in names)

    def _fired(
        self,
        names: Sequence[str],
        turn: Turn,
        conversation: Conversation,
        notes: list[str],
        *,
        of_turn: bool = False,
    ) -> Iterator[tuple[str, str]]:
        """Each of the topics of which a trigger fires, with the words of the first that does."""
        for name in names:
            one = self.graph.topic(name)
            for trigger in one.triggers:
                if (trigger.of_turn or not of_turn) and self._fires(one, trigger, turn, conversation, notes):
                    yield name, trigger.words
                    break

    def _fires(
        self, topic: Topic, trigger: Trigger, turn: Turn, conversation: Conversation, notes: list[str]
    ) -> bool:
        try:
            return trigger.fires(turn, conversation)
        except TriggerBroken as error:
            problem = str(error)
        except Exception as error:  # somebody's code: whatever it raises is an outcome
            problem = f"it raised {error_text(error)}"
        problem = shorten(clean_text(problem), MAX_REASON)
        notes.append(f"the trigger {trigger.words!r} of {topic.name} broke: {problem}")
        claim = f"the trigger of {topic.name}, {trigger.words}, to answer"
        self._verdicts.append(
            Verdict(
                Outcome.ERROR,
                problem,
                matcher="topic trigger",
                claim=claim,
                mode="soft",
                turn=turn.number,
                layer=0,
            )
        )
        return False

    def _by_trigger(
        self, fired: Sequence[tuple[str, str]], here: str, notes: Sequence[str], *, legal: bool = True
    ) -> Classification:
        name, words = fired[0]
        said = [words]
        if not legal:
            said.append(f"{name} does not follow {here}")
        if len(fired) > 1:
            said.append("also matched: " + ", ".join(f"{one} ({why})" for one, why in fired[1:]))
        return Classification(name, "trigger", _reason([*said, *notes]), legal)

    def _judge(self) -> Judge:
        judge = self._find_judge()
        missing = missing_reason(None if judge is None else judge.llm)
        if judge is None or missing:
            why = NO_JUDGE if missing == missing_reason(None) else missing
            raise LLMError(f"no trigger tells the topic of the turn, and {why}{WITHOUT_JUDGE}")
        return judge

    async def _ask(
        self, judge: Judge, conversation: Conversation, legal: Sequence[str], notes: Sequence[str]
    ) -> Classification:
        topics = [self.graph.topic(name) for name in legal]
        candidates = [TopicCandidate(one.name, one.characteristic, one.intent) for one in topics]
        try:
            choice = await classify_topic(judge, conversation, legal[0], candidates)
        except LLMError as error:
            return Classification(legal[0], "error", _reason([clean_text(str(error)), *notes]))
        said = f"{choice.reason} (confidence {choice.confidence})"
        return Classification(
            choice.topic, "judge", _reason([clean_text(said), *notes]), judgement=choice.judgement
        )


def _reason(said: Sequence[str]) -> str:
    return shorten("; ".join(said), MAX_REASON)
