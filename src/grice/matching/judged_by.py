"""How a message says that an LLM judged, and what is known of its agreement with people."""

from __future__ import annotations

from grice.records import Judgement, Outcome, Standing, Verdict
from grice.text import visible

UNCALIBRATED = "uncalibrated"
ADVISORY = "advisory"


def judged_by(verdict: Verdict) -> str:
    """Which LLM judged with which prompt, how often and at what cost, on one line; "" when none did."""
    judgement = verdict.judgement
    if judgement is None or not answered(verdict):
        return ""
    said = [
        visible(judgement.model, newlines=False) or "an LLM that does not say its name",
        f"prompt {judgement.prompt} v{judgement.version}",
        *_counts(judgement),
    ]
    if judgement.replayed:
        said.append("replayed")
    said += _standing_words(verdict)
    return f"judged by {', '.join(said)}"


def judges_of(verdict: Verdict) -> list[str]:
    """A line for each LLM that judged the verdict, or a part of it, which is then named.

    Where parts did not pass they are told apart from those that did, whose judges are not named.
    """
    amiss = [part for part in verdict.parts if part.outcome not in (Outcome.PASS, Outcome.SKIPPED)]
    told = amiss if amiss and not verdict.negated else verdict.parts
    parts = [(visible(part.criterion, newlines=False), judged_by(part)) for part in told]
    said = [f"{name}: {by}" if name else by for name, by in parts if by]
    return [*filter(None, [judged_by(verdict)]), *dict.fromkeys(said)]


def answered(verdict: Verdict) -> bool:
    """Whether an LLM had a part in the verdict: one that gave no answer had none."""
    own = verdict.judgement is not None and heard(verdict.judgement)
    return own or any(map(answered, verdict.parts))


def heard(judgement: Judgement) -> bool:
    """Whether the LLM gave an answer."""
    return any(sample.answer is not None for sample in judgement.samples)


def agreement_text(standing: Standing | None) -> str:
    """How far a judge agrees with people, by a card that counts: `kappa 0.71, n 80`; else ""."""
    if standing is None or standing.problem or standing.kappa is None:
        return ""
    own = ", own examples" if standing.own_examples else ""
    return f"kappa {standing.kappa:.2f}, n {standing.n}{own}"


def _standing_words(verdict: Verdict) -> list[str]:
    """What is known of the judge's agreement with people, in words."""
    standing = verdict.judgement.standing if verdict.judgement is not None else None
    words = [ADVISORY] if standing is not None and standing.advisory else []
    if standing is not None and standing.problem:
        told = f": {visible(standing.problem, newlines=False)}" if standing.card else ""
        return [*words, f"{UNCALIBRATED}{told}"]
    if standing is not None and standing.kappa is not None:
        low, high = standing.kappa_low or 0.0, standing.kappa_high or 0.0
        items = f"{standing.n} {'of its own examples' if standing.own_examples else 'items'}"
        return [*words, f"kappa {standing.kappa:.2f} ({low:.2f} to {high:.2f}) on {items}"]
    return [*words, UNCALIBRATED] if verdict.uncalibrated else words


def _counts(judgement: Judgement) -> list[str]:
    counts = []
    if len(judgement.samples) > 1:
        counts.append(f"{len(judgement.samples)} samples")
    if judgement.spread:
        counts.append(f"spread {judgement.spread:g}")
    if judgement.input_tokens is not None or judgement.output_tokens is not None:
        counts.append(f"{(judgement.input_tokens or 0) + (judgement.output_tokens or 0):,} tokens")
    if judgement.latency_ms is not None:
        counts.append(f"{judgement.latency_ms:,.0f} ms")
    return counts
