"""Assertions and details are canonical JSON within the limits of the settings."""

from __future__ import annotations

import hashlib
import json

import pytest

from grice.identity import canonical_json
from grice.matching.assertions.evaluation import evaluate_assertions
from grice.matching.limits import DEFAULT_LIMITS, Limits
from grice.records import Outcome, Selection, Verdict
from grice.store.columns import escaped, json_text, json_value, made_id, unescaped
from grice.store.errors import StoreError
from grice.store.limited_texts import assertions_text, details_of, details_text


def assertion(length: int) -> dict[str, str]:
    return {"matcher": "toEqual", "path": "$", "expected": "x" * length}


def test_assertions_at_their_limit_and_one_past_it() -> None:
    room = DEFAULT_LIMITS.max_assertion_json_bytes - len(assertions_text([assertion(0)]))
    assert room == 65_536 - len('[{"expected":"","matcher":"toEqual","path":"$"}]')
    written = assertions_text([assertion(room)])
    assert len(written) == 65_536
    assert written == canonical_json([assertion(room)]).decode()
    with pytest.raises(
        StoreError, match="65537 bytes of JSON, more than the 65536 of max_assertion_json_bytes"
    ):
        assertions_text([assertion(room + 1)])


def test_the_limit_is_in_bytes_and_the_variable_of_the_seed_sets_it() -> None:
    limits = Limits.from_environment({"PK_MAX_ASSERTION_JSON_BYTES": "60"})
    assert assertions_text([{"expected": "é" * 11, "matcher": "toEqual"}], limits)
    with pytest.raises(StoreError, match="61 bytes"):
        assertions_text([{"expected": "é" * 12, "matcher": "toEqual"}], limits)


def check(sample: str) -> Verdict:
    return Verdict(
        Outcome.FAIL, matcher="toEqual", selection=Selection("$.a", samples=[sample], value_count=1)
    )


def test_details_at_their_limit_and_one_past_it() -> None:
    most = DEFAULT_LIMITS.max_test_result_details_bytes
    room = most - len(details_text([check("")]))
    whole = details_text([check("x" * room)])
    assert len(whole.encode()) == most == 524_288
    assert 'truncated":false' in whole
    cut = details_text([check("x" * (room + 1))])
    assert len(cut.encode()) <= most
    (found,) = json.loads(cut)
    assert found["truncated"] is True
    assert found["actualSamples"][0].endswith("...truncated")
    assert found["sha256"] == hashlib.sha256(canonical_json(["x" * (room + 1)])).hexdigest()


def test_messages_are_within_the_limit_too() -> None:
    limits = Limits.from_environment({"PK_MAX_TEST_RESULT_DETAILS_BYTES": "2000"})
    told = [Verdict(Outcome.FAIL, "so " * 900, matcher="toContain", claim="it to hold") for _ in range(3)]
    written = details_text(told, limits)
    assert len(written.encode()) <= 2_000
    assert "...truncated" in written


def test_checks_that_do_not_fit_at_all_are_counted() -> None:
    limits = Limits.from_environment({"GRICE_MAX_TEST_RESULT_DETAILS_BYTES": "2000"})
    told = [Verdict(Outcome.PASS, matcher="toContain", claim=f"check {number}") for number in range(100)]
    written = details_text(told, limits)
    assert len(written.encode()) <= 2_000
    last = json.loads(written)[-1]
    assert last["message"].endswith("more ...truncated")
    assert len(last["sha256"]) == 64


def test_details_are_canonical_json_in_the_form_of_the_seed() -> None:
    verdicts = [check("é"), Verdict(Outcome.PASS, "fine", matcher="toSatisfy", criterion="friendly")]
    for given in (verdicts, verdicts[1:]):
        written = details_text(given)
        assert written.encode() == canonical_json(json.loads(written))
    assert set(json.loads(details_text(verdicts))[0]) >= {
        *("assertionId", "path", "matcher", "not", "pathMatch", "passed", "actualSamples", "message")
    }


def test_numbers_that_canonical_json_writes_longer_are_within_the_limit() -> None:
    limits = Limits.from_environment({"PK_MAX_TEST_RESULT_DETAILS_BYTES": "1500"})
    output = json.dumps({"a": [1e20] * 60})
    found = evaluate_assertions(
        output, [{"path": "$.a[*]", "matcher": "toEqual", "expected": 1}], limits=limits
    )

    assert len(details_of(found.results, limits).encode()) <= 1_500


@pytest.mark.parametrize(
    "text", ["", "plain", "\0", "a\x1ab", "\x1a0000", "\ud800", "x\udfffy", "🏨\0\ud83d"]
)
def test_text_that_a_database_does_not_take_comes_back(text: str) -> None:
    stored = escaped(text)
    assert "\0" not in stored
    stored.encode()
    assert unescaped(stored) == text


@pytest.mark.parametrize("value", [{"a": "\0"}, ["\ud800"], {"\udc00": 1}, [1.5, 2**60, None, True], "é"])
def test_json_of_any_text_comes_back(value: object) -> None:
    written = json_text(value)
    assert "\0" not in written
    written.encode()
    expected = [1.5, str(2**60), None, True] if isinstance(value, list) and 1.5 in value else value
    assert json_value(written) == expected


def test_ids_are_as_long_as_columns_take() -> None:
    assert made_id("bot", "example:1") == "bot/example:1"
    long, other = made_id("bot", "x" * 400), made_id("bot", "x" * 401)
    assert len(long) == len(other) == 200
    assert long != other
    assert "\0" not in made_id("bot", "a\0b")
