"""Results as plain text: verdict lines, and a failed result as a bug report."""

from __future__ import annotations

from collections.abc import Iterable

from grice.matching.transcript import transcript
from grice.records import Outcome, Result, Verdict
from grice.text import visible

__all__ = ["result_text", "verdict_line", "verdict_lines"]


def verdict_line(verdict: Verdict) -> str:
    """One verdict on one line: outcome and claim; `soft` is named."""
    soft = "soft " if verdict.mode == "soft" else ""
    return f"{soft}{verdict.outcome:<13}{visible(verdict.claim, newlines=False)}"


def verdict_lines(verdicts: Iterable[Verdict]) -> list[str]:
    """Every verdict, with its reason under it when it did not pass."""
    lines = []
    for verdict in verdicts:
        lines.append(verdict_line(verdict))
        if verdict.outcome is not Outcome.PASS and verdict.reason:
            lines += [f"    {line}" for line in visible(verdict.reason).split("\n")]
    return lines


def result_text(result: Result) -> str:
    """A result as a bug report: the headline, the transcript with the turn marked, every verdict."""
    broken = next((verdict for verdict in result.verdicts if _stands_out(verdict)), None)
    headline = f"golden {result.key}: {result.outcome}"
    if broken is not None:
        headline += f": expected {visible(broken.claim, newlines=False)}"
    marked = broken.turn if broken is not None else None
    parts = [headline]
    if result.conversation.turns:
        parts.append(transcript(result.conversation.turns, marked=marked))
    parts.append("\n".join(f"  {line}" for line in verdict_lines(result.verdicts)))
    return "\n\n".join(parts)


def _stands_out(verdict: Verdict) -> bool:
    return verdict.mode == "hard" and verdict.outcome not in (Outcome.PASS, Outcome.SKIPPED)
