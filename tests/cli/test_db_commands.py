"""`grice db`: runs in a database."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from grice_command import Grice

from grice.records import Conversation, Message, Outcome, Result, Turn, Verdict
from grice.running.journal.experiment import Experiment
from grice.running.journal.writing import Journal


def write_run(root: Path, id_: str, *outcomes: Outcome, day: int = 20) -> Path:
    head = Experiment(id_, f"2026-01-{day}T10:00:00.000Z", name="rooms", planned=len(outcomes))
    with Journal.create(root / ".grice" / "runs" / id_, head) as journal:
        for number, outcome in enumerate(outcomes):
            turn = Turn(1, (Message("user", "Hi"), Message("assistant", "Hello")))
            verdicts = (Verdict(outcome, matcher="toContain"),)
            conversation = Conversation(turns=(turn,))
            journal.append(Result(f"example:{number}", f"s{number}", outcome, conversation, verdicts))
    return root / ".grice" / "runs" / id_


def asked(root: Path, question: str, name: str = ".grice/grice.db") -> list[tuple[object, ...]]:
    connection = sqlite3.connect(root / name)
    try:
        return connection.execute(question).fetchall()
    finally:
        connection.close()


def test_runs_are_synced_into_a_file_of_the_project(grice: Grice, project: Path) -> None:
    write_run(project, "exp_1", Outcome.PASS, Outcome.FAIL)
    said = grice("db", "status").out
    assert ".grice/grice.db:isnotthereyet" in "".join(said.split())  # however it is wrapped
    assert said.splitlines()[-1] == "journals to read: 1: grice db sync"
    assert not (project / ".grice" / "grice.db").exists()
    done = grice("db", "sync")
    assert (done.code, done.out) == (0, "exp_1: 2 results, FINISHED\nruns: 1 read\n")
    assert grice("db", "sync").out == "runs: 1 as before\n"
    assert "runs: 1 (1 FINISHED)" in grice("db", "status").out
    assert grice("db", "rebuild").out == "exp_1: 2 results, FINISHED\nruns: 1 read\n"
    assert asked(project, "SELECT status, pass_percentage, project_id FROM test_suite_runs") == [
        ("COMPLETED", 50.0, project.name)
    ]


def test_from_a_folder_below_it_is_the_same_file(
    grice: Grice, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_run(project, "exp_1", Outcome.PASS)
    (project / "below").mkdir()
    monkeypatch.chdir(project / "below")
    assert grice("db", "sync").code == 0
    assert len(asked(project, "SELECT id FROM test_suite_runs")) == 1


def test_the_setting_names_another_database_and_url_wins(grice: Grice, project: Path) -> None:
    project.joinpath("pyproject.toml").write_text(
        '[project]\nname = "my-bot"\n[tool.grice]\ndatabase = "sqlite:///shared.db"\n'
    )
    write_run(project, "exp_1", Outcome.PASS)
    assert grice("db", "push", "latest").code == 0
    assert asked(project, "SELECT name FROM projects", "shared.db") == [("my-bot",)]
    assert grice("db", "sync", "--url", "sqlite:///given.db").code == 0
    assert len(asked(project, "SELECT id FROM test_suite_runs", "given.db")) == 1


def test_upgrade_says_what_it_did(grice: Grice, project: Path) -> None:
    assert "no version ->" in " ".join(grice("db", "upgrade").out.split())  # however it is wrapped
    assert grice("db", "upgrade").out.split()[-4:] == ["is", "up", "to", "date"]


def test_what_is_left_out_is_told_and_the_code_says_so(grice: Grice, project: Path) -> None:
    write_run(project, "exp_1", Outcome.PASS)
    newer = write_run(project, "exp_2", Outcome.PASS, day=21) / "main.jsonl"
    newer.write_bytes(newer.read_bytes().replace(b'"version":3', b'"version":9'))
    done = grice("db", "sync")
    assert (done.code, done.out) == (2, "exp_1: 1 result, FINISHED\nruns: 1 read, 1 left out\n")
    assert "journal version 9 is newer" in done.err


def test_a_torn_line_is_told_and_is_not_to_be_read(grice: Grice, project: Path) -> None:
    journal = write_run(project, "exp_1", Outcome.PASS) / "main.jsonl"
    with journal.open("ab") as stream:
        stream.write(b'{"kind":"resu')
    assert "journals to read: 1" in grice("db", "status").out
    grice("db", "sync")
    said = " ".join(grice("db", "status").out.split())
    assert said.endswith("main.jsonl: the last line is torn; all before it is read")
    assert "to read" not in said
    with journal.open("ab") as stream:
        stream.write(b"lt\n")
    assert "journals to read: 1" in grice("db", "status").out


def test_a_run_that_there_is_not(grice: Grice, project: Path) -> None:
    done = grice("db", "push", "exp_9")
    assert done.code == 2
    assert "exp_9: there is no such run" in done.err


def test_prune_keeps_sums(grice: Grice, project: Path) -> None:
    write_run(project, "exp_1", Outcome.PASS)
    grice("db", "sync")
    done = grice("db", "prune", "--keep", "1d")
    assert (done.code, done.out) == (0, "pruned: 1 run older than 1d; their sums stay\n")
    assert asked(project, "SELECT count(*) FROM test_results") == [(0,)]
    assert grice("db", "sync").out == "runs: 1 pruned\n"
    wrong = grice("db", "prune", "--keep", "soon")
    assert (wrong.code, "expected days or weeks, as in 90d" in wrong.err) == (2, True)


def test_what_people_labelled_is_synced_from_where_they_write_it(grice: Grice, project: Path) -> None:
    (project / "replies.jsonl").write_text('{"id": "exp_1/main/000000002", "text": "Hello"}\n')
    assert grice("label", "replies.jsonl", "--rater", "anna", stdin=b"y\n").code == 0
    assert grice("db", "sync").out == "runs: none\nlabels.jsonl: 1 new label\n"
    assert grice("db", "sync").out == "runs: none\n"
    assert asked(project, "SELECT conversation_id, label, labelled_by FROM labels") == [
        ("exp_1/main/000000002", "pass", "anna")
    ]
    (project / "labels.jsonl").write_text('{"item": "a", "label": []}\n')
    done = grice("db", "sync")
    assert (done.code, done.out) == (2, "runs: none\n")
    assert "error: left out: labels.jsonl:1:" in done.err.replace(f"{project}/", "")


def test_a_case_gets_its_assertion(grice: Grice, project: Path) -> None:
    (project / "old.grice.yaml").write_text("- {id: a, say: Hi, expected_output: Hello}\n")
    grice("suite", "import", "old.grice.yaml")
    ((case,),) = asked(project, "SELECT id FROM test_cases")
    done = grice("db", "migrate-case", case)
    assert done.code == 0
    assert '"matcher":"toEqual","path":"$"' in done.out.replace("\n  ", "")
    assert grice("db", "migrate-case", "nobody").err == "error: nobody: there is no such case\n"


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("mysql://u:secret@host/x", "expected SQLite or PostgreSQL, such as"),
        ("nonsense", "database: expected a URL such as"),
        ("postgresql://u:secret@host:port/x", "database: expected a URL such as"),
        ("postgresql+asyncpg://u:secret@host/x", "expected SQLite or PostgreSQL, such as"),
        ("sqlite:///bots.py/x.db", "unable to open database file"),
    ],
)
def test_a_database_that_cannot_be_used(grice: Grice, project: Path, url: str, told: str) -> None:
    done = grice("db", "upgrade", "--url", url)
    assert done.code == 2
    assert told in done.err.replace("\n", " ")
    assert "secret" not in done.err


@pytest.mark.parametrize(
    "command",
    [
        ("db", "prune", "--keep", "1d"),
        ("db", "migrate-case", "a"),
        ("suite", "export", "rooms"),
        ("prompt", "history", "a.md"),
        ("db", "status"),
    ],
)
def test_looking_into_a_database_that_is_not_there_makes_none(
    grice: Grice, project: Path, command: tuple[str, ...]
) -> None:
    done = grice(*command, "--url", "sqlite:///new/grice.db")
    assert "is not there yet" in (done.err + done.out).replace("\n  ", " ")
    assert not (project / "new").exists()


def test_without_the_extra_it_says_what_to_install(
    grice: Grice, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grice.store.errors.find_spec", lambda _: None)
    done = grice("db", "sync")
    assert done.code == 2
    assert done.err.replace("\n  ", " ") == (
        "error: a database needs SQLAlchemy and Alembic: pip install 'grice[store]'\n"
    )


def test_a_limit_that_is_none_is_told_before_anything_is_made(
    grice: Grice, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_run(project, "exp_1", Outcome.PASS)
    monkeypatch.setenv("PK_MAX_ASSERTION_JSON_BYTES", "64k")
    done = grice("db", "sync")
    assert (done.code, done.err) == (
        2,
        "error: PK_MAX_ASSERTION_JSON_BYTES: expected a whole number, found '64k'\n",
    )
    assert not (project / ".grice" / "grice.db").exists()


def test_no_other_command_loads_the_libraries() -> None:
    code = (
        "import sys\nfrom grice.cli import main\n"
        "try: main(['db', 'sync', '--help'])\nexcept SystemExit: pass\n"
        "import grice, grice.pytest_plugin, grice.experiments.loading\n"
        "print([one for one in ('sqlalchemy', 'alembic', 'psycopg') if one in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n")
