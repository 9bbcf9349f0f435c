"""Estimate the true pass rate from a judge's, given the judge's errors."""

from __future__ import annotations

from grice.stats.estimates import Estimate
from grice.stats.intervals import Z95, furthest


def corrected_rate(
    passed: int, n: int, *, sensitivity: tuple[int, int], specificity: tuple[int, int]
) -> Estimate | None:
    """The true pass rate, from 0 to 1, behind a judge that passed `passed` of `n` items.

    `sensitivity` is how many the judge passed of how many that people passed, `specificity` how many it
    failed of how many that people failed, on other items. The interval carries the doubt in all three. None
    where it cannot be corrected, for which `why_uncorrectable` has the reason. Raises ValueError for counts
    that cannot be. Source: Rogan and Gladen 1978; the interval as in Fieller's theorem, so that a
    judge hardly better than chance has a wide one; smoothed rates, by simulation.
    """
    if why_uncorrectable(passed, n, sensitivity=sensitivity, specificity=specificity) is not None:
        return None
    right, quiet = sensitivity[0] / sensitivity[1], specificity[0] / specificity[1]
    value = min(max((passed / n + quiet - 1) / (right + quiet - 1), 0.0), 1.0)
    low, high = _bounds((passed, n), sensitivity, specificity)
    return Estimate(value, min(low, value), max(high, value), n)


def why_uncorrectable(
    passed: int, n: int, *, sensitivity: tuple[int, int], specificity: tuple[int, int]
) -> str | None:
    """The reason why a judge's pass rate cannot be corrected by its errors; None where it can be.

    Raises ValueError for counts that cannot be.
    """
    given = {"passed": (passed, n), "sensitivity": sensitivity, "specificity": specificity}
    for name, (count, of) in given.items():
        if not 0 <= count <= of:
            raise ValueError(f"{name} counts from 0 to how many there are, found {count} of {of}")
    if n == 0:
        return "nothing was judged"
    if sensitivity[1] == 0:
        return "people passed none of the items the judge was measured on, so its sensitivity is unknown"
    if specificity[1] == 0:
        return "people failed none of the items the judge was measured on, so its specificity is unknown"
    # In whole numbers: right / of + quiet / others <= 1.
    (right, of), (quiet, others) = sensitivity, specificity
    if right * others + quiet * of <= of * others:
        return (
            f"the judge is no better than chance: it passes {right / of:.0%} of what people pass, "
            f"and {1 - quiet / others:.0%} of what they fail"
        )
    return None


def _bounds(
    passed: tuple[int, int], sensitivity: tuple[int, int], specificity: tuple[int, int]
) -> tuple[float, float]:
    """The true rates that the three counts do not rule out.

    At each true rate, what the judge should pass, true * sensitivity + (1 - true) * (1 - specificity), is
    compared with what it passed. Where no true rate fits, the ones that fit least badly are kept.
    """
    rate, rate_error = _smoothed(*passed, Z95**2 / 2)
    right, right_error = _smoothed(*sensitivity, 0.5)
    quiet, quiet_error = _smoothed(*specificity, 0.5)

    def misfit(true: float) -> float:
        gap = rate - true * right - (1 - true) * (1 - quiet)
        return gap * gap / (rate_error + true**2 * right_error + (1 - true) ** 2 * quiet_error)

    # Smoothing can take away what little a judge of few items is better than chance.
    best = min(max((rate + quiet - 1) / (right + quiet - 1), 0.0), 1.0) if right + quiet > 1 else 0.5
    most = misfit(best) + Z95**2

    def fits(true: float) -> bool:
        return misfit(true) <= most

    return furthest(fits, best, 0.0), furthest(fits, best, 1.0)


def _smoothed(count: int, n: int, more: float) -> tuple[float, float]:
    """A rate and its variance, with so many items more on either side."""
    size = n + 2 * more
    rate = (count + more) / size
    return rate, rate * (1 - rate) / size
