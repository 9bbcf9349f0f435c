"""Measurements in figures: how rates and counts are written, in the console and in Markdown alike."""

from __future__ import annotations

from grice.stats.rates import Rate
from grice.validation.measuring import UNDECIDED, Measurement

__all__ = ["CHOSEN", "HEADINGS", "NOTES", "NUMBERS", "figures", "rate_text"]

HEADINGS = ("rule", "profile", "n", "false", "precision", "missed", "recall", "right", "undecided")
"""The columns of a table of measurements."""

NUMBERS = ("n", "false", "missed", "right", "undecided")
"""The columns that hold a number."""

_MEANING = (
    "An alarm is the outcome fail. false: alarms that are wrong; precision: the share of alarms that is",
    "right. missed: what should fail and does not; recall: the share of it that does fail. Both with their",
    "95 % Wilson interval, and - where undefined.",
)
_COUNTS = (
    "right: how many of the n outcomes, each one of five, are right. undecided: how many are inconclusive,",
    "skipped or error, in brackets how many of these should not be.",
)
NOTES = (" ".join(_MEANING), " ".join(_COUNTS))
"""What the columns mean."""

CHOSEN = "The examples were chosen to be hard, by the authors of the rules: no sample of any traffic."
"""What the figures of Grice's own examples are worth."""


def figures(one: Measurement) -> tuple[str, ...]:
    """The cells of a row, in the order of HEADINGS."""
    right = one.accuracy.successes if one.accuracy is not None else 0
    return (
        one.rule,
        one.profile,
        str(one.n),
        str(one.alarms.false_alarms),
        rate_text(one.precision),
        str(one.alarms.missed),
        rate_text(one.recall),
        str(right),
        _undecided(one),
    )


def rate_text(given: Rate | None) -> str:
    """`0.95 0.83-0.99`, or a dash where no rate is defined."""
    return "-" if given is None else f"{given.value:.2f} {given.low:.2f}-{given.high:.2f}"


def _undecided(one: Measurement) -> str:
    counts = [one.undecided[outcome] for outcome in UNDECIDED]
    found, right = sum(held.found for held in counts), sum(held.right for held in counts)
    return f"{found}" if found == right else f"{found} ({found - right})"
