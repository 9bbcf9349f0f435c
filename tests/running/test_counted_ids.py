"""Which scenarios count in a run, without decoding its conversations."""

import json
from pathlib import Path

from grice.running.counted_ids import counted_ids


def test_results_that_count_are_named_and_what_cannot_be_read_is_left_out(tmp_path: Path) -> None:
    lines = [
        {"version": 3, "kind": "grice.journal", "experiment": {"id": "exp_1"}},
        {"begun": {"id": "a", "key": "a"}},
        {"result": {"id": "a", "conversation": {"turns": []}}},
        {"result": {"id": "b", "counts": False}},
        {"result": {"id": 3}},
        {"result": {"id": "c", "counts": True, "new": [1]}},
    ]
    written = [json.dumps(line).encode() for line in lines]
    (tmp_path / "main.jsonl").write_bytes(b"\n".join([*written, b"\xff", b"[" * 5000, b'{"result": {"id"']))
    (tmp_path / "worker.jsonl").write_bytes(written[2])
    (tmp_path / "notes.txt").write_bytes(written[2])
    assert list(counted_ids(tmp_path)) == ["a", "c", "a"]
    assert list(counted_ids(tmp_path / "nowhere")) == []
