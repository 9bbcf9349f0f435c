"""Which gates there are: what each limits, in which unit, and what bundles of them stand for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from grice.experiments.comparison.records import Level
from grice.experiments.gates.records import Bound, Gate

Unit = Literal["share", "points", "turns", "seconds", "tokens", "number", "drop", "fall", "rise", "level"]


class Kind(NamedTuple):
    """What a gate limits. `rules` says whether its figure has an interval, so that it may have a rule.

    `change` is the word for how much it may differ from that of a baseline, "" where it is held against none.
    `misses` says whether something may be missing of it.
    """

    bound: Bound
    unit: Unit
    rules: bool = False
    change: str = ""
    misses: bool = True


SINGLE: Mapping[str, Kind] = {
    "completion": Kind("at least", "share", rules=True),
    "evaluation": Kind("at least", "share", rules=True),
    "scenarios": Kind("at least", "number", misses=False),
    "clarifier_efficiency": Kind("at most", "turns"),
    "flakiness": Kind("at most", "share", rules=True),
    "latency_p95": Kind("below", "seconds", change="max_rise"),
    "tokens_p95": Kind("at most", "tokens", change="max_rise"),
    "uncalibrated": Kind("at most", "number", misses=False),
}
"""Gates by name."""

TABLES: Mapping[str, Kind] = {
    "criteria": Kind("at least", "share", rules=True),
    "layers": Kind("at least", "share", rules=True),
    "matchers": Kind("at least", "share", rules=True),
    "judges": Kind("at least", "points", change="max_drop"),
}
"""Gates on something that has a name of its own."""

DROP = Kind("at most", "drop", rules=True)
"""How much less a rate may be than in the baseline."""

FALL = Kind("at most", "fall", rules=True)
"""How much less the points of a judge may be than in the baseline, on average."""

RISE = Kind("at most", "rise")
"""By which share of it a figure may be more than in the baseline."""

VALIDITY = Kind("at least", "level", misses=False)
"""What a comparison with the baseline has to be worth."""

VALIDITY_GATE = "regression.validity"

LEVELS: tuple[Level, ...] = ("INVALID", "LOW", "MEDIUM", "HIGH")
"""What comparisons are worth, as the numbers of limits."""

LAYERS = ("telemetry", "rules", "evidence", "judges", "meaning")
"""The names of layers, 0 to 4."""

JUDGES: Mapping[str, tuple[str, ...]] = {
    "naturalness": ("naturalness", "toSoundNatural"),
    "guidance": ("guidance", "toGuideUser"),
    "context_use": ("context_use", "context use", "toUseContext"),
    "iq": ("IQ", "toShowIntelligence"),
}
"""The judges of quality, and what their points are kept under; the IQ is the median of a turn's three."""

WEEK_AGO = "7 days ago"


class BundleGate(NamedTuple):
    """A gate of a bundle: on the rows of `to_meet` with this bundle, and on these matchers outside bundles.

    `kind` says whether it is on the share of checks that pass, or on the median of judges' points.
    """

    kind: Kind
    limit: float
    rows: tuple[str, ...]
    matchers: tuple[str, ...]


def _all(rows: tuple[str, ...], *matchers: str) -> BundleGate:
    return BundleGate(TABLES["matchers"], 1.0, rows, matchers)


def _median(limit: float, row: str, matcher: str) -> BundleGate:
    return BundleGate(Kind("at least", "points"), limit, (row,), (matcher,))


_NATURAL = _median(3.7, "naturalness", "toSoundNatural")
_TOOLS = _all(("tools",), "toUseToolsFor")
_REPEATING = ("toAvoidRepetition", "toDifferFromPrevious", "toOpenDifferently", "toAskNewClarifiers")

BUNDLES: Mapping[str, Mapping[str, BundleGate]] = {
    "chat": {
        "naturalness": _NATURAL,
        "iq": _median(3.7, "IQ", "toShowIntelligence"),
        "tools": _TOOLS,
        "repeats": _all(("repetition", "similarity", "openers", "clarifiers"), *_REPEATING),
        "structure": _all(("envelope",), "toHaveEnvelope"),
    },
    "recommend": {
        "naturalness": _NATURAL,
        "guidance": _median(4.0, "guidance", "toGuideUser"),
        "context_use": _median(3.7, "context use", "toUseContext"),
        "iq": _median(3.9, "IQ", "toShowIntelligence"),
        "products": _all(("envelope",), "toHaveEnvelope"),
        "coverage": _all(("coverage",), "toCoverConstraints"),
        "tools": _TOOLS,
    },
    "performance": {},
}
"""The gates for a kind of turn; `performance` is `latency_p95` and `tokens_p95`."""


def needs_baseline(name: str) -> bool:
    """Whether the gate of that name is held against another experiment."""
    return name.startswith("regression.") or name.endswith("_p95.max_rise")


def kind_of(gate: Gate) -> Kind:
    """What the gate limits."""
    first, _, rest = gate.name.partition(".")
    if gate.name == VALIDITY_GATE:
        return VALIDITY
    if needs_baseline(gate.name):
        return RISE if first != "regression" else FALL if rest.startswith("judges.") else DROP
    if first in BUNDLES:
        return BUNDLES[first][rest].kind
    return TABLES[first] if rest else SINGLE[first]
