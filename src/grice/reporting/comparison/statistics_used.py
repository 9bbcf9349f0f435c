"""Which tests decided a comparison, and why these, in lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grice.experiments.comparison.records import Comparison, Measure
from grice.reporting.comparison.measure_words import line, title

__all__ = ["statistics_lines"]

_FAMILIES = ("completion", "quality")


def statistics_lines(comparison: Comparison) -> list[str]:
    """The test of each measure and why it was taken, and what is done about asking many at once.

    Measures with the same test and reason share a line.
    """
    tested = [one for one in comparison.measures if one.difference is not None]
    if not tested:
        return []
    return [*_by_test(tested), *_at_once(tested)]


def _by_test(tested: Sequence[Measure]) -> Iterator[str]:
    groups: dict[tuple[str, str], list[Measure]] = {}
    for one in tested:
        if one.difference is not None:
            groups.setdefault((one.difference.test, one.difference.why), []).append(one)
    for (test, why), measures in groups.items():
        because = f" ({line(why)})" if why else ""
        yield f"{_names(measures)}: {line(test) or 'no test'}{because}"


def _names(measures: Sequence[Measure]) -> str:
    """The measures by name, criteria by their number when there are several."""
    criteria = [one for one in measures if one.family == "quality" and not one.overall]
    others = [title(one).lower() for one in measures if one not in criteria]
    if len(criteria) > 1:
        others.append(f"{len(criteria)} criteria")
    elif criteria:
        others.append(f"criterion {title(criteria[0])}")
    said = ", ".join(others)
    return said[:1].upper() + said[1:]


def _at_once(tested: Sequence[Measure]) -> Iterator[str]:
    decided = [one for one in tested if one.family in _FAMILIES and one.adjusted_p is not None]
    if len(decided) > 1:
        yield (
            f"{len(decided)} measures of completion and quality are asked at once, so their p-values are "
            "corrected: of pairs in which nothing changed, at most 5 % show anything in them"
        )
        yield "Each interval is a 95 % interval by itself: it may leave 0 out where nothing is shown"
