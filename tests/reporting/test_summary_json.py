"""What is in the JSON of a run beside the results: the keys that were promised, and what is added to them."""

import json
from array import array
from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace
from run_results import ALL, BOOKING, HEAD, JUDGE_DOWN, LOST
from seed_experiment import seed_attempts

from grice.experiments.aggregation.as_json import (
    criteria_json,
    efficiency_json,
    grounding_json,
    sets_json,
    summary_json,
)
from grice.experiments.aggregation.summary import Efficiency, Summary, summed
from grice.experiments.attempts import Attempt
from grice.records import Outcome, Result, Verdict
from grice.reporting.experiment.as_json import run_json


def as_json(*results: Result, **more: Any) -> Any:
    return json.loads(b"".join(run_json((HEAD,), results, **more)[0]))


@pytest.fixture(scope="module")
def seed() -> Summary:
    return summed(seed_attempts())


def test_the_keys_of_the_seed_stand_first_and_in_its_order() -> None:
    found = as_json(*ALL)
    assert [key for key in found if key in _TOP] == list(_TOP)
    assert list(found["experiment"])[:10] == _EXPERIMENT
    assert [key for key in found["summary"] if key in _SUMMARY] == _SUMMARY
    scenario = found["scenario_results"][0]
    assert [key for key in scenario if key in _SCENARIO] == _SCENARIO
    assert list(scenario["evaluations"])[:3] == ["total", "passed", "rate"]
    friendly = scenario["evaluations"]["by_criterion"]["friendly"]
    assert (friendly["evaluated"], friendly["passed"]) == (1, 1)
    assert list(scenario["expectations"]) == ["total", "passed", "details"]
    assert list(found["criteria_results"]["friendly"])[:3] == ["evaluated", "passed", "rate"]


_TOP = ("experiment", "summary", "criteria_results", "scenario_results")
_EXPERIMENT = [
    "id",
    "timestamp",
    "name",
    "tags",
    "git_commit",
    "git_branch",
    "git_dirty",
    "config_hash",
    "criteria_hash",
    "topic_graph_hash",
]
_SUMMARY = [
    "total_scenarios",
    "passed",
    "failed",
    "completion_rate",
    "evaluation_rate",
    "avg_turns",
    "avg_topics",
]
_SCENARIO = [
    "id",
    "name",
    "passed",
    "turns",
    "topics_visited",
    "failure_type",
    "failure_message",
    "evaluations",
    "expectations",
]


def test_rates_have_intervals_and_are_not_rounded(seed: Summary) -> None:
    pricing = criteria_json(seed)["grounded_pricing"]
    assert isinstance(pricing, dict)
    assert (pricing["evaluated"], pricing["passed"], pricing["rate"]) == (114, 87, 87 / 114)
    interval = pricing["interval"]
    assert isinstance(interval, dict)
    assert 0.6 < interval["low"] < 87 / 114 < interval["high"] < 0.9
    summary = as_json(*ALL)["summary"]
    assert summary["completion_interval"] == {
        "low": pytest.approx(0.0945, abs=1e-4),
        "high": pytest.approx(0.9055, abs=1e-4),
    }


def test_personas_are_counted_with_an_interval() -> None:
    attempts = [
        Attempt(f"example:{key}", key, outcome, persona=persona)
        for key, outcome, persona in (
            ("a", Outcome.PASS, "terse"),
            ("b", Outcome.FAIL, "terse"),
            ("c", Outcome.SKIPPED, "terse"),
            ("d", Outcome.PASS, ""),
        )
    ]
    found = summary_json(summed(attempts), HEAD)["persona_results"]
    assert found == {
        "terse": {
            "total": 2,
            "passed": 1,
            "interval": {"low": pytest.approx(0.0945, abs=1e-4), "high": pytest.approx(0.9055, abs=1e-4)},
        }
    }


def test_efficiency_is_that_of_the_seed(seed: Summary) -> None:
    assert efficiency_json(seed.efficiency) == {
        "turns": {"n": 47, "mean": 254 / 47, "median": 5, "min": 3, "max": 12},
        "topics": {"n": 47, "mean": 150 / 47, "median": 3, "min": 2, "max": 6},
        "backtracked": 6,
        "backtracking_rate": 6 / 47,
        "seconds_a_turn": None,
        "tokens_a_turn": None,
    }
    assert efficiency_json(Summary().efficiency)["turns"] is None


def test_what_turns_took_is_of_those_that_tell() -> None:
    found = Efficiency(Counter([12, 8]), latencies=array("d", range(19, 0, -1)), tokens=array("q", [7]))
    told = efficiency_json(found)
    assert told["seconds_a_turn"] == {"n": 19, "turns": 20, "p50": 10.0, "p95": 19.0}
    assert told["tokens_a_turn"] == {"n": 1, "turns": 20, "p50": 7, "p95": 7}


def test_claims_stand_by_type_and_by_scenario(seed: Summary) -> None:
    found: Any = grounding_json(seed)
    assert found["by_claim_type"]["venues"] == {"evaluated": 156, "grounded": 147, "rate": 147 / 156}
    worst = found["by_scenario"]["example:0"]
    assert (worst["id"], worst["grounded"], worst["evaluated"]) == ("urgent_booking", 33, 46)


def test_a_set_has_the_combined_view(seed: Summary) -> None:
    found: Any = sets_json(seed)["venue_search"]
    assert (found["passed"], found["total"], found["completion_rate"]) == (37, 47, 37 / 47)
    assert (found["evaluations_passed"], found["evaluations"]) == (1847, 2143)
    assert found["criteria_results"]["concise"]["passed"] == 156


def test_runs_and_repeats_are_told_apart() -> None:
    attempts = [replace(BOOKING, repeat=number) for number in (1, 2)]
    attempts.append(replace(LOST, id=BOOKING.id, repeat=3))
    found = as_json(*attempts)
    runs = found["run_results"]["completion_rate"]
    assert runs["runs"][2] == {"run": 3, "passed": 0, "total": 1, "rate": 0.0}
    assert (runs["mean"], runs["standard_deviation"]) == pytest.approx((2 / 3, 0.5774), abs=1e-4)
    repeats = found["repeat_results"]
    assert [(row["k"], row["pass_at_k"]) for row in repeats["pass_k"]] == [
        (1, pytest.approx(2 / 3)),
        (2, 1.0),
        (3, 1.0),
    ]
    assert set(repeats["pass_k"][0]["pass_hat_k_interval"]) == {"low", "high"}
    assert (repeats["repeated_scenarios"], repeats["flaky_rate"]) == (1, 1.0)
    assert repeats["flaky_scenarios"][0]["passed"] == 2
    assert as_json(BOOKING)["run_results"] == {"completion_rate": None, "evaluation_rate": None}


def test_matchers_and_layers_have_their_outcomes() -> None:
    check = Verdict(Outcome.FAIL, matcher="toBeBrief", claim="x", layer=1, mode="soft")
    found = as_json(replace(BOOKING, verdicts=(*BOOKING.verdicts, check)))
    assert found["matcher_results"][-1] == {
        "matcher": "toMatch",
        "type": "match",
        "mode": "soft",
        "used": 1,
        "pass": 1,
        "fail": 0,
        "inconclusive": 0,
        "error": 0,
        "skipped": 0,
    }
    assert found["layer_results"]["1"]["rate"] == 0.0
    assert found["layer_results"]["3"]["evaluated"] == 2


def test_what_was_not_finished_is_named() -> None:
    found = as_json(BOOKING, JUDGE_DOWN, unfinished=["lost"], never_begun=2, damaged=1, notes=["torn"])
    assert found["damaged_lines"] == 1
    assert (found["unfinished"], found["never_begun"], found["notes"]) == (["lost"], 2, ["torn"])


def test_the_json_has_the_shape_of_the_seed() -> None:
    found = as_json(*ALL)
    assert found["version"] == 1
    assert {key: found["experiment"][key] for key in ("id", "git_dirty", "config_hash", "tags")} == {
        "id": "exp_def456",
        "git_dirty": False,
        "config_hash": None,
        "tags": [],
    }
    summary = found["summary"]
    assert (summary["total_scenarios"], summary["passed"], summary["failed"]) == (2, 1, 1)
    assert (summary["completion_rate"], summary["avg_turns"], summary["avg_topics"]) == (0.5, 3.0, 2.5)
    assert (summary["finished"], summary["not_counted"]) == (4, 2)
    assert found["criteria_results"]["friendly"] == {
        "evaluated": 1,
        "passed": 1,
        "rate": 1.0,
        "inconclusive": 0,
        "error": 0,
        "interval": {"low": pytest.approx(0.2065, abs=1e-4), "high": 1.0},
    }
    assert found["topic_results"]["transitions"][-1] == {
        "from": "greeting",
        "to": "booking",
        "count": 1,
        "legal": False,
    }


def test_a_scenario_in_json_has_its_checks_as_data() -> None:
    booking, lost, down, misled = as_json(*ALL)["scenario_results"]
    assert (booking["id"], booking["passed"], booking["turns"]) == ("booking_with_modification", True, 4)
    assert booking["topics_visited"] == ["greeting", "search", "results", "search"]
    assert (booking["failure_type"], booking["failure_message"]) == (None, None)
    assert {key: booking["evaluations"][key] for key in ("total", "passed")} == {"total": 3, "passed": 2}
    assert booking["evaluations"]["by_criterion"]["friendly"]["passed"] == 1
    first = booking["expectations"]["details"][0]
    assert (first["type"], first["tool"], first["passed"]) == ("call_tool", "book_room", True)
    assert (lost["failure_type"], lost["failure_message"]) == (
        "max_turns",
        "call search: it was never called",
    )
    assert (down["counts"], down["not_counted_because"]) == (False, "a check broke: HTTP 503")
    assert misled["conduct"][0]["criterion"] == "terse"


def test_the_json_of_nothing_has_no_rates() -> None:
    found = as_json()
    assert found["summary"]["completion_rate"] is None
    assert found["summary"]["evaluation_rate"] is None
    assert found["scenario_results"] == []


def test_completion_that_was_never_checked_is_null() -> None:
    soft = replace(BOOKING, verdicts=tuple(one for one in BOOKING.verdicts if one.mode == "soft"))
    found = as_json(soft, replace(soft, repeat=2))
    summary, of_set = found["summary"], found["set_results"]["venues"]
    for one in (summary, of_set):
        assert (one["unchecked"], one["completion_rate"], one["completion_interval"]) == (2, None, None)
    assert summary["evaluation_rate"] is not None
    assert found["run_results"]["completion_rate"] is None
    assert found["repeat_results"]["pass_k"] == []
    both = as_json(soft, replace(BOOKING, repeat=2))["summary"]
    assert (both["unchecked"], both["completion_rate"]) == (1, 1.0)
