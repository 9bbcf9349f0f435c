"""What `grice run` keeps of a run beside its results: its name, tags, configuration, what was begun."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from grice_command import Grice

from grice import criterion
from grice.identity import fingerprint
from grice.running.journal.folders import find_run
from grice.running.journal.reading import read_run

TESTS = """
from grice import criterion, expect, scenarios

brief = criterion("brief", check=lambda conversation: True)

@scenarios([{"id": "a"}, {"id": "b"}], name="rooms")
def test_books(conversation, scenario):
    expect(conversation.say("a room")).to_satisfy(brief)
"""
SUITE = """
agent: bots:agent
criteria: {kind: It is kind.}
scenarios:
  - {id: s1, say: a room, expect: [{matcher: toContain, expected: Booked}]}
"""


def lines(folder: Path) -> list[dict[str, Any]]:
    return list(map(json.loads, (folder / "main.jsonl").read_text().splitlines()))


@pytest.mark.slow
def test_a_run_is_found_by_its_name_and_its_tags_also_when_it_was_resumed(
    project: Path, grice: Grice
) -> None:
    Path("test_rooms.py").write_text(TESTS)
    assert grice("run", "test_rooms.py", "--name", "first try", "--tag", "v2", "--tag", "rooms").code == 0
    assert grice("run", "test_rooms.py", "--tag", "v3").code == 0
    found = find_run("tag:rooms")
    assert read_run(found).experiment.tags == ("v2", "rooms")
    assert find_run("first try") == find_run("v2") == found != find_run("latest")
    assert grice("run", "test_rooms.py", "--resume", "v2", "--repeat", "2").code == 0
    run = read_run(found)
    assert ({head.tags for head in run.heads}, len(run.results)) == ({("v2", "rooms")}, 4)
    assert grice("report", "tag:v3").code == 0


def test_what_begins_is_written_before_what_comes_of_it(project: Path, grice: Grice) -> None:
    Path("test_rooms.py").write_text(TESTS)
    Path("rooms.grice.yaml").write_text(SUITE)
    for options in ((), ("--concurrency", "2")):
        assert grice("run", "rooms.grice.yaml", "test_rooms.py", *options).code == 0
        begun: set[str] = set()
        groups: dict[str, str] = {}
        finished: set[str] = set()
        for line in lines(find_run("latest"))[1:]:
            if "begun" in line:
                begun.add(line["begun"]["id"])
                groups[line["begun"]["id"]] = line["begun"]["group"]
            else:
                result = line["result"]
                assert groups[result["id"]] == (result.get("set_name") or Path(result["file"]).stem)
                finished.add(line["result"]["id"])
        assert (len(finished), begun) == (3, finished)


def test_the_head_has_the_criteria_of_tests_and_suites(project: Path, grice: Grice) -> None:
    Path("test_rooms.py").write_text(TESTS)
    Path("rooms.grice.yaml").write_text(SUITE)
    assert grice("run", "rooms.grice.yaml", "test_rooms.py").code == 0
    head = read_run(find_run("latest")).experiment
    assert list(head.criteria) == ["brief", "kind"]
    assert head.criteria["kind"] == (criterion("kind", "It is kind.").fingerprint,)
    assert head.criteria_hash == fingerprint(head.criteria)
    assert head.opaque == ("criterion brief",)
    assert grice("run", "rooms.grice.yaml").code == 0
    alone = read_run(find_run("latest")).experiment
    assert (list(alone.criteria), alone.opaque) == (["kind"], ())


def test_the_command_is_kept_without_the_place_of_the_program(
    project: Path, grice: Grice, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("test_rooms.py").write_text(TESTS)
    monkeypatch.setattr("sys.argv", ["/home/me/.venv/bin/grice", "run", "test_rooms.py"])
    assert grice("run", "test_rooms.py").code == 0
    assert read_run(find_run("latest")).experiment.command == ("grice", "run", "test_rooms.py")
