"""What a run is called, what state the code was in, and which run is meant."""

import os
import subprocess
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import msgspec
import pytest

from grice.running.journal.experiment import Experiment, GitState, git_state, new_experiment
from grice.running.journal.folders import find_run
from grice.running.journal.form import JournalError
from grice.running.journal.writing import Journal


def begun(root: Path, *ids: str) -> None:
    for minute, id_ in enumerate(ids):
        Journal.create(root / id_, Experiment(id_, f"2025-01-16T14:{minute:02d}:00.000Z")).close()


def test_a_run_has_an_id_a_time_in_utc_and_the_versions() -> None:
    zone = timezone(timedelta(hours=2))
    made = new_experiment(
        name="Prompt v2.3",
        tags=["grounding"],
        clock=lambda: datetime(2025, 1, 16, 16, 30, 0, 123456, zone),
        git=GitState("abc", "main", True),
        seed=7,
        planned=47,
    )
    assert made.id.startswith("exp_")
    assert int(made.id[4:], 16) >= 0
    assert made.timestamp == "2025-01-16T14:30:00.123Z"
    assert (made.name, made.tags, made.seed, made.planned) == ("Prompt v2.3", ("grounding",), 7, 47)
    assert (made.git_commit, made.git_branch, made.git_dirty) == ("abc", "main", True)
    assert made.python_version.startswith("3.")


def test_two_runs_have_two_ids() -> None:
    def run() -> Experiment:
        return new_experiment(git=GitState(), clock=lambda: datetime(2025, 1, 1, tzinfo=UTC))

    assert run().id != run().id


@pytest.fixture
def git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A `git` that says what the test has it say."""
    for name in ("bin", "copy/.git"):
        (tmp_path / name).mkdir(parents=True)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    return tmp_path / "bin" / "git"


@pytest.mark.skipif(os.name == "nt", reason="the stand-in is a shell script")
@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("# branch.oid abc123\n# branch.head main\n", GitState("abc123", "main", False)),
        (
            "# branch.oid abc123\n# branch.head (detached)\n1 .M N... a.py\n",
            GitState("abc123", None, True, "sha256:b3ef"),
        ),
        ("# branch.oid (initial)\n# branch.head main\n", GitState(None, "main", False)),
    ],
)
def test_the_state_of_the_code_is_read_from_git(git: Path, said: str, expected: GitState) -> None:
    git.write_text(f"#!/bin/sh\ncat <<'END'\n{said}END\n")
    git.chmod(0o755)
    found = git_state(git.parents[1] / "copy")
    assert found == msgspec.structs.replace(expected, code=found.code)
    assert bool(found.code) is bool(expected.code)  # what was said to `git diff`


@pytest.mark.skipif(os.name == "nt", reason="the stand-in is a shell script")
def test_git_is_not_asked_where_there_is_no_working_copy(
    git: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git.write_text("#!/bin/sh\necho '# branch.oid abc123'\n")
    git.chmod(0o755)
    (tmp_path / "copy" / "below").mkdir()
    assert git_state(tmp_path / "copy" / "below").commit == "abc123"
    assert git_state(tmp_path / "bin") == GitState()
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "copy" / ".git"))
    assert git_state(tmp_path / "bin").commit == "abc123"


def test_code_differs_when_a_python_file_does(tmp_path: Path) -> None:
    file, note = tmp_path / "bot.py", tmp_path / "notes.txt"
    file.write_text("x = 1\n")
    note.write_text("one")
    clock = lambda: datetime(2025, 1, 1, tzinfo=UTC)  # noqa: E731

    def code() -> str:
        return new_experiment(git=GitState(), clock=clock, folder=tmp_path).code_hash

    before = code()
    note.write_text("two")
    assert code() == before
    file.write_text("x = 2\n")
    assert code() != before


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="the stand-in is a shell script")
@pytest.mark.parametrize("script", ["exit 128", "exec sleep 60"])
def test_git_that_fails_or_hangs_leaves_the_state_unknown(git: Path, script: str) -> None:
    git.write_text(f"#!/bin/sh\n{script}\n")
    git.chmod(0o755)
    assert git_state(git.parents[1] / "copy", timeout=0.1) == GitState()


def test_a_machine_without_git_leaves_the_state_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert git_state(tmp_path) == GitState()


def test_a_run_is_found_by_its_folder_its_id_and_the_beginning_of_it(tmp_path: Path) -> None:
    begun(tmp_path, "exp_abc1", "exp_abd2")
    assert find_run("exp_abc1", tmp_path).name == "exp_abc1"
    assert find_run("exp_abd", tmp_path).name == "exp_abd2"
    assert find_run("abc", tmp_path).name == "exp_abc1"
    assert find_run(str(tmp_path / "exp_abc1"), Path("elsewhere")) == tmp_path / "exp_abc1"


def test_latest_is_the_run_that_began_last(tmp_path: Path) -> None:
    begun(tmp_path, "exp_z", "exp_a")
    (tmp_path / "exp_torn").mkdir()
    (tmp_path / "exp_torn" / "main.jsonl").write_text("")
    os.utime(tmp_path / "exp_torn", (0, 0))  # an older one
    assert find_run("latest", tmp_path).name == "exp_a"


def test_a_run_that_is_not_there_is_told_with_the_nearest_one(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="there are no runs yet"):
        find_run("latest", tmp_path / "gone")
    with pytest.raises(JournalError, match=r"there is no such run; .* has none: give a folder, an id"):
        find_run("exp_1", tmp_path)
    begun(tmp_path, "exp_abc1", "exp_abd2")
    with pytest.raises(JournalError, match=r"exp_acb1: there is no such run \(did you mean 'exp_ab"):
        find_run("exp_acb1", tmp_path)
    with pytest.raises(JournalError, match=r"several runs in .* begin so: exp_abc1, exp_abd2"):
        find_run("exp_ab", tmp_path)


def test_git_of_this_machine_is_understood(tmp_path: Path) -> None:
    if subprocess.run(["git", "init", "-q", "-b", "trunk"], cwd=tmp_path, check=False).returncode:
        pytest.skip("no git here")
    assert git_state(tmp_path) == GitState(None, "trunk", False)
