"""What passed in a run, without decoding its conversations."""

import json
from pathlib import Path

from grice.running.journal.reading import passes_in


def written(file: Path, *lines: object) -> None:
    file.write_bytes(b"\n".join(json.dumps(line).encode() for line in lines) + b"\n")


HEAD = {"version": 3, "kind": "grice.journal", "experiment": {"id": "exp_1"}}


def result(id_: str, outcome: str = "pass", **fields: object) -> object:
    return {"result": {"id": id_, "outcome": outcome, **fields}}


def test_results_that_count_are_there_and_what_cannot_be_read_is_left_out(tmp_path: Path) -> None:
    written(
        tmp_path / "main.jsonl",
        HEAD,
        {"begun": {"id": "a", "key": "a"}},
        result("a", conversation={"turns": []}),
        result("b", counts=False),
        result("skipped", "skipped"),
        {"result": {"id": 3}},
        result("c", "fail", counts=True, new=[1]),
        result("c", "pass", repeat=2),
    )
    with (tmp_path / "main.jsonl").open("ab") as stream:
        stream.write(b"\n".join([b"\xff", b"[" * 5000, b'{"result": {"id"']))
    written(tmp_path / "worker.jsonl", HEAD, result("d", "error"))
    (tmp_path / "notes.txt").write_text(json.dumps(result("e")))
    assert passes_in(tmp_path).of == {"a": [True], "c": [False, True], "d": [False]}
    assert passes_in(tmp_path / "nowhere") == ({}, {})


def test_of_several_results_that_counts_which_counts_in_a_report(tmp_path: Path) -> None:
    """The worse one, and the later one behind the head of a run that was resumed."""
    again = [result("again", "fail"), result("again", "pass")]
    resumed = [HEAD, result("mended", "pass")]
    written(tmp_path / "main.jsonl", HEAD, *again, result("mended", "fail"), result("other"), *resumed)
    written(tmp_path / "worker.jsonl", HEAD, result("other", "fail"))
    assert passes_in(tmp_path).of == {"again": [False], "mended": [True], "other": [False]}
