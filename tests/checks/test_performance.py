"""What conversations cost, as percentiles, against limits and a baseline."""

import json
import math
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from grice.checks.performance import BaselineError, Performance, Spread, performance, read_performance
from grice.checks.performance_gate import perform_within
from grice.matching.context import resolve_subject
from grice.matching.judge import judge
from grice.matching.matcher import ArgumentError
from grice.records import Conversation, Exchange, Reply, Turn
from grice.stats.percentiles import percentile


def asked(tokens, said, model="m"):
    usage = {} if tokens is None else {"usage": {"prompt_tokens": tokens, "completion_tokens": said}}
    return Exchange({"model": model, "messages": []}, {"choices": [], **usage}, "openai_chat")


def talk(*seconds, tokens=None, model="m"):
    """A conversation of turns that took so long; `tokens` are (input, output) of each."""
    pairs = tokens or [None] * len(seconds)
    turns = [
        Turn(number, duration=took, exchanges=(asked(*pair, model=model),) if pair else ())
        for number, (took, pair) in enumerate(zip(seconds, pairs, strict=True), 1)
    ]
    return Conversation(turns=tuple(turns))


def verdict_on(subject, matcher):
    seen = resolve_subject(subject)
    return judge(matcher, seen.subject, seen.context)


SLOW = Performance(10, Spread(10, 1.0, 1.0, 2.0, 2.0), tokens=Spread(10, 100.0, 100.0, 200.0, 200.0))


# -- percentiles


@pytest.mark.parametrize(
    ("values", "percent", "found"),
    [
        ([15, 20, 35, 40, 50], 5, 15),
        ([15, 20, 35, 40, 50], 30, 20),
        ([15, 20, 35, 40, 50], 40, 20),
        ([15, 20, 35, 40, 50], 50, 35),
        ([15, 20, 35, 40, 50], 100, 50),
        ([15, 20, 35, 40, 50], 0, 15),
        ([7], 95, 7),
        (list(range(1, 101)), 95, 95),
        (list(range(1, 21)), 95, 19),
        (list(range(1, 101)), 7, 7),
    ],
)
def test_percentiles_by_nearest_rank(values, percent, found):
    assert percentile(values[::-1], percent) == found


@pytest.mark.parametrize(("values", "percent"), [([], 50), ([1.0, math.nan], 50), ([1], 101), ([1], -1)])
def test_there_are_no_percentiles_of_nothing(values, percent):
    with pytest.raises(ValueError, match="percent"):
        percentile(values, percent)


@given(st.lists(st.integers(), min_size=1, max_size=50), st.integers(0, 100))
def test_as_many_values_as_it_says_are_not_over_it(values, percent):
    found = percentile(values, percent)
    assert found in values
    assert sum(value <= found for value in values) * 100 >= percent * len(values)
    assert sum(value < found for value in values) * 100 < max(percent, 1) * len(values)


@given(st.lists(st.integers(0, 40), min_size=1001, max_size=3000), st.integers(0, 100))
def test_of_an_array_it_is_the_same_without_a_list_of_it(values, percent):
    assert percentile(array("q", values), percent) == percentile(values, percent)


# -- measuring


def test_turns_of_all_conversations_count_together():
    one = talk(1.0, 3.0, tokens=[(100, 10), (200, 20)])
    other = talk(2.0, None, tokens=[(300, 30), None])
    found = performance([one, other], prices={"m": (1.0, 10.0)})
    assert found.turns == 4
    assert found.latency == Spread(3, 2.0, 2.0, 3.0, 3.0)
    assert found.input_tokens == Spread(3, 200.0, 200, 300, 300)
    assert found.output_tokens.p95 == 30
    assert found.tokens.p50 == 220
    assert found.cost == pytest.approx((600 * 1 + 60 * 10) / 1e6)
    assert found.cost_per_turn == pytest.approx(found.cost / 4)
    assert performance(one.turns).turns == performance(Reply(one, 1).turn).turns + 1 == 2


def test_what_was_not_measured_is_none():
    assert performance(talk(None, None)) == Performance(2)
    found = performance(talk(1.0, tokens=[(5, 5)], model="other"), prices={"m": (1.0, 1.0)})
    assert (found.cost, found.unpriced) == (None, ("other",))


@pytest.mark.parametrize("given", ["text", 7, [7], {"turns": []}, None])
def test_what_is_neither_conversation_nor_turn_is_refused(given):
    with pytest.raises(TypeError, match="expected conversations or turns"):
        performance(given)
    assert verdict_on(given, perform_within()).outcome == "error"


# -- limits


@pytest.mark.parametrize(("slowest", "outcome"), [(4.99, "pass"), (5.0, "fail"), (8.0, "fail")])
def test_the_seeds_limit_is_below_five_seconds(slowest, outcome):
    verdict = verdict_on(talk(0.5, slowest), perform_within())
    assert verdict.outcome == outcome
    assert "p95 of the latency" in verdict.reason
    assert verdict.detail["latency"] == slowest


def test_a_turn_of_which_one_request_tells_its_tokens_tells_none():
    asking = asked(9000, 100)
    silent = asked(None, None)
    half = structs.replace(asking, reply={"usage": {"completion_tokens": 100}})
    for exchanges in ((asking, silent), (half,)):
        assert performance(Turn(1, exchanges=exchanges)).tokens is None


def test_limits_of_tokens_and_money():
    conversation = talk(1.0, tokens=[(900, 100)])
    assert verdict_on(conversation, perform_within(tokens_p95=1001)).outcome == "pass"
    assert verdict_on(conversation, perform_within(tokens_p95=1000)).outcome == "fail"
    prices = {"m": (1.0, 1.0)}
    assert verdict_on(conversation, perform_within(cost=0.0011, prices=prices)).outcome == "pass"
    assert verdict_on(conversation, perform_within(cost=0.0010, prices=prices)).outcome == "fail"
    unknown = verdict_on(conversation, perform_within(cost=1.0, prices={"n": (1.0, 1.0)}))
    assert unknown.outcome == "inconclusive"
    assert "no price is given for 'm'" in unknown.reason


@pytest.mark.parametrize("subject", [[], [Conversation()], talk(None)])
def test_what_was_not_measured_is_inconclusive(subject):
    assert verdict_on(subject, perform_within()).outcome == "inconclusive"


# -- against a baseline


@pytest.mark.parametrize(
    ("seconds", "outcome"), [(0.1, "pass"), (2.0, "pass"), (2.4, "pass"), (2.41, "fail"), (4.0, "fail")]
)
def test_a_rise_of_a_fifth_is_the_most_and_a_fall_is_fine(seconds, outcome):
    conversation = talk(seconds, tokens=[(100, 100)])
    verdict = verdict_on(conversation, perform_within(baseline=SLOW))
    assert verdict.outcome == outcome
    if outcome == "fail":
        assert (
            f"{seconds / 2 - 1:+.1%} against 2.000 s in the baseline, expected +20% at most" in verdict.reason
        )


def test_tokens_that_rise_fail_beside_a_latency_that_falls():
    verdict = verdict_on(talk(0.1, tokens=[(200, 50)]), perform_within(baseline=SLOW))
    assert verdict.outcome == "fail"
    assert "p95 of the tokens a turn is 250 tokens, +25.0%" in verdict.reason
    assert (
        verdict_on(talk(0.1, tokens=[(200, 50)]), perform_within(baseline=SLOW, max_rise=0.25)).outcome
        == "pass"
    )


def test_a_figure_that_only_the_baseline_has_is_inconclusive():
    verdict = verdict_on(talk(1.0), perform_within(baseline=SLOW))
    assert verdict.outcome == "inconclusive"
    assert "the baseline has 200 tokens" in verdict.reason


def test_a_baseline_is_written_read_and_never_overwritten(tmp_path):
    path = tmp_path / "runs" / "baseline.json"
    measured = performance(talk(1.0, 2.0, tokens=[(10, 1), (20, 2)]), prices={"m": (1.0, 2.0)})
    measured.save(path)
    assert json.loads(path.read_text())["version"] == 1
    assert read_performance(path) == measured
    with pytest.raises(FileExistsError, match="replace=True"):
        SLOW.save(path)
    assert read_performance(path) == measured
    SLOW.save(path, replace=True)
    assert read_performance(path) == SLOW
    assert [one.name for one in path.parent.iterdir()] == ["baseline.json"]
    faster = talk(1.0, tokens=[(50, 50)])
    assert verdict_on(faster, perform_within(baseline=path)).outcome == "pass"
    assert verdict_on(faster, perform_within(baseline=json.loads(path.read_text()))).outcome == "pass"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (None, "there is no baseline"),
        ("", "is empty: write one with grice.performance"),
        ("nonsense", "is not JSON"),
        ("[]", "an object with version and turns"),
        ('{"version": 2, "turns": 1}', "newer than this Grice reads (1): upgrade Grice"),
        ('{"version": "1", "turns": 1}', "expected version 1"),
        ('{"version": 1}', "missing required field turns"),
        ('{"version": 1, "turns": 1, "latncy": 1}', "unknown field latncy"),
        ('{"version": 1, "turns": 1}', "no figure to compare with"),
        (
            '{"version": 1, "turns": 1, "latency": {"count":1,"mean":0,"p50":0,"p95":0,"p99":0}}',
            "is 0, with which",
        ),
        (" " * 1_000_001, "longer than 1,000,000 bytes"),
    ],
)
def test_a_baseline_that_cannot_be_used_is_an_error_that_says_what_to_do(tmp_path, body, said):
    path = tmp_path / "baseline.json"
    if body is not None:
        path.write_text(body)
    verdict = verdict_on(talk(1.0), perform_within(baseline=str(path)))
    assert verdict.outcome == "error"
    assert said in verdict.reason


def test_a_folder_is_no_baseline(tmp_path):
    with pytest.raises(BaselineError, match="cannot be read"):
        read_performance(tmp_path)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"latency_p95": 0}, "latency_p95 is a number above 0"),
        ({"latency_p95": math.nan}, "latency_p95 is a number above 0"),
        ({"tokens_p95": "5"}, "tokens_p95 is a number above 0"),
        ({"max_rise": -0.1}, "max_rise is a number from 0"),
        ({"baseline": 7}, "a Performance or the path of a file"),
        ({"latency_p95": None}, "neither a limit nor a baseline"),
        ({"cost": 1.0}, "needs prices"),
        ({"prices": {"m": (1,)}}, "prices['m'] is a list of 2"),
        ({"prices": [1]}, "prices is an object"),
    ],
)
def test_wrong_options_are_named(options, said):
    with pytest.raises(ArgumentError) as caught:
        perform_within(**options)
    assert said in str(caught.value)


def test_a_reply_that_does_not_report_its_tokens_was_not_free():
    silent = talk(1.0, 1.0, tokens=[(1_000_000, 0), (None, None)])
    prices = {"m": (1.0, 1.0)}
    assert performance(silent, prices=prices).cost is None
    verdict = verdict_on(silent, perform_within(cost=0.6, prices=prices, latency_p95=None))
    assert (verdict.outcome, verdict.reason) == (
        "inconclusive",
        "the cost a turn was not measured in 2 turns",
    )
    before = Performance(2, tokens=Spread(2, 1e6, 1e6, 1e6, 1e6), cost=2.0)
    assert verdict_on(silent, perform_within(baseline=before, prices=prices)).outcome == "inconclusive"


def test_a_figure_of_some_of_the_turns_says_of_how_many():
    verdict = verdict_on(talk(1.0, None, None), perform_within())
    assert (verdict.outcome, verdict.reason) == ("pass", "the p95 of the latency is 1.000 s in 1 of 3 turns")
