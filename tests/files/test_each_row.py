# ruff: noqa: E501 - a table, one case a line
"""Scenarios that are made of the rows of a file of data."""

from __future__ import annotations

from pathlib import Path

import pytest

from grice.files.each_row import unused_columns
from grice.files.suite_files import SuiteErrors, load_suite, read_suite
from grice.files.suite_records import SuiteScenario
from grice.identity import fingerprint

CSV = "id,name,age\nada,Ada,36\nbob,Bob,17\n"
SUITE = """
scenarios:
  - id: age
    each: data.csv
    say: I am {{name}}, {{ age }}
    expect:
      - {matcher: toContain, expected: 'Hello {{name}}'}
      - {on: reply.data, path: $.age, matcher: toEqual, expected: '{{age}}'}
"""


def loaded(folder: Path, suite: str = SUITE, data: str = CSV, name: str = "data.csv") -> list[SuiteScenario]:
    (folder / name).write_text(data)
    (folder / "a.grice.yaml").write_text(suite)
    return load_suite(folder / "a.grice.yaml")


def errors_of(folder: Path, suite: str = SUITE, data: str = CSV, name: str = "data.csv") -> list[str]:
    with pytest.raises(SuiteErrors) as caught:
        loaded(folder, suite, data, name)
    return [str(one).removeprefix(f"{folder}/a.grice.yaml:") for one in caught.value.errors]


def test_one_scenario_a_row(tmp_path: Path) -> None:
    ada, bob = loaded(tmp_path)
    assert (ada.id, bob.id) == ("age-ada", "age-bob")
    assert [one.say for one in ada.turns] == ["I am Ada, 36"]
    assert [one["expected"] for one in bob.content["expect"]] == ["Hello Bob", 17]
    assert "each" not in ada.content


def test_a_column_that_no_text_uses_is_a_note(tmp_path: Path) -> None:
    assert len(loaded(tmp_path, data="id,name,age,note,x\nada,Ada,36,,\n")) == 1
    raw = [{"each": "data.csv", "say": "{{name}}"}, {"each": "data.csv", "say": "{{ age }}"}]
    suite = str(tmp_path / "a.grice.yaml")
    assert unused_columns(raw, suite) == ["data.csv has 'note', 'x', which no text uses"]


def test_typed_cells(tmp_path: Path) -> None:
    data = 'id,name,age\na,true,1.50\nb," x ","[1, 2]"\nc,007,\n'
    suite = SUITE.replace("'Hello {{name}}'", "'{{name}}'")
    found = loaded(tmp_path, suite.replace("toContain", "toEqual"), data)
    assert [[check["expected"] for check in one.content["expect"]] for one in found] == [
        [True, 1.5],
        ["x", [1, 2]],
        ["007", None],
    ]
    assert [one.turns[0].say for one in found] == ["I am true, 1.50", "I am x, [1, 2]", "I am 007, "]


def test_json_lines_keep_their_types(tmp_path: Path) -> None:
    data = '{"name": "Ada", "age": "36"}\n\n{"name": "Bob", "age": 17}\n'
    found = loaded(tmp_path, SUITE.replace(".csv", ".jsonl"), data, "data.jsonl")
    assert [one.content["expect"][1]["expected"] for one in found] == ["36", 17]


def test_ids_and_fingerprints_follow_the_rows(tmp_path: Path) -> None:
    data = "name,age\nAda,36\nBob,17\n"
    before = {one.id: fingerprint(one.content) for one in loaded(tmp_path, data=data)}
    moved = {one.id: fingerprint(one.content) for one in loaded(tmp_path, data="name,age\nBob,17\nAda,36\n")}
    edited = {one.id: fingerprint(one.content) for one in loaded(tmp_path, data=CSV.replace("36", "37"))}
    assert moved == before
    assert len(before) == 2
    assert edited["age-ada"] != fingerprint(loaded(tmp_path)[0].content)


def test_an_id_of_the_template(tmp_path: Path) -> None:
    found = loaded(tmp_path, SUITE.replace("id: age", "id: '{{name}} of {{age}}'"))
    assert [one.id for one in found] == ["Ada of 36", "Bob of 17"]


@pytest.mark.parametrize(
    ("suite", "data", "errors"),
    [
        (SUITE.replace("{{name}}", "{{nmae}}", 1), CSV, ["5:10: scenarios[0].say: data.csv has no 'nmae' (did you mean 'name'?)"]),
        (SUITE.replace("{{ age }}", ""), CSV.replace("age", "old"), ["8:67: scenarios[0].expect[1].expected: data.csv has no 'age'; it has id, name, old"]),
        (SUITE.replace("data.csv", "dat.csv"), CSV, ["4:11: scenarios[0].each: dat.csv: there is no such file (did you mean 'data.csv'?)"]),
        (SUITE.replace("data.csv", "data.txt"), CSV, ["4:11: scenarios[0].each: expected a file of .csv or .jsonl, found 'data.txt'"]),
        (SUITE.replace("data.csv", "/etc/data.csv"), CSV, ["4:11: scenarios[0].each: /etc/data.csv: a suite reads no file outside of its project"]),
        (SUITE.replace("data.csv", "5"), CSV, ["4:11: scenarios[0].each: expected a text that is not empty, found the number 5"]),
        (SUITE, "id,name,age\n", ["4:11: scenarios[0].each: data.csv: it has no rows"]),
        (SUITE, CSV + "x,Cy\n", ["4:11: scenarios[0].each: data.csv:4:1: a row of 2 cells, expected 3 as in the header"]),
        (SUITE, CSV.replace("bob", "ada"), ["3:9: scenarios[0].id: data.csv:3: the id 'age-ada' is used already, at data.csv:2"]),
        (SUITE, "name,age\nAda,36\nAda,36\nAda,36\n", ["4:11: scenarios[0].each: data.csv:3: the row makes the same scenario as data.csv:2: a column 'id' names each row"]),
        (SUITE.replace("'Hello {{name}}'", "'{{age}}'"), CSV, ['7:40: scenarios[0].expect[0].expected: a text contains texts only, found a number or truth value: put it in quotes, such as "8"; a cell of data is text where text stands beside it, such as "{{price}} EUR"']),
        (SUITE.replace("toContain", "toContian"), CSV, ["7:19: scenarios[0].expect[0].matcher: unknown matcher 'toContian' (did you mean 'toContain'?)"]),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_once_with_its_place(
    tmp_path: Path, suite: str, data: str, errors: list[str]
) -> None:
    found = [one.replace(f"{tmp_path}/", "") for one in errors_of(tmp_path, suite, data)]
    assert found == errors


def test_a_suite_in_no_file_has_no_data() -> None:
    raw = {
        "id": "a",
        "each": "data.csv",
        "say": "{{x}}",
        "expect": [{"matcher": "toContain", "expected": "x"}],
    }
    problems = read_suite({"scenarios": [raw]}, "s")[1]
    assert [str(one) for one in problems] == [
        "scenarios[0].each: the suite stands in no file, so no file of data is beside it"
    ]


@pytest.mark.parametrize(
    "written", ["say: {{name}}", "expect: [{matcher: toContain, expected: Hi {{name}}}]"]
)
def test_placeholders_without_quotes(tmp_path: Path, written: str) -> None:
    errors = errors_of(tmp_path, f"scenarios:\n  - each: data.csv\n    {written}\n")
    assert [one.endswith("put a text with {{ }} into quotes") for one in errors] == [True]
