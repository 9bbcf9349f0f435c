"""Results on a terminal. Text of agents is shown as text: never as markup, never with control characters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from grice.matching.transcript import transcript
from grice.records import Outcome, Result, Verdict
from grice.text import visible

__all__ = ["print_result", "print_summary", "print_verdicts"]

STYLES = {
    Outcome.PASS: "green",
    Outcome.FAIL: "bold red",
    Outcome.INCONCLUSIVE: "bold yellow",
    Outcome.ERROR: "bold magenta",
    Outcome.SKIPPED: "dim",
}


def print_result(console: Console, result: Result, *, verbose: bool = False) -> None:
    """One line for the result; below it the transcript and the verdicts that did not pass, or all when verbose."""
    line = Text(f"{result.outcome:<13}", style=STYLES[result.outcome])
    line.append(visible(result.key, newlines=False), style="bold")
    if result.description:
        line.append(f"  {visible(result.description, newlines=False)}", style="dim")
    console.print(line, soft_wrap=True)
    notable = [one for one in result.verdicts if one.outcome is not Outcome.PASS]
    if not verbose and not notable:
        return
    marked = next((one.turn for one in notable if one.turn is not None), None)
    if result.conversation.turns:
        console.print()
        _print_transcript(console, transcript(result.conversation.turns, marked=marked))
        console.print()
    print_verdicts(console, result.verdicts if verbose else notable)
    console.print()


def _print_transcript(console: Console, text: str) -> None:
    for line in text.split("\n"):
        console.print(Text(f"  {line}", style="red" if line.startswith(">") else ""), soft_wrap=True)


def print_verdicts(console: Console, verdicts: Sequence[Verdict]) -> None:
    """A line a verdict; the reason under it unless it passed."""
    for verdict in verdicts:
        soft = "soft " if verdict.mode == "soft" else ""
        line = Text("    ").append(f"{soft}{verdict.outcome:<13}", style=STYLES[verdict.outcome])
        line.append(visible(verdict.claim, newlines=False))
        console.print(line, soft_wrap=True)
        if verdict.outcome is not Outcome.PASS and verdict.reason:
            for row in visible(verdict.reason).split("\n"):
                console.print(Text(f"      {row}", style="dim"), soft_wrap=True)


def print_summary(console: Console, results: Sequence[Result], seconds: float) -> None:
    """How many results had each outcome, and how many checks that took."""
    counts = Counter(result.outcome for result in results)
    checks = sum(len(result.verdicts) for result in results)
    shown = ", ".join(f"{counts[outcome]} {_WORDS[outcome]}" for outcome in Outcome if counts[outcome])
    style = "green" if set(counts) <= {Outcome.PASS, Outcome.SKIPPED} else "bold red"
    line = Text(f"{shown or 'nothing tested'}", style=style)
    line.append(f": {checks} checks in {seconds:.2f} s", style="dim")
    console.print(line)


_WORDS = {
    Outcome.PASS: "passed",
    Outcome.FAIL: "failed",
    Outcome.INCONCLUSIVE: "inconclusive",
    Outcome.ERROR: "broken",
    Outcome.SKIPPED: "skipped",
}
