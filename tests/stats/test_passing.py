import csv
from collections import defaultdict
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from statistics import fmean

import pytest

from grice.stats import pass_at_k, pass_hat_k, wilson
from grice.stats.estimates import Estimate
from grice.stats.pass_k import flaky, mean_pass_at_k, mean_pass_hat_k
from grice.stats.rates import Rate

CASES = [(n, c, k) for n in range(1, 8) for c in range(n + 1) for k in range(1, n + 1)]


def share_of_subsets(n: int, c: int, k: int, wanted: Callable[[tuple[bool, ...]], bool]) -> float:
    """By definition: of all ways to choose k of the n trials, how many are as wanted."""
    trials = [True] * c + [False] * (n - c)
    chosen = list(combinations(trials, k))
    return sum(map(wanted, chosen)) / len(chosen)


def test_both_are_shares_of_the_subsets_of_the_trials() -> None:
    for case in CASES:
        assert pass_at_k(*case) == pytest.approx(share_of_subsets(*case, any)), case
        assert pass_hat_k(*case) == pytest.approx(share_of_subsets(*case, all)), case


def test_of_one_trial_both_are_the_pass_rate() -> None:
    assert pass_at_k(4, 3, 1) == pass_hat_k(4, 3, 1) == 0.75


def test_many_trials_are_counted_exactly() -> None:
    assert pass_at_k(10_000, 1, 5_000) == 0.5
    assert pass_hat_k(10_000, 9_999, 5_000) == 0.5


@pytest.mark.parametrize(
    ("n", "c", "k", "message"),
    [
        (4, 2, 5, "k is from 1 to n, the 4 trials that were made, found 5"),
        (4, 2, 0, "k is from 1 to n"),
        (4, 5, 1, "c is the number of the 4 trials that passed, found 5"),
        (4, -1, 1, "c is the number of the 4 trials that passed, found -1"),
        (0, 0, 1, "n is a number of trials from 1, found 0"),
    ],
)
@pytest.mark.parametrize("estimate", [pass_at_k, pass_hat_k])
def test_numbers_that_cannot_be_are_refused(
    estimate: Callable[[int, int, int], float], n: int, c: int, k: int, message: str
) -> None:
    with pytest.raises(ValueError, match=message.replace("^", r"\^")):
        estimate(n, c, k)


@pytest.mark.parametrize("bad", [True, 2.0, "2", None])
def test_what_is_no_count_is_refused(bad: object) -> None:
    with pytest.raises(TypeError, match="c is an integer, found"):
        pass_hat_k(4, bad, 1)  # type: ignore[arg-type]


def airline_rewards() -> dict[str, list[bool]]:
    """Whether each trial of each task passed.

    GPT-4o; from sierra-research/tau-bench, MIT: tests/data/LICENSE-tau-bench.txt
    """
    tasks: dict[str, list[bool]] = defaultdict(list)
    with Path(__file__).with_name("airline_rewards.csv").open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            tasks[row["task"]].append(row["reward"] == "1")
    return tasks


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_on_real_runs_it_is_the_mean_over_tasks_of_what_the_definition_gives(k: int) -> None:
    tasks = airline_rewards().values()
    assert {len(trials) for trials in tasks} == {4}
    computed = fmean(pass_hat_k(len(trials), sum(trials), k) for trials in tasks)
    defined = fmean(fmean(all(chosen) for chosen in combinations(trials, k)) for trials in tasks)
    assert computed == pytest.approx(defined)
    assert 0 < computed < 1


def test_over_tasks_it_is_the_mean_with_an_interval() -> None:
    tasks = [(4, 4), (2, 4), (0, 4), (3, 3)]
    found = mean_pass_at_k(tasks, 2)
    assert found is not None
    assert found.value == pytest.approx(fmean([1, 5 / 6, 0, 1]))
    assert found.n == 4
    all_of_them = mean_pass_hat_k(tasks, 2)
    assert all_of_them is not None
    assert all_of_them.value == pytest.approx(fmean([1, 1 / 6, 0, 1]))
    for one in (found, all_of_them):
        assert 0 <= one.low < one.value < one.high <= 1


def test_on_real_runs_the_interval_is_over_the_tasks() -> None:
    tasks = airline_rewards()
    found = mean_pass_hat_k([(sum(trials), len(trials)) for trials in tasks.values()], 4)
    assert found is not None
    assert found.n == 39
    # With as many trials as k, a task passes or fails: the interval is Wilson's.
    assert (found.low, found.high) == pytest.approx(wilson(sum(all(trials) for trials in tasks.values()), 39))


@pytest.mark.parametrize("estimate", [mean_pass_at_k, mean_pass_hat_k])
def test_tasks_with_too_few_trials_are_left_out(
    estimate: Callable[[list[tuple[int, int]], int], Estimate | None],
) -> None:
    found = estimate([(3, 3), (1, 2)], 3)
    assert found is not None
    assert (found.value, found.n) == (1.0, 1)
    assert estimate([(1, 2)], 3) is None
    assert estimate([], 1) is None


@pytest.mark.parametrize("estimate", [mean_pass_at_k, mean_pass_hat_k])
def test_wrong_numbers_of_tasks_are_refused(
    estimate: Callable[[list[tuple[int, int]], int], Estimate | None],
) -> None:
    with pytest.raises(ValueError, match="k is a number of trials from 1, found 0"):
        estimate([(1, 2)], 0)
    with pytest.raises(ValueError, match="c is the number of the 2 trials that passed, found 3"):
        estimate([(3, 2)], 5)
    with pytest.raises(TypeError, match=r"k is an integer, found 1\.5"):
        estimate([(1, 2)], 1.5)  # type: ignore[arg-type]


def test_flaky_are_those_that_pass_now_and_then() -> None:
    found = flaky([(3, 3), (0, 3), (2, 3), (1, 2), (1, 1), (0, 1)])
    assert isinstance(found, Rate)
    assert (found.successes, found.n, found.value) == (2, 4, 0.5)
    assert flaky([(1, 1), (0, 1)]) is None
    assert flaky([]) is None
    with pytest.raises(ValueError, match="c is the number of the 1 trials that passed, found 2"):
        flaky([(2, 1)])
