"""Keep versions of the prompt files that suites name, and write earlier versions back."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, Engine, update

from grice.files.document import FileError, load_file
from grice.files.folders import files_below
from grice.files.prompt_files import prompt_fingerprint, prompt_name, prompt_place, prompt_text
from grice.files.suite_files import is_suite_file
from grice.store.database import locked
from grice.store.errors import Outdated, StandsInFile, StoreError
from grice.store.owners import add_project
from grice.store.prompts import (
    PromptVersion,
    file_prompt_id,
    keep_file,
    refuse_text,
    text_of_version,
    versions_of_file,
)
from grice.store.result_rows import agent_prompt, suite_id
from grice.store.tables import test_suites
from grice.store.tokens import add_change
from grice.user_files import real_path, replacing

_TRIES = 5


class SyncedPrompt(NamedTuple):
    """The result of reading a prompt's file: the number of the version that was kept, 0 where it is as
    before.

    `problem` says why it was left out; then `place` is where its file should be, where a suite says that.
    """

    name: str
    version: int = 0
    problem: str = ""
    place: Path | None = None


class RestoredPrompt(NamedTuple):
    """What came of restoring a file: the number of its version now, and of the one that kept its own text.

    `kept` is 0 where a version had that text already, and `version` where the latest one was as wanted.
    """

    version: int
    kept: int = 0


class FileStanding(NamedTuple):
    """Which version of a prompt its file has, 0 for none.

    `problem` says why it cannot be read.
    """

    name: str
    version: int = 0
    is_latest: bool = False
    problem: str = ""

    def __str__(self) -> str:
        if self.problem:
            return self.problem
        if self.is_latest:
            return f"{self.name}: the file has the text of the latest version"
        told = f"the text of version {self.version}" if self.version else "a text of no version"
        return f"{self.name}: the file has {told}"


def file_standing(root: Path, name: str, versions: Sequence[PromptVersion]) -> FileStanding:
    """Find which version of a prompt the file of that name has; versions come with the latest first."""
    try:
        text = prompt_text(root / name)
    except FileError as error:
        return FileStanding(name, problem=str(error))
    number = next((one.version for one in versions if one.text == text), 0)
    return FileStanding(name, number, bool(versions) and number == versions[0].version)


def sync_prompts(
    engine: Engine, root: Path, project: str, *, again: bool = True, told: Collection[str] = ()
) -> list[SyncedPrompt]:
    """Keep the texts of all prompts that suites of the project in that folder name.

    Unless `again`, a text that some version has is no version more: a machine that pushes a run is not the
    one that says which is the latest. Suites in the tables refer to the prompts that their files name. `told`
    are suites, by their paths in the project, of which it is known that something is wrong: it is told once.
    """
    suites = [one for one in files_below(root) if is_suite_file(one.name)]
    found: dict[str, SyncedPrompt] = {}
    with locked(engine) as connection:  # files are read while nobody else keeps their texts
        for suite in suites:
            file, place = suite.relative_to(root).as_posix(), None
            try:
                place = _place_in(suite)
                name = "" if place is None else prompt_name(place, root)
                if place is not None and name not in found:
                    add_project(connection, project)
                    version = keep_file(connection, project, name, prompt_text(place), again=again)
                    found[name] = SyncedPrompt(name, version)
                _refer(connection, project, file, name)
            except FileError as error:
                if file in told:
                    continue
                where = "" if error.path == str(suite) else f"{suite}: "
                found[f"{suite}"] = SyncedPrompt("", problem=f"{where}{error}", place=place)
    return list(found.values())


def restore_file(
    engine: Engine, root: Path, project: str, name: str, version: int, *, who: str = ""
) -> RestoredPrompt:
    """Write the text of an earlier version to the file of a prompt, as its latest version.

    A text in the file that no version has is kept first, before anything is written. The service says `who`
    does it, which is kept in the transaction that keeps the version. Raises NoSuchRow for a
    version that is not there, FileError for a file that cannot be read, StoreError for one that lies outside
    of the project in `root` or is changed all the time, and OSError.
    """
    path, kept = root / name, 0
    if not real_path(path).is_relative_to(real_path(root)):
        raise StoreError(f"{path}: it lies outside of the project, and is not written")
    for _ in range(_TRIES):
        with locked(engine) as connection:
            versions = versions_of_file(connection, project, name)
            wanted = text_of_version(versions, version, name)
            here = prompt_text(path) if path.exists() else None
            if here is None or any(one.text == here for one in versions):
                if here != wanted:
                    path.parent.mkdir(parents=True, exist_ok=True)
                    with replacing(path) as stream:
                        stream.write(wanted.encode())
                if who:
                    prompt = file_prompt_id(project, name)
                    add_change(
                        connection, project, who, f"restored the version {version} of the prompt {prompt}"
                    )
                return RestoredPrompt(keep_file(connection, project, name, wanted), kept)
            kept = keep_file(connection, project, name, here)
    raise StoreError(f"{path}: other programs kept changing it: try again")


def change_file(
    engine: Engine, root: Path, project: str, name: str, text: str, base: str, *, who: str
) -> None:
    """Write a text to the file of a prompt, whose text has the fingerprint `base` (`*`: any), as a version.

    A text in the file that no version has is kept first. One transaction keeps the version and that `who`
    made it. Raises PromptProblems, Outdated for a file with
    another text, FileError for one that cannot be read, StoreError for one outside of the project, OSError.
    """
    path = root / name
    if not real_path(path).is_relative_to(real_path(root)):
        raise StandsInFile(f"{path}: it lies outside of the project, and is not written")
    refuse_text(text)
    with locked(engine) as connection:
        here = prompt_text(path)
        if base not in ("*", prompt_fingerprint(here)):
            raise Outdated(f"{name} was changed meanwhile")
        keep_file(connection, project, name, here)
    with locked(engine) as connection:
        if prompt_text(path) != here:
            raise Outdated(f"{name} was changed meanwhile")
        if text != here:
            with replacing(path) as stream:
                stream.write(text.encode())
            add_change(connection, project, who, f"changed the prompt {file_prompt_id(project, name)}")
        keep_file(connection, project, name, text)


def _place_in(suite: Path) -> Path | None:
    """The file of the prompt that a suite names; whether the rest of it is right is told where it is run."""
    value = load_file(suite).value
    said = value.get("prompt") if isinstance(value, dict) else None
    return prompt_place(suite, said) if isinstance(said, str) and said.strip() else None


def _refer(connection: Connection, project: str, file: str, name: str) -> None:
    """Have the suite of a file, where it stands in the tables, belong to the prompt that the file names."""
    prompt, suites = file_prompt_id(project, name) if name else agent_prompt(project), test_suites.c
    row = suites.id == suite_id(project, file)
    connection.execute(update(test_suites).where(row, suites.prompt_id != prompt).values(prompt_id=prompt))
