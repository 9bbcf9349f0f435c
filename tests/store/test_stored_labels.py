"""What people said is read from their file, added to it, and asked for by conversation."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, select

from grice.files.document import FileErrors
from grice.store.labels import LabelRow, labels_of
from grice.store.syncing import sync_folder
from grice.store.tables import labels
from grice.validation.labelling.stored import sync_labels
from journals import write_run

HELD = "exp_1/main/000000002"


def line(item: str = HELD, **fields: Any) -> str:
    known = {"version": 1, "item": item, "rater": "anna", "criterion": "friendly", "fingerprint": "f1"}
    return json.dumps({**known, "at": "2026-11-27T10:00:00+00:00", **fields}) + "\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "labels.jsonl"


@pytest.fixture
def said(engine: Engine) -> Callable[..., list[tuple[str, str]]]:
    def ask(item: str = HELD) -> list[tuple[str, str]]:
        with engine.connect() as connection:
            query = select(labels.c.labelled_by, labels.c.label).where(labels.c.conversation_id == item)
            return [tuple(row) for row in connection.execute(query)]

    return ask


def test_a_file_is_read_as_often_as_one_likes(
    engine: Engine, file: Path, said: Callable[..., list[tuple[str, str]]]
) -> None:
    file.write_text(line(label=True, note="warm") + line("other", label=False))
    assert [sync_labels(engine, file, "bot") for _ in range(2)] == [(2, 0), (0, 0)]
    assert (said(), said("other")) == ([("anna", "pass")], [("anna", "fail")])


def test_a_label_belongs_to_the_conversation_of_its_id(engine: Engine, file: Path, tmp_path: Path) -> None:
    write_run(tmp_path / "runs", "exp_1", "+-")
    list(sync_folder(engine, tmp_path / "runs", "bot"))
    file.write_text(line(label=True, note="warm") + line("other", label=False))
    sync_labels(engine, file, "bot")
    with engine.connect() as connection:
        [found] = labels_of(connection, "bot")
    when = datetime(2026, 11, 27, 10, tzinfo=UTC)
    assert found == LabelRow(found.id, HELD, None, "friendly", "pass", "warm", "anna", when)


def test_what_was_said_anew_or_taken_back_is_taken_out(
    engine: Engine, file: Path, said: Callable[..., list[tuple[str, str]]]
) -> None:
    file.write_text(line(label=True) + line("other", label=True))
    sync_labels(engine, file, "bot")
    with file.open("a") as stream:
        stream.write(line(label=None, at="2026-11-27T11:00:00+00:00") + line("other", retracts=True))
    assert sync_labels(engine, file, "bot") == (1, 2)
    assert (said(), said("other")) == ([("anna", "unsure")], [])


def test_labels_that_only_another_copy_of_the_file_has_stay(
    engine: Engine, file: Path, said: Callable[..., list[tuple[str, str]]]
) -> None:
    both = line(label=True) + line(label=False, rater="bob")
    file.write_text(both)
    sync_labels(engine, file, "bot")
    file.write_text(line(label=True))
    assert sync_labels(engine, file, "bot") == (0, 0)
    assert sorted(said()) == [("anna", "pass"), ("bob", "fail")]


def test_a_line_may_have_labels_of_several_people(
    engine: Engine, file: Path, said: Callable[..., list[tuple[str, str]]]
) -> None:
    file.write_text(json.dumps({"item": HELD, "labels": {"anna": 4, "bob": 2.5}}) + "\n\n")
    assert [sync_labels(engine, file, "bot") for _ in range(2)] == [(2, 0), (0, 0)]
    assert sorted(said()) == [("anna", "4"), ("bob", "2.5")]


def test_a_file_that_cannot_be_read_changes_nothing(
    engine: Engine, file: Path, said: Callable[..., list[tuple[str, str]]]
) -> None:
    file.write_text(line(label=True))
    sync_labels(engine, file, "bot")
    file.write_text(line(label=False) + '{"version":1,"item":')
    with pytest.raises(FileErrors, match=r"labels.jsonl:2:1: not valid JSON"):
        sync_labels(engine, file, "bot")
    assert said() == [("anna", "pass")]
    file.write_text("")
    assert sync_labels(engine, file, "bot") == (0, 0)
