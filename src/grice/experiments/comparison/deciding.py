"""What is said of each measure, and of the pair: improved, regressed, or not shown.

The page as a whole says "improved" or "regressed" of at most 5 % of pairs in which nothing changed, so
completion and quality are tested together. Efficiency is tested apart and only described: whether fewer turns
are better is for the reader to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from grice.experiments.comparison.records import Conclusion, Decision, Measure, ScenarioChange
from grice.stats.multiple import holm, page_adjusted
from grice.stats.paired import Difference

ALPHA = 0.05
"""The share of pairs without any change of which the page may say that something did."""


@dataclass(frozen=True)
class Sizes:
    """From which size on a difference is drawn as an arrow, and as a double one.

    For means these are parts of the baseline, and a difference under `least`, in their unit, has no arrow
    however sure it is: nobody waits for a few milliseconds.
    """

    arrow: float
    double: float
    least: float = 0.0


SIZES = {
    "rate": Sizes(0.02, 0.10),
    "points": Sizes(0.05, 0.25, least=0.1),
    "turns": Sizes(0.05, 0.25, least=0.1),
    "topics": Sizes(0.05, 0.25, least=0.1),
    "tokens": Sizes(0.05, 0.25, least=10),
    "seconds": Sizes(0.05, 0.25, least=0.05),
}
"""For rates in shares, so 2 and 10 points; for means, by unit, 5 % and 25 % of the baseline.

| arrow | size | shown |
|---|---|---|
| `─` | under the first | no |
| `△` `▽` | from the first on | no: it may be chance |
| `▲` `▼` | any | yes |
| `▲▲` `▼▼` | from the second on | yes |

A mean that differs by less than `least` has `─`, shown or not. Up is better: fewer turns point up.
"""

ONLY_DESCRIBED = (
    "only described: whether it is better this way is for you to say; conversations that failed are in it"
)


def decide(measures: Sequence[Measure]) -> tuple[Measure, ...]:
    """The measures of one page with adjusted p-values, decisions and arrows."""
    completion = [one for one in measures if one.family == "completion"]
    quality = [one for one in measures if one.family == "quality"]
    efficiency = [one for one in measures if one.family == "efficiency"]
    primary, others = page_adjusted(_p(completion[0]) if completion else None, [_p(one) for one in quality])
    adjusted = [*([primary] * len(completion)), *others, *holm([_p(one) for one in efficiency])]
    ordered = [*completion, *quality, *efficiency]
    return tuple(_decided(one, p) for one, p in zip(ordered, adjusted, strict=True))


def conclude(measures: Iterable[Measure], changes: Iterable[ScenarioChange] = ()) -> Conclusion:
    """What the decisions come to, with changes of scenarios that are not left to chance."""
    decisions = {one.decision for one in measures}
    kinds = {one.kind for one in changes}
    decisions |= {"improved"} if "newly passing" in kinds else set()
    decisions |= {"regressed"} if "newly failing" in kinds else set()
    if {"improved", "regressed"} <= decisions:
        return "mixed"
    if "improved" in decisions:
        return "improved"
    return "regressed" if "regressed" in decisions else "no difference shown"


def arrow_of(measure: Measure, shown: bool) -> str:
    """The arrow for the size and direction of the difference; see SIZES. "" where there is none."""
    found = measure.difference
    if found is None:
        return ""
    size = _size(measure, found.value)
    sizes = SIZES[measure.unit or "rate"]
    if round(abs(found.value), 9) < sizes.least:
        return "─"
    better = (found.value > 0) == (measure.better == "higher")
    if shown:
        arrow = "▲" if better else "▼"
        return arrow * 2 if size >= sizes.double else arrow
    if size < sizes.arrow:
        return "─"
    return "△" if better else "▽"


def _size(measure: Measure, value: float) -> float:
    """Without the tail that floats leave: 0.83 - 0.81 is two points."""
    if measure.kind == "rate" or not value:
        return round(abs(value), 9)
    return round(abs(value / measure.baseline), 9) if measure.baseline else float("inf")


def _p(measure: Measure) -> float | None:
    """The larger one of both ways to count scenarios."""
    found, alike = measure.difference, measure.alike
    if found is None or found.p is None:
        return None
    return found.p if alike is None or alike.p is None else max(found.p, alike.p)


def _decided(measure: Measure, adjusted: float | None) -> Measure:
    found = measure.difference
    if found is not None and is_exact(found):
        return _as_it_is(measure, found.value)
    if found is None or adjusted is None or found.low is None or found.high is None:
        return replace(measure, arrow=arrow_of(measure, False), note=_joined(_why_open(found), measure.note))
    doubt, once = doubt_of(measure), counted_once(measure)
    shown = adjusted <= ALPHA and not doubt
    arrow = arrow_of(measure, shown)
    if measure.family == "efficiency":
        note = _joined(ONLY_DESCRIBED, doubt or once, measure.note)
        return replace(measure, adjusted_p=adjusted, arrow=arrow, note=note)
    return replace(
        measure,
        adjusted_p=adjusted,
        arrow=arrow,
        decision=_decision(measure, found.value) if shown else "not shown",
        note=_joined(doubt or once, measure.note),
    )


def is_exact(found: Difference) -> bool:
    """Whether it is no estimate: nothing of it is left to chance."""
    return found.p is None and found.low == found.value == found.high


def _as_it_is(measure: Measure, value: float) -> Measure:
    """Of a difference that no chance is in: any of completion, of others from the size of an arrow on."""
    counts = arrow_of(measure, False) != "─" or measure.family == "completion"
    if not value or not counts:
        return replace(measure, arrow="─")
    return replace(measure, arrow=arrow_of(measure, True), decision=_decision(measure, value))


def _why_open(found: Difference | None) -> str:
    """Why nothing can be decided; the test and its reason stand with the statistics."""
    if found is None:
        return ""
    if found.p is None:
        return found.why
    return "every scenario changed by the same amount: no interval" if found.changed else "nothing changed"


def doubt_of(measure: Measure) -> str:
    """Why a small p-value of its difference is not enough, "" where it is, or where there is none."""
    found, alike = measure.difference, measure.alike
    if found is None or found.low is None or found.high is None or found.p is None or found.p > ALPHA:
        return ""
    if _holds_zero(found):
        return "the test shows a difference, its interval does not"
    if alike is not None and _is_blocked(found, alike):
        once = counted_once(measure)
        return once if alike.p is None else f"{once}, which does not show the same"
    return ""


def _is_blocked(found: Difference, alike: Difference) -> bool:
    return alike.p is None or alike.p > ALPHA or alike.value * found.value <= 0 or _holds_zero(alike)


def _holds_zero(difference: Difference) -> bool:
    """Whether no difference at all is within its interval; not where there is none."""
    if difference.low is None or difference.high is None:
        return False
    return difference.low <= 0 <= difference.high


def counted_once(measure: Measure) -> str:
    """The difference with each scenario, and each kind of check in it, counted once, in words.

    "" where it is much the same, by the sizes of arrows, and shown as well.
    """
    found, alike = measure.difference, measure.alike
    if found is None or alike is None:
        return ""
    if alike.p is None:
        return alike.why
    blocks = found.p is not None and found.p <= ALPHA and _is_blocked(found, alike)
    if not blocks and _size(measure, alike.value - found.value) < SIZES[measure.unit or "rate"].arrow:
        return ""
    what = "scenario and each kind of check in it" if measure.overall else "scenario"
    between = ""
    if alike.low is not None and alike.high is not None:
        between = f" ({_amount(measure, alike.low)} to {_amount(measure, alike.high)})"
    unit = measure.unit or "points"
    return (
        f"some scenarios have more values than others; with each {what} counted once it is "
        f"{_amount(measure, alike.value)} {unit}{between}"
    )


def _amount(measure: Measure, value: float) -> str:
    return f"{value * 100:+z.1f}" if measure.kind == "rate" else f"{value:+z,.2f}"


def _decision(measure: Measure, value: float) -> Decision:
    return "improved" if (value > 0) == (measure.better == "higher") else "regressed"


def _joined(*notes: str) -> str:
    return "; ".join(note for note in notes if note)
