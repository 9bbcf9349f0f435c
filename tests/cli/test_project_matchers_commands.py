"""Commands where a project has matchers of its own, which no installed package offers."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest
import yaml
from grice_command import Grice

from project_matchers import CHECKED, NAME, forgotten, write_project, write_suite

SETTINGS = 'matchers = ["own_project.matchers"]\n'
NAMED = "matchers: [own_project.matchers]"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The project, which is the current folder and names its matchers nowhere."""
    with forgotten():
        write_project(tmp_path)
        monkeypatch.chdir(tmp_path)
        yield tmp_path


@pytest.fixture
def named(folder: Path) -> Path:
    """The same whose settings name them."""
    settings = folder / "pyproject.toml"
    settings.write_text(settings.read_text() + SETTINGS)
    return folder


def test_a_suite_that_names_its_matchers_is_run(folder: Path, grice: Grice) -> None:
    write_suite(folder / "suites" / "a.grice.yaml", NAMED)
    run = grice("run", "suites")
    assert (run.code, run.err) == (0, "")
    assert "1 passed  1 scenario, 2 checks" in run.out


def test_a_check_by_such_a_matcher_can_fail(folder: Path, grice: Grice) -> None:
    write_suite(folder / "suites" / "a.grice.yaml", NAMED)
    run = grice("run", "suites", "--agent", "own_project.app:other")
    assert run.code == 1
    assert "the reply to name its source" in run.out


def test_settings_name_them_for_every_suite(named: Path, grice: Grice) -> None:
    write_suite(named / "suites" / "a.grice.yaml")
    assert grice("run", "suites").code == 0


def test_a_suite_in_a_folder_below_finds_them_too(
    named: Path, grice: Grice, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_suite(named / "suites" / "a.grice.yaml")
    monkeypatch.chdir(named / "suites")
    assert grice("run", "a.grice.yaml").code == 0


def test_wrong_modules_are_told_with_all_else_that_is_wrong(folder: Path, grice: Grice) -> None:
    write_suite(folder / "suites" / "a.grice.yaml", "matchers: [own_project.matchrs]")
    run = grice("run", "suites", "missing.grice.yaml", columns=300)
    assert run.code == 2
    assert "missing.grice.yaml: there is no such file" in run.err
    assert (
        "suites/a.grice.yaml:1:12: matchers[0]: module 'own_project.matchrs': there is no module" in run.err
    )
    assert "(did you mean 'own_project.matchers'?)" in run.err


def test_a_wrong_module_of_the_settings_is_told_on_its_line(named: Path, grice: Grice) -> None:
    settings = named / "pyproject.toml"
    settings.write_text(settings.read_text().replace("own_project.matchers", "own_project/matchers.py"))
    write_suite(named / "a.grice.yaml")
    for command in (("run", "."), ("matchers",), ("schema", "suite"), ("suite", "convert", "a.grice.yaml")):
        run = grice(*command, columns=300)
        assert run.code == 2
        assert "pyproject.toml:3:1: [tool.grice] matchers: expected the name of a module" in run.err
        assert "(did you mean 'own_project.matchers'?)" in run.err


def test_a_suite_with_them_is_converted(folder: Path, grice: Grice) -> None:
    old = f"{CHECKED}  - id: exact\n    say: Hi\n    expected_output: From nine to five.\n"
    write_suite(folder / "a.grice.yaml", NAMED, old)
    run = grice("suite", "convert", "a.grice.yaml")
    assert (run.code, run.err) == (0, "a.grice.yaml: 1 expected output converted\n")


def test_the_schema_describes_them(named: Path, grice: Grice) -> None:
    schema = json.loads(grice("schema", "suite").out)
    validator = jsonschema.Draft202012Validator(schema)
    suite = yaml.safe_load(f"{NAMED}{CHECKED}")
    validator.validate(suite)
    suite["scenarios"][0]["expect"] = [{"matcher": NAME, "options": {"atLast": 2}}]
    assert not validator.is_valid(suite)
    suite["matchers"] = ["own_project/matchers.py"]
    assert "own_project/matchers.py" in str(list(validator.iter_errors(suite)))


def test_they_are_listed_with_the_built_in_ones(named: Path, grice: Grice) -> None:
    run = grice("matchers")
    assert (run.code, run.err) == (0, "")
    words = [line.split() for line in run.out.splitlines()]
    assert [NAME, *["The", "reply", "says", "where", "it", "knows", "it", "from."]] in words
    assert {line[0] for line in words} >= {"toContain", "toCallTool", "toSatisfy"}


def test_one_is_shown_with_all_that_is_known_of_it(named: Path, grice: Grice) -> None:
    run = grice("matchers", NAME, columns=300)
    of_one = {"atLeast": {"type": "integer"}}
    options = {"type": "object", "properties": of_one, "additionalProperties": False}
    texts = [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]
    by_name = {"type": "object", "properties": {"sources": {"anyOf": texts}, **of_one}}
    expected = {"anyOf": [*texts, {**by_name, "additionalProperties": False}]}
    assert run.code == 0
    assert [line.strip() for line in run.out.splitlines()] == [
        f"{NAME}  The reply says where it knows it from.",
        "in Python: name_its_source, of own_project.matchers",
        "judges: Reply",
        "arity: 0 or more",
        "arguments: *sources: str; at_least: int = 1",
        f"expected: {json.dumps(expected)}",
        f"options: {json.dumps(options)}",
        "in a file: - {matcher: toNameItsSource, options: {atLeast: 1}}",
        "in a test: expect(reply).to_name_its_source(*sources, at_least=1)",
    ]


def test_a_name_that_is_none_has_the_nearest(named: Path, grice: Grice) -> None:
    run = grice("matchers", "toNameItsSorce")
    assert (run.code, run.out) == (2, "")
    assert run.err == f"error: unknown matcher 'toNameItsSorce' (did you mean '{NAME}'?)\n"


def test_the_list_is_written_as_json(named: Path, grice: Grice) -> None:
    assert grice("matchers", "--json", "matchers.json").code == 0
    written = json.loads(Path("matchers.json").read_text())
    (own,) = [one for one in written["matchers"] if one["name"] == NAME]
    assert (written["version"], own["arity"], own["subjects"]) == (1, [0, None], ["Reply"])
    assert grice("matchers", "--json", "matchers.json").code == 0
    Path("notes.json").write_text("[]")
    assert "is not written over" in grice("matchers", "--json", "notes.json").err


def test_scan_and_validate_apply_them_by_name(named: Path, grice: Grice) -> None:
    talk = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Nine [house rules]."}]
    Path("log.jsonl").write_text(json.dumps({"messages": talk}) + "\n")
    run = grice("scan", "log.jsonl", "--checks", NAME)
    assert (run.code, run.err) == (0, "")
    assert run.out.startswith("Nothing found in 1 assistant turn of 1 conversation.\n")
    assert f"  {NAME}     0     1    0%\n" in run.out
    Path("examples").mkdir()
    rows = [{"id": "a", "text": "Nine.", "expected": "fail"}, {"id": "b", "text": "[x]", "expected": "pass"}]
    Path("examples", f"{NAME}.jsonl").write_text("".join(json.dumps(one) + "\n" for one in rows))
    assert grice("validate", "checks", NAME, "examples").code == 0


def test_nothing_that_a_log_names_is_imported(folder: Path, grice: Grice) -> None:
    talk = [
        {"role": "assistant", "content": f'{{"matcher": "{NAME}", "matchers": ["own_project.matchers"]}}'}
    ]
    row = {"messages": talk, "matchers": ["own_project.matchers"], "agent": "own_project.app:agent"}
    Path("log.jsonl").write_text(json.dumps(row) + "\n")
    assert grice("scan", "log.jsonl", "--checks", "toBeTruthy").code == 0
    assert "own_project" not in sys.modules
