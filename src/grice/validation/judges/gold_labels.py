"""The labels of people: the majority on each item, and how well people agree with one another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import msgspec

from grice.judging.voting import median
from grice.stats.agreement import agreement_rate, cohen_kappa, krippendorff_alpha
from grice.stats.estimates import Estimate
from grice.text import shorten
from grice.validation.judges.items import Label, LabelValue
from grice.validation.judges.labels import LabelKind, kind_of

_MAX_LISTED = 300


class MixedLabels(ValueError):
    """Labels of several kinds, which cannot be compared."""


class Gold(msgspec.Struct, frozen=True):
    """The label of most people on an item, and every label of it."""

    item: str
    value: LabelValue
    labels: tuple[Label, ...]


class Rater(msgspec.Struct, frozen=True):
    """One person: the number of labels, and how well they agree with the majority of the others."""

    name: str
    labels: int
    with_others: int
    agreement: Estimate | None
    kappa: Estimate | None


class People(msgspec.Struct, frozen=True):
    """All labels of people, by item, and figures on them.

    `kind` is that of their labels. `gold` is by item; `tied` are items of which as many said one thing as the
    other, `unsure` those of which nobody could tell. `overlapping` counts items with two labels or more.
    """

    kind: LabelKind
    gold: Mapping[str, Gold]
    tied: tuple[str, ...]
    unsure: tuple[str, ...]
    raters: tuple[Rater, ...]
    overlapping: int
    alpha: Estimate | None

    @property
    def alpha_note(self) -> str:
        """The reason why there is no alpha; "" where there is one."""
        if self.alpha is not None:
            return ""
        if not self.raters:
            return "alpha among people undefined: there is no label"
        if len(self.raters) < 2:
            return "alpha among people undefined: all labels are of one rater"
        if not self.overlapping:
            return "alpha among people undefined: no two raters labelled the same item"
        return "alpha among people undefined: all labels of items with several raters are the same"


def people_of(
    labels: Sequence[Label], *, gate: float | None = None, clusters: Mapping[str, str] | None = None
) -> People:
    """Collect the labels of people by item. A score counts as met from the `gate` on, where there is one.

    `clusters` says what items share with others. A label that is None counts for nothing. Raises MixedLabels.
    """
    said = [one for one in labels if one.value is not None]
    kind = _kind(said)
    grouped: dict[str, list[Label]] = {}
    for one in labels:
        grouped.setdefault(one.item, [])
    for one in said:
        grouped[one.item].append(one)
    gold: dict[str, Gold] = {}
    tied: list[str] = []
    for item, own in grouped.items():
        value = _majority([one.value for one in own], kind)
        if value is not None:
            gold[item] = Gold(item, value, tuple(own))
        elif own:
            tied.append(item)
    unsure = tuple(item for item, own in grouped.items() if not own)
    ratings = [_ratings(own) for own in grouped.values() if own]
    names = [(clusters or {}).get(item, item) for item, own in grouped.items() if own]
    level: Literal["interval", "nominal"] = "interval" if kind == "score" else "nominal"
    return People(
        kind,
        gold,
        tuple(tied),
        unsure,
        tuple(_raters(grouped, kind, gate, clusters or {})),
        sum(len(one) > 1 for one in ratings),
        krippendorff_alpha(ratings, level=level, clusters=names) if ratings else None,
    )


def binary(value: LabelValue, gate: float | None) -> LabelValue:
    """The value as a yes or no where a gate is given: whether a score meets it."""
    if gate is None or isinstance(value, bool | str):
        return value
    return value >= gate


def _kind(labels: Iterable[Label]) -> LabelKind:
    """The one kind that all labels are of. Raises MixedLabels, naming an example of each."""
    first: dict[LabelKind, Label] = {}
    for one in labels:
        if one.value is not None:
            first.setdefault(kind_of(one.value), one)
    if len(first) > 1:
        told = "; ".join(f"{one.value!r} is a {kind} ({one.file}:{one.line})" for kind, one in first.items())
        raise MixedLabels(f"the labels are of several kinds: {shorten(told, _MAX_LISTED)}")
    for kind in first:
        return kind
    return "yes_no"


def _majority(values: Sequence[LabelValue | None], kind: LabelKind) -> LabelValue | None:
    """What most said, of scores the median; None for a tie, and for none."""
    said = [one for one in values if one is not None]
    if not said:
        return None
    if kind == "score":
        return median([float(one) for one in said])
    counts = {one: said.count(one) for one in said}
    most = max(counts.values())
    ahead = [one for one, count in counts.items() if count == most]
    return ahead[0] if len(ahead) == 1 else None


def _ratings(labels: Sequence[Label]) -> dict[str, LabelValue]:
    return {one.rater: one.value for one in labels if one.value is not None}


def _raters(
    grouped: Mapping[str, Sequence[Label]], kind: LabelKind, gate: float | None, clusters: Mapping[str, str]
) -> Iterable[Rater]:
    """Each rater against the majority of the others on the same items."""
    names = sorted({one.rater for own in grouped.values() for one in own})
    for name in names:
        pairs: list[tuple[LabelValue, LabelValue]] = []
        shared: list[str] = []
        count = 0
        for item, own in grouped.items():
            ratings = _ratings(own)
            if name not in ratings:
                continue
            count += 1
            others = _majority([value for rater, value in ratings.items() if rater != name], kind)
            if others is not None:
                pairs.append((binary(ratings[name], gate), binary(others, gate)))
                shared.append(clusters.get(item, item))
        agreement = agreement_rate(pairs, clusters=shared) if pairs else None
        kappa = cohen_kappa(pairs, clusters=shared) if pairs else None
        yield Rater(name, count, len(pairs), agreement, kappa)
