"""Results as plain text: verdict lines, and a failed result as a bug report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from grice.matching.failure import headline
from grice.records import Outcome, Result, Verdict
from grice.reporting.layout import transcript_rows
from grice.text import shorten, visible

__all__ = [
    "Unresolved",
    "broken_check_lines",
    "fixed_address_lines",
    "marked_turn",
    "only_lines",
    "result_text",
    "soft_only_lines",
    "unresolved_lines",
    "verdict_line",
    "verdict_lines",
]

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


def result_text(result: Result, kind: str = "golden") -> str:
    """A result as a bug report: the headline, the transcript with the turn marked, every verdict.

    `kind` is what was run.
    """
    notable = [verdict for verdict in result.verdicts if _stands_out(verdict)]
    decided = [verdict for verdict in notable if verdict.outcome is result.outcome]
    broken = next(iter(decided or notable), None)
    said = headline(broken) if broken is not None else ""
    if not said.startswith(f"{result.outcome}: "):  # it says so already
        said = f"{result.outcome}: {said}" if said else str(result.outcome)
    parts = [f"{kind} {visible(result.key, newlines=False)}: {said}"]
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


class Unresolved(NamedTuple):
    """A verdict that rests on a path that resolved nothing; `where` names its test, golden or scenario."""

    where: str
    mode: str
    outcome: str
    claim: str


def unresolved_lines(found: Sequence[Unresolved]) -> list[str]:
    """What a summary says of verdicts that rest on a path that resolved nothing.

    Hard ones that passed are named before all others, up to 20: nobody sees those elsewhere.
    """
    if not found:
        return []
    hard = [one for one in found if one.mode == "hard" and one.outcome == "pass"]
    others = [one for one in found if one not in hard]
    several = len(found) > 1
    line = f"{len(found)} verdict{'s rest' if several else ' rests'} on a path that resolved nothing"
    if hard:
        which = f"{len(hard)} of them a hard pass" if several else "a hard pass"
        line = f"{line}, {which}"
    named = hard[:_NAMED_HARD] + others[: max(0, _NAMED - len(hard))]
    lines = [f"{line}:"]
    for one in named:
        claim = shorten(visible(one.claim, newlines=False), _LONGEST_CLAIM)
        lines.append(f"  {visible(one.where, newlines=False)}: {one.mode} {one.outcome}: {claim}")
    rest = len(found) - len(named)
    return [*lines, f"  and {rest} more"] if rest else lines


_NAMED = 3
_NAMED_HARD = 20
_LONGEST_CLAIM = 200


def only_lines(scenarios: Iterable[tuple[str, str]]) -> list[str]:
    """What a summary says of files in which `run_mode: ONLY` was left in.

    Scenarios are given as file and why they were left out, "" for those that were run.
    """
    files: dict[str, list[str]] = {}
    for file, reason in scenarios:
        files.setdefault(file, []).append(reason)
    return [
        f"{visible(file, newlines=False)}: run_mode ONLY is set, {sum(map(bool, reasons))} of its "
        f"{len(reasons)} scenarios were left out"
        for file, reasons in files.items()
        if any(reason.endswith(_BY_ONLY) for reason in reasons)
    ]


_BY_ONLY = "has run_mode ONLY"  # as grice.running.suite.left_out ends it


def soft_only_lines(count: int) -> list[str]:
    """What a summary says of scenarios that passed and have soft verdicts only."""
    if not count:
        return []
    return [f"{count} scenario{' has' if count == 1 else 's have'} soft checks only: nothing there can fail"]


def broken_check_lines(soft: Iterable[tuple[str, str]]) -> list[str]:
    """A line for each matcher whose soft checks gave nothing but errors: it judged nothing at all.

    They are given as matcher and outcome.
    """
    outcomes: dict[str, set[str]] = {}
    for matcher, outcome in soft:
        outcomes.setdefault(matcher, set()).add(outcome)
    return [
        f"every soft check of {visible(matcher)} ended in an error: nothing was judged by it"
        for matcher, found in outcomes.items()
        if found == {"error"}
    ]


def marked_turn(verdicts: Iterable[Verdict]) -> int | None:
    """The turn that a report marks: that of the first verdict that did not pass, hard before soft."""
    notable = [one for one in verdicts if one.outcome not in (Outcome.PASS, Outcome.SKIPPED) and one.turn]
    notable.sort(key=lambda verdict: verdict.mode == "soft")
    return notable[0].turn if notable else None


def _stands_out(verdict: Verdict) -> bool:
    return verdict.mode == "hard" and verdict.outcome not in (Outcome.PASS, Outcome.SKIPPED)
