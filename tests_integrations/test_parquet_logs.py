"""Logs in Parquet, as pyarrow writes them."""

import json
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
