"""The five outcomes fold and negate as principle 1 says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.records import Outcome, Verdict, fold_all, fold_any, negate, outcome_of

PASS, FAIL, INCONCLUSIVE, ERROR, SKIPPED = Outcome
outcomes = st.sampled_from(list(Outcome))
several = st.lists(outcomes, max_size=8)


@pytest.mark.parametrize(
    ("outcome", "negated"),
    [(PASS, FAIL), (FAIL, PASS), (INCONCLUSIVE, INCONCLUSIVE), (ERROR, ERROR), (SKIPPED, SKIPPED)],
)
def test_negation_swaps_pass_and_fail_only(outcome, negated):
    assert negate(outcome) is negated
    assert negate(negate(outcome)) is outcome


@pytest.mark.parametrize(
    ("given_outcomes", "all_of", "any_of"),
    [
        ([], INCONCLUSIVE, INCONCLUSIVE),
        ([SKIPPED], SKIPPED, SKIPPED),
        ([SKIPPED, SKIPPED], SKIPPED, SKIPPED),
        ([PASS], PASS, PASS),
        ([FAIL], FAIL, FAIL),
        ([PASS, FAIL], FAIL, PASS),
        ([PASS, SKIPPED], PASS, PASS),
        ([FAIL, SKIPPED], FAIL, FAIL),
        ([PASS, INCONCLUSIVE], INCONCLUSIVE, PASS),
        ([FAIL, INCONCLUSIVE], FAIL, INCONCLUSIVE),
        ([PASS, ERROR], ERROR, PASS),
        ([FAIL, ERROR], FAIL, ERROR),
        ([INCONCLUSIVE, ERROR], ERROR, ERROR),
        ([INCONCLUSIVE, SKIPPED], INCONCLUSIVE, INCONCLUSIVE),
        ([PASS, FAIL, INCONCLUSIVE, ERROR, SKIPPED], FAIL, PASS),
    ],
)
def test_folding_follows_the_truth_table(given_outcomes, all_of, any_of):
    assert fold_all(given_outcomes) is all_of
    assert fold_any(given_outcomes) is any_of


@given(several, st.randoms())
def test_folding_does_not_depend_on_order(values, random):
    shuffled = random.sample(values, len(values))
    assert fold_all(shuffled) is fold_all(values)
    assert fold_any(shuffled) is fold_any(values)


@given(several)
def test_all_and_any_mirror_each_other_under_negation(values):
    assert fold_any(map(negate, values)) is negate(fold_all(values))


@given(several, several)
def test_folding_parts_first_changes_nothing(one, other):
    if one and other:
        assert fold_all([fold_all(one), fold_all(other)]) is fold_all(one + other)


@given(several)
def test_all_passes_only_when_something_passed_and_nothing_else_happened(values):
    assert (fold_all(values) is PASS) == (PASS in values and set(values) <= {PASS, SKIPPED})


@given(several, several)
def test_soft_verdicts_never_change_the_outcome_of_a_test(hard, soft):
    verdicts = [Verdict(one) for one in hard] + [Verdict(one, mode="soft") for one in soft]
    assert outcome_of(tuple(verdicts)) is fold_all(hard)
