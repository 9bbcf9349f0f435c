"""One measure of a comparison in words: its name, both figures, the difference and its interval.

All of them have as many decimals as it takes for them to agree: 100% and 99.98%, not 99.9%, where the
difference is -0.02 points.
"""

from __future__ import annotations

from grice.experiments.comparison.deciding import is_exact
from grice.experiments.comparison.records import Measure
from grice.reporting.figures_text import percent
from grice.text import shorten, visible

LONGEST_NAME = 120
"""How many characters of a name are shown."""

_MOST_DECIMALS = 6
_POINTS = 100.0


def line(text: str, longest: int = 0) -> str:
    """The text on one line, cut to `longest` characters where that is given."""
    shown = visible(text, newlines=False)
    return shorten(shown, longest) if longest else shown


def title(measure: Measure) -> str:
    """The name of the measure: that of a criterion as it is, others with a capital."""
    if measure.family == "quality" and not measure.overall:
        return line(measure.name, LONGEST_NAME)
    name = line(measure.name)
    return name[:1].upper() + name[1:]


def figure(measure: Measure, value: float | None) -> str:
    """A value of the measure: `82.9%`, `5.4`, or `-` where there is none."""
    if value is None:
        return "-"
    decimals = _decimals(measure)
    return percent(value, decimals) if measure.kind == "rate" else f"{value:,.{decimals}f}"


def delta(measure: Measure) -> str:
    """Current less baseline: `+6.4pp` in percentage points for rates, `-0.8` for means, `-` for none."""
    if measure.difference is None:
        return "-"
    unit = "pp" if measure.kind == "rate" else ""
    return f"{measure.difference.value * _scale(measure):+z,.{_decimals(measure)}f}{unit}"


def points(measure: Measure) -> str:
    """The same of a rate in a sentence: `+6.4 points`."""
    return f"{delta(measure).removesuffix('pp')} points"


def interval(measure: Measure) -> str:
    """The 95 % interval of the difference, `+1.2 to +11.6`, in the unit of `delta`; `-` for none."""
    found = measure.difference
    if found is None or found.low is None or found.high is None or is_exact(found):
        return "-"
    return f"{_bound(measure, found.low)} to {_bound(measure, found.high)}"


def size_of_bound(measure: Measure, value: float) -> str:
    """An end of the interval without its sign: `1.2`."""
    return _bound(measure, value).lstrip("+-")


def p_value(p: float | None) -> str:
    """`0.012`, `< 0.001`, or `-` for none."""
    if p is None:
        return "-"
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def enough_decimals(
    before: float | None,
    after: float | None,
    change: float | None,
    *,
    is_rate: bool = True,
    least: int = 1,
) -> int:
    """The fewest decimals, from `least` on, with which two figures and their difference agree; at most 6.

    With these a difference is not shown as 0, nor its two figures as equal, and no rate as 0 or all, unless
    they are. Rates are shares from 0 to 1, and the decimals those of their percentages.
    """
    scale = _POINTS if is_rate else 1.0
    for decimals in range(least, _MOST_DECIMALS):
        if is_rate and any(_is_rounded_to_whole(one, decimals) for one in (before, after)):
            continue
        if _agree(before, after, change, scale, decimals):
            return decimals
    return _MOST_DECIMALS


def _is_rounded_to_whole(rate: float | None, decimals: int) -> bool:
    if rate is None or rate in (0, 1):
        return False
    return round(rate * _POINTS, decimals) in (0, _POINTS)


def _agree(
    before: float | None, after: float | None, change: float | None, scale: float, decimals: int
) -> bool:
    if change is None or not round(change * scale, _MOST_DECIMALS):
        return True
    if not round(change * scale, decimals):
        return False
    if before is None or after is None or before == after:
        return True
    return round(before * scale, decimals) != round(after * scale, decimals)


def _bound(measure: Measure, value: float) -> str:
    """With more decimals than the measure where its sign takes them."""
    is_rate = measure.kind == "rate"
    decimals = enough_decimals(None, None, value, is_rate=is_rate, least=_decimals(measure))
    return f"{value * _scale(measure):+z,.{decimals}f}"


def _scale(measure: Measure) -> float:
    return _POINTS if measure.kind == "rate" else 1.0


def _decimals(measure: Measure) -> int:
    """As many as all of its figures are shown with."""
    is_rate = measure.kind == "rate"
    change = None if measure.difference is None else measure.difference.value
    least = 1 if is_rate else _decimals_of_mean(measure)
    return enough_decimals(measure.baseline, measure.current, change, is_rate=is_rate, least=least)


def _decimals_of_mean(measure: Measure) -> int:
    """As many as the larger of the difference and its interval need to be told from 0, up to 3.

    As many as the figures need where there is no difference.
    """
    found = measure.difference
    shown = (measure.baseline, measure.current) if found is None else (found.value, found.low, found.high)
    size = max(abs(one or 0.0) for one in shown)
    return 0 if size >= 100 else 1 if size >= 0.25 or size == 0 else 2 if size >= 0.025 else 3
