"""What an editor of cases asks beside saving: differences, last outputs, merging, undo, new files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from suite_editor import CHECK, ROOMS, Editor, in_tables, names

from grice.store import suite_saving
from grice.store.result_rows import suite_id
from grice.store.suite_rows import case_id

GREEN = {"matcher": "toContain", "expected": "green"}


def blue_of(editor: Editor, suite: tuple[str, str]) -> str:
    return case_id(editor.project, suite[1], "blue")


def changed(editor: Editor, case: str, **fields: Any) -> dict[str, Any]:
    """The fields of a case as an editor sends them, some of them changed."""
    read = editor.ask("GET", f"/test-cases/{case}")
    only_read = ("id", "testSuiteId", "position", "file", "line", "fingerprint")
    return {**{name: one for name, one in read.items() if name not in only_read}, **fields}


# -- the difference


def test_the_difference_is_what_saving_writes(editor: Editor, suite: tuple[str, str]) -> None:
    case = blue_of(editor, suite)
    export = f"/api/test-suites/{suite[0]}/export"
    before = editor.live.client.get(export).text
    body = changed(editor, case, assertions=[*CHECK, GREEN])
    found = editor.ask("POST", f"/test-cases/{case}/difference", body)
    assert (editor.live.client.get(export).text, found["limit"]) == (before, 65_536)
    editor.ask("PUT", f"/test-cases/{case}", body, "*")
    after = editor.live.client.get(export).text
    lines = found["difference"].splitlines()
    assert lines[2].startswith("@@")
    gone = [one[1:] for one in lines[2:] if one.startswith("-")]
    come = [one[1:] for one in lines[2:] if one.startswith("+")]
    assert sorted(set(before.splitlines()) - set(after.splitlines())) == sorted(set(gone))
    assert sorted(set(after.splitlines()) - set(before.splitlines())) == sorted(set(come))
    assert len(GREEN) < found["bytes"] < found["limit"]


def test_what_is_as_it_was_has_no_difference(editor: Editor, suite: tuple[str, str]) -> None:
    case = blue_of(editor, suite)
    found = editor.ask("POST", f"/test-cases/{case}/difference", changed(editor, case))
    assert found["difference"] == ""


def test_a_difference_that_cannot_be_saved_says_why(editor: Editor, suite: tuple[str, str]) -> None:
    case = blue_of(editor, suite)
    body = changed(editor, case, assertions=[{"matcher": "toContan", "expected": 1}])
    told = editor.ask("POST", f"/test-cases/{case}/difference", body, status=400)
    assert [one["field"] for one in told["details"]] == ["assertions[0].matcher"]
    body = changed(editor, case, agent="os:system")
    editor.ask("POST", f"/test-cases/{case}/difference", body, status=403)
    editor.ask("POST", "/test-cases/none/difference", body, status=404)


# -- the last output


def test_the_last_output_is_that_of_the_latest_result(editor: Editor) -> None:
    path = f"/test-cases/{editor.blue}/last-output"
    assert editor.ask("GET", path) == {
        "found": False,
        "output": "",
        "data": None,
        "run": None,
        "conversation": None,
    }
    run = editor.ask("POST", f"/test-suites/{editor.rooms}/run", {}, status=201)["runId"]
    with editor.live.client.stream("GET", f"/api/test-suite-runs/{run}/events") as stream:
        stream.read()
    found = editor.ask("GET", path)
    assert (found["found"], found["output"], found["run"]) == (True, "Booked: blue", run)
    editor.ask("GET", f"/test-suite-runs/{run}/conversations/{found['conversation']}")
    editor.ask("GET", "/test-cases/none/last-output", status=404)


# -- merging


def test_what_two_editors_changed_is_merged_by_row_and_saved(editor: Editor, suite: tuple[str, str]) -> None:
    case = blue_of(editor, suite)
    base = changed(editor, case)
    tag = editor.tagged(f"/test-cases/{case}")[1]
    first = base["assertions"][0]
    mine = {**base, "assertions": [{**first, "description": "mine"}], "say": "navy"}
    editor.ask("PATCH", f"/test-cases/{case}", {"assertions": [first, GREEN], "runMode": "SKIP"}, tag)
    editor.ask("PUT", f"/test-cases/{case}", mine, tag, status=409)
    found = editor.ask("POST", f"/test-cases/{case}/merge", {"base": base, "mine": mine})
    assert found["conflicts"] == []
    saved = editor.ask("PUT", f"/test-cases/{case}", found["merged"], found["tag"])
    assert (saved["say"], saved["runMode"]) == ("navy", "SKIP")
    assert saved["assertions"] == [{**first, "description": "mine"}, GREEN]


def test_what_both_changed_is_a_conflict_by_row(editor: Editor) -> None:
    base = changed(editor, editor.blue)
    row = base["assertions"][0]
    theirs, mine = {**row, "expected": "theirs"}, {**row, "expected": "mine"}
    editor.ask("PATCH", f"/test-cases/{editor.blue}", {"assertions": [theirs]}, "*")
    body = {"base": base, "mine": {**base, "assertions": [mine]}}
    found = editor.ask("POST", f"/test-cases/{editor.blue}/merge", body)
    (conflict,) = found["conflicts"]
    evaluated = editor.ask("POST", "/evaluate", {"actual": "", "assertions": [mine]})
    assert conflict == {
        "field": "assertions",
        "assertionId": evaluated["results"][0]["assertionId"],
        "base": row,
        "mine": mine,
        "theirs": theirs,
    }
    assert found["merged"]["assertions"] == [mine]


# -- undo


def undo(editor: Editor, token: str, status: int = 200) -> Any:
    return editor.ask("POST", f"/deletions/{token}/undo", status=status)


def test_a_deleted_case_is_had_back_where_it_stood(editor: Editor, suite: tuple[str, str]) -> None:
    id_, case, before = suite[0], blue_of(editor, suite), editor.text
    was = editor.ask("GET", f"/test-cases/{case}")
    token = editor.ask("DELETE", f"/test-cases/{case}", match="*")["undo"]
    assert names(editor, id_) == ["red"]
    assert undo(editor, token) == {"testSuiteId": id_, "testCaseId": case}
    assert (editor.text, editor.ask("GET", f"/test-cases/{case}"), names(editor, id_)) == (
        before,
        was,
        ["blue", "red"],
    )
    undo(editor, token, status=404)


def test_what_was_changed_since_stays_when_a_case_is_had_back(editor: Editor, suite: tuple[str, str]) -> None:
    id_, case = suite[0], blue_of(editor, suite)
    token = editor.ask("DELETE", f"/test-cases/{case}", match="*")["undo"]
    red = case_id(editor.project, suite[1], "red")
    editor.ask("PATCH", f"/test-cases/{red}", {"say": "rouge"}, "*")
    undo(editor, token)
    cases = editor.ask("GET", f"/test-suites/{id_}/test-cases")
    assert [(one["name"], one["say"]) for one in cases] == [("blue", "blue"), ("red", "rouge")]


def test_a_case_is_not_had_back_beside_another_of_its_name(editor: Editor, suite: tuple[str, str]) -> None:
    id_, case = suite[0], blue_of(editor, suite)
    token = editor.ask("DELETE", f"/test-cases/{case}", match="*")["undo"]
    made = {"name": "blue", "say": "x", "assertions": CHECK}
    new = editor.ask("POST", f"/test-suites/{id_}/test-cases", made, status=201)
    told = undo(editor, token, status=400)
    assert "blue" in told["details"][0]["message"]
    editor.ask("DELETE", f"/test-cases/{new['id']}", match="*")
    undo(editor, token)
    assert "blue" in names(editor, id_)


def test_a_deleted_suite_is_had_back_with_all_its_cases(editor: Editor, suite: tuple[str, str]) -> None:
    id_, file = suite[0], editor.live.folder / "rooms.grice.yaml"
    before, was = file.read_bytes(), editor.ask("GET", f"/test-suites/{id_}/test-cases")
    token = editor.ask("DELETE", f"/test-suites/{id_}", match="*")["undo"]
    editor.ask("GET", f"/test-suites/{id_}", status=404)
    assert undo(editor, token) == {"testSuiteId": id_, "testCaseId": None}
    assert (file.read_bytes(), editor.ask("GET", f"/test-suites/{id_}/test-cases")) == (before, was)


def test_a_case_is_had_back_in_a_suite_that_has_another_name_by_now(editor: Editor) -> None:
    suite, name = in_tables(editor)
    blue = case_id(editor.project, name, "blue")
    undo = editor.ask("DELETE", f"/test-cases/{blue}", match="*")["undo"]
    editor.ask("PATCH", f"/test-suites/{suite}", {"name": "renamed"}, "*")
    back = editor.ask("POST", f"/deletions/{undo}/undo")
    assert back["testCaseId"] == case_id(editor.project, "renamed", "blue")
    assert names(editor, suite) == ["blue", "red"]


def test_a_suite_whose_prompt_was_deleted_is_not_had_back(editor: Editor) -> None:
    body = {"name": "p", "prompt": "Say {{word}}"}
    prompt = editor.ask("POST", f"/projects/{editor.project}/prompts", body, status=201)["id"]
    case = {"name": "a", "inputs": {"word": "x"}, "assertions": CHECK}
    fields = {"name": "of it", "testCases": [case]}
    suite = editor.ask("POST", f"/prompts/{prompt}/test-suites", fields, status=201)["id"]
    undo = editor.ask("DELETE", f"/test-suites/{suite}", match="*")["undo"]
    editor.ask("DELETE", f"/prompts/{prompt}", match="*", status=204)
    told = editor.ask("POST", f"/deletions/{undo}/undo", status=404)
    assert told["error"] == f"{prompt}: there is no such prompt"


def test_a_file_that_is_there_again_is_not_written_over(editor: Editor) -> None:
    token = editor.ask("DELETE", f"/test-suites/{editor.rooms}", match="*")["undo"]
    (editor.live.folder / "rooms.grice.yaml").write_text(ROOMS.replace("our", "their"))
    assert "there is rooms.grice.yaml already" in undo(editor, token, status=400)["details"][0]["message"]
    assert "their rooms" in editor.text


def test_only_the_last_deletions_are_kept(editor: Editor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suite_saving, "_MOST_KEPT", 1)
    own, _ = in_tables(editor)
    tokens = [
        editor.ask("DELETE", f"/test-cases/{case_id(editor.project, 'own', one)}", match="*")["undo"]
        for one in ("blue", "red")
    ]
    undo(editor, tokens[0], status=404)
    undo(editor, tokens[1])
    assert names(editor, own) == ["red"]


# -- files of a chosen name


def test_a_suite_is_made_in_a_new_file(editor: Editor) -> None:
    case = {"name": "soup", "say": "soup", "assertions": CHECK}
    body = {"name": "lunch", "file": "menu/lunch.grice.yaml", "testCases": [case]}
    made = editor.ask("POST", f"/projects/{editor.project}/test-suites", body, status=201)
    assert (made["file"], made["name"]) == ("menu/lunch.grice.yaml", "lunch")
    assert (editor.live.folder / "menu" / "lunch.grice.yaml").read_text() == (
        "scenarios:\n  - id: soup\n    say: soup\n    expect:\n      - {matcher: toContain, expected: x}\n"
    )


def test_a_copy_in_a_file_has_the_comments(editor: Editor) -> None:
    body = {"name": "annex", "file": "annex.grice.yaml"}
    copy = editor.ask("POST", f"/test-suites/{editor.rooms}/copy", body, status=201)
    assert (copy["file"], names(editor, copy["id"])) == ("annex.grice.yaml", ["blue", "red"])
    text = (editor.live.folder / "annex.grice.yaml").read_text()
    assert ("# the blue one" in text, "# why" in text) == (True, True)


def test_a_copy_in_another_folder_finds_what_the_suite_names_from_its_own(editor: Editor) -> None:
    """The prompt and the schema; modules and files of checks are looked for from the project's folder."""
    root, line = editor.live.folder, "# yaml-language-server: $schema="
    (root / "hello.md").write_text("Greet {{name}}")
    scenario = "{id: a, inputs: {name: Ada}, expect: [{matcher: toBeTruthy}]}"
    suite = f"{line}../suite.schema.json\nprompt: hello.md\nscenarios:\n  - {scenario}\n"
    (root / "hello.grice.yaml").write_text(suite)
    body = {"name": "deep", "file": "a/b/deep.grice.yaml"}
    editor.ask("POST", f"/test-suites/{suite_id(editor.project, 'hello.grice.yaml')}/copy", body, status=201)
    assert (root / "a" / "b" / "deep.grice.yaml").read_text().splitlines() == [
        f"{line}../../../suite.schema.json",
        'prompt: "../../hello.md"',
        "scenarios:",
        f"  - {scenario}",
        "name: deep",
    ]
    value = {"$schema": "https://example.com/s.json", "scenarios": [{"id": "a", "say": "x", "expect": []}]}
    value["scenarios"][0]["expect"] = [{"matcher": "toBeTruthy"}]
    (root / "tea.grice.json").write_text(json.dumps(value))
    body = {"name": "far", "file": "a/far.grice.json"}
    editor.ask("POST", f"/test-suites/{suite_id(editor.project, 'tea.grice.json')}/copy", body, status=201)
    assert json.loads((root / "a" / "far.grice.json").read_text())["$schema"] == value["$schema"]


def test_what_is_imported_into_a_file_is_as_it_was_sent(editor: Editor) -> None:
    text = ROOMS.replace("our rooms", "their rooms")
    body = {"text": text, "file": "theirs.grice.yaml"}
    editor.ask("POST", f"/projects/{editor.project}/test-suites/import", body, status=403)
    text = text.replace("agent: bots:agent\n\n", "").replace("    agent: bots:agent\n", "")
    made = editor.ask(
        "POST", f"/projects/{editor.project}/test-suites/import", {**body, "text": text}, status=201
    )
    assert (made["name"], (editor.live.folder / "theirs.grice.yaml").read_text()) == ("theirs", text)


@pytest.mark.parametrize(
    "file",
    [
        "rooms.grice.yaml",
        "rooms.yaml",
        "../out.grice.yaml",
        "/tmp/out.grice.yaml",
        ".hidden/out.grice.yaml",
        "a::b.grice.yaml",
        ".grice.yaml",
        "a\\b.grice.yaml",
        "a\0b.grice.yaml",
        f"{'x' * 201}.grice.yaml",
        "build/x.grice.yaml",
        "packages/node_modules/x.grice.yaml",
        "environment/x.grice.yaml",
        "link/x.grice.yaml",
        "",
    ],
)
def test_a_name_that_no_new_file_can_have_is_refused(editor: Editor, tmp_path: Path, file: str) -> None:
    for folder in ("environment", "real"):
        (tmp_path / folder).mkdir()
    (tmp_path / "environment" / "pyvenv.cfg").touch()
    (tmp_path / "link").symlink_to("real")
    body = {"name": "x", "file": file, "testCases": [{"name": "a", "say": "a", "assertions": CHECK}]}
    told = editor.ask("POST", f"/projects/{editor.project}/test-suites", body, status=400)
    assert [one["field"] for one in told["details"]] == ["file"]
    assert editor.text == ROOMS
    assert [one.name for one in tmp_path.rglob("*.grice.yaml")] == ["rooms.grice.yaml"]


def test_a_file_without_a_case_is_refused(editor: Editor) -> None:
    body = {"name": "x", "file": "x.grice.yaml"}
    told = editor.ask("POST", f"/projects/{editor.project}/test-suites", body, status=400)
    assert told["details"][0]["field"] == "testCases"
    assert not (editor.live.folder / "x.grice.yaml").exists()


def test_a_text_with_a_byte_order_mark_leaves_one_in_the_file(editor: Editor, tmp_path: Path) -> None:
    file = tmp_path / "rooms.grice.yaml"
    file.write_text(f"\ufeff{ROOMS}", encoding="utf-8")
    body = {"text": f"\ufeff{ROOMS.replace('blue one', 'other')}"}
    told = editor.ask("POST", f"/test-suites/{editor.rooms}/import", body, "*")
    assert told["problems"] == []
    assert file.read_text(encoding="utf-8") == f"\ufeff{ROOMS.replace('blue one', 'other')}"
