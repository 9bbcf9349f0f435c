"""Scenario sets: keys, fingerprints, sets written in Python, notes."""

import gc
import hashlib
import json
import pickle
from collections.abc import Iterator
from datetime import date
from enum import Enum
from pathlib import Path

import pytest

from grice.files.scenario_sets import (
    ScenarioErrors,
    ScenarioSet,
    load_scenarios,
    scenario_fingerprint,
)
from grice.identity import fingerprint


def problems(source: object, **options: str) -> list[str]:
    with pytest.raises(ScenarioErrors) as caught:
        load_scenarios(source, **options)  # type: ignore[arg-type]
    return str(caught.value).splitlines()


# --- keys and fingerprints


def test_an_id_is_the_key_and_survives_what_changes_in_the_data() -> None:
    before, after = (load_scenarios([{"id": 7, "goal": goal}]).scenarios[0] for goal in ("buy", "bye"))
    assert before.key == after.key == "7"
    assert scenario_fingerprint(before) == fingerprint({"id": 7, "goal": "buy"})
    assert scenario_fingerprint(before) != scenario_fingerprint(after)


def test_without_an_id_the_content_is_the_key_whatever_the_order_of_its_fields() -> None:
    record = {"goal": "Réserver", "context": ["a", "b"]}
    one = load_scenarios([record]).scenarios[0]
    other = load_scenarios([dict(reversed(record.items()))]).scenarios[0]
    assert one.key == other.key == key_by_definition(record)
    assert scenario_fingerprint(one) == scenario_fingerprint(other)
    assert load_scenarios([{**record, "context": ["b", "a"]}]).keys != (one.key,)


def key_by_definition(record: dict[str, object]) -> str:
    """As rspec-agents makes it of data without fractions."""
    compact = json.dumps(record, separators=(",", ":"), ensure_ascii=False, sort_keys=True)
    return f"scenario_{hashlib.sha256(compact.encode()).hexdigest()[:8]}"


@pytest.mark.parametrize(("count", "digits"), [(1_000, 8), (1_001, 16)])
def test_keys_of_content_are_longer_in_large_sets(count: int, digits: int) -> None:
    found = load_scenarios({"n": n} for n in range(count))
    assert {len(key) for key in found.keys} == {len("scenario_") + digits}
    assert len(set(found.keys)) == count


def test_keys_are_composed_characters() -> None:
    assert load_scenarios([{"id": "cafe\u0301"}]).keys == ("caf\u00e9",)


@pytest.mark.parametrize("records", [[{"id": "caf\u00e9"}, {"id": "cafe\u0301"}], [{"id": 1}, {"id": "1"}]])
def test_ids_that_read_the_same_are_used_twice(records: list[dict[str, object]]) -> None:
    (found,) = problems(records)
    assert found.startswith("inline: [1].id: the id '")
    assert found.endswith("' is used already, at inline[0]")


def test_an_id_that_is_used_twice_is_told_at_both_places(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('[\n {"id": "x"},\n {"id": "y"},\n {"goal": "g",\n  "id": "x"}\n]')
    assert problems(path) == [f"{path}:5:9: [2].id: the id 'x' is used already, at {path}:2"]
    lines, table = path.with_suffix(".jsonl"), path.with_suffix(".csv")
    lines.write_text('{"id": "x"}\n{"id": "x"}\n{"id": "x"}')
    assert problems(lines) == [f"{lines}:{n}:1: id: the id 'x' is used already, at {lines}:1" for n in (2, 3)]
    table.write_text("id\nx\nx\n")
    assert problems(table) == [f"{table}:3:1: id: the id 'x' is used already, at {table}:2"]


def test_an_id_that_is_used_twice_is_told_beside_other_errors() -> None:
    assert problems([{"id": "x", "goal": 1}, {"id": "x"}]) == [
        "inline: [0].goal: expected a text that is not blank, found the number 1",
        "inline: [1].id: the id 'x' is used already, at inline[0]",
    ]


def test_the_same_scenario_twice_is_told() -> None:
    assert problems([{"goal": "a"}, {"goal": "b"}, {"goal": "a"}], name="mine") == [
        "mine: [2]: the same scenario stands at mine[0]: leave one out, or give both an id"
    ]


def test_an_id_that_is_the_key_of_another_ones_content_is_used_twice() -> None:
    record: dict[str, object] = {"goal": "Book"}
    (found,) = problems([record, {"id": key_by_definition(record)}])
    assert "is used already" in found


@pytest.mark.parametrize("id_", ["", "  ", " x", "a::b", "two\nlines", "\x1b[31m"])
def test_an_id_that_is_no_name_is_refused(id_: str) -> None:
    (found,) = problems([{"id": id_}])
    assert found.startswith("inline: [0].id: ")


# --- sets in Python


class Generator:
    """Programmatic generation."""

    def __init__(self, kinds: list[str]) -> None:
        self.kinds = kinds

    def __iter__(self) -> Iterator[dict[str, object]]:
        for kind in self.kinds:
            yield {"id": kind, "goal": f"Find a {kind}"}


def two() -> Iterator[dict[str, object]]:
    yield from Generator(["hall", "boat"])


@pytest.mark.parametrize(
    "source",
    [Generator(["hall", "boat"]), two, two(), list(two()), tuple(two()), lambda: list(two()), {1: 2}.keys],
    ids=["object", "function", "generator", "list", "tuple", "lambda", "wrong"],
)
def test_whatever_yields_records_is_a_source(source: object, request: pytest.FixtureRequest) -> None:
    if request.node.callspec.id == "wrong":
        assert problems(source) == ["inline: [0]: expected an object, found the number 1"]
        return
    found = load_scenarios(source)  # type: ignore[arg-type]
    assert (found.name, found.file, found.keys) == ("inline", "", ("hall", "boat"))
    assert found["boat"].goal == "Find a boat"


def test_a_set_keeps_its_data_when_the_list_changes() -> None:
    records = [{"id": "a", "tags": ["x"], "deep": ({"y": 1},)}]
    found = load_scenarios(records)
    records[0]["tags"] = []
    assert found["a"].data == {"id": "a", "tags": ["x"], "deep": [{"y": 1}]}


def test_a_set_of_scenarios_of_a_set_keeps_their_keys_and_places(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"goal": "a"}\n{"goal": "b", "tags": ["vip"]}\n')
    every = load_scenarios(path)
    vip = load_scenarios([one for one in every if "vip" in one.get("tags", [])], name="vip")
    (one,) = vip
    assert (one.key, one.file, one.line) == (every.keys[1], str(path), 2)
    assert (one.index, one.set_name) == (0, "vip")


def test_a_set_is_a_source_and_can_be_given_another_name() -> None:
    found = load_scenarios(two, name="venues")
    assert load_scenarios(found) is found
    other = load_scenarios(found, name="others")
    assert other.name == "others"
    assert {one.set_name for one in other} == {"others"}
    assert other.keys == found.keys


def test_a_set_finds_by_key() -> None:
    found = load_scenarios(two)
    assert len(found) == 2
    assert "hall" in found
    assert "hell" not in found
    with pytest.raises(KeyError, match=r"scenario set 'inline' has no scenario 'hell' \(did you mean 'hall'"):
        found["hell"]


def test_a_set_can_be_sent_to_another_process() -> None:
    found: ScenarioSet = load_scenarios(two)
    assert pickle.loads(pickle.dumps(found)) == found
    with pytest.raises(ScenarioErrors) as caught:
        load_scenarios([])
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def fails_midway() -> Iterator[dict[str, object]]:
    yield {"id": "a"}
    raise OSError("the data base is away")


async def later() -> list[dict[str, object]]:
    return []


async def streamed() -> object:
    yield {}


class Colour(Enum):
    RED = 1


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ([], "inline: there are no scenarios: a test over them would test nothing"),
        (lambda: iter(()), "inline: there are no scenarios: a test over them would test nothing"),
        ({"id": "a"}, "inline: expected a list of objects, found one object {'id': 'a'}: put it into a list"),
        ([1, None], "inline: [0]: expected an object, found the number 1"),
        (5, "inline: expected a file's path, a list of objects, or something that yields them, found 5"),
        (
            None,
            "inline: expected a file's path, a list of objects, or something that yields them, found None",
        ),
        (lambda: "venues.json", "inline: expected a file's path, a list of objects"),
        (b"venues.json", "inline: expected a file's path, a list of objects"),
        (later, "inline: expected a plain function, found one that is asynchronous"),
        (streamed, "; scenarios cannot be made asynchronously"),
        ([{"day": date(2025, 1, 1)}], "inline: [0].day: expected JSON data, found "),
        ([{"a": [{"b": Colour.RED}]}], "inline: [0].a[0].b: expected JSON data, found "),
        ([{"a": {1: 2}}], "inline: [0].a: expected texts as names of fields, found 1"),
        ([{"a": float("nan")}], "inline: [0].a: expected JSON data, found "),
        ([{"a": "\ud83d"}], "inline: [0].a: a surrogate stands alone: not valid Unicode"),
        ([{"goal": 1}], "inline: [0].goal: expected a text that is not blank, found the number 1"),
    ],
)
def test_a_source_without_good_records_is_refused(source: object, message: str) -> None:
    found = problems(source)
    assert message in found[0]
    gc.collect(1)  # a coroutine that nobody awaited would be a warning


def test_what_a_source_raises_is_told_with_its_place() -> None:
    (found,) = problems(fails_midway)
    line = fails_midway.__code__.co_firstlineno + 2
    assert (
        found == f"inline: after 1 scenarios, it raised OSError at {__file__}:{line}: the data base is away"
    )


def test_data_that_holds_itself_is_refused() -> None:
    knot: dict[str, object] = {}
    knot["x"] = knot
    assert problems([knot]) == ["inline: [0].x.x.x: nested deeper than 200 levels"]


def test_a_source_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grice.files.scenario_entries.MAX_SCENARIOS", 3)

    def endless() -> Iterator[dict[str, object]]:
        number = 0
        while True:
            number += 1
            yield {"n": number}

    assert problems(endless) == ["inline: more than 3 scenarios"]


# --- notes


def test_a_field_that_looks_misspelt_is_kept_and_noted(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "a"}\n{"id": "b", "personalty": "rude"}\n{"id": "c", "personalty": "kind"}\n')
    found = load_scenarios(path)
    assert found["b"]["personalty"] == "rude"
    meant = "(did you mean 'personality'?)"
    assert found.notes == (f"{path}:2: the field 'personalty' is kept as data {meant}; 2 scenarios have it",)


@pytest.mark.parametrize(
    ("field", "meant"), [("Goal", "goal"), ("maxTurns", "max_turns"), ("tag", "tags"), ("ID", "id")]
)
def test_near_misses_are_noted(field: str, meant: str) -> None:
    (note,) = load_scenarios([{field: "x"}]).notes
    assert note == f"inline[0]: the field '{field}' is kept as data (did you mean '{meant}'?)"


@pytest.mark.parametrize(
    "record",
    [
        {"opening": "Hi", "expected": [], "guests": 2, "title": "", "idea": "", "page": 1, "email": "x"},
        {"tag": "x", "tags": ["y"]},
    ],
)
def test_other_fields_are_data(record: dict[str, object]) -> None:
    assert load_scenarios([record]).notes == ()
