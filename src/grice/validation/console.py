"""A validation on a terminal: first whether the checks do what is written, then how often they are right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from grice.checks.profiles import Profile
from grice.records import Outcome
from grice.text import shorten, visible
from grice.validation.confusion import alarm_kappa, attributions, confusion
from grice.validation.figures import CHOSEN, HEADINGS, NOTES, NUMBERS, figures
from grice.validation.listing import EXPECTED, FIXED, KNOWN, MEANINGS, MEASURED, RIGHT, WRONG, Listed, listed
from grice.validation.measuring import Measurement, Trial
from grice.validation.trace import TraceLine, heading, trace
from grice.validation.validating import Validation

__all__ = ["print_decision", "print_validation"]

_MARK = "bold yellow"
_LABEL = 10
_SHOWN = 20


def print_validation(
    console: Console, validation: Validation, *, each: bool = False, verbose: bool = False
) -> None:
    """The table, the outcomes that are not the documented ones, and what is known to be wrong.

    With `each` every example has a line. With `verbose` every wrong outcome has its trace; else they are
    counted.
    """
    measured = [one for one in validation.measurements if one.n]
    if not measured:
        return
    mismatches = [trial for one in measured for trial in one.mismatches]
    if each:
        _print_each(console, measured)
    console.print(_result(validation, mismatches))
    console.print()
    console.print(_table(measured))
    console.print()
    if each:
        for one in measured:
            _print_confusion(console, one)
    for note in (*NOTES, CHOSEN) if validation.shipped else NOTES:
        _print(console, Text(note, style="dim"), "")
    for trial in mismatches[: None if verbose else _SHOWN]:
        _print_trial(console, trial, "bold red")
    if len(mismatches) > _SHOWN and not verbose:
        console.print(f"\nand {len(mismatches) - _SHOWN} more, shown with --verbose")
    _print_faults(console, measured, verbose=verbose)


def print_decision(console: Console, validation: Validation, code: int) -> None:
    """The last line: the exit code, which profiles decided it, and which were only measured."""
    decided: list[str] = []
    measured: list[str] = []
    known = 0
    for profile in dict.fromkeys(one.profile for one in validation.measurements):
        trials = [trial for one in validation.measurements if one.profile == profile for trial in one.trials]
        held = [trial for trial in trials if trial.documented is not None]
        if held:
            kept = sum(trial.as_documented for trial in held)
            decided.append(f"{profile} gives {kept:,} of {_counted(len(held), 'outcome')} as documented")
            known += sum(trial.as_documented and not trial.is_right for trial in held)
        if len(held) < len(trials):
            hint = "" if held else f" (--profile {profile} makes it decide)"
            measured.append(f"{_counted(len(trials) - len(held), 'outcome')} of {profile}{hint}")
    words = f"Exit code {code}: {', '.join(decided)}."
    words += f" Of these {known:,} are known to be wrong, which decides nothing." if known else ""
    words += f" Only measured: {', '.join(measured)}." if measured else ""
    console.print()
    _print(console, Text(words, style="bold"), "  ")


def _result(validation: Validation, mismatches: Sequence[Trial]) -> Text:
    rules = len({one.rule for one in validation.measurements if one.n})
    tried = f"{_counted(rules, 'rule')} on {_counted(validation.examples, 'labelled example')}"
    if not mismatches:
        text = Text.assemble(("As documented", "bold green"), f": {tried}.")
    else:
        text = Text.assemble(
            (f"{_counted(len(mismatches), 'outcome')} not as documented", "bold red"), f": {tried}."
        )
    if validation.left_out:
        text.append(f" {_counted(validation.left_out, 'example')} of other rules left out.", "dim")
    return text


def _print_each(console: Console, measured: Sequence[Measurement]) -> None:
    """A line for every example: pass or fail under each profile, what is right, its name and why."""
    for rule in dict.fromkeys(one.rule for one in measured):
        own = [one for one in measured if one.rule == rule]
        profiles: list[Profile] = [one.profile for one in own]
        rows = list(listed(own, profiles))
        name = max(len(_shown_id(row)) for row in rows)
        head = "  ".join(f"{profile:<6}" for profile in profiles)
        console.print(Text(f"{head}  {'expected':<12}  {rule}", style="bold"), soft_wrap=True)
        for row in rows:
            line = Text()
            for result in row.results:
                line.append(f"{result:<6}", _STYLES.get(result, "")).append("  ")
            line.append(f"{EXPECTED[row.example.right]:<12}  {_shown_id(row):<{name}}  ")
            line.append(visible(shorten(row.example.why, _WHY), newlines=False), "dim")
            console.print(line, soft_wrap=True, no_wrap=True)
        used = {result for row in rows for result in row.results}
        for result, meaning in MEANINGS.items():
            if result in used:
                console.print(Text(f"{result}: {meaning}", style="dim"), soft_wrap=True)
        console.print()


_STYLES = {RIGHT: "green", WRONG: "bold red", FIXED: "bold red", KNOWN: "yellow", MEASURED: "yellow"}
_WHY = 100
_ID = 60


def _shown_id(row: Listed) -> str:
    return visible(shorten(row.example.id, _ID), newlines=False)


def _table(measured: Sequence[Measurement]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for name in HEADINGS:
        table.add_column(name, justify="right" if name in NUMBERS else "left", overflow="fold")
    for before, one in zip((None, *measured), measured, strict=False):
        if before is None or before.layer != one.layer:
            layer = "other" if one.layer is None else f"layer {one.layer}"
            table.add_row(Text(layer, style="dim"))
        table.add_row(*figures(one), style="bold red" if one.mismatches else "")
    return table


def _print_confusion(console: Console, one: Measurement) -> None:
    """Kappa, what was found against what is right, and which parts of the rule decided."""
    kappa = alarm_kappa(one)
    said = "kappa undefined: all examples, or all outcomes, are of one class"
    if kappa is not None:
        said = f"kappa {kappa.value:.2f} (95 % {kappa.low:.2f} to {kappa.high:.2f}) of alarm or none"
    console.print(Text.assemble((f"{one.rule}, {one.profile}", "bold"), f": {said}"), soft_wrap=True)
    rows = confusion(one)
    found = [outcome for outcome in Outcome if any(row[outcome] for row in rows.values())]
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("  right")
    for outcome in found:
        table.add_column(f"found {outcome}", justify="right")
    for right, row in rows.items():
        table.add_row(f"  {right}", *(str(row[outcome]) for outcome in found))
    console.print(table)
    parts = attributions(one)
    for part in parts[:_PARTS]:
        wrong = f", {part.wrong} wrong" if part.wrong else ""
        _print(console, Text(f"  decided by {part.part}: {part.right} right{wrong}", style="dim"), "    ")
    if len(parts) > _PARTS:
        _print(console, Text(f"  and {len(parts) - _PARTS} more, in --json", style="dim"), "    ")
    console.print()


_PARTS = 20


def _print_faults(console: Console, measured: Sequence[Measurement], *, verbose: bool) -> None:
    faults = [trial for one in measured for trial in one.faults if trial.as_documented]
    if not faults:
        return
    console.print()
    counts = Counter((trial.profile, trial.example.rule) for trial in faults)
    for profile in dict.fromkeys(one for one, _ in counts):
        told = ", ".join(f"{rule} {count}" for (one, rule), count in counts.items() if one == profile)
        total = sum(count for (one, _), count in counts.items() if one == profile)
        words = f"wrong by {profile}: {total} ({told})"
        _print(console, Text(words), "  ")
    if not verbose:
        _print(console, Text("--verbose shows each with its trace", style="dim"), "")
        return
    for trial in faults:
        _print_trial(console, trial, "yellow")


def _print_trial(console: Console, trial: Trial, style: str) -> None:
    console.print()
    name = f"{trial.example.rule}: " if trial.example.rule else ""
    console.print(Text(f"{name}{heading(trial)}", style=style), soft_wrap=True)
    for line in trace(trial):
        _print_trace(console, line)


def _print_trace(console: Console, line: TraceLine) -> None:
    text = Text(overflow="fold")
    for part, is_marked in line.text:
        text.append(f"»{part}«" if is_marked else part, _MARK if is_marked else "")
    start = Text(f"  {line.label:<{_LABEL}}", style="dim")
    for piece in text.wrap(console, max(console.width - _LABEL - 2, 24)):
        console.print(start + piece, soft_wrap=True)
        start = Text(" " * (_LABEL + 2))


def _print(console: Console, text: Text, hanging: str) -> None:
    start = ""
    for piece in text.wrap(console, max(console.width - len(hanging), 24)):
        console.print(Text(start) + piece, soft_wrap=True)
        start = hanging


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
