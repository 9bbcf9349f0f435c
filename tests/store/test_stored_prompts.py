"""Prompts in the tables: their versions, those that have no file, and which one a run used."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from baseline import make_baseline
from sqlalchemy import DDL, Engine, insert, update
from sqlalchemy.exc import SQLAlchemyError

from grice.files.prompt_files import MOST_CHARACTERS, prompt_fingerprint
from grice.store.database import locked, open_database, read_only
from grice.store.errors import NoSuchRow, PromptProblems, StandsInFile, StoreError
from grice.store.migrating import upgrade
from grice.store.owners import add_project
from grice.store.prompt_sync import SyncedPrompt, change_file, restore_file, sync_prompts
from grice.store.prompts import (
    PromptRow,
    change_prompt,
    delete_prompt,
    file_prompt_id,
    find_prompt,
    history_of,
    keep_file,
    make_prompt,
    prompt_named,
    prompts_of,
    restore_prompt,
    version_of,
)
from grice.store.result_rows import agent_prompt, suite_id
from grice.store.syncing import sync_folder
from grice.store.tables import models, prompt_history, test_suites
from journals import rows, run_row, write_run

SUITE = "prompt: greet.md\nscenarios: [{inputs: {name: Ada}, expect: [{matcher: toBeTruthy}]}]\n"
NAME = "greet.md"


@pytest.fixture
def project(engine: Engine, tmp_path: Path) -> Path:
    """A folder with a suite that tests a prompt."""
    root = tmp_path / "project"
    root.mkdir()
    (root / "greet.grice.yaml").write_text(SUITE)
    (root / NAME).write_text("Greet {{name}}")
    with locked(engine) as connection:
        add_project(connection, "bot")
    return root


def sync(engine: Engine, project: Path) -> list[SyncedPrompt]:
    return sync_prompts(engine, project, "bot")


def texts(engine: Engine, id_: str = file_prompt_id("bot", NAME)) -> list[tuple[int, str]]:
    with read_only(engine) as connection:
        return [(one.version, one.text) for one in history_of(connection, id_)]


def made(engine: Engine, name: str, text: str, **more: str) -> PromptRow:
    with locked(engine) as connection:
        return make_prompt(connection, "bot", name, text, **more)


def test_a_text_is_kept_once_and_an_older_one_again(engine: Engine, project: Path) -> None:
    assert sync(engine, project) == [SyncedPrompt(NAME, 1)]
    assert sync(engine, project) == [SyncedPrompt(NAME)]
    (project / "again.grice.yaml").write_text(SUITE)  # which names the same file
    for number, text in enumerate(("Hail {{name}}", "Greet {{name}}"), 2):
        (project / NAME).write_text(text)
        assert sync(engine, project) == [SyncedPrompt(NAME, number)]
    assert texts(engine) == [(3, "Greet {{name}}"), (2, "Hail {{name}}"), (1, "Greet {{name}}")]
    with read_only(engine) as connection:
        row = prompt_named(connection, "bot", NAME, NAME)
        latest = history_of(connection, row.id)[0]
        assert version_of(connection, latest.id) == latest
    assert (row.text, row.version, row.source_file) == ("Greet {{name}}", 3, NAME)
    assert latest.kept_at is not None


def test_texts_of_any_kind_come_back_as_they_were(engine: Engine, project: Path) -> None:
    text = "a\x00b\x1a {{name}} 🙂\r\n"
    (project / NAME).write_bytes(text.encode())
    sync(engine, project)
    (project / NAME).write_text("other {{name}}")
    sync(engine, project)
    restore_file(engine, project, "bot", NAME, 1)
    assert (project / NAME).read_bytes() == text.encode()


def test_many_at_once_keep_one_version(engine: Engine, url: str, project: Path) -> None:
    def one(_: int) -> list[SyncedPrompt]:
        own = open_database(url)
        try:
            return sync(own, project)
        finally:
            own.dispose()

    with ThreadPoolExecutor(4) as pool:
        found = [version for done in pool.map(one, range(8)) for _, version, *_ in done]
    assert sorted(found) == [0] * 7 + [1]


def test_a_file_that_cannot_be_read_keeps_its_versions(engine: Engine, project: Path) -> None:
    sync(engine, project)
    (project / NAME).unlink()
    (found,) = sync(engine, project)
    assert found.problem == f"{project}/greet.grice.yaml: {project}/greet.md: there is no such file"
    assert texts(engine) == [(1, "Greet {{name}}")]


def test_a_suite_belongs_to_the_prompt_that_its_file_names(engine: Engine, project: Path) -> None:
    id_ = suite_id("bot", "greet.grice.yaml")
    with locked(engine) as connection:
        row = {"id": id_, "prompt_id": agent_prompt("bot"), "name": "greet"}
        connection.execute(insert(test_suites).values(row))

    def owner() -> str:
        sync(engine, project)
        return next(one["prompt_id"] for one in rows(engine)["test_suites"] if one["id"] == id_)

    assert owner() == file_prompt_id("bot", NAME)
    (project / "greet.grice.yaml").write_text(SUITE.replace("prompt: greet.md", "agent: a:b"))
    assert owner() == agent_prompt("bot")


def test_no_file_outside_of_the_project_is_written(engine: Engine, project: Path) -> None:
    outside = project.parent / "outside.md"
    with locked(engine) as connection:
        keep_file(connection, "bot", "../outside.md", "an old text")
    with pytest.raises(StoreError, match="lies outside of the project, and is not written"):
        restore_file(engine, project, "bot", "../outside.md", 1)
    assert not outside.exists()


def test_a_version_of_a_file_is_kept_with_who_made_it_or_not_at_all(engine: Engine, project: Path) -> None:
    sync(engine, project)
    with locked(engine) as connection:
        connection.execute(DDL("ALTER TABLE changes RENAME TO changes_elsewhere"))
    with pytest.raises(SQLAlchemyError):
        change_file(engine, project, "bot", NAME, "Hail {{name}}", "*", who="ann")
    assert texts(engine) == [(1, "Greet {{name}}")]


def test_a_file_is_the_truth_about_its_prompt(engine: Engine, project: Path) -> None:
    sync(engine, project)
    id_ = file_prompt_id("bot", NAME)
    with locked(engine) as connection:
        with pytest.raises(StandsInFile, match=r"it stands in the file greet\.md: change that"):
            change_prompt(connection, id_, text="x")
        with pytest.raises(StandsInFile):
            delete_prompt(connection, id_)
        with pytest.raises(StandsInFile):
            restore_prompt(connection, id_, 1)


def test_a_prompt_without_a_file(engine: Engine, project: Path) -> None:
    with locked(engine) as connection:
        connection.execute(insert(models).values(id="m1", name="gpt-test", is_active=True))
    new = made(engine, "Farewell", "Bye {{name}}", model="m1")
    assert new == PromptRow(new.id, "bot", "Farewell", "Bye {{name}}", 1, "m1", None)
    with locked(engine) as connection:
        assert prompts_of(connection, "bot") == [new]
        changed = change_prompt(connection, new.id, name="Goodbye", text="Ciao {{name}}", model=None)
        assert changed == PromptRow(new.id, "bot", "Goodbye", "Ciao {{name}}", 2, None, None)
        assert change_prompt(connection, new.id, text="Ciao {{name}}") == changed
        restored = restore_prompt(connection, new.id, 1)
        assert (restored.text, restored.version) == ("Bye {{name}}", 3)
        assert restore_prompt(connection, new.id, 1) == restored
        assert prompt_named(connection, "bot", "x/Goodbye", "Goodbye") == restored
        with pytest.raises(NoSuchRow, match="Goodbye has no version 9: the latest are 1, 2, 3"):
            restore_prompt(connection, new.id, 9)
        delete_prompt(connection, new.id)
        assert prompts_of(connection, "bot") == []
        for ask in (find_prompt, history_of, version_of):
            with pytest.raises(NoSuchRow):
                ask(connection, new.id)


@pytest.mark.parametrize(
    ("name", "text", "model", "problems"),
    [
        ("Farewell", "Bye", None, ["name: bot has a prompt 'Farewell' already"]),
        ("n" * 251, "Bye", None, ["name: expected at most 250 characters, found 251"]),
        ("a", "x" * (MOST_CHARACTERS + 1), None,
         ["text: line 1: a prompt has at most 1,000,000 characters, found 1,000,001"]),
        (" ", "a\n{{b", "gpt",
         ["name: expected a text that is not empty, found ' '",
          "text: line 2: {{ is not closed by }} on its line; write {{{{ where two braces are meant",
          "model: there is no model 'gpt'"]),
    ],
)  # fmt: skip
def test_everything_that_is_wrong_with_a_prompt_is_told(
    engine: Engine, project: Path, name: str, text: str, model: str | None, problems: list[str]
) -> None:
    made(engine, "Farewell", "x" * MOST_CHARACTERS)
    other = made(engine, "n" * 250, "Bye")
    with locked(engine) as connection:
        with pytest.raises(PromptProblems) as found:
            make_prompt(connection, "bot", name, text, model=model)
        assert list(map(str, found.value.problems)) == problems
        with pytest.raises(PromptProblems) as found:
            change_prompt(connection, other.id, name=name, text=text, model=model)
        assert list(map(str, found.value.problems)) == problems
        with pytest.raises(NoSuchRow, match="there is no such project"):
            make_prompt(connection, "nobody", "a", "b")


def test_what_stands_for_the_agent_is_no_prompt(engine: Engine, project: Path) -> None:
    with locked(engine) as connection:
        assert prompts_of(connection, "bot") == []
        with pytest.raises(NoSuchRow, match="stands for the agent"):
            change_prompt(connection, agent_prompt("bot"), text="x")


def test_a_prompt_of_the_seed_keeps_the_text_that_no_version_had(empty: Engine) -> None:
    make_baseline(empty)
    upgrade(empty)
    with locked(empty) as connection:
        connection.execute(update(prompt_history).values(version=1, prompt="Hi {{name}}"))
        assert change_prompt(connection, "pr1", text="Hail {{name}}").version == 3
    assert texts(empty, "pr1") == [(3, "Hail {{name}}"), (2, "Greet {{name}}"), (1, "Hi {{name}}")]


# -- runs


def at(engine: Engine, *moments: datetime) -> None:
    """Say of the versions when they were kept."""
    with locked(engine) as connection:
        for number, moment in enumerate(moments, 1):
            row = prompt_history.c
            query = update(prompt_history).where(row.version == number, row.prompt != "")
            connection.execute(query.values(kept_at=moment))


def used(engine: Engine, run: str) -> int | None:
    """The version that a run used, None where it is not known."""
    id_ = run_row(engine, run)["prompt_history_id"]
    version = next(one for one in rows(engine)["prompt_history"] if one["id"] == id_)
    return version["version"] if version["prompt"] else None


def test_a_run_knows_the_version_by_its_text(engine: Engine, project: Path, tmp_path: Path) -> None:
    first, second = "Greet {{name}}", "Hail {{name}}"
    for text in (first, second, first):
        (project / NAME).write_text(text)
        sync(engine, project)
    day = datetime(2026, 11, 20, 10, tzinfo=UTC)
    at(engine, day, day + timedelta(days=2), day + timedelta(days=4))
    for name, text, day_of_month in (
        ("exp_before", first, 19),
        ("exp_first", first, 21),
        ("exp_second", second, 23),
        ("exp_last", first, 25),
        ("exp_unknown", "Other {{name}}", 25),
    ):
        files = {NAME: prompt_fingerprint(text)}
        write_run(tmp_path / "runs", name, "+", day=day_of_month, prompt_files=files)
    both = {NAME: prompt_fingerprint(first), "b.md": prompt_fingerprint(second)}
    write_run(tmp_path / "runs", "exp_two", "+", prompt_files=both)
    write_run(tmp_path / "runs", "exp_none", "+")
    for anew in (False, True):
        list(sync_folder(engine, tmp_path / "runs", "bot", anew=anew))
        found = {name: used(engine, f"exp_{name}") for name in ("before", "first", "second", "last")}
        assert found == {"before": 1, "first": 1, "second": 2, "last": 3}
        assert [used(engine, f"exp_{name}") for name in ("unknown", "two", "none")] == [None] * 3
