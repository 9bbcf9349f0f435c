"""`grice run` with files of tests: it is pytest, in this process, with the recorder on."""

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from grice_command import Grice

from grice.running.journal.folders import find_run
from grice.running.journal.reading import Run, read_run

ROOMS = """
import pytest
from grice import expect, scenarios

@scenarios([{"id": "blue", "ask": "blue"}, {"id": "red", "ask": "red"}], name="rooms")
def test_books(conversation, scenario):
    expect(conversation.say(scenario["ask"])).to_contain("Booked")

class TestOnce:
    def test_greets(self, conversation):
        expect(conversation.say("hello")).to_contain("Booked")
"""


def write(folder: Path, text: str, name: str = "test_rooms.py") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def last_run() -> Run:
    return read_run(find_run("latest"))


def outcomes() -> dict[str, str]:
    """The outcome of each result of the last run, by key; repeats behind a slash."""
    return {f"{one.key}/{one.repeat}": str(one.outcome) for one in last_run().results}


def test_tests_are_run_by_pytest_and_kept(project: Path, grice: Grice) -> None:
    write(project, ROOMS)
    run = grice("run", "test_rooms.py", "--name", "Prompt v2", "--seed", "7", "--json", "out.json")
    assert run.code == 0
    assert "3 passed" in run.out
    assert re.search(r"kept in \S+/exp_\w+; see it with: grice report exp_", run.out)
    assert outcomes() == {"blue/1": "pass", "red/1": "pass", "TestOnce.test_greets/1": "pass"}
    head = last_run().experiment
    assert (head.name, head.seed, head.planned) == ("Prompt v2", 7, 3)
    assert head.command[0] == "grice"
    found = json.loads(Path("out.json").read_text())
    assert (found["complete"], len(found["results"])) == (True, 3)
    assert grice("report", "latest").code == 0


WHOLE_PYTEST = """
import pytest
from grice import expect, scenarios
from bots import other

pytestmark = pytest.mark.filterwarnings("error")
ORDER = []

@pytest.fixture(autouse=True)
def noted(request):
    ORDER.append(request.node.name)

@pytest.fixture(scope="session")
def greeting():
    return "hello"

@pytest.fixture(params=["one", "two"])
def size(request):
    return request.param

def test_parametrised_fixture(conversation, greeting, size):
    expect(conversation.say(f"{greeting} {size}")).to_contain(size)

@pytest.mark.parametrize("colour", ["red", "blue"])
def test_parametrised(conversation, colour, tmp_path):
    tmp_path.joinpath("it").write_text(colour)
    expect(conversation.say(colour)).to_contain(colour)

class TestOuter:
    @pytest.fixture
    def agent(self):
        return other

    class TestInner:
        def setup_method(self):
            self.word = "another"

        def test_has_the_agent_of_its_class(self, conversation):
            expect(conversation.say("hi")).to_contain(self.word)

def test_autouse(conversation, request):
    assert ORDER[-1] == request.node.name
    conversation.say("hi")

@pytest.mark.xfail
def test_known(conversation):
    expect(conversation.say("bad")).to_contain("Booked")

@pytest.mark.skip(reason="not yet")
def test_not_yet(conversation):
    raise RuntimeError

def test_plain():
    raise RuntimeError("is left out")
"""


def test_everything_of_pytest_is_there(project: Path, grice: Grice) -> None:
    write(project, WHOLE_PYTEST)
    run = grice("run", "test_rooms.py")
    assert run.code == 0
    assert "6 passed, 1 skipped, 1 deselected, 1 xfailed" in run.out
    assert "is left out" not in run.out
    assert outcomes()["TestOuter.TestInner.test_has_the_agent_of_its_class/1"] == "pass"
    assert outcomes()["test_known/1"] == outcomes()["test_not_yet/1"] == "skipped"


def test_options_of_pytest_arrive_there(project: Path, grice: Grice) -> None:
    write(project, ROOMS.replace('"ask": "red"', '"ask": "bad"'))
    run = grice("run", "test_rooms.py", "-k", "blue or greets", "--repeat", "2", "--verbose")
    assert run.code == 0
    assert set(outcomes()) == {"blue/1", "blue/2", "TestOnce.test_greets/1", "TestOnce.test_greets/2"}
    assert "test_books[blue-repeat-2] PASSED" in run.out
    assert grice("run", "test_rooms.py::test_books[red]", "test_rooms.py::TestOnce", "-x").code == 1
    run = grice("run", "test_rooms.py", "--last-failed")
    assert (run.code, set(outcomes())) == (1, {"red/1"})
    assert "FAILED test_rooms.py::test_books[red] - contain 'Booked'" in run.out


@pytest.mark.slow
def test_tests_are_spread_over_processes(
    project: Path, grice: Grice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_PLUGINS", "xdist")
    write(project, ROOMS)
    run = grice("run", "test_rooms.py", "-n", "2", "--name", "spread")
    assert (run.code, len(outcomes()), last_run().experiment.name) == (0, 3, "spread")
    assert last_run().experiment.command[:1] == ("grice",)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["test_none.py"], 2, "no test was run: none asks for a fixture of Grice"),
        (["test_wrong.py"], 2, "ModuleNotFoundError: No module named 'no_such_module'"),
        (["test_skipped.py"], 2, "1 skipped"),
        (["test_gone.py"], 2, "test_gone.py: there is no such file"),
        (["test_skipped.py::test_other"], 2, "not found: "),
        (
            ["test_skipped.py", "rooms.json"],
            2,
            "rooms.json: the tests of test_skipped.py are pytest's, which",
        ),
        (["test_skipped.py", "--check", "bots:is_booked"], 2, "--check is for scenario sets, and there is"),
        (["test_skipped.py", "--resume", "exp_none"], 2, "exp_none: there is no such run"),
        (["test_skipped.py", "--mix"], 2, "--mix goes with --resume"),
    ],
)
def test_what_cannot_be_run_is_told(
    project: Path, grice: Grice, arguments: list[str], code: int, said: str
) -> None:
    write(project, "def test_plain(): pass", "test_none.py")
    write(project, "import no_such_module", "test_wrong.py")
    write(project, "import pytest\n@pytest.mark.skip\ndef test_it(conversation): pass", "test_skipped.py")
    write(project, '[{"id": "a", "goal": "A room"}]', "rooms.json")
    run = grice("run", *arguments)
    assert run.code == code
    assert said in " ".join(f"{run.out} {run.err}".split())


def test_a_pass_that_says_nothing_about_the_agent_is_no_success(project: Path, grice: Grice) -> None:
    write(
        project,
        "import pytest\n"
        "from grice import SimulatorError, expect\n"
        "def breaks(conversation): raise ZeroDivisionError\n"
        "def test_it(conversation):\n"
        "    expect(conversation.say('hello')).to_contain('Booked')\n"
        "    with pytest.raises(SimulatorError):\n"
        "        conversation.simulate(breaks)\n",
        "test_users.py",
    )
    run = grice("run", "test_users.py")
    assert (run.code, "1 passed" in run.out) == (2, True)
    assert "no conversation counts: nothing was found out about the agent" in run.err


RUNS = """
from grice import UserScript, simulated
GOOD = iter(({}))

@simulated(UserScript('hello'), runs=3, at_least=2)
def test_it(conversation):
    assert next(GOOD)
"""
CUT = """
import pytest
def test_a(conversation): conversation.say('hello')
def test_b(conversation): pytest.exit('bye', returncode=0)
def test_c(conversation): conversation.say('hello')
"""
BOTH = """
from grice import expect
def test_it(conversation, async_conversation): expect(conversation.say('hello')).to_contain('Booked')
"""
ENDS = {
    "enough runs pass": (RUNS.format("False, True, True"), 0, ""),
    "too few runs pass": (RUNS.format("False, True, False"), 1, ""),
    "cut short": (CUT, 2, "the run was cut short: 2 conversations were not finished"),
    "no agent": ("def test_it(conversation): pass", 2, ""),
    "no conversation": ("def test_it(agent): pass", 2, "no conversation was held: nothing was found out"),
    "nothing checked": ("def test_it(conversation): pass", 1, "test_it: inconclusive: nothing was said"),
    "both faces": (BOTH, 0, ""),
}


@pytest.mark.parametrize(("text", "code", "why"), ENDS.values(), ids=ENDS)
def test_the_exit_code_says_what_was_found_out(
    project: Path, grice: Grice, request: pytest.FixtureRequest, text: str, code: int, why: str
) -> None:
    write(project, text, "test_ends.py")
    agent = ("--agent", "nope:agent") if "no agent" in request.node.name else ()
    run = grice("run", "test_ends.py", *agent)
    assert (run.code, why in run.err) == (code, True), run.out + run.err


CONFTEST = """
import pytest

@pytest.fixture
def chat(conversation): return conversation.say

@pytest.fixture
def agent(): return lambda text: "other"
"""
OTHER = "scenarios: [{id: a, say: hi, expect: [{matcher: toContain, expected: other}]}]"


def test_tests_that_only_pytest_finds_are_not_left_out(project: Path, grice: Grice) -> None:
    write(project, CONFTEST, "conftest.py")
    write(project, "def test_wrapped(chat): assert chat('hello').text == 'Bye'", "test_wrap.py")
    write(project, OTHER, "a.grice.yaml")
    run = grice("run", ".")
    assert (run.code, "1 failed" in run.out, "1 passed" in run.out) == (1, True, True)


def test_an_agent_of_a_fixture_holds_for_a_suite_by_either_command(project: Path, grice: Grice) -> None:
    write(project, CONFTEST, "conftest.py")
    write(project, OTHER, "a.grice.yaml")
    assert grice("run", "a.grice.yaml").code == 0


def test_an_id_with_an_address_is_given_as_it_is(project: Path, grice: Grice) -> None:
    text = "def test_url(conversation, url): assert conversation.say(url).text"
    write(project, f"import pytest\n@pytest.mark.parametrize('url', ['http://x/y'])\n{text}", "test_url.py")
    assert grice("run", "test_url.py::test_url[http://x/y]").code == 0


def test_without_pytest_it_is_said_how_to_install_it(
    project: Path, grice: Grice, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(project, ROOMS)
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: None if name == "pytest" else find(name, *rest)
    )
    run = grice("run", "test_rooms.py")
    assert (run.code, run.out) == (2, "")
    assert "which is not installed: pip install pytest" in run.err


@pytest.mark.slow
def test_a_reader_that_leaves_ends_the_run(project: Path) -> None:
    write(project, ROOMS)
    command = [sys.executable, "-m", "grice", "run", "test_rooms.py"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert (process.wait(60), process.stderr.read()) == (141, "")


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
    assert run.code == 1
    assert r"half \ud800 of it" in run.out
    assert "1 failed, 1 passed" in run.out
    results = json.loads(Path("out.json").read_text())["results"]
    assert sorted(one["outcome"] for one in results) == ["fail", "pass"]
    assert "half \ufffd of it" in Path("out.json").read_text()
    assert "half \ufffd of it" in grice("report", "--json", "-").out
    for form in ("--verbose", "--markdown", "--junit"):
        assert "half \ufffd of it" in grice("report", form).out


def test_names_of_tests_that_a_project_has_given_pytest_are_known(project: Path, grice: Grice) -> None:
    with (project / "pyproject.toml").open("a") as settings:
        settings.write('\n[tool.pytest.ini_options]\npython_files = ["check_*.py"]\n')
    write(project, "def test_it(conversation): assert conversation.say('hello').text == 'Bye'", "check_it.py")
    write(project, OTHER, "a.grice.yaml")
    run = grice("run", ".")
    assert (run.code, "2 failed" in run.out) == (1, True)
