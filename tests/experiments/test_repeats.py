"""What repeats of the same scenarios say."""

import pytest

from grice.experiments.aggregation.repeats import repeat_rows, run_rates, wavering
from grice.experiments.aggregation.summary import Summary, worst_grounded
from grice.stats.agreement import rate_of_clusters
from grice.stats.intervals import wilson
from grice.stats.rates import Share


def test_runs_have_their_mean_and_sample_deviation() -> None:
    found = run_rates({2: Share(2, 4), 1: Share(1, 4), 3: Share(0, 0)})
    assert found is not None
    assert list(found.runs) == [1, 2]
    assert (found.mean, found.deviation) == pytest.approx((0.375, 0.17678), abs=1e-5)
    assert run_rates({1: Share(1, 1)}) is None
    assert run_rates({1: Share(1, 1), 2: Share()}) is None


def test_only_scenarios_run_often_enough_are_in_a_row() -> None:
    rows = repeat_rows([(1, 2), (3, 3), (0, 1)])
    assert [(row.k, row.scenarios) for row in rows] == [(1, 3), (2, 2), (3, 1)]
    assert (rows[1].at_least_one.value, rows[1].all.value) == (1.0, 0.5)
    assert rows[1].all.low < 0.5 < rows[1].all.high
    assert repeat_rows([(1, 1), (0, 1)]) == []


def test_the_least_steady_scenarios_stand_first() -> None:
    attempts = {"rare": Share(1, 10), "coin": Share(1, 2), "always": Share(3, 3), "never": Share(0, 3)}
    assert list(wavering(attempts)) == ["coin", "rare"]


def test_of_equally_steady_scenarios_the_order_is_not_that_of_the_run() -> None:
    shares = {"b": Share(2, 3), "c": Share(1, 2), "a": Share(1, 3)}
    assert list(wavering(shares)) == ["c", "a", "b"]
    assert list(wavering(dict(reversed(shares.items())))) == ["c", "a", "b"]


def test_a_rate_has_the_interval_of_its_scenarios_and_not_of_their_checks() -> None:
    alone = rate_of_clusters([Share(1, 1)] * 8 + [Share(0, 1)] * 2)
    assert alone is not None
    assert (alone.low, alone.high) == pytest.approx(wilson(8, 10))
    alike = rate_of_clusters([Share(10, 10)] * 8 + [Share(0, 10)] * 2)
    assert alike is not None
    assert alike.value == 0.8
    assert alike.high - alike.low > 0.9 * (alone.high - alone.low)
    assert rate_of_clusters([]) is None


def test_the_scenarios_with_the_fewest_sources_stand_first() -> None:
    summary = Summary(
        claims_of={"a": Share(9, 10), "b": Share(1, 2), "c": Share(5, 10), "d": Share(4, 4)},
        keys={id_: id_.upper() for id_ in "abcd"},
    )
    assert worst_grounded(summary) == [("C", Share(5, 10)), ("B", Share(1, 2)), ("A", Share(9, 10))]
    assert [key for key, _ in worst_grounded(summary, 1)] == ["C"]
