"""What a judge's pass rate becomes once the errors on its calibration card are taken into account."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from run_reports import run_markdown, run_report
from run_results import BOOKING, HEAD

from grice.experiments.aggregation.summary import JudgedCount, summed
from grice.experiments.attempts import attempt_of
from grice.experiments.judge_tallies import judge_tallies
from grice.experiments.results import ExperimentResults
from grice.records import Judgement, Outcome, Result, Sample, Standing, Verdict
from grice.reporting.experiment.as_json import run_json
from grice.reporting.text import claim_text

EARNED = Standing(
    "kind.judge.card.json",
    n=200,
    kappa=0.7,
    kappa_low=0.6,
    kappa_high=0.8,
    passed_right=90,
    passed_wrong=10,
    failed_right=80,
    failed_wrong=20,
)
STALE = Standing("kind.judge.card.json", problem="the calibration card is stale")


def verdict(outcome: Outcome, standing: Standing | None = EARNED, **fields: Any) -> Verdict:
    judgement = Judgement("criterion", 1, "", samples=(Sample({"satisfied": True}),), standing=standing)
    return Verdict(outcome, criterion="kind", judgement=judgement, claim="it is kind", **fields)


def counted(verdicts: Iterable[Verdict]) -> JudgedCount:
    count = JudgedCount()
    for tally in judge_tallies(verdicts):
        count.add(tally)
    return count


PASSED, FAILED = verdict(Outcome.PASS), verdict(Outcome.FAIL)


def test_a_pass_rate_is_corrected_by_sensitivity_and_specificity() -> None:
    found = counted([PASSED] * 62 + [FAILED] * 38).corrected
    assert found is not None
    assert (found.passed, found.n, found.card, found.problem) == (62, 100, "kind.judge.card.json", "")
    assert found.estimate is not None
    assert round(found.estimate.value, 3) == 0.6  # (0.62 + 0.8 - 1) / (0.9 + 0.8 - 1)
    assert found.estimate.low < 0.5 < 0.7 < found.estimate.high


def test_a_negated_check_counts_what_the_judge_said() -> None:
    negated = verdict(Outcome.FAIL, negated=True)
    assert counted([negated] * 3).passed == 3


def test_what_no_judge_with_one_good_card_gave_is_not_corrected() -> None:
    other = msgspec.structs.replace(EARNED, card="kind.other.card.json")
    for odd in (verdict(Outcome.PASS, STALE), verdict(Outcome.PASS, None), verdict(Outcome.PASS, other)):
        assert counted([PASSED, odd]).corrected is None
    unanswered = verdict(Outcome.ERROR)
    found = counted([PASSED, unanswered]).corrected
    assert found is not None
    assert found.n == 1


def test_parts_are_counted_one_by_one() -> None:
    whole = Verdict(Outcome.FAIL, parts=(PASSED, FAILED))
    assert (counted([whole]).passed, counted([whole]).n) == (1, 2)


def test_a_judge_no_better_than_chance_is_not_corrected_and_the_reason_told() -> None:
    weak = msgspec.structs.replace(EARNED, failed_right=10, failed_wrong=90)
    found = counted([verdict(Outcome.PASS, weak)]).corrected
    assert found is not None
    assert found.estimate is None
    assert "no better than chance" in found.problem


def test_a_report_shows_the_corrected_rate() -> None:
    results = [
        msgspec.structs.replace(BOOKING, id=f"example:{number}", verdicts=(one,))
        for number, one in enumerate([PASSED] * 62 + [FAILED] * 38)
    ]
    shown = run_report([HEAD], results)
    assert "Corrected by the error of the judge (95 % interval):" in shown
    assert "- kind: 62.0% judged, 60.0% corrected (" in shown
    as_json = msgspec.json.decode(b"".join(run_json([HEAD], results)[0]))
    assert round(as_json["corrected_results"]["kind"]["estimate"]["value"], 3) == 0.6
    assert msgspec.json.decode(b"".join(run_json([HEAD], [_without(BOOKING)])[0]))["corrected_results"] == {}


def test_attempts_come_to_the_same_corrected_rate_in_markdown_too() -> None:
    one, other = (
        msgspec.structs.replace(BOOKING, id=id_, verdicts=(given,) * times)
        for id_, given, times in (("example:1", PASSED, 62), ("example:2", FAILED, 38))
    )
    found = ExperimentResults((HEAD,), (attempt_of(one), attempt_of(other)))
    rate = found.summary.judged["kind"].corrected
    assert rate is not None
    assert (rate.passed, rate.n) == (62, 100)
    text = run_markdown(found)
    assert "Corrected by the error of the judge (95 % interval):\n\n- kind: 62.0% judged, 60.0% corr" in text
    assert "Corrected" not in run_markdown(ExperimentResults((HEAD,), (attempt_of(_without(one)),)))


def test_what_does_not_count_is_in_no_corrected_rate() -> None:
    broken = msgspec.structs.replace(BOOKING, verdicts=(PASSED,), counts=False)
    assert summed([attempt_of(broken)]).judged == {}


def _without(result: Result) -> Result:
    return msgspec.structs.replace(result, verdicts=())


def test_the_number_of_a_judge_stands_beside_its_verdict() -> None:
    assert claim_text(PASSED) == "it is kind [kappa 0.70, n 200]"
    assert claim_text(verdict(Outcome.PASS, STALE, uncalibrated=True)) == "it is kind [uncalibrated]"
    advised = verdict(Outcome.FAIL, msgspec.structs.replace(EARNED, advisory=True), mode="soft")
    assert claim_text(advised) == "it is kind [advisory] [kappa 0.70, n 200]"
