"""Secrets in JSON that stands in texts: whatever its depth, its spaces and its quotes."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.identity import redact, redact_text

SECRET = "Zq7Zq7Zq"


def compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


JSON: dict[str, Callable[[Any], str]] = {
    "compact": compact,
    "spaced": json.dumps,
    "indented": lambda value: json.dumps(value, indent=2),
    "in JSON": lambda value: compact({"t": compact(value)}),
    "two deep": lambda value: json.dumps([json.dumps({"t": json.dumps(value)})]),
    "three deep": lambda value: json.dumps({"a": json.dumps([json.dumps({"t": json.dumps(value)})])}),
}
OTHERS: dict[str, Callable[[Any], str]] = {
    "Python's": repr,
    "Python's in Python's": lambda value: repr(repr(value)),
    "Python's in JSON": lambda value: compact(repr(value)),
    "JSON in Python's": lambda value: repr(compact(value)),
    "all of them": lambda value: compact([repr([compact(value)])]),
    "cut off": lambda value: compact(value)[:-3],
}
NAMES = st.sampled_from(
    ("password", "api_key", "x-api-key", "cookies", "credentials", "token", "logprob", "user", "value", 'a"b')
)
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-999, 99999)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text("ab1\"'\\\n \u00e9{}[]:,", max_size=6)
    | st.sampled_from(("hunter2-horse", "Bearer abcdefgh12", "sk-proj-Ab3dEf6hIj9k", '{"password": "abc"}'))
)
VALUES = st.recursive(
    LEAVES,
    lambda one: st.lists(one, max_size=3) | st.dictionaries(NAMES, one, max_size=4),
    max_leaves=10,
)


@given(VALUES, st.sampled_from(sorted(JSON)))
def test_a_text_loses_what_the_object_loses_that_is_written_in_it(value: object, form: str) -> None:
    """So a cassette finds a prompt again, whether a tool's result in it was played or has just come."""
    written = JSON[form]

    once = redact(written(value), elsewhere=False)

    assert redact(written(redact(value, elsewhere=False)), elsewhere=False) == once
    assert redact(once, elsewhere=False) == once


@given(VALUES, st.sampled_from(sorted(OTHERS)))
def test_redacting_again_changes_nothing_in_any_form(value: object, form: str) -> None:
    once = redact_text(OTHERS[form](value))

    assert redact_text(once) == once


noise = st.text("ab\"'\\ =", max_size=5)
wrappings = st.sampled_from(
    (lambda one: one, lambda one: [one], lambda one: {"a": [1, one]}, lambda one: [{"x": None, "y": one}])
)


@pytest.mark.parametrize("form", [*JSON, *OTHERS])
@given(noise, noise, noise, st.sampled_from(("password", "x-api-key", "clientSecret", "cookies")), wrappings)
def test_no_quote_and_no_backslash_saves_a_secret(
    form: str, before: str, after: str, other: str, name: str, wrapped: Callable[[str], object]
) -> None:
    value = {"k": other, name: wrapped(before + SECRET + after), "z": other}

    assert SECRET not in redact_text({**JSON, **OTHERS}[form](value))
