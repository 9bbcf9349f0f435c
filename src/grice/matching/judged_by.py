"""How a message says that an LLM judged, and that nobody has measured it yet."""

from __future__ import annotations

from grice.records import Judgement, Verdict
from grice.text import visible

__all__ = ["UNCALIBRATED", "answered", "judged_by", "judges_of"]

UNCALIBRATED = "uncalibrated"


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
    if verdict.uncalibrated:
        said.append(UNCALIBRATED)
    return f"judged by {', '.join(said)}"


def judges_of(verdict: Verdict) -> list[str]:
    """A line for each LLM that judged the verdict, or a part of it, which is then named."""
    parts = [(visible(part.criterion, newlines=False), judged_by(part)) for part in verdict.parts]
    said = [f"{name}: {by}" if name else by for name, by in parts if by]
    return [*filter(None, [judged_by(verdict)]), *dict.fromkeys(said)]


def answered(verdict: Verdict) -> bool:
    """Whether an LLM had a part in the verdict: one that gave no answer had none."""
    samples = verdict.judgement.samples if verdict.judgement is not None else ()
    return any(sample.answer is not None for sample in samples) or any(map(answered, verdict.parts))


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
