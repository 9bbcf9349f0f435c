"""What is kept of a verdict on values at a path, and how much of it."""

from __future__ import annotations

import copy
import json
from typing import Any

import msgspec
import pytest

import grice
from grice import expect
from grice.matchers import contain, equal, satisfy_all
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


def test_a_pass_on_a_kept_conversation_keeps_how_many_values_it_saw(log: Log) -> None:
    record = talk()
    expect(Reply(record, 1), path="$.n").to_equal(5)
    (verdict,) = log.verdicts
    assert msgspec.to_builtins(verdict.selection) == {
        "path": "$.n",
        "on": "reply",
        "valueCount": 1,
        "message": "$.n toEqual 5 passed",
    }
    (result,) = assertion_results(log.verdicts, record)
    assert (result.actual_samples, result.message) == ([5], "$.n toEqual 5 passed: got 5")


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
    first, second, third = assertion_results(log.verdicts)
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


@pytest.mark.parametrize(
    ("at", "text"),
    [(ValueSelector("$.n", on="reply"), "no JSON"), (ValueSelector("$.n", on="prompt"), '{"n": 5}')],
)
def test_samples_that_cannot_be_looked_up_stay_away(at: ValueSelector, text: str) -> None:
    from grice.matching.context import Context

    record = talk()
    verdict = judge(equal(5), Reply(record, 1), Context(record, record.turns[0]), at)
    assert verdict.outcome == "pass"
    (result,) = assertion_results([verdict], talk(text))
    assert (result.actual_samples, result.value_count, result.message) == ([], 1, "$.n toEqual 5 passed")


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
    assert within_limits(whole, grice.Limits(max_test_result_details_bytes=10_000_000)) is whole


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
