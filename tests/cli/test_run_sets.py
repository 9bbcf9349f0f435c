"""`grice run` with scenario sets: the user of each is played."""

import json
from importlib.util import find_spec
from pathlib import Path

import pytest
from grice_command import Grice

from grice import run

SETS = {
    "venues.json": '[{"id": "v1", "goal": "A", "room": "Booked"}, {"id": "v2", "goal": "B", "room": "A"}]',
    "venues.jsonl": '{"id": "v1", "goal": "A room"}\n{"id": "v2", "goal": "Two rooms"}\n',
    "venues.yaml": "- {id: v1, goal: A room}\n- {id: v2, goal: Two rooms}\n",
    "venues.csv": "id,goal\nv1,A room\nv2,Two rooms\n",
}
GRAPH = """
topics:
  greeting: {next: booking}
  booking:
    triggers: [{on_tool_call: book}]
    expect: [{matcher: toContain, expected: Booked}]
"""


@pytest.mark.parametrize("name", SETS)
def test_a_set_of_each_format_is_held(project: Path, grice: Grice, name: str) -> None:
    Path(name).write_text(SETS[name])
    run = grice("run", name, "--check", "bots:is_booked")
    assert (run.code, run.err) == (0, "")
    assert {line.split()[1] for line in run.out.splitlines() if line.startswith("pass")} == {"v1", "v2"}
    assert "2 passed  2 conversations, 2 checks in " in run.out


def test_checks_are_functions_and_matchers_and_each_has_its_verdict(project: Path, grice: Grice) -> None:
    Path("venues.json").write_text(SETS["venues.json"])
    checks = ("bots:is_booked", "bots:is_named", "bots:books")
    run = grice("run", "venues.json", *[part for one in checks for part in ("--check", one)], "--json", "out")
    assert (run.code, run.err) == (0, "")
    results = json.loads(Path("out").read_text())["results"]
    assert [len(one["verdicts"]) for one in results] == [3, 3]


def test_another_topic_graph_is_told_though_other_scenarios_are_chosen(project: Path, grice: Grice) -> None:
    Path("venues.json").write_text(SETS["venues.json"])
    graph = Path("graph.yaml")
    graph.write_text(GRAPH)
    with_graph = ("--check", "bots:is_booked", "--topics", "graph.yaml")
    assert grice("run", "venues.json::v1", *with_graph).code == 0
    graph.write_text(GRAPH.replace("on_tool_call: book", "on_tool_call: reserve"))
    run = grice("run", "venues.json", *with_graph, "--resume", "latest")
    assert run.code == 2
    assert "the run cannot go on as it began:\n  another topic graph of venues\n" in run.err
    graph.write_text(GRAPH)
    run = grice("run", "venues.json", *with_graph, "--resume", "latest")
    assert run.code == 0
    assert "1 of 2 were finished before" in run.out


def test_a_matcher_may_be_named_without_its_brackets(project: Path, grice: Grice) -> None:
    Path("venues.json").write_text(SETS["venues.json"])
    run = grice("run", "venues.json", "--check", "grice.matchers:have_achieved_goal")
    assert run.code == 1
    assert "no LLM is configured as judge" in " ".join(run.out.split())


def test_without_checks_the_goals_are_judged_and_no_judge_is_no_pass(project: Path, grice: Grice) -> None:
    Path("venues.json").write_text(SETS["venues.json"])
    run = grice("run", "venues.json")
    assert run.code == 1
    assert "2 errors" in run.out


@pytest.mark.parametrize(
    ("check", "said"),
    [
        ("bots:is_boked", "check 'bots:is_boked': bots has no 'is_boked' (did you mean 'is_booked'?)"),
        ("nobots:x", "check 'nobots:x': there is no module 'nobots'"),
        ("is_booked", "a check is named as 'module:attribute', found 'is_booked'"),
        ("bots.py:is_booked", "name the module, not its file: 'bots:is_booked'"),
        (
            "bots:NUMBER",
            "check 'bots:NUMBER': a check is a matcher or a function of the conversation, found 3",
        ),
        ("bots:wants_more", "check 'bots:wants_more': wants_more asks for conversation, scenario, tmp_path"),
        ("grice.matchers:call_tool", "call_tool': call_tool needs arguments: give them to it, as in mine ="),
    ],
)
def test_a_check_that_is_none_is_refused(project: Path, grice: Grice, check: str, said: str) -> None:
    Path("venues.json").write_text(SETS["venues.json"])
    run = grice("run", "venues.json", "--check", check)
    assert (run.code, run.out) == (2, "")
    assert said in run.err
    assert not Path(".grice").exists()


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("gone.json", None, "gone.json: there is no such file or folder"),
        ("gone.csv", None, "gone.csv: there is no such file"),
        ("bad.jsonl", '{"id": "a"}\n{"id": ', "bad.jsonl:2:"),
        ("empty.csv", "id,goal\n", "there are no scenarios"),
        ("empty.json", "[]", "empty.json"),
        ("nothing.json", "", "nothing.json:1:1: the file is empty"),
        ("nothing.yaml", "", "nothing.yaml:1:1: the file is empty"),
        ("half.golden.json", "{", "half.golden.json:1:1: not valid JSON"),
        ("half.grice.yaml", "a: [", "half.grice.yaml:1:4: not valid YAML"),
        ("twice.yaml", "- {id: a}\n- {id: a}\n", "the id 'a' is used already"),
        ("types.json", '[{"id": "a", "max_turns": "five"}]', "types.json:1:"),
        ("numbers.json", "[1, 2]", "numbers.json:1:"),
        (
            "one.json",
            '{"id": "a", "goal": "A"}',
            "one.json: it has a goal, so it is a scenario: write a list",
        ),
        ("flow.yaml", "topics: {a: {}}", "flow.yaml: it has topics, so it is a graph: give it with --topics"),
        ("set.txt", "a", "set.txt: expected a file of tests (.py), or .json, .yaml, .yml, .jsonl or .csv"),
        ("who.json", '[{"id": "a"}]', "who.json:1: scenario a: a simulated user needs a goal: give"),
        (
            "who.jsonl",
            '{"goal": "A"}\n{"id": "b", "goal": "A", "persona": "ters"}',
            "who.jsonl:2: scenario b: persona",
        ),
    ],
)
def test_a_wrong_set_is_refused_with_its_place(
    project: Path, grice: Grice, name: str, text: str | None, said: str
) -> None:
    if text is not None:
        Path(name).write_text(text)
    run = grice("run", name, "--check", "bots:is_booked")
    assert (run.code, run.out) == (2, "")
    assert said in run.err
    assert not Path(".grice").exists()


def test_a_set_follows_a_topic_graph(project: Path, grice: Grice) -> None:
    Path("venues.json").write_text(SETS["venues.json"])
    Path("graph.yaml").write_text(GRAPH)
    run = grice("run", "venues.json", "--check", "bots:is_booked", "--topics", "graph.yaml", "--json", "out")
    assert (run.code, run.err) == (0, "")
    results = json.loads(Path("out").read_text())["results"]
    assert [one["conversation"]["turns"][0]["classified"]["topic"] for one in results] == ["booking"] * 2
    drawn = grice("report", "--graph", "mermaid")
    assert drawn.code == 0
    assert "booking" in drawn.out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "graph.yaml: there is no such file"),
        ("topics: []", "graph.yaml:1:9: topics: expected an object, found a list"),
        ("topics: {a: {next: b}}", "graph.yaml:1:20: 'a' is followed by 'b', which is not defined"),
        ("topics: {}", "graph.yaml:1:"),
        ("topics: {a: {nxt: b}, b: {}}", "did you mean 'next'?"),
        ("- 1", "graph.yaml:1:1"),
    ],
)
def test_a_wrong_graph_is_refused(project: Path, grice: Grice, text: str | None, said: str) -> None:
    Path("venues.json").write_text(SETS["venues.json"])
    if text is not None:
        Path("graph.yaml").write_text(text)
    run = grice("run", "venues.json", "--topics", "graph.yaml")
    assert (run.code, run.out) == (2, "")
    assert said in run.err


def test_a_set_that_is_named_twice_is_held_once_and_namesakes_are_refused(
    project: Path, grice: Grice
) -> None:
    path = Path("venues.json")
    path.write_text(SETS["venues.json"])
    run = grice("run", path, path.resolve(), "--check", "bots:is_booked")
    assert "2 passed  2 conversations" in run.out
    Path("other").mkdir()
    Path("other", "venues.json").write_text(SETS["venues.json"])
    run = grice("run", path, "other/venues.json", "--check", "bots:is_booked")
    assert (run.code, run.out) == (2, "")
    assert "other/venues.json::venues[v1] has the same stable id as " in run.err


def test_results_are_never_written_over_a_set(project: Path, grice: Grice) -> None:
    Path("venues.json").write_text(SETS["venues.json"])
    run = grice("run", "venues.json", "--check", "bots:is_booked", "--json", "venues.json")
    assert (run.code, run.out) == (2, "")
    assert "is one of the files to read" in run.err
    assert Path("venues.json").read_text() == SETS["venues.json"]


def test_hostile_text_of_scenarios_and_agents_is_shown_as_text(project: Path, grice: Grice) -> None:
    nasty = "[bold]no[/bold] \\x1b[31mbad\\u202e"
    Path("nasty.py").write_text(f"def agent(messages):\n    return '{nasty}'\n")
    Path("venues.json").write_text(json.dumps([{"id": "[red]caf\u00e9[/red]", "goal": "x"}]))
    run = grice("run", "venues.json", "--check", "bots:books", "--agent", "nasty:agent")
    assert run.code == 1
    assert f"assistant  {nasty}" in run.out
    assert "\x1b" not in run.out
    assert "\u202e" not in run.out
    assert "[red]caf\u00e9[/red]\n" in run.out


def test_what_the_played_user_says_is_recorded_and_replayed(project: Path, grice: Grice) -> None:
    Path("venues.json").write_text(SETS["venues.json"])
    run = grice("run", "venues.json", "--check", "bots:is_booked", "--record", "once")
    assert run.code == 0
    kept = {path.name: path.read_bytes() for path in Path("cassettes").rglob("*.jsonl")}
    assert len(kept) == 2
    Path("bots.py").write_text(Path("bots.py").read_text().replace("def play", "def never"))
    Path("pyproject.toml").write_text('[tool.grice]\nagent = "bots:agent"\n')
    again = grice("run", "venues.json", "--check", "bots:is_booked", "--record", "none")
    assert (again.code, again.err) == (0, "")
    assert kept == {path.name: path.read_bytes() for path in Path("cassettes").rglob("*.jsonl")}
    for path in Path("cassettes").rglob("*.jsonl"):
        path.unlink()
    missing = grice("run", "venues.json", "--check", "bots:is_booked", "--record", "none")
    assert missing.code == 1
    assert "2 errors" in missing.out


@pytest.mark.slow
def test_ids_do_not_follow_the_name_of_the_run(project: Path, grice: Grice) -> None:
    Path("venues.json").write_text(SETS["venues.json"])
    ids = set[tuple[str, ...]]()
    for name in ("Prompt v1", "Prompt v2"):
        grice("run", "venues.json", "--check", "bots:is_booked", "--name", name, "--json", "out")
        ids.add(tuple(one["id"] for one in json.loads(Path("out").read_text())["results"]))
        found = run(json.loads(SETS["venues.json"]), "bots:agent", [], name=name, journal=False)
        ids.add(tuple(one.id for one in found.results))
    assert len(ids) == 2


HELPFUL = {
    "name": "helpful",
    "description": "Tells everything.",
    "behaviours": [
        {"name": "brief", "instruction": "One word.", "rule": {"max_words": 1, "effect": "helped"}},
    ],
}


def test_nothing_but_passes_that_the_users_brought_about_is_no_success(project: Path, grice: Grice) -> None:
    Path("venues.json").write_text(json.dumps([{"id": "v1", "goal": "A room", "persona": HELPFUL}]))
    command = grice("run", "venues.json", "--check", "bots:is_booked")
    assert command.code == 2
    assert "1 passed" in command.out
    assert "no conversation counts: nothing was found out about the agent" in " ".join(command.err.split())
    from grice.running.journal.folders import find_run
    from grice.running.journal.reading import read_run

    kept = read_run(find_run("latest"))
    assert (kept.complete, kept.passed) == (True, False)


def test_a_pass_that_does_not_count_is_told_beside_those_that_do(project: Path, grice: Grice) -> None:
    given = [{"id": "v1", "goal": "A room", "persona": HELPFUL}, {"id": "v2", "goal": "A room"}]
    Path("venues.json").write_text(json.dumps(given))
    command = grice("run", "venues.json", "--check", "bots:is_booked")
    assert command.code == 0
    said = "v1 passed and does not count: the simulated user broke its rules and helped it to pass"
    assert said in " ".join(command.out.split())
    assert "v2 passed and" not in command.out


@pytest.mark.skipif(find_spec("ray") is not None, reason="its package is there")
def test_an_engine_needs_its_package(project: Path, grice: Grice) -> None:
    Path("venues.json").write_text(SETS["venues.json"])
    run = grice("run", "venues.json", "--engine", "ray")
    assert (run.code, run.out) == (2, "")
    assert run.err == "--engine ray needs a package: pip install 'grice[ray]'\n"


def test_a_state_is_read_before_and_after_and_judged_by_a_check(project: Path, grice: Grice) -> None:
    Path("venues.json").write_text(SETS["venues.json"])
    Path("booked.py").write_text(
        "from bots import *\nfrom grice.matchers import have_changed\nasked = []\n"
        "def rooms(scenario):\n    asked.append(scenario.key)\n    return asked.count(scenario.key)\n"
        "changed = have_changed()\n"
    )
    run = grice("run", "venues.json", "--state", "booked:rooms", "--check", "booked:changed")
    assert (run.code, run.err) == (0, "")
    run = grice("run", "venues.json", "--state", "booked:room", "--check", "booked:changed")
    assert run.code == 2
    assert "booked has no 'room'" in run.err
    run = grice("run", "venues.json", "--state", "booked:rooms")
    assert run.code == 2
    assert "--state goes with --check" in run.err
    Path("one.golden.json").write_text("{}")
    run = grice("run", "one.golden.json", "--state", "booked:rooms", "--check", "booked:changed")
    assert run.code == 2
