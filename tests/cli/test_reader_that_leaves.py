"""A reader that leaves, as in `grice report | head -1`: every command ends without a word."""

import json
from pathlib import Path
from typing import TextIO

import pytest
from grice_command import Grice
from test_compare_command import GRAPH, some, written

TALK = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "I am an AI."}]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two runs that are kept, and files for the other commands."""
    folder = tmp_path_factory.mktemp("kept")
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        written("exp_a1", some("+-" * 10), topic_graph=GRAPH)
        written("exp_b2", some("+" * 20), topic_graph=GRAPH)
    folder.joinpath("pyproject.toml").write_text("[tool.grice.gates]\ncompletion = 0.5\n")
    folder.joinpath("log.jsonl").write_text(json.dumps({"messages": TALK}) + "\n")
    folder.joinpath("a.grice.yaml").write_text("- {id: a, say: Hi, expect: [{matcher: toBeTruthy}]}\n")
    return folder


@pytest.mark.parametrize(
    "command",
    [
        "report",
        "report --verbose",
        "report --json -",
        "report --markdown",
        "report --junit",
        "report --graph mermaid",
        "report --graph svg",
        "report --list",
        "compare exp_a1 exp_b2",
        "compare exp_a1 exp_b2 --verbose",
        "compare exp_a1 exp_b2 --json -",
        "compare exp_a1 exp_b2 --markdown",
        "gate",
        "gate --json -",
        "gate --markdown",
        "baseline",
        "suite convert a.grice.yaml",
        "schema suite",
    ],
)
def test_what_is_only_shown_ends_with_141(
    kept: Path, grice: Grice, nobody_reads: TextIO, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(kept)
    run = grice(*command.split(), stdout=nobody_reads)
    assert (run.code, run.err) == (141, "")


@pytest.mark.parametrize("command", ["scan log.jsonl", "lint log.jsonl", "demo"])
def test_what_is_found_out_all_the_same_has_its_own_exit_code(
    kept: Path, grice: Grice, nobody_reads: TextIO, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(kept)
    run = grice(*command.split(), stdout=nobody_reads)
    assert (run.code, run.err) == (0, "")


@pytest.mark.parametrize(
    ("command", "file"),
    [
        ("report --save", "results/exp_a1.json"),
        ("report --json - --save", "results/exp_a1.json"),
        ("baseline main", "baselines/main.baseline.json"),
    ],
)
def test_what_is_to_be_kept_is_kept(
    tmp_path: Path,
    grice: Grice,
    nobody_reads: TextIO,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    file: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    written("exp_a1", some("++"))
    assert grice(*command.split(), stdout=nobody_reads).code == 141
    assert Path(file).exists()


def test_nobody_is_asked_for_labels_that_they_do_not_see(
    kept: Path, grice: Grice, nobody_reads: TextIO, tmp_path: Path
) -> None:
    labels = tmp_path / "labels.jsonl"
    command = ("label", kept / "log.jsonl", "--rater", "anna", "--out", labels)
    run = grice(*command, stdin=b"y\n", stdout=nobody_reads)
    assert (run.code, run.err) == (141, "")
    assert not labels.exists() or labels.read_text() == ""
