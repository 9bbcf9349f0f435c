"""The saved report of a run."""

import errno
import json
import os
from pathlib import Path

import pytest
from msgspec.structs import replace
from run_results import ALL, HEAD

from grice.reporting.experiment.as_json import run_json
from grice.reporting.experiment.results_file import results_folder, save_results
from grice.running.journal.form import JournalError
from grice.running.journal.writing import Journal


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    folder = tmp_path / "exp_def456"
    with Journal.create(folder, HEAD) as opened:
        for one in ALL:
            opened.append(one)
    return folder


def test_the_file_is_the_json_of_the_journal(journal: Path, tmp_path: Path) -> None:
    target = tmp_path / "new" / "results"
    path = save_results(journal, target)
    assert save_results(journal, target) == path  # its own file is written over
    assert path == tmp_path / "new" / "results" / "exp_def456.json"
    assert path.read_bytes() == b"".join(run_json((HEAD,), ALL)[0])
    assert json.loads(path.read_bytes())["version"] == 1
    assert os.listdir(path.parent) == [path.name]


@pytest.mark.parametrize(
    ("setting", "expected"),
    [(None, None), (False, None), (True, "root/results"), ("kept/here", "root/kept/here")],
)
def test_the_settings_name_a_folder_or_the_usual_one(setting: object, expected: str | None) -> None:
    found = results_folder(Path("root"), setting)
    assert found == (None if expected is None else Path(expected))


def test_a_file_of_somebody_else_is_not_written_over(journal: Path, tmp_path: Path) -> None:
    (tmp_path / "exp_def456.json").write_text("mine")
    with pytest.raises(OSError, match=r"exp_def456\.json exists and is no result of Grice"):
        save_results(journal, tmp_path)
    assert (tmp_path / "exp_def456.json").read_text() == "mine"


def test_a_folder_that_is_a_file_is_told_with_its_path(journal: Path, tmp_path: Path) -> None:
    (tmp_path / "results").write_text("")
    with pytest.raises(OSError, match=r"results.exp_def456\.json: the folder cannot be made"):
        save_results(journal, tmp_path / "results")


def test_a_full_disk_leaves_the_earlier_file_whole(
    journal: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = save_results(journal, tmp_path)
    before = path.read_bytes()

    def full(file: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match=r"exp_def456\.json: cannot be written: No space left on device"):
        save_results(journal, tmp_path)
    assert path.read_bytes() == before
    assert sorted(os.listdir(tmp_path)) == ["exp_def456", "exp_def456.json"]


def test_an_id_that_is_a_path_is_no_name_of_a_file(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    with Journal.create(folder, replace(HEAD, id="../escaped")):
        pass
    with pytest.raises(OSError, match="cannot be the name of a file"):
        save_results(folder, tmp_path / "results")
    assert not (tmp_path / "escaped.json").exists()


def test_without_a_journal_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="there is no such folder"):
        save_results(tmp_path / "none", tmp_path / "results")
    assert not (tmp_path / "results").exists()
