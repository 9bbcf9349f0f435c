"""Check what is expected of a visit to a topic: the verdicts on its turns."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator, Iterator, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from grice.matching.context import Context
from grice.matching.judge import judge_later
from grice.matching.matcher import Matcher
from grice.matching.subject_types import subject_types
from grice.matching.verdicts import AsyncVerdict, settled, verdict_of
from grice.records import (
    Conversation,
    Outcome,
    Reply,
    TopicVisit,
    Turn,
    Verdict,
    clean_text,
    fold_all,
    fold_any,
    inconclusive,
)
from grice.records.verdict import Mode
from grice.topics.topic import Condition, Topic, TopicCheck

_CALLS = frozenset({"toCallTool", "toCallTools"})
"""Matchers on a reply's tool calls: of a visit they judge all calls together."""

_SEARCHING = frozenset({"toMatch", "toContain", "toStartWith", "toEndWith", "toEqual"})
"""Matchers that look for a text: of a visit one reply has it. Any other holds for every reply."""

BY_CODE = 1


def visit_checks(
    topic: Topic, conversation: Conversation, visit: TopicVisit, *, judge: Any = None
) -> Iterator[Verdict | AsyncVerdict]:
    """The verdicts on what is expected of one visit to the topic, some of them to be awaited.

    `judge` is the judge for those that want one. What comes after the visit is not looked at. Each has the
    number of the visit, and the turn where it failed, else the last. A failure that rests only on turns of
    which the topic is not known is an `error`.
    """
    turns = [turn for turn in conversation.turns if visit.first <= turn.number <= visit.last]
    record = replace(conversation, turns=tuple(t for t in conversation.turns if t.number <= visit.last))
    unknown = [one.number for one in turns if one.classified is not None and not one.classified.known]
    for mode, check in _checks_of(topic):
        made = _made(check, record, turns, visit, mode, judge)
        finish = partial(_of_visit, visit=visit, unknown=unknown)
        yield finish(made) if isinstance(made, Verdict) else made.then(finish)


def _checks_of(topic: Topic) -> Iterator[tuple[Mode, TopicCheck]]:
    from grice.matching.calls.matchers import call_tool

    for check in topic.expect:
        yield "hard", check
    if topic.grounding or topic.forbid_claims:
        from grice.judging.grounding import be_grounded_in, claim

        if topic.grounding:
            yield "hard", be_grounded_in(*topic.grounding)
        if topic.forbid_claims:
            yield "hard", ~claim(*topic.forbid_claims)
    for tool in topic.forbid_tools:
        yield "hard", ~call_tool(tool)
    for check in topic.evaluate:
        yield "soft", check


def visit_text(visit: TopicVisit) -> str:
    """The visit in words: `gathering (turns 2-4)`."""
    if visit.first == visit.last:
        return f"{visit.topic} (turn {visit.first})"
    return f"{visit.topic} (turns {visit.first}-{visit.last})"


def _of_visit(verdict: Verdict, visit: TopicVisit, unknown: Sequence[int]) -> Verdict:
    places = {verdict.turn, *(one.turn for one in verdict.evidence)} - {None}
    if unknown and verdict.outcome is Outcome.FAIL and places <= set(unknown):
        said = f"it is not known whether turn {unknown[0]} belongs to {visit.topic}: {verdict.reason}"
        verdict = replace(verdict, outcome=Outcome.ERROR, reason=said)
    turn = visit.last if verdict.turn is None else verdict.turn
    return replace(verdict, visit=visit.number, turn=turn)


def _made(
    check: TopicCheck,
    record: Conversation,
    turns: Sequence[Turn],
    visit: TopicVisit,
    mode: Mode,
    judge: Any,
) -> Verdict | AsyncVerdict:
    where = f"in {visit_text(visit)}:"
    if isinstance(check, Condition):
        return _on_condition(check, record, turns, f"{where} every turn to meet {check.name!r}", mode)
    if not turns:
        claim = f"{where} the agent {'not ' if check.negated else ''}to {check.words}"
        said = inconclusive("no turn belongs to it: there is nothing to look at")
        return replace(said, matcher=check.factory.name, claim=claim, negated=check.negated, mode=mode)
    types = subject_types(check.factory)
    if check.factory.name in _CALLS or "Conversation" in types:
        noun = f"{where} {'the agent' if types & {'Reply', 'Turn'} else 'the conversation'}"
        if check.judged:
            context = Context(record, judge=judge, since=visit.first, mode=mode, noun=noun)
            return judge_later(check, record, context)
        segment = replace(record, turns=tuple(turns))
        return judge_later(check, segment, Context(segment, mode=mode, noun=noun))
    return _on_replies(check, record, turns, where, mode, judge)


# -- every reply, or one of them


def _on_replies(
    check: Matcher[Any], record: Conversation, turns: Sequence[Turn], where: str, mode: Mode, judge: Any
) -> Verdict | AsyncVerdict:
    one_is_enough = check.factory.name in _SEARCHING and not check.negated
    if "str" in subject_types(check.factory):  # a turn without words has none that could be wanted
        turns = [turn for turn in turns if turn.text.strip() or turn.failure is not None] or turns
    noun = f"{where} {'a reply' if one_is_enough else 'every reply'}"
    made = [_on_reply(check, record, turn, noun, mode, judge) for turn in turns]
    fold = partial(_folded, any_of_them=one_is_enough, keep=check.judged)
    settled = [one for one in made if isinstance(one, Verdict)]
    return fold(settled) if len(settled) == len(made) else AsyncVerdict(_AllOf(made, fold))


def _on_reply(
    check: Matcher[Any], record: Conversation, turn: Turn, noun: str, mode: Mode, judge: Any
) -> Verdict | AsyncVerdict:
    until = _until(record, turn)
    reply = Reply(until, turn.number)
    return judge_later(check, reply, Context(until, turn, judge=judge, mode=mode, noun=noun))


def _until(record: Conversation, turn: Turn) -> Conversation:
    """The conversation up to and with the turn."""
    return replace(record, turns=tuple(one for one in record.turns if one.number <= turn.number))


def _folded(verdicts: Sequence[Verdict], *, any_of_them: bool, keep: bool) -> Verdict:
    """One verdict of those on several turns: that of the first turn that decides, and how many do.

    With `keep` the others are its parts: each cost something.
    """
    if len(verdicts) == 1:
        return verdicts[0]
    outcome = (fold_any if any_of_them else fold_all)(one.outcome for one in verdicts)
    decisive = [one for one in verdicts if one.outcome is outcome]
    said = _named_turns(decisive)
    if len(decisive) == len(verdicts):
        said = f"all of {said}" if outcome is Outcome.PASS or not any_of_them else f"none of {said}"
    first = decisive[-1] if any_of_them and outcome is Outcome.FAIL else decisive[0]
    reason = f"{said}: {first.reason}" if first.reason else said
    parts = tuple(replace(one, parts=()) for one in verdicts) if keep else first.parts
    return replace(first, reason=reason, parts=parts)


def _named_turns(verdicts: Sequence[Verdict]) -> str:
    numbers = [str(one.turn) for one in verdicts]
    if len(numbers) == 1:
        return f"turn {numbers[0]}"
    return f"turns {', '.join(numbers[:-1])} and {numbers[-1]}"


class _AllOf(Coroutine[Any, Any, Verdict]):
    """What several verdicts make together, once all of them are there; closing it closes all."""

    def __init__(
        self, made: Sequence[Verdict | AsyncVerdict], fold: Callable[[Sequence[Verdict]], Verdict]
    ) -> None:
        self._made = made
        self._run = _gathered(made, fold)

    def __await__(self) -> Generator[Any, Any, Verdict]:
        return self._run.__await__()

    def send(self, value: Any) -> Any:
        return self._run.send(value)

    def throw(self, *error: Any) -> Any:
        return self._run.throw(*error)

    def close(self) -> None:
        self._run.close()
        for one in self._made:
            if isinstance(one, AsyncVerdict):
                one.close()


async def _gathered(
    made: Sequence[Verdict | AsyncVerdict], fold: Callable[[Sequence[Verdict]], Verdict]
) -> Verdict:
    return fold(await settled([one if isinstance(one, Verdict) else one.run for one in made]))


# -- functions


def _on_condition(
    check: Condition, record: Conversation, turns: Sequence[Turn], claim: str, mode: Mode
) -> Verdict:
    found = [replace(_answer(check, turn, _until(record, turn)), turn=turn.number) for turn in turns]
    if found:
        verdict = _folded(found, any_of_them=False, keep=False)
    else:
        verdict = inconclusive("no turn belongs to it: there is nothing to look at")
    return replace(verdict, claim=claim, mode=mode, criterion=check.name, layer=BY_CODE)


def _answer(check: Condition, turn: Turn, until: Conversation) -> Verdict:
    verdict = verdict_of(check.name, check.function, *((until,) if check.whole else (turn, until)))
    return replace(verdict, reason=clean_text(verdict.reason))
