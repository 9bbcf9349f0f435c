"""Figures in words, alike in all reports: shares, shares of so many, intervals, numbers of things."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grice.stats.estimates import Estimate
    from grice.stats.rates import Rate, Share


def percent(rate: float | None, decimals: int = 1) -> str:
    """A share from 0 to 1 as `87.5%`, `100%`, or `-` for None; never rounded up to all or down to none."""
    if rate is None:
        return "-"
    if rate in (0, 1):
        return f"{rate:.0%}"
    least = 10.0**-decimals
    return f"{min(max(rate * 100, least), 100 - least):.{decimals}f}%"


def counted_rate(one: Share, word: str = "") -> str:
    """`78.7% (37/47)`, with the word behind the numbers; `-` of nothing."""
    if not one.total:
        return "-"
    return f"{percent(one.rate)} ({one.passed:,}/{one.total:,}{word and f' {word}'})"


def span(low: float, high: float) -> str:
    """From one share to the other: `65.1% to 88.0%`."""
    return f"{percent(low)} to {percent(high)}"


def range_text(found: Estimate | None) -> str:
    """The interval of a rate, `65.1% to 88.0%`; `-` where there is none."""
    return "-" if found is None else span(found.low, found.high)


def rate_text(given: Rate | None) -> str:
    """A measured rate with its interval, `0.95 0.83-0.99`; `-` where none is defined."""
    return "-" if given is None else f"{given.value:.2f} {given.low:.2f}-{given.high:.2f}"
