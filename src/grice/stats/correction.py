"""What a judge's pass rate says of the true one, once its errors are known."""

from __future__ import annotations

from grice.stats.estimates import Estimate
from grice.stats.intervals import Z95, furthest

__all__ = ["corrected_rate", "why_uncorrectable"]


def corrected_rate(
    passed: int, n: int, *, sensitivity: tuple[int, int], specificity: tuple[int, int]
) -> Estimate | None:
    """The true pass rate, from 0 to 1, behind a judge that passed `passed` of `n`.

    `sensitivity` is how many the judge passed of how many that people passed, `specificity` how many it
    failed of how many that people failed, on other items. The interval carries the doubt in all three. None
    where it cannot be corrected, for which `why_uncorrectable` has the reason. Raises ValueError for counts
    that cannot be. Source: Rogan and Gladen 1978.
    """
    if why_uncorrectable(passed, n, sensitivity=sensitivity, specificity=specificity) is not None:
        return None
    rate, sure, quiet = passed / n, sensitivity[0] / sensitivity[1], specificity[0] / specificity[1]
    value = min(max((rate + quiet - 1) / (sure + quiet - 1), 0.0), 1.0)
    low, high = _bounds(passed, n, sensitivity, specificity, value)
    return Estimate(value, low, high, n)


def why_uncorrectable(
    passed: int, n: int, *, sensitivity: tuple[int, int], specificity: tuple[int, int]
) -> str | None:
    """Why a judge's pass rate cannot be corrected by its errors; None where it can be."""
    for name, (count, of) in (
        ("passed", (passed, n)),
        ("sensitivity", sensitivity),
        ("specificity", specificity),
    ):
        if not 0 <= count <= of:
            raise ValueError(f"{name} is a count and how many there are, found {count} of {of}")
    if n == 0:
        return "nothing was judged"
    if sensitivity[1] == 0:
        return "how often the judge passes what people pass is unknown: they passed none of the items of its card"
    if specificity[1] == 0:
        return (
            "how often the judge fails what people fail is unknown: they failed none of the items of its card"
        )
    sure, quiet = sensitivity[0] / sensitivity[1], specificity[0] / specificity[1]
    if sensitivity[0] * specificity[1] + specificity[0] * sensitivity[1] <= sensitivity[1] * specificity[1]:
        return (
            f"the judge is no better than chance: it passes {sure:.0%} of what people pass "
            f"and {1 - quiet:.0%} of what they fail"
        )
    return None


def _bounds(
    passed: int, n: int, sensitivity: tuple[int, int], specificity: tuple[int, int], value: float
) -> tuple[float, float]:
    """The true rates that the three counts do not rule out."""
    z = Z95
    rate, rate_error = _smoothed(passed, n, z)
    sure, sure_error = _smoothed(*sensitivity, z)
    quiet, quiet_error = _smoothed(*specificity, z)

    # As in Fieller's theorem the line rate = true * sure + (1 - true) * (1 - quiet) is tested at each true
    # rate, so that a judge hardly better than chance has an interval that says so. Where no true rate fits,
    # those that fit least badly are kept.
    def misfit(true: float) -> float:
        gap = rate - true * sure - (1 - true) * (1 - quiet)
        return gap * gap / (rate_error + true**2 * sure_error + (1 - true) ** 2 * quiet_error)

    centre = min(max((rate + quiet - 1) / (sure + quiet - 1), 0.0), 1.0) if sure + quiet > 1 else value
    most = misfit(centre) + z * z
    low, high = (
        furthest(lambda true: misfit(true) <= most, centre, 0.0),
        furthest(lambda true: misfit(true) <= most, centre, 1.0),
    )
    return min(low, value), max(high, value)


def _smoothed(count: int, n: int, z: float) -> tuple[float, float]:
    """A rate and its variance with two successes and two failures added: Agresti and Coull 1998."""
    more = n + z * z
    rate = (count + z * z / 2) / more
    return rate, rate * (1 - rate) / more
