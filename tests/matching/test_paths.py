"""JSON paths: what they find, and what is wrong with one that is none."""

import re
import time

import pytest

from grice.matching.paths import PathError, compile_path, find

VALUE = {"reply": {"text": "Hello"}, "calls": [{"name": "a"}, {"name": "b", "n": None}], "ü": 1}


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("$", [VALUE]),
        ("$.reply.text", ["Hello"]),
        ("$.calls[*].name", ["a", "b"]),
        ("$.calls[-1].n", [None]),
        ("$.calls[?@.name == 'b'].name", ["b"]),
        ("$..name", ["a", "b"]),
        ("$['ü']", [1]),
        ("$.reply.words", []),
        ("$.calls[5]", []),
        ("$.reply[0]", []),
    ],
)
def test_a_path_finds_values_in_order(path, found):
    assert find(path, VALUE) == found


@pytest.mark.parametrize("value", ["text", 5, None, True, [], {}])
def test_the_root_of_any_value_is_the_value(value):
    assert find("$", value) == [value]
    assert find("$.a", value) == []


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("reply.text", "'reply.text' is not a JSON path: it begins with '$' (at character 0)"),
        ("", "'' is not a JSON path"),
        ("$.calls[", "unbalanced brackets (at character 8)"),
        ("$.calls[?@.n ==]", "unexpected end of expression (at character"),
        ("$[?nosuch(@)]", "function 'nosuch' is not defined (at character 3)"),
        ("$." + "a" * 2000, "the path has 2,002 characters, at most 1,024 are allowed"),
        ("$" + "[?(" * 300, "is not a JSON path"),
    ],
)
def test_a_wrong_path_is_a_value_error_that_names_the_place(path, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        compile_path(path)


def test_a_path_is_compiled_once():
    assert compile_path("$.reply") is compile_path("$.reply")


def test_patterns_are_safe_and_follow_the_standard():
    value = [{"t": "ab"}, {"t": "xaby"}, {"t": 5}, {"t": "a\nb"}, {"t": "a\ud800b"}]
    assert find("$[?match(@.t, 'a.?b')].t", value) == ["ab", "a\ud800b"]
    assert find("$[?search(@.t, 'ab')].t", value) == ["ab", "xaby"]
    assert find("$[?search(@.t, '[.]')].t", value) == []
    assert find("$[?match(@.t, '(')].t", value) == []
    started = time.monotonic()
    assert find("$[?match(@, '(a*)*b')]", ["a" * 50_000]) == []
    assert time.monotonic() - started < 5


def deep(levels, leaf=1):
    for _ in range(levels):
        leaf = {"a": leaf}
    return leaf


def test_a_value_as_deep_as_records_are_can_be_searched():
    assert len(find("$..a", deep(200))) == 200


@pytest.mark.parametrize("levels", [300, 50_000])
def test_a_value_that_is_too_deep_is_an_error_and_no_crash(levels):
    with pytest.raises(PathError, match="goes too deep"):
        find("$..a", deep(levels))


def test_a_path_that_finds_too_much_stops():
    with pytest.raises(PathError, match="finds more than 100,000 values"):
        find("$[*][*][*][*][*][*]", [[[[[[1] * 9] * 9] * 9] * 9] * 9] * 9)
