"""Check each move through a topic graph, and the whole way."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from grice.checks.topic_history import told_by_judge
from grice.matching.judge_standing import resting_on
from grice.records import (
    Conversation,
    TopicVisit,
    Turn,
    Verdict,
    errored,
    failed,
    inconclusive,
    passed,
)
from grice.records.verdict import Mode
from grice.text import shorten
from grice.topics.graph import TopicGraph
from grice.topics.topic import Topic

MEASURED = 0
MAX_LISTED = 500


def move_checks(graph: TopicGraph, conversation: Conversation, *, strict: bool = False) -> Iterator[Verdict]:
    """The verdicts on the last turn: its move to another topic, and what else it did against the graph.

    A move that the graph has passes, another fails, both soft unless `strict`; to stay is no move. More turns
    than the topic's `max_turns` fail, at the first that is too many. A turn of which nobody could say the
    topic is an `error`, hard where anything hard is expected of a topic: those checks may have looked at the
    wrong turns.
    """
    if not conversation.turns:
        return
    turn = conversation.turns[-1]
    visits = conversation.visits
    visit = visits[-1] if visits else None
    if visit is None or turn.classified is None:
        return
    if not turn.classified.known:
        yield _unknown(graph, turn, visit)
    before = visits[-2].topic if len(visits) > 1 else graph.initial.name
    if visit.first == turn.number and visit.topic != before:
        yield _on_move(graph, turn, visit, before, strict=strict)
    if turn.topic in graph and turn.classified.known:
        exceeded = limit_exceeded(graph.topic(turn.topic), conversation)
        if exceeded is not None and exceeded.detail["actual"] == exceeded.detail["max"] + 1:
            yield exceeded


def _unknown(graph: TopicGraph, turn: Turn, visit: TopicVisit) -> Verdict:
    said = turn.classified.reason if turn.classified is not None else ""
    mode: Mode = "hard" if any(topic.hard for topic in graph.topics) else "soft"
    judgement = turn.classified.judgement if turn.classified is not None else None
    return replace(
        errored(f"it counts as {visit.topic}, where the conversation was: {said}"),
        matcher="known topic",
        claim=f"the topic of turn {turn.number} to be known",
        mode=mode,
        turn=turn.number,
        visit=visit.number,
        judgement=judgement,
    )


def _on_move(graph: TopicGraph, turn: Turn, visit: TopicVisit, before: str, *, strict: bool) -> Verdict:
    """The claim is one for all moves: where a conversation went is no part of what is asked of it."""
    verdict = replace(
        passed(f"{before} to {visit.topic}") if visit.legal else _against(graph, turn, visit, before),
        matcher="topic transition",
        claim="the conversation to make only moves that its topic graph has",
        mode="hard" if strict else "soft",
        turn=turn.number,
        visit=visit.number,
        layer=MEASURED,
        detail={"type": "transition", "topic": visit.topic, "from": before, "to": visit.topic},
    )
    return resting_on(verdict, told_by_judge([turn]))


def _against(graph: TopicGraph, turn: Turn, visit: TopicVisit, before: str) -> Verdict:
    following = ", ".join(graph.successors(before)) if before in graph else ""
    said = turn.classified.reason if turn.classified is not None else ""
    return failed(
        f"{before} to {visit.topic}, but after {before} comes {following or 'nothing'}; "
        f"turn {turn.number}: {said}"
    )


def limit_exceeded(topic: Topic, conversation: Conversation) -> Verdict | None:
    """The hard verdict that a topic has more than `max_turns` turns; None while it has not.

    All visits to the topic count together, and no turn of which the topic is not known.
    """
    if topic.max_turns is None:
        return None
    spent = len(_turns_in(topic, conversation))
    if spent <= topic.max_turns:
        return None
    visits = [visit for visit in conversation.visits if visit.topic == topic.name]
    several = f" in {len(visits)} visits" if len(visits) > 1 else ""
    verdict = replace(
        failed(f"{spent} turns belong to it{several}"),
        matcher="max_turns of a topic",
        claim=f"at most {topic.max_turns} turn{'' if topic.max_turns == 1 else 's'} in {topic.name}",
        turn=visits[-1].last,
        visit=visits[-1].number,
        layer=MEASURED,
        detail={"type": "max_turns", "topic": topic.name, "max": topic.max_turns, "actual": spent},
    )
    return resting_on(verdict, told_by_judge(_turns_in(topic, conversation)))


def end_checks(graph: TopicGraph, conversation: Conversation) -> Iterator[Verdict]:
    """The hard verdicts on the whole conversation: each required topic was visited.

    Where the topic of a turn is not known, a topic that was not seen is an `error`.
    """
    visited = list(dict.fromkeys(visit.topic for visit in conversation.visits))
    unknown = [one.number for one in conversation.turns if not _is_known(one)]
    for topic in graph.topics:
        if topic.required:
            verdict = replace(
                _on_required(topic, conversation, visited, unknown),
                matcher="required topic",
                claim=f"the required topic {topic.name} to be visited",
                layer=MEASURED,
                detail={"type": "reached_topic", "topic": topic.name},
            )
            telling = _turns_in(topic, conversation)[:1] or conversation.turns
            yield resting_on(verdict, told_by_judge(telling))


def _is_known(turn: Turn) -> bool:
    return turn.classified is not None and turn.classified.known


def _turns_in(topic: Topic, conversation: Conversation) -> list[Turn]:
    """The turns that are known to belong to the topic."""
    return [turn for turn in conversation.turns if turn.topic == topic.name and _is_known(turn)]


def _on_required(topic: Topic, conversation: Conversation, visited: list[str], unknown: list[int]) -> Verdict:
    if not conversation.turns:
        return inconclusive("the conversation has no turn: there is nothing to look at")
    if turns := _turns_in(topic, conversation):
        first = turns[0].number
        visit = next(one for one in conversation.visits if one.first <= first <= one.last)
        return replace(passed(f"visited in turn {first}"), turn=first, visit=visit.number)
    said = f"visited: {shorten(', '.join(visited), MAX_LISTED)}" if visited else "no topic was visited"
    if unknown:
        return errored(f"{said}; the topic of turn {unknown[0]} is not known")
    return failed(said)
