"""Bring the tables up to date with the suite files of a project.

A file is read when its bytes are others than those that were read last. All that changed is one transaction,
so that a scenario may go from one file to another. Where another checkout wrote a newer text of a file, that
stays, and so does a file that only another one has.
"""

from __future__ import annotations

import hashlib
import socket
import subprocess
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple

from sqlalchemy import Connection, Engine, select

from grice.files.document import FileError, file_text, load_file
from grice.files.folders import files_below
from grice.files.settings_files import SettingsError
from grice.files.suite_files import SuiteErrors, is_suite_file, suite_name
from grice.files.suite_records import SuiteScenario
from grice.identity import fingerprint
from grice.running.journal.experiment import ask_git
from grice.store.database import locked, read_only
from grice.store.errors import StoreError
from grice.store.owners import add_project
from grice.store.result_rows import suite_id
from grice.store.suite_rows import (
    case_row,
    head_of,
    name_problems,
    owners_of,
    retire_cases,
    retire_suite,
    suite_row,
    write_cases,
)
from grice.store.suites import document_of, find_suite
from grice.store.tables import test_cases, test_suites

Row = dict[str, Any]

_TIMEOUT = 20.0
_COMMIT = "commit "


class SyncedSuite(NamedTuple):
    """The result of reading a suite file, by its path in the project. `problems` say why it was left out.

    `replaced` is the checkout that had written another text, which this one takes the place of.
    """

    file: str
    state: Literal["read", "as before", "gone", "left out"]
    problems: tuple[str, ...] = ()
    replaced: str = ""


class _WrittenSuite(NamedTuple):
    """A file's entry in the tables: the fingerprint of its bytes, who wrote it, how new it is."""

    digest: str
    checkout: str
    at: datetime | None


class _FileRows(NamedTuple):
    """A file as rows; `document` is the fingerprint of what it says."""

    path: Path
    suite: Row
    cases: list[Row]
    document: str


def sync_suites(
    engine: Engine,
    root: Path,
    project: str,
    load: Callable[[Path], list[SuiteScenario]],
    *,
    anew: bool = False,
) -> list[SyncedSuite]:
    """Bring the rows of suites and cases up to date with the suite files below the folder.

    `load` reads a file as `grice run` does. A file with mistakes is left out, and its former rows stay; so is
    one of which another checkout wrote a newer text. With `anew` the files of this folder are read whatever
    stands there.
    """
    here = _checkout_name(root)
    files = {one.relative_to(root).as_posix(): one for one in files_below(root) if is_suite_file(one.name)}
    with read_only(engine) as connection:
        known = {} if anew else _known_suites(connection, project)
    changed: dict[str, _FileRows] = {}
    wrong: dict[str, tuple[str, ...]] = {}
    for name, path in files.items():
        try:
            digest = file_digest(path)
            if name not in known or known[name].digest != digest:
                changed[name] = _read(path, name, project, digest, load(path))
        except (SuiteErrors, SettingsError) as error:
            wrong[name] = tuple(str(error).split("\n"))
        except StoreError as error:
            wrong[name] = tuple(f"{path}: {line}" for line in str(error).split("\n"))
        except FileError as error:
            wrong[name] = (str(error),)
    times = changed_at(root, list(changed)) if changed else {}
    with locked(engine) as connection:
        changed = {name: one for name, one in changed.items() if name in times and _is_as_read(one)}
        for name, one in changed.items():
            one.suite.update(written_from=here, written_at=times[name])
        known = _known_suites(connection, project)
        others = {name: one for name, one in known.items() if one.checkout not in ("", here)}
        newer = {
            name: one
            for name, one in others.items()
            if name in changed and not anew and one.at is not None and one.at > times[name]
        }
        wrong |= {name: (_newer_elsewhere(root / name, one),) for name, one in newer.items()}
        changed = {name: one for name, one in changed.items() if name not in newer}
        gone = [name for name in known if name not in files and (anew or name not in others)]
        if changed or gone:
            add_project(connection, project)
            wrong |= _write(connection, project, changed, gone)
    found = [
        SyncedSuite(
            name,
            "left out" if name in wrong else "read" if name in changed else "as before",
            wrong.get(name, ()),
            others[name].checkout if name in changed and name in others and name not in wrong else "",
        )
        for name in files
    ]
    return found + [SyncedSuite(name, "gone") for name in gone]


def _known_suites(connection: Connection, project: str) -> dict[str, _WrittenSuite]:
    """The files whose suites stand in the tables."""
    suites = test_suites.c
    columns = suites.source_file, suites.fingerprint, suites.written_from, suites.written_at
    query = select(*columns).where(
        suites.project_id == project, suites.source_file.is_not(None), suites.fingerprint.is_not(None)
    )
    return {
        str(file): _WrittenSuite(digest, checkout or "", at)
        for file, digest, checkout, at in connection.execute(query)
    }


def _newer_elsewhere(path: Path, written: _WrittenSuite) -> str:
    return (
        f"{path}: {written.checkout} wrote a newer text, of {written.at:%Y-%m-%d %H:%M} UTC, which stays: "
        f"bring this checkout up to date, or run grice db rebuild to have the database say what this one says"
    )


def _is_as_read(read: _FileRows) -> bool:
    """Whether the file says what was read; one that was changed since is read the next time."""
    try:
        return bool(file_digest(read.path) == read.suite["fingerprint"])
    except FileError:
        return False


def file_digest(path: Path) -> str:
    """The fingerprint of a file. Raises FileError."""
    return f"sha256:{hashlib.sha256(file_text(path).encode()).hexdigest()}"


def _read(path: Path, file: str, project: str, digest: str, scenarios: Sequence[SuiteScenario]) -> _FileRows:
    """The rows of a file. Raises StoreError for what a database does not take."""
    value = load_file(path).value
    name = scenarios[0].suite if scenarios else suite_name(path)
    if problems := name_problems(name):
        raise StoreError("\n".join(map(str, problems)))
    head = head_of(value)
    suite = suite_row(suite_id(project, file), project, name, head, file=file, digest=digest)
    cases = [case_row(suite, one, position) for position, one in enumerate(scenarios)]
    whole = {**head, "name": name, "scenarios": [one.content for one in scenarios]}
    return _FileRows(path, suite, cases, fingerprint(whole))


def _write(
    connection: Connection, project: str, changed: Mapping[str, _FileRows], gone: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """Write what changed and remove what is gone; the reason why a file could not be written."""
    wrong: dict[str, tuple[str, ...]] = {}
    for name in gone:
        retire_suite(connection, suite_id(project, name))
    while True:
        kept = {name: one for name, one in changed.items() if name not in wrong}
        left = {id_ for one in kept.values() for id_ in _left(connection, one)}
        if not (found := _taken(connection, kept, left)):
            break
        wrong |= found
    retire_cases(connection, sorted(left))
    for one in kept.values():
        for owner in _same_without_file(connection, one):
            retire_suite(connection, owner)
        write_cases(connection, one.suite, one.cases)
    return wrong


def _left(connection: Connection, read: _FileRows) -> set[str]:
    """The cases that the suite of a file no longer has."""
    cases = test_cases.c
    query = select(cases.id).where(cases.test_suite_id == read.suite["id"], cases.content.is_not(None))
    return set(connection.execute(query).scalars()) - {one["id"] for one in read.cases}


def _taken(
    connection: Connection, kept: Mapping[str, _FileRows], left: set[str]
) -> dict[str, tuple[str, ...]]:
    """The files with a scenario that another suite has, and where that stands."""
    wrong: dict[str, tuple[str, ...]] = {}
    mine: dict[str, tuple[_FileRows, Row]] = {}
    for name, read in kept.items():
        owners = owners_of(connection, [one["id"] for one in read.cases])
        same = _same_without_file(connection, read)
        problems: list[str] = []
        for case in read.cases:
            first, other = mine.setdefault(case["id"], (read, case))
            owner = owners.get(case["id"])
            if first is not read:
                where = f"{first.path}:{other['source_line']}"
            elif owner is None or owner in (read.suite["id"], *same) or case["id"] in left:
                continue
            else:
                where = _place_of(connection, owner)
            problems.append(
                f"{read.path}:{case['source_line']}: the id {case['name']!r} is used already, {where}"
            )
        if problems:
            wrong[name] = tuple(problems)
    return wrong


def _place_of(connection: Connection, suite: str) -> str:
    found = find_suite(connection, suite)
    if found.source_file is not None:
        return f"at {found.source_file}"
    return (
        f"in the database by the suite {found.name!r} ({suite}), which stands in no file and says something "
        f"else: export it to this file, or give this file another name"
    )


def _same_without_file(connection: Connection, read: _FileRows) -> list[str]:
    """The suites of the tables that say what the file says, and that it takes the place of."""
    suites = test_suites.c
    query = select(suites.id).where(
        suites.project_id == read.suite["project_id"],
        suites.name == read.suite["name"],
        suites.source_file.is_(None),
        suites.fingerprint == read.document,
    )
    return [
        str(id_)
        for id_ in connection.execute(query).scalars()
        if fingerprint(document_of(connection, find_suite(connection, id_))) == read.document
    ]


def _checkout_name(root: Path) -> str:
    """The name of a checkout among those of other machines: `host:folder`."""
    return f"{socket.gethostname()}:{root.resolve()}"


def changed_at(root: Path, files: Sequence[str]) -> dict[str, datetime]:
    """The time at which each of the files, by path in the folder, got its text.

    A team has many checkouts of one project, and of two that say something else the newer text counts: a
    checkout that is made today may be of last year.

    That is the time of its last commit, and the time of the file where git does not know it as it is. A file
    that is gone meanwhile is left out.
    """
    committed = _committed(root, files)
    found: dict[str, datetime] = {}
    for file in files:
        try:
            seconds = committed.get(file) or int((root / file).stat().st_mtime)
        except OSError:
            continue
        found[file] = datetime.fromtimestamp(seconds, UTC)
    return found


def _committed(root: Path, files: Sequence[str]) -> dict[str, int]:
    """The times of the last commits of files that say what was committed; {} without git."""
    try:
        found = _last_commits(
            _git(root, "log", f"--format={_COMMIT}%ct", "--name-only", "--relative", "--", *files)
        )
        changed = _git(root, "diff", "HEAD", "--name-only", "--relative", "--", *found) if found else []
    except (OSError, subprocess.SubprocessError):
        return {}
    return {file: seconds for file, seconds in found.items() if file not in changed}


def _last_commits(lines: Sequence[str]) -> dict[str, int]:
    """The first time that stands above each file: the log begins with the last commit."""
    found: dict[str, int] = {}
    seconds = 0
    for line in lines:
        if line.startswith(_COMMIT):
            seconds = int(line.removeprefix(_COMMIT))
        elif line:
            found.setdefault(line, seconds)
    return found


def _git(folder: Path, *command: str) -> list[str]:
    """The lines that git answers. Raises OSError and SubprocessError."""
    said = ask_git(folder, _TIMEOUT, "-c", "core.quotePath=false", *command)
    return said.decode("utf-8", "surrogateescape").split("\n")
