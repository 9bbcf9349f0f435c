"""`grice run` with folders of tests, and runs that do not start."""

import sys
from pathlib import Path

import pytest
from grice_command import Grice
from test_run_tests import ONLY_PYTEST, ROOMS, passed, write


def test_a_folder_has_the_tests_below_it_that_hold_conversations(project: Path, grice: Grice) -> None:
    write(project, ROOMS, "tests/deep/test_rooms.py")
    write(project, ONLY_PYTEST, "tests/only_test.py")
    write(project, "raise RuntimeError('is not imported')\ndef test_unit(): pass\n", "tests/test_unit.py")
    write(project, "raise RuntimeError('conversation')\n", "tests/rooms.py")
    run = grice("run", "tests", "tests/deep/test_rooms.py", "tests/deep")
    assert (run.code, run.err) == (0, "")
    assert passed(run.out) == {
        "test_rooms.py::test_books[blue]",
        "test_rooms.py::test_books[red]",
        "test_rooms.py::TestOnce::test_greets",
        "test_rooms.py::TestOnce::test_waits",
        "only_test.py::test_runs",
        "only_test.py::test_here",
    }
    assert "tests/only_test.py::test_plain is left out: test_plain asks for nothing" in run.out
    assert "tests: left out, as no conversation is asked for there: tests/test_unit.py\n" in run.out
    assert "is not imported" not in run.out


def test_a_folder_has_goldens_suites_and_tests(project: Path, grice: Grice) -> None:
    write(project, ROOMS, "tests/test_rooms.py")
    check = "{matcher: toContain, expected: Booked}"
    suite = f"agent: bots:other\nscenarios: [{{id: says, say: Hi, expect: [{check}]}}]"
    write(project, suite, "tests/rooms.grice.yaml")
    run = grice("run", ".")
    assert (run.code, run.err) == (0, "")
    assert "5 passed  1 scenario, 4 conversations, 5 checks in " in run.out


def test_a_file_of_a_folder_that_cannot_be_imported_stops_the_run(project: Path, grice: Grice) -> None:
    write(project, ROOMS, "tests/test_rooms.py")
    write(project, "import no_such  # for conversations\n", "tests/test_wrong.py")
    run = grice("run", "tests")
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith("tests/test_wrong.py: cannot be imported: line 1: ModuleNotFoundError")


def test_a_folder_in_which_only_pytest_can_run_tests_is_an_error(project: Path, grice: Grice) -> None:
    write(project, "def test_unit(): pass\n", "plain/test_unit.py")
    run = grice("run", "plain")
    assert (run.code, run.out) == (2, "")
    assert "plain: no golden files in this folder; " in run.err
    assert "no tests with a conversation, in test_*.py or *_test.py" in " ".join(run.err.split())
    write(project, "def test_odd(conversation, tmp_path): pass\n", "odd/test_odd.py")
    run = grice("run", "odd")
    assert (run.code, run.out) == (2, "")
    assert "there is no test that grice run can run; use pytest" in run.err


def test_of_many_tests_that_are_left_out_only_some_are_named(project: Path, grice: Grice) -> None:
    plain = "".join(f"def test_{number}(): pass\n" for number in range(31))
    write(project, ROOMS + plain)
    run = grice("run", "test_rooms.py")
    assert run.code == 0
    said = (
        "test_rooms.py: 31 tests are left out, which only pytest can run: test_0, test_1, test_2 and 28 more"
    )
    assert said in " ".join(run.out.split())
    assert "test_30" not in run.out


@pytest.mark.slow
def test_a_run_that_does_not_start_leaves_no_gate_to_keep(project: Path, grice: Grice) -> None:
    write(project, ROOMS, "tests/test_rooms.py")
    assert grice("run", "tests", "--name", "before").code == 0
    refused = grice("run", "tests", "--name", "now", "--agent", "nowhere:at_all")
    assert refused.code == 2
    gate = grice("gate", "now", "--gate", "completion=0.8")
    assert (gate.code, gate.out) == (2, "")
    assert "now: there is no such run" in gate.err
    write(project, ROOMS.replace('"ask": "red"', '"ask": "bad"'), "tests/test_rooms.py")
    del sys.modules["test_rooms"]
    assert grice("run", "tests", "--name", "now").code == 1
    assert grice("gate", "now", "--gate", "completion=0.5").code == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--name", ""], "'--name': expected a name, found ''"),
        (["--name", " "], "'--name': expected a name, found ' '"),
        (["--name", "latest"], "'--name': expected another name than 'latest', which always means the run"),
        (["--tag", "v1", "--tag", "latest"], "'--tag': expected another name than 'latest'"),
        (["--name", "x~1"], "'--name': expected a name without ~ and a number, found 'x~1'"),
        (["--tag", ""], "'--tag': expected a name, found ''"),
        (["--agent", ""], "'--agent': expected a value, found ''"),
        (["--runs", ""], "'--runs': expected a value, found ''"),
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
