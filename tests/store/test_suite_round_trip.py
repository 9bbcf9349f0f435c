"""What is imported and exported again is the same suite, and its run gives the same results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine

from grice.files.suite_files import load_suite, read_suite
from grice.records import Result
from grice.running.suite import run_scenario
from grice.store.database import locked
from grice.store.suite_editing import delete_suite, make_suite
from grice.store.suites import document_of, suite_file_text

TRAPS = [
    "no",
    "1e3",
    "2024-01-01",
    "null",
    "a\nb\n",
    "a: b",
    "\0",
    "- x",
    " a",
    "1.0",
    "“a”",
    "{a}",
    "on",
    "🏨",
]
HALF = st.sampled_from(["\ud800", "a\udfffb"])
WHOLE = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8) | st.sampled_from(TRAPS)
NUMBERS = st.sampled_from([0, 1.0, 2**60, -0.5, 1e30, 7])


def suites(texts: st.SearchStrategy[str]) -> st.SearchStrategy[dict[str, Any]]:
    said = texts.filter(str.strip)
    values = st.recursive(
        st.none() | st.booleans() | NUMBERS | texts,
        lambda part: st.lists(part, max_size=3) | st.dictionaries(texts, part, max_size=3),
        max_leaves=6,
    )
    checks = st.fixed_dictionaries(
        {"matcher": st.just("toContain"), "expected": said},
        optional={"not": st.booleans(), "description": texts, "on": st.just("reply")},
    )
    checks |= st.fixed_dictionaries(
        {"matcher": st.just("toEqual"), "expected": values, "path": st.sampled_from(["$", "$.a", "$[*]"])},
        optional={"pathMatch": st.sampled_from(["ANY", "ALL"]), "parse": st.sampled_from(["auto", "json"])},
    )
    some = st.lists(checks, min_size=1, max_size=3)
    call = st.fixed_dictionaries({"tool": st.just("find"), "arguments": st.dictionaries(said, values)})
    beside: dict[Any, st.SearchStrategy[Any]] = {
        "description": texts,
        "run_mode": st.sampled_from(["DEFAULT", "SKIP", "ONLY"]),
        "evaluate": some,
    }
    model = {"model": st.lists(said | call, max_size=2)}
    turn = st.fixed_dictionaries({"say": said}, optional={"expect": some, **model})
    tools = {"tools": st.dictionaries(said, values, max_size=2)}
    says = {"say": said | st.lists(said, min_size=1, max_size=2)}
    output = {"expected_output": values, "output_type": st.just("json")}
    turns = {"turns": st.lists(turn, min_size=1, max_size=2), "expect": some}
    scenario = (
        st.fixed_dictionaries({**says, "expect": some}, optional={**beside, **model, **tools})
        | st.fixed_dictionaries({"say": said, **output}, optional={**beside, **model})
        | st.fixed_dictionaries({"say": said, "expected_output": texts}, optional=beside)
        | st.fixed_dictionaries(turns, optional=beside)
    )
    ids = st.lists(
        st.integers(0, 99) | st.sampled_from(["no", "1e3", "a b", "é"]), min_size=4, max_size=4, unique_by=str
    )
    head = {"agent": st.just("app:agent"), "criteria": st.dictionaries(st.just("kind"), said)}
    return st.builds(
        _suite,
        ids,
        st.lists(scenario, min_size=1, max_size=4),
        st.integers(0, 4),
        st.fixed_dictionaries({}, optional=head),
    )


def _suite(ids: list[Any], listed: list[Any], named: int, head: dict[str, Any]) -> dict[str, Any]:
    """A suite of these scenarios, of which so many have an id."""
    numbered = enumerate(zip(ids, listed, strict=False))
    scenarios = [{"id": id_, **one} if number < named else one for number, (id_, one) in numbered]
    return {**head, "scenarios": scenarios}


def results(path: Path) -> list[Any]:
    return [_shown(run_scenario(one, agent)) for one in load_suite(path)]


def agent(messages: list[dict[str, Any]]) -> str:
    return json.dumps({"a": messages[-1]["content"]})


def _shown(result: Result) -> Any:
    verdicts = [(one.outcome, one.reason, one.claim, one.mode, one.matcher) for one in result.verdicts]
    return result.id, result.key, result.fingerprint, result.outcome, result.description, verdicts


def check_round_trip(engine: Engine, folder: Path, suite: dict[str, Any], *, suffix: str) -> None:
    before = folder / "before" / "rooms.grice.json"
    before.parent.mkdir(exist_ok=True)
    before.write_text(json.dumps(suite), "utf-8")
    _, problems = read_suite(suite, "rooms")
    assume(not problems)
    after = folder / f"rooms.grice.{suffix}"
    with locked(engine) as connection:
        made = make_suite(connection, "bot", {"name": "rooms", **suite})
        text = suite_file_text(connection, made, after.name, as_json=suffix == "json")
        after.write_bytes(text.encode())
        kept = document_of(connection, made)
        delete_suite(connection, made.id)
    assert json.dumps(kept, sort_keys=True) == json.dumps({"name": "rooms", **suite}, sort_keys=True)
    _, wrong = read_suite(json.loads(json.dumps(kept)), "rooms")
    assert wrong == []
    assert results(after) == results(before), text


RULES = settings(suppress_health_check=list(HealthCheck), deadline=None)


@RULES
@given(suite=suites(WHOLE))
def test_as_yaml(engine: Engine, tmp_path: Path, suite: dict[str, Any]) -> None:
    check_round_trip(engine, tmp_path, suite, suffix="yaml")


@RULES
@given(suite=suites(WHOLE | HALF))
def test_half_a_character_as_json(engine: Engine, tmp_path: Path, suite: dict[str, Any]) -> None:
    check_round_trip(engine, tmp_path, suite, suffix="json")
