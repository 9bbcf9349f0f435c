"""grice.evaluate_assertions: examples, the truth table, and broken questions."""

import dataclasses
import gc
import json
from collections.abc import Iterator
from types import MappingProxyType

import msgspec
import pytest

import grice
from grice.matching.assertions.evaluation import select_cases
from grice.matching.limits import Deadline

PASS, FAIL, INCONCLUSIVE, ERROR = "pass", "fail", "inconclusive", "error"


def result_of(actual, assertion=None, /, **options):
    fields = {"path": "$", "matcher": "toEqual", **(assertion or {})}
    (result,) = grice.evaluate_assertions(actual, [fields], **options).results
    return result


# -- examples ----------------------------------------------------------------------------------------

ORDER = {
    "user": {"name": "Ada"},
    "items": [{"id": 123, "qty": 1, "status": "READY"}, {"id": 7, "qty": 2, "status": "PENDING"}],
    "profile": {},
}


@pytest.mark.parametrize(
    ("actual", "assertion"),
    [
        ("B", {"path": "$", "matcher": "toBeOneOf", "expected": ["A", "B", "C"]}),
        (
            ORDER,
            {
                "path": "$.user.name",
                "matcher": "toMatch",
                "expected": {"source": "^[A-Z][a-z]+$", "flags": "u"},
            },
        ),
        (
            {"items": [{"qty": 1, "id": 123}]},
            {"path": "$.items", "matcher": "toContain", "expected": {"id": 123, "qty": 1}},
        ),
        (ORDER, {"path": "$.profile.avatarUrl", "matcher": "toBeNull", "not": True}),
        (
            ORDER,
            {
                "path": "$.items[*].status",
                "pathMatch": "ALL",
                "matcher": "toBeOneOf",
                "expected": ["READY", "PENDING"],
            },
        ),
    ],
)
def test_the_examples_of_the_seed_pass(actual, assertion):
    assert result_of(actual, assertion).outcome == PASS
    assert result_of(json.dumps(actual), assertion).outcome == PASS or isinstance(actual, str)


def test_the_printed_example_of_the_seed_comes_out_exactly():
    assertion = {"path": "$.user.name", "matcher": "toMatch", "expected": "[A-Z][a-z]+"}
    message = result_of({"user": {"name": "bob"}}, assertion).message
    assert message == '$.user.name toMatch /[A-Z][a-z]+/ expected match, got "bob"'


# -- ANY, ALL and not ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "any_", "all_", "not_any", "not_all"),
    [
        ([], FAIL, FAIL, PASS, PASS),
        (["a"], PASS, PASS, FAIL, FAIL),
        (["a", "b"], PASS, FAIL, FAIL, PASS),
        (["b", "b"], FAIL, FAIL, PASS, PASS),
    ],
)
@pytest.mark.parametrize(
    ("matcher", "expected"), [("toEqual", "a"), ("toBeOneOf", ["a"]), ("toContain", "a"), ("toMatch", "a")]
)
def test_the_truth_table_of_the_seed(values, any_, all_, not_any, not_all, matcher, expected):
    found = {
        (mode, negated): result_of(
            {"v": values},
            {"path": "$.v[*]", "pathMatch": mode, "not": negated, "matcher": matcher, "expected": expected},
        )
        for mode in ("ANY", "ALL")
        for negated in (False, True)
    }
    assert [found[key].outcome for key in (("ANY", False), ("ALL", False), ("ANY", True), ("ALL", True))] == [
        any_,
        all_,
        not_any,
        not_all,
    ]
    for result in found.values():
        assert result.unresolved is (not values)
        assert ("nothing resolved" in result.message) is (not values)


@pytest.mark.parametrize(
    ("values", "mode", "negated", "outcome"),
    [
        ([1, "x", "a"], "ANY", False, PASS),  # pass beats error beats fail
        ([1, "x"], "ANY", False, ERROR),
        ([1, "x"], "ANY", True, ERROR),
        ([1, "a"], "ALL", False, ERROR),  # fail beats error beats pass
        ([1, "a", "x"], "ALL", False, FAIL),
        ([1, "a", "x"], "ALL", True, PASS),
        ([1, "a"], "ALL", True, ERROR),
    ],
)
def test_mixed_outcomes(values, mode, negated, outcome):
    assertion = {"path": "$[*]", "pathMatch": mode, "not": negated, "matcher": "toMatch", "expected": "a"}
    assert result_of(values, assertion).outcome == outcome


def test_judging_stops_when_the_outcome_is_clear_and_says_so():
    passed = result_of([1, 2, 3], {"path": "$[*]", "expected": 1})
    assert passed.message == "$[*] ANY toEqual 1 passed: got 1 at $[0] (value 1 of 3), 2 not examined"
    failed = result_of([1, 2, 3], {"path": "$[*]", "pathMatch": "ALL", "expected": 1})
    assert failed.message == (
        "$[*] ALL toEqual 1 expected an equal value for every value, got 2 at $[1] (value 2 of 3)"
    )


@pytest.mark.parametrize(
    ("mode", "negated", "expected", "ending"),
    [
        ("ANY", False, 9, "expected an equal value for at least one value, got none of 3 values: 1, 2, 3"),
        ("ANY", True, 9, "passed: none of 3 values: 1, 2, 3"),
        ("ANY", True, 2, "expected a different value for every value, got 2 at $[1] (value 2 of 3)"),
        ("ALL", True, 1, "passed: at least one value does not: 2 at $[1] (value 2 of 3), 1 not examined"),
    ],
)
def test_messages_paraphrase_what_the_mode_and_not_mean(mode, negated, expected, ending):
    fields = {"path": "$[*]", "pathMatch": mode, "not": negated, "expected": expected}
    message = result_of([1, 2, 3], fields).message
    assert message.endswith(ending), message


def test_all_values_that_hold_where_one_should_not():
    fields = {"path": "$[*]", "pathMatch": "ALL", "not": True, "expected": 1}
    message = result_of([1, 1], fields).message
    assert message == (
        "$[*] ALL not toEqual 1 expected a different value for at least one value, "
        "but it holds for all 2 values: 1, 1"
    )


# -- text that holds JSON --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "parse", "path", "expected", "outcome"),
    [
        ("42", "auto", "$", "42", PASS),
        ("42", "auto", "$", 42, FAIL),
        ("42", "json", "$", 42, PASS),
        ('{"a": 1}', "auto", "$.a", 1, PASS),
        ('{"a": 1}', "auto", "$", '{"a": 1}', PASS),
        ('{"a": 1}', "json", "$", {"a": 1}, PASS),
        ('{"a": 1}', "text", "$.a", 1, ERROR),
        ('{"a": 1}', "fenced", "$.a", 1, FAIL),
        ('```json\n{"a": 1}\n```', "auto", "$.a", 1, PASS),
        ('Here it is:\n```\n{"a": 1}\n```\nDone.', "auto", "$.a", 1, PASS),
        ('```json\n{"a": 1}\n```', "fenced", "$", {"a": 1}, PASS),
        ('```json\n{"a": 1}\n```', "json", "$", {"a": 1}, FAIL),
        ('```py\nx = 1\n```\n```json\n{"a": 1}\n```', "auto", "$.a", 1, PASS),
        ('~~~\n{"a": 1}', "auto", "$.a", 1, PASS),
        ("null", "json", "$", None, PASS),
        ("NaN", "json", "$", None, FAIL),
        ("", "json", "$", "", FAIL),
    ],
)
def test_a_text_is_read_as_json_below_its_root(text, parse, path, expected, outcome):
    result = result_of(text, {"path": path, "expected": expected}, parse=parse)
    assert result.outcome == outcome, result.message


@pytest.mark.parametrize(
    ("text", "parse", "why"),
    [
        ("Sorry!", "auto", "it is not JSON: Expecting value (at character 0, found 'Sorry!')"),
        ("Sorry!", "fenced", "there is no code fence in the text"),
        ("```json\n{a}\n```", "auto", "in the code fence, it is not JSON: Expecting property name"),
        ("[" * 100_000, "auto", "it is not JSON that can be read: nested too deep"),
        ("9" * 5_000, "json", "it is not JSON: a number of 5,000 digits"),
    ],
)
def test_a_text_that_is_not_json_resolves_nothing_and_says_why(text, parse, why):
    result = result_of(text, {"path": "$.a", "expected": 1}, parse=parse)
    assert (result.outcome, result.unresolved) == (FAIL, True)
    assert f"nothing resolved: {why}" in result.message


@pytest.mark.parametrize("value", [None, 0, False, "", [], {}, 1.5, "text", [None]])
def test_the_root_is_the_value_itself_whatever_it_is(value):
    assert result_of(value, {"expected": value}).outcome == PASS
    assert grice.resolve_path(value, "$") == [value]


# -- nothing there ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("matcher", "expected", "outcome"),
    [
        ("toBeUndefined", ..., PASS),
        ("toBeDefined", ..., FAIL),
        ("toBeFalsy", ..., PASS),
        ("toBeTruthy", ..., FAIL),
        ("toBeNull", ..., FAIL),
        ("toEqual", None, FAIL),
        ("toBeGreaterThan", 1, FAIL),
        ("toHaveLength", 0, FAIL),
        ("toMatchSchema", {}, FAIL),
    ],
)
def test_what_a_path_does_not_find_is_missing_and_not_null(matcher, expected, outcome):
    fields = {"path": "$.gone", "matcher": matcher} | ({} if expected is ... else {"expected": expected})
    assert result_of({}, fields).outcome == outcome
    assert result_of({}, {**fields, "not": True}).outcome == {PASS: FAIL, FAIL: PASS}[outcome]
    assert result_of({}, fields).actual_samples == [{"$undefined": True}]


# -- broken questions ------------------------------------------------------------------------------------


@pytest.mark.parametrize("negated", [False, True])
@pytest.mark.parametrize(
    ("actual", "assertion", "why"),
    [
        (5, {"matcher": "toMatch", "expected": "5"}, "judges a text"),
        (None, {"matcher": "toContain", "expected": "a"}, "judges a text"),
        ("5", {"matcher": "toContain", "expected": 5}, "a text contains texts only"),
        ("5", {"matcher": "toBeGreaterThan", "expected": 3}, "judges a number, found '5'"),
        ({}, {"matcher": "toHaveLength", "expected": 0}, "judges a text or a list"),
        ("x", {"matcher": "toMatch", "expected": "("}, "'(' is not a pattern"),
        ("x", {"matcher": "toMatch", "expected": "(?i)x"}, "inline flags"),
        ("x", {"matcher": "toMatch", "expected": {"source": "x", "flags": "g"}}, "'g'"),
        (
            "x",
            {"matcher": "toMatch", "expected": {"sourc": "x"}},
            "unknown field 'sourc' (did you mean 'source'?)",
        ),
        ("x", {"matcher": "toMatch", "expected": 5}, "expected a pattern or {source, flags}, found 5"),
        (
            "x",
            {"matcher": "toBeOneOf", "expected": []},
            "options is a list that is not empty, found []",
        ),
        (
            "x",
            {"matcher": "toBeOneOf", "expected": "x"},
            "options is a list that is not empty, found 'x'",
        ),
        ("x", {"path": "", "expected": 1}, "path: "),
        ("x", {"path": "$.a[", "expected": 1}, "(at character 3)"),
        ("x", {"path": 5, "expected": 1}, "path: "),
        ("x", {"matcher": "toEqal", "expected": 1}, "unknown matcher 'toEqal' (did you mean 'toEqual'?)"),
        ("x", {"matcher": "contain", "expected": 1}, "did you mean 'toContain'?"),
        ("x", {"matcher": 5}, "expected the name of a matcher, found 5"),
        ("x", {"matcher": "toEqual"}, "toEqual: expected is missing"),
        ("x", {"matcher": "toBeNull", "expected": 1}, "toBeNull: it takes no expected value, found 1"),
        ("x", {"pathMatch": "SOME", "expected": 1}, 'pathMatch: expected ANY or ALL, found "SOME"'),
        ("x", {"pathmatch": "ALL", "expected": 1}, "pathmatch: unknown field (did you mean 'pathMatch'?)"),
        ("x", {"matcher": "toBeCloseTo", "expected": {"value": 1, "digit": 2}}, "did you mean 'digits'?"),
        ("x", {"matcher": "toHaveLength", "expected": -1}, "a whole number from 0, found -1"),
        ("x", {"matcher": "toMatchSchema", "expected": {"type": "objekt"}}, "not a JSON Schema"),
        ("x", {"matcher": "toMatchSchema", "expected": {"pattern": "(?=x)"}}, "look-around"),
        ("x", {"matcher": "toSatisfyAll", "expected": {"matcher": "toBe"}}, "unknown matcher 'toBe'"),
        ("x", {"matcher": "toBeFreeOf", "expected": ["NO_SUCH_LABEL"]}, "toBeFreeOf"),
        (
            [1],
            {"matcher": "toEqual", "expected": 1, "options": {"deep": True}},
            "unknown name 'deep' in options",
        ),
    ],
)
def test_a_broken_question_is_an_error_under_both_polarities(actual, assertion, why, negated):
    result = result_of(actual, {**assertion, "not": negated})
    assert (result.outcome, result.passed) == (ERROR, False)
    assert why in result.message, result.message


@pytest.mark.parametrize(
    ("assertions", "why"),
    [
        ([], "nothing to judge by"),
        (None, "nothing to judge by"),
    ],
)
def test_nothing_to_judge_by_is_an_error(assertions, why):
    evaluation = grice.evaluate_assertions("x", assertions)
    assert (evaluation.passed, evaluation.outcome, evaluation.results) == (False, ERROR, ())
    assert why in evaluation.message


@pytest.mark.parametrize("assertions", ["x", 5, {"matcher": "toBeNull"}, [5], ["toBeNull"], [None]])
def test_what_is_no_list_of_assertions_is_an_error(assertions):
    evaluation = grice.evaluate_assertions(None, assertions)
    assert (evaluation.passed, evaluation.outcome) == (False, ERROR)


def test_one_broken_question_does_not_lose_the_others():
    evaluation = grice.evaluate_assertions(
        "x", [{"matcher": "toMatch", "expected": "("}, {"matcher": "toEqual", "expected": "x"}]
    )
    assert [result.outcome for result in evaluation.results] == [ERROR, PASS]
    assert evaluation.outcome == ERROR


def test_loading_refuses_everything_that_is_wrong_at_once():
    with pytest.raises(grice.AssertionErrors) as refused:
        grice.load_assertions(
            [
                {"matcher": "toEqual", "expected": 1},
                {"path": "$[", "matcher": "toMtch", "expected": "x"},
                {"matcher": "toBeOneOf", "expected": [], "pathMatch": "EVERY"},
            ]
        )
    assert [problem.split(":")[:2] for problem in refused.value.problems] == [
        ["assertion 2", " path"],
        ["assertion 2", " matcher"],
        ["assertion 3", " pathMatch"],
        ["assertion 3", " expected"],
    ]


# -- records and ids -------------------------------------------------------------------------------------


def test_results_have_the_names_of_the_seed_as_json():
    evaluation = grice.evaluate_assertions(
        {"a": [1, 2]}, [{"id": "one", "path": "$.a[*]", "matcher": "toEqual", "expected": 3, "not": True}]
    )
    (written,) = json.loads(msgspec.json.encode(evaluation))["results"]
    assert written == {
        "assertionId": "one",
        "path": "$.a[*]",
        "matcher": "toEqual",
        "not": True,
        "pathMatch": "ANY",
        "passed": True,
        "outcome": "pass",
        "actualSamples": [1, 2],
        "message": "$.a[*] ANY not toEqual 3 passed: none of 2 values: 1, 2",
        "description": "",
        "valueCount": 2,
        "unresolved": False,
        "triviallyTrue": False,
        "truncated": False,
        "sha256": None,
    }


def test_what_is_trivially_true_passes_and_is_marked():
    hollow = [
        {"path": "$.a", "matcher": "toContain", "expected": "x", "not": True},
        {"path": "$.b", "matcher": "toMatch", "expected": ""},
    ]
    sound = [{**hollow[0], "path": "$.c"}, {**hollow[1], "not": True}]
    results = grice.evaluate_assertions({"a": [], "b": "", "c": ["y"]}, [*hollow, *sound]).results
    assert [one.passed for one in results] == [True, True, True, False]
    assert [one.trivially_true for one in results] == [True, True, False, False]


def test_assertions_as_records_dicts_and_loaded_are_the_same():
    record = grice.Assertion("toEqual", 1, path="$.a", path_match="ALL", negated=True, description="no one")
    data = json.loads(msgspec.json.encode(record))
    assert data == {
        "matcher": "toEqual",
        "expected": 1,
        "path": "$.a",
        "pathMatch": "ALL",
        "not": True,
        "description": "no one",
    }
    assert msgspec.convert(data, grice.Assertion) == record
    asked = [[record], [data], grice.load_assertions([data])]
    first, *others = [grice.evaluate_assertions({"a": 2}, one) for one in asked]
    assert first.passed
    assert all(other == first for other in others)


def test_an_expected_null_is_not_an_absent_one():
    assert result_of(None, {"expected": None}).outcome == PASS
    assert grice.evaluate_assertions(None, [grice.Assertion("toEqual", None)]).passed


def test_a_missing_id_is_derived_and_unique():
    same = {"matcher": "toEqual", "expected": 1}
    evaluation = grice.evaluate_assertions(1, [same, {**same, "description": "again"}, {**same, "not": True}])
    first, second, third = [result.assertion_id for result in evaluation.results]
    assert first.startswith("assertion_")
    assert second == f"{first}_2"
    assert third not in (first, second)
    assert result_of(1, same).assertion_id == first  # it follows from what is asked


def test_an_id_used_twice_is_refused():
    same = {"id": "x", "matcher": "toEqual", "expected": 1}
    evaluation = grice.evaluate_assertions(1, [same, same])
    assert [result.outcome for result in evaluation.results] == [PASS, ERROR]
    assert 'id: "x" is the id of assertion 1 too' in evaluation.results[1].message


# -- legacy expected output, run modes -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("actual", "expected", "output_type", "outcome"),
    [
        ("hello", "hello", "string", PASS),
        ("hello ", "hello", "string", FAIL),
        ("42", "42", "string", PASS),
        ("42", 42, "string", FAIL),
        ('{"a": 1, "b": 2}', {"b": 2, "a": 1.0}, "json", PASS),
        ('{"a": 1, "b": 2}', '{"b": 2, "a": 1}', "json", PASS),
        ({"a": 1}, {"a": 1}, "json", PASS),
        ('{"a": true}', {"a": 1}, "json", FAIL),
        ("not json", {"a": 1}, "json", FAIL),
        ("[]", {}, "json", FAIL),
        ("{}", [], "json", FAIL),
        ("x", "x", "yaml", ERROR),
    ],
)
def test_without_assertions_the_output_is_compared(actual, expected, output_type, outcome):
    evaluation = grice.evaluate_assertions(actual, expected_output=expected, output_type=output_type)
    assert evaluation.outcome == outcome, evaluation


def test_assertions_win_over_an_expected_output():
    evaluation = grice.evaluate_assertions(
        "x", [{"matcher": "toEqual", "expected": "x"}], expected_output="y"
    )
    assert evaluation.passed


@pytest.mark.parametrize(
    ("modes", "chosen"),
    [
        ("DEFAULT DEFAULT", [0, 1]),
        ("DEFAULT SKIP DEFAULT", [0, 2]),
        ("DEFAULT ONLY SKIP ONLY", [1, 3]),
        ("SKIP SKIP", []),
    ],
)
def test_run_modes(modes, chosen):
    cases = list(enumerate(modes.split()))
    assert [index for index, _ in select_cases(cases, lambda case: case[1])] == chosen


# -- time ------------------------------------------------------------------------------------------------


@pytest.fixture
def uncollected() -> Iterator[None]:
    """No garbage is collected: the clocks of these tests tick whenever they are read."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("uncollected")
def test_an_assertion_that_takes_too_long_is_an_error_between_values():
    ticks = iter(range(100))
    limits = grice.Limits(assertion_budget_ms=2_500, clock=lambda: float(next(ticks)))
    result = result_of([1, 2, 3, 4, 5, 9], {"path": "$[*]", "expected": 9}, limits=limits)
    assert result.outcome == ERROR
    assert "out of time after 2500 ms, when 3 of 6 values were examined" in result.message
    assert result_of([9, 1, 1], {"path": "$[*]", "expected": 9}, limits=limits).outcome == PASS


@pytest.mark.usefixtures("uncollected")
def test_the_first_value_decides_even_when_time_is_up():
    ticks = iter(range(100))
    limits = grice.Limits(assertion_budget_ms=500, clock=lambda: float(next(ticks)))
    assert result_of([9, 1], {"path": "$[*]", "expected": 9}, limits=limits).outcome == PASS
    assert (
        result_of([1, 9], {"path": "$[*]", "pathMatch": "ALL", "expected": 9}, limits=limits).outcome == FAIL
    )


@pytest.mark.usefixtures("uncollected")
def test_resolving_a_path_is_within_the_time_too():
    ticks = iter(range(1_000))
    limits = grice.Limits(assertion_budget_ms=2_500, clock=lambda: float(next(ticks)))
    deep = {"rows": [{"n": n, "more": [{"x": n}]} for n in range(6_000)]}
    result = result_of(deep, {"path": "$..x", "expected": 1}, limits=limits)
    assert result.outcome == ERROR
    assert "'$..x' is out of time after 2500 ms, when " in result.message
    assert result.message.endswith(" places were visited")


def test_what_the_garbage_collector_takes_is_not_in_the_time():
    now = [0.0]
    taking = lambda phase, _: now.__setitem__(0, now[0] + 9.0)  # noqa: E731 - a collection of nine seconds
    with Deadline(grice.Limits(assertion_budget_ms=1_000, clock=lambda: now[0])) as deadline:
        deadline.begin()
        gc.callbacks.append(taking)  # behind the deadline's own: it ends after the clock was read
        try:
            gc.collect()
        finally:
            gc.callbacks.remove(taking)
        assert now[0] == 18.0
        now[0] -= 9.0  # of its end
        assert not deadline.is_over()
        now[0] += 1.5
        assert deadline.is_over()
    assert not [one for one in gc.callbacks if getattr(one, "__self__", None) is deadline]


# -- subjects of Python ----------------------------------------------------------------------------------


@dataclasses.dataclass
class Item:
    status: str


@pytest.mark.parametrize(
    "actual",
    [
        {"items": [{"status": "READY"}]},
        MappingProxyType({"items": ({"status": "READY"},)}),
        {"items": (Item("READY"),)},
        {"items": [MappingProxyType({"status": "READY"})]},
    ],
)
def test_paths_go_into_mappings_tuples_and_records(actual):
    assert result_of(actual, {"path": "$.items[*].status", "expected": "READY"}).outcome == PASS
    assert result_of(actual, {"path": "$.items[*].status", "expected": "READY", "not": True}).outcome == FAIL


@pytest.mark.parametrize("actual", [{1, 2}, b"x", object(), {"a": 1}.keys()])
def test_a_subject_that_no_path_goes_into_is_an_error_and_not_nothing_resolved(actual):
    result = result_of(actual, {"path": "$.a", "expected": 1, "not": True})
    assert (result.outcome, result.unresolved) == (ERROR, False)
    assert "a path goes into JSON values, found " in result.message


@pytest.mark.parametrize("negated", [False, True])
def test_white_space_around_a_path_is_a_broken_question(negated):
    result = result_of("hello", {"path": "$ ", "expected": "hello", "not": negated})
    assert result.outcome == ERROR
    assert "'$ ' is not a JSON path: white space stands after it; leave it out" in result.message


def test_a_path_below_a_text_that_is_not_to_be_read_is_a_broken_question():
    result = result_of(
        '{"password": "x"}', {"path": "$.password", "expected": "x", "not": True}, parse="text"
    )
    assert result.outcome == ERROR
    assert "parse='text' leaves the text alone" in result.message


def test_texts_of_subclasses_are_texts():
    class Text(str):
        pass

    assert result_of(Text("abc"), {"matcher": "toMatch", "expected": "b"}).actual_samples == ["abc"]
    assert result_of({"v": Text("abc")}, {"path": "$.v", "expected": "abc"}).outcome == PASS


# -- limits ----------------------------------------------------------------------------------------------


def test_limits_that_are_given_hold_for_patterns_too():
    long = {"matcher": "toMatch", "expected": "x" * 2_000}
    assert result_of("x" * 2_000, long, limits=grice.Limits(regex_max_source_len=5_000)).outcome == PASS
    with pytest.raises(grice.AssertionErrors, match="at most 5 are allowed"):
        grice.load_assertions(
            [{"matcher": "toMatch", "expected": "x" * 20}], limits=grice.Limits(regex_max_source_len=5)
        )


def test_an_expected_output_may_be_larger_than_assertions():
    large = "y" * 70_000
    assert grice.evaluate_assertions(large, expected_output=large).outcome == PASS


@pytest.mark.parametrize(("expected", "negated"), [("x{5}", False), ("^y", True)])
def test_a_cut_text_is_reported_whatever_the_outcome(expected, negated):
    result = result_of("x" * 100_005, {"matcher": "toMatch", "expected": expected, "not": negated})
    assert "the first 100,000 of 100,005 characters" in result.message


def test_a_surrogate_does_not_switch_the_cap_off():
    asked = [{"matcher": "toEqual", "expected": "x" * 60_000}] * 2 + [
        {"matcher": "toEqual", "expected": "\ud800"}
    ]
    assert {one.outcome for one in grice.evaluate_assertions("x", asked).results} == {ERROR}


@pytest.mark.usefixtures("uncollected")
def test_out_of_time_counts_what_was_examined():
    ticks = iter(range(100))
    limits = grice.Limits(assertion_budget_ms=2_500, clock=lambda: float(next(ticks)))
    message = result_of(list(range(9)), {"path": "$[*]", "expected": 99}, limits=limits).message
    assert message.endswith(
        "at $[2] (value 3 of 9): out of time after 2500 ms, when 3 of 9 values were examined"
    )
