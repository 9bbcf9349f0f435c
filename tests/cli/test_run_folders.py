"""`grice run` with folders of tests, and runs that do not start."""

from pathlib import Path

import pytest
from grice_command import Grice
from test_run_tests import ROOMS, write

from grice.running.journal.folders import find_run
from grice.running.journal.reading import read_run


def test_a_folder_has_goldens_suites_and_tests_and_one_run_keeps_them(project: Path, grice: Grice) -> None:
    write(project, ROOMS, "tests/deep/test_rooms.py")
    write(project, "def test_unit(): raise RuntimeError('is left out')\n", "tests/test_unit.py")
    check = "{matcher: toContain, expected: Booked}"
    suite = f"agent: bots:other\nscenarios: [{{id: says, say: Hi, expect: [{check}]}}]"
    write(project, suite, "tests/rooms.grice.yaml")
    run = grice("run", ".")
    assert run.code == 0
    assert "4 passed, 1 deselected" in run.out
    assert "is left out" not in run.out
    assert len(read_run(find_run("latest")).results) == 4


def test_a_folder_without_anything_to_run_is_an_error(project: Path, grice: Grice) -> None:
    write(project, "def test_unit(): pass\n", "plain/test_unit.py")
    run = grice("run", "plain")
    assert (run.code, run.out) == (2, "")
    assert "plain: no golden files in this folder; " in run.err
    assert "no tests with a conversation, in test_*.py or *_test.py" in " ".join(run.err.split())


@pytest.mark.slow
def test_a_run_that_does_not_start_leaves_no_gate_to_keep(project: Path, grice: Grice) -> None:
    check = "expect: [{matcher: toContain, expected: Booked}]"
    suite = f"scenarios: [{{id: a, say: red, {check}}}, {{id: b, say: blue, {check}}}]"
    write(project, suite, "tests/rooms.grice.yaml")
    assert grice("run", "tests", "--name", "before").code == 0
    refused = grice("run", "tests", "--name", "now", "--agent", "nowhere:at_all")
    assert refused.code == 2
    gate = grice("gate", "now", "--gate", "completion=0.8")
    assert (gate.code, gate.out) == (2, "")
    assert "now: there is no such run" in gate.err
    write(project, suite.replace("red", "bad"), "tests/rooms.grice.yaml")
    assert grice("run", "tests", "--name", "now").code == 1
    assert grice("gate", "now", "--gate", "completion=0.5").code == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--name", ""], "Error: --name: expected a name, found ''"),
        (["--name", " "], "Error: --name: expected a name, found ' '"),
        (
            ["--name", "latest"],
            "Error: --name: expected another name than 'latest', which always means the run",
        ),
        (["--tag", "v1", "--tag", "latest"], "Error: --tag: expected another name than 'latest'"),
        (["--name", "x~1"], "Error: --name: expected a name without ~ and a number, found 'x~1'"),
        (["--tag", ""], "Error: --tag: expected a name, found ''"),
        (["--agent", ""], "Error: --agent: expected a value, found ''"),
        (["--runs", ""], "Error: --runs: expected a value, found ''"),
    ],
)
def test_a_name_that_would_mean_another_run_and_an_empty_option_are_refused(
    project: Path, grice: Grice, options: list[str], said: str
) -> None:
    write(project, ROOMS)
    run = grice("run", "test_rooms.py", *options)
    assert (run.code, run.out) == (2, "")
    assert said in run.err
    assert not Path(".grice").exists()
