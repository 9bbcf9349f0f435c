"""Matchers, evaluating and proposing by the API."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from live import Live, serve

import grice
from grice.matching.matcher import REGISTRY

OUTPUT = {"items": [{"name": "Blue Room", "price": 41.5}, {"name": "Red Room", "price": 30}]}
OWN = """
from pathlib import Path

from grice.matchers import matcher

@matcher("toNameARoom")
def name_a_room(text: str, ctx: object) -> bool:
    "The text names a room."
    return "Room" in text

@matcher("toStandInFile")
def stand_in_file(text: str, ctx: object, file: str | Path) -> bool:
    "The text stands in a file."
    return text in Path(file).read_text()
"""


def ask(live: Live, path: str, body: object, status: int = 200) -> Any:
    answer = live.client.post(path, json=body)
    assert answer.status_code == status, answer.text
    return answer.json()


def test_an_output_is_judged_as_the_library_judges_it(shared: Live) -> None:
    asked = [
        {
            "id": "price",
            "path": "$.items[*].price",
            "pathMatch": "ALL",
            "matcher": "toBeGreaterThan",
            "expected": 30,
        },
        {"path": "$.items[0].name", "matcher": "toContain", "expected": "Blue", "not": True},
        {"path": "$.total", "matcher": "toBeUndefined"},
    ]
    found = ask(shared, "/api/evaluate", {"actual": OUTPUT, "assertions": asked})
    library = grice.evaluate_assertions(OUTPUT, asked)
    assert found["passed"] is library.passed is False
    assert [one["message"] for one in found["results"]] == [one.message for one in library.results]
    first = found["results"][0]
    seed = {"assertionId", "path", "matcher", "not", "pathMatch", "passed", "actualSamples", "message"}
    assert seed <= first.keys()
    assert (first["assertionId"], first["pathMatch"], first["actualSamples"]) == ("price", "ALL", [41.5, 30])


def test_everything_wrong_with_assertions_is_in_one_answer_by_field(shared: Live) -> None:
    asked = [
        {"matcher": "toEqual", "path": "$.items[", "expected": 1, "pathMatch": "SOME"},
        {"matcher": "toMatch", "expected": {"source": "(", "flags": "i"}},
        {"matcher": "toBeOneOf", "expected": []},
        {"matcher": "toMatch", "expected": {"source": "a", "flags": "x"}},
        {"matcher": "toEqal", "expected": 1},
    ]
    told = ask(shared, "/api/evaluate", {"actual": OUTPUT, "assertions": asked}, 400)
    found = {one["field"]: one for one in told["details"]}
    assert found.keys() == {
        "assertions[0].path",
        "assertions[0].pathMatch",
        "assertions[1].expected",
        "assertions[2].expected",
        "assertions[3].expected",
        "assertions[4].matcher",
    }
    assert found["assertions[0].path"]["position"] == 7
    assert "did you mean 'toEqual'?" in found["assertions[4].matcher"]["message"]


def test_assertions_beyond_their_size_are_refused(shared: Live) -> None:
    asked = [{"matcher": "toEqual", "expected": "x" * 70_000}]
    told = ask(shared, "/api/evaluate", {"actual": "x", "assertions": asked}, 400)
    assert "at most 65,536 are allowed" in told["details"][0]["message"]


@pytest.mark.parametrize(
    "asked",
    [
        {"matcher": "toFollowRules", "expected": "rules.toml"},
        {"matcher": "toSatisfyAll", "expected": {"matcher": "toFollowRules", "expected": "rules.toml"}},
    ],
)
def test_no_file_is_read_that_a_body_names(shared: Live, asked: dict[str, Any]) -> None:
    (shared.folder / "rules.toml").write_text('[[rules]]\nid = "secret"\nany_of = ["sesame"]\n')
    told = ask(shared, "/api/evaluate", {"actual": ["x"], "assertions": [asked]}, 400)
    assert "files are not read here" in told["details"][0]["message"]
    assert "sesame" not in str(told)


def test_a_preview_says_what_the_path_does_not_find(shared: Live) -> None:
    asked = [
        {"path": "$.items[*].prise", "matcher": "toEqual", "expected": 1, "not": True},
        {"path": "$.items[*].price", "matcher": "toEqual", "expected": 30},
        {"path": "$.items[", "matcher": "toBeNull"},
        {"path": "$.error", "matcher": "toBeUndefined"},
    ]
    previews = ask(shared, "/api/evaluate/preview", {"actual": OUTPUT, "assertions": asked})["previews"]
    assert [one["state"] for one in previews] == ["NOTHING_FOUND", "PASS", "ERROR", "PASS"]
    assert previews[0]["words"] == (
        "the path finds nothing: there is no 'prise' (did you mean 'price'?); it passes because of that"
    )


def test_many_outputs_are_counted_and_those_that_fail_are_named(shared: Live) -> None:
    asked = [{"id": "room", "matcher": "toContain", "expected": "Room"}]
    actuals = ["Blue Room" if number % 10 else "Hall" for number in range(1_000)]
    found = ask(shared, "/api/evaluate/many", {"actuals": actuals, "assertions": asked})
    assert (found["passed"], found["total"], found["outcomes"]) == (False, 1_000, {"pass": 900, "fail": 100})
    assert [one["index"] for one in found["failing"]][:3] == [0, 10, 20]
    assert found["assertions"] == [{"assertionId": "room", "outcomes": found["outcomes"], "unresolved": 0}]


@pytest.mark.parametrize("body", [{}, {"actuals": ["x"], "run": "exp_0123456789ab"}])
def test_outputs_are_either_given_or_of_a_run(shared: Live, body: dict[str, Any]) -> None:
    told = ask(shared, "/api/evaluate/many", {**body, "assertions": [{"matcher": "toBeNull"}]}, 400)
    assert [one["field"] for one in told["details"]] == ["actuals", "run"]


@pytest.mark.parametrize("run", ["exp_0123456789ab", "..", "../../etc", "latest", ""])
def test_a_run_that_is_none_is_told(shared: Live, run: str) -> None:
    ask(shared, "/api/evaluate/many", {"run": run, "assertions": [{"matcher": "toBeNull"}]}, 404)


def test_proposals_can_be_sent_back_as_they_are(shared: Live) -> None:
    proposals = ask(shared, "/api/scaffold", {"output": OUTPUT})["proposals"]
    asked = [one["assertion"] for one in proposals]
    names = {"path": "$.items[*].name", "pathMatch": "ALL", "expected": ["Blue Room", "Red Room"]}
    assert {"matcher": "toBeOneOf", **names} in asked
    assert all(isinstance(one["selected"], bool) and one["why"] for one in proposals)
    assert ask(shared, "/api/evaluate", {"actual": OUTPUT, "assertions": asked})["passed"] is True


@pytest.fixture
def with_own_matcher(tmp_path: Path) -> Iterator[Live]:
    (tmp_path / "room_matchers.py").write_text(OWN)
    (tmp_path / "grice.toml").write_text('agent = "bots:agent"\nmatchers = ["room_matchers"]\n')
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sys, "path", list(sys.path))
        with serve(tmp_path) as live:
            yield live
    for name in ("toNameARoom", "toStandInFile"):
        REGISTRY.pop(name, None)
    sys.modules.pop("room_matchers", None)


def test_matchers_of_the_project_are_listed_and_asked(with_own_matcher: Live) -> None:
    by_name = {one["name"]: one for one in with_own_matcher.get("/api/registry")}
    own, equal = by_name["toNameARoom"], by_name["toEqual"]
    assert (own["own"], own["editor"], own["documentation"]) == (True, "none", "The text names a room.")
    assert (equal["own"], equal["arity"], equal["passing"]["passed"]) == (False, "one", True)
    body = {"actual": "The Blue Room", "assertions": [{"matcher": "toNameARoom"}]}
    assert ask(with_own_matcher, "/api/evaluate", body)["passed"] is True


def test_no_matcher_of_the_project_reads_a_file_that_a_body_names(with_own_matcher: Live) -> None:
    file = with_own_matcher.folder / "room_matchers.py"
    body = {"actual": "matcher", "assertions": [{"matcher": "toStandInFile", "expected": str(file)}]}
    many = {"actuals": ["matcher"], "assertions": body["assertions"]}
    for path, given in (("evaluate", body), ("evaluate/many", many)):
        told = ask(with_own_matcher, f"/api/{path}", given, 400)
        assert [one["field"] for one in told["details"]] == ["assertions[0].expected"]
    (preview,) = ask(with_own_matcher, "/api/evaluate/preview", body)["previews"]
    assert (preview["state"], preview["passed"]) == ("ERROR", False)


def test_nobody_imports_a_module_that_a_body_names(shared: Live) -> None:
    body = {"actual": "x", "assertions": [{"matcher": "room_matchers:name_a_room"}], "matchers": ["os"]}
    told = ask(shared, "/api/evaluate", body, 400)
    assert told["details"] == [{"field": "matchers", "message": "is no field of this body"}]


# -- suggesting


def test_a_value_that_is_clicked_has_a_path_and_matchers_that_pass(shared: Live) -> None:
    found = ask(shared, "/api/evaluate/suggest", {"output": OUTPUT, "pointer": ["items", 1, "price"]})
    assert (found["path"], found["wildcardPath"]) == ("$.items[1].price", "$.items[*].price")
    assert len(found["matchers"]) >= 3
    asked = [{name: one[name] for name in one if name != "why"} for one in found["matchers"]]
    assert ask(shared, "/api/evaluate", {"actual": OUTPUT, "assertions": asked})["passed"] is True


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"output": OUTPUT, "pointer": ["items", 7]}, "pointer[1]"),
        ({"output": OUTPUT, "pointer": ["itms"]}, "pointer[0]"),
        ({"output": "no JSON", "pointer": ["a"]}, "pointer[0]"),
        ({"output": "no JSON", "pointer": [], "parse": "json"}, "pointer"),
        ({"output": OUTPUT, "pointer": [1.5]}, "pointer[0]"),
        ({"output": OUTPUT}, "pointer"),
    ],
)
def test_a_pointer_that_leads_nowhere_is_told_by_field(
    shared: Live, body: dict[str, Any], field: str
) -> None:
    told = ask(shared, "/api/evaluate/suggest", body, 400)
    assert told["details"][0]["field"].startswith(field)
