"""toHaveProperty and toMatchObject: what a property path is, and how deep objects may go."""

import pytest

from grice.matchers import equal, have_property, match_object
from grice.matching.assertions.registry import matcher_from_data
from grice.matching.context import resolve_subject
from grice.matching.equality import MAX_DEPTH
from grice.matching.judge import judge
from grice.matching.matcher import ArgumentError

PASS, FAIL, ERROR = "pass", "fail", "error"
KEY = "a.b[0].c[1]"


def verdict_on(value, matcher):
    seen = resolve_subject(value)
    return judge(matcher, seen.subject, seen.context)


def nested(levels, key="a", value=1):
    for _ in range(levels):
        value = {key: value}
    return value


@pytest.mark.parametrize(
    ("path", "instead"),
    [
        ("$.user.name", "write 'user.name'"),
        ("$.items[0]", "write 'items[0]'"),
        ("$[0].id", "write '[0].id'"),
        ("$['a b']", "write \"['a b']\""),
        ("$", "name a property"),
        ("$.", "name a property"),
    ],
)
def test_a_json_path_is_no_property_path(path, instead):
    with pytest.raises(ArgumentError) as refused:
        have_property(path)
    assert f"a property is looked for from the value itself, {instead}; for a name that is $" in str(
        refused.value
    )


@pytest.mark.parametrize(
    ("name", "problem"),
    [("toHaveProperty", "unknown name {} in expected"), ("toSatisfyAll", "unknown field {}")],
)
@pytest.mark.parametrize(
    ("field", "said"), [(10**5_000, "<int>"), (5, "5"), ("\x1b", r"'\x1b'")], ids=["huge", "5", "escape"]
)
def test_a_field_that_is_not_known_is_named_whatever_it_is(name, problem, field, said):
    with pytest.raises(ArgumentError) as refused:
        matcher_from_data({"matcher": name, "expected": {field: 1}})
    assert str(refused.value) == f"{name}: {problem.format(said)}"


@pytest.mark.parametrize("path", ["$ref", "a.$ref", "$a$", ["$"], ["$", "user"], "a$.b"])
def test_names_may_begin_with_a_dollar(path):
    value = {"$ref": 1, "a": {"$ref": 1}, "$a$": 1, "$": {"user": 1}, "a$": {"b": 1}}
    assert verdict_on(value, have_property(path)).outcome == PASS
    assert verdict_on({}, have_property(path)).outcome == FAIL


@pytest.mark.parametrize("key", ["a", KEY, "." * 300, "[" * 300])
def test_objects_may_be_nested_as_deep_as_for_to_equal_whatever_their_keys(key):
    assert verdict_on(nested(MAX_DEPTH, key), match_object(nested(MAX_DEPTH, key))).outcome == PASS
    assert verdict_on(nested(MAX_DEPTH, key), match_object(nested(MAX_DEPTH, key, 2))).outcome == FAIL
    assert verdict_on(nested(MAX_DEPTH, key), equal(nested(MAX_DEPTH, key))).outcome == PASS
    for matcher in (match_object, equal):
        verdict = verdict_on(nested(MAX_DEPTH + 2, key), matcher(nested(MAX_DEPTH + 2, key)))
        assert verdict.outcome == ERROR
        assert verdict.reason.endswith(f"nested deeper than {MAX_DEPTH} levels")
