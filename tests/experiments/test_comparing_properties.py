"""What holds of every comparison, whatever is compared."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from made_experiments import attempt, experiment, judged, soft

from grice.experiments.attempts import Attempt
from grice.experiments.comparison.comparing import compare
from grice.experiments.comparison.measuring import completed
from grice.experiments.comparison.records import Measure
from grice.records import Outcome

_OUTCOMES = st.sampled_from(
    [Outcome.PASS, Outcome.FAIL, Outcome.INCONCLUSIVE, Outcome.ERROR, Outcome.SKIPPED]
)


@st.composite
def _attempts(draw: st.DrawFn) -> list[Attempt]:
    made: list[Attempt] = []
    for key in draw(st.sets(st.sampled_from("abcdefghij"))):
        for repeat in range(1, draw(st.integers(1, 3)) + 1):
            passed, failed = draw(st.integers(0, 3)), draw(st.integers(0, 3))
            made.append(
                attempt(
                    key,
                    outcome=draw(_OUTCOMES),
                    counts=draw(st.booleans()),
                    repeat=repeat,
                    turns=draw(st.integers(0, 9)),
                    checks=soft(draw(st.sampled_from(["kind", "brief"])), passed, failed),
                    judged=judged({"kind": draw(st.sampled_from(["1", "2"]))}),
                )
            )
    return made


@given(_attempts(), _attempts())
def test_the_other_way_round_everything_is_mirrored(before: list[Attempt], after: list[Attempt]) -> None:
    first, second = experiment("a", before), experiment("b", after)
    there, back = compare(first, second), compare(second, first)
    assert there.comparability.level == back.comparability.level
    assert (there.added, there.removed, there.edited) == (back.removed, back.added, back.edited)
    assert (there.shared, there.uncounted) == (back.shared, back.uncounted)
    mirrored = {"improved": "regressed", "regressed": "improved"}
    assert there.conclusion == mirrored.get(back.conclusion, back.conclusion)
    for one, other in zip(there.measures, back.measures, strict=True):
        _check_mirrored(one, other)


def _check_mirrored(one: Measure, other: Measure) -> None:
    assert (one.baseline, one.current) == (other.current, other.baseline)
    if one.difference is None:
        assert other.difference is None
    elif other.difference is not None:
        assert abs(one.difference.value + other.difference.value) < 1e-9


@given(_attempts())
def test_a_pair_of_the_same_attempts_is_neutral(side: list[Attempt]) -> None:
    found = compare(experiment("a", side), experiment("b", side))
    assert found.conclusion in ("no difference shown", "not comparable")
    assert found.changes == ()
    assert {one.arrow for one in found.measures} <= {"─", ""}
    assert (found.added, found.removed, found.edited) == ((), (), ())


@given(_attempts(), _attempts())
def test_every_figure_is_of_what_counts(before: list[Attempt], after: list[Attempt]) -> None:
    found = compare(experiment("a", before), experiment("b", after))
    completion = next(one for one in found.measures if one.family == "completion")
    shared = {one.id for one in before if one.counted} & {one.id for one in after if one.counted}
    assert found.shared == len(shared)
    old, new = ([one for one in side if one.counted and one.id in shared] for side in (before, after))
    told = {one.id for one in old if completed(one)} & {one.id for one in new if completed(one)}
    if told:
        values = [one for one in old if one.id in told and completed(one)]
        known = (sum(one.passed for one in values), len(values))
        assert completion.baseline_count == (None if all(one.unchecked for one in old) else known)
