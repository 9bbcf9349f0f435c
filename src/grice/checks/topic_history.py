"""The topics that a conversation went through."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from grice.checks.model_requests import turns_of
from grice.matching.argument_types import Text
from grice.matching.context import Context
from grice.matching.judge_standing import resting_on
from grice.matching.matcher import Unsuitable, matcher
from grice.records import (
    Conversation,
    JsonValue,
    Judgement,
    Reply,
    Turn,
    Verdict,
    errored,
    failed,
    passed,
)
from grice.text import did_you_mean, shorten, value_text

HistoryOrder = Literal["exact", "in_order", "unordered", "superset", "subset"]
"""How a history of visits is compared, with the words that `call_tools` has.

`exact`: these visits in this order. `in_order`: these in this order, with others between them. `unordered`:
these in any order. `superset`: at least these. `subset`: no topic but these, each as often as may be.
"""

TopicNames = Annotated[Sequence[Text], Meta(min_length=1)]

NOT_FOLLOWED = "no topics were followed: call conversation.follow(graph) before the first turn"
MAX_LISTED = 1_000
_WORDS = {
    "exact": "have visited exactly",
    "in_order": "have visited in this order",
    "unordered": "have visited in any order",
    "superset": "have visited at least",
    "subset": "have visited nothing but",
}


def _unknown(record: Iterable[Turn], names: Iterable[str], known: Sequence[str] | None) -> Verdict | None:
    """Why nobody can tell: nothing was followed, or the graph has no such topic; None when somebody can."""
    if known is None and all(turn.classified is None for turn in record):
        return errored(NOT_FOLLOWED)
    for name in names:
        if known is not None and name not in known:
            return errored(
                f"the graph has no topic {value_text(name)}{did_you_mean(name, known)}: "
                f"it has {shorten(', '.join(known), MAX_LISTED)}"
            )
    return None


def graph_topics(conversation: Conversation | None) -> list[str] | None:
    """The names of the topics of the graph that was followed, None where nobody says."""
    graph = conversation.topic_graph if conversation is not None else None
    return list(graph.topics) if graph is not None else None


def _undecided(turns: Iterable[Turn]) -> str:
    """Which turn has no topic that is known, and why; "" when all have one."""
    for turn in turns:
        if turn.classified is None:
            return f"turn {turn.number} has no topic"
        if not turn.classified.known:
            return f"the topic of turn {turn.number} is not known: {turn.classified.reason}"
    return ""


def _way(conversation: Conversation) -> str:
    """The visits in words: `visited: greeting (turn 1), results (turns 2-4)`."""
    shown = [
        f"{one.topic} (turn {one.first})"
        if one.first == one.last
        else f"{one.topic} (turns {one.first}-{one.last})"
        for one in conversation.visits
    ]
    return f"visited: {shorten(', '.join(shown), MAX_LISTED)}" if shown else "no topic was visited"


@matcher(
    "toHaveReachedTopic",
    layer=0,
    describe="have reached the topic {name!s}",
    read=lambda expected: ((expected,), {}),
)
def have_reached_topic(subject: Conversation, ctx: Context, name: Text) -> Verdict:
    """Some turn of the conversation belongs to the topic of that name.

    Without a graph that was followed, and for a topic that the graph does not have, it is an `error`; so it
    is for a topic that was not seen when the topic of a turn is not known.
    """
    record = _conversation(subject)
    verdict = _unknown(record.turns, (name,), graph_topics(record))
    telling: Sequence[Turn] = record.turns
    if verdict is None:
        turn = next((one for one in record.turns if one.topic == name and not _undecided((one,))), None)
        if turn is not None:
            visit = next(one for one in record.visits if one.first <= turn.number <= one.last)
            verdict = replace(passed(_way(record)), turn=turn.number, visit=visit.number)
            telling = [turn]
        elif undecided := _undecided(record.turns):
            verdict = errored(f"{undecided}; {_way(record)}")
        else:
            verdict = failed(_way(record))
    verdict = replace(verdict, detail={"type": "reached_topic", "topic": name})
    return resting_on(verdict, told_by_judge(telling))


def _conversation(subject: object) -> Conversation:
    if not isinstance(subject, Conversation):  # as a file may have it
        raise Unsuitable(f"a Conversation, found {type(subject).__name__}")
    return subject


@matcher(
    "toBeInTopic",
    layer=0,
    describe="be in the topic {name!s}",
    read=lambda expected: ((expected,), {}),
)
def be_in_topic(subject: Reply | Turn | Conversation, ctx: Context, name: Text) -> Verdict:
    """The turn belongs to the topic of that name; of a conversation, the last turn.

    Without a graph that was followed, for a topic that the graph does not have, and for a turn of which the
    topic is not known it is an `error`.
    """
    turns = turns_of(subject)
    if not turns:
        return errored("the conversation has no turn yet: say something first")
    turn = turns[-1]
    record = subject if isinstance(subject, Conversation) else ctx.conversation
    verdict = _unknown((turn,), (name,), graph_topics(record))
    if verdict is None and (undecided := _undecided((turn,))):
        verdict = errored(undecided)
    if verdict is None:
        why = f": {turn.classified.reason}" if turn.classified is not None and turn.classified.reason else ""
        said = f"it is in {turn.topic}{why}"
        verdict = passed(said) if turn.topic == name else failed(said)
    verdict = replace(verdict, turn=turn.number, detail={"type": "in_topic", "topic": name})
    return resting_on(verdict, told_by_judge([turn]))


@matcher(
    "toHaveTopicHistory",
    layer=0,
    describe=lambda topics, *, order="exact": f"{_WORDS[order]} {', '.join(topics)}",
)
def have_topic_history(
    subject: Conversation, ctx: Context, topics: TopicNames, *, order: HistoryOrder = "exact"
) -> Verdict:
    """The conversation visited these topics; one that it came back to is there again.

    `order`: `exact` (these visits in this order), `in_order` (with others between them), `unordered` (these
    in any order), `superset` (at least these), `subset` (no topic but these). Without a graph that was
    followed, for a topic that the graph does not have, and with a turn of which the topic is not known it is
    an `error`.
    """
    record = _conversation(subject)
    verdict = _unknown(record.turns, topics, graph_topics(record))
    if verdict is None and (undecided := _undecided(record.turns)):
        verdict = errored(f"{undecided}; {_way(record)}")
    if verdict is None:
        found = [visit.topic for visit in record.visits]
        verdict = passed(_way(record)) if _fits(found, list(topics), order) else failed(_way(record))
    detail: dict[str, JsonValue] = {"type": "topic_history", "topics": list(topics), "order": order}
    return resting_on(replace(verdict, detail=detail), told_by_judge(record.turns))


def _fits(found: list[str], wanted: list[str], order: HistoryOrder) -> bool:
    if order == "exact":
        return found == wanted
    if order == "in_order":
        left = iter(found)
        return all(name in left for name in wanted)
    if order == "unordered":
        return Counter(found) == Counter(wanted)
    if order == "superset":
        return Counter(wanted) <= Counter(found)
    return set(found) <= set(wanted)


@matcher("toHaveStayedOnGraph", layer=0, describe="have made only moves that its topic graph has")
def have_stayed_on_graph(subject: Conversation, ctx: Context) -> Verdict:
    """Every move of the conversation from topic to topic is one that the graph has.

    Without a graph that was followed, and with a turn of which the topic is not known it is an `error`.
    """
    record = _conversation(subject)
    verdict = _unknown(record.turns, (), graph_topics(record))
    if verdict is None:
        astray = [visit for visit in record.visits if not visit.legal]
        undecided = _undecided(record.turns)
        if astray:
            said = ", ".join(f"turn {visit.first} moved to {visit.topic}" for visit in astray)
            verdict = failed(f"{shorten(said, MAX_LISTED)}; {_way(record)}")
            verdict = replace(verdict, turn=astray[0].first, visit=astray[0].number)
        else:
            verdict = errored(f"{undecided}; {_way(record)}") if undecided else passed(_way(record))
    return resting_on(replace(verdict, detail={"type": "stayed_on_graph"}), told_by_judge(record.turns))


def told_by_judge(turns: Iterable[Turn]) -> Judgement | None:
    """The judgement of the first turn whose topic a judge decided; None where no judge did."""
    told = (one.classified for one in turns if one.classified is not None and one.classified.by == "judge")
    return next((one.judgement for one in told if one.judgement is not None), None)
