"""Comparisons made by hand, for tests: one with known figures, and others made from it."""

from msgspec.structs import replace

from grice.experiments.comparison.records import (
    Aspect,
    Comparability,
    Comparison,
    Decision,
    Measure,
    RunSpread,
    ScenarioChange,
    Side,
)
from grice.running.journal.experiment import Experiment
from grice.stats.paired import Difference

MCNEMAR = "exact McNemar"
ONCE = "each scenario was run once by both"
FLIPS = "exact sign-flip permutation over scenarios"
REPEATED = "scenarios have several checks: those of one scenario are not independent"


def difference(
    value: float, low: float, high: float, *, p: float = 0.01, completion: bool = False
) -> Difference:
    test, why = (MCNEMAR, ONCE) if completion else (FLIPS, REPEATED)
    return Difference(value, low, high, p, 45, 12, test, why)


def rate(
    name: str,
    counts: tuple[int, int, int, int],
    low: float,
    high: float,
    arrow: str,
    decision: Decision = "not shown",
    p: float = 0.2,
) -> Measure:
    passed, evaluated, now_passed, now_evaluated = counts
    before, after = passed / evaluated, now_passed / now_evaluated
    completion = name == "completion rate"
    return Measure(
        "completion" if completion else "quality",
        name,
        "rate",
        "",
        "higher",
        before,
        after,
        (passed, evaluated),
        (now_passed, now_evaluated),
        difference(after - before, low, high, p=p, completion=completion),
        p,
        decision,
        arrow,
        overall=name == "evaluation rate",
    )


def average(
    name: str, unit: str, before: float, after: float, low: float, high: float, arrow: str
) -> Measure:
    found = difference(after - before, low, high)
    note = "described only: whether less is better is a matter of taste"
    return Measure(
        "efficiency",
        name,
        "mean",
        unit,
        "lower",
        before,
        after,
        None,
        None,
        found,
        0.02,
        arrow=arrow,
        note=note,
    )


BASELINE = Side(
    Experiment(
        "exp_abc123",
        "2025-01-15T09:12:00.000Z",
        name="Prompt v2.2",
        git_commit="1a2b3c4d5e6f",
        git_branch="main",
        git_dirty=False,
    ),
    46,
    46,
    ".grice/runs/exp_abc123",
)
CURRENT = Side(
    Experiment(
        "exp_def456",
        "2025-01-16T14:30:00.000Z",
        name="Prompt v2.3",
        tags=("candidate",),
        git_commit="abc123def456",
        git_branch="feature/grounding",
        git_dirty=True,
    ),
    47,
    47,
    ".grice/runs/exp_def456",
)
ASPECTS = (
    Aspect("Topic graph", "same", "identical"),
    Aspect("Criteria", "same", "identical"),
    Aspect("Scenarios", "expected", "45 shared, 2 added, 1 removed"),
    Aspect("Judge LLM", "same", "identical"),
)
CHANGES = (
    ScenarioChange(
        "example:1", "corporate_munich", "newly passing", 0, 1, 1, 1, "assertion: no venue", "", 9, 5
    ),
    ScenarioChange("example:2", "urgent_booking", "newly passing", 0, 1, 1, 1, "", "", 9, 1),
    ScenarioChange("example:3", "budget_conscious", "newly failing", 1, 0, 1, 1, "", "max_turns", 7, 15),
    ScenarioChange("example:4", "complex_requirements", "quality improved", 0.68, 0.91, 22, 22),
    ScenarioChange("example:3", "budget_conscious", "quality regressed", 0.85, 0.71, 20, 21),
)
SEED = Comparison(
    baseline=BASELINE,
    current=CURRENT,
    comparability=Comparability("HIGH", ASPECTS),
    conclusion="improved",
    shared=45,
    measures=(
        rate("completion rate", (34, 45, 37, 45), 0.012, 0.116, "▲", "improved", 0.018),
        rate("evaluation rate", (255, 314, 250, 288), 0.011, 0.101, "▲", "improved", 0.02),
        rate("grounded_pricing", (72, 100, 89, 100), 0.09, 0.25, "▲▲", "improved", 0.0002),
        rate("helpful", (88, 100, 91, 100), -0.03, 0.09, "△"),
        rate("friendly", (95, 100, 94, 100), -0.05, 0.03, "─"),
        rate("concise", (81, 100, 83, 100), -0.06, 0.1, "△"),
        average("avg turns", "turns", 6.2, 5.4, -1.3, -0.3, "▲"),
        average("avg topics", "topics", 3.8, 3.2, -0.9, -0.3, "▲"),
    ),
    changes=CHANGES,
    added=("hotel_berlin", "hotel_wien"),
    removed=("old_flow",),
    edited=("large_conference",),
    advice=("To settle helpful: 4 repeats of these scenarios, or 120 scenarios.",),
    notes=("the baseline has 1 line that cannot be read",),
)
"""As near as whole numbers allow: 76.5 % and 82.9 % are no shares of 45."""


def unchanged(comparison: Comparison = SEED) -> Comparison:
    """The baseline beside itself."""
    return replace(
        comparison,
        current=comparison.baseline,
        conclusion="no difference shown",
        measures=tuple(_unchanged(one) for one in comparison.measures),
        changes=(),
        added=(),
        removed=(),
        edited=(),
        advice=(),
        notes=(),
    )


def _unchanged(one: Measure) -> Measure:
    assert one.difference is not None
    found = replace(one.difference, value=0.0, low=-0.04, high=0.04, p=1.0, changed=0)
    decision: Decision = "not decided" if one.family == "efficiency" else "not shown"
    return replace(
        one,
        current=one.baseline,
        current_count=one.baseline_count,
        difference=found,
        adjusted_p=1.0,
        decision=decision,
        arrow="─",
    )


INVALID = replace(
    SEED,
    comparability=Comparability(
        "INVALID",
        (Aspect("Topic graph", "forbids", "another one: 2 topics were added"), *ASPECTS[1:]),
    ),
    conclusion="not comparable",
    measures=tuple(
        replace(one, difference=None, adjusted_p=None, decision="not decided", arrow="")
        for one in SEED.measures
    ),
)
"""Figures side by side, of which no difference is taken."""

REPEATED_RUNS = replace(
    SEED,
    baseline_runs=(
        RunSpread("completion rate", (0.787, 0.765, 0.802), 0.78467, 0.0186),
        RunSpread("evaluation rate", (0.862, 0.848, 0.871), 0.86033, 0.0116),
    ),
    current_runs=(
        RunSpread("completion rate", (0.829,), 0.829, None),
        RunSpread("evaluation rate", (0.871, 0.869), 0.87, 0.0014),
    ),
)
"""With repeats as runs."""
