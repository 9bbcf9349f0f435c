"""A comparison as JSON."""

import json
from typing import Any

import msgspec
from comparisons import INVALID, REPEATED_RUNS, SEED

from grice.experiments.comparison.records import Comparison
from grice.reporting.comparison.as_json import comparison_json
from grice.reporting.experiment.as_json import run_json
from grice.running.journal.experiment import Experiment, ModelUsed


def as_json(comparison: Comparison) -> Any:
    return json.loads(comparison_json(comparison))


def test_it_says_what_it_is_and_what_came_out() -> None:
    found = as_json(SEED)
    assert list(found)[:2] == ["version", "kind"]
    assert (found["version"], found["kind"], found["conclusion"]) == (1, "grice.comparison", "improved")
    assert found["answer"].startswith("1 scenario newly fails: budget_conscious; 2 newly pass: ")
    assert found["newly_failing"] == [{"id": "example:3", "key": "budget_conscious", "reason": "max_turns"}]
    assert [one["reason"] for one in found["newly_passing"]] == ["assertion: no venue", None]
    assert found["scripted"] is False
    assert found["comparability"]["level"] == "HIGH"
    assert found["comparability"]["aspects"][2] == {
        "name": "Scenarios",
        "grade": "expected",
        "reason": "45 shared, 2 added, 1 removed",
    }
    assert found["scenarios"] == {
        "shared": 45,
        "added": ["hotel_berlin", "hotel_wien"],
        "added_failing": [],
        "removed": ["old_flow"],
        "edited": ["large_conference"],
        "uncounted": [],
    }
    assert found["criteria"] == {"added": [], "removed": [], "changed": []}
    assert found["notes"] == ["the baseline has 1 line that cannot be read"]


def test_the_head_is_written_as_in_the_report_of_one() -> None:
    judge = ModelUsed("judge-large", model="m-1")
    head = msgspec.structs.replace(
        SEED.current.experiment, seed=7, repeat=3, agent="app:agent", models={"judge": judge}, name=""
    )
    side = msgspec.structs.replace(SEED.current, experiment=head)
    of_two = as_json(msgspec.structs.replace(SEED, current=side))["current"]["experiment"]
    of_one = json.loads(b"".join(run_json((head,), ())[0]))["experiment"]
    assert of_one == {**of_two, "resumed": False}
    assert list(of_one) == [*Experiment.__struct_fields__, "resumed"]
    assert (of_one["seed"], of_one["repeat"], of_one["agent"], of_one["name"]) == (7, 3, "app:agent", None)
    assert of_one["models"] == {"judge": {"name": "judge-large", "provider": None, "model": "m-1"}}
    assert (of_one["prompts"], of_one["command"], of_one["config_hash"]) == ({}, [], None)


def test_rates_are_from_0_to_1_with_counts_and_the_test() -> None:
    measure = as_json(SEED)["measures"][0]
    assert (measure["family"], measure["name"]) == ("completion", "completion rate")
    assert measure["current"] == 37 / 45
    assert measure["current_count"] == {"passed": 37, "evaluated": 45}
    assert measure["difference"]["value"] == 37 / 45 - 34 / 45
    assert (measure["difference"]["low"], measure["difference"]["high"]) == (0.012, 0.116)
    assert measure["difference"]["test"] == "exact McNemar"
    assert (measure["decision"], measure["arrow"], measure["note"]) == ("improved", "▲", None)


def test_what_is_not_known_is_null() -> None:
    found = as_json(INVALID)
    assert found["measures"][0]["difference"] is None
    assert found["measures"][0]["adjusted_p"] is None
    assert found["measures"][0]["arrow"] is None
    assert found["measures"][6]["baseline_count"] is None
    head = found["baseline"]["experiment"]
    assert (head["id"], head["seed"], head["config_hash"], head["git_dirty"]) == (
        "exp_abc123",
        None,
        None,
        False,
    )


def test_changes_and_runs_are_complete() -> None:
    found = as_json(REPEATED_RUNS)
    assert found["changes"][2] == {
        "id": "example:3",
        "key": "budget_conscious",
        "kind": "newly failing",
        "baseline": 1,
        "current": 0,
        "baseline_n": 1,
        "current_n": 1,
        "before": None,
        "after": "max_turns",
        "before_turns": 7,
        "after_turns": 15,
    }
    assert found["runs"]["baseline"][0]["values"] == [0.787, 0.765, 0.802]
    assert found["runs"]["current"][0]["deviation"] is None
