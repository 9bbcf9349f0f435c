"""Named baselines: an experiment in numbers, in a file that is replaced only on purpose."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from made_experiments import attempt, attempts, experiment, soft
from msgspec import structs

from grice.experiments import baselines
from grice.experiments.baselines import (
    baselines_folder,
    known_baselines,
    load_baseline,
    read_baseline_file,
    save_baseline,
)
from grice.experiments.comparison.comparing import compare
from grice.experiments.gates.declared import GateOptions, declared_gates
from grice.experiments.gates.judging import judge_gates
from grice.experiments.judge_requests import Judging
from grice.experiments.judge_tallies import JudgeTally
from grice.experiments.loading import read_experiment
from grice.experiments.recording.recording import start_experiment
from grice.experiments.results import ExperimentResults
from grice.judging.criterion import criterion
from grice.records import (
    Conversation,
    FollowedGraph,
    Message,
    Outcome,
    Result,
    Standing,
    ToolCall,
    Turn,
    Verdict,
)
from grice.running.journal.experiment import Experiment
from grice.running.journal.form import JournalError
from grice.running.journal.writing import Journal

RESULTS = experiment("a", attempts("++-", checks=soft("kind", 2, 1)), topic_graph={"topics": ["attempts"]})


def noon() -> datetime:
    return datetime(2026, 11, 22, 12, tzinfo=UTC)


def journal(root: Path, id_: str, *, name: str = "", branch: str = "main", day: int = 20) -> Path:
    """A run of one conversation, that began on that day of November."""
    head = Experiment(id_, f"2026-11-{day}T10:00:00.000Z", name=name, git_branch=branch, planned=1)
    turn = Turn(1, (Message("user", "Hi"), Message("assistant", "the transcript")))
    with Journal.create(root / id_, head) as written:
        written.append(
            Result("example:1", "s", Outcome.PASS, Conversation(turns=(turn,)), (Verdict(Outcome.PASS),))
        )
    return root / id_


def test_a_baseline_gives_back_everything_that_is_compared(tmp_path: Path) -> None:
    path = save_baseline("main", RESULTS, tmp_path, clock=noon)
    assert path == tmp_path / "main.baseline.json"
    found = load_baseline(path)
    assert (found.heads, found.attempts) == (RESULTS.heads, RESULTS.attempts)
    assert (found.complete, found.source) == (True, str(path))
    comparison = compare(found, RESULTS)
    assert comparison.conclusion == "no difference shown"
    assert all(one.arrow == "─" for one in comparison.measures)


def test_a_baseline_keeps_the_code_of_tests_that_assert(tmp_path: Path) -> None:
    kept = experiment("a", attempts("++++", asserts="before"))
    found = load_baseline(save_baseline("main", kept, tmp_path, clock=noon))
    comparison = compare(found, experiment("b", attempts("++++", asserts="after")))
    aspect = next(one for one in comparison.comparability.aspects if one.name == "Test code")
    assert "another in 4 of 4 scenarios" in aspect.reason


def test_the_file_says_what_it_is_and_has_a_line_for_each_attempt(tmp_path: Path) -> None:
    text = save_baseline("main", RESULTS, tmp_path, clock=noon).read_text()
    assert text.startswith(
        '{"version":1,"kind":"grice.baseline","name":"main","accepted":"2026-11-22T12:00:00Z"'
    )
    assert len(text.splitlines()) == 2 + len(RESULTS.attempts)
    assert len(json.loads(text)["attempts"]) == 3


def test_what_only_reports_show_is_not_in_the_file(tmp_path: Path) -> None:
    judges = (JudgeTally("kind", 1, 1, Standing("kind.judge.card.json", n=200)),)
    graph = FollowedGraph("sha256:0", ("greeting",), ())
    told = experiment("a", [attempt("s", True, by_judges=judges, followed=graph, graph=graph.hash)])
    path = save_baseline("main", told, tmp_path)
    assert not {"by_judges", "followed"} & set(json.loads(path.read_text())["attempts"][0])
    assert load_baseline(path).attempts[0].graph == "sha256:0"


def test_an_empty_one_is_a_file_too(tmp_path: Path) -> None:
    path = save_baseline("none", experiment("a", []), tmp_path, accept=True)
    assert load_baseline(path).attempts == ()


def test_secrets_and_long_reasons_stay_out(tmp_path: Path) -> None:
    why = "the key was sk-proj-abcdefghijklmnopqrstuvwxyz0123456789 and then " + "word " * 200
    secret = experiment("a", [attempt("s", False, why=why)])
    text = save_baseline("main", secret, tmp_path).read_text()
    assert "sk-proj" not in text
    assert len(json.loads(text)["attempts"][0]["why"]) <= 300


def test_a_criterion_may_have_the_name_of_a_secret(tmp_path: Path) -> None:
    fields = {
        "scores": {"token": (3.5,)},
        "claims": {"password": (1, 2)},
        "tokens": (120,),
        "judged": (Judging("password", "gpt", "secret", 1),),
        "asks": {"token": "0123456789abcdef"},
    }
    results = experiment("a", attempts("+", checks=soft("password", 1), **fields))
    assert load_baseline(save_baseline("main", results, tmp_path)).attempts == results.attempts


NAMED_LIKE_SECRETS = ("token", "secret", "password", "api_key")


def recorded(root: Path, id_: str, text: str) -> Path:
    """The journal of a run with criteria of these names, by code, and with a secret in it."""
    given = [criterion(name, text, check=lambda _: True) for name in NAMED_LIKE_SECRETS]
    tally = [Verdict(Outcome.PASS, matcher="toSatisfy", criterion=one.name, mode="soft") for one in given]
    call = ToolCall("sign_in", {"token": "hunter2"})
    said = (Message("user", "Hi"), Message("assistant", "My key is sk-proj-abcdefghijklmnop0123456789"))
    with start_experiment(id=id_, store=root, criteria=given, planned=1) as run:
        run.record(
            Result("example:1", "s", Outcome.PASS, Conversation("c", (Turn(1, said, (call,)),)), tuple(tally))
        )
    return root / id_


@pytest.mark.slow
def test_a_criterion_with_the_name_of_a_secret_is_seen_to_change(tmp_path: Path) -> None:
    runs, kept = tmp_path / "runs", tmp_path / "baselines"
    before = read_experiment(str(recorded(runs, "exp_1", "It asks for the sign first.")))
    same = read_experiment(str(recorded(runs, "exp_2", "It asks for the sign first.")))
    changed = read_experiment(str(recorded(runs, "exp_3", "It never asks for the sign.")))
    saved = load_baseline(save_baseline("main", before, kept))
    for baseline in (before, saved):
        assert set(baseline.experiment.criteria) == set(NAMED_LIKE_SECRETS)
        assert compare(baseline, changed).criteria_changed == tuple(sorted(NAMED_LIKE_SECRETS))
        found = compare(baseline, same)
        assert found.criteria_changed == ()
        assert {one.name: one.grade for one in found.comparability.aspects}["Criteria"] == "same"
    for file in (runs / "exp_1" / "main.jsonl", kept / "main.baseline.json"):
        text = file.read_text()
        assert "hunter2" not in text
        assert "sk-proj" not in text


def test_a_baseline_has_no_transcripts(tmp_path: Path) -> None:
    results = read_experiment(str(journal(tmp_path / "runs", "exp_1")))
    assert "transcript" not in save_baseline("main", results, tmp_path).read_text()


def test_one_that_is_there_is_replaced_only_when_accepted(tmp_path: Path) -> None:
    path = save_baseline("main", RESULTS, tmp_path)
    before = path.read_bytes()
    with pytest.raises(JournalError, match="there is a baseline main already; --accept replaces it"):
        save_baseline("main", experiment("b", attempts("+")), tmp_path)
    assert path.read_bytes() == before
    save_baseline("main", experiment("b", attempts("+")), tmp_path, accept=True)
    assert load_baseline(path).id == "exp_b"


def test_what_is_no_baseline_is_never_written_over(tmp_path: Path) -> None:
    other = tmp_path / "main.baseline.json"
    other.write_text('{"version": 2, "kind": "grice.baseline"}')
    said = "version 2 is newer than this Grice reads .*; remove the file to keep a new baseline there"
    with pytest.raises(JournalError, match=said):
        save_baseline("main", RESULTS, tmp_path, accept=True)
    assert "2" in other.read_text()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"done": 2}, "1 of 3 conversations were not finished"),
        (
            {"heads": (structs.replace(RESULTS.experiment, planned=None),)},
            r"its recording was never finished \(grice.finish_experiment\)",
        ),
        ({"unfinished": ("red",)}, "begun and not finished: red"),
        ({"damaged": 2}, "2 lines of the journal cannot be read"),
        ({"attempts": ()}, "no conversation was finished"),
        ({"attempts": (attempt("s", False, counts=False),)}, "no conversation counts"),
    ],
)
def test_an_experiment_that_is_not_whole_is_refused_unless_accepted(
    tmp_path: Path, change: dict[str, Any], said: str
) -> None:
    results = replace(RESULTS, **change)
    with pytest.raises(JournalError, match=said):
        save_baseline("main", results, tmp_path)
    assert known_baselines(tmp_path) == {}
    found = load_baseline(save_baseline("main", results, tmp_path, accept=True))
    assert (found.done, found.unfinished, found.damaged) == (
        results.done,
        results.unfinished,
        results.damaged,
    )


@pytest.mark.parametrize(
    "name",
    [
        *("", "a/b", "../up", "a b", "-x", ".x", "latest~1", "latest", "LATEST", "exp_1", "EXP_1", "x" * 101),
        *("2026-11-15", "2026-11-15T14", "7", "bdf898361e99"),
    ],
)
def test_a_name_that_could_be_something_else_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(JournalError):
        save_baseline(name, RESULTS, tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["main", "v2", "2026-11-15-release", "2026.1", "face"])
def test_other_names_are_taken(tmp_path: Path, name: str) -> None:
    assert load_baseline(save_baseline(name, RESULTS, tmp_path)).id == "exp_a"


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = save_baseline("main", RESULTS, tmp_path)
    before = path.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        save_baseline("main", experiment("b", attempts("+")), tmp_path, accept=True)
    assert (path.read_bytes(), [one.name for one in tmp_path.iterdir()]) == (before, [path.name])


def _damaged(change: Callable[[dict[str, Any]], object]) -> Callable[[str], str]:
    def changed(text: str) -> str:
        data = json.loads(text)
        change(data)
        return json.dumps(data)

    return changed


def _repeat_the_first(data: dict[str, Any]) -> None:
    data["attempts"][1] = data["attempts"][0]


def _check(data: dict[str, Any], number: int = 0) -> dict[str, Any]:
    """The first check of an attempt."""
    found: dict[str, Any] = data["attempts"][number]["checks"][0]
    return found


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda text: text[:-40], "not a baseline of Grice"),
        (lambda _: "", "not a baseline of Grice"),
        (lambda text: f"<<<<<<< HEAD\n{text}", "not a baseline of Grice"),
        (lambda _: "[" * 100_000, "not a baseline of Grice"),
        (lambda _: "{}", "`grice baseline NAME` writes one"),
        (_damaged(lambda data: data.update(kind="grice.journal")), "`grice baseline NAME` writes one"),
        (_damaged(lambda data: data.update(version=2)), "newer than this Grice reads"),
        (_damaged(lambda data: data.update(heads=[])), "Expected `array` of length >= 1"),
        (
            _damaged(lambda data: data["attempts"].pop()),
            "expected 3, the number in its field held, found 2: lines were lost or added, perhaps in a merge",
        ),
        (
            _damaged(lambda data: data["attempts"].append({"id": "x", "key": "x", "outcome": "pass"})),
            "found 4",
        ),
        (_damaged(lambda data: data.pop("held")), "missing required field `held`"),
        (_damaged(lambda data: data.pop("digest")), "missing required field `digest`"),
        (_damaged(lambda data: data.update(helt=3)), "unknown field `helt`"),
        (_damaged(lambda data: data["attempts"][0].update(pased=True)), "unknown field `pased`"),
        (_damaged(lambda data: _check(data).update(mod="hard")), "unknown field `mod`"),
        (_damaged(lambda data: data.update(version=0)), "version: expected a number from 1 on, found 0"),
        (_damaged(lambda data: data["attempts"][0].update(turns="many")), r"attempts\[0\].turns"),
        (_damaged(lambda data: data["attempts"][0].update(turns=-7)), r">= 0 - at `\$.attempts\[0\].turns"),
        (_damaged(lambda data: data["attempts"][0].update(tokens=[-100])), r"attempts\[0\].tokens\[0\]"),
        (_damaged(lambda data: data["attempts"][0].update(latencies=[1e308])), r"attempts\[0\].latencies"),
        (_damaged(lambda data: data["attempts"][0].update(scores={"kind": [6]})), r"attempts\[0\].scores"),
        (_damaged(lambda data: data["attempts"][0].update(repeat=0)), r"attempts\[0\].repeat"),
        (_damaged(lambda data: _check(data).update(times=-3)), r"attempts\[0\].checks\[0\].times"),
        (_damaged(lambda data: _check(data).update(times=4_000_000_000)), r"checks\[0\].times"),
        (_damaged(lambda data: data["heads"][0].update(planned=-3)), r"heads\[0\].planned"),
        (_damaged(lambda data: data.update(done=-3)), r"\$.done"),
    ],
)
def test_a_damaged_file_is_refused_with_its_path(
    tmp_path: Path, damage: Callable[[str], str], said: str
) -> None:
    path = save_baseline("main", RESULTS, tmp_path)
    path.write_text(damage(path.read_text()))
    with pytest.raises(JournalError, match=said) as raised:
        load_baseline(path)
    assert str(raised.value).startswith(f"{path}: ")


@pytest.mark.parametrize(
    "edit",
    [
        _damaged(lambda data: data["attempts"][2].update(outcome="pass")),
        _damaged(lambda data: _check(data).update(outcome="fail")),
        _damaged(lambda data: data["heads"][0].update(agent="app:other")),
        _damaged(lambda data: data.update(notes=["all is well"])),
        _damaged(lambda data: data["attempts"].reverse()),
        _damaged(lambda data: data.update(digest="sha256:0")),
        _damaged(lambda data: data.update(done=4)),
        _damaged(lambda data: data["heads"].append({"id": "exp_b", "timestamp": ""})),
        _damaged(_repeat_the_first),
    ],
)
def test_a_file_that_was_edited_is_refused_and_can_be_replaced(
    tmp_path: Path, edit: Callable[[str], str]
) -> None:
    path = save_baseline("main", RESULTS, tmp_path)
    path.write_text(edit(path.read_text()))
    said = (
        "was edited or merged since it was kept; keep the baseline again: `grice baseline NAME RUN --accept`"
    )
    with pytest.raises(JournalError, match=said) as raised:
        load_baseline(path)
    assert str(raised.value).startswith(f"{path}: ")
    with pytest.raises(JournalError, match="--accept replaces it"):
        save_baseline("main", RESULTS, tmp_path)
    save_baseline("main", RESULTS, tmp_path, accept=True)
    assert load_baseline(path).attempts == RESULTS.attempts


@pytest.mark.parametrize(
    "set_out",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: json.dumps(json.loads(text), indent=2, sort_keys=True),
        lambda text: json.dumps(json.loads(text), ensure_ascii=True),
    ],
)
def test_a_file_that_a_tool_set_out_anew_says_the_same(tmp_path: Path, set_out: Callable[[str], str]) -> None:
    told = experiment("a", [attempt("grün", True, latencies=(0.1, 2.0, 1e-7), scores={"kind": (3.5,)})])
    path = save_baseline("main", told, tmp_path)
    path.write_bytes(set_out(path.read_text()).encode())
    assert load_baseline(path).attempts == told.attempts


def test_a_file_that_is_too_large_or_not_there_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = save_baseline("main", RESULTS, tmp_path)
    monkeypatch.setattr(baselines, "LARGEST", 10)
    with pytest.raises(JournalError, match="more than a baseline has"):
        load_baseline(path)
    with pytest.raises(JournalError, match="cannot be read: No such file"):
        load_baseline(tmp_path / "none.baseline.json")


def test_when_it_was_accepted_is_kept(tmp_path: Path) -> None:
    path = save_baseline("main", RESULTS, tmp_path, clock=noon)
    assert read_baseline_file(path).accepted == "2026-11-22T12:00:00Z"


def test_the_folder_is_that_of_the_settings(tmp_path: Path) -> None:
    assert baselines_folder(tmp_path) == tmp_path / "baselines"
    tmp_path.joinpath("pyproject.toml").write_text('[tool.grice]\nbaselines = "kept/here"\n')
    below = tmp_path / "tests"
    below.mkdir()
    assert baselines_folder(below) == tmp_path / "kept" / "here"


# -- finding an experiment


def test_a_named_baseline_goes_before_a_run_of_that_name(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    journal(runs, "exp_1", name="main")
    assert read_experiment("main", runs=runs, baselines=tmp_path / "baselines").id == "exp_1"
    path = save_baseline("main", RESULTS, tmp_path / "baselines")
    assert read_experiment("main", runs=runs, baselines=tmp_path / "baselines").id == "exp_a"
    assert read_experiment(str(path), runs=runs, baselines=tmp_path).id == "exp_a"
    assert read_experiment("name:main", runs=runs, baselines=tmp_path / "baselines").id == "exp_1"


def test_what_is_gated_is_a_run_and_not_a_file_of_its_name(tmp_path: Path) -> None:
    runs, kept = tmp_path / "runs", tmp_path / "baselines"
    path = save_baseline("nightly", RESULTS, kept)
    with pytest.raises(
        JournalError, match=r"a baseline is called so: give its file, .*nightly\.baseline\.json"
    ):
        read_experiment("nightly", runs=runs, baselines=kept, named=False)
    journal(runs, "exp_1", name="nightly")
    assert read_experiment("nightly", runs=runs, baselines=kept, named=False).id == "exp_1"
    assert read_experiment(str(path), runs=runs, baselines=kept, named=False).id == "exp_a"


@pytest.mark.parametrize("name", ["latest", "2026-11-20"])
def test_a_file_with_the_name_of_a_run_is_not_looked_at(tmp_path: Path, name: str) -> None:
    save_baseline("main", RESULTS, tmp_path).rename(tmp_path / f"{name}.baseline.json")
    journal(tmp_path / "runs", "exp_1")
    assert read_experiment(name, runs=tmp_path / "runs", baselines=tmp_path).id == "exp_1"


def test_a_baseline_without_a_name_looks_where_the_settings_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    save_baseline("main", RESULTS, tmp_path / "baselines")
    assert read_experiment("main", runs=tmp_path).id == "exp_a"


def test_a_branch_means_another_run_than_the_one_that_is_left_out(tmp_path: Path) -> None:
    journal(tmp_path, "exp_1", day=20)
    journal(tmp_path, "exp_2", day=21)
    assert read_experiment("main", runs=tmp_path, baselines=tmp_path).id == "exp_2"
    assert read_experiment("main", runs=tmp_path, baselines=tmp_path, other_than="exp_2").id == "exp_1"


def test_a_baseline_may_be_the_run_of_a_week_ago(tmp_path: Path) -> None:
    for day in (14, 15, 21, 22):
        journal(tmp_path, f"exp_{day}", day=day)

    def week_ago(wanted: str) -> ExperimentResults:
        return read_experiment(
            wanted, runs=tmp_path, baselines=tmp_path / "none", other_than="exp_22", clock=noon
        )

    gates = declared_gates(
        None, GateOptions(bundles=("performance",), gates=["regression.completion=0"], baseline="7 days ago")
    )
    current = read_experiment("exp_22", runs=tmp_path, baselines=tmp_path / "none")
    found = judge_gates(gates.gates, current, week_ago)
    assert "baseline 7 days ago: exp_15" in found.notes


def test_nothing_of_that_name_names_the_nearest_baseline(tmp_path: Path) -> None:
    journal(tmp_path / "runs", "exp_1")
    save_baseline("release", RESULTS, tmp_path)
    with pytest.raises(JournalError, match=r"or a named baseline \(did you mean 'release'\?\)"):
        read_experiment("relase", runs=tmp_path / "runs", baselines=tmp_path)
