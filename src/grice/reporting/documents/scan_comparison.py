"""Two scans side by side, as a document."""

from __future__ import annotations

from grice.reporting.document import Answer, Document, Note, Table, Tone, Words
from grice.reporting.figures_text import percent
from grice.scanning.scan_comparison import LabelChange, ScanComparison
from grice.stats.rates import Rate
from grice.text import plural

_HEADERS = ("label", "before", "now", "points", "95 % interval")


def scan_comparison_document(found: ScanComparison) -> Document:
    """What changed for sure, then the share of conversations of each label, before and now."""
    ordered = sorted(found.labels, key=lambda one: (not one.sure, -abs(one.change or 0.0)))
    tones: tuple[Tone, ...] = tuple(_tone(one) for one in ordered)
    table = Table(
        _HEADERS,
        tuple(_row(one) for one in ordered),
        ("left", "right", "right", "right", "left"),
        tones=tones,
    )
    told = "the share of conversations in which it was found; a conversation counts once"
    notes = tuple(Note(one, "bad") for one in found.problems)
    return Document("scan-comparison", "", _answer(found), notes=notes, parts=(table, Note(told, "faint")))


def _answer(found: ScanComparison) -> Answer:
    before, now = (plural(one, "conversation") for one in found.conversations)
    more = f"{found.before}: {before}. {found.later}: {now}."
    worse = [one.label for one in found.labels if one.sure and (one.change or 0.0) > 0]
    better = [one.label for one in found.labels if one.sure and (one.change or 0.0) < 0]
    if not any(one.change is not None for one in found.labels):
        return Answer("Nothing can be compared.", "bad", more)
    if not worse and not better:
        return Answer("No label is found more or less often for sure.", "", more)
    said = [f"more often: {', '.join(worse)}"] if worse else []
    said += [f"less often: {', '.join(better)}"] if better else []
    return Answer(f"Found {'; '.join(said)}.", "bad" if worse else "good", more)


def _tone(one: LabelChange) -> Tone:
    if not one.sure:
        return "faint"
    return "bad" if (one.change or 0.0) > 0 else "good"


def _row(one: LabelChange) -> tuple[Words, ...]:
    shares = (_share(one.before), _share(one.later))
    if one.change is None or one.low is None or one.high is None:
        return one.label, *shares, "-", ""
    return one.label, *shares, _points(one.change), f"{_points(one.low)} to {_points(one.high)}"


def _share(one: Rate | None) -> str:
    return "not looked for" if one is None else f"{percent(one.value, 2)} ({one.successes:,})"


def _points(share: float) -> str:
    return f"{share * 100:+.2f}"
