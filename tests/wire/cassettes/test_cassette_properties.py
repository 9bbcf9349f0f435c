"""What is recorded is played equal, whatever it is."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tapes import asked, cassette, record

from grice.identity import redact
from grice.records import clean_json
from grice.wire.cassettes import read_scrubs
from grice.wire.cassettes.scrub import without_secrets

TEXT = st.text(st.characters(), max_size=12) | st.sampled_from(
    ["2026-03-01", "\ud800", "\u2028", '{"password": "x y"}', "[1e3, 0.1]", "api_key=abc", "a\x00b"]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
REQUESTS = st.dictionaries(TEXT, VALUES, max_size=3)


@given(
    calls=st.lists(st.tuples(REQUESTS, VALUES), min_size=1, max_size=4),
    scrub=st.sampled_from([[], ["dates"]]),
)
def test_what_is_recorded_is_played_equal(calls, scrub):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "one.jsonl"
        record(path, *[("agent", request, answer) for request, answer in calls], scrub=scrub)
        used = cassette(path, scrub=scrub)
        played = [used.begin("agent", request).response for request, _ in calls]

    assert played == [without_secrets(clean_json(answer)) for _, answer in calls]
    assert used.unused == ()


@given(value=VALUES)
def test_taking_secrets_out_twice_changes_nothing_more(value):
    once = without_secrets(clean_json(value))

    assert without_secrets(once) == once
    assert redact(once) == once


@pytest.mark.parametrize(
    ("value", "played"),
    [
        (float("nan"), "NaN"),
        (float("-inf"), "-Infinity"),
        ("\ud83d", "\ufffd"),
        (2**80, 2**80),
        (10**400, 10**400),
        ((1, {2}), [1, [2]]),
        (b"\xff", "\\xff"),
        (-0.0, 0.0),
        (1.0, 1.0),
    ],
)
def test_awkward_values_come_back_as_json_holds_them(tmp_path, value, played):
    path = tmp_path / "one.jsonl"
    record(path, ("agent", {"given": value}, value))

    call = cassette(path).begin("agent", {"given": value})

    assert call.response == played
    assert type(call.response) is type(played)


def test_what_is_recorded_is_what_was_said_then(tmp_path):
    """Not what became of the same object later."""
    path = tmp_path / "one.jsonl"
    messages, answer = [{"content": "hi"}], {"said": ["hello"]}
    with cassette(path, "once") as used:
        call = used.begin("agent", {"messages": messages})
        messages.append({"content": "later"})
        call.record(answer)
        answer["said"].append("later")

    assert cassette(path).begin("agent", {"messages": [{"content": "hi"}]}).response == {"said": ["hello"]}


def test_rules_are_read_once_and_used_as_they_are():
    rules = read_scrubs(["dates", {"pattern": "x+"}])

    assert read_scrubs(rules) == rules


def test_a_request_is_equal_whatever_the_order_of_its_fields(tmp_path):
    path = tmp_path / "one.jsonl"
    record(path, ("judge", {"a": 1, **asked("hi")}, "yes"))

    assert cassette(path).begin("judge", {**asked("hi"), "a": 1}).replayed
