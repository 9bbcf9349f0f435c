"""The limits on results: what is refused, what is cut, and that the whole record keeps its cap."""

import hashlib
import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import grice
from grice._runner import begin_session
from grice.identity import canonical_json

SETTINGS = {
    "MAX_ASSERTION_JSON_BYTES": ("max_assertion_json_bytes", 70_000),
    "MAX_TEST_RESULT_DETAILS_BYTES": ("max_test_result_details_bytes", 2_048),
    "REGEX_MAX_SOURCE_LEN": ("regex_max_source_len", 3),
    "REGEX_MAX_TEST_STR_LEN": ("regex_max_test_str_len", 3),
    "REGEX_ALLOWED_FLAGS": ("regex_allowed_flags", "i"),
}


def size_of(evaluation):
    return len(msgspec.json.encode(evaluation.results))


def evaluated(actual, *asked, **limits):
    asked = asked or ({"matcher": "toEqual", "expected": "x"},)
    return grice.evaluate_assertions(actual, asked, limits=grice.Limits(**limits))


@pytest.mark.parametrize("prefix", ["GRICE_", "PK_"])
@pytest.mark.parametrize("name", SETTINGS)
def test_each_limit_is_read_from_the_environment_under_both_names(prefix, name):
    field, value = SETTINGS[name]
    assert getattr(grice.Limits.from_environment({prefix + name: str(value)}), field) == value


def test_the_name_of_grice_wins():
    environ = {"PK_REGEX_MAX_SOURCE_LEN": "5", "GRICE_REGEX_MAX_SOURCE_LEN": "7"}
    assert grice.Limits.from_environment(environ).regex_max_source_len == 7


def test_without_variables_the_limits_are_those_of_the_seed():
    limits = grice.Limits.from_environment({})
    assert (limits.max_assertion_json_bytes, limits.max_test_result_details_bytes) == (65_536, 524_288)
    assert (limits.regex_max_source_len, limits.regex_max_test_str_len) == (1_024, 100_000)
    assert (limits.regex_allowed_flags, limits.max_samples, limits.assertion_budget_ms) == ("imsu", 20, 50)


@pytest.mark.parametrize(
    ("variable", "value", "why"),
    [
        ("GRICE_MAX_ASSERTION_JSON_BYTES", "64k", "expected a whole number, found '64k'"),
        ("PK_REGEX_MAX_SOURCE_LEN", "0", "expected a whole number of at least 1, found 0"),
        ("GRICE_ASSERTION_BUDGET_MS", "soon", "expected a number, found 'soon'"),
        ("GRICE_ASSERTION_BUDGET_MS", "0", "expected a number above 0, found 0.0"),
        ("GRICE_REGEX_ALLOWED_FLAGS", "ig", "expected any of i, m, s, u, found 'g' in 'ig'"),
        ("GRICE_MAX_TEST_RESULT_DETAILS_BYTES", "10", "expected a whole number of at least 1024, found 10"),
    ],
)
def test_a_wrong_limit_names_the_variable(variable, value, why):
    with pytest.raises(grice.LimitsError) as refused:
        grice.Limits.from_environment({variable: value})
    assert str(refused.value) == f"{variable}: {why}"


def test_the_environment_limits_what_is_evaluated(monkeypatch):
    monkeypatch.setenv("PK_REGEX_MAX_TEST_STR_LEN", "3")
    result = grice.evaluate_assertions("aaaab", [{"matcher": "toMatch", "expected": "b"}]).results[0]
    assert result.outcome == "inconclusive"
    assert "the first 3 of 5 characters; the rest was not tested" in result.message
    monkeypatch.setenv("GRICE_REGEX_MAX_SOURCE_LEN", "3")
    begin_session()
    (result,) = grice.evaluate_assertions("a", [{"matcher": "toMatch", "expected": "aaaa"}]).results
    assert result.outcome == "error"
    assert "at most 3 are allowed" in result.message


def test_too_many_assertions_are_refused_each():
    asked = [{"matcher": "toEqual", "expected": "x" * 100}] * 10
    evaluation = evaluated("x", *asked, max_assertion_json_bytes=1_000)
    assert [result.outcome for result in evaluation.results] == ["error"] * 10
    assert "bytes as JSON, at most 1,000 are allowed" in evaluation.results[0].message


def test_at_most_twenty_samples_and_a_digest_of_all():
    values = list(range(50))
    (result,) = evaluated(values, {"path": "$[*]", "matcher": "toEqual", "expected": 99}).results
    assert result.actual_samples == values[:20]
    assert (result.value_count, result.truncated) == (50, True)
    assert "...truncated" in result.message
    assert result.sha256 == hashlib.sha256(canonical_json(values)).hexdigest()


def test_what_does_not_fit_is_cut_with_a_mark_and_a_digest():
    value = {"text": "é" * 1_000_000}
    evaluation = evaluated(value, {"matcher": "toEqual", "expected": 1})
    (result,) = evaluation.results
    assert size_of(evaluation) <= 524_288
    assert result.truncated
    assert result.actual_samples[0].endswith("...truncated")
    assert result.sha256 == hashlib.sha256(canonical_json([value])).hexdigest()
    assert result.outcome == "fail"


def test_small_results_keep_theirs_when_a_large_one_is_cut():
    evaluation = evaluated(
        {"large": "x" * 100_000, "small": 5},
        {"path": "$.large", "matcher": "toEqual", "expected": "y"},
        {"path": "$.small", "matcher": "toEqual", "expected": 6},
        max_test_result_details_bytes=5_000,
    )
    large, small = evaluation.results
    assert size_of(evaluation) <= 5_000
    assert large.truncated
    assert 2_000 < len(large.actual_samples[0]) < 5_000
    assert (small.actual_samples, small.truncated, small.sha256) == ([5], False, None)


@given(
    st.integers(1_024, 20_000),
    st.lists(st.tuples(st.text(max_size=50), st.integers(0, 5_000)), min_size=1, max_size=30),
)
def test_the_cap_holds_for_the_whole_record(cap, sizes):
    actual = [name * size for name, size in sizes]
    asked = [
        {
            "id": f"{number}{name}",
            "path": f"$[{number}]",
            "matcher": "toEqual",
            "expected": 1,
            "description": name,
        }
        for number, (name, _) in enumerate(sizes)
    ]
    evaluation = evaluated(actual, *asked, max_test_result_details_bytes=cap)
    assert size_of(evaluation) <= cap
    assert len(evaluation.results) + evaluation.left_out == len(asked)
    assert evaluation.outcome == "fail"
    json.loads(msgspec.json.encode(evaluation))


def test_results_that_do_not_fit_at_all_are_counted():
    asked = [{"id": "x" * 100 + str(number), "matcher": "toBeNull"} for number in range(100)]
    evaluation = evaluated(None, *asked, max_test_result_details_bytes=1_024)
    assert size_of(evaluation) <= 1_024
    assert 0 < len(evaluation.results) < 10
    assert len(evaluation.results) + evaluation.left_out == 100
    assert evaluation.passed
