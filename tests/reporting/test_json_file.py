import json
from pathlib import Path

import pytest

from grice.records import Conversation, Message, Outcome, Result, Turn
from grice.reporting.json_file import check_json_path, write_json

RESULT = Result(
    "example:1",
    "greets",
    Outcome.PASS,
    Conversation(turns=(Turn(1, (Message("user", "Bearer abcdefghijk1"),)),)),
)


def test_it_has_its_version_first_and_no_secrets(tmp_path: Path) -> None:
    path = tmp_path / "new" / "out.json"
    write_json(path, [RESULT])
    found = json.loads(path.read_text())
    assert list(found) == ["version", "complete", "results"]
    assert (found["version"], found["complete"]) == (1, True)
    assert "abcdefghijk1" not in path.read_text()


def test_a_file_that_cannot_be_written_leaves_the_old_one_and_no_rubbish(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "out.json"
    path.write_text("old")
    monkeypatch.setattr(Path, "replace", _full)
    with pytest.raises(OSError, match="no space left"):
        write_json(path, [RESULT])
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def _full(self: Path, target: Path) -> None:
    raise OSError(28, "no space left")


def test_a_folder_is_refused_before_anything_runs(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError, match="is a folder: name the file to write"):
        check_json_path(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="the folder cannot be made"):
        check_json_path(tmp_path / "file" / "out.json")
