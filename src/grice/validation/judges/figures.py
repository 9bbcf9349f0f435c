"""Figures of how well a judge agrees with people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from grice.stats.agreement import agreement_rate, cluster_rate, cohen_kappa
from grice.stats.bias import PositionBias, length_bias, position_bias, self_consistency
from grice.stats.estimates import Estimate
from grice.stats.rates import Confusion
from grice.text import shorten, value_text
from grice.validation.judges.decisions import Decision
from grice.validation.judges.items import LabelValue
from grice.validation.judges.labels import is_number

FEW = 20
"""Under so many held-out items the figures show little."""

_MAX_LISTED = 100


class Half(msgspec.Struct, frozen=True):
    """Figures of some items. Rates are from 0 to 1, None where undefined; `kappa_note` says why kappa is.

    `n` counts items on which the judge decided, `unanswered` those on which it did not. `classes` are the
    answers that a choice has, of which the first stands for "pass". `weighted` is kappa of scores with
    quadratic weights.
    """

    n: int = 0
    unanswered: int = 0
    clusters: int = 0
    classes: tuple[str, ...] = ()
    decisions: Confusion = Confusion()
    base_rate: Estimate | None = None
    sensitivity: Estimate | None = None
    specificity: Estimate | None = None
    precision: Estimate | None = None
    agreement: Estimate | None = None
    kappa: Estimate | None = None
    weighted: Estimate | None = None
    kappa_note: str = ""


class Biases(msgspec.Struct, frozen=True):
    """Consistency and biases of a judge; None where one could not be measured, and `notes` say why."""

    self_consistency: Estimate | None = None
    position: Estimate | None = None
    prefers_first: Estimate | None = None
    length: Estimate | None = None
    notes: tuple[str, ...] = ()


def half_of(decisions: Sequence[Decision]) -> Half:
    """The figures of these decisions."""
    decided = [one for one in decisions if one.value is not None]
    clusters = [one.cluster for one in decided]
    pairs = [(one.value, one.right) for one in decided]
    half = Half(
        n=len(decided),
        unanswered=len(decisions) - len(decided),
        clusters=len(set(clusters)),
        agreement=agreement_rate(pairs, clusters=clusters),
    )
    scored = [(one.score, one.gold.value) for one in decided if is_number(one.gold.value)]
    if scored and all(score is not None for score, _ in scored):
        weighted = cohen_kappa(_whole(scored), clusters=clusters, weights="quadratic")
        half = msgspec.structs.replace(half, weighted=weighted)
    if any(is_number(one) for pair in pairs for one in pair):
        note = "kappa of scores has quadratic weights: nobody said what score is wanted"
        return msgspec.structs.replace(half, kappa=half.weighted, kappa_note=note)
    several = len({right for _, right in pairs}) > 1
    kappa = cohen_kappa(pairs, clusters=clusters) if several else None
    note = _kappa_note(pairs) if kappa is None else ""
    half = msgspec.structs.replace(half, kappa=kappa, kappa_note=note)
    return _with_rates(half, decided)


def _whole(scores: Sequence[tuple[float | None, LabelValue]]) -> list[tuple[int, int]]:
    """The pairs of scores as whole points, which a kappa has classes of; halves go up."""
    return [(int((score or 0) + 0.5), int(float(gold) + 0.5)) for score, gold in scores]


def _kappa_note(pairs: Sequence[tuple[LabelValue | None, LabelValue]]) -> str:
    if not pairs:
        return "kappa undefined: the judge decided about none of the items"
    return f"kappa undefined: all labels are of one class ({_label_text(pairs[0][1])})"


def _label_text(value: LabelValue) -> str:
    if isinstance(value, bool):
        return "pass" if value else "fail"
    return shorten(value_text(value), _MAX_LISTED)


def _with_rates(half: Half, decided: Sequence[Decision]) -> Half:
    """The half with what needs two classes: "pass" and "fail", or the two choices there are."""
    if not decided:
        return half
    classes = _classes(decided)
    if len(classes) > 2:
        return msgspec.structs.replace(half, classes=tuple(map(str, classes)))
    positive = classes[0]
    judged = [one.value == positive for one in decided]
    right = [one.right == positive for one in decided]
    clusters = [one.cluster for one in decided]
    chosen = tuple(map(str, classes)) if not isinstance(positive, bool) else ()

    def share(of: Sequence[bool], hits: Sequence[bool]) -> Estimate | None:
        kept = [(hit, cluster) for there, hit, cluster in zip(of, hits, clusters, strict=True) if there]
        return cluster_rate([hit for hit, _ in kept], [cluster for _, cluster in kept])

    alarms = [not one for one in judged]
    return msgspec.structs.replace(
        half,
        classes=chosen,
        decisions=confusion_of(judged, right),
        base_rate=cluster_rate(right, clusters),
        sensitivity=share(right, judged),
        specificity=share([not one for one in right], alarms),
        precision=share(alarms, [not one for one in right]),
    )


def _classes(decided: Sequence[Decision]) -> list[LabelValue]:
    """The answers there are, "pass" before "fail", choices in their order."""
    found = {value for one in decided for value in (one.value, one.right) if value is not None}
    if found <= {True, False}:
        return [True, False]
    return sorted(found, key=str)


def confusion_of(judged: Sequence[bool], right: Sequence[bool]) -> Confusion:
    """Count alarms, which are items that do not pass, against the truth."""
    pairs = list(zip(judged, right, strict=True))
    return Confusion(
        true_alarms=pairs.count((False, False)),
        false_alarms=pairs.count((False, True)),
        missed=pairs.count((True, False)),
        true_quiet=pairs.count((True, True)),
    )


def biases_of(decisions: Sequence[Decision], lengths: Mapping[str, int]) -> Biases:
    """Self-consistency, and bias by position and length; `lengths` are those of the judged texts, by item."""
    notes: list[str] = []
    several = [one for one in decisions if len(one.votes) > 1]
    clusters = [one.cluster for one in several]
    consistency = self_consistency([one.votes for one in several], clusters) if several else None
    if consistency is None:
        notes.append("self-consistency not measured: one answer an item (--samples 3 asks more often)")
    position = _position(decisions)
    length, note = _length(decisions, lengths)
    return Biases(
        consistency,
        None if position is None else position.changed,
        None if position is None else position.first,
        length,
        tuple(filter(None, [*notes, note])),
    )


def _position(decisions: Sequence[Decision]) -> PositionBias | None:
    both = [one for one in decisions if one.votes and one.swapped and one.has_both_orders]
    classes = _classes(both)
    if not both or len(classes) < 2:
        return None
    return position_bias(
        [(one.votes[0], one.swapped[0]) for one in both],
        first=classes[0],
        second=classes[1],
        clusters=[one.cluster for one in both],
    )


def _length(decisions: Sequence[Decision], lengths: Mapping[str, int]) -> tuple[Estimate | None, str]:
    """The bias by length, or why there is none."""
    decided = [one for one in decisions if isinstance(one.value, bool) and isinstance(one.right, bool)]
    if not decided:
        return None, ""
    if not all(one.item in lengths for one in decided):
        return None, "length bias not measured: the texts of the items are not there (--items)"
    found = length_bias(
        [lengths[one.item] for one in decided],
        [bool(one.value) for one in decided],
        [bool(one.right) for one in decided],
        [one.cluster for one in decided],
    )
    return found, "" if found is not None else "length bias not measured: all texts are of one length"
