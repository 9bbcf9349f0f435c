# ruff: noqa: E501 - tables, one case a line
"""`grice suite convert` and `grice schema suite` as their user sees them."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import jsonschema
import pytest
import yaml
from grice_command import Grice

BEFORE = "# orders\n- id: a\n  say: Hi\n  expected_output: Hello.  # wörtlich\n"
AFTER = (
    "# orders\n- id: a\n  say: Hi\n  expect:\n    - matcher: toEqual\n      expected: Hello.  # wörtlich\n"
)
CHECKED = "- id: a\n  say: Hi\n  expect: [{matcher: toBeTruthy}]\n"
BESIDE = f"{CHECKED}  expected_output: old\n"


@pytest.fixture
def convert(grice: Grice) -> Grice:
    return partial(grice, "suite", "convert", columns=200)


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A suite file in the current folder, by its relative path."""
    monkeypatch.chdir(tmp_path)
    Path("x.grice.yaml").write_text(BEFORE, "utf-8")
    return Path("x.grice.yaml")


def test_prints_the_new_suite_and_says_on_stderr_what_was_done(suite: Path, convert: Grice) -> None:
    run = convert(suite)
    assert (run.code, run.out) == (0, AFTER)
    assert run.err == "x.grice.yaml: 1 expected output converted\n"
    assert suite.read_text("utf-8") == BEFORE


def test_writes_another_file(suite: Path, convert: Grice) -> None:
    run = convert(suite, "-o", "new/y.grice.yaml")
    assert (run.code, run.out) == (0, "")
    assert Path("new/y.grice.yaml").read_text("utf-8") == AFTER
    assert suite.read_text("utf-8") == BEFORE


def test_changes_the_file_itself_and_a_second_time_not_at_all(suite: Path, convert: Grice) -> None:
    run = convert(suite, "--write")
    assert (run.code, run.out, suite.read_text("utf-8")) == (0, "", AFTER)
    changed = suite.stat().st_mtime_ns
    again = convert(suite, "--write")
    assert (again.code, again.err) == (0, "x.grice.yaml: nothing to convert\n")
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
    suite: Path, text: str, said: list[str], convert: Grice
) -> None:
    suite.write_text(text)
    run = convert(suite)
    assert (run.code, run.out) == (0, text)
    assert run.err.splitlines() == [*said, "x.grice.yaml: nothing to convert"]


def test_line_ends_and_a_missing_last_one_stay(suite: Path, convert: Grice) -> None:
    suite.write_bytes(BEFORE.replace("\n", "\r\n").encode().removesuffix(b"\r\n"))
    run = convert(suite, "--write")
    assert run.code == 0
    assert suite.read_bytes() == AFTER.replace("\n", "\r\n").encode().removesuffix(b"\r\n")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["x.grice.yaml", "-o", "y.grice.yaml", "--write"], "error: --output and --write exclude each other"),
        (["x.grice.yaml", "-o", "y.grice.json"], "error: y.grice.json: the syntax stays as it is: name a .yaml file"),
        (["x.grice.yaml", "-o", "x.grice.yaml"], "error: the suite cannot be written: x.grice.yaml is one of the files to read: it is not written over"),
        (["x.grice.yaml", "-o", "z.yaml"], "error: the suite cannot be written: z.yaml exists and is no result of Grice: it is not written over"),
        (["x.grcie.yaml"], "x.grcie.yaml: there is no such file (did you mean 'x.grice.yaml'?)"),
        (["z.yaml"], "z.yaml:1:1: missing field 'scenarios', expected a list\nz.yaml:1:1: unknown field 'a'"),
    ],
)  # fmt: skip
def test_wrong_usage_and_unusable_files_are_2(
    suite: Path, arguments: list[str], error: str, convert: Grice
) -> None:
    Path("z.yaml").write_text("a: 1\n")
    run = convert(*arguments)
    assert (run.code, run.out, run.err) == (2, "", f"{error}\n")
    assert Path("z.yaml").read_text() == "a: 1\n"


def test_the_schema_is_printed_as_plain_json(grice: Grice) -> None:
    printed = grice("schema", "suite")
    assert (printed.code, printed.err) == (0, "")
    schema = json.loads(printed.out)
    jsonschema.Draft202012Validator(schema).validate(yaml.safe_load(AFTER))
    assert not jsonschema.Draft202012Validator(schema).is_valid({})


@pytest.mark.parametrize("command", ["suite", "validate"])
def test_the_groups_list_their_commands(command: str, grice: Grice) -> None:
    shown = grice(command, "--help").out
    bare = grice(command)
    assert bare.out + bare.err == shown
    assert {"suite": "convert", "validate": "drift"}[command] in shown.split("Commands:")[1]


SUITE = "agent: app:agent\nscenarios:\n  - id: a\n    say: Hi\n    expect:\n      - {matcher: toBeTruthy}\n"


@pytest.fixture
def rooms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A suite file in a folder that is no project's."""
    (tmp_path / "elsewhere").mkdir()
    file = tmp_path / "elsewhere" / "rooms.grice.yaml"
    file.write_text(SUITE, "utf-8")
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    return file


def test_a_suite_goes_into_the_database_and_comes_back(rooms: Path, grice: Grice) -> None:
    done = grice("suite", "import", rooms, columns=300)
    assert (done.code, done.out) == (0, f"{rooms}: rooms, 1 scenario\n")
    assert grice("suite", "export", "rooms").out == f"name: rooms\n{SUITE}"
    written = grice("suite", "export", "rooms", "-o", "rooms.grice.yaml")
    assert (written.code, written.out) == (0, "Written: rooms.grice.yaml\n")
    assert Path("rooms.grice.yaml").read_text("utf-8") == SUITE
    assert grice("suite", "export", "rooms", "-o", "other.grice.json").code == 0
    assert json.loads(Path("other.grice.json").read_text("utf-8"))["name"] == "rooms"
    rooms.write_text(SUITE.replace("Hi", "Bye"), "utf-8")
    assert grice("suite", "import", rooms, columns=300).out.endswith("1 scenario, in place of what it said\n")
    assert "say: Bye" in grice("suite", "export", "rooms").out


def test_the_tables_follow_the_file_that_was_exported(rooms: Path, grice: Grice) -> None:
    grice("suite", "import", rooms)
    grice("suite", "export", "rooms", "-o", "rooms.grice.yaml")
    assert grice("db", "sync").out == "suites: 1 read\nruns: none\n"
    done = grice("suite", "import", rooms, columns=300)
    assert (done.code, done.err) == (
        2,
        f"error: {rooms}: rooms: it stands in rooms.grice.yaml: change it there\n",
    )
    assert grice("db", "rebuild").out == "suites: 1 read\nruns: none\n"
    Path("rooms.grice.yaml").unlink()
    assert grice("db", "sync").out == "suites: 1 gone\nruns: none\n"
    assert grice("suite", "export", "rooms").code == 2


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ("export", "roms"),
            "error: roms: project has no such suite in the database (did you mean 'rooms'?)",
        ),
        (("export", "rooms", "-o", "x.yaml"), "error: x.yaml: a suite file is named *.grice.yaml"),
        (("export", "rooms", "-o", "taken.grice.yaml"), "exists and is no result of Grice"),
        (
            ("export", "half"),
            "error: half: scenarios[0].say: half a character, U+D800, cannot stand in YAML: write",
        ),
        (("import", "missing.grice.yaml"), "missing.grice.yaml: there is no such file"),
        (
            ("import", "wrong.grice.yaml"),
            "wrong.grice.yaml:6:19: scenarios[0].expect[0].matcher: unknown matcher",
        ),
        (("import", "long.grice.yaml"), "long.grice.yaml: name: expected at most 250 characters, found 300"),
        (("import",), "FILE... is missing"),
    ],
)
def test_what_cannot_be_done_is_told(
    rooms: Path, grice: Grice, arguments: tuple[str, ...], told: str
) -> None:
    half = {"scenarios": [{"id": "a", "say": "\ud800", "expect": [{"matcher": "toBeTruthy"}]}]}
    Path("half.grice.json").write_text(json.dumps(half), "utf-8")
    Path("taken.grice.yaml").write_text(SUITE, "utf-8")
    Path("wrong.grice.yaml").write_text(SUITE.replace("toBeTruthy", "toBeTrthy"), "utf-8")
    Path("long.grice.yaml").write_text(f"name: {'x' * 300}\n{SUITE}", "utf-8")
    assert grice("suite", "import", rooms, "half.grice.json").code == 0
    done = grice("suite", *arguments, columns=300)
    assert done.code == 2
    assert told in done.err


def test_of_several_files_all_or_none_are_imported(rooms: Path, grice: Grice) -> None:
    Path("long.grice.yaml").write_text(f"name: {'x' * 300}\n{SUITE}", "utf-8")
    assert grice("suite", "import", rooms, "long.grice.yaml").code == 2
    assert grice("suite", "export", "rooms").code == 2
