"""Measurements as Markdown: the tables of the documentation, and of a pull request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from grice.text import shorten
from grice.validation.figures import HEADINGS, NOTES, NUMBERS, figures
from grice.validation.measuring import Measurement, Trial
from grice.validation.trace import trace
from grice.validation.validating import Validation

__all__ = ["fault_list", "measured_table", "validation_markdown"]

_ESCAPED = str.maketrans({one: f"\\{one}" for one in "\\`*_{}[]<>|#&$~"})
MAX_QUOTE = 160


def validation_markdown(validation: Validation) -> str:
    """The table of a validation, and what is not as documented."""
    measured = [one for one in validation.measurements if one.n]
    lines = [measured_table(measured), "", *NOTES, ""]
    for one in measured:
        if one.mismatches:
            lines += [f"Not as documented, {one.rule}, {one.profile}:", "", fault_list(one.mismatches), ""]
    lines += [f"- {escaped(problem)}" for problem in validation.problems]
    return "\n".join(lines).rstrip() + "\n"


def measured_table(measured: Iterable[Measurement], columns: Sequence[str] = HEADINGS) -> str:
    """A table with a row per rule and profile."""
    places = [HEADINGS.index(one) for one in columns]
    rows = [[escaped(figures(one)[place]) for place in places] for one in measured]
    rule = ["---:" if name in NUMBERS else "---" for name in columns]
    return "\n".join(f"| {' | '.join(row)} |" for row in ([*columns], rule, *rows))


def fault_list(trials: Iterable[Trial]) -> str:
    """A bullet for each trial: what was said, what the check made of it, and what is right."""
    return "\n".join(_bullets(trials))


def _bullets(trials: Iterable[Trial]) -> Iterator[str]:
    for trial in trials:
        example = trial.example
        told = {line.label: line.plain for line in trace(trial)}
        quote = shorten(told.get("reply") or told.get("data") or told.get("user", ""), MAX_QUOTE)
        why = f": {escaped(example.why)}" if example.why else ""
        yield f'- "{escaped(quote)}" is {trial.verdict.outcome}, right is {example.right}{why}'


def escaped(text: str) -> str:
    """The text as Markdown shows it, without any meaning of its own."""
    return " ".join(text.translate(_ESCAPED).split())
