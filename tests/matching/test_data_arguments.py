# ruff: noqa: E501 - tables, one case a line
"""What `expected` and `options` in a file mean for every built-in matcher, and the JSON Schema of `expected`."""

import re
from collections.abc import Iterator
from functools import reduce
from importlib.metadata import EntryPoint
from typing import Any

import jsonschema
import pytest

from grice import _catalogue
from grice.matchers import matcher
from grice.matching.assertions import registry
from grice.matching.assertions.data_arguments import expected_schema
from grice.matching.assertions.registry import ENTRY_POINTS, find_matcher, matcher_from_data, matcher_names
from grice.matching.matcher import REGISTRY, ArgumentError

ABSENT: Any = object()


def assertion(name: Any, expected: Any = ABSENT, options: Any = ABSENT) -> dict[str, Any]:
    fields = {"matcher": name, "expected": expected, "options": options}
    return {field: value for field, value in fields.items() if value is not ABSENT}


def refusal_of(*fields: Any) -> tuple[str, str]:
    """The field that is wrong, and what is said of it."""
    with pytest.raises(ArgumentError) as refused:
        matcher_from_data(assertion(*fields))
    return refused.value.field, str(refused.value)


def accepts(name: str, expected: Any) -> bool:
    try:
        matcher_from_data(assertion(name, expected))
    except ArgumentError:
        return False
    return True


def is_valid(name: str, expected: Any) -> bool:
    schema = expected_schema(find_matcher(name))
    assert schema is not None
    return jsonschema.Draft202012Validator(schema).is_valid(expected)


# -- what an expected value means


@pytest.mark.parametrize(
    ("name", "expected", "made"),
    [
        # the first argument
        ("toEqual", None, "equal(None)"),
        ("toEqual", {"expected": 1}, "equal({'expected': 1})"),
        ("toContain", "x", "contain('x')"),
        ("toContain", {"expected": "x"}, "contain({'expected': 'x'})"),
        ("toContainEqual", [1], "contain_equal([1])"),
        ("toBeOneOf", ["A", None], "be_one_of(['A', None])"),
        ("toBeGreaterThan", 1, "be_greater_than(1)"),
        ("toBeGreaterThanOrEqual", 1.5, "be_greater_than_or_equal(1.5)"),
        ("toBeLessThan", 10**20, "be_less_than(100000000000000000000)"),
        ("toBeLessThanOrEqual", -1, "be_less_than_or_equal(-1)"),
        ("toHaveLength", 0, "have_length(0)"),
        ("toMatchObject", {"a": 1}, "match_object({'a': 1})"),
        ("toMatchObject", [{"a": 1}], "match_object([{'a': 1}])"),
        ("toMatchSchema", {"type": "string"}, "match_schema({'type': 'string'})"),
        ("toMatchSchema", True, "match_schema(True)"),
        ("toStartWith", "x", "start_with('x')"),
        ("toEndWith", "x", "end_with('x')"),
        ("toHaveAtMostSentences", 1, "have_at_most_sentences(1)"),
        ("toAnswerWithin", 2.5, "answer_within(2.5)"),
        ("toOfferTool", "book", "offer_tool('book')"),
        # or several by name, where the first cannot be an object
        ("toBeCloseTo", 3.14, "be_close_to(3.14)"),
        ("toBeCloseTo", {"value": 3.14, "digits": 1}, "be_close_to(value=3.14, digits=1)"),
        ("toStayWithinTokens", 100, "stay_within_tokens(100)"),
        ("toStayWithinTokens", {"limit": 100, "of": "output"}, "stay_within_tokens(limit=100, of='output')"),
        ("toHaveLastUserMessage", "Yes", "have_last_user_message('Yes')"),
        ("toHaveLastUserMessage", {"text": "Yes", "calls": ["a"]}, "have_last_user_message(text='Yes', calls=['a'])"),
        ("toBeFreeOf", "SELF_INTRODUCTION", "be_free_of('SELF_INTRODUCTION')"),
        ("toBeFreeOf", ["SELF_INTRODUCTION"], "be_free_of(['SELF_INTRODUCTION'])"),
        ("toBeFreeOf", {"labels": ["SELF_INTRODUCTION"], "toolStatus": "error"}, "be_free_of(labels=['SELF_INTRODUCTION'], tool_status='error')"),
        # names, where all arguments have them
        ("toContainMessage", {"role": "user", "content": "Hi"}, "contain_message(role='user', content='Hi')"),
        ("toAskModel", {"atMost": 3}, "ask_model(at_most=3)"),
        ("toAskModel", {}, "ask_model()"),
        ("toBeValidResponse", {"toolStatus": "success"}, "be_valid_response(tool_status='success')"),
        ("toPassLint", {"ignore": ["empty-content"], "warnings": True}, "pass_lint(ignore=['empty-content'], warnings=True)"),
        # any number of values, or of names
        ("toHaveInSystemPrompt", "x", "have_in_system_prompt('x')"),
        ("toHaveInSystemPrompt", ["x", "y"], "have_in_system_prompt('x', 'y')"),
        ("toOfferOnlyTools", "a", "offer_only_tools('a')"),
        ("toOfferOnlyTools", ["a", "b"], "offer_only_tools('a', 'b')"),
        ("toOfferOnlyTools", [], "offer_only_tools()"),
        ("toHaveParameters", {"model": "m", "top_p": 1, "topP": 2}, "have_parameters(model='m', top_p=1, topP=2)"),
        ("toHaveParameters", {"subject": 1, "ctx": 2, "fields": 3, "return": 4, "self": 5}, "have_parameters(subject=1, ctx=2, fields=3, return=4, self=5)"),
        # what the matcher reads itself
        ("toMatch", "x", "match('x')"),
        ("toMatch", {"source": "x", "flags": "im"}, "match('x', flags='im')"),
        ("toHaveProperty", "a.b", "have_property('a.b')"),
        ("toHaveProperty", ["a.b", 0], "have_property(['a.b', 0])"),
        ("toHaveProperty", {"path": "a"}, "have_property(path='a')"),
        ("toHaveProperty", {"path": "a", "value": None}, "have_property(path='a', value=None)"),
        ("toSatisfyAll", {"matcher": "toBeNull", "not": True}, "satisfy_all(~be_null())"),
        ("toSatisfyAny", {"matcher": "toContain", "expected": "x", "options": {"ignoreCase": True}}, "satisfy_any(contain('x', ignore_case=True))"),
        ("toCallTool", "book", "call_tool(call('book'))"),
        ("toCallTool", {"name": "book", "arguments": {"room": "Blue"}, "times": 2}, "call_tool(call('book', room='Blue'), times=2)"),
        ("toHaveCalledTool", "book", "have_called_tool(call('book'))"),
    ],
)  # fmt: skip
def test_an_expected_value_gives_these_arguments_and_fits_the_schema(
    name: str, expected: Any, made: str
) -> None:
    assert repr(matcher_from_data(assertion(name, expected))) == made
    assert is_valid(name, expected)


@pytest.mark.parametrize(
    "name",
    [
        "toBeNull",
        "toBeDefined",
        "toBeUndefined",
        "toBeTruthy",
        "toBeFalsy",
        "toBeValidJson",
        "toPairToolCalls",
    ],
)
def test_matchers_without_arguments_take_no_expected_value(name: str) -> None:
    assert matcher_from_data({"matcher": name}).args == ()
    assert expected_schema(find_matcher(name)) is None
    for expected, shown in ((None, "null"), (True, "true"), ({}, "{}")):
        assert refusal_of(name, expected) == (
            "expected",
            f"{name}: it takes no expected value, found {shown}",
        )


@pytest.mark.parametrize(
    ("name", "expected", "options", "made"),
    [
        ("toContain", "x", {"ignoreCase": True, "after": "--"}, "contain('x', ignore_case=True, after='--')"),
        ("toContain", "x", {"ignore_case": True}, "contain('x', ignore_case=True)"),
        ("toContain", "x", None, "contain('x')"),
        ("toContain", "x", {}, "contain('x')"),
        ("toBeCloseTo", 3, {"digits": 1}, "be_close_to(3, digits=1)"),
        ("toStayWithinTokens", 9, {"of": "total"}, "stay_within_tokens(9, of='total')"),
        ("toMatch", "x", {"flags": "i"}, "match('x', flags='i')"),
        ("toHaveProperty", "a", {"value": 1}, "have_property('a', value=1)"),
        ("toHaveInSystemPrompt", ["x", "y"], {"ordered": True}, "have_in_system_prompt('x', 'y', ordered=True)"),
        ("toBeFreeOf", ABSENT, {"tool_status": "error"}, "be_free_of(tool_status='error')"),
        ("toContainMessage", ABSENT, {"role": "user"}, "contain_message(role='user')"),
        ("toContainMessage", {"role": "user"}, {"before": "tool_use"}, "contain_message(role='user', before='tool_use')"),
        ("toContainMessages", [{"role": "user"}], {"order": "exact"}, "contain_messages([{'role': 'user'}], order='exact')"),
        ("toContainMessages", {"messages": [{"role": "user"}], "order": "subset"}, ABSENT, "contain_messages(messages=[{'role': 'user'}], order='subset')"),
        ("toHaveParameters", {"model": "m"}, {"seed": 1}, "have_parameters(model='m', seed=1)"),
        ("toAskModel", ABSENT, ABSENT, "ask_model()"),
    ],
)  # fmt: skip
def test_options_are_further_arguments(name: str, expected: Any, options: Any, made: str) -> None:
    assert repr(matcher_from_data(assertion(name, expected, options))) == made


# -- what is refused


@pytest.mark.parametrize(
    ("name", "expected", "said"),
    [
        ("toBeOneOf", [], 'options is a list that is not empty, found []'),
        ("toBeOneOf", "A", "options is a list that is not empty, found 'A'"),
        ("toBeGreaterThan", "1", "expected is a number, found '1'"),
        ("toBeLessThan", True, 'expected is a number, found True'),
        ("toBeCloseTo", [3, 1], 'value is a number, found [3, 1]'),
        ("toBeCloseTo", {}, "'value' is missing"),
        ("toBeCloseTo", {"digits": 1}, "'value' is missing"),
        ("toBeCloseTo", {"value": 3, "digit": 1}, "unknown name 'digit' in expected (did you mean 'digits'?)"),
        ("toBeCloseTo", {"value": 3, "digits": 1.5}, 'digits is a whole number from -300 to 300, found 1.5'),
        ("toHaveLength", -1, 'length is a whole number from 0, found -1'),
        ("toHaveLength", "2", "length is a whole number from 0, found '2'"),
        ("toHaveProperty", "", "path is a text that is not empty or a list of texts or whole numbers that is not empty, found ''"),
        ("toHaveProperty", {"value": 1}, "'path' is missing"),
        ("toHaveProperty", {"path": "a", "vale": 1}, "unknown name 'vale' in expected (did you mean 'value'?)"),
        ("toHaveProperty", "$", "'$': a property is looked for from the value itself, name a property; for a name that is $ give a list of keys"),
        ("toMatch", 5, "expected a pattern or {source, flags}, found 5"),
        ("toMatch", {"sorce": "x"}, "unknown field 'sorce' (did you mean 'source'?): a pattern has source and flags"),
        ("toMatch", {"flags": "i"}, "missing field 'source' in {\"flags\": \"i\"}"),
        ("toMatchObject", "x", "expected is an object or a list, found 'x'"),
        ("toMatchSchema", 5, "schema is an object or true or false, found 5"),
        ("toStartWith", 5, "expected is a text that is not empty, found 5"),
        ("toEndWith", None, "expected is a text that is not empty, found None"),
        ("toSatisfyAll", "toBeNull", 'expected {matcher, expected, not}, found "toBeNull"'),
        ("toSatisfyAll", {"matcher": "toBeNull", "not": "yes"}, 'not: expected true or false, found "yes"'),
        ("toSatisfyAny", {"matcher": "toBeNull", "path": "$"}, "unknown field 'path'"),
        ("toContainMessage", "user", 'expected an object with any of role, content, id, before, after, found "user"'),
        ("toContainMessage", {"rol": "user"}, "unknown name 'rol' in expected (did you mean 'role'?)"),
        ("toContainMessages", [{"rol": "user"}], "messages[0] has an unknown field 'rol' (did you mean 'role'?)"),
        ("toContainMessages", {"order": "exact"}, "'messages' is missing"),
        ("toContainMessage", {"role": "usr"}, "role is 'system', 'user', 'assistant', 'tool_use' or 'tool_result', found 'usr' (did you mean 'user'?)"),
        ("toHaveInSystemPrompt", 5, 'texts is a text that is not empty, found 5'),
        ("toHaveInSystemPrompt", {"text": ["x"]}, "unknown name 'text' in expected (did you mean 'texts'?)"),
        ("toHaveParameters", "m", 'expected an object, found "m"'),
        ("toHaveParameters", {}, "name at least one field of the request, such as model='...'"),
        ("toHaveAtMostSentences", "1", "limit is a whole number from 1, found '1'"),
        ("toAskModel", 3, "expected an object with any of times, atMost, found 3"),
        ("toStayWithinTokens", {"of": "output"}, "'limit' is missing"),
        ("toBeFreeOf", ["SELF_INTRO"], "labels[0] is one of 10 values, found 'SELF_INTRO' (did you mean 'SELF_INTRODUCTION'?)"),
        ("toPassLint", {"ignore": "empty-content"}, "ignore is a list of texts, found 'empty-content'"),
        ("toHaveLastUserMessage", 5, "text is a text, found 5"),
    ],
)  # fmt: skip
def test_a_wrong_expected_value_is_refused_and_does_not_fit_the_schema(
    name: str, expected: Any, said: str
) -> None:
    assert refusal_of(name, expected) == ("expected", f"{name}: {said}")
    assert not is_valid(name, expected)


@pytest.mark.parametrize(
    ("name", "expected", "options", "field", "said"),
    [
        ("toContain", "x", [1], "options", "expected an object, found [1]"),
        ("toContain", "x", {"ignorCase": True}, "options", "unknown name 'ignorCase' in options (did you mean 'ignoreCase'?)"),
        ("toContain", "x", {"ignoreCase": True, "ignore_case": False}, "options", "'ignoreCase' is given twice in options"),
        ("toContain", "x", {"expected": "y"}, "options", "'expected' is given by expected already"),
        ("toBeCloseTo", {"value": 1}, {"value": 2}, "options", "'value' is given by expected already"),
        ("toContainMessage", {"role": "user"}, {"role": "user"}, "options", "'role' is given by expected already"),
        ("toHaveInSystemPrompt", "x", {"texts": ["y"]}, "options", "unknown name 'texts' in options"),
        ("toHaveInSystemPrompt", "x", {"ordered": "yes"}, "options", "ordered is true or false, found 'yes'"),
        ("toBeNull", ABSENT, {"x": 1}, "options", "unknown name 'x' in options"),
        ("toBeCloseTo", ABSENT, {"digits": 1}, "matcher", "'value' is missing"),
        ("toEqual", ABSENT, ABSENT, "matcher", "expected is missing"),
        ("toHaveParameters", ABSENT, ABSENT, "matcher", "name at least one field of the request, such as model='...'"),
        ("toSatisfyAll", {"matcher": "toEqul", "expected": 1}, ABSENT, "matcher", "unknown matcher 'toEqul' (did you mean 'toEqual'?)"),
        ("toSatisfyAll", {"matcher": "toEqual"}, ABSENT, "matcher", "toEqual: expected is missing"),
        ("toSatisfyAll", {"expected": 1}, ABSENT, "matcher", "expected the name of a matcher, found nothing"),
    ],
)  # fmt: skip
def test_wrong_options_are_refused(name: str, expected: Any, options: Any, field: str, said: str) -> None:
    assert refusal_of(name, expected, options) == (field, f"{name}: {said}")


def test_matchers_in_matchers_have_a_bottom() -> None:
    deep = reduce(lambda inside, _: assertion("toSatisfyAll", inside), range(5_000), assertion("toBeNull"))
    assert refusal_of("toSatisfyAll", deep) == ("expected", "toSatisfyAll: expected is nested too deep")


# -- the schemas


@pytest.mark.slow
def test_every_built_in_matcher_has_a_schema_that_is_one() -> None:
    for name in _catalogue.MODULES:
        schema = expected_schema(find_matcher(name))
        if schema is not None:
            jsonschema.Draft202012Validator.check_schema(schema)
            assert not set(schema) & {"$ref", "$defs"}, name


ANYTHING = [None, True, 0, 1, -1, 1.5, 10**20, "", "x", [], ["x"], [1], [None], {}, {"a": 1}, {"value": 1}, {"matcher": "toBeNull"}]  # fmt: skip


@pytest.mark.parametrize("name", sorted(_catalogue.MODULES))
def test_what_is_accepted_fits_the_schema(name: str) -> None:
    if expected_schema(find_matcher(name)) is not None:
        assert [one for one in ANYTHING if accepts(name, one) and not is_valid(name, one)] == []


# -- names of matchers


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("toEqul", "unknown matcher 'toEqul' (did you mean 'toEqual'?)"),
        ("equal", "unknown matcher 'equal' (did you mean 'toEqual'?)"),
        ("be_null", "unknown matcher 'be_null' (did you mean 'toBeNull'?)"),
        ("zebra", "unknown matcher 'zebra'"),
        ("", "unknown matcher ''"),
        (5, "expected the name of a matcher, found 5"),
        (None, "expected the name of a matcher, found null"),
        (["toEqual"], 'expected the name of a matcher, found ["toEqual"]'),
        (ABSENT, "expected the name of a matcher, found nothing"),
    ],
)
def test_a_name_that_is_not_known_is_refused_with_the_nearest(name: Any, said: str) -> None:
    assert refusal_of(name) == ("matcher", said)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("toBe", "write toEqual"),
        ("toStrictEqual", "write toEqual"),
        ("toBeTrue", "write toEqual true"),
        ("toBeNaN", 'JSON has no NaN; what is no number is `not` toMatchSchema {"type": "number"}'),
        ("toBeInstanceOf", 'write toMatchSchema, as in {"type": "string"}'),
        ("toBeTypeOf", 'write toMatchSchema, as in {"type": "string"}'),
        ("toBeEmpty", "write toHaveLength 0"),
        ("toInclude", "write toContain"),
        ("toThrow", 'nothing is thrown here; for a failed call write toCallTool with "error": true'),
        ("toHaveBeenCalled", "write toCallTool"),
        ("toHaveBeenCalledWith", "write toCallTool with arguments"),
        ("toHaveBeenCalledTimes", 'write toCallTool, as in {"name": "book", "times": 2}'),
    ],
)
def test_a_matcher_of_jest_that_grice_does_not_have_leads_to_the_right_one(name: str, said: str) -> None:
    assert refusal_of(name) == ("matcher", f"unknown matcher '{name}' ({said})")


def test_what_is_written_instead_is_there() -> None:
    for name, said in registry.INSTEAD.items():
        assert name not in matcher_names()
        for word in re.findall(r"\bto[A-Z]\w+", said):
            assert find_matcher(word).name == word
    called = matcher_from_data(assertion("toCallTool", {"name": "book", "times": 2, "error": True}))
    assert called.kwargs == {"times": 2}


def made_elsewhere() -> Any:
    try:
        return matcher("toCountSheep")(lambda subject, ctx, limit=3: True)
    finally:
        REGISTRY.pop("toCountSheep")


FACTORY = made_elsewhere()
A_TEXT = "no matcher"


@pytest.fixture
def offer(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Make other packages offer these matchers, by name and place; gives the groups that were asked for."""
    asked: list[str] = []

    def offered(**places: str) -> list[str]:
        found = [EntryPoint(name, place, ENTRY_POINTS) for name, place in places.items()]

        def entry_points(*, group: str) -> list[EntryPoint]:
            asked.append(group)
            return found

        monkeypatch.setattr("importlib.metadata.entry_points", entry_points)
        registry._offered.cache_clear()
        return asked

    yield offered
    registry._offered.cache_clear()


def test_a_matcher_of_another_package_is_loaded_by_its_name(offer: Any) -> None:
    offer(toCountSheep=f"{__name__}:FACTORY")
    assert matcher_from_data(assertion("toCountSheep", 5)).factory is FACTORY
    assert "toCountSheep" in matcher_names()
    assert refusal_of("toCountShep")[1] == "unknown matcher 'toCountShep' (did you mean 'toCountSheep'?)"


def test_entry_points_are_read_once(offer: Any) -> None:
    asked = offer(toCountSheep=f"{__name__}:FACTORY")
    for number in range(50):
        refusal_of(f"toCountGoats{number}")
        assert find_matcher("toCountSheep") is FACTORY
        assert "toCountSheep" in matcher_names()
    assert asked == [ENTRY_POINTS]


def test_a_package_may_offer_a_matcher_of_jest(offer: Any) -> None:
    offer(toBe=f"{__name__}:FACTORY")
    assert refusal_of("toBe")[1].endswith("is not the matcher toBe: found the matcher toCountSheep")


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("no_such_package:x", "cannot be loaded: ModuleNotFoundError: No module named 'no_such_package'"),
        (f"{__name__}:nothing", f"cannot be loaded: AttributeError: module '{__name__}' has no attribute 'nothing'"),
        (f"{__name__}:A_TEXT", "is not the matcher toSheep: found 'no matcher'"),
        (f"{__name__}:FACTORY", "is not the matcher toSheep: found the matcher toCountSheep"),
    ],
)  # fmt: skip
def test_an_entry_point_that_is_broken_is_named(offer: Any, place: str, said: str) -> None:
    offer(toSheep=place)
    assert refusal_of("toSheep") == ("matcher", f"the entry point toSheep = {place} {said}")


def test_entry_points_are_read_only_for_names_that_are_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.metadata.entry_points", None)
    registry._offered.cache_clear()
    for name in _catalogue.MODULES:
        assert find_matcher(name).name == name
