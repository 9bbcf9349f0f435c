"""Calibration cards: how far a judge agrees with people, and what that was measured with."""

from __future__ import annotations

import msgspec

from grice.stats.estimates import Estimate
from grice.stats.rates import Confusion

VERSION = 1


class Card(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How far one judge agrees with people, on items that nobody tuned it on.

    `judge` is the name of the criterion, or of the prompt where the judge has no criterion. It holds for one
    `model`, one text of the prompt (`prompt_hash`), one content of the criterion (`fingerprint`, "" without
    one), and at one `gate` where answers are scores. `decisions` counts held-out items: an alarm is a
    judge's "not met". `n` is how many there are, `dev_n` how many are for tuning, by `split`. Rates are from
    0 to 1; None is what could not be measured, and `notes` say why. `sensitivity` is the share of what people
    let pass that the judge passes (TPR), `specificity` of what they fail that it fails (TNR). `alpha` is
    Krippendorff's among the people. `length_bias` is the judge's pass rate less people's in the longer half
    of the texts, minus the same in the shorter; `position_bias` the share of pairs whose verdict changes with
    their order. `cost` sums tokens, and latency in milliseconds, over all answers. `kind` says where the
    labels come from: the criterion's own examples, or people.
    """

    version: int = VERSION
    judge: str
    model: str
    prompt: str
    prompt_version: int
    prompt_hash: str
    fingerprint: str = ""
    gate: float | None = None
    kind: str = "people"
    sources: tuple[str, ...] = ()
    created: str = ""
    n: int = 0
    dev_n: int = 0
    split: str = ""
    raters: int = 0
    clusters: int = 0
    samples: int = 1
    unanswered: int = 0
    tied: int = 0
    decisions: Confusion = Confusion()
    base_rate: Estimate | None = None
    sensitivity: Estimate | None = None
    specificity: Estimate | None = None
    agreement: Estimate | None = None
    kappa: Estimate | None = None
    dev_kappa: Estimate | None = None
    alpha: Estimate | None = None
    self_consistency: Estimate | None = None
    position_bias: Estimate | None = None
    length_bias: Estimate | None = None
    cost: dict[str, float] = {}
    notes: tuple[str, ...] = ()
