"""Prompts and their versions: those that suites name follow their files, others live in the tables.

A version is never changed: another text is a version more, also where an earlier one had it. Functions that
write are called within `locked`.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from msgspec import UNSET, UnsetType
from sqlalchemy import Connection, delete, func, insert, select, update

from grice.files.prompt_files import PromptErrors, prompt_fingerprint, read_prompt
from grice.running.journal.experiment import Experiment
from grice.store.columns import escaped, made_id
from grice.store.database import insert_new
from grice.store.errors import NoSuchRow, PromptProblems, StandsInFile
from grice.store.result_rows import agent_prompt, prompt_in_run_folder
from grice.store.tables import models, projects, prompt_history, prompts, test_suite_runs
from grice.text import did_you_mean, value_text
from grice.typed import Problem

_LONGEST_NAME = 250
_prompts, _versions = prompts.c, prompt_history.c


class PromptRow(NamedTuple):
    """A prompt with its latest text. `source_file` is its path in the project, None where it has no file."""

    id: str
    project: str
    name: str
    text: str
    version: int
    model: str | None
    source_file: str | None


class PromptVersion(NamedTuple):
    """A version of a prompt; `kept_at` is None where nobody wrote when."""

    id: str
    prompt: str
    version: int
    text: str
    kept_at: datetime | None


_ROW = (
    _prompts.id,
    _prompts.project_id,
    _prompts.name,
    _prompts.prompt,
    _prompts.version,
    _prompts.model_id,
    _prompts.source_file,
)
_VERSION = (_versions.id, _versions.prompt_id, _versions.version, _versions.prompt, _versions.kept_at)


# -- what is there


def prompts_of(connection: Connection, project: str) -> list[PromptRow]:
    """The prompts of a project by name, without the row that stands for its agent."""
    query = select(*_ROW).where(_prompts.project_id == project, _prompts.id != agent_prompt(project))
    return [PromptRow(*row) for row in connection.execute(query.order_by(_prompts.name, _prompts.id))]


def find_prompt(connection: Connection, id_: str) -> PromptRow:
    """The prompt of that id. Raises NoSuchRow."""
    row: Any = connection.execute(select(*_ROW).where(_prompts.id == id_)).first()
    if row is None:
        raise NoSuchRow(f"{id_}: there is no such prompt")
    return PromptRow(*row)


def prompt_named(connection: Connection, project: str, file: str, name: str) -> PromptRow:
    """The prompt of a project that stands in that file, else the one of that name. Raises NoSuchRow."""
    known = prompts_of(connection, project)
    in_file = (one for one in known if one.source_file == file)
    named = (one for one in known if one.source_file is None and one.name == name)
    for found in (*in_file, *named):
        return found
    files = [one.source_file for one in known if one.source_file is not None]
    hint = did_you_mean(file, files) or did_you_mean(name, [one.name for one in known])
    raise NoSuchRow(f"no version of the prompt {name} is kept{hint}")


def history_of(connection: Connection, id_: str) -> list[PromptVersion]:
    """The versions of a prompt, the latest first. Raises NoSuchRow."""
    return _history(connection, find_prompt(connection, id_).id)


def version_of(connection: Connection, history_id: str) -> PromptVersion:
    """The version of that id. Raises NoSuchRow."""
    row = connection.execute(select(*_VERSION).where(_versions.id == history_id)).first()
    if row is None:
        raise NoSuchRow(f"{history_id}: there is no such version of a prompt")
    return PromptVersion(*row)


def runs_by_version(connection: Connection, id_: str) -> dict[str, int]:
    """How many runs are known to have used each version, by the version's id."""
    runs = test_suite_runs.c
    query = (
        select(runs.prompt_history_id, func.count())
        .join(prompt_history, _versions.id == runs.prompt_history_id)
        .where(_versions.prompt_id == id_)
        .group_by(runs.prompt_history_id)
    )
    return {str(version): int(number) for version, number in connection.execute(query)}


class PromptUse(NamedTuple):
    """A run that used a version of a prompt, and what came of it."""

    version: str
    run: str
    name: str
    run_at: datetime
    outcome: str | None
    pass_percentage: float


def uses_of_prompt(connection: Connection, id_: str, *, limit: int = 200) -> list[PromptUse]:
    """The last runs that are known to have used a version of the prompt, the latest first."""
    runs = test_suite_runs.c
    query = (
        select(runs.prompt_history_id, runs.id, runs.name, runs.run_at, runs.outcome, runs.pass_percentage)
        .join(prompt_history, _versions.id == runs.prompt_history_id)
        .where(_versions.prompt_id == id_)
        .order_by(runs.run_at.desc(), runs.id)
        .limit(limit)
    )
    return [PromptUse(*row) for row in connection.execute(query)]


def version_used(
    connection: Connection, project: str, run: str, heads: Sequence[Experiment], run_at: datetime
) -> str:
    """Find the id of the version that a run used; of the row for the agent where that is not known.

    It can where the run tests one prompt, with one text, and that text is kept. Of several versions with it
    the latest is taken that was kept before the run began; so what is kept later changes nothing.
    """
    texts = {item for head in heads for item in head.prompt_files.items()}
    if len(texts) == 1:
        ((name, text),) = texts
        own = prompt_in_run_folder(name, run)
        versions = _history(connection, own) if own else versions_of_file(connection, project, name)
        same = [one for one in reversed(versions) if prompt_fingerprint(one.text) == text]
        before = [one for one in same if one.kept_at is None or one.kept_at <= run_at]
        if same:
            return before[-1].id if before else same[0].id
    return agent_prompt(project)


# -- those without a file


def make_prompt(
    connection: Connection, project: str, name: str, text: str, *, model: str | None = None
) -> PromptRow:
    """Make a prompt that stands in no file. Raises NoSuchRow for a project that is not there.

    Raises PromptProblems with everything that is wrong.
    """
    if connection.execute(select(projects.c.id).where(projects.c.id == project)).first() is None:
        raise NoSuchRow(f"{project}: there is no such project")
    _refuse(connection, project, "", name, text, model)
    id_ = f"prompt_{uuid.uuid4().hex[:12]}"
    row = {"id": id_, "project_id": project, "name": name, "prompt": text, "version": 0, "model_id": model}
    connection.execute(insert(prompts).values(row))
    _add_version(connection, id_, text)
    return find_prompt(connection, id_)


def change_prompt(
    connection: Connection,
    id_: str,
    *,
    name: str | UnsetType = UNSET,
    text: str | UnsetType = UNSET,
    model: str | UnsetType | None = UNSET,
) -> PromptRow:
    """Give a prompt another name, text or model; the prompt as it is then.

    Raises NoSuchRow, StandsInFile, and PromptProblems with everything that is wrong.
    """
    row = _without_file(connection, id_)
    name, text = row.name if name is UNSET else name, row.text if text is UNSET else text
    model = row.model if model is UNSET else model
    _refuse(connection, row.project, id_, name, text, model)
    connection.execute(update(prompts).where(_prompts.id == id_).values(name=name, model_id=model))
    if text != row.text:
        _add_version(connection, id_, text)
    return find_prompt(connection, id_)


def delete_prompt(connection: Connection, id_: str) -> None:
    """Delete a prompt with its versions, its suites and their runs. Raises NoSuchRow and StandsInFile."""
    _without_file(connection, id_)
    connection.execute(delete(prompts).where(_prompts.id == id_))


def restore_prompt(connection: Connection, id_: str, version: int) -> PromptRow:
    """Make the text of an earlier version the latest one; it becomes a new version unless it is the latest
    already.

    Raises NoSuchRow, for a version too, and StandsInFile: see `prompt_sync.restore_file`.
    """
    row = _without_file(connection, id_)
    text = text_of_version(_history(connection, id_), version, row.name)
    if text != row.text:
        _add_version(connection, id_, text)
    return find_prompt(connection, id_)


# -- those in files


def file_prompt_id(project: str, name: str) -> str:
    """The id of the prompt that stands in a file of the project."""
    return made_id(project, "prompt", name)


def keep_file(connection: Connection, project: str, name: str, text: str, *, again: bool = True) -> int:
    """Keep the text of a file as a version if it changed; its number, 0 where it did not.

    Unless `again`, a text that any version has is no new one. The project is there.
    """
    id_ = file_prompt_id(project, name)
    short = name if len(escaped(name)) <= _LONGEST_NAME else made_id("", name)
    row = {"id": id_, "project_id": project, "name": short, "prompt": text, "version": 0, "source_file": name}
    insert_new(connection, prompts, [row])
    versions = _history(connection, id_)
    known = versions[:1] if again else versions
    return 0 if any(one.text == text for one in known) else _add_version(connection, id_, text)


def versions_of_file(connection: Connection, project: str, name: str) -> list[PromptVersion]:
    """The versions of a file's prompt, the latest first; [] where none is kept."""
    return _history(connection, file_prompt_id(project, name))


def text_of_version(versions: Sequence[PromptVersion], number: int, name: str) -> str:
    """The text of that version. Raises NoSuchRow, which says which there are."""
    for one in versions:
        if one.version == number:
            return one.text
    if not versions:
        raise NoSuchRow(f"no version of the prompt {name} is kept")
    known = ", ".join(str(one.version) for one in reversed(versions[:10]))
    raise NoSuchRow(
        f"{name} has no version {number}: the latest {'is' if len(versions) == 1 else 'are'} {known}"
    )


# -- rows


def _add_version(connection: Connection, id_: str, text: str) -> int:
    """Keep the text as the latest version of the prompt; its number.

    A prompt of PromptKitchen's server, whose text may be in no version, has that kept first.
    """
    row, known = find_prompt(connection, id_), _history(connection, id_)
    if row.version > 0 and not any(one.version == row.version for one in known):
        _insert_version(connection, id_, row.version, row.text)
    number = max([row.version, *(one.version for one in known)]) + 1
    _insert_version(connection, id_, number, text)
    connection.execute(update(prompts).where(_prompts.id == id_).values(prompt=text, version=number))
    return number


def _insert_version(connection: Connection, id_: str, number: int, text: str) -> None:
    row = {
        "id": made_id(id_, f"v{number}"),
        "prompt_id": id_,
        "prompt": text,
        "version": number,
        "kept_at": datetime.now(UTC),
    }
    connection.execute(insert(prompt_history).values(row))


def _history(connection: Connection, id_: str) -> list[PromptVersion]:
    query = select(*_VERSION).where(_versions.prompt_id == id_).order_by(_versions.version.desc())
    return [PromptVersion(*row) for row in connection.execute(query)]


def _without_file(connection: Connection, id_: str) -> PromptRow:
    row = find_prompt(connection, id_)
    if row.source_file is not None:
        raise StandsInFile(f"{id_}: it stands in the file {row.source_file}: change that")
    if row.id == agent_prompt(row.project):
        raise NoSuchRow(f"{id_}: it stands for the agent of the project, and is no prompt")
    return row


def _refuse(connection: Connection, project: str, id_: str, name: str, text: str, model: str | None) -> None:
    """Raise PromptProblems with everything that is wrong with what the prompt of that id is to be."""
    found = [
        *_name_problems(connection, project, id_, name),
        *_text_problems(text),
        *_model_problems(connection, model),
    ]
    if found:
        raise PromptProblems(found)


def _name_problems(connection: Connection, project: str, id_: str, name: str) -> Iterator[Problem]:
    if not name.strip():
        yield Problem(("name",), f"expected a text that is not empty, found {value_text(name)}")
    elif len(escaped(name)) > _LONGEST_NAME:
        yield Problem(("name",), f"expected at most {_LONGEST_NAME} characters, found {len(name):,}")
    elif any(one.name == name and one.id != id_ for one in prompts_of(connection, project)):
        yield Problem(("name",), f"{project} has a prompt {value_text(name)} already")


def refuse_text(text: str) -> None:
    """Raise PromptProblems for a text that is no prompt."""
    if found := list(_text_problems(text)):
        raise PromptProblems(found)


def _text_problems(text: str) -> Iterator[Problem]:
    try:
        read_prompt(text)
    except PromptErrors as error:
        for one in error.errors:
            yield Problem(("text",), f"line {one.line}: {one.message}")


def _model_problems(connection: Connection, model: str | None) -> Iterator[Problem]:
    if model is None:
        return
    known = list(connection.execute(select(models.c.id)).scalars())
    if model not in known:
        yield Problem(("model",), f"there is no model {value_text(model)}{did_you_mean(model, known)}")
