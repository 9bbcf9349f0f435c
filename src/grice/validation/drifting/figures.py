"""What a comparison came to, in words and figures: the same in the console and in Markdown."""

from __future__ import annotations

from grice.judging.drift import Drift, Scores, Shift, plain

__all__ = ["HEADINGS", "MEANING", "NUMBERS", "cells", "change_text", "headline", "noise_text", "unexplained"]

HEADINGS = ("judge", "scenario", "then", "now", "change", "level", "samples of then")
"""The columns of a table of scenarios."""

NUMBERS = ("then", "now", "change")
"""The columns that hold a number."""

MEANING = (
    "then, now: the median of all scores of the scenario, in brackets the lowest and the highest; yes is 1, "
    "no is 0. level: a change of 0.3 is info, of 0.5 warning, of 1.0 critical, either way; a drop of 0.5 or "
    "more is an alarm. samples of then: the medians that one sample of each anchor would give."
)
"""What the columns mean."""


def cells(shift: Shift) -> tuple[str, ...]:
    """The cells of a row, in the order of HEADINGS."""
    return (
        shift.judge,
        shift.scenario,
        _median(shift.before),
        _median(shift.now),
        change_text(shift),
        shift.level if shift.level != "steady" else "",
        _noise(shift.before),
    )


def change_text(shift: Shift) -> str:
    """The change with its sign: -0.5, +1, 0."""
    return f"{'+' if shift.delta > 0 else ''}{plain(shift.delta)}"


def headline(drift: Drift) -> str:
    """What came of it in one sentence."""
    drops = drift.drops
    ups = sum(one.level != "steady" and one.delta > 0 for one in drift.shifts)
    downs = sum(one.level == "info" and one.delta < 0 for one in drift.shifts)
    rest = [f"{ups} rose by 0.3 or more" if ups else "", f"{downs} fell by less than 0.5" if downs else ""]
    said = "".join(f"; {one}" for one in rest if one)
    untold = f"; {_untold(drift)} cannot be told" if _untold(drift) else ""
    if not drops:
        return f"No drop of 0.5 or more in {_counted(len(drift.shifts))}{said}{untold}."
    return f"{len(drops)} of {_counted(len(drift.shifts))} dropped by 0.5 or more{said}{untold}."


def _untold(drift: Drift) -> int:
    """How many scenarios got no answer, or too few to tell whether they dropped."""
    asked = sum(len(one.scenarios) for one in drift.now.judges.values())
    return asked - sum(one.certain for one in drift.shifts)


def noise_text(shift: Shift) -> str:
    """Whether the change is more than what the samples of the baseline differed by anyway."""
    if shift.within_noise is None:
        return (
            "the baseline has one sample of an anchor: how far answers vary by themselves is unknown; "
            "accept a baseline with --samples 5"
        )
    spread = _noise(shift.before)
    if shift.within_noise:
        return f"within the spread of the baseline's own samples ({spread}): it may be noise"
    return f"outside the spread of the baseline's own samples ({spread})"


def unexplained(drift: Drift) -> str:
    """What is said where nothing about the judges has changed."""
    moved = any(one.level != "steady" for one in drift.shifts)
    why = "; what moved is noise, or another model behind the same name" if moved else ""
    return f"Same models, prompts and criteria as then{why}."


def _median(scores: Scores) -> str:
    given = scores.given
    if scores.median is None:
        return "-"
    low, high = min(given), max(given)
    spread = f" ({plain(low)}-{plain(high)})" if low != high else ""
    missing = f", {scores.missing} missing" if scores.missing else ""
    return f"{plain(scores.median)}{spread}{missing}"


def _noise(scores: Scores) -> str:
    if scores.noise is None:
        return "one only"
    low, high = map(plain, scores.noise)
    return f"{low}-{high}" if low != high else f"all {low}"


def _counted(number: int) -> str:
    return f"{number} scenario{'' if number == 1 else 's'}"
