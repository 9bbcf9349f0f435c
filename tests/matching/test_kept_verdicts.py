"""What is kept of a verdict on values at a path, and how much of it."""

from __future__ import annotations

import contextlib
import copy
import json
from typing import Any

import msgspec
import pytest

import grice
from grice import expect
from grice.matchers import contain, matcher, satisfy_all
from grice.matching.assertions.results import assertion_results
from grice.matching.details import within_limits
from grice.matching.judge import judge
from grice.matching.recording import CURRENT
from grice.matching.selector import ValueSelector
from grice.records import Conversation, Evidence, Message, Outcome, Reply, Result, Turn, Verdict

DATA: dict[str, Any] = {"items": [{"status": "READY"}, {"status": "LOST"}], "total": 7}


class Log:
    name = ""

    def __init__(self) -> None:
        self.verdicts: list[Verdict] = []

    def add(self, verdict: Verdict) -> None:
        self.verdicts.append(verdict)


@pytest.fixture
def log():
    made = Log()
    token = CURRENT.set(made)
    yield made
    CURRENT.reset(token)


def talk(text: str = '{"n": 5}', data: object = DATA) -> Conversation:
    return Conversation("c", (Turn(1, (Message("user", "Hi"), Message("assistant", text)), data=data),))


def test_a_verdict_keeps_copies_of_what_it_saw(log: Log) -> None:
    expect(Reply(talk(), 1), path="$.n").to_equal(5)
    (verdict,) = log.verdicts
    assert msgspec.to_builtins(verdict.selection) == {
        "path": "$.n",
        "on": "reply",
        "valueCount": 1,
        "actualSamples": [5],
        "message": "$.n toEqual 5 passed: got 5",
    }
    (result,) = assertion_results(log.verdicts)[0]
    assert (result.actual_samples, result.message) == ([5], "$.n toEqual 5 passed: got 5")


@pytest.mark.parametrize(
    ("subject", "path", "match"),
    [
        (Reply(talk('{"rows": [{"n": 1}, {"n": 2}]}'), 1), "$.rows[*]", "ALL"),
        (Reply(talk('{"rows": [{"n": 1}, {"n": 2}]}'), 1), "$", "ANY"),
        (talk(), "$", "ANY"),
    ],
    ids=["objects that passed", "the whole reply", "the whole conversation"],
)
def test_what_the_conversation_holds_as_such_is_not_kept_again(
    subject: Any, path: str, match: Any, log: Log
) -> None:
    from grice.matchers import be_truthy

    expect(subject, path=path, match=match).to(be_truthy())
    with pytest.raises(grice.ExpectationFailed):
        expect(subject, path="$").to_equal("other")
    passed, failed = log.verdicts
    assert passed.selection is not None
    assert failed.selection is not None
    assert passed.selection.samples == failed.selection.samples == []
    assert passed.selection.value_count == (2 if match == "ALL" else 1)


def test_secrets_stand_in_no_sample_and_no_message(log: Log) -> None:
    secret = {"password": "zzsecretzz99", "user": "bob", "list": [{"password": "cccc1111bbbb"}] * 2}
    for path, expected in (
        ("$.password", "nope"),
        ("$.*", "x"),
        ("$.list[*].password", "x"),
        ("$.password", "zzsecretzz99"),
    ):
        with contextlib.suppress(grice.ExpectationFailed):
            expect(secret, path=path).to_equal(expected)
    written = msgspec.json.encode([one.selection for one in log.verdicts]).decode()
    assert not [one for one in ("zzsecretzz99", "cccc1111bbbb") if one in written]
    assert "[redacted: password]" in written
    assert '"bob"' in written


def test_what_no_record_holds_is_kept_at_once_and_stays_when_the_subject_changes(log: Log) -> None:
    subject = copy.deepcopy(DATA)
    expect(subject, path="$.items", match="ALL").to_have_length(2)
    expect(subject, path="$.items[*].status").to_equal("READY")
    with pytest.raises(grice.ExpectationFailed) as failed:
        expect(subject, path="$.items[*].status", match="ALL").to_equal("READY")
    kept = msgspec.json.encode(log.verdicts)
    subject["items"][0]["status"] = "changed"
    subject["items"].clear()
    assert msgspec.json.encode(log.verdicts) == kept
    assert failed.value.verdict.selection is not None
    assert failed.value.verdict.selection.samples == ["READY", "LOST"]
    first, second, third = assertion_results(log.verdicts)[0]
    assert (first.actual_samples, first.value_count) == ([DATA["items"]], 1)
    got = 'got "READY" at $.items[0].status (value 1 of 2), 1 not examined'
    assert second.message == f'$.items[*].status ANY toEqual "READY" passed: {got}'
    assert third.message.startswith('$.items[*].status ALL toEqual "READY" expected an equal value')


def test_a_verdict_of_a_custom_matcher_keeps_no_mutable_subject(log: Log) -> None:
    subject = [[1], [2]]
    expect(subject, path="$[*]", match="ALL").to(satisfy_all(lambda one: one > 0))
    kept = msgspec.json.encode(log.verdicts)
    subject[0][0] = -1
    assert msgspec.json.encode(log.verdicts) == kept


def test_a_verdict_keeps_no_mutable_detail(log: Log) -> None:
    @matcher("toTellItsSubject")
    def tell_its_subject(subject: Any, ctx: object) -> Verdict:
        return Verdict(Outcome.PASS, detail={"got": subject})

    subject: dict[str, list[int]] = {"a": [1]}
    expect(subject).to(tell_its_subject())
    subject["a"].append(2)
    assert log.verdicts[0].detail == {"got": {"a": [1]}}


def test_what_one_check_does_with_a_parsed_text_no_other_sees() -> None:
    text = '{"a": [3, 1]}'
    grice.resolve_path(text, "$.a")[0].append(2)
    for _ in range(2):
        (result,) = grice.evaluate_assertions(
            text, [{"path": "$.a", "matcher": "toEqual", "expected": [3, 1]}]
        ).results
        assert result.passed
        result.actual_samples[0].sort()
    (missing,) = grice.evaluate_assertions({}, [{"path": "$.a", "matcher": "toBeUndefined"}]).results
    missing.actual_samples[0]["x"] = 1
    (again,) = grice.evaluate_assertions({}, [{"path": "$.a", "matcher": "toBeUndefined"}]).results
    assert again.actual_samples == [{"$undefined": True}]


def test_any_and_all_read_differently_also_where_one_value_is_found() -> None:
    from grice.matching.context import Context

    claims = {
        judge(contain("x"), [{"a": "x"}], Context(), ValueSelector("$[*].a", match)).claim
        for match in ("ANY", "ALL")
    }
    assert claims == {
        "some value at $[*].a of the value to contain 'x'",
        "every value at $[*].a of the value to contain 'x'",
    }


def details(result: Result) -> int:
    """Bytes of what verdicts say beyond which check they were."""
    names = ("reason", "evidence", "parts", "detail", "judgement")
    written = [{n: v for n, v in msgspec.to_builtins(one).items() if n in names} for one in result.verdicts]
    kept = [one.selection for one in result.verdicts if one.selection is not None]
    return sum(len(json.dumps(one)) for one in written if one) + sum(
        len(json.dumps([one.samples, one.message])) for one in kept if one.samples or one.message
    )


@pytest.mark.parametrize("most", [1_024, 4_000, 100_000])
def test_what_is_kept_of_a_result_is_within_the_limit(log: Log, most: int) -> None:
    big = {"rows": [{"text": "y" * 2_000, "n": n} for n in range(200)]}
    for path in ("$.rows", "$.rows[*]", "$.rows[*].text"):
        with pytest.raises(grice.ExpectationFailed):
            expect(big, path=path, match="ALL").to_equal(1)
    quotes = tuple(Evidence("q" * 3_000, 1) for _ in range(50))
    part = Verdict(Outcome.FAIL, "p" * 50_000, quotes)
    verdicts = (*log.verdicts, Verdict(Outcome.FAIL, "r" * 90_000, quotes, "toX", "it", parts=(part, part)))
    whole = Result("i", "k", Outcome.FAIL, talk(), verdicts)
    kept = within_limits(whole, grice.Limits(max_test_result_details_bytes=most))
    assert details(whole) > 300_000
    assert details(kept) <= most * 1.1  # names and commas of JSON
    told = [(one.outcome, one.claim, one.matcher, one.turn) for one in kept.verdicts]
    assert told == [(one.outcome, one.claim, one.matcher, one.turn) for one in verdicts]
    cut = kept.verdicts[1].selection
    assert cut is not None
    assert cut.truncated
    assert len(cut.sha256 or "") == 64
    assert within_limits(whole, grice.Limits(max_test_result_details_bytes=10_000_000)) == whole


def test_names_are_cut_and_a_verdict_without_room_says_that_it_was_cut() -> None:
    fails = tuple(
        Verdict(Outcome.FAIL, "why it failed", matcher="toX", claim="c" * 300_000) for _ in range(99)
    )
    whole = Result("i", "k", Outcome.FAIL, talk(), fails, conduct=(Verdict(Outcome.FAIL, "r" * 900_000),))
    kept = within_limits(whole, grice.Limits(max_test_result_details_bytes=1_024))
    assert {one.reason for one in (*kept.verdicts, *kept.conduct)} == {"...truncated"}
    assert {len(one.claim) for one in kept.verdicts} == {1_000}


def test_the_limit_holds_in_a_journal(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    from grice.running.journal.experiment import Experiment
    from grice.running.journal.writing import Journal

    monkeypatch.setenv("GRICE_MAX_TEST_RESULT_DETAILS_BYTES", "2000")
    verdict = Verdict(Outcome.FAIL, "r" * 1_200_000, matcher="toX", claim="it")
    with Journal.create(tmp_path / "run", Experiment("e", "2026-01-01T00:00:00Z")) as journal:
        journal.append(Result("i", "k", Outcome.FAIL, talk(), (verdict,)))
    line = journal.path.read_bytes().splitlines()[-1]
    assert len(line) < 4_000
    assert b"...truncated" in line
