"""Make calibration cards from measurements."""

from __future__ import annotations

import msgspec

from grice.judging.calibration_cards import Card
from grice.stats.agreement import cluster_rate
from grice.stats.estimates import Estimate
from grice.validation.judges.measuring import JudgeMeasured
from grice.validation.judges.own_examples import CriterionMeasured, Trial

OWN_EXAMPLES = (
    "from the criterion's own examples, which its author chose: no sample of real replies, and no other "
    "person's judgement"
)
"""What a card of own examples is worth."""

_SPLIT = "leave-one-out"


def card_of_people(measured: JudgeMeasured, created: str) -> Card:
    """The card of a judge that was compared with people's labels; `created` is the time, in ISO 8601."""
    held, people = measured.held, measured.people
    notes = list(measured.notes)
    if held.weighted is not None and held.weighted is not held.kappa:
        weighted = held.weighted
        notes.append(
            f"kappa of the scores with quadratic weights {weighted.value:.2f}, "
            f"95 % {weighted.low:.2f} to {weighted.high:.2f}"
        )
    return Card(
        **msgspec.structs.asdict(measured.identity),
        kind="people",
        sources=measured.sources,
        created=created,
        n=held.n,
        dev_n=measured.dev.n,
        split=str(measured.split),
        raters=len(people.raters),
        clusters=held.clusters,
        samples=measured.samples,
        unanswered=sum(one.value is None for one in measured.decisions),
        tied=len(people.tied),
        decisions=held.decisions,
        base_rate=held.base_rate,
        sensitivity=held.sensitivity,
        specificity=held.specificity,
        agreement=held.agreement,
        kappa=held.kappa,
        dev_kappa=measured.dev.kappa,
        alpha=people.alpha,
        self_consistency=measured.biases.self_consistency,
        position_bias=measured.biases.position,
        length_bias=measured.biases.length,
        cost=measured.cost,
        notes=tuple(notes),
    )


def card_of_examples(measured: CriterionMeasured, created: str) -> Card:
    """The card of a criterion's own examples, each judged by a judge that was shown only the others."""
    counts = measured.alarms
    decided = counts.true_alarms + counts.false_alarms + counts.missed + counts.true_quiet
    notes = [OWN_EXAMPLES, measured.kappa_note, *measured.problems]
    return Card(
        **msgspec.structs.asdict(measured.identity),
        kind="examples",
        created=created,
        n=decided,
        split=_SPLIT,
        raters=1,
        clusters=decided,
        samples=measured.samples,
        unanswered=measured.n - decided,
        decisions=counts,
        base_rate=_share(counts.true_quiet + counts.false_alarms, decided),
        sensitivity=_share(counts.true_quiet, counts.true_quiet + counts.false_alarms),
        specificity=_share(counts.true_alarms, counts.true_alarms + counts.missed),
        agreement=_share(counts.true_quiet + counts.true_alarms, decided),
        kappa=measured.kappa,
        cost=_cost(measured.trials),
        notes=tuple(filter(None, notes)),
    )


def _share(hits: int, n: int) -> Estimate | None:
    return cluster_rate([place < hits for place in range(n)])


def _cost(trials: tuple[Trial, ...]) -> dict[str, float]:
    judged = [one.judgement for trial in trials for one in trial.verdicts if one.judgement is not None]
    tokens = [n for one in judged for n in (one.input_tokens, one.output_tokens) if n is not None]
    latency = [one.latency_ms for one in judged if one.latency_ms is not None]
    cost: dict[str, float] = {"answers": sum(len(one.verdicts) for one in trials)}
    if tokens:
        cost["tokens"] = sum(tokens)
    if latency:
        cost["latency_ms"] = sum(latency)
    return cost
