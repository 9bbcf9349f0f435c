"""Suites and cases by the API: in files, which keep their comments, and in the tables."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from live import serve
from sqlalchemy import select
from suite_editor import BOTS, CHECK, ROOMS, Editor, in_tables, names

from grice.files.document import load_file, parse_document
from grice.matching.matcher import REGISTRY
from grice.running.journal.file_lock import FileLock
from grice.store import suite_workspace
from grice.store.database import locked
from grice.store.suite_rows import case_id
from grice.store.tables import test_cases


@pytest.fixture(scope="module")
def shared_editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    """The same for tests in which everything is refused; it has a suite `own` without a file too."""
    folder = tmp_path_factory.mktemp("refused")
    folder.joinpath("bots.py").write_text(BOTS)
    folder.joinpath("rooms.grice.yaml").write_text(ROOMS)
    with serve(folder) as live:
        editor = Editor(live)
        in_tables(editor)
        yield editor


@pytest.fixture(params=["rooms", "own"])
def refused(request: pytest.FixtureRequest, shared_editor: Editor) -> tuple[Editor, str, str]:
    """The editor in whose project nothing changes, and the id and name of a suite there."""
    suites = shared_editor.ask("GET", f"/projects/{shared_editor.project}/test-suites")
    (id_,) = [one["id"] for one in suites if one["name"] == request.param]
    return shared_editor, id_, request.param


# -- cases


def test_cases_are_made_changed_copied_moved_and_deleted(editor: Editor, suite: tuple[str, str]) -> None:
    id_, name = suite
    path = f"/test-suites/{id_}/test-cases"
    made = editor.ask(
        "POST", path, {"name": "new", "say": "x", "assertions": CHECK, "position": 1}, status=201
    )
    assert made["id"] == case_id(editor.project, name, "new")
    assert names(editor, id_) == ["blue", "new", "red"]
    unnamed = editor.ask("POST", path, {"say": "y", "expectedOutput": "z"}, status=201)
    assert unnamed["name"].startswith("scenario_")
    editor.ask("DELETE", f"/test-cases/{unnamed['id']}", match=unnamed["fingerprint"])
    copy = editor.ask("POST", f"/test-cases/{made['id']}/copy", status=201)
    assert (copy["name"], sorted(names(editor, id_))) == ("new-2", ["blue", "new", "new-2", "red"])
    moved = editor.ask("POST", f"/test-cases/{copy['id']}/move", {"position": 0})
    assert (moved["id"], names(editor, id_)[0]) == (copy["id"], "new-2")
    skipped = editor.ask("PATCH", f"/test-cases/{copy['id']}", {"runMode": "SKIP"}, copy["fingerprint"])
    assert (skipped["runMode"], skipped["assertions"]) == ("SKIP", CHECK)
    whole = {"name": "renamed", "say": ["a", "b"], "expectedOutput": {"a": 1.0}, "outputType": "json"}
    renamed = editor.ask("PUT", f"/test-cases/{copy['id']}", whole, skipped["fingerprint"])
    assert renamed["id"] == case_id(editor.project, name, "renamed")
    assert (renamed["runMode"], renamed["assertions"], renamed["expectedOutput"]) == (
        "DEFAULT",
        [],
        {"a": 1.0},
    )
    editor.ask("GET", f"/test-cases/{copy['id']}", status=404)
    editor.ask("DELETE", f"/test-cases/{renamed['id']}", match='"*"')
    assert names(editor, id_) == ["blue", "new", "red"]


def test_a_file_keeps_its_comments(editor: Editor) -> None:
    case, tag = editor.tagged(f"/test-cases/{editor.blue}")
    assert (case["file"], case["line"], case["say"]) == ("rooms.grice.yaml", 6, "blue")
    editor.ask("PATCH", f"/test-cases/{editor.blue}", {"say": "navy", "runMode": "ONLY"}, tag)
    kept = ROOMS.replace("say: blue   #", "say: navy   #")
    assert editor.text == kept.replace("  - id: blue\n", "  - id: blue\n    run_mode: ONLY\n")


def test_what_is_read_and_sent_back_changes_nothing(editor: Editor, suite: tuple[str, str]) -> None:
    before = editor.text
    for case in editor.ask("GET", f"/test-suites/{suite[0]}/test-cases"):
        read_only = ("id", "testSuiteId", "position", "file", "line", "fingerprint")
        body = {name: one for name, one in case.items() if name not in read_only}
        assert editor.ask("PUT", f"/test-cases/{case['id']}", body, case["fingerprint"]) == case
    assert editor.text == before


def test_a_case_moves_between_a_file_and_the_tables(editor: Editor) -> None:
    own = editor.table_suite()
    moved = editor.ask("POST", f"/test-cases/{editor.blue}/move", {"testSuiteId": own})
    assert (moved["testSuiteId"], names(editor, own), names(editor, editor.rooms)) == (own, ["blue"], ["red"])
    back = editor.ask("POST", f"/test-cases/{moved['id']}/move", {"testSuiteId": editor.rooms, "position": 0})
    assert (back["id"], names(editor, own), names(editor, editor.rooms)) == (editor.blue, [], ["blue", "red"])
    copied = editor.ask("POST", f"/test-cases/{editor.blue}/copy", {"testSuiteId": own}, status=201)
    assert (copied["name"], names(editor, editor.rooms)) == ("blue", ["blue", "red"])


def test_the_only_case_of_a_file_stays(editor: Editor) -> None:
    editor.ask("DELETE", f"/test-cases/{editor.red}", match="*")
    told = editor.ask("DELETE", f"/test-cases/{editor.blue}", match="*", status=400)
    assert "the only scenario of rooms.grice.yaml" in told["details"][0]["message"]
    own = editor.table_suite()
    editor.ask("POST", f"/test-cases/{editor.blue}/move", {"testSuiteId": own}, status=400)
    assert names(editor, own) == []


# -- what is wrong

WRONG = {
    "say": 5,
    "runMode": "NEVER",
    "outputType": "xml",
    "foo": 1,
    "assertions": [
        {"matcher": "toContan", "expected": 1},
        {"matcher": "toMatch", "expected": "("},
        {"matcher": "toEqual", "expected": 1, "path": "$.rooms["},
        {"matcher": "toBeOneOf", "expected": []},
        {"matcher": "toEqual", "expected": 1, "pathMatch": "SOME"},
    ],
}


def test_all_that_is_wrong_is_told_by_field(refused: tuple[Editor, str, str]) -> None:
    editor, suite, _ = refused
    told = editor.ask("POST", f"/test-suites/{suite}/test-cases", WRONG, status=400)
    assert sorted(one["field"] for one in told["details"]) == [
        "assertions[0].matcher",
        "assertions[1].expected",
        "assertions[2].path",
        "assertions[3].expected",
        "assertions[4].pathMatch",
        "foo",
        "outputType",
        "runMode",
        "say",
    ]
    assert names(editor, suite) == ["blue", "red"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "body"),
        ({"name": "blue", "say": "x", "assertions": CHECK}, "name"),
        ({"name": "a::b", "say": "x", "assertions": CHECK}, "name"),
        ({"say": "x"}, "body"),
        ({"say": "x", "run_mode": "SKIP"}, "run_mode"),
        ({"say": "x", "expectedOutput": 1}, "expectedOutput"),
        ({"say": "x", "assertions": CHECK, "shouldTrimWhitespace": True}, "shouldTrimWhitespace"),
        ({"say": "x", "turns": [{"say": "y"}]}, "say"),
        ({"say": "x", "assertions": [{"matcher": "toContain", "expected": "x" * 70_000}]}, "body"),
    ],
)
def test_what_no_suite_says_is_refused(
    refused: tuple[Editor, str, str], body: dict[str, Any], field: str
) -> None:
    editor, suite, _ = refused
    told = editor.ask("POST", f"/test-suites/{suite}/test-cases", body, status=400)
    assert [one["field"] for one in told["details"]] == [field]


@pytest.mark.parametrize("wrong", [False, 5, "x", {}, [5], [None], [[]], {"a": 1}], ids=str)
def test_what_has_another_shape_is_refused(refused: tuple[Editor, str, str], wrong: Any) -> None:
    editor, suite, name = refused
    for field in ("assertions", "evaluate", "turns"):
        body = {"name": "new", "say": "x", field: wrong}
        told = editor.ask("POST", f"/test-suites/{suite}/test-cases", body, status=400)
        assert [one["field"].partition("[")[0] for one in told["details"]][:1] == [field]
    head = {"name": name, **({"agent": "bots:agent"} if name == "rooms" else {})}
    for method in ("PUT", "PATCH"):
        body = {**head, "testCases": wrong}
        editor.ask(method, f"/test-suites/{suite}", body, match="*", status=400)
    text = json.dumps({**head, "scenarios": wrong})
    editor.ask("POST", f"/test-suites/{suite}/import", {"text": text}, match="*", status=400)
    assert names(editor, suite) == ["blue", "red"]


def test_a_file_with_mistakes_is_listed_and_not_changed(editor: Editor) -> None:
    (editor.live.folder / "bad.grice.yaml").write_text("scenarios:\n  - {id: a, sai: b}\n")
    bad, rooms = editor.ask("GET", f"/projects/{editor.project}/test-suites")
    assert (bad["file"], "unknown field 'sai'" in bad["problems"][0]) == ("bad.grice.yaml", True)
    assert (rooms["id"], rooms["problems"]) == (editor.rooms, [])
    editor.ask("GET", f"/test-suites/{bad['id']}", status=404)
    (editor.live.folder / "rooms.grice.yaml").write_text("scenarios: [")
    told = editor.ask("PATCH", f"/test-cases/{editor.blue}", {"runMode": "SKIP"}, "*", status=409)
    assert "rooms.grice.yaml:1:12" in told["error"]


def test_an_id_that_another_suite_of_the_name_has_is_refused(editor: Editor) -> None:
    path = f"/test-suites/{editor.table_suite(name='rooms')}/test-cases"
    told = editor.ask("POST", path, {"name": "blue", "say": "x", "assertions": CHECK}, status=400)
    assert "has the id 'blue' too" in told["details"][0]["message"]
    made = editor.ask("POST", path, {"name": "green", "say": "x", "assertions": CHECK}, status=201)
    body = {"name": "green", "say": "x", "assertions": CHECK}
    before = editor.text
    editor.ask("POST", f"/test-suites/{editor.rooms}/test-cases", body, status=400)
    assert (editor.text, made["name"]) == (before, "green")


# -- editors at the same time


def test_who_is_late_gets_both_versions(editor: Editor, suite: tuple[str, str]) -> None:
    id_ = case_id(editor.project, suite[1], "blue")
    case, tag = editor.tagged(f"/test-cases/{id_}")
    editor.ask("PATCH", f"/test-cases/{id_}", {"say": "theirs"}, tag)
    for method, body in (("PATCH", {"say": "mine"}), ("PUT", {"say": "mine", "assertions": CHECK})):
        told = editor.ask(method, f"/test-cases/{id_}", body, tag, status=409)
        assert (told["mine"], told["theirs"]["say"], told["base"]) == (body, "theirs", case["fingerprint"])
        assert told["fingerprint"] == told["theirs"]["fingerprint"]
    editor.ask("DELETE", f"/test-cases/{id_}", match=tag, status=409)
    merged = editor.ask("PATCH", f"/test-cases/{id_}", {"say": "both"}, told["fingerprint"])
    assert merged["say"] == "both"


def test_editors_of_two_cases_of_a_file_are_not_in_each_others_way(editor: Editor) -> None:
    tags = [editor.tagged(f"/test-cases/{one}")[1] for one in (editor.blue, editor.red)]
    for one, tag in zip((editor.blue, editor.red), tags, strict=True):
        editor.ask("PATCH", f"/test-cases/{one}", {"runMode": "SKIP"}, tag)
    assert editor.text.count("run_mode: SKIP") == 2


def test_a_file_that_an_editor_of_files_changed_is_not_written_over(editor: Editor) -> None:
    suite, tag = editor.tagged(f"/test-suites/{editor.rooms}")
    _, blue = editor.tagged(f"/test-cases/{editor.blue}")
    theirs = editor.text.replace("say: blue", "say: teal")
    (editor.live.folder / "rooms.grice.yaml").write_text(theirs)
    told = editor.ask("PATCH", f"/test-suites/{editor.rooms}", {"criteria": {"a": "b"}}, tag, status=409)
    assert (told["base"], told["theirs"]["fingerprint"] != told["base"]) == (suite["fingerprint"], True)
    assert (
        editor.ask("PATCH", f"/test-cases/{editor.blue}", {"say": "x"}, blue, 409)["theirs"]["say"] == "teal"
    )
    assert editor.text == theirs


@pytest.mark.parametrize("match", ["", '"a", "b"'])
def test_saving_names_the_version_that_was_read(editor: Editor, match: str) -> None:
    told = editor.ask("PATCH", f"/test-cases/{editor.blue}", {"say": "x"}, match, status=400)
    assert [one["field"] for one in told["details"]] == ["If-Match"]


def test_a_lock_that_is_not_given_up_is_told(editor: Editor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suite_workspace, "PATIENCE", 0.05)
    lock = FileLock(editor.live.folder / ".grice" / "suites.lock")
    told = editor.ask("PATCH", f"/test-cases/{editor.blue}", {"say": "x"}, "*", status=503)
    lock.release()
    assert "changes suites, and does not end" in told["error"]
    editor.ask("PATCH", f"/test-cases/{editor.blue}", {"say": "x"}, "*")


# -- suites


def test_suites_are_made_changed_copied_and_deleted(editor: Editor, suite: tuple[str, str]) -> None:
    id_, _ = suite
    read, tag = editor.tagged(f"/test-suites/{id_}")
    named = editor.ask("PATCH", f"/test-suites/{id_}", {"name": "other"}, tag)
    assert (named["id"], named["name"], named["agent"]) == (id_, "other", read["agent"])
    assert names(editor, id_) == ["blue", "red"]
    keep = {"agent": read["agent"], "testCases": editor.ask("GET", f"/test-suites/{id_}/test-cases")[1:]}
    read_only = ("id", "testSuiteId", "position", "file", "line", "fingerprint")
    keep["testCases"] = [
        {name: one for name, one in case.items() if name not in read_only} for case in keep["testCases"]
    ]
    whole = {**keep, "name": "third", "criteria": {"friendly": "The reply is warm."}}
    changed = editor.ask("PUT", f"/test-suites/{id_}", whole, named["fingerprint"])
    assert (changed["name"], list(changed["criteria"]), names(editor, id_)) == (
        "third",
        ["friendly"],
        ["red"],
    )
    copy = editor.ask("POST", f"/test-suites/{id_}/copy", {"name": "fourth"}, status=201)
    assert (copy["file"], copy["name"], names(editor, copy["id"])) == (None, "fourth", ["red"])
    editor.ask("DELETE", f"/test-suites/{id_}", match=tag, status=409)
    editor.ask("DELETE", f"/test-suites/{id_}", match=changed["fingerprint"])
    editor.ask("GET", f"/test-suites/{id_}", status=404)
    assert (editor.live.folder / "rooms.grice.yaml").exists() == (id_ != editor.rooms)


def test_the_text_of_a_suite_goes_out_and_comes_in(editor: Editor) -> None:
    exported = editor.live.client.get(f"/api/test-suites/{editor.rooms}/export")
    assert (exported.text, "rooms.grice.yaml" in exported.headers["Content-Disposition"]) == (ROOMS, True)
    assert (
        editor.ask("GET", f"/test-suites/{editor.rooms}/export?format=json")["scenarios"][0]["id"] == "blue"
    )
    text = ROOMS.replace("our rooms", "rooms of mine").replace("say: red", "say: rouge")
    tag = exported.headers["ETag"]
    editor.ask("POST", f"/test-suites/{editor.rooms}/import", {"text": text}, tag)
    assert editor.text == text
    late = editor.ask("POST", f"/test-suites/{editor.rooms}/import", {"text": ROOMS}, tag, status=409)
    assert late["mine"]["text"] == ROOMS
    own = editor.ask(
        "POST",
        f"/projects/{editor.project}/test-suites/import",
        {"text": "name: own\nscenarios:\n  - {id: a, say: b, expected_output: c}\n"},
        status=201,
    )
    assert (own["file"], names(editor, own["id"])) == (None, ["a"])
    told = editor.ask(
        "POST",
        f"/projects/{editor.project}/test-suites/import",
        {"text": "name: own2\nscenarios:\n  - {id: a\n"},
        status=400,
    )
    assert (told["details"][0]["field"], "line " in told["details"][0]["message"]) == ("text", True)


def test_a_suite_without_a_file_is_run_and_its_results_are_of_its_cases(editor: Editor) -> None:
    cases = [{"name": one, "say": one, "assertions": CHECK} for one in ("a", "x")]
    own = editor.table_suite(testCases=cases)
    run = editor.ask("POST", f"/test-suites/{own}/run", {}, status=201)["runId"]
    with editor.live.client.stream("GET", f"/api/test-suite-runs/{run}/events") as stream:
        stream.read()
    found = editor.ask("GET", f"/test-suite-runs/{run}")
    assert (found["state"], found["testSuiteId"]) == ("FINISHED", own)
    assert {one["testCaseId"]: one["status"] for one in found["results"]} == {
        case_id(editor.project, "own", "a"): "FAIL",
        case_id(editor.project, "own", "x"): "PASS",
    }
    again = editor.ask("POST", f"/test-suites/{own}/run", {"onlyFailedOf": run}, status=201)["runId"]
    with editor.live.client.stream("GET", f"/api/test-suite-runs/{again}/events") as stream:
        stream.read()
    results = editor.ask("GET", f"/test-suite-runs/{again}")["results"]
    assert [one["testCaseId"] for one in results] == [case_id(editor.project, "own", "a")]
    editor.ask("DELETE", f"/test-suites/{own}", match="*")
    assert len(editor.ask("GET", f"/test-suite-runs/{run}")["results"]) == 2


# -- code

RULES = [{"matcher": "toFollowRules", "expected": "/etc/passwd"}]
CODE = {
    "agent": ({"agent": "os:system"}, "agent"),
    "an address": ({"agent": "http://127.0.0.1:1/"}, "agent"),
    "a described agent": ({"agent": {"type": "openai", "url": "http://x/v1", "model": "m"}}, "agent"),
    "a file of rules": ({"assertions": RULES}, "assertions[0].expected"),
    "a soft check": ({"evaluate": RULES}, "evaluate[0].expected"),
    "a check of a turn": (
        {"say": None, "turns": [{"say": "x", "expect": RULES}]},
        "turns[0].expect[0].expected",
    ),
    "a matcher in a matcher": (
        {"assertions": [{"matcher": "toPerformWithin", "options": {"baseline": "/etc/passwd"}}]},
        "assertions[0].options.baseline",
    ),
}


@pytest.mark.parametrize(("fields", "field"), CODE.values(), ids=CODE)
def test_code_cannot_be_changed(refused: tuple[Editor, str, str], fields: dict[str, Any], field: str) -> None:
    editor, id_, name = refused
    case = {"say": "x", "assertions": CHECK, **fields}
    blue = case_id(editor.project, name, "blue")
    before = editor.text
    tried = [
        editor.ask("POST", f"/test-suites/{id_}/test-cases", case, status=403),
        editor.ask("PUT", f"/test-cases/{blue}", case, "*", status=403),
        editor.ask("PATCH", f"/test-cases/{blue}", fields, "*", status=403),
    ]
    for told in tried:
        assert [one["field"] for one in told["details"]] == [field]
    project = f"/projects/{editor.project}/test-suites"
    told = editor.ask("POST", project, {"name": "new", "testCases": [case]}, status=403)
    assert [one["field"] for one in told["details"]] == [f"testCases[0].{field}"]
    read = editor.ask("GET", f"/test-suites/{id_}")
    told = editor.ask(
        "PUT", f"/test-suites/{id_}", {"agent": read["agent"], "testCases": [case]}, "*", status=403
    )
    assert f"testCases[0].{field}" in [one["field"] for one in told["details"]]
    assert editor.text == before


@pytest.mark.parametrize(
    ("head", "field"),
    [
        ("agent: os:system\n", "agent"),
        ("agent: {type: http, url: http://x}\n", "agent"),
        ("matchers: [os]\n", "matchers"),
        ("prompt: ../secret.md\n", "prompt"),
    ],
)
def test_code_of_a_suite_cannot_be_changed(refused: tuple[Editor, str, str], head: str, field: str) -> None:
    editor, suite, _ = refused
    scenario = "scenarios:\n  - {id: a, say: b, expected_output: c}\n"
    text = {"text": f"name: n\n{head}{scenario}"}
    told = editor.ask("POST", f"/projects/{editor.project}/test-suites/import", text, status=403)
    assert [one["field"] for one in told["details"]] == [field]
    told = editor.ask("POST", f"/test-suites/{suite}/import", text, "*", status=403)
    assert field in [one["field"] for one in told["details"]]
    value = parse_document(head, path="x", syntax="yaml").value
    for method in ("PUT", "PATCH"):
        told = editor.ask(method, f"/test-suites/{suite}", value, "*", status=403)
        assert field in [one["field"] for one in told["details"]]


def test_code_that_is_there_cannot_be_taken_away_and_goes_along(editor: Editor) -> None:
    for id_, fields in ((editor.red, {"agent": None}), (editor.red, {"agent": "bots:other"})):
        editor.ask("PATCH", f"/test-cases/{id_}", fields, "*", status=403)
    editor.ask("PATCH", f"/test-suites/{editor.rooms}", {"agent": None}, "*", status=403)
    assert editor.ask("PATCH", f"/test-cases/{editor.red}", {"say": "rouge"}, "*")["agent"] == "bots:agent"
    assert editor.ask("POST", f"/test-cases/{editor.red}/copy", status=201)["agent"] == "bots:agent"


def test_code_can_be_changed_where_it_is_allowed(tmp_path: Path) -> None:
    tmp_path.joinpath("bots.py").write_text(f"{BOTS}other = agent\n")
    tmp_path.joinpath("rooms.grice.yaml").write_text(ROOMS)
    with serve(tmp_path, allow_code=True) as live:
        editor = Editor(live)
        editor.ask("PATCH", f"/test-cases/{editor.red}", {"agent": "bots:other"}, "*")
        editor.ask("PATCH", f"/test-suites/{editor.rooms}", {"agent": "bots:other"}, "*")
    assert load_file(tmp_path / "rooms.grice.yaml").value["agent"] == "bots:other"


def test_a_file_outside_of_the_project_is_not_written(editor: Editor, tmp_path_factory: Any) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "far.grice.yaml"
    elsewhere.write_text(ROOMS)
    (editor.live.folder / "far.grice.yaml").symlink_to(elsewhere)
    far = case_id(editor.project, "far", "blue")
    editor.ask("GET", f"/test-cases/{far}")
    told = editor.ask("PATCH", f"/test-cases/{far}", {"say": "x"}, "*", status=409)
    assert ("outside of the project" in told["error"], elsewhere.read_text()) == (True, ROOMS)


def test_who_may_only_run_changes_nothing(editor: Editor) -> None:
    with editor.live.client_with("run") as client:
        for method, path in (
            ("POST", f"/api/test-suites/{editor.rooms}/test-cases"),
            ("PUT", f"/api/test-cases/{editor.blue}"),
            ("PATCH", f"/api/test-cases/{editor.blue}"),
            ("DELETE", f"/api/test-cases/{editor.blue}"),
            ("DELETE", f"/api/test-suites/{editor.rooms}"),
            ("POST", f"/api/test-suites/{editor.rooms}/import"),
        ):
            answer = client.request(method, path, json={}, headers={"If-Match": "*"})
            assert answer.status_code == 403, path
    assert editor.text == ROOMS


OWN = """
from pathlib import Path

from grice.matchers import matcher

@matcher("toStandIn")
def stand_in(text: str, ctx: object, file: str | Path) -> bool:
    "The text stands in a file."
    return text in Path(file).read_text()
"""


@pytest.fixture(params=["settings", "suite"])
def own_matcher(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Editor]:
    """A project with a matcher that takes a file, whose server begins anew and has imported nothing."""
    tmp_path.joinpath("bots.py").write_text(BOTS)
    tmp_path.joinpath("file_matchers.py").write_text(OWN)
    named = "matchers: [file_matchers]\n" if request.param == "suite" else ""
    tmp_path.joinpath("rooms.grice.yaml").write_text(f"{named}{ROOMS}")
    in_settings = 'matchers = ["file_matchers"]\n' if request.param == "settings" else ""
    tmp_path.joinpath("grice.toml").write_text(f'agent = "bots:agent"\n{in_settings}')
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sys, "path", list(sys.path))
        with serve(tmp_path) as live:
            live.get(f"/api/projects/{live.service.project}/test-suites")
        _forget_matcher()
        with serve(tmp_path) as live:
            yield Editor(live)
    _forget_matcher()


def _forget_matcher() -> None:
    REGISTRY.pop("toStandIn", None)
    sys.modules.pop("file_matchers", None)


def test_the_file_of_a_matcher_of_the_project_cannot_be_given(own_matcher: Editor) -> None:
    case = {"say": "x", "assertions": [{"matcher": "toStandIn", "expected": "/etc/passwd"}]}
    path = f"/test-suites/{own_matcher.rooms}/test-cases"
    told = own_matcher.ask("POST", path, case, status=403)
    assert [one["field"] for one in told["details"]] == ["assertions[0].expected"]


def test_settings_that_cannot_be_used_are_told(editor: Editor) -> None:
    editor.live.folder.joinpath("grice.toml").write_text('matchers = ["no_such_module"]\n')
    body = {"name": "x", "testCases": []}
    told = editor.ask("POST", f"/projects/{editor.live.service.project}/test-suites", body, status=422)
    assert "no_such_module" in told["error"]


def test_false_is_an_output_and_stays(editor: Editor) -> None:
    case = {"name": "a", "say": "x", "expectedOutput": False, "outputType": "json"}
    suite = editor.table_suite(testCases=[case])
    (made,) = editor.ask("GET", f"/test-suites/{suite}/test-cases")
    now = editor.ask("PATCH", f"/test-cases/{made['id']}", {"description": "new"}, "*")
    assert (now["description"], now["expectedOutput"]) == ("new", False)


def test_white_space_around_an_output_is_left_out_where_a_case_says_so(editor: Editor) -> None:
    case = {"name": "a", "say": "x", "expectedOutput": " x\n", "shouldTrimWhitespace": True}
    suite = editor.table_suite(testCases=[case])
    (made,) = editor.ask("GET", f"/test-suites/{suite}/test-cases")
    path = f"/test-cases/{made['id']}"
    assert made["shouldTrimWhitespace"] is True
    now = editor.ask("PATCH", path, {"description": "new"}, "*")
    assert (now["description"], now["shouldTrimWhitespace"]) == ("new", True)
    assert "should_trim_whitespace: true" in editor.live.client.get(f"/api/test-suites/{suite}/export").text
    with locked(editor.live.service.engine) as connection:
        found = connection.execute(select(test_cases.c.should_trim_whitespace)).scalars()
        assert list(found).count(True) == 1
    told = editor.ask("PATCH", path, {"outputType": "json"}, "*", status=400)
    assert [one["field"] for one in told["details"]] == ["shouldTrimWhitespace"]
    now = editor.ask("PATCH", path, {"shouldTrimWhitespace": False}, "*")
    assert now["shouldTrimWhitespace"] is False


@pytest.mark.parametrize("name", [[], {}])
def test_a_name_that_is_no_text_is_told(editor: Editor, name: object) -> None:
    suite, _ = in_tables(editor)
    body = {"testCases": [{"name": name, "say": "x", "assertions": CHECK}]}
    told = editor.ask("PUT", f"/test-suites/{suite}", body, "*", status=400)
    assert [one["field"] for one in told["details"]] == ["testCases[0].name"]


def test_what_is_nested_too_deep_is_told(editor: Editor) -> None:
    deep: Any = []
    for _ in range(700):
        deep = [deep]
    case = {"say": "x", "assertions": [{"matcher": "toEqual", "expected": deep}]}
    told = editor.ask("POST", f"/test-suites/{editor.rooms}/test-cases", case, status=400)
    assert told["details"] == [{"field": "body", "message": "is nested too deep"}]


def test_the_number_that_a_case_is_called_stays_one(editor: Editor, tmp_path: Path) -> None:
    file = tmp_path / "rooms.grice.yaml"
    text = ROOMS.replace("id: blue", "id: 5")
    file.write_text(text)
    path = f"/test-cases/{case_id(editor.project, 'rooms', '5')}"
    case, tag = editor.tagged(path)
    said = {name: case[name] for name in ("name", "say", "assertions")}
    editor.ask("PUT", path, {**said, "description": "new"}, tag)
    assert load_file(file).value["scenarios"][0]["id"] == 5


@pytest.mark.parametrize("method", ["POST", "DELETE"])
def test_a_file_that_is_changed_by_hand_in_between_stays(
    editor: Editor, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    read = suite_workspace.read_document
    by_hand = ROOMS.replace("# our rooms", "# mine")

    def read_slowly(*given: Any, **more: Any) -> Any:
        (editor.live.folder / "rooms.grice.yaml").write_text(by_hand)
        return read(*given, **more)

    monkeypatch.setattr(suite_workspace, "read_document", read_slowly)
    suite = f"/test-suites/{editor.rooms}"
    case = {"say": "x", "assertions": CHECK}
    path, body = (f"{suite}/test-cases", case) if method == "POST" else (suite, None)
    _, tag = editor.tagged(suite)
    told = editor.ask(method, path, body, tag, status=409)
    assert "was changed meanwhile" in told["error"]
    assert editor.text == by_hand
