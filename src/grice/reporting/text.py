"""Results as plain text: verdict lines, and a failed result as a bug report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from grice.matching.failure import headline
from grice.records import Outcome, Result, Verdict
from grice.reporting.layout import transcript_rows
from grice.text import visible

__all__ = ["fixed_address_lines", "marked_turn", "result_text", "verdict_line", "verdict_lines"]

WIDTH = 100


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
    about = f": {headline(broken)}" if broken is not None else ""
    parts = [f"golden {visible(result.key, newlines=False)}: {result.outcome}{about}"]
    if result.conversation.turns:
        rows = transcript_rows(result.conversation.turns, marked=marked_turn(result.verdicts), width=WIDTH)
        parts.append("\n".join(rows))
    if not result.verdicts:
        parts.append("  nothing was checked")
    parts.append("\n".join(f"  {line}" for line in verdict_lines(result.verdicts)))
    return "\n\n".join(parts)


def fixed_address_lines(addresses: Iterable[str]) -> list[str]:
    """What a summary says of conversations whose model had a fixed address, one address each."""
    return [
        f"the model's address {address} is fixed: {count} conversation{'' if count == 1 else 's'} driven one "
        "at a time"
        for address, count in sorted(Counter(addresses).items())
    ]


def marked_turn(verdicts: Iterable[Verdict]) -> int | None:
    """The turn that a report marks: that of the first verdict that did not pass, hard before soft."""
    notable = [one for one in verdicts if one.outcome not in (Outcome.PASS, Outcome.SKIPPED) and one.turn]
    notable.sort(key=lambda verdict: verdict.mode == "soft")
    return notable[0].turn if notable else None


def _stands_out(verdict: Verdict) -> bool:
    return verdict.mode == "hard" and verdict.outcome not in (Outcome.PASS, Outcome.SKIPPED)
