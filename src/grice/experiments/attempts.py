"""What one result counts for: what aggregation, comparison and gates need, without the transcript."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TypeGuard

import msgspec

from grice.experiments.check_rows import CheckRow, checks_in, count_softened, count_uncalibrated, single
from grice.experiments.judge_requests import (
    Judging,
    asks_of,
    bundle_of,
    demands_of,
    is_bare,
    judged_in,
    short,
)
from grice.experiments.judge_tallies import JudgeTally, judge_tallies
from grice.experiments.ranges import (
    Count,
    Mean,
    Points,
    Repeat,
    Seconds,
    Times,
    is_count,
    is_part,
    is_points,
    is_seconds,
)
from grice.matching.failure import phrase_of
from grice.records import FollowedGraph, JsonValue, Outcome, Result, TopicVisit, Turn, Verdict

UNSEEN = "no check of Grice was made; plain asserts are not seen"
"""Why a result without verdicts is not told to have passed."""


class CheckTally(msgspec.Struct, frozen=True, omit_defaults=True, gc=False, forbid_unknown_fields=True):
    """So many checks of one kind with one outcome in a result. `criterion` is "" where there is none.

    `bundle` names the bundle that made the check, `criterion` is then its row there. `negated` says that the
    check was not to hold.
    """

    matcher: str
    mode: str
    outcome: str
    times: Times
    criterion: str = ""
    layer: int | None = None
    bundle: str = ""
    negated: bool = False

    @property
    def row(self) -> CheckRow:
        """The check as summaries count it."""
        return CheckRow(self.criterion, self.matcher, self.mode, self.outcome, self.layer)


class Attempt(msgspec.Struct, frozen=True, omit_defaults=True, gc=False, forbid_unknown_fields=True):
    """One result in numbers: one repeat of one scenario, or one run of a test without any.

    `id`, `key`, `test`, `repeat`, `set_name`, `fingerprint`, `outcome`, `failure`, `spoiled`, `counts` are
    those of the Result, `name` its description, `why` says in words why it did not pass or does not count, ""
    where it did. `visits` are those to topics. `scores` are the points (1 to 5) that judges gave, by
    criterion, else matcher, and `bundle_scores` those in the rows of bundles, by bundle and row; `claims` the
    claims that judges looked for sources of, by type, as (grounded, all). `latencies` are the seconds and
    `tokens` the tokens (both kinds) of the turns that tell. `clarifying` are the lengths in turns and numbers
    of rounds of clarifiers, as (mean, rounds). `judged` says which judges answered what, `uncalibrated`
    counts their hard verdicts that nobody compared with people; `trivially_true` and `unresolved` count the
    verdicts with these marks. `asks` has the fingerprints of what soft checks asked, by criterion, else
    bundle, else matcher; `demands` is the fingerprint of what hard checks asked for, `graph` that of the
    topic graph that was followed, "" where there was none. `simulated` says that a user was played other than
    by a script, which leaves it to chance whether it passes again, and `persona` names who was played, "" for
    none. `bare` says that nothing but the test's body let it pass: no hard check was seen. `asserts` is the
    fingerprint of the body's code where it has assertions of its own; "" says that nobody saw any.
    `by_judges` has what judges gave by criterion, and `followed` the topics and edges of the graph; named
    baselines have neither.
    """

    id: str
    key: str
    outcome: Outcome
    counts: bool = True
    failure: str = "none"
    why: str = ""
    name: str = ""
    set_name: str = ""
    repeat: Repeat = 1
    fingerprint: str = ""
    spoiled: str = ""
    turns: Count = 0
    visits: tuple[TopicVisit, ...] = ()
    checks: tuple[CheckTally, ...] = ()
    conduct: tuple[CheckTally, ...] = ()
    scores: dict[str, tuple[Points, ...]] = {}
    bundle_scores: dict[str, dict[str, tuple[Points, ...]]] = {}
    claims: dict[str, tuple[Count, Count]] = {}
    latencies: tuple[Seconds, ...] = ()
    tokens: tuple[Count, ...] = ()
    clarifying: tuple[tuple[Mean, Repeat], ...] = ()
    judged: tuple[Judging, ...] = ()
    uncalibrated: Count = 0
    softened: Count = 0
    trivially_true: Count = 0
    unresolved: Count = 0
    asks: dict[str, str] = {}
    demands: str = ""
    graph: str = ""
    bare: bool = False
    asserts: str = ""
    by_judges: tuple[JudgeTally, ...] = ()
    followed: FollowedGraph | None = None
    test: str = ""
    simulated: bool = False
    persona: str = ""

    @property
    def counted(self) -> bool:
        """Whether it is in the rates: it says something about the agent, and was not skipped."""
        return self.counts and self.outcome is not Outcome.SKIPPED

    @property
    def passed(self) -> bool:
        """Whether it passed, by hard checks only."""
        return self.outcome is Outcome.PASS

    @property
    def unchecked(self) -> bool:
        """Whether nothing in it could fail: no hard check was made, and it passed or could not be told.

        What was skipped is no check. A pass without any check at all is the word of the runner that gave it.
        """
        if any(one.mode == "hard" and one.outcome != "skipped" for one in self.checks):
            return False
        return self.outcome is Outcome.INCONCLUSIVE or (self.passed and bool(self.checks))

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics of its visits, in order."""
        return tuple(visit.topic for visit in self.visits)

    @property
    def returned(self) -> bool:
        """Whether it went back to a topic that it had left."""
        return len(set(self.topics)) < len(self.visits)


def attempt_of(result: Result) -> Attempt:
    """The numbers of a result; such as cannot be, a time below 0 or 6 of 5 points, are taken for not told."""
    verdicts = tuple(single(result.verdicts))
    turns = result.conversation.turns
    return Attempt(
        id=result.id,
        key=result.key,
        outcome=result.outcome,
        counts=result.counts,
        failure=result.failure,
        why=_why(result),
        name=result.description,
        set_name=result.set_name,
        repeat=result.repeat,
        fingerprint=result.fingerprint,
        spoiled=result.spoiled,
        turns=len(turns),
        visits=result.conversation.visits,
        checks=_tallies((row, bundle_of(one)) for one in result.verdicts for row, _ in checks_in(one)),
        conduct=_tallies(_conduct_rows(result.conduct)),
        scores=_scores(one for verdict in result.verdicts for one in _scored(verdict)),
        bundle_scores=_bundle_scores(result.verdicts),
        claims=_claims(verdicts),
        latencies=tuple(one for turn in turns if (one := _latency(turn)) is not None),
        tokens=tuple(one for turn in turns if (one := _tokens(turn)) is not None),
        clarifying=tuple(_clarifying(verdicts)),
        judged=judged_in(result.verdicts),
        uncalibrated=count_uncalibrated(result.verdicts),
        softened=count_softened(result.verdicts),
        trivially_true=sum(one.trivially_true for one in result.verdicts),
        unresolved=sum(one.unresolved for one in result.verdicts),
        asks=asks_of(result.verdicts),
        demands=demands_of(result.verdicts),
        graph=_graph(result),
        bare=result.outcome is Outcome.PASS and is_bare(result.verdicts),
        asserts=short(result.asserts),
        by_judges=judge_tallies(result.verdicts),
        followed=_followed(result.conversation.topic_graph),
        test=result.test,
        simulated=any(one.user != "script" for one in result.conversation.simulations),
        persona=next((one.persona for one in result.conversation.simulations if one.persona), ""),
    )


def why_not_counted(result: Result) -> str:
    """Why a result says nothing about the agent, in words."""
    for one in result.conversation.simulations:
        if one.termination in ("simulator_error", "budget"):
            return f"{one.termination}: {one.reason}" if one.reason else one.termination
    hard = [one for one in result.verdicts if one.mode == "hard"]
    broken = next((one for one in hard if one.outcome is Outcome.ERROR), None)
    if result.outcome is Outcome.ERROR and broken is not None:
        return f"{'a check broke' if broken.matcher else 'error'}: {broken.reason or broken.claim}"
    if result.spoiled:
        broke = {"helped": "helped it to pass", "hindered": "kept it from passing"}[result.spoiled]
        return f"the simulated user broke its rules and {broke}"
    return result.conversation.termination or result.failure


def failure_message(result: Result) -> str:
    """Why the result did not pass: the first failure of the agent, else of a hard check; "" where it did."""
    if result.outcome in (Outcome.PASS, Outcome.SKIPPED):
        return ""
    for turn in result.conversation.turns:
        if turn.failure is not None:
            return turn.failure.message
    hard = [verdict for verdict in result.verdicts if verdict.mode == "hard"]
    decided = [verdict for verdict in hard if verdict.outcome is result.outcome]
    for verdict in decided or hard:
        return ": ".join(filter(None, (phrase_of(verdict), verdict.reason)))
    return "" if result.verdicts else UNSEEN


def _why(result: Result) -> str:
    if not result.counts and result.outcome is not Outcome.SKIPPED:
        return why_not_counted(result)
    return failure_message(result)


def _graph(result: Result) -> str:
    graph = result.conversation.topic_graph
    return graph.hash if graph is not None else ""


def _followed(graph: FollowedGraph | None) -> FollowedGraph | None:
    return None if graph is None else _shared(graph)


@lru_cache(maxsize=256)
def _shared(graph: FollowedGraph) -> FollowedGraph:
    """The one object for all that are equal: thousands of attempts follow the same graph."""
    return graph


def _tallies(rows: Iterable[tuple[CheckRow, str]]) -> tuple[CheckTally, ...]:
    return tuple(_tally(row, bundle, times) for (row, bundle), times in Counter(rows).items())


@lru_cache(maxsize=4096)
def _tally(row: CheckRow, bundle: str, times: int) -> CheckTally:
    """The one object for all that are equal: thousands of attempts have the same checks."""
    return CheckTally(
        row.matcher, row.mode, row.outcome, times, row.criterion, row.layer, bundle, negated=row.negated
    )


def _conduct_rows(verdicts: Iterable[Verdict]) -> Iterator[tuple[CheckRow, str]]:
    """A row a rule of the played user, under the name of the rule."""
    for verdict in verdicts:
        rule = verdict.criterion or verdict.claim or verdict.matcher
        yield CheckRow(rule, verdict.matcher, verdict.mode, verdict.outcome.value), ""


def _scores(verdicts: Iterable[Verdict]) -> dict[str, tuple[float, ...]]:
    found: dict[str, list[float]] = {}
    for verdict in verdicts:
        judged = verdict.judgement is not None or _is_iq(verdict)
        if judged and verdict.score is not None and is_points(verdict.score):
            found.setdefault(verdict.criterion or verdict.matcher, []).append(verdict.score)
    return {name: tuple(scores) for name, scores in found.items()}


def _scored(verdict: Verdict) -> Iterable[Verdict]:
    """The verdicts that may have points, an IQ beside its judges; in a bundle these are rows of their own."""
    if not verdict.parts:
        return (verdict,)
    if bundle_of(verdict):
        return [part for part in verdict.parts if _is_iq(part) or not part.parts]
    return [*single((verdict,)), *((verdict,) if _is_iq(verdict) else ())]


def _is_iq(verdict: Verdict) -> bool:
    """Whether its points are those of three judges, their median."""
    return verdict.matcher == "toShowIntelligence" and bool(verdict.parts)


def _bundle_scores(verdicts: Iterable[Verdict]) -> dict[str, dict[str, tuple[float, ...]]]:
    """The points in the rows of bundles."""
    found: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        if bundle := bundle_of(verdict):
            found.setdefault(bundle, []).extend(_scored(verdict))
    return {bundle: _scores(rows) for bundle, rows in found.items()}


def _claims(verdicts: Iterable[Verdict]) -> dict[str, tuple[int, int]]:
    """The claims of grounding verdicts, by type; see `grice.judging.grounding`."""
    found: dict[str, tuple[int, int]] = {}
    for verdict in verdicts:
        told = verdict.detail.get("claims") if verdict.matcher == "toBeGroundedIn" else None
        for kind, counts in told.items() if isinstance(told, Mapping) else ():
            match counts:
                case {"grounded": int(grounded), "total": int(total)} if is_part(grounded, total):
                    before = found.get(kind, (0, 0))
                    found[kind] = before[0] + grounded, before[1] + total
                case _:
                    pass
    return found


def _clarifying(verdicts: Iterable[Verdict]) -> Iterator[tuple[float, int]]:
    for verdict in verdicts:
        if verdict.matcher == "toClarifyEfficiently":
            mean, rounds = verdict.detail.get("mean"), verdict.detail.get("rounds", 1)
            if _is_mean(mean) and isinstance(rounds, int) and rounds > 0 and is_count(rounds):
                yield float(mean), rounds


def _latency(turn: Turn) -> float | None:
    seconds = turn.duration
    return round(seconds, 6) if seconds is not None and is_seconds(seconds) else None


def _tokens(turn: Turn) -> int | None:
    """Both kinds of all requests; a turn that lacks some is one that does not tell."""
    if not turn.exchanges:
        return None
    asked, said = turn.input_tokens, turn.output_tokens
    return asked + said if asked is not None and said is not None and is_count(asked + said) else None


def _is_mean(value: JsonValue) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and is_count(value)
