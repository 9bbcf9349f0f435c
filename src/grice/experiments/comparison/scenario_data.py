"""Whether shared scenarios were edited, and whether what is shown hangs on those that were."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grice.experiments.comparison.completeness import FEW_MISSING
from grice.experiments.comparison.counting import count_of
from grice.experiments.comparison.criteria import listed
from grice.experiments.comparison.pairing import Pair, Paired
from grice.experiments.comparison.records import Aspect, Grade, Measure

__all__ = ["MOSTLY_EDITED", "edits_that_decide", "scenario_data_aspect", "unedited"]

MOSTLY_EDITED = 0.5
"""Where more of the shared scenarios than this were edited, it is flagged."""

_NAME = "Scenario data"


def scenario_data_aspect(paired: Paired) -> Aspect:
    """Flagged where most shared scenarios were edited, and where that is known of one side only."""
    known = [_known(pair) for pair in paired.pairs]
    if paired.pairs and not any(map(any, known)):
        return Aspect(_NAME, "same", "none on either side")
    shared, compared = len(paired.pairs), len(paired.pairs) - len(unedited(paired).pairs)
    unknown = sum(before != after for before, after in known)
    told: list[str] = []
    if compared > MOSTLY_EDITED * shared:
        told.append(f"{compared} of the {count_of(shared, 'shared scenario')} edited: may be other questions")
    elif paired.edited:
        told.append(f"{count_of(len(paired.edited), 'scenario')} edited: compared by key all the same")
    if unknown:
        told.append(
            f"not known of {unknown} of the {count_of(shared, 'shared scenario')} whether they were edited: "
            "recorded on one side only"
        )
    if not told:
        return Aspect(_NAME, "same", "no shared scenario was edited")
    flagged = compared > MOSTLY_EDITED * shared or unknown > FEW_MISSING * shared
    grade: Grade = "flagged" if flagged else "expected"
    return Aspect(_NAME, grade, "; ".join(told))


def _known(pair: Pair) -> tuple[bool, bool]:
    """Whether the content of a scenario is known on either side."""
    return any(one.fingerprint for one in pair.baseline), any(one.fingerprint for one in pair.current)


def unedited(paired: Paired) -> Paired:
    """Only the shared scenarios of which no edit is known."""
    edited = set(paired.edited)
    return replace(paired, pairs=tuple(pair for pair in paired.pairs if pair.name not in edited))


def edits_that_decide(
    paired: Paired, measures: Sequence[Measure], unedited_only: Sequence[Measure]
) -> Aspect | None:
    """The aspect where the edited scenarios decide: what is shown is not without them, or a regression is
    shown only without them. None where they do not.

    Both are decided measures, in the same order.
    """
    lost: list[str] = []
    hidden: list[str] = []
    for before, after in zip(measures, unedited_only, strict=True):
        if after.decision == "regressed" and before.decision != "regressed":
            hidden.append(before.name)
        elif before.decision in ("improved", "regressed") and after.decision != before.decision:
            lost.append(before.name)
    told = [f"{listed(lost)}: not shown over those that were not edited"] if lost else []
    told += [f"{listed(hidden)}: regressed over those that were not edited"] if hidden else []
    return Aspect(_NAME, "weakens", "; ".join([scenario_data_aspect(paired).reason, *told])) if told else None
