"""Writing files for users."""

import os
import stat
from pathlib import Path

import pytest

from grice.files.writing import check_output
from grice.user_files import replacing


def test_writing_keeps_permissions_and_follows_links(tmp_path):
    path = tmp_path / "real.json"
    path.write_text("old")
    path.chmod(0o640)
    link = tmp_path / "link.json"
    link.symlink_to(path)
    with replacing(link) as stream:
        stream.write("a\r\nü\n".encode())
    assert path.read_bytes() == "a\r\nü\n".encode()
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    with replacing(tmp_path / "new.json") as stream:
        stream.write(b"x")
    assert sorted(os.listdir(tmp_path)) == ["link.json", "new.json", "real.json"]


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "a.json"
    path.write_text("old")
    with pytest.raises(TypeError), replacing(path) as stream:
        stream.writelines([b"half", 5])
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("text", ["", " \n", '{"version": 1, "results": []}', '\n{ "version":1}'])
def test_results_of_grice_are_written_over(tmp_path, text):
    (tmp_path / "out.json").write_text(text)
    check_output(tmp_path / "out.json")


@pytest.mark.parametrize("text", ['{"id": "a-golden"}', '{"messages": []}', "notes", "[]"])
def test_other_files_are_not(tmp_path, text):
    (tmp_path / "out.json").write_text(text)
    with pytest.raises(FileExistsError, match="is no result of Grice: it is not written over"):
        check_output(tmp_path / "nosuch" / ".." / "out.json")


def test_a_dash_is_no_file(tmp_path):
    with pytest.raises(OSError, match="name the file to write"):
        check_output(Path("-"))
