"""Make a verdict from a judge's answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from grice.judging.judge import NO_JUDGE, Judge, JudgedQuestion
from grice.judging.voting import bounds, median, score_text, winner
from grice.matching.context import Context
from grice.records import Evidence, JsonValue, Outcome, Verdict, clean_text, errored
from grice.records.verdict import Mode
from grice.text import shorten

T = TypeVar("T")

MAX_REASON = 2_000


def judge_of(ctx: Context) -> Judge | Verdict:
    """The judge of the check; where there is none, the verdict that says how to configure one."""
    judge = ctx.judge
    if not isinstance(judge, Judge) or judge.llm is None:
        return errored(NO_JUDGE)
    return judge


def vote_verdict(
    asked: JudgedQuestion[T],
    ballot: Callable[[T], Outcome],
    reason: Callable[[T], str],
    evidence: Callable[[T], Sequence[Evidence | None]] = lambda _: (),
    detail: Callable[[T], dict[str, JsonValue]] = lambda _: {},
) -> Verdict:
    """The verdict by majority; reason, evidence and detail are those of the first answer that voted so."""
    ballots = [None if answer is None else ballot(answer) for answer in asked.answers]
    outcome = winner(ballots)
    chosen = asked.answers[ballots.index(outcome)] if outcome is not None else None
    if outcome is None or chosen is None:
        undecided = Outcome.ERROR if None in ballots else Outcome.INCONCLUSIVE
        return _judged_verdict(asked, undecided, _undecided(asked, ballots))
    said = _whole_reason(asked, reason(chosen))
    if len(ballots) > 1:
        said = f"{ballots.count(outcome)} of {len(ballots)} votes: {said}"
    found = tuple(one for one in evidence(chosen) if one is not None)
    return replace(_judged_verdict(asked, outcome, said, found), detail=detail(chosen))


def _judged_verdict(
    asked: JudgedQuestion[Any],
    outcome: Outcome,
    reason: str,
    evidence: tuple[Evidence, ...] = (),
    score: float | None = None,
) -> Verdict:
    """The judge's verdict: soft where it only advises."""
    standing = asked.judgement.standing
    mode: Mode = "soft" if standing is not None and standing.advisory else "hard"
    return Verdict(outcome, reason, evidence, mode=mode, score=score, judgement=asked.judgement)


def _undecided(asked: JudgedQuestion[T], ballots: Sequence[Outcome | None]) -> str:
    if len(ballots) == 1:
        return asked.error
    votes = ", ".join(f"{ballots.count(one)} {one}" for one in Outcome if one in ballots)
    if None not in ballots:
        return f"the votes are tied: {votes}"
    missing = f"{ballots.count(None)} of {len(ballots)} votes are missing"
    return f"{missing}{f' and could decide ({votes})' if votes else ''}: {asked.error}"


def score_verdict(
    asked: JudgedQuestion[T],
    at_least: float,
    score: Callable[[T], float],
    reason: Callable[[T], str],
    evidence: Callable[[T], Sequence[Evidence | None]] = lambda _: (),
) -> Verdict:
    """The verdict on a score: the median of the answers against the gate, which passes itself.

    With answers missing it holds only when they could not have changed it.
    """
    scores = [None if answer is None else score(answer) for answer in asked.answers]
    given = [one for one in scores if one is not None]
    outcome = against_gate(bounds(scores), at_least)
    if not given or outcome is Outcome.ERROR:
        missing = f"{len(scores) - len(given)} of {len(scores)} scores are missing: "
        return _judged_verdict(asked, Outcome.ERROR, f"{missing if len(scores) > 1 else ''}{asked.error}")
    middle = median(given)
    nearest = min(given, key=lambda one: abs(one - middle))
    chosen = next(one for one in asked.answers if one is not None and score(one) == nearest)
    several = f", the median of {', '.join(map(score_text, given))}" if len(given) > 1 else ""
    found_score = f"{score_text(middle)} of 5{several}, wanted at least {score_text(at_least)}"
    said = f"{found_score}: {_whole_reason(asked, reason(chosen))}"
    found = tuple(one for one in evidence(chosen) if one is not None)
    return _judged_verdict(_at_gate(asked, at_least), outcome, said, found, middle)


def _at_gate(asked: JudgedQuestion[T], at_least: float) -> JudgedQuestion[T]:
    """The same, but a card that was measured at another gate does not count."""
    standing = asked.judgement.standing
    if standing is None or standing.problem or standing.gate in (None, at_least):
        return asked
    problem = f"the calibration card {standing.card} holds for the gate {standing.gate:g}, not {at_least:g}"
    judgement = replace(asked.judgement, standing=replace(standing, problem=problem))
    return replace(asked, judgement=judgement)


def against_gate(reach: tuple[float, float], at_least: float) -> Outcome:
    """Whether a score between these bounds meets the gate; `error` when that is not certain."""
    low, high = reach
    if low >= at_least:
        return Outcome.PASS
    return Outcome.FAIL if high < at_least else Outcome.ERROR


def _whole_reason(asked: JudgedQuestion[T], said: str) -> str:
    text = shorten(clean_text(said.strip()), MAX_REASON)
    return f"{text} (judged with {asked.gaps})" if asked.gaps else text
