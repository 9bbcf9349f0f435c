"""`grice validate drift` as its user sees it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from grice_command import Run

from grice.cli.validate_drift import Command
from grice.cli.validate_drift_work import show_drift

BOTS = """
import json
from pathlib import Path
from grice import criterion
from grice.llm import ScriptedLLM

criteria = [criterion("kind", "The reply is kind.")]
others = [criterion("kind", "The reply is very kind.")]
number = 3

def answer(request):
    with open("asked.txt", "a") as asked:
        asked.write("x")
    text = request.messages[1]["content"]
    said = next(score for word, score in json.loads(Path("scores.json").read_text()).items() if word in text)
    said = said[request.sample % len(said)] if isinstance(said, list) else said
    if said == "interrupt":
        raise KeyboardInterrupt
    if isinstance(said, bool):
        return {"requirement": "r", "reasoning": "so", "quote": "", "satisfied": said}
    return {"requirement": "r", "reasons": ["it is stiff"], "score": said}

def judge():
    return ScriptedLLM({"naturalness": answer, "criterion": answer}, name="model-1")

def newer():
    return ScriptedLLM({"naturalness": answer, "criterion": answer}, name="model-2")
"""
ROWS = [
    {"id": "a1", "judge": "naturalness", "scenario": "greeting", "user": "Hi", "text": "Hello, alpha!"},
    {"id": "a2", "judge": "naturalness", "scenario": "refund", "user": "Hi", "text": "Money back, beta."},
    {"id": "a3", "judge": "kind", "user": "Hi", "text": "Of course, gamma."},
]
STEADY = {"alpha": 4.1, "beta": 3.5, "gamma": True}
DROPPED = {"alpha": 3.6, "beta": 3.5, "gamma": True}

Drift = Callable[..., Run]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    Path("bots.py").write_text(BOTS)
    Path("pyproject.toml").write_text(
        '[tool.grice]\njudge_llm = "bots:judge"\ncriteria = "bots:criteria"\nrequire_card = true\n'
    )
    write(*ROWS)
    answers(STEADY)
    yield tmp_path
    sys.modules.pop("bots", None)


@pytest.fixture
def drift(folder: Path, capsys: pytest.CaptureFixture[str]) -> Drift:
    def run(anchors: str = "anchors.jsonl", **options: Any) -> Run:
        files = {name: Path(options[name]) for name in ("baseline", "issue", "json") if name in options}
        code = show_drift(Command(anchors=Path(anchors), **{**options, **files}))
        captured = capsys.readouterr()
        return Run(code, captured.out, captured.err)

    return run


@pytest.fixture
def accepted(drift: Drift) -> bytes:
    """A baseline of `STEADY`; its content."""
    assert drift(accept=True).code == 0
    Path("asked.txt").unlink()
    return Path("anchors.baseline.json").read_bytes()


def write(*rows: object) -> None:
    Path("anchors.jsonl").write_text("".join(json.dumps(one) + "\n" for one in rows))


def answers(scores: dict[str, Any]) -> None:
    Path("scores.json").write_text(json.dumps(scores))


def baseline() -> bytes:
    return Path("anchors.baseline.json").read_bytes()


def test_without_a_baseline_nobody_is_asked(drift: Drift) -> None:
    run = drift()
    assert (run.code, run.out) == (2, "")
    assert run.err == "error: there is no baseline anchors.baseline.json: run with --accept to make one\n"
    assert not Path("asked.txt").exists()
    assert not Path("anchors.baseline.json").exists()


def test_a_judge_for_all_is_told_once_and_named_in_the_issue(drift: Drift) -> None:
    write(*({name: one[name] for name in one if name != "judge"} for one in ROWS))
    assert drift().err.startswith(
        "error: anchors.jsonl:1:1: which judge is this an anchor of (and of 2 more)?"
    )
    run = drift(judge="naturalnes")
    assert run.err.startswith("error: anchors.jsonl: --judge: unknown judge 'naturalnes' (did you mean")
    assert run.err.count("error:") == 1
    answers({**STEADY, "gamma": 4})
    assert drift(accept=True, judge="naturalness").code == 0
    answers({**DROPPED, "gamma": 4})
    assert drift(judge="naturalness").code == 1
    assert (
        "--baseline anchors.baseline.json --judge naturalness --accept\n```\n"
        in Path("anchors.drift.md").read_text()
    )


def test_a_set_too_large_for_a_baseline_is_refused(drift: Drift) -> None:
    write(*({"id": str(number), "judge": "kind", "text": f"Reply {number}."} for number in range(203)))
    run = drift(accept=True, samples=99)
    assert (run.code, run.err) == (2, "error: 203 anchors, 99 samples each: more than 20,000 answers\n")


def test_the_first_baseline_is_made_on_request(drift: Drift) -> None:
    run = drift(accept=True)
    assert (run.code, run.err) == (0, "")
    assert run.out == (
        "Accepted as the first baseline: 3 anchors of naturalness, kind.\nWritten: anchors.baseline.json\n"
    )
    held = json.loads(baseline())["judges"]["naturalness"]
    assert (held["model"], held["scenarios"]["greeting"]["median"]) == ("model-1", "4.1")


def test_no_drop_is_exit_code_0_and_leaves_the_baseline(drift: Drift, accepted: bytes) -> None:
    run = drift()
    assert (run.code, run.err) == (0, "")
    assert run.out.startswith(
        "No drift: no drop of 0.5 or more in 3 scenarios.\n\n"
        "What changed\n  Same models, prompts and criteria as then.\n"
    )
    assert baseline() == accepted
    assert not Path("anchors.drift.md").exists()


def test_a_drop_is_exit_code_1_every_time_and_writes_an_issue(drift: Drift, accepted: bytes) -> None:
    answers(DROPPED)
    for _ in range(2):  # the reference saved first, and then compared with what it had saved
        run = drift()
        assert (run.code, run.err) == (1, "")
        assert run.out.startswith(
            "Drift: naturalness fell by 0.5 on greeting.\n1 of 3 scenarios dropped by 0.5 or more.\n"
        )
        assert "naturalness  greeting   4.1  3.6    -0.5  warning" in run.out
        assert "The body of an issue is in anchors.drift.md" in run.out
        assert baseline() == accepted
    issue = Path("anchors.drift.md").read_text()
    assert "### ✗ Grice: Drift: naturalness fell by 0.5 on greeting." in issue
    assert "it is stiff" in issue


def test_the_report_has_the_forms_of_its_siblings(drift: Drift, accepted: bytes) -> None:
    answers({**STEADY, **DROPPED})
    run = drift(markdown=True)
    assert run.code == 1
    assert run.out.startswith("<!-- grice.drift -->\n\n### \u2717 Grice: Drift: ")
    assert "The body of an issue is in anchors.drift.md" in run.err
    assert "The body of an issue" not in run.out


def test_a_rise_is_told_and_is_no_alarm(drift: Drift, accepted: bytes) -> None:
    answers({**STEADY, "alpha": 5, "beta": 3.2})
    run = drift()
    assert run.code == 0
    assert "3 scenarios; 1 rose by 0.3 or more; 1 fell by less than 0.5." in run.out


def test_what_changed_about_the_judge_is_told(drift: Drift, accepted: bytes) -> None:
    run = drift(llm="bots:newer", criteria="bots:others")
    assert run.code == 0
    first, second, third = run.out.split("What changed\n  ")[1].split("\n  ")[:3]
    assert first == "Changed: the model of naturalness, model-1 -> model-2"
    assert second == "Changed: the model of kind, model-1 -> model-2"
    assert third.startswith("Changed: the criterion of kind, ")


def test_accepting_compares_first_and_then_replaces(drift: Drift, accepted: bytes) -> None:
    answers(DROPPED)
    run = drift(accept=True)
    assert run.code == 1
    assert "Accepted: the next run is compared with this one." in run.out
    assert baseline() != accepted
    assert drift().code == 0


def test_samples_are_as_many_as_then_and_show_the_noise(drift: Drift) -> None:
    answers({**STEADY, "alpha": [4.1, 4.3, 3.4]})
    assert drift(accept=True, samples=3).code == 0
    answers({**STEADY, "alpha": 3.5, "gamma": False})
    run = drift()
    assert run.code == 1
    told = " ".join(run.out.split())
    assert (
        "greeting: -0.6, within the spread of the baseline's own samples (3.4-4.3): it may be noise" in told
    )
    assert "kind, a3: -1, outside the spread of the baseline's own samples (all 1)" in told
    assert len(Path("asked.txt").read_text()) == 18


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (ROWS[:2], ["(removed: a3)", "the baseline has the judge kind, and this run has no anchor of it"]),
        ([*ROWS, {**ROWS[0], "id": "a4", "text": "Hi, alpha"}], ["(added: a4)"]),
        ([{**ROWS[0], "text": "Hey, alpha!"}, *ROWS[1:]], ["(changed: a1)"]),
        (
            [{**ROWS[0], "scenario": "hello"}, *ROWS[1:]],
            ["(changed: a1)", "has nothing of the scenario hello"],
        ),
    ],
)
@pytest.mark.parametrize("accept", [False, True])
def test_the_set_is_frozen(
    drift: Drift, accepted: bytes, rows: list[object], said: list[str], accept: bool
) -> None:
    write(*rows)
    run = drift(accept=accept)
    assert run.code == 2
    for part in said:
        assert part in run.err
    assert "remove anchors.baseline.json and run with --accept to begin anew" in run.err
    assert baseline() == accepted
    assert not Path("asked.txt").exists()


@pytest.mark.parametrize("accept", [False, True])
def test_a_judge_without_an_answer_is_no_result(drift: Drift, accepted: bytes, accept: bool) -> None:
    answers({**DROPPED, "beta": 9})
    run = drift(accept=accept, json="drift.json")
    assert run.code == 2
    assert "-0.5  warning" in run.out
    assert "the judge naturalness gave no answer for the scenario refund: anchor a2: " in run.err
    assert baseline() == accepted
    assert json.loads(Path("drift.json").read_text())["complete"] is False


def test_what_cannot_be_told_is_in_the_headline(drift: Drift, accepted: bytes) -> None:
    answers({**STEADY, "beta": 9})
    run = drift()
    assert run.code == 2
    assert run.out.startswith("No drift: no drop of 0.5 or more in 2 scenarios; 1 cannot be told.")


def test_no_baseline_is_made_of_missing_answers(drift: Drift) -> None:
    answers({**STEADY, "alpha": [4, 9]})
    run = drift(accept=True, samples=2)
    assert run.code == 2
    assert "naturalness, greeting: 1 of 2 answers are missing" in run.err
    assert not Path("anchors.baseline.json").exists()


def test_an_interrupted_run_compares_nothing(
    drift: Drift, accepted: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("grice.cli.validate_drift_work.rejudge", interrupted)
    run = drift(accept=True)
    assert (run.code, run.out) == (130, "")
    assert run.err == "interrupted: nothing is compared, the baseline is as it was\n"
    assert baseline() == accepted


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"anchors": "anchor.jsonl"}, "anchor.jsonl: there is no such file (did you mean 'anchors.jsonl'?)"),
        ({"anchors": "."}, "error: . is a folder: name the file of anchors"),
        ({"judge": "kindd"}, "every anchor names its judge: --judge kindd is of none"),
        ({"baseline": "b.txt"}, "--baseline is a .json file, found b.txt"),
        ({"json": "anchors.jsonl"}, "two of them are one"),
        ({"json": "x.json", "baseline": "x.json"}, "two of them are one"),
        ({"json": "pyproject.toml"}, "pyproject.toml exists and is no result of Grice"),
        ({"issue": "notes.md"}, "notes.md exists and is no report of Grice: it is not written over"),
        ({"samples": 0}, "samples is a whole number from 1 to 99, found 0"),
        ({"llm": "nope"}, "--llm: expected 'provider:model', 'module:attribute'"),
        ({"llm": "bots:number"}, "--llm: "),
        ({"criteria": "bots:number"}, "--criteria: expected criteria, made with criterion(...)"),
        ({"criteria": "bots:nothing"}, "--criteria: "),
    ],
)
def test_wrong_usage_is_told_before_anyone_is_asked(
    drift: Drift, accepted: bytes, options: dict[str, Any], said: str
) -> None:
    Path("notes.md").write_text("# My notes\n")
    run = drift(**options)
    assert (run.code, run.out) == (2, "")
    assert said in run.err
    assert not Path("asked.txt").exists()
    assert Path("notes.md").read_text() == "# My notes\n"


def test_a_judge_that_is_not_configured_is_told(drift: Drift, accepted: bytes) -> None:
    Path("pyproject.toml").write_text('[tool.grice]\ncriteria = "bots:criteria"\n')
    run = drift()
    assert run.code == 2
    assert "judge_llm" in run.err
    assert "--llm provider:model" in run.err


def test_an_empty_baseline_is_begun_anew_and_no_anchor_is_blamed(drift: Drift, accepted: bytes) -> None:
    Path("anchors.baseline.json").write_text(json.dumps({**json.loads(accepted), "judges": {}}))
    run = drift()
    assert (run.code, run.out) == (2, "")
    assert "the baseline is empty" in run.err
    assert "error: remove anchors.baseline.json and run with --accept to begin anew" in run.err


def test_a_malformed_baseline_is_no_baseline(drift: Drift, accepted: bytes) -> None:
    Path("anchors.baseline.json").write_bytes(accepted.replace(b'"4.1"', b'"NaN"'))
    run = drift(accept=True)
    assert run.code == 2
    assert "anchors.baseline.json:" in run.err
    assert "expected a score such as '4.1', found 'NaN'" in run.err
    assert b"NaN" in baseline()


@pytest.mark.parametrize(
    "options",
    [{"baseline": "bots.py/b.json", "accept": True}, {"json": "bots.py/j.json"}, {"issue": "bots.py/i.md"}],
)
def test_a_place_that_cannot_be_written_is_told_first(
    drift: Drift, accepted: bytes, options: dict[str, Any]
) -> None:
    run = drift(**options)
    assert (run.code, run.out) == (2, "")
    assert "the folder cannot be made" in run.err
    assert not Path("asked.txt").exists()


@pytest.mark.parametrize("what", ["folder", "file"])
def test_what_is_not_writable_is_told_first(
    drift: Drift, folder: Path, accepted: bytes, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    refused = {"folder": folder, "file": folder / "anchors.baseline.json"}[what].resolve()
    monkeypatch.setattr(os, "access", lambda path, _: Path(path) != refused)  # as for anyone but root
    run = drift(accept=True)
    assert (run.code, run.out) == (2, "")
    assert f"the {what} is not writable" in run.err
    assert not Path("asked.txt").exists()


def test_a_disk_that_fills_up_leaves_the_baseline(
    drift: Drift, accepted: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    answers({**STEADY, "alpha": 4.2})
    monkeypatch.setattr(os, "fsync", full)
    run = drift(accept=True)
    assert run.code == 2
    assert "the results cannot be written: [Errno 28] No space left on device" in run.err
    assert baseline() == accepted


def test_an_issue_that_cannot_be_written_is_printed(drift: Drift, accepted: bytes) -> None:
    Path("anchors.drift.md").write_text("# My notes\n")
    answers(DROPPED)
    run = drift()
    assert run.code == 1
    assert "name a place with --issue FILE.md" in run.err
    assert "### ✗ Grice: Drift: naturalness fell by 0.5 on greeting." in run.out
    assert Path("anchors.drift.md").read_text() == "# My notes\n"
    assert drift(issue="elsewhere.md").code == 1
    assert "Grice: Drift: " in Path("elsewhere.md").read_text()


def test_hostile_names_are_only_text(drift: Drift) -> None:
    hostile = "[bold red]one[/] \x1b[31m \u202etwo \x00 | `x`"
    write({**ROWS[0], "id": hostile, "scenario": hostile})
    assert drift(accept=True).code == 0
    answers(DROPPED)
    run = drift()
    assert run.code == 1
    whole = run.out + Path("anchors.drift.md").read_text()
    for raw in ("\x1b", "\u202e", "\x00"):
        assert raw not in whole
    assert "[bold red]one" in run.out
