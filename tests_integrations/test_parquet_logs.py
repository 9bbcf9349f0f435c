"""Logs in Parquet, as pyarrow writes them, and findings in it, as pyarrow reads them."""

import json
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from grice.formats.lines import Unreadable
from grice.formats.logs import read_log

MESSAGES = [
    {"role": "user", "content": "Where is order 7?"},
    {"role": "assistant", "content": "It was sent."},
]


@pytest.mark.parametrize("messages", [MESSAGES, json.dumps(MESSAGES)])
def test_a_row_is_a_conversation(messages: object, tmp_path: Path) -> None:
    rows = [{"id": "a", "messages": messages, "score": None}, {"id": "b", "messages": messages, "score": 3}]
    parquet.write_table(pa.Table.from_pylist(rows), tmp_path / "log.parquet")
    entries = list(read_log(tmp_path / "log.parquet"))
    assert [(one.id, one.line, one.messages) for one in entries] == [("a", 1, MESSAGES), ("b", 2, MESSAGES)]


def test_a_file_that_was_cut_off_is_told(tmp_path: Path) -> None:
    parquet.write_table(pa.Table.from_pylist([{"id": "a"}]), tmp_path / "log.parquet")
    whole = (tmp_path / "log.parquet").read_bytes()
    (tmp_path / "log.parquet").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(Unreadable, match="cannot be read"):
        list(read_log(tmp_path / "log.parquet"))


def scanned(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "grice", "scan", "log.jsonl", *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_findings_are_rows(tmp_path: Path) -> None:
    reply = {"role": "assistant", "content": "Updating now! Would you like me to update it?"}
    lines = [{"id": f"c{n}", "messages": [{"role": "user", "content": "Hi"}, reply]} for n in range(3)]
    (tmp_path / "log.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))
    for _ in range(2):  # an earlier table is written over
        run = scanned(tmp_path, "--json", "found.json", "--parquet", "found.parquet")
        assert (run.returncode, run.stderr) == (0, "")
    wanted = json.loads((tmp_path / "found.json").read_text())["findings"]
    rows = parquet.read_table(tmp_path / "found.parquet").to_pylist()
    assert [(one["conversation"], one["line"], one["turn"]) for one in rows] == [
        ("c0", 1, 1),
        ("c1", 2, 1),
        ("c2", 3, 1),
    ]
    for row, one in zip(rows, wanted, strict=True):
        assert [[mark["start"], mark["end"]] for mark in row["marks"]] == one["marks"]
        assert {
            name: row[name] for name in ("label", "file", "user", "excerpt", "reason", "claim", "key")
        } == {name: one[name] for name in ("label", "file", "user", "excerpt", "reason", "claim", "key")}


def test_findings_go_over_no_table_of_somebody_else(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_text(json.dumps({"messages": MESSAGES}) + "\n")
    parquet.write_table(pa.Table.from_pylist([{"id": "a"}]), tmp_path / "mine.parquet")
    run = scanned(tmp_path, "--parquet", "mine.parquet")
    assert run.returncode == 2
    assert "mine.parquet exists and is no result of Grice" in run.stderr
