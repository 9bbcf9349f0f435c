# ruff: noqa: E501 - tables, one case a line
"""`grice suite convert` and `grice schema suite` as their user sees them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
import yaml
from typer.testing import CliRunner, Result

from grice.cli.app import app

BEFORE = "# orders\n- id: a\n  say: Hi\n  expected_output: Hello.  # wörtlich\n"
AFTER = (
    "# orders\n- id: a\n  say: Hi\n  expect:\n    - matcher: toEqual\n      expected: Hello.  # wörtlich\n"
)
CHECKED = "- id: a\n  say: Hi\n  expect: [{matcher: toBeTruthy}]\n"
BESIDE = f"{CHECKED}  expected_output: old\n"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [*map(str, arguments)], env={"COLUMNS": "200", "TERM": "dumb"})


def convert(*arguments: object) -> Result:
    return run("suite", "convert", *arguments)


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A suite file in the current folder, by its relative path."""
    monkeypatch.chdir(tmp_path)
    Path("x.grice.yaml").write_text(BEFORE, "utf-8")
    return Path("x.grice.yaml")


def test_prints_the_new_suite_and_says_on_stderr_what_was_done(suite: Path) -> None:
    result = convert(suite)
    assert (result.exit_code, result.stdout) == (0, AFTER)
    assert result.stderr == "x.grice.yaml: 1 expected output converted\n"
    assert suite.read_text("utf-8") == BEFORE


def test_writes_another_file(suite: Path) -> None:
    result = convert(suite, "-o", "new/y.grice.yaml")
    assert (result.exit_code, result.stdout) == (0, "")
    assert Path("new/y.grice.yaml").read_text("utf-8") == AFTER
    assert suite.read_text("utf-8") == BEFORE


def test_changes_the_file_itself_and_a_second_time_not_at_all(suite: Path) -> None:
    result = convert(suite, "--write")
    assert (result.exit_code, result.stdout, suite.read_text("utf-8")) == (0, "", AFTER)
    changed = suite.stat().st_mtime_ns
    again = convert(suite, "--write")
    assert (again.exit_code, again.stderr) == (0, "x.grice.yaml: nothing to convert\n")
    assert suite.stat().st_mtime_ns == changed
    assert [path.name for path in Path().iterdir()] == ["x.grice.yaml"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (CHECKED, []),
        (BESIDE, ["x.grice.yaml:4:3: expected_output stays: it is not looked at beside 'expect'"]),
    ],
)
def test_without_anything_to_convert_the_suite_is_printed_as_it_is(
    suite: Path, text: str, said: list[str]
) -> None:
    suite.write_text(text)
    result = convert(suite)
    assert (result.exit_code, result.stdout) == (0, text)
    assert result.stderr.splitlines() == [*said, "x.grice.yaml: nothing to convert"]


def test_line_ends_and_a_missing_last_one_stay(suite: Path) -> None:
    suite.write_bytes(BEFORE.replace("\n", "\r\n").encode().removesuffix(b"\r\n"))
    result = convert(suite, "--write")
    assert result.exit_code == 0
    assert suite.read_bytes() == AFTER.replace("\n", "\r\n").encode().removesuffix(b"\r\n")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["x.grice.yaml", "-o", "y.grice.yaml", "--write"], "error: --output and --write exclude each other"),
        (["x.grice.yaml", "-o", "y.grice.json"], "error: y.grice.json: the syntax stays as it is: name a .yaml file"),
        (["x.grice.yaml", "-o", "x.grice.yaml"], "error: the suite cannot be written: x.grice.yaml is one of the files to read: it is not written over"),
        (["x.grice.yaml", "-o", "z.yaml"], "error: the suite cannot be written: z.yaml exists and is no result of Grice: it is not written over"),
        (["no.grice.yaml"], "no.grice.yaml: there is no such file (did you mean 'x.grice.yaml'?)"),
        (["z.yaml"], "z.yaml:1:1: missing field 'scenarios', expected a list\nz.yaml:1:1: unknown field 'a'"),
    ],
)  # fmt: skip
def test_wrong_usage_and_unusable_files_are_2(suite: Path, arguments: list[str], error: str) -> None:
    Path("z.yaml").write_text("a: 1\n")
    result = convert(*arguments)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"{error}\n")
    assert Path("z.yaml").read_text() == "a: 1\n"


def test_the_schema_is_printed_as_plain_json() -> None:
    printed = subprocess.run(
        [sys.executable, "-m", "grice", "schema", "suite"], capture_output=True, check=True
    )
    assert printed.stderr == b""
    schema = json.loads(printed.stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(yaml.safe_load(AFTER))
    assert not jsonschema.Draft202012Validator(schema).is_valid({})


@pytest.mark.parametrize("command", ["suite", "schema"])
def test_the_groups_list_their_commands(command: str) -> None:
    shown = run(command, "--help").stdout
    assert run(command).output == shown
    assert {"suite": "convert", "schema": "suite"}[command] in shown.split("Commands:")[1]
