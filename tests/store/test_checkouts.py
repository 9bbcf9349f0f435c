"""Several checkouts of one project sync their suite files into one database."""

from __future__ import annotations

import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import Engine

from grice.files.suite_files import load_suite
from grice.store.database import read_only
from grice.store.suite_syncing import SyncedSuite, changed_at, sync_suites
from grice.store.suites import cases_of_suite, suites_of_project

FILE = "rooms.grice.yaml"
MARCH, MAY = datetime(2026, 3, 1, 10, tzinfo=UTC), datetime(2026, 5, 1, 10, tzinfo=UTC)


def write(checkout: Path, said: str, when: datetime, name: str = FILE) -> Path:
    checkout.mkdir(exist_ok=True)
    file = checkout / name
    file.write_text(f"scenarios:\n  - {{id: {Path(name).stem[:5]}, say: {said}, expected_output: Yes}}\n")
    os.utime(file, (when.timestamp(), when.timestamp()))
    return file


def sync(engine: Engine, checkout: Path, *, anew: bool = False) -> list[SyncedSuite]:
    return sync_suites(engine, checkout, "bot", load_suite, anew=anew)


def said(engine: Engine) -> list[object]:
    """What the cases of the project say."""
    with read_only(engine) as connection:
        suites = suites_of_project(connection, "bot")
        return [case.scenario["say"] for one in suites for case in cases_of_suite(connection, one.id)]


@pytest.fixture
def ann(tmp_path: Path) -> Path:
    return tmp_path / "ann"


@pytest.fixture
def bob(tmp_path: Path) -> Path:
    return tmp_path / "bob"


def test_the_newer_text_takes_the_place_of_the_older_and_says_so(
    engine: Engine, ann: Path, bob: Path
) -> None:
    write(ann, "old", MARCH)
    write(bob, "new", MAY)
    sync(engine, ann)
    (found,) = sync(engine, bob)
    assert (found.state, found.replaced.endswith(f":{ann}")) == ("read", True)
    assert said(engine) == ["new"]


def test_the_older_text_is_left_out_until_it_is_asked_for(engine: Engine, ann: Path, bob: Path) -> None:
    write(ann, "old", MARCH)
    write(bob, "new", MAY)
    sync(engine, bob)
    for _ in range(2):
        (found,) = sync(engine, ann)
        assert found.state == "left out"
        assert f":{bob} wrote a newer text, of 2026-05-01 10:00 UTC, which stays" in found.problems[0]
    assert said(engine) == ["new"]
    assert [one.state for one in sync(engine, ann, anew=True)] == ["read"]
    assert said(engine) == ["old"]


def test_a_checkout_may_go_back_to_its_own_older_text(engine: Engine, ann: Path) -> None:
    write(ann, "new", MAY)
    sync(engine, ann)
    write(ann, "old", MARCH)
    assert sync(engine, ann) == [SyncedSuite(FILE, "read")]
    assert said(engine) == ["old"]


def test_a_file_that_only_another_checkout_has_stays(engine: Engine, ann: Path, bob: Path) -> None:
    write(ann, "room", MARCH)
    write(bob, "lunch", MARCH, "lunch.grice.yaml")
    sync(engine, ann)
    assert sync(engine, bob) == [SyncedSuite("lunch.grice.yaml", "read")]
    assert said(engine) == ["lunch", "room"]
    (ann / FILE).unlink()
    assert sync(engine, ann) == [SyncedSuite(FILE, "gone")]
    assert sync(engine, ann, anew=True) == [SyncedSuite("lunch.grice.yaml", "gone")]
    assert said(engine) == []


def test_a_committed_text_is_as_old_as_its_commit(tmp_path: Path) -> None:
    def git(*command: str) -> None:
        dates = {"GIT_AUTHOR_DATE": MARCH.isoformat(), "GIT_COMMITTER_DATE": MARCH.isoformat()}
        who = ["-c", "user.name=ann", "-c", "user.email=ann@localhost", "-c", "commit.gpgsign=false"]
        done = ["git", *who, *command]
        subprocess.run(done, cwd=tmp_path, check=True, capture_output=True, env={**os.environ, **dates})

    project = tmp_path / "below"
    files = [write(project, name, MAY, f"{name}.grice.yaml") for name in ("kept", "edited", "größe")]
    git("init")
    git("add", ".")
    git("commit", "-m", "suites")
    write(project, "changed", MAY, "edited.grice.yaml")
    files.append(write(project, "new", MAY, "new.grice.yaml"))
    found = changed_at(project, [*(one.name for one in files), "gone.grice.yaml"])
    assert found == {
        "kept.grice.yaml": MARCH,
        "edited.grice.yaml": MAY,
        "größe.grice.yaml": MARCH,
        "new.grice.yaml": MAY,
    }
