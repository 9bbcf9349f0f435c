"""Results on a terminal. Text of agents is shown as text: never as markup, never with control characters."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from io import TextIOWrapper
from itertools import chain, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeAlias

import msgspec

from grice.experiments.check_rows import check_rows, count_softened, count_uncalibrated
from grice.identity import redact_text
from grice.matching.failure import headline
from grice.matching.redacted import redacted_record
from grice.records import MODEL_ADDRESS, Outcome, Result, Verdict
from grice.reporting.layout import cells, transcript_rows, wrapped
from grice.reporting.lines import Line, leave, written
from grice.reporting.text import (
    broken_check_lines,
    claim_text,
    failed_first,
    fixed_address_lines,
    hollow_lines,
    hollow_verdicts,
    marked_turn,
    only_lines,
    reason_lines,
    soft_only_lines,
    softened_lines,
    told_first,
    turn_text,
    uncalibrated_lines,
    unchecked_lines,
)
from grice.running.outcomes import UNCHECKED
from grice.text import shorten, visible
from grice.text.display import plural, shown_lines

if TYPE_CHECKING:
    from rich.console import Console

STYLES = {
    Outcome.PASS: "green",
    Outcome.FAIL: "bold red",
    Outcome.INCONCLUSIVE: "bold yellow",
    Outcome.ERROR: "bold magenta",
    Outcome.SKIPPED: "dim",
}

_WIDTH, _HEIGHT = 100, 25  # of a file or a pipe, which have none
_KEY_WIDTH = 32
_NOTE = " " * 7
_CALM = (Outcome.PASS, Outcome.SKIPPED)
_PASS_LENGTH = len("error") + 2
_NAMED = 100
"""How many results that did not pass a summary names."""
_LONGEST_PROBLEM, _PROBLEM_LINES = 50_000, 500


class PlainScreen:
    """A file or pipe as a console: lines are written as they are, and everything else by rich.

    It shows no secret, and goes quiet when nobody reads it any more, as before `| head -1`.
    """

    is_terminal = False

    def __init__(self, stream: TextIO, width: int) -> None:
        self.file = stream
        self.width = width
        self.quiet = False

    @property
    def encoding(self) -> str:
        """How the stream writes characters."""
        return self.file.encoding or "utf-8"

    def print(self, *objects: Any, soft_wrap: bool = False, end: str = "\n") -> None:
        """Print the objects; lines lose their secrets."""
        if self.quiet:
            return
        one = objects[0] if soft_wrap and len(objects) == 1 else None
        plain = getattr(one, "plain", None) if objects else ""
        if plain is not None and "\t" not in plain:
            self.quiet = not written(f"{redact_text(plain)}{end}", self.file)
        else:
            console = _rich(self.file, self.width)
            console.print(*objects, soft_wrap=soft_wrap, end=end)
            self.quiet = console.quiet

    def on_broken_pipe(self) -> None:
        """Go quiet: the reader has left."""
        self.quiet = True
        leave(self.file)


Screen: TypeAlias = "Console | PlainScreen"
"""Where results are printed. A terminal is always a console of rich."""


def screen_for(stream: TextIO) -> Screen:
    """A console on the stream: 100 columns wide when it is no terminal and COLUMNS does not say otherwise.

    Nothing in a text is markup; what the stream's encoding cannot write is escaped. When its reader has
    left, `quiet` is set and the rest is not written. Where NO_COLOR is set, nothing is bold either. Of rich
    nothing is loaded for a file or a pipe, unless the environment says that it shows colors.
    """
    if isinstance(stream, TextIOWrapper) and stream.errors == "strict":
        stream.reconfigure(errors="backslashreplace")
    columns = os.environ.get("COLUMNS") or str(_WIDTH)
    said = os.environ.get("FORCE_COLOR") or os.environ.get("TTY_COMPATIBLE")
    if not stream.isatty() and not said and columns.isdigit():
        return PlainScreen(stream, int(columns))
    return _rich(stream, 0 if stream.isatty() or os.environ.get("COLUMNS") else _WIDTH)


def _rich(stream: TextIO, width: int) -> Console:
    """A console of rich, as wide as the terminal unless it is said."""
    from grice.reporting.rich_console import rich_console

    return rich_console(stream, size=(width, _HEIGHT) if width else None)


def print_line(console: Screen, text: str, *, style: str = "", indent: str = "", hanging: str = "") -> None:
    """One line of plain text, wrapped under `hanging` when it is longer than the console is wide."""
    print_text(console, Line(indent), text, style=style, hanging=hanging or indent)


def print_text(console: Screen, start: Line, text: str, *, style: str = "", hanging: str = "") -> None:
    """The styled start of a line, and text behind it that goes on under `hanging`."""
    room = max(console.width - max(cells(start.plain), cells(hanging)), 24)
    for part in wrapped(redact_text(text), room):
        console.print(start.append(part, style=style), soft_wrap=True)
        start = Line(hanging)


def print_problem(console: Screen, message: str) -> None:
    """What is wrong, line by line, cut when it is long; places in files are whole, so that they are links."""
    for line in shown_lines(redact_text(message), _LONGEST_PROBLEM, _PROBLEM_LINES):
        console.print(Line(line, style="bold red"), soft_wrap=True)


def print_result(
    console: Screen,
    result: Result,
    *,
    verbose: bool = False,
    key_width: int = 0,
    notes: Sequence[str] = (),
    causes: bool = False,
) -> bool:
    """One line for the result, and its notes; below it the transcript and the verdicts that did not pass.

    Of a passed one a soft verdict that did not is a line; with `verbose` its transcript and all verdicts are
    there too. What was skipped is a line with the reason. `key_width` is that of the longest key of the run.
    With `causes` what the record of one that did not pass shows stands behind its verdicts.
    Secrets are redacted, as in a journal. Returns whether it ends with an empty line, as below a transcript.
    """
    result = redacted_record(result, Result)
    notable = [one for one in result.verdicts if one.outcome is not Outcome.PASS]
    detailed = result.outcome not in _CALM or (verbose and result.outcome is Outcome.PASS)
    _print_heading(console, result, key_width)
    for note, indent in zip(notes, chain((_NOTE,), repeat(f"{_NOTE}  ")), strict=False):
        print_line(console, visible(note, newlines=False), style="cyan", indent=indent)
    if not detailed:
        for one in notable:
            if one.outcome is not Outcome.SKIPPED:
                _print_soft(console, one)
                continue
            said = visible(one.reason or one.claim, newlines=False)
            told = said if result.outcome is Outcome.SKIPPED else f"skipped: {said}"
            print_line(console, told, style="dim", indent=_NOTE)
        return False
    if result.file and result.outcome is not Outcome.PASS:
        console.print(Line(f"       {_shown_path(result.file)}", style="dim"), soft_wrap=True)
    console.print()
    if result.conversation.turns:
        turns = result.conversation.turns
        for row in transcript_rows(turns, marked=marked_turn(notable), width=console.width - 2):
            console.print(Line(f"  {row}", style="red" if row.startswith(">") else ""), soft_wrap=True)
        console.print()
    print_verdicts(console, result.verdicts if verbose else sorted(notable, key=told_first))
    if not result.verdicts:
        print_line(console, "nothing was checked", indent="    ")
    if causes and result.outcome is not Outcome.PASS:
        _print_causes(console, result)
    console.print()
    return True


def _print_causes(console: Screen, result: Result) -> None:
    from grice.checks.causes import SHOWN, cause_lines

    if lines := cause_lines(result.conversation):
        console.print()
        print_line(console, f"{SHOWN}:", indent="    ")
    for line in lines:
        print_line(
            console, visible(line, newlines=False), style="yellow", indent="      ", hanging="        "
        )


def _print_soft(console: Screen, verdict: Verdict) -> None:
    """One line for a soft verdict that did not pass, cut where the console ends."""
    start = Line(_NOTE).append(f"soft {verdict.outcome}", style=STYLES[verdict.outcome])
    said = headline(msgspec.structs.replace(verdict, outcome=Outcome.FAIL))
    _print_cut(console, start, f"{turn_text(verdict)}{said}")


def _print_cut(console: Screen, start: Line, said: str, style: str = "") -> None:
    """The start of a line and what is said behind it, cut where the console ends."""
    room = console.width - cells(start.plain) - 2
    if cells(said) > room:
        said = f"{next(wrapped(said, max(room - 3, _PASS_LENGTH)))}..."
    console.print(start.append(f"  {said}", style=style), soft_wrap=True)


def _shown_path(file: str) -> str:
    """The path as it is seen from the current folder, when it lies below."""
    path, here = Path(file), Path.cwd()
    return visible(str(path.relative_to(here) if path.is_relative_to(here) else path), newlines=False)


def _print_heading(console: Screen, result: Result, key_width: int) -> None:
    start = Line().append(f"{result.outcome:<{_PASS_LENGTH}}", style=STYLES[result.outcome])
    if not start.plain.endswith(" "):
        start.append(" ")
    key = visible(result.key, newlines=False)
    room = console.width - cells(start.plain) - min(key_width, _KEY_WIDTH) - 2
    start.append(key, style="bold")
    if result.description and room >= 20:
        start.append(" " * max(0, min(key_width, _KEY_WIDTH) - cells(key)))
        room = console.width - cells(start.plain) - 2
        words = visible(result.description, newlines=False)
        if cells(words) > room:
            words = next(wrapped(words, max(room - 3, 1))) + "..."
        start.append(f"  {words}", style="dim")
    console.print(start, soft_wrap=True)


def print_verdicts(console: Screen, verdicts: Sequence[Verdict], *, turns: bool = False) -> None:
    """A line a verdict, with `turns` its turn too; the reason under it unless it passed.

    What is said of hard and of soft ones begins in one column.
    """
    names = [f"{'soft ' if one.mode == 'soft' else ''}{one.outcome}" for one in verdicts]
    width = max([_PASS_LENGTH, *(len(name) + 2 for name in names)])
    hanging = " " * (4 + width)
    for verdict, name in zip(verdicts, names, strict=True):
        start = Line("    ").append(name, style=STYLES[verdict.outcome]).append(" " * (width - len(name)))
        if not verdict.claim:  # as of what was skipped: the reason says it all
            print_text(console, start, visible(verdict.reason, newlines=False), hanging=hanging)
            continue
        told = f"{turn_text(verdict) if turns else ''}{claim_text(verdict)}"
        print_text(console, start, told, hanging=hanging)
        for row in reason_lines(verdict):
            margin = hanging + row[: len(row) - len(row.lstrip())]
            print_line(console, row.lstrip(), style="yellow", indent=margin, hanging=f"{margin}  ")


def print_summary(
    console: Screen, results: Sequence[Result], seconds: float, *, planned: int = 0, tally: str = ""
) -> None:
    """How many results had each outcome, how many checks that took, and the keys of those that did not pass.

    `planned` is how many there would have been; fewer are named in the line. `tally` says what they are.
    """
    counts = Counter(result.outcome for result in results)
    checks = sum(len(one.verdicts) for one in results if one.outcome is not Outcome.SKIPPED)
    for line in broken_check_lines(check_rows(verdict for one in results for verdict in one.verdicts)):
        print_line(console, line, style="bold red")
    parts = [counted(outcome, counts[outcome]) for outcome in Outcome if counts[outcome]]
    if planned > len(results):
        parts.append(f"{planned - len(results)} not run")
    passed = counts[Outcome.PASS] and set(counts) <= set(_CALM) and planned <= len(results)
    if results and not passed and set(counts) == {Outcome.SKIPPED}:
        parts.append("nothing tested")
    start = Line().append(", ".join(parts) or "nothing tested", "bold green" if passed else "bold red")
    start.append(
        f"  {f'{tally}, ' if tally else ''}{checks} check{'' if checks == 1 else 's'} in {seconds:.2f} s",
        style="dim",
    )
    console.print(start, soft_wrap=True)
    if len(results) > 1 and not passed:
        named = [result for result in results if result.outcome not in _CALM]
        for result in named[:_NAMED]:
            start = Line().append(f"  {_WORDS[result.outcome]:<8}", style=STYLES[result.outcome])
            key = shorten(visible(result.key, newlines=False), 80)
            _print_cut(console, start.append(f" {key}"), failed_first(result), "dim")
        if len(named) > _NAMED:
            print_line(console, f"  and {len(named) - _NAMED} more")
    for note in _notes(results):
        print_line(console, note, style="dim", hanging=" " * (len(note) - len(note.lstrip()) + 2))


def counted(outcome: Outcome, count: int) -> str:
    """`12 passed`, `2 errors`."""
    return plural(count, "error") if outcome is Outcome.ERROR else f"{count} {_WORDS[outcome]}"


def _notes(results: Sequence[Result]) -> list[str]:
    """What is to be known of the results besides their outcomes."""
    held = (one.conversation.metadata.get(MODEL_ADDRESS) for one in results)
    soft_only = [
        one
        for one in results
        if one.outcome is Outcome.PASS
        and one.verdicts
        and all(verdict.mode == "soft" for verdict in one.verdicts)
    ]
    hollow = [found for one in results for found in hollow_verdicts(one.key, one.verdicts)]
    return [
        *fixed_address_lines(str(address) for address in held if address is not None),
        *only_lines((_shown_path(one.file), _why_left_out(one)) for one in results),
        *soft_only_lines(len(soft_only)),
        *uncalibrated_lines(count_uncalibrated(verdict for one in results for verdict in one.verdicts)),
        *softened_lines(count_softened(verdict for one in results for verdict in one.verdicts)),
        *unchecked_lines([one.key for one in results if _is_unchecked(one)]),
        *hollow_lines(hollow),
    ]


def _is_unchecked(result: Result) -> bool:
    """Whether all that is known of the test is that its body went through, and that checks nothing."""
    return any(not one.matcher and one.reason == UNCHECKED for one in result.verdicts)


def _why_left_out(result: Result) -> str:
    """Why the scenario was left out, "" when it was not."""
    left_out = result.outcome is Outcome.SKIPPED and not result.conversation.turns
    return result.verdicts[0].reason if left_out and result.verdicts else ""


_WORDS = {
    Outcome.PASS: "passed",
    Outcome.FAIL: "failed",
    Outcome.INCONCLUSIVE: "inconclusive",
    Outcome.ERROR: "error",
    Outcome.SKIPPED: "skipped",
}
