"""Measurements of judges as Markdown: for a pull request, and for documentation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from grice.text import visible
from grice.validation.judges.measuring import JudgeMeasured
from grice.validation.judges.own_examples import CriteriaMeasured
from grice.validation.judges.wording import (
    CRITERIA_HEADINGS,
    CRITERIA_NOTES,
    criteria_cells,
    disagreement_lines,
    judge_rows,
    judge_summary,
    judges_text,
    other_rows,
    trial_heading,
    trial_lines,
)
from grice.validation.markdown import escaped

__all__ = ["BEGINNINGS", "criteria_markdown", "judge_markdown"]

BEGINNINGS = (b"| criterion |", b"| judge |")
"""How the files begin, by which one of Grice is told from anybody else's."""

_MAX_ITEMS = 200


def criteria_markdown(found: CriteriaMeasured) -> str:
    """The table of criteria, and every example that is judged otherwise."""
    lines = [_table(CRITERIA_HEADINGS, map(criteria_cells, found.measured)), ""]
    for note in (judges_text(found), *CRITERIA_NOTES):
        lines += [_plain(note), ""]
    told = [(one, note) for one in found.measured for note in (one.kappa_note, *one.problems) if note]
    notes = [f"{one.criterion.name}: {note}" for one, note in told]
    if found.without:
        notes.append(f"without examples, so not tried: {len(found.without)} ({', '.join(found.without)})")
    lines += _bullets([*notes, *found.problems])
    for one in found.measured:
        for trial in one.trials:
            if not trial.right:
                lines += [f"{_plain(trial_heading(one, trial))}:", "", *_pairs(trial_lines(trial)), ""]
    return "\n".join(lines).rstrip() + "\n"


def judge_markdown(one: JudgeMeasured) -> str:
    """The figures of a judge, and the items of which it says something else than most people."""
    rows = [*judge_rows(one)]
    lines = [
        _table(("judge", "held out", "dev"), [(one.identity.judge, "", ""), *rows]),
        "",
        f"{_plain(judge_summary(one))}. Split: {_plain(str(one.split))}.",
        "",
        _table(("", "value"), other_rows(one)),
        "",
        *_bullets(one.notes),
    ]
    apart = one.disagreements
    for each in apart[:_MAX_ITEMS]:
        half = "dev" if each.dev else "held out"
        lines += [f"{_plain(each.item)} ({half}):", "", *_pairs(disagreement_lines(each)), ""]
    if len(apart) > _MAX_ITEMS:
        lines.append(f"And {len(apart) - _MAX_ITEMS:,} more.")
    return "\n".join(lines).rstrip() + "\n"


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    whole = [list(headings), ["---"] * len(headings), *([_plain(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(row)} |" for row in whole)


def _bullets(notes: Iterable[str]) -> list[str]:
    found = [f"- {_plain(note)}" for note in notes]
    return [*found, ""] if found else []


def _pairs(lines: Iterable[tuple[str, str]]) -> list[str]:
    return [f"- {label}: {_plain(text)}" for label, text in lines]


def _plain(text: str) -> str:
    """The text without any meaning of its own, for Markdown and for a terminal that shows the file."""
    return escaped(visible(text))
