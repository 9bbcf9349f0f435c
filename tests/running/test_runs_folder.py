"""Where runs are kept: the same folder from everywhere in a project."""

from pathlib import Path

import pytest

from grice.files.settings_files import SettingsError
from grice.running.runs_folder import runs_folder


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "tests").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_without_a_project_it_is_here(project: Path) -> None:
    assert runs_folder() == Path(".grice/runs")
    assert runs_folder("elsewhere") == Path("elsewhere")


@pytest.mark.parametrize(
    ("setting", "folder"),
    [("", ".grice/runs"), ("store = true", ".grice/runs"), ('store = "kept/runs"', "kept/runs")],
)
def test_in_a_project_it_is_that_of_its_settings_from_every_folder(
    project: Path, setting: str, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "pyproject.toml").write_text(f"[tool.grice]\n{setting}\n")
    assert runs_folder() == Path(folder)
    monkeypatch.chdir(project / "tests")
    assert runs_folder() == project / folder
    assert runs_folder(Path("own")) == Path("own")


@pytest.mark.parametrize("given", ["", " "])
def test_an_empty_text_is_no_folder(given: str) -> None:
    with pytest.raises(ValueError, match=f"^expected a folder for runs, found '{given}'$"):
        runs_folder(given)


def test_wrong_settings_are_told(project: Path) -> None:
    (project / "pyproject.toml").write_text("[tool.grice]\nstore = 3\n")
    with pytest.raises(
        SettingsError, match="store: expected true, false or the name of a folder, found the number 3"
    ):
        runs_folder()
