"""What a comparison says: frozen records, which reports only put into words."""

from __future__ import annotations

from typing import Literal

import msgspec

from grice.running.journal.experiment import Experiment
from grice.stats.paired import Difference

Level = Literal["HIGH", "MEDIUM", "LOW", "INVALID"]
"""How much a comparison is worth."""

Grade = Literal["same", "expected", "flagged", "weakens", "forbids"]
"""What a difference in one aspect does to it: nothing, nothing though it differs, MEDIUM, LOW, INVALID."""

Decision = Literal["improved", "regressed", "not shown", "not decided"]
"""What is said of a measure; `not decided` where it is only described, or too little is known."""

Conclusion = Literal["improved", "regressed", "mixed", "no difference shown", "not comparable"]
"""What is said of the pair."""


class Aspect(msgspec.Struct, frozen=True):
    """One aspect in which two experiments may differ, as `Topic graph`, with its grade, and why in words."""

    name: str
    grade: Grade
    reason: str


class Comparability(msgspec.Struct, frozen=True):
    """The level follows from the worst grade of the aspects."""

    level: Level
    aspects: tuple[Aspect, ...]


class Side(msgspec.Struct, frozen=True):
    """One of the two experiments. `scenarios` counts those with an attempt that counts, `attempts` these.

    `missing_attempts` and `missing_checks` count what is compared and has no answer, an error or
    inconclusive: it is left out. Soft checks and those of criteria are counted so.
    """

    experiment: Experiment
    scenarios: int
    attempts: int
    source: str = ""
    missing_attempts: int = 0
    missing_checks: int = 0


class Measure(msgspec.Struct, frozen=True):
    """One figure in both experiments, over the scenarios that they share.

    `family` is what it is decided with: completion alone, quality (the evaluation rate and the criteria)
    together, efficiency apart. `name` is the criterion's for criteria. `baseline` and `current` are shares
    from 0 to 1 for a `rate`, else in `unit` (points of a judge, turns, topics, seconds, tokens). The counts
    are (passed, evaluated) for rates, else None. `better` is the direction that is an improvement.
    `adjusted_p` is `p` of the difference, corrected for how many measures are asked at once. `arrow` is one
    of those in the docs: the size of the difference and whether it is shown. `note` says why nothing is
    decided. `overall` is the one measure of all soft checks together, whatever criteria are called.

    `alike` is the difference with each scenario counted once, and in a scenario each kind of check once,
    where these have unequally many values: the larger p of both decides. None where all have as many.

    `left_out` are scenarios with values on one side only. Where nothing is left to chance the difference has
    no p-value, and both ends of its interval are its value.
    """

    family: Literal["completion", "quality", "efficiency"]
    name: str
    kind: Literal["rate", "mean"]
    unit: str
    better: Literal["higher", "lower"]
    baseline: float | None
    current: float | None
    baseline_count: tuple[int, int] | None = None
    current_count: tuple[int, int] | None = None
    difference: Difference | None = None
    adjusted_p: float | None = None
    decision: Decision = "not decided"
    arrow: str = ""
    note: str = ""
    alike: Difference | None = None
    overall: bool = False
    left_out: int = 0


class ScenarioChange(msgspec.Struct, frozen=True):
    """What changed for one scenario. Rates are shares of its attempts, or of its soft checks, that passed.

    `before` and `after` are why it failed, "" where it did not, and `before_turns`, `after_turns` the mean
    numbers of turns.
    """

    id: str
    key: str
    kind: Literal[
        "newly passing",
        "newly failing",
        "passes more often",
        "passes less often",
        "quality improved",
        "quality regressed",
    ]
    baseline: float
    current: float
    baseline_n: int
    current_n: int
    before: str = ""
    after: str = ""
    before_turns: float | None = None
    after_turns: float | None = None


class RunSpread(msgspec.Struct, frozen=True):
    """One figure over the repeats of an experiment: that of each, mean and sample standard deviation.

    `deviation` is None for a single one.
    """

    name: str
    values: tuple[float, ...]
    mean: float
    deviation: float | None


class Comparison(msgspec.Struct, frozen=True):
    """Two experiments side by side.

    `shared` counts the scenarios that both have with an attempt that counts; `added`, `removed` and `edited`
    (the same key, other content) name the others by key, `added_failing` the added ones that passed in no
    attempt, `uncounted` those that one side has no attempt of
    that counts. `criteria_added`, `criteria_removed` and `criteria_changed` name criteria, `soft_left_out`
    counts the soft checks of kinds that only one side made, or that are not the same. `baseline_runs`
    and `current_runs` are the variance view, one entry a figure, empty without repeats. `advice` says what
    would settle what is not shown, and `notes` what else a reader has to know. `scripted` says that
    every shared scenario was scripted and run once by both: whether it passes is not left to chance then.
    """

    baseline: Side
    current: Side
    comparability: Comparability
    conclusion: Conclusion
    shared: int
    measures: tuple[Measure, ...] = ()
    changes: tuple[ScenarioChange, ...] = ()
    added: tuple[str, ...] = ()
    added_failing: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    uncounted: tuple[str, ...] = ()
    criteria_added: tuple[str, ...] = ()
    criteria_removed: tuple[str, ...] = ()
    criteria_changed: tuple[str, ...] = ()
    soft_left_out: int = 0
    baseline_runs: tuple[RunSpread, ...] = ()
    current_runs: tuple[RunSpread, ...] = ()
    advice: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    scripted: bool = False

    @property
    def newly_failing(self) -> tuple[ScenarioChange, ...]:
        """The tests and scenarios that failed now and passed before, `after` with the first reason."""
        return tuple(one for one in self.changes if one.kind == "newly failing")

    @property
    def newly_passing(self) -> tuple[ScenarioChange, ...]:
        """The tests and scenarios that passed now and failed before, `before` with the first reason."""
        return tuple(one for one in self.changes if one.kind == "newly passing")
