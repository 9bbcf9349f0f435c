"""`grice report`."""

import errno
import json
import os
import shutil
from pathlib import Path
from xml.etree import ElementTree as ET

import msgspec
import pytest
from grice_command import Grice

from grice.records import Classification, Conversation, Message, Outcome, Result, Turn, Verdict
from grice.running.journal.experiment import Experiment
from grice.running.journal.form import Begun
from grice.running.journal.writing import Journal

GRAPH = {"topics": ["greeting", "booking"], "edges": [["greeting", "booking"]]}


def result(number: int, outcome: Outcome = Outcome.PASS, topic: str = "greeting") -> Result:
    turn = Turn(
        1,
        (Message("user", "Hi"), Message("assistant", "Hello!")),
        classified=Classification(topic, "start") if topic else None,
    )
    verdict = Verdict(outcome, "" if outcome is Outcome.PASS else "it does not", claim="the reply to greet")
    failure = "none" if outcome is Outcome.PASS else "assertion"
    return Result(
        f"example:{number}", f"scenario-{number}", outcome, Conversation(turns=(turn,)), (verdict,), failure
    )


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(
    id_: str,
    *results: Result,
    planned: int | None = None,
    graph: object = GRAPH,
    command: tuple[str, ...] = (),
) -> Path:
    time = f"2025-01-16T14:30:0{id_[-1]}.000Z"
    many = len(results) if planned is None else planned
    head = Experiment(id_, time, planned=many, command=command, topic_graph=graph)  # type: ignore[arg-type]
    folder = Path(".grice", "runs", id_)
    with Journal.create(folder, head) as journal:
        for one in results:
            journal.append(one)
    return folder


def test_a_run_that_passed_is_shown_with_exit_code_0(folder: Path, grice: Grice) -> None:
    written("exp_1", result(1))
    written("exp_2", result(1), result(2), planned=2)
    run = grice("report", "latest")
    assert (run.code, run.err) == (0, "")
    assert "Experiment: exp_2" in run.out
    assert "Completion Rate: 100% (2/2)" in run.out
    assert grice("report").out == run.out
    assert "Experiment: exp_1" in grice("report", "exp_1").out
    assert "Experiment: exp_1" in grice("report", folder / ".grice" / "runs" / "exp_1").out
    (folder / ".grice" / "runs").rename(folder / "kept")
    moved = grice("report", "latest", "--runs", "kept").out
    assert moved == run.out.removesuffix("\n") + " --runs kept\n"


def test_the_report_ends_with_how_to_compare(folder: Path, grice: Grice) -> None:
    written("exp_1", result(1))
    assert grice("report").out.endswith(
        "\nTo compare with a baseline, once there is a later run:\n  grice compare latest --baseline exp_1\n"
    )
    written("exp_2", result(1))
    assert grice("report").out.endswith(
        "\nTo compare with a baseline:\n  grice compare exp_2 --baseline exp_1\n"
    )
    written("exp_3")
    shown = grice("report", "exp_3").out
    assert "compare" not in shown
    assert not shown.rstrip().endswith("\u2500")


def test_what_newly_fails_is_the_answer_in_each_form(folder: Path, grice: Grice) -> None:
    written("exp_1", result(1), result(2, Outcome.FAIL), result(3))
    written("exp_2", result(1, Outcome.FAIL), result(2), result(3))
    answer = "1 test newly fails: scenario-1; 1 newly passes: scenario-2"
    rate = "1 of 3 conversations failed (66.7% passed), compared with exp_1."
    shown = grice("report").out
    assert shown.startswith(f"{answer}\n{rate}\n\nGrice: Experiment Summary\n")
    assert "\n  scenario-1  newly fails\n" in shown
    assert f"\n### \u2717 Grice: {answer}\n" in grice("report", "--markdown").out
    first = "1 of 3 conversations failed (66.7% passed)\nFailed: scenario-2.\n\nGrice"
    assert grice("report", "exp_1").out.startswith(first)


def test_the_report_is_saved_under_the_id_of_the_run(folder: Path, grice: Grice) -> None:
    written("exp_1", result(1))
    for _ in range(2):  # its own file is written over
        run = grice("report", "--save")
        assert (run.code, run.err) == (0, "")
        assert "\nResults saved to: results/exp_1.json\n" in run.out
    saved = (folder / "results" / "exp_1.json").read_text()
    beside = grice("report", "--json", "-", "--save-to", "elsewhere")
    assert beside.out == saved == (folder / "elsewhere" / "exp_1.json").read_text()
    assert beside.err == "Results saved to: elsewhere/exp_1.json\n"
    (folder / "pyproject.toml").write_text('[tool.grice]\nresults = "kept"\n')
    assert "Results saved to: kept/exp_1.json" in grice("report", "--save").out
    assert (folder / "kept" / "exp_1.json").read_text() == saved


def test_a_report_that_cannot_be_saved_is_shown_all_the_same(folder: Path, grice: Grice) -> None:
    written("exp_1", result(1))
    (folder / "results").write_text("mine")
    run = grice("report", "--save")
    assert run.code == 2
    assert "Completion Rate: 100% (1/1)" in run.out
    assert run.err.startswith("error: the report cannot be written: results/exp_1.json: the folder cannot")


@pytest.mark.parametrize(
    "options", [["--json", "out"], ["--junit", "-o", "out"], ["--markdown", "-o", "out"], ["--save-to", "."]]
)
def test_a_full_disk_is_one_line_with_exit_code_2(
    folder: Path, grice: Grice, monkeypatch: pytest.MonkeyPatch, options: list[str]
) -> None:
    written("exp_1", result(1))

    def full(file: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    run = grice("report", *options)
    name = "exp_1.json: cannot be written" if "--save-to" in options else "out"
    assert run.code == 2
    assert run.err == f"error: the report cannot be written: {name}: No space left on device\n"
    assert os.listdir(folder) == [".grice"]


def test_the_markdown_and_the_xml_have_the_exit_code_of_the_run(folder: Path, grice: Grice) -> None:
    written("exp_1", result(1), result(2, Outcome.FAIL), planned=3)
    for form, beginning in (("--markdown", "<!-- grice.experiment -->"), ("--junit", "<?xml version")):
        run = grice("report", form)
        assert run.code == 2
        assert run.out.startswith(beginning)
        assert "1 of 3 conversations were not finished" in run.err
        for _ in range(2):  # its own file is written over
            assert grice("report", form, "-o", "out").out == ""
        assert (folder / "out").read_text() == run.out
        (folder / "out").unlink()


def test_the_markdown_is_added_to_the_summary_of_a_step(
    folder: Path, grice: Grice, monkeypatch: pytest.MonkeyPatch
) -> None:
    written("exp_1", result(1))
    run = grice("report", "--step-summary")
    assert (run.code, run.out) == (2, "")
    assert "GITHUB_STEP_SUMMARY is not set" in run.err
    page = folder / "summary.md"
    page.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(page))
    assert "Completion Rate" in grice("report", "--step-summary").out
    shown = grice("report", "--markdown").out
    assert page.read_text() == f"before\n{shown}\n"


def test_what_was_begun_and_not_finished_is_in_every_form(folder: Path, grice: Grice) -> None:
    head = Experiment("exp_1", "2025-01-16T14:30:01.000Z", planned=3)
    with Journal.create(Path(".grice", "runs", "exp_1"), head) as journal:
        journal.append(result(1))
        journal.begin(Begun("example:2", "torn-off"))
    assert "Begun and not finished: torn-off\nNever begun: 1 conversation\n" in grice("report").out
    found = json.loads(grice("report", "--json", "-").out)
    assert (found["unfinished"], found["never_begun"]) == (["torn-off"], 1)
    assert "Begun and not finished: torn-off" in grice("report", "--markdown").out
    suite = ET.fromstring(grice("report", "--junit").out)
    assert suite.get("errors") == "2"


def test_a_result_that_cannot_be_read_is_one_error_in_junit_with_its_note(folder: Path, grice: Grice) -> None:
    head = Experiment("exp_1", "2025-01-16T14:30:01.000Z", planned=2)
    with Journal.create(Path(".grice", "runs", "exp_1"), head) as journal:
        journal.append(result(1))
        journal.begin(Begun("example:2", "torn-off", group="test_rooms"))
    with journal.path.open("a") as stream:
        stream.write('{"result": 1}\n')
    suite = ET.fromstring(grice("report", "--junit").out).find("testsuite")
    assert suite is not None
    assert suite.get("errors") == "1"
    last = suite.findall("testcase")[-1]
    assert (last.get("classname"), last.get("name")) == ("test_rooms", "torn-off")
    notes = suite.findtext("system-out")
    assert notes is not None
    assert "main.jsonl:4: left out, it cannot be read" in notes


def test_a_run_with_a_failure_has_exit_code_1(folder: Path, grice: Grice) -> None:
    written("exp_1", result(1), result(2, Outcome.FAIL))
    run = grice("report", "exp_1")
    assert (run.code, run.err) == (1, "")
    assert "\n\n  scenario-2\n" in run.out
    assert "scenario-1" not in run.out
    assert "Scenario: scenario-1" in grice("report", "exp_1", "--verbose").out


def test_a_result_without_checks_says_that_asserts_are_not_seen(folder: Path, grice: Grice) -> None:
    written("exp_1", result(1), Result("example:2", "unseen", Outcome.INCONCLUSIVE, Conversation()))
    told = "no check of Grice was made; plain asserts are not seen\n"
    assert f"Scenario: unseen\n\n  {told}" in grice("report", "--verbose").out
    assert f"\n\n  unseen\n       inconclusive {told}" in grice("report").out


def test_a_run_that_was_stopped_has_exit_code_2_and_says_how_to_go_on(folder: Path, grice: Grice) -> None:
    written("exp_1", result(1, Outcome.FAIL), planned=3)
    run = grice("report", "exp_1")
    assert run.code == 2
    assert run.err == (
        "error: 2 of 3 conversations were not finished: give the same command and --resume exp_1\n"
    )


def test_a_run_of_pytest_that_was_stopped_is_run_again(folder: Path, grice: Grice) -> None:
    written("exp_1", result(1), planned=3, command=("pytest", "-q"))
    run = grice("report", "exp_1")
    assert run.code == 2
    assert run.err == (
        "error: 2 of 3 conversations were not finished; pytest cannot go on with a run: run it again\n"
    )


def test_a_run_without_results_has_exit_code_2(folder: Path, grice: Grice) -> None:
    written("exp_1")
    run = grice("report", "exp_1")
    assert run.code == 2
    assert "No conversation was finished" in run.out
    assert "error: no conversation was finished" in run.err


def test_a_damaged_journal_is_reported_and_has_exit_code_2(folder: Path, grice: Grice) -> None:
    path = written("exp_1", result(1), result(2)) / "main.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + b"rubbish\n" + lines[2] + b'{"result":')
    run = grice("report", "exp_1")
    assert run.code == 2
    assert "main.jsonl:2: left out, it cannot be read" in run.out
    assert "main.jsonl:4: the last line is torn (10 bytes)" in run.out
    assert "Completion Rate: 100% (1/1)" in run.out
    assert "error: 1 line of the journal cannot be read\n" in run.err


def test_a_run_that_is_not_there_is_told_with_the_nearest(folder: Path, grice: Grice) -> None:
    written("exp_abc1", result(1))
    run = grice("report", "exp_acb1")
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith("error: exp_acb1: there is no such run (did you mean 'exp_abc1'?)")


def test_the_json_goes_to_the_terminal_or_to_a_file(folder: Path, grice: Grice) -> None:
    written("exp_1", result(1), result(2, Outcome.FAIL))
    run = grice("report", "exp_1", "--json", "-")
    assert run.code == 1
    assert json.loads(run.out)["summary"]["completion_rate"] == 0.5
    for _ in range(2):  # its own file is written over
        assert grice("report", "exp_1", "--json", "out.json").out == grice("report", "exp_1").out
    assert (folder / "out.json").read_text() == run.out


@pytest.mark.parametrize("kind", ["mermaid", "svg"])
def test_the_graph_is_drawn(folder: Path, grice: Grice, kind: str) -> None:
    written("exp_1", result(1), result(2, Outcome.FAIL, "booking"))
    run = grice("report", "exp_1", "--graph", kind)
    assert run.code == 0
    if kind == "svg":
        ET.fromstring(run.out)
    assert "booking" in run.out
    assert "Topics of exp_1" in run.out
    for _ in range(2):
        assert grice("report", "exp_1", "--graph", kind, "-o", "graph").code == 0
    assert (folder / "graph").read_text() == run.out


def test_a_run_without_topics_has_nothing_to_draw(folder: Path, grice: Grice) -> None:
    written("exp_1", result(1, topic=""), graph={})
    run = grice("report", "exp_1", "--graph", "svg")
    assert (run.code, run.out) == (2, "")
    assert "followed a topic graph: nothing to draw" in run.err


def test_a_file_of_somebody_else_is_not_written_over(folder: Path, grice: Grice) -> None:
    written("exp_1", result(1))
    (folder / "mine.svg").write_text("<svg/>")
    run = grice("report", "exp_1", "--graph", "svg", "-o", "mine.svg")
    assert run.code == 2
    assert "mine.svg exists and is no result of Grice" in run.err
    assert (folder / "mine.svg").read_text() == "<svg/>"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--graph", "svg", "--json", "-"], "--graph and --json - exclude each other"),
        (["--graph", "svg", "--json", "x.json"], "--graph only draws: --json and --html go with a report"),
        (["--junit", "--markdown"], "--markdown and --junit exclude each other"),
        (
            ["--output", "x.txt"],
            "--output goes with --markdown, --junit or --graph; for the text use > FILE",
        ),
        (
            ["--graph", "svg", "--save"],
            "--graph only draws: --save, --save-to and --step-summary go with a report",
        ),
    ],
)
def test_wrong_usage_is_told(folder: Path, grice: Grice, options: list[str], message: str) -> None:
    written("exp_1", result(1))
    run = grice("report", "exp_1", *options)
    assert (run.code, run.out, run.err) == (2, "", f"error: {message}\n")


def test_runs_are_listed_with_their_completion(folder: Path, grice: Grice) -> None:
    written("exp_1", result(1), result(2, Outcome.FAIL))
    written("exp_2", result(1), planned=3)
    soft = msgspec.structs.replace(result(1).verdicts[0], mode="soft")
    written("exp_3", msgspec.structs.replace(result(1), verdicts=(soft,)))
    written("exp_4")
    head = Experiment(
        "exp_5",
        "2025-01-16T14:30:05.000Z",
        name="two\nlines",
        tags=("nightly", "slow"),
        git_branch="main",
        planned=0,
    )
    Journal.create(Path(".grice", "runs", "exp_5"), head).close()
    run = grice("report", "--list")
    assert (run.code, run.err) == (0, "")
    assert (
        run.out
        == """Run    Began                    Name        Tags           Branch  Completion
exp_5  2025-01-16 14:30:05 UTC  two\\nlines  nightly, slow  main    nothing counts, not finished
exp_4  2025-01-16 14:30:04 UTC  -           -              -       nothing counts, not finished
exp_3  2025-01-16 14:30:03 UTC  -           -              -       never checked
exp_2  2025-01-16 14:30:02 UTC  -           -              -       100% (1/1), not finished
exp_1  2025-01-16 14:30:01 UTC  -           -              -       50.0% (1/2)
"""
    )


@pytest.mark.slow
def test_a_list_is_of_the_latest_and_names_what_cannot_be_read(folder: Path, grice: Grice) -> None:
    assert grice("report", "--list").out == "no runs in .grice/runs: grice run, or pytest --grice-store\n"
    for number in range(22):
        head = Experiment(f"exp_{number:02}", f"2025-01-16T14:30:{number:02}.000Z", planned=1)
        with Journal.create(Path(".grice", "runs", head.id), head) as journal:
            journal.append(result(1))
    run = grice("report", "--list")
    assert run.code == 0
    assert len(run.out.splitlines()) == 22
    assert run.out.endswith("\nand 2 earlier; --verbose lists all\n")
    assert len(grice("report", "--list", "--verbose").out.splitlines()) == 23
    broken = Path(".grice", "runs", "exp_x")
    broken.mkdir()
    (broken / "main.jsonl").write_text("rubbish\n")
    run = grice("report", "--list")
    assert run.code == 2
    assert run.err.startswith("error: .grice/runs/exp_x/main.jsonl")
    assert len(run.out.splitlines()) == 22
    (broken / "main.jsonl").unlink()
    (broken / "main.lock").touch()
    run = grice("report", "--list")
    assert (run.code, run.err) == (2, "error: .grice/runs/exp_x: nothing was written to its journal\n")
    assert "exp_x: nothing was written to its journal; it is newer than exp_21" in grice("report").err


def test_a_copied_run_is_listed_once(folder: Path, grice: Grice) -> None:
    written("exp_1", result(1))
    shutil.copytree(Path(".grice", "runs", "exp_1"), Path(".grice", "runs", "exp_copy"))
    run = grice("report", "--list")
    assert (run.code, len(run.out.splitlines())) == (0, 2)
    told = "warning: .grice/runs/exp_copy: it has the same run as .grice/runs/exp_1, which is the one that"
    assert " ".join(run.err.split()) == f"{told} counts: remove one of the two"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--json", "-"), "--list only lists runs: it does not go with --json"),
        (("--markdown", "--save"), "--list only lists runs: it does not go with --markdown, --save"),
        (("main",), "--list lists all runs: expected no RUN, found 'main'"),
        (("--runs", "file"), "file: expected a folder of runs, found a file"),
    ],
)
def test_a_list_with_more_is_refused(
    folder: Path, grice: Grice, options: tuple[str, ...], message: str
) -> None:
    Path("file").touch()
    run = grice("report", "--list", *options)
    assert (run.code, run.err) == (2, f"error: {message}\n")


def test_a_baseline_is_no_run_to_report(folder: Path, grice: Grice) -> None:
    written("exp_1", result(1))
    assert grice("baseline", "main").code == 0
    run = grice("report", "main")
    assert run.code == 2
    assert " ".join(run.err.split()).endswith(
        "a baseline is called so: it has no conversations to report, grice compare and grice gate take it"
    )
    assert "baseline is called" not in grice("report", "other").err
