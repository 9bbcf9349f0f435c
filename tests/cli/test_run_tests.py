"""`grice run` with files of tests."""

import json
import os
import re
import sys
from pathlib import Path

import pytest
from grice_command import Grice

ROOMS = """
import pytest
from grice import expect, scenarios

@scenarios([{"id": "blue", "ask": "blue"}, {"id": "red", "ask": "red"}], name="rooms")
def test_books(conversation, scenario):
    expect(conversation.say(scenario["ask"])).to_contain("Booked")

class TestOnce:
    def test_greets(self, conversation):
        expect(conversation.say("hello")).to_contain("Booked")

    async def test_waits(self, async_conversation):
        expect(await async_conversation.say("slow")).to_contain("Booked")
"""


def write(folder: Path, text: str, name: str = "test_rooms.py") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def passed(out: str) -> set[str]:
    """What the lines of those that passed name."""
    return set(re.findall(r"^pass +(\S.*?) *$", out, re.MULTILINE))


def test_every_test_of_a_file_is_held_and_named(project: Path, grice: Grice) -> None:
    write(project, ROOMS)
    run = grice("run", "test_rooms.py")
    assert (run.code, run.err) == (0, "")
    assert passed(run.out) == {
        "test_books[blue]",
        "test_books[red]",
        "TestOnce::test_greets",
        "TestOnce::test_waits",
    }
    assert "4 passed  4 conversations, 4 checks in " in run.out
    assert "kept in .grice/runs/exp_" in run.out


def test_a_file_that_was_edited_is_read_anew_however_soon(
    project: Path, grice: Grice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    file = write(project, ROOMS)
    before = file.stat()
    assert grice("run", "test_rooms.py").code == 0
    file.write_text(ROOMS.replace('"ask": "red"', '"ask": "bad"'))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))  # within the same second
    assert file.stat().st_size == before.st_size
    del sys.modules["test_rooms"]
    run = grice("run", "test_rooms.py")
    assert (run.code, "fail   test_books[red]" in run.out) == (1, True)


@pytest.mark.parametrize(
    ("names", "keys"),
    [
        (["::test_books"], {"blue", "red"}),
        (["::test_books[red]"], {"red"}),
        (["::TestOnce::test_greets"], {"TestOnce.test_greets"}),
        (["::TestOnce"], {"TestOnce::test_greets", "TestOnce::test_waits"}),
        (["::test_books[red]", "::test_books[blue]"], {"blue", "red"}),
        (["::test_books[red]", "::test_books"], {"blue", "red"}),
        (
            ["::test_books[red]", ""],
            {"test_books[blue]", "test_books[red]", "TestOnce::test_greets", "TestOnce::test_waits"},
        ),
    ],
)
def test_tests_and_scenarios_are_chosen_as_for_pytest(
    project: Path, grice: Grice, names: list[str], keys: set[str]
) -> None:
    file = write(project, ROOMS)
    places = ["test_rooms.py", f"./{file.name}", file]
    run = grice("run", *[f"{place}{name}" for place, name in zip(places, names, strict=False)])
    assert (run.code, passed(run.out)) == (0, keys)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("test_bocks", "there is no test test_bocks (did you mean 'test_books'?)"),
        (
            "TestOnce::test_greet",
            "there is no test TestOnce::test_greet (did you mean 'TestOnce::test_greets'?)",
        ),
        ("test_books[rad]", "test_books has no scenario 'rad' (did you mean 'red'?)"),
        ("TestOnce::test_greets[x]", "TestOnce.test_greets has no scenarios"),
    ],
)
def test_a_wrong_name_is_refused_with_the_nearest(project: Path, grice: Grice, name: str, said: str) -> None:
    write(project, ROOMS)
    run = grice("run", f"test_rooms.py::{name}")
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith("test_rooms.py: ")
    assert said in run.err
    assert not Path(".grice").exists()


ONLY_PYTEST = """
import pytest
from grice import expect

def test_runs(conversation):
    expect(conversation.say("hello")).to_contain("Booked")

def test_writes(conversation, tmp_path):
    raise RuntimeError

def test_plain():
    raise RuntimeError

@pytest.mark.skip(reason="not yet")
def test_skipped(conversation):
    raise RuntimeError

@pytest.mark.skipif(True, reason="never here")
def test_not_here(conversation):
    raise RuntimeError

@pytest.mark.skipif(False, reason="elsewhere")
def test_here(conversation):
    expect(conversation.say("hello")).to_contain("Booked")

@pytest.mark.xfail
def test_known(conversation):
    raise RuntimeError

@pytest.mark.usefixtures("shop")
def test_with_shop(conversation):
    raise RuntimeError

class TestSetUp:
    def setup_method(self):
        self.word = "hello"

    def test_word(self, conversation):
        raise RuntimeError
"""


def test_tests_that_only_pytest_can_run_are_left_out_and_told(project: Path, grice: Grice) -> None:
    write(project, ONLY_PYTEST)
    run = grice("run", "test_rooms.py")
    assert (run.code, run.err) == (0, "")
    assert passed(run.out) == {"test_runs", "test_here"}
    told = " ".join(run.out.split())
    for name, why in {
        "test_writes": "test_writes asks for conversation, tmp_path",
        "test_plain": "test_plain asks for nothing",
        "test_skipped": "it is marked skip: not yet",
        "test_not_here": "it is marked skipif: never here",
        "test_known": "it is marked xfail",
        "test_with_shop": "it uses the fixture shop, which only pytest has",
        "TestSetUp::test_word": "it needs setup_method, which only pytest calls",
    }.items():
        assert f"test_rooms.py::{name} is left out: {why}" in told


def test_a_test_that_was_asked_for_and_cannot_run_is_an_error(project: Path, grice: Grice) -> None:
    write(project, ONLY_PYTEST)
    run = grice("run", "test_rooms.py::test_runs", "test_rooms.py::test_writes")
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith("test_rooms.py::test_writes cannot be run: test_writes asks for conversation, ")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def test_plain(): pass", "test_rooms.py::test_plain is left out: "),
        ("def helper(): pass", "there is no test that grice run can run"),
        ("", "there is no test that grice run can run"),
        ("import pytest\npytest.skip('not today', allow_module_level=True)", "skips itself: not today"),
        (
            "import pytest\npytest.importorskip('no_such_module')",
            "test_rooms.py is left out: the module skips",
        ),
    ],
)
def test_a_file_without_a_test_to_run_is_an_error(project: Path, grice: Grice, text: str, said: str) -> None:
    write(project, text)
    run = grice("run", "test_rooms.py")
    assert (run.code, run.out) == (2, "")
    assert said in run.err
    assert not Path(".grice").exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = 1\ndef test_it(:\n", "test_rooms.py: cannot be imported: line 2: "),
        ("x = 1\nimport no_such_module", "line 2: ModuleNotFoundError: No module named 'no_such_module'"),
        ("def f():\n    1 / 0\nf()", "cannot be imported: line 2: ZeroDivisionError: division by zero"),
        ("raise SystemExit(0)", "cannot be imported: line 1: SystemExit: 0"),
        ("import bad", "cannot be imported: line 1: SyntaxError: "),
    ],
)
def test_a_file_that_cannot_be_imported_is_told_with_its_line(
    project: Path, grice: Grice, text: str, said: str
) -> None:
    write(project, text)
    write(project, "\n\ndef (", "bad.py")
    run = grice("run", "test_rooms.py")
    assert (run.code, run.out) == (2, "")
    assert said in run.err


def test_everything_wrong_with_all_files_is_told_at_once(project: Path, grice: Grice) -> None:
    write(project, "import no_such_module", "test_a.py")
    scenarios = "from grice import scenarios\n@scenarios([{'id': 'a'}, {'id': 'a'}])\n"
    write(project, scenarios + "def test_twice(conversation, scenario): pass", "test_b.py")
    write(project, "def test_lost(conversation, scenario): pass", "test_c.py")
    run = grice("run", "test_a.py", "test_b.py", "test_c.py", "test_d.py", "gone.csv")
    assert (run.code, run.out) == (2, "")
    assert "test_a.py: cannot be imported" in run.err
    assert "test_b.py::test_twice: inline: [1].id: the id 'a' is used already" in run.err
    assert "test_c.py: test_lost asks for scenario, and nothing gives it one" in run.err
    assert "test_d.py: there is no such file (did you mean 'test_" in run.err
    assert "gone.csv" in run.err


def test_users_and_graphs_that_cannot_be_are_told_before_anything_is_held(
    project: Path, grice: Grice
) -> None:
    write(
        project,
        "from grice import simulated\n"
        "@simulated()\ndef test_aimless(conversation): pass\n"
        "@simulated(goal='x', topics={'a': ()})\ndef test_led(conversation): pass\n"
        "@simulated(goal='x', topics='flow.yaml')\ndef test_file(conversation): pass\n",
    )
    run = grice("run", "test_rooms.py")
    assert (run.code, run.out) == (2, "")
    assert "test_rooms.py::test_aimless: a simulated user needs a goal: @simulated(goal=" in run.err
    assert "test_rooms.py::test_led: topic graph: 'a' is not defined" in run.err
    assert "flow.yaml: there is no such file" in run.err
    assert not Path(".grice").exists()


def test_modules_beside_a_conftest_and_in_the_root_can_be_imported(project: Path, grice: Grice) -> None:
    write(project, "raise RuntimeError('it is for pytest')", "app/conftest.py")
    write(project, "WORD = 'Booked'", "app/words_beside_conftest.py")
    write(project, "ASK = 'hello'", "asks_in_the_root.py")
    test = """
from asks_in_the_root import ASK
from words_beside_conftest import WORD
from near_the_test import near
from grice import expect

def test_says(conversation):
    near()
    expect(conversation.say(ASK)).to_contain(WORD)
"""
    write(project, test, "app/tests/test_says.py")
    write(project, "def near(): pass", "app/tests/near_the_test.py")
    run = grice("run", "app/tests/test_says.py")
    assert (run.code, run.err) == (0, "")


def test_two_tests_with_one_stable_id_are_refused(project: Path, grice: Grice) -> None:
    write(project, ROOMS, "one/test_rooms.py")
    write(project, ROOMS, "two/test_rooms.py")
    run = grice("run", "one/test_rooms.py", "two/test_rooms.py")
    assert (run.code, run.out) == (2, "")
    first = run.err.splitlines()[0]
    assert first.endswith("one/test_rooms.py::test_books[blue]")
    assert "two/test_rooms.py::test_books[blue] has the same stable id as " in first


def test_a_failure_reads_like_a_bug_report(project: Path, grice: Grice) -> None:
    write(project, ROOMS.replace('"ask": "red"', '"ask": "a bad one"'))
    run = grice("run", "test_rooms.py::test_books", "--repeat", "2")
    assert run.code == 1
    assert "  >    assistant  -> book(room='a bad one')" in run.out
    assert "    fail   the reply to contain 'Booked'" in run.out
    assert run.out.count("  failed   red\n") == 1
    assert run.out.count("  failed   red (repeat 2)\n") == 1
    assert "2 passed, 2 failed  4 conversations, 4 checks" in run.out


def test_an_agent_that_raises_is_an_error_of_its_conversation(project: Path, grice: Grice) -> None:
    write(project, ROOMS.replace('"ask": "red"', '"ask": "down"'))
    run = grice("run", "test_rooms.py::test_books")
    assert run.code == 1
    assert "the agent raised RuntimeError: out of order" in " ".join(run.out.split())
    assert "1 passed, 1 error" in run.out


def test_results_are_written_in_the_order_of_the_plan(project: Path, grice: Grice) -> None:
    write(project, ROOMS)
    run = grice("run", "test_rooms.py", "--json", "out.json", "--repeat", "2", "--concurrency", "4")
    assert run.code == 0
    found = json.loads(Path("out.json").read_text())
    assert found["complete"] is True
    once = ["blue", "red", "TestOnce.test_greets", "TestOnce.test_waits"]
    assert [(one["key"], one.get("repeat", 1)) for one in found["results"]] == [
        *((key, 1) for key in once),
        *((key, 2) for key in once),
    ]


@pytest.mark.parametrize(
    ("agent", "said"),
    [
        ("bots:nobody", "agent 'bots:nobody': bots has no 'nobody'"),
        ("nobots:agent", "agent 'nobots:agent': there is no module 'nobots'"),
        ("bots", "an agent is named as 'module:attribute'"),
    ],
)
def test_an_agent_that_cannot_be_found_is_told_before_anything_is_held(
    project: Path, grice: Grice, agent: str, said: str
) -> None:
    write(project, ROOMS)
    run = grice("run", "test_rooms.py", "--agent", agent)
    assert (run.code, run.out) == (2, "")
    assert said in run.err
    assert not Path(".grice").exists()


def test_without_an_agent_it_is_told_how_to_name_one(project: Path, grice: Grice) -> None:
    write(project, ROOMS)
    (project / "pyproject.toml").write_text("[tool.grice]\n")
    run = grice("run", "test_rooms.py")
    assert (run.code, run.out) == (2, "")
    assert "no agent is configured: name it with --agent module:attribute" in run.err


def test_fixtures_that_pytest_would_take_an_agent_or_llm_from_are_told(project: Path, grice: Grice) -> None:
    fixture = "import pytest\n@pytest.fixture(scope='session')\ndef {name}():\n    return print\n"
    write(project, fixture.format(name="agent") + fixture.format(name="user_llm"), "tests/conftest.py")
    write(project, fixture.format(name="judge_llm") + ROOMS, "tests/deep/test_rooms.py")
    run = grice("run", "tests/deep/test_rooms.py")
    assert run.code == 0
    for file, name, instead in (
        ("tests/deep/test_rooms.py", "judge_llm", "judge_llm"),
        ("tests/conftest.py", "agent", "--agent or agent"),
        ("tests/conftest.py", "user_llm", "user_llm"),
    ):
        told = f"{file}: the fixture {name} is pytest's: here {instead} in [tool.grice] counts"
        assert told in " ".join(run.out.split())
    (project / "pyproject.toml").write_text("[tool.grice]\n")
    run = grice("run", "tests/deep/test_rooms.py")
    assert run.code == 2
    assert "tests/conftest.py: the fixture agent is pytest's" in run.err


def test_a_project_without_an_agent_is_a_problem_of_its_own_tests_only(project: Path, grice: Grice) -> None:
    write(project, ROOMS)
    write(project, "[tool.grice]\nagent = 'bots:nobody'\n", "wrong/pyproject.toml")
    write(project, ROOMS, "wrong/test_other.py")
    run = grice("run", "test_rooms.py", "wrong/test_other.py")
    assert run.code == 2
    assert "4 passed, 4 error" in run.out
    assert run.err.count("has no 'nobody'") == 1


def test_what_belongs_to_scenario_sets_is_refused_for_tests(project: Path, grice: Grice) -> None:
    write(project, ROOMS)
    for option, value in (("--check", "bots:is_booked"), ("--topics", "graph.yaml")):
        run = grice("run", "test_rooms.py", option, value)
        assert (run.code, run.out) == (2, "")
        assert run.err.startswith(f"{option} is for scenario sets, and there is none")


def test_tests_goldens_and_suites_run_together(project: Path, grice: Grice) -> None:
    write(project, ROOMS)
    check = "{matcher: toContain, expected: Booked}"
    suite = f"agent: bots:other\nscenarios: [{{id: says, say: Hi, expect: [{check}]}}]"
    write(project, suite, "rooms.grice.yaml")
    run = grice("run", "rooms.grice.yaml", "test_rooms.py::test_books", "--repeat", "2")
    assert (run.code, run.err) == (0, "")
    assert passed(run.out) == {"says", "says (repeat 2)", "blue", "blue (repeat 2)", "red", "red (repeat 2)"}
    assert "6 passed  2 scenarios, 4 conversations, 6 checks in " in run.out


MANY = """
from grice import expect, scenarios

@scenarios([{"id": f"s{n}", "ask": "bad" if n in (7, 40) else "good"} for n in range(50)], name="many")
def test_many(conversation, scenario):
    expect(conversation.say(scenario["ask"])).to_contain("Booked")
"""


@pytest.mark.slow
def test_of_many_conversations_only_those_that_did_not_pass_have_lines(project: Path, grice: Grice) -> None:
    write(project, MANY)
    run = grice("run", "test_rooms.py")
    assert run.code == 1
    assert "pass   s" not in run.out
    lines = run.out.splitlines()
    assert [line.split(":")[0] for line in lines if re.match(r"\d+/50:", line)] == [
        f"{5 * step}/50" for step in range(1, 11)
    ]
    assert "50/50: 48 passed, 2 failed" in lines
    assert lines.count("fail   s7") == lines.count("fail   s40") == 1
    assert run.out.count("  >    assistant  No.") == 2
    assert "pass   s8" in grice("run", "test_rooms.py", "--verbose").out


def test_a_run_has_its_name_and_seed_and_is_reported(project: Path, grice: Grice) -> None:
    write(project, ROOMS)
    run = grice("run", "test_rooms.py", "--name", "Prompt v2", "--seed", "7", "--runs", "kept")
    (folder,) = Path("kept").iterdir()
    assert f"kept in kept/{folder.name}: see grice report kept/{folder.name}\n" in run.out
    head = json.loads((folder / "main.jsonl").read_text().splitlines()[0])["experiment"]
    assert (head["name"], head["seed"], head["planned"]) == ("Prompt v2", 7, 4)
    report = grice("report", "latest", "--runs", "kept")
    assert (report.code, report.err) == (0, "")
    assert "Experiment: exp_" in report.out
    assert '"Prompt v2"' in report.out


HALF = """
from grice import expect

def test_half(conversation):
    conversation.say("blue")
    assert False, "half \\ud800 of it"

def test_whole(conversation):
    expect(conversation.say("red")).to_contain("Booked")
"""


def test_half_a_character_in_a_message_stops_no_other_result_and_no_report(
    project: Path, grice: Grice
) -> None:
    write(project, HALF)
    run = grice("run", "test_rooms.py", "--json", "out.json")
    assert (run.code, run.err) == (1, "")
    assert r"half \ud800 of it" in run.out
    assert "1 passed, 1 failed  2 conversations" in run.out
    results = json.loads(Path("out.json").read_text())["results"]
    assert sorted(one["outcome"] for one in results) == ["fail", "pass"]
    assert "half \ufffd of it" in Path("out.json").read_text()
    assert "half \ufffd of it" in grice("report", "--json").out
    for form in ("--verbose", "--markdown", "--junit"):
        assert "half \ufffd of it" in grice("report", form).out


LOUD = """
from grice import expect

def agent(messages):
    raise RuntimeError("x\\n" * 100_000)

def test_loud(conversation):
    conversation.say("blue")
"""


def test_a_long_message_of_an_agent_is_cut_and_stands_whole_in_the_journal(
    project: Path, grice: Grice
) -> None:
    write(project, LOUD)
    run = grice("run", "test_rooms.py", "--agent", "test_rooms:agent")
    assert (run.code, run.err) == (1, "")
    assert len(run.out.splitlines()) < 200
    assert run.out.count("... (100001 lines)") == 2  # in the transcript, and as the reason
    [journal] = Path(".grice/runs").glob("*/*.jsonl")
    assert journal.read_text().count("x\\n") > 100_000
    for form in ("--verbose", "--markdown"):
        assert len(grice("report", form).out.splitlines()) < 200
    assert len(grice("report", "--junit").out) < 20_000
