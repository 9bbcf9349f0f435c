"""What a comparison says in words."""

import pytest
from comparisons import INVALID, SEED, difference, rate, unchanged
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from grice.experiments.comparison.records import Aspect, Comparability, Measure
from grice.reporting.comparison.answer import answer
from grice.reporting.comparison.measure_words import delta, figure, interval, p_value


def with_completion(measure: Measure) -> str:
    return answer(replace(SEED, measures=(measure,), changes=()))


def test_an_improvement_is_said_with_its_interval_and_what_else_is_shown() -> None:
    assert answer(SEED) == (
        "1 scenario newly fails: budget_conscious; 2 newly pass: corporate_munich, urgent_booking. "
        "Completion improved: 75.6% to 82.2%, +6.7 points (95 % interval +1.2 to +11.6). "
        "Quality improved: all soft evaluations (+5.6 points), grounded_pricing (+17.0 points)."
    )


def test_what_is_not_shown_says_what_is_not_ruled_out() -> None:
    found = rate("completion rate", (34, 45, 35, 45), -0.089, 0.133, "△")
    assert with_completion(found) == (
        "No difference in completion is shown: 75.6% to 77.8%, +2.2 points. "
        "With 45 scenarios, neither a drop of 8.9 points nor a gain of 13.3 is ruled out."
    )


def test_an_interval_that_leaves_0_out_is_not_enough() -> None:
    found = rate("completion rate", (34, 45, 37, 45), 0.002, 0.13, "△", p=0.03)
    corrected = replace(found, adjusted_p=0.09)
    assert "Its 95 % interval (+0.2 to +13.0) leaves 0 out, but so many measures" in with_completion(
        corrected
    )
    few = rate("completion rate", (34, 45, 37, 45), 0.002, 0.13, "△", p=0.125)
    assert "leaves 0 out, but its test does not rule out chance (p 0.125)." in with_completion(few)
    doubtful = replace(found, note="it comes of unequal repeats")
    assert "leaves 0 out, but it comes of unequal repeats." in with_completion(doubtful)
    unequal = replace(corrected, alike=difference(0.01, -0.05, 0.07, p=0.7))
    said = with_completion(unequal)
    assert "leaves 0 out, but some scenarios have more values than others; with each scenario" in said
    assert "counted once it is +1.0 points (-5.0 to +7.0), which does not show the same." in said
    assert "so many measures" not in said
    both = replace(corrected, alike=difference(0.06, 0.001, 0.12, p=0.03))
    assert "leaves 0 out, but so many measures" in with_completion(both)
    at_0 = rate("completion rate", (34, 45, 37, 45), 0.0, 0.13, "△", p=0.06)
    assert "neither a drop of 0.0 points nor a gain of 13.0 is ruled out" in with_completion(at_0)


def test_what_cannot_be_decided_says_why() -> None:
    found = replace(
        rate("completion rate", (1, 1, 0, 1), 0, 0, "▽", "not decided"),
        difference=replace(difference(-1.0, 0, 0), low=None, high=None, p=None),
        note="one scenario says nothing of others",
    )
    assert with_completion(found) == (
        "Nothing is decided about completion: 100% to 0%, -100.0 points. One scenario says nothing of others."
    )
    assert answer(replace(SEED, measures=(), changes=())) == "Completion was not measured."


def test_an_identical_pair_has_no_difference() -> None:
    assert answer(unchanged()) == (
        "exp_abc123 is compared with itself. No difference in completion is shown: 75.6% in both. "
        "With 45 scenarios, neither a drop of 4.0 points nor a gain of 4.0 is ruled out. "
        "No difference in quality is shown: all soft evaluations 81.2% in both (95 % interval -4.0 to +4.0)."
    )


def test_quality_says_what_is_still_possible() -> None:
    completion, _, *criteria = SEED.measures
    overall = rate("evaluation rate", (84, 120, 70, 120), -0.28, 0.047, "▽")
    undecided = [replace(one, decision="not shown") for one in criteria]
    said = answer(replace(SEED, measures=(completion, overall, *undecided)))
    assert said.endswith(
        "No difference in quality is shown: all soft evaluations 70.0% to 58.3%, -11.7 points "
        "(95 % interval -28.0 to +4.7)."
    )
    assert answer(replace(SEED, measures=(completion, *undecided))).endswith(
        "No difference in quality is shown."
    )


def test_what_got_worse_is_said_before_what_got_better() -> None:
    worse = rate("friendly", (95, 100, 80, 100), -0.2, -0.1, "▼▼", "regressed")
    said = answer(replace(SEED, measures=(worse, *SEED.measures)))
    assert said.index("Quality regressed: friendly (-15.0 points).") < said.index("Quality improved")


def test_many_criteria_are_named_up_to_three() -> None:
    many = [rate(f"c{number}", (1, 2, 2, 2), 0.1, 0.9, "▲▲", "improved") for number in range(5)]
    said = answer(replace(SEED, measures=tuple(many)))
    assert "Quality improved: c0 (+50.0 points), c1 (+50.0 points), c2 (+50.0 points) and 2 more." in said


def test_what_lowers_the_validity_is_named() -> None:
    aspects = (
        Aspect("Agent", "expected", "another commit"),
        Aspect("Judge LLM", "weakens", "another model"),
        Aspect("Repeats", "flagged", "3 and 1"),
    )
    said = answer(replace(SEED, comparability=Comparability("LOW", aspects)))
    assert said.endswith("The comparison's validity is LOW because of: Judge LLM.")


def test_two_that_cannot_be_compared_say_so_and_nothing_else() -> None:
    assert answer(INVALID) == (
        "These two experiments cannot be compared. Topic graph: another one: 2 topics were added. "
        "The figures stand side by side; no difference is taken."
    )
    assert answer(replace(INVALID, measures=())).endswith("2 topics were added.")


@pytest.mark.parametrize(
    ("value", "low", "high", "shown"),
    [
        (123.4, -20.0, 260.0, ("1,000", "+123", "-20 to +260")),
        (-0.8, -1.3, -0.3, ("1,000.0", "-0.8", "-1.3 to -0.3")),
        (0.04, 0.01, 0.07, ("1,000.00", "+0.04", "+0.01 to +0.07")),
        (0.002, -0.001, 0.005, ("1,000.000", "+0.002", "-0.001 to +0.005")),
        (0.0, 0.0, 0.0, ("1,000.0", "+0.0", "+0.0 to +0.0")),
        (-0.00001, None, None, ("1,000.00000", "-0.00001", "-")),
    ],
)
def test_means_have_the_decimals_that_their_difference_needs(
    value: float, low: float | None, high: float | None, shown: tuple[str, str, str]
) -> None:
    found = replace(difference(value, 0, 0), low=low, high=high)
    one = Measure("efficiency", "tokens a turn", "mean", "tokens", "lower", 1000.0, 1000.0, difference=found)
    assert (figure(one, one.baseline), delta(one), interval(one)) == shown


@pytest.mark.parametrize(
    ("counts", "low", "high", "shown"),
    [
        (
            (5000, 5000, 4999, 5000),
            -0.00112,
            0.00058,
            ("100%", "99.98%", "-0.02pp", "-0.11 to +0.06"),
        ),
        ((0, 5000, 1, 5000), -0.00058, 0.00112, ("0%", "0.02%", "+0.02pp", "-0.06 to +0.11")),
        ((2502, 5000, 2498, 5000), -0.01, 0.01, ("50.04%", "49.96%", "-0.08pp", "-1.00 to +1.00")),
        ((4999, 5000, 4999, 5000), -0.001, 0.001, ("99.98%", "99.98%", "+0.00pp", "-0.10 to +0.10")),
        ((1, 3, 2, 3), 0.0002, 0.6, ("33.3%", "66.7%", "+33.3pp", "+0.02 to +60.0")),
        ((2, 3, 1, 3), -0.6, -0.00001, ("66.7%", "33.3%", "-33.3pp", "-60.0 to -0.001")),
        ((0, 10, 10, 10), 0.7, 1.0, ("0%", "100%", "+100.0pp", "+70.0 to +100.0")),
    ],
)
def test_rates_and_their_difference_have_the_decimals_with_which_they_agree(
    counts: tuple[int, int, int, int], low: float, high: float, shown: tuple[str, ...]
) -> None:
    one = rate("friendly", counts, low, high, "─")
    assert (figure(one, one.baseline), figure(one, one.current), delta(one), interval(one)) == shown


def test_the_answer_has_the_same_decimals() -> None:
    found = rate("completion rate", (5000, 5000, 4999, 5000), -0.00112, 0.00058, "─")
    assert with_completion(found) == (
        "No difference in completion is shown: 100% to 99.98%, -0.02 points. "
        "With 45 scenarios, neither a drop of 0.11 points nor a gain of 0.06 is ruled out."
    )


@given(st.integers(1, 10**5), st.data())
def test_a_difference_never_looks_like_none(of: int, data: st.DataObject) -> None:
    passed, now = (data.draw(st.integers(0, of)) for _ in "ab")
    one = rate("friendly", (passed, of, now, of), (now - passed) / of, 0.0, "─")
    before, after, change = figure(one, one.baseline), figure(one, one.current), delta(one)
    assert (before == after) is (passed == now)
    assert change[0] == ("-" if now < passed else "+")
    assert (float(change[:-2]) == 0) is (passed == now)
    assert (before in ("0%", "100%")) is (passed in (0, of))
    assert (float(interval(one).split(" to ")[0]) == 0) is (passed == now)


def test_a_mean_without_a_difference_is_no_0_where_it_is_none() -> None:
    one = Measure("efficiency", "seconds a turn", "mean", "seconds", "lower", 0.003, 0.004)
    assert (figure(one, one.baseline), figure(one, one.current)) == ("0.003", "0.004")
    turns = replace(one, baseline=2.0, current=2.5)
    assert (figure(turns, turns.baseline), figure(turns, turns.current)) == ("2.0", "2.5")


def test_what_is_not_there_is_a_dash() -> None:
    one = Measure("quality", "friendly", "rate", "", "higher", None, 0.5)
    assert (figure(one, one.baseline), figure(one, one.current)) == ("-", "50.0%")
    assert (delta(one), interval(one), p_value(None)) == ("-", "-", "-")
    assert (p_value(0.0001), p_value(0.0314), p_value(1.0)) == ("< 0.001", "0.031", "1.000")


def test_the_answer_says_what_it_leaves_open() -> None:
    unchecked = replace(unchanged().measures[0], current=None, difference=None, decision="not decided")
    half = answer(replace(unchanged(), measures=(unchecked, *unchanged().measures[1:])))
    assert "Completion was not measured. In the baseline it is 75.6%. No difference in quality is sh" in half
    changed = replace(unchanged(), measures=unchanged().measures[:1], criteria_changed=("polite",))
    assert answer(changed).endswith("is ruled out. Quality was not compared: polite was changed.")
    neither = answer(replace(changed, measures=(unchecked,)))
    assert "Completion was not measured." in neither
    assert neither.endswith("Quality was not compared: polite was changed.")
