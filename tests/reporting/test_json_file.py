import json
import os
from pathlib import Path

import msgspec
import pytest

from grice.files.writing import check_output
from grice.records import Conversation, Message, Outcome, Result, ToolCall, Turn
from grice.reporting.json_file import write_json

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


def test_a_secret_of_one_result_is_a_word_in_another(tmp_path: Path) -> None:
    call = ToolCall("log_in", {"password": "hunter2-horse"})
    said = Message("assistant", "hunter2-horse", tool_calls=(call,))
    results = [Result("example:2", "logs in", Outcome.PASS, Conversation(turns=(Turn(1, (said,)),))), RESULT]
    write_json(
        tmp_path / "out.json", [*results, msgspec.structs.replace(RESULT, description="hunter2-horse")]
    )
    first, _, third = json.loads((tmp_path / "out.json").read_text())["results"]
    assert first["conversation"]["turns"][0]["messages"][0]["content"] == "[redacted: password]"
    assert third["description"] == "hunter2-horse"


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


def test_a_link_is_followed_and_permissions_are_kept(tmp_path: Path) -> None:
    path, link = tmp_path / "real.json", tmp_path / "link.json"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    write_json(link, [RESULT])
    assert link.is_symlink()
    assert json.loads(path.read_text())["version"] == 1
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("")
    write_json(tmp_path / "out.json", [RESULT])
    assert (tmp_path / "out.json").stat().st_mode == other.stat().st_mode


def test_a_place_that_cannot_be_written_is_refused_before_anything_runs(tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_text("")
    link.symlink_to(file)
    for path, message in (
        (tmp_path, "is a folder: name the file to write"),
        (file / "out.json", "the folder cannot be made"),
        (Path(os.devnull), "is not a regular file"),
        (link, "is one of the files to read"),
    ):
        with pytest.raises(OSError, match=message):
            check_output(path, [file])
    check_output(tmp_path / "new" / "deep" / "out.json", [file])
    check_output(link, [tmp_path / "gone"])
    assert (tmp_path / "new" / "deep").is_dir()
