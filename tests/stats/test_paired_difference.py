import csv
import math
import random
import re
from collections import defaultdict
from pathlib import Path
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.stats.intervals import score_bounds, wilson
from grice.stats.paired import Difference, PairedSums, changed_scenarios, paired_difference, sign_flip_p
from grice.stats.student import t_quantile

RATE = (0.0, 1.0)
SLEEP = [(0.7, 1.9), (-1.6, 0.8), (-0.2, 1.1), (-1.2, 0.1), (-0.1, -0.1), (3.4, 4.4), (3.7, 5.5)]
SLEEP += [(0.8, 1.6), (0.0, 4.6), (2.0, 3.4)]
"""Hours of sleep gained by ten patients with two drugs: Student 1908."""


@st.composite
def repeated(draw: st.DrawFn) -> PairedSums:
    before, now = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    return PairedSums(draw(st.integers(0, before)), before, draw(st.integers(0, now)), now)


RUNS = st.lists(repeated(), min_size=2, max_size=12)


def singles(kept: int, gained: int, lost: int) -> list[PairedSums]:
    changes = [PairedSums(0, 1, 1, 1)] * gained + [PairedSums(1, 1, 0, 1)] * lost
    return [PairedSums(1, 1, 1, 1)] * kept + changes


def difference(pairs: list[PairedSums], bounds: tuple[float, float] | None = RATE) -> Difference:
    found = paired_difference(pairs, bounds=bounds)
    assert found is not None
    return found


def interval(found: Difference) -> tuple[float, float]:
    assert found.low is not None
    assert found.high is not None
    return found.low, found.high


def p_of(found: Difference) -> float:
    assert found.p is not None
    return found.p


def test_one_attempt_each_is_mcnemars_exact_test() -> None:
    found = difference(singles(11, 8, 1))
    assert found.value == pytest.approx(7 / 20)
    assert found.p == 20 / 512
    assert (found.n, found.changed, found.test) == (20, 9, "exact McNemar")
    assert found.why == "each scenario has one pass or fail on both sides"


def test_students_example_of_paired_values() -> None:
    found = difference([PairedSums(one, 1, other, 1) for one, other in SLEEP], None)
    assert found.value == pytest.approx(1.58)
    assert interval(found) == pytest.approx((0.7001142, 2.4598858), abs=1e-6)
    # Nine changed, all one way.
    assert (found.p, found.changed) == (2 / 2**9, 9)
    assert found.test == "exact sign-flip permutation over scenarios"
    assert found.why == "each scenario has one value on both sides"


def test_repeats_are_one_scenario_not_many() -> None:
    # All of the difference is one scenario's, in ten repeats.
    pairs = [PairedSums(0, 10, 10, 10), *[PairedSums(5, 10, 5, 10)] * 9]
    found = difference(pairs)
    assert found.value == pytest.approx(0.1)
    assert found.p == 1.0
    low, high = interval(found)
    assert low < 0 < high
    assert found.why == (
        "values of the same scenario are not independent, so scenarios are compared; "
        "1 changed, and fewer than 6 never show a difference at 5 %"
    )


def test_repeating_each_attempt_word_for_word_tells_nothing_new() -> None:
    once = difference([PairedSums(one, 1, other, 1) for one, other in SLEEP], None)
    thrice = difference([PairedSums(3 * one, 3, 3 * other, 3) for one, other in SLEEP], None)
    assert thrice.value == pytest.approx(once.value)
    assert thrice.p == once.p
    assert interval(thrice) == pytest.approx(interval(once))


def test_the_variance_is_that_over_scenarios_and_that_of_what_was_not_seen() -> None:
    pairs = singles(30, 8, 2)
    gaps = [one.current - one.baseline for one in pairs]
    mean = fmean(gaps)
    seen = sum((one - mean) ** 2 for one in gaps) / 40**2
    # Of 80 attempts 70 pass; four scenarios more are half and half. Ten changed.
    share = (70 / 80 * 40 + 2) / 44
    unseen = 4 / 11 * share * (1 - share) * (2 / 40) / 40
    reach = t_quantile(0.975, 39) * math.sqrt(40 / 39 * (seen + unseen))
    assert interval(difference(pairs)) == pytest.approx((mean - reach, mean + reach))


def test_an_identical_pair_is_no_difference_and_no_certainty() -> None:
    found = difference(singles(10, 0, 0))
    assert (found.value, found.p, found.changed) == (0, 1.0, 0)
    low, high = interval(found)
    assert low == -high
    assert 0.2 < high < 0.3
    assert found.why.endswith("; none changed")
    assert interval(difference(singles(1000, 0, 0)))[1] < 0.004


@pytest.mark.parametrize("n", [10, 50, 500])
def test_changes_that_were_not_seen_are_left_open_as_by_wilson(n: int) -> None:
    for found in (difference(singles(n, 0, 0)), difference([PairedSums(10, 10, 10, 10)] * n)):
        low, high = interval(found)
        assert high >= wilson(0, n)[1] - 1e-9
        # Exactly, so many scenarios that would show a change 97.5 times in 100.
        assert high == pytest.approx(1 - 0.025 ** (1 / n), rel=0.15)
        assert low == -high


def test_losses_alone_leave_gains_open() -> None:
    # Newcombe's interval of two shares, 0 and 1 of 50.
    above = math.hypot(wilson(0, 50)[1], 0.02 - wilson(1, 50)[0])
    below = math.hypot(0, wilson(1, 50)[1] - 0.02)
    assert interval(difference(singles(49, 0, 1))) == pytest.approx((-0.02 - below, -0.02 + above))


def test_small_changes_of_many_scenarios_leave_less_open_than_whole_ones() -> None:
    parts = difference([PairedSums(10, 10, 9, 10)] * 20 + [PairedSums(10, 10, 10, 10)] * 30)
    whole = difference(singles(48, 0, 2))
    assert parts.value == pytest.approx(whole.value)
    assert interval(parts)[1] < 0 < interval(whole)[1]


def test_scenarios_that_have_most_of_the_values_count_as_few() -> None:
    found = difference([PairedSums(90, 90, 90, 90)] + [PairedSums(1, 1, 1, 1)] * 10)
    assert interval(found)[1] == pytest.approx(score_bounds(0.0, 100**2 / (90**2 + 10))[1])


def test_values_without_bounds_that_all_change_alike_have_no_interval() -> None:
    found = difference([PairedSums(6, 1, 7, 1), PairedSums(9.1, 1, 10.1, 1)] * 3, None)
    assert (found.low, found.high) == (None, None)
    assert found.value == pytest.approx(1.0)
    assert found.p == 2 / 64
    assert found.why.endswith("; all changed by the same amount: no interval")
    still = difference([PairedSums(6.3, 3, 6.3, 3)] * 6, None)
    assert (still.value, still.p, still.low) == (0, 1.0, None)
    assert still.why.endswith("; none changed: no interval")


def test_one_scenario_shows_nothing() -> None:
    found = difference([PairedSums(0, 50, 50, 50)])
    assert (found.value, found.low, found.high, found.p, found.n) == (1.0, None, None, None, 1)
    assert found.why == "one scenario says nothing of others"


def test_no_scenarios_have_no_difference() -> None:
    assert paired_difference([]) is None


@pytest.mark.parametrize("changes", range(1, 8))
def test_fewer_than_six_changes_never_show_a_difference(changes: int) -> None:
    found = difference(singles(20, changes, 0))
    assert (p_of(found) <= 0.05) is (changes >= 6)
    assert ("never show" in found.why) is (changes < 6)


def test_scenarios_that_only_ran_unequally_often_did_not_change() -> None:
    pairs = [PairedSums(1, 1, 3, 3)] * 9 + [PairedSums(0, 1, 0, 3)]
    found = difference(pairs)
    assert found.value == pytest.approx(0)
    assert (found.p, found.changed) == (1.0, 0)


def test_where_one_side_has_few_values_luck_is_no_difference() -> None:
    # One attempt each, all passes, beside nine passes of ten: of eleven, one fails, and may have been any.
    found = difference([PairedSums(1, 1, 9, 10)] * 10)
    low, high = interval(found)
    assert found.value == pytest.approx(-0.1)
    assert p_of(found) > 0.2
    assert low < 0 < high
    assert found.test == "paired t over scenarios"
    assert found.why.endswith("; sides with unequally many values cannot be exchanged")


def test_unequally_many_values_show_a_difference_that_is_there() -> None:
    found = difference([PairedSums(1, 1, 3, 10), PairedSums(1, 1, 1, 10), PairedSums(0, 1, 1, 10)] * 10)
    assert p_of(found) < 0.001
    assert interval(found)[1] < 0


def test_rounding_errors_are_no_change() -> None:
    pairs = [PairedSums(0.3, 1, 0.1 + 0.2, 1)] * 9 + [PairedSums(0.1, 1, 0.3, 1)]
    found = difference(pairs)
    assert (found.changed, found.p) == (1, 1.0)


def test_each_value_counts_as_often_as_it_is_there() -> None:
    found = difference([PairedSums(0, 1, 3, 9), PairedSums(2, 3, 1, 1)])
    assert found.value == pytest.approx(4 / 10 - 2 / 4)
    assert difference([PairedSums(0, 1, 3, 9), PairedSums(2, 3, 1, 1)], None).value == found.value


@pytest.mark.slow
def test_of_many_changed_scenarios_it_is_students_t_which_says_the_same() -> None:
    rng = random.Random(1)
    pairs = [PairedSums(rng.gauss(7, 2), 1, rng.gauss(7.4, 2), 1) for _ in range(300)]
    found = difference(pairs, None)
    assert found.test == "paired t over scenarios"
    assert found.why == "each scenario has one value on both sides; there are many"
    counted = sign_flip_p([one.current - one.baseline for one in pairs])
    assert 0.001 < counted < 0.2
    assert p_of(found) == pytest.approx(counted, rel=0.05)


def test_the_interval_stays_within_what_the_bounds_allow() -> None:
    assert interval(difference([PairedSums(0, 1, 1, 1), PairedSums(0, 1, 1, 1)]))[1] == 1.0
    low, high = interval(difference([PairedSums(0, 1, 1, 1), PairedSums(1, 1, 0, 1)]))
    assert (low, high) == (-1.0, 1.0)


def test_values_between_other_bounds_are_the_same_stretched() -> None:
    rates = [PairedSums(one.baseline, one.baseline_n, one.current, one.current_n) for one in singles(9, 7, 1)]
    stretched = [PairedSums(1 + 4 * one.baseline, 1, 1 + 4 * one.current, 1) for one in rates]
    found, wide = difference(rates), difference(stretched, (1, 5))
    assert wide.value == pytest.approx(4 * found.value)
    assert wide.p == found.p
    assert interval(wide) == pytest.approx(tuple(4 * one for one in interval(found)))
    assert wide.test == "exact sign-flip permutation over scenarios"


@given(RUNS)
def test_exchanging_the_two_turns_the_sign_only(pairs: list[PairedSums]) -> None:
    turned = [PairedSums(one.current, one.current_n, one.baseline, one.baseline_n) for one in pairs]
    found, other = difference(pairs), difference(turned)
    assert found.value == pytest.approx(-other.value)
    assert interval(found) == pytest.approx(tuple(-one for one in reversed(interval(other))))
    assert p_of(found) == pytest.approx(p_of(other))


@given(RUNS, st.randoms(use_true_random=False))
def test_the_order_of_scenarios_does_not_matter(pairs: list[PairedSums], rng: random.Random) -> None:
    found, other = difference(pairs), difference(rng.sample(pairs, len(pairs)))
    assert found.value == pytest.approx(other.value)
    assert interval(found) == pytest.approx(interval(other))
    assert p_of(found) == pytest.approx(p_of(other))


@given(RUNS)
def test_the_interval_has_a_width_and_holds_the_value(pairs: list[PairedSums]) -> None:
    found = difference(pairs)
    low, high = interval(found)
    assert -1 <= low <= found.value <= high <= 1
    assert high - low > 0.01
    assert 0 < p_of(found) <= 1
    assert found.changed == changed_scenarios(pairs)


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        (PairedSums(0, 0, 1, 1), "every scenario has a value on both sides, found PairedSums"),
        (PairedSums(0, 1, math.nan, 1), "sums are finite, found PairedSums"),
        (PairedSums(0, 1, math.inf, 1), "sums are finite, found PairedSums"),
        (PairedSums(0, 1, 2, 1), "values are from 0.0 to 1.0, found PairedSums"),
        (PairedSums(-1, 1, 1, 1), "values are from 0.0 to 1.0, found PairedSums"),
    ],
)
def test_wrong_sums_are_refused(pair: PairedSums, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        difference([PairedSums(1, 1, 1, 1), pair])


def test_bounds_have_an_order() -> None:
    with pytest.raises(
        ValueError, match=re.escape("bounds are the least and the greatest value, found (1, 0)")
    ):
        difference([PairedSums(1, 1, 1, 1)], (1, 0))


@pytest.mark.slow
@pytest.mark.parametrize("rates", [(1.0, 0.97), (0.98, 0.95), (0.97, 0.97)])
@pytest.mark.parametrize("repeats", [1, 10])
def test_intervals_hold_the_truth_also_where_nearly_all_pass(
    repeats: int, rates: tuple[float, float]
) -> None:
    rng, held, samples = random.Random(f"{repeats} {rates}"), 0, 300

    def passes(rate: float) -> int:
        return sum(rng.random() < rate for _ in range(repeats))

    for _ in range(samples):
        drawn = [PairedSums(passes(rates[0]), repeats, passes(rates[1]), repeats) for _ in range(50)]
        low, high = interval(difference(drawn))
        held += low <= rates[1] - rates[0] <= high
    # Three standard errors below 95 %.
    assert held / samples >= 0.912


@pytest.mark.slow
@pytest.mark.parametrize("repeats", [1, 3])
def test_of_a_hundred_intervals_about_95_hold_the_truth_and_few_pairs_alarm(repeats: int) -> None:
    rng, held, alarms, samples = random.Random(repeats), 0, 0, 400

    def passes(rate: float) -> int:
        return sum(rng.random() < rate for _ in range(repeats))

    for _ in range(samples):
        rates = [rng.betavariate(1.4, 0.6) for _ in range(50)]
        found = difference([PairedSums(passes(one), repeats, passes(one), repeats) for one in rates])
        low, high = interval(found)
        held += low <= 0 <= high
        alarms += p_of(found) <= 0.05
    # Three standard errors about 95 %, and above 5 %.
    assert 0.917 <= held / samples <= 0.983
    assert alarms / samples <= 0.083


def airline_trials() -> list[list[bool]]:
    """Whether each of four trials of a task passed, by task; see test_pass_k.py."""
    tasks: dict[str, dict[str, bool]] = defaultdict(dict)
    with Path(__file__).with_name("airline_rewards.csv").open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            tasks[row["task"]][row["trial"]] = row["reward"] == "1"
    return [[trials[number] for number in sorted(trials)] for trials in tasks.values()]


def test_real_runs_do_not_differ_from_themselves() -> None:
    found = difference([PairedSums(sum(one[:2]), 2, sum(one[2:]), 2) for one in airline_trials()])
    low, high = interval(found)
    assert p_of(found) > 0.5
    assert low < 0 < high


def test_real_runs_differ_from_a_copy_with_15_points_less() -> None:
    trials = airline_trials()
    count = sum(map(len, trials))
    passes = [(task, trial) for task, one in enumerate(trials) for trial, passed in enumerate(one) if passed]
    worse = [[*one] for one in trials]
    for task, trial in random.Random(9).sample(passes, round(0.15 * count)):
        worse[task][trial] = False
    found = difference(
        [PairedSums(sum(one), 4, sum(other), 4) for one, other in zip(trials, worse, strict=True)]
    )
    low, high = interval(found)
    assert found.value == pytest.approx(-0.15, abs=0.005)
    assert p_of(found) < 0.001
    assert low < high < 0
