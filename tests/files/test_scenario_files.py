"""Files of scenarios: every format, and everything that can be wrong with one."""

import json
import re
from pathlib import Path

import pytest

from grice.files.scenario_sets import ScenarioErrors, ScenarioSet, load_scenarios

RECORDS = [
    {"id": "munich", "name": "Munich", "goal": "Find a venue", "context": ["first time"], "guests": "20"},
    {"id": "berlin", "goal": "Find a venue", "verification": {"expected": {"services": ["wifi"]}}},
]
YAML = """\
- id: munich
  name: Munich
  goal: Find a venue
  context: [first time]
  guests: "20"
- id: berlin
  goal: Find a venue
  verification: {expected: {services: [wifi]}}
"""
CSV = """\
id,name,goal,context,guests,verification.expected.services
munich,Munich,Find a venue,"[""first time""]",20,
berlin,,Find a venue,,,"[""wifi""]"
"""


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, "utf-8", newline="")
    return path


def errors_of(folder: Path, name: str, text: str) -> list[str]:
    """What is said of a file, without its folder."""
    path = written(folder, name, text)
    with pytest.raises(ScenarioErrors) as caught:
        load_scenarios(path)
    return str(caught.value).replace(str(path), name).splitlines()


@pytest.mark.parametrize(
    ("name", "text", "lines"),
    [
        ("venues.json", json.dumps(RECORDS), [1, 1]),
        ("venues.JSON", json.dumps(RECORDS, indent=2), [2, 11]),
        ("venues.jsonl", "\n".join(map(json.dumps, RECORDS)), [1, 2]),
        ("venues.jsonl", "\ufeff" + "\r\n\r\n".join(map(json.dumps, RECORDS)) + "\r\n", [1, 3]),
        ("venues.yaml", YAML, [1, 6]),
        ("venues.yml", "\ufeff" + YAML, [1, 6]),
        ("venues.csv", CSV, [2, 3]),
        ("venues.CSV", "\ufeff" + CSV.replace("\n", "\r\n"), [2, 3]),
    ],
)
def test_every_format_gives_the_same_scenarios(
    tmp_path: Path, name: str, text: str, lines: list[int]
) -> None:
    venues = load_scenarios(written(tmp_path, name, text))
    assert venues.name == "venues"
    assert venues.file == str(tmp_path / name)
    assert [scenario.data for scenario in venues] == RECORDS
    assert [scenario.line for scenario in venues] == lines
    assert venues.keys == ("munich", "berlin")


def test_a_scenario_knows_its_place_and_its_set(tmp_path: Path) -> None:
    venues = load_scenarios(written(tmp_path, "venues.json", json.dumps(RECORDS)), name="all venues")
    berlin = venues["berlin"]
    assert (berlin.index, berlin.set_name, berlin.file) == (1, "all venues", venues.file)
    assert berlin.verification["expected"]["services"] == ["wifi"]


def test_a_relative_path_begins_at_the_folder_that_is_given(tmp_path: Path) -> None:
    written(tmp_path, "venues.json", json.dumps(RECORDS))
    assert load_scenarios("venues.json", folder=tmp_path).name == "venues"


def test_without_one_it_begins_at_the_file_that_asks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ScenarioErrors, match=re.escape(str(Path(__file__).with_name("nowhere.json")))):
        load_scenarios("nowhere.json")


def test_in_the_current_folder_a_file_is_called_by_its_relative_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, "venues.json", "[1]")
    with pytest.raises(ScenarioErrors) as caught:
        load_scenarios("venues.json", folder=tmp_path)
    assert str(caught.value) == "venues.json:1:2: [0]: expected an object, found the number 1"


WRONG = {
    "id": True,
    "name": " ",
    "goal": 3,
    "role": [],
    "personality": ["a", 1],
    "context": {},
    "rules": "be kind",
    "persona": 1.5,
    "verification": [],
    "max_turns": -1,
    "tags": "vip",
}
MESSAGES = [
    "id: expected a string or an integer, found true",
    "name: expected a text that is not blank, found ' '",
    "goal: expected a text that is not blank, found the number 3",
    "role: expected a string, found a list",
    "personality[1]: expected a string, found the number 1",
    "context: expected a string or a list, found an object",
    "rules: expected a list, found the string 'be kind'",
    "persona: expected a string or an object, found the number 1.5",
    "verification: expected an object, found a list",
    "max_turns: expected an integer from 0 to 1,000,000, found -1",
    "tags: expected a list, found the string 'vip'",
]


def test_every_wrong_field_of_a_json_file_is_told_at_its_value(tmp_path: Path) -> None:
    found = errors_of(tmp_path, "a.json", json.dumps([{"goal": "x"}, WRONG], indent=1))
    assert [re.sub(r"^\S+ \[1\]\.", "", line) for line in found] == MESSAGES
    assert found[0].startswith("a.json:6:9: [1].id:")
    assert found[4].startswith("a.json:12:4: [1].personality[1]:")


def test_every_wrong_field_of_a_line_is_told_at_its_value(tmp_path: Path) -> None:
    found = errors_of(tmp_path, "a.jsonl", '{"goal": "x"}\n' + json.dumps(WRONG))
    assert [line.split(": ", 1)[1] for line in found] == MESSAGES
    assert found[0].startswith("a.jsonl:2:8: id:")


def test_every_wrong_field_of_a_yaml_file_is_told_at_its_value(tmp_path: Path) -> None:
    assert errors_of(tmp_path, "a.yaml", "- goal: 3\n- id: x\n  tags: [a, 1]\n- just text\n") == [
        "a.yaml:1:9: [0].goal: expected a text that is not blank, found the number 3",
        "a.yaml:3:13: [1].tags[1]: expected a string, found the number 1",
        "a.yaml:4:3: [2]: expected an object, found the string 'just text'",
    ]


def test_every_wrong_cell_of_a_table_is_told_with_its_line(tmp_path: Path) -> None:
    text = 'id,tags,max_turns,data\na,vip,soon,"[1,]"\n\nb,"[""vip""]",7,\nc,"{""x"": 1}",1.5,\n'
    assert errors_of(tmp_path, "a.csv", text) == [
        "a.csv:2:1: data: begins with [ as JSON does: not valid JSON: a comma stands before ]: leave it out",
        "a.csv:5:1: tags: expected a list, found an object",
        "a.csv:5:1: max_turns: expected an integer from 0 to 1,000,000, found the string '1.5'",
    ]


@pytest.mark.parametrize("field", [*WRONG])
def test_null_is_as_good_as_no_field(tmp_path: Path, field: str) -> None:
    one = load_scenarios(written(tmp_path, "a.json", json.dumps([{field: None, "x": 1}]))).scenarios[0]
    assert one.key.startswith("scenario_")
    assert (one.goal, one.verification) == ("", {})


@pytest.mark.parametrize("max_turns", [0, 1])
def test_no_turn_and_one_turn_are_limits(tmp_path: Path, max_turns: int) -> None:
    one = load_scenarios(written(tmp_path, "a.json", json.dumps([{"max_turns": max_turns}])))
    assert one.scenarios[0]["max_turns"] == max_turns


def test_a_cell_is_text_unless_it_is_json_and_the_field_takes_it(tmp_path: Path) -> None:
    text = (
        "id,goal,max_turns,guests,photo,context,verification.guests,verification.open\n"
        '007,[urgent],4,20,"[attached] look","one, two",12,"{""from"": 9}"\n'
    )
    one = load_scenarios(written(tmp_path, "a.csv", text)).scenarios[0]
    assert one.data == {
        "id": "007",
        "goal": "[urgent]",
        "max_turns": 4,
        "guests": "20",
        "photo": "[attached] look",
        "context": "one, two",
        "verification": {"guests": "12", "open": {"from": 9}},
    }


def test_a_cell_may_go_over_lines(tmp_path: Path) -> None:
    table = load_scenarios(written(tmp_path, "a.csv", 'id,opening\na,"Hi,\nthere"\nb,Hello\n'))
    assert table["a"]["opening"] == "Hi,\nthere"
    assert table["b"].line == 4


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id,goal\na\n", "a.csv:2:1: a row of 1 cells, expected 2 as in the header"),
        (
            "id,goal\na,b,c\n",
            (
                "a.csv:2:1: a row of 3 cells, expected 2 as in the header; "
                "a cell with a comma in it needs double quotes"
            ),
        ),
        ("id,,x\na,b,c\n", "a.csv:1:1: column 2 has no name: the first row names the columns"),
        ("id,id\na,b\n", "a.csv:1:1: column 2: the column 'id' is there twice"),
        ("id,a..b\na,b\n", "a.csv:1:1: column 2: expected names with a dot between them, found 'a..b'"),
        ("a.b,a\n1,2\n", "a.csv:1:1: the columns 'a' and 'a.b' are one field twice"),
        (
            "id;goal\na;b\n",
            "a.csv:1:1: the header is one column 'id;goal': expected commas between the columns",
        ),
        ("id,goal\ra,b\r", "a.csv:1:1: its lines end with a carriage return alone: save it with line feeds"),
        ("id,goal\n", "a.csv: there are no scenarios: a test over them would test nothing"),
        ("", "a.csv: there are no scenarios: a test over them would test nothing"),
    ],
)
def test_a_table_that_is_none_is_refused(tmp_path: Path, text: str, message: str) -> None:
    assert errors_of(tmp_path, "a.csv", text) == [message]


def test_a_quote_that_is_never_closed_is_told_where_it_begins(tmp_path: Path) -> None:
    found = errors_of(tmp_path, "a.csv", 'id,goal\na,x\nb,"never ends\nc,y\n')
    assert found[0].startswith("a.csv:3:1: not valid CSV:")
    assert found[0].endswith('a quote that opens in this row is not closed: end the cell with "')


def test_a_cell_without_end_is_refused(tmp_path: Path) -> None:
    found = errors_of(tmp_path, "a.csv", 'id,goal\nb,"' + "x\n" * 70_000)
    assert found == [
        "a.csv:2:1: a cell is longer than 131,072 characters; is a quote open that begins in this row?"
    ]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.json", "[]", "a.json: there are no scenarios: a test over them would test nothing"),
        ("a.yaml", "[]", "a.yaml: there are no scenarios: a test over them would test nothing"),
        ("a.jsonl", "\n\n", "a.jsonl: there are no scenarios: a test over them would test nothing"),
        ("a.json", "", "a.json:1:1: the file is empty"),
        ("a.json", '{"id": "a"}', "a.json:1:1: expected a list of scenarios, found {'id': 'a'}"),
        ("a.yaml", "id: a", "a.yaml:1:1: expected a list of scenarios, found {'id': 'a'}"),
        (
            "a.json",
            '[{"a": 1, "a": 2}]',
            "a.json:1:11: the field 'a' is there twice in one object, first on line 1",
        ),
        ("a.jsonl", '{}\n{"a": 1, "a": 2}', "a.jsonl:2:10: the field 'a' is there twice in one object"),
        ("a.json", '[\n {"a": NaN}]', "a.json:2:8: NaN is no JSON number: write null, or a text in quotes"),
        ("a.jsonl", '{"x": 1}\n[1]', "a.jsonl:2:1: expected an object, found a list"),
        (
            "a.jsonl",
            "[",
            "a.jsonl:1:1: JSON Lines have one object a line; name the file .json if it is one document",
        ),
        (
            "a.yaml",
            "- {a: 1\n",
            "a.yaml:1:3: not valid YAML: the { that opens here is not closed: } is missing",
        ),
        ("a.yaml", "- a: !!set {}\n", "a.yaml:1:6: the tag tag:yaml.org,2002:set is not taken"),
    ],
)
def test_a_file_that_holds_no_list_of_scenarios_is_refused(
    tmp_path: Path, name: str, text: str, message: str
) -> None:
    (found,) = errors_of(tmp_path, name, text)
    assert found.startswith(message)


def test_bad_json_is_told_with_its_place(tmp_path: Path) -> None:
    (found,) = errors_of(tmp_path, "a.json", '[\n {"id": "a"}\n {"id": "b"}\n]')
    assert found == "a.json:2:13: not valid JSON: a comma is missing here, between two values"


def test_every_bad_line_is_told(tmp_path: Path) -> None:
    found = errors_of(tmp_path, "a.jsonl", '{"id": "a"}\n{"id": }\n{"goal": 1}\n{"id"\n')
    assert [line.split(": ")[0] for line in found] == ["a.jsonl:2:8", "a.jsonl:3:10", "a.jsonl:4:1"]


def test_lines_of_json_in_a_json_file_are_told_how_they_are_called(tmp_path: Path) -> None:
    (found,) = errors_of(tmp_path, "a.json", '{"id": "a"}\n{"id": "b"}\n')
    assert found.endswith("; when every line is a record of its own, name the file .jsonl")


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "a.json"])
def test_a_file_in_another_encoding_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b'[{"id": "caf\xe9"}]' if name == "a.json" else b'id\n"caf\xe9"\n')
    with pytest.raises(ScenarioErrors, match="not UTF-8: byte 0xe9"):
        load_scenarios(path)
    path.write_bytes("id\nä".encode("utf-16"))
    with pytest.raises(ScenarioErrors, match="it looks like UTF-16"):
        load_scenarios(path)


def test_very_many_errors_are_cut(tmp_path: Path) -> None:
    found = errors_of(tmp_path, "a.jsonl", "1\n" * 100_000)
    assert len(found) == 201
    assert "a.jsonl: these are 200 errors; there may be more" in found


def test_a_file_that_is_not_there_is_told_in_full_with_the_nearest_name(tmp_path: Path) -> None:
    written(tmp_path, "venues.json", "[]")
    with pytest.raises(ScenarioErrors) as caught:
        load_scenarios("sub/../venue.json", folder=tmp_path)
    missing = tmp_path / "venue.json"
    assert str(caught.value) == f"{missing}: there is no such file (did you mean 'venues.json'?)"
    with pytest.raises(ScenarioErrors, match=r"there is no folder .*nowhere either"):
        load_scenarios("nowhere/venues.json", folder=tmp_path)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("venues.txt", "expected a file of scenarios: .json, .jsonl, .yaml, .yml, .csv"),
        ("venues.jsnl", "(did you mean '.jsonl'?)"),
        ("venues", "expected a file of scenarios"),
        ("a.grice.yaml", "is a file of a suite with checks of its own"),
        ("a.golden.json", "is a file of goldens with checks of its own"),
    ],
)
def test_another_kind_of_file_is_refused(tmp_path: Path, name: str, message: str) -> None:
    with pytest.raises(ScenarioErrors, match=re.escape(message)):
        load_scenarios(name, folder=tmp_path)


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ScenarioErrors, match="is a folder, expected a file"):
        load_scenarios(tmp_path)


def test_a_json_file_that_is_too_large_is_told_what_may_be_larger(tmp_path: Path) -> None:
    found = errors_of(tmp_path, "a.json", "[" + " " * 10_000_000 + "]")
    assert found == ["a.json: larger than 10 MB: JSON Lines (.jsonl) and CSV may have any size"]


def test_a_line_that_is_too_long_is_an_error_and_the_next_is_read(tmp_path: Path) -> None:
    text = '{"x": "' + "y" * 10_000_000 + '"}\n{"goal": 1}\n'
    assert errors_of(tmp_path, "a.jsonl", text) == [
        "a.jsonl:1:1: a line longer than 10 MB",
        "a.jsonl:2:10: goal: expected a text that is not blank, found the number 1",
    ]


def test_deep_nesting_is_refused(tmp_path: Path) -> None:
    deep = '{"x": ' + "[" * 300 + "]" * 300 + "}"
    for name, text in (("a.json", f"[{deep}]"), ("a.jsonl", deep)):
        (found,) = errors_of(tmp_path, name, text)
        assert "nested deeper than 200 levels" in found


def test_text_in_any_script_stays_as_it_is(tmp_path: Path) -> None:
    record = {"id": "münchen-会議", "goal": "会議室を探す 🎉", "nested": [{"ключ": [None, 1.5, True]}]}
    line = json.dumps(record, ensure_ascii=False)
    for name, text in (("a.json", f"[{line}]"), ("a.jsonl", line), ("a.yaml", f"- {line}")):
        found: ScenarioSet = load_scenarios(written(tmp_path, name, text))
        assert found["münchen-会議"].data == record


@pytest.mark.slow
def test_a_hundred_thousand_rows_are_read(tmp_path: Path) -> None:
    table = load_scenarios(written(tmp_path, "a.csv", "id\n" + "\n".join(map(str, range(100_000)))))
    assert len(table) == 100_000
    assert table["99999"].line == 100_001
