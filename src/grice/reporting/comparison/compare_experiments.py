"""`grice.compare`: a comparison that says in words what came out."""

from __future__ import annotations

from pathlib import Path

from grice.experiments.comparison import experiment_pair, records
from grice.experiments.results import ExperimentResults
from grice.reporting.comparison.answer import answer


class Comparison(records.Comparison, frozen=True):
    """Two experiments side by side.

    `comparability` has its level and the reason of each aspect, `conclusion` says what came out in a word,
    and `answer` in a few sentences. `measures` are the figures with their differences, `changes` the
    scenarios that changed. `shared` counts the scenarios that both have with an attempt that counts; `added`,
    `removed` and `edited` (the same key, other content) name the others by key, `uncounted` those that one
    side has no attempt of that counts. `criteria_added`, `criteria_removed` and `criteria_changed` name
    criteria, and `soft_left_out` counts the soft checks that could not be compared. `baseline_runs` and
    `current_runs` are the variance view, one entry a figure, empty without repeats. `advice` says what would
    settle what is not shown, and `notes` what else a reader has to know. `newly_failing` and `newly_passing`
    are the changes that `answer` begins with; where `scripted` is true they are not left to chance.
    """

    @property
    def answer(self) -> str:
        """What came out, for somebody who reads nothing else, as `grice compare` prints it."""
        return answer(self)


def compare(
    baseline: ExperimentResults | str | Path,
    current: ExperimentResults | str | Path = "latest",
    *,
    runs: Path | str | None = None,
) -> Comparison:
    """The current experiment held against the baseline: comparability, differences, changed scenarios.

    Either is the results of an experiment, or what `read_experiment` takes: an id or its beginning, a name, a
    tag, a branch, `latest~1`, a folder, the file of a baseline; only `baseline` may be the name of one.
    `runs` is where they are kept, as there. A branch, a tag, a name or a date of the baseline never means the
    current experiment itself, unless it is what `current` says too; `notes` say where one was passed over.
    Raises as `read_experiment` does. Two that cannot be compared are no error: see `comparability`,
    `conclusion` and `answer`.
    """
    found = experiment_pair.compare_pair(experiment_pair.find_pair(baseline, current, runs=runs))
    return Comparison(**{field: getattr(found, field) for field in found.__struct_fields__})
