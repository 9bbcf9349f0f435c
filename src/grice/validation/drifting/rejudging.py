"""Judge every anchor again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import TYPE_CHECKING

import msgspec

from grice.judging.drift import JudgeState, Scores, Snapshot, exact
from grice.judging.prompt import load_prompt
from grice.records import Judgement, Outcome, Verdict
from grice.text import shorten
from grice.validation.judges.judge_calls import Judged, ask_about

if TYPE_CHECKING:
    from grice.judging.judge import Judge
    from grice.validation.drifting.anchors import Anchor
    from grice.validation.judges.items import Item


_MAX_WHY = 300
_REPLAYED = "the answer comes from a recording, which says nothing about the judge of today"
_VOTES = {Outcome.PASS: Decimal(1), Outcome.FAIL: Decimal(0)}


class Rejudged(msgspec.Struct, frozen=True):
    """The judges' scores of the anchors now, and their verdicts by the anchor's id, one for each sample."""

    snapshot: Snapshot
    verdicts: Mapping[str, tuple[Verdict, ...]] = {}


def planned(anchors: Sequence[Anchor], judges: Mapping[str, Judged]) -> Snapshot:
    """The snapshot without scores, to know what can be compared before anybody is asked."""
    return Snapshot(
        {one.item.id: one.fingerprint for one in anchors},
        {
            name: JudgeState(
                graded=judged.gate is not None,
                scenarios={one.scenario: Scores(()) for one in anchors if one.judge == name},
            )
            for name, judged in judges.items()
        },
    )


def rejudge(
    judge: Judge,
    anchors: Sequence[Anchor],
    judges: Mapping[str, Judged],
    *,
    samples: int = 1,
    concurrency: int = 20,
    tell: Callable[[Item, int, Verdict], None] | None = None,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> Rejudged:
    """Ask each judge about its anchors, `samples` times each. `tell` is called with every answer as it comes.

    An answer that is neither a score nor yes or no is missing, as is one that was replayed.
    """
    verdicts: dict[str, tuple[Verdict, ...]] = {}
    states: dict[str, JudgeState] = {}
    for name, judged in judges.items():
        own = [one for one in anchors if one.judge == name]
        found = ask_about(
            judge, judged, [one.item for one in own], samples=samples, concurrency=concurrency, tell=tell
        )
        verdicts.update((one.item.id, given) for one, given in zip(own, found, strict=True))
        states[name] = _state(judge, judged, own, verdicts, samples)
    created = now().astimezone(UTC).isoformat(timespec="seconds")
    whole = Snapshot({one.item.id: one.fingerprint for one in anchors}, states, created)
    return Rejudged(whole, verdicts)


def _state(
    judge: Judge,
    judged: Judged,
    anchors: Sequence[Anchor],
    verdicts: Mapping[str, tuple[Verdict, ...]],
    samples: int,
) -> JudgeState:
    graded = judged.gate is not None
    judgements = [
        one.judgement for anchor in anchors for one in verdicts[anchor.item.id] if one.judgement is not None
    ]
    prompt = load_prompt(judged.prompt, judge.prompts.get(judged.prompt))
    answered: dict[str, list[Anchor]] = {}
    for anchor in anchors:
        answered.setdefault(anchor.scenario, []).append(anchor)
    return JudgeState(
        _model(judgements) or _judge_name(judge),
        prompt.name,
        prompt.version,
        prompt.hash,
        judged.fingerprint,
        graded,
        samples,
        {
            scenario: _scores([(one.item.id, verdicts[one.item.id]) for one in own], graded)
            for scenario, own in answered.items()
        },
    )


def _model(judgements: Sequence[Judgement]) -> str:
    """The model that answered; where several did, all of them."""
    return ", ".join(sorted({one.model for one in judgements if one.model and _has_answer(one)}))


def _has_answer(judgement: Judgement) -> bool:
    return any(sample.answer is not None for sample in judgement.samples)


def _judge_name(judge: Judge) -> str:
    return "" if judge.llm is None else judge.llm.model or judge.llm.name


def _scores(given: Sequence[tuple[str, tuple[Verdict, ...]]], graded: bool) -> Scores:
    samples: list[tuple[Decimal | None, ...]] = []
    failures: list[str] = []
    for anchor, verdicts in given:
        scores = tuple(_score(one, graded) for one in verdicts)
        samples.append(scores)
        missed = [one for one, score in zip(verdicts, scores, strict=True) if score is None]
        if missed:
            failures.append(f"anchor {anchor}: {_why(missed[0])}")
    return Scores(tuple(samples), tuple(failures))


def _score(verdict: Verdict, graded: bool) -> Decimal | None:
    if verdict.judgement is not None and verdict.judgement.replayed:
        return None
    if not graded:
        return _VOTES.get(verdict.outcome)
    score = exact(verdict.score)
    return score if score is not None and 1 <= score <= 5 else None


def _why(verdict: Verdict) -> str:
    if verdict.judgement is not None and verdict.judgement.replayed:
        return _REPLAYED
    return shorten(verdict.reason or f"the verdict is {verdict.outcome}", _MAX_WHY)
