"""Save changes of suites and cases, whether they stand in files or in tables."""

from __future__ import annotations

import os
import re
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import PurePath
from typing import Any, NamedTuple

from sqlalchemy import Connection

from grice.files.document import FileError, load_file
from grice.files.document_editing import edited_text
from grice.files.suite_code import changed_code, changed_code_of_scenario
from grice.files.suite_files import suite_name
from grice.files.suite_writing import ordered_head, ordered_scenario
from grice.identity import fingerprint
from grice.store import suite_editing
from grice.store.database import read_only
from grice.store.errors import NoSuchRow, Outdated, SuiteProblems
from grice.store.suite_syncing import file_digest
from grice.store.suite_workspace import Fields, SuiteFile, SuiteWorkspace
from grice.store.suites import (
    Case,
    Suite,
    cases_of_suite,
    document_of,
    find_case,
    find_suite,
    suite_file_text,
)
from grice.typed import Problem

ANY = "*"
"""The version of somebody who does not ask what is there."""

Change = Callable[[Fields], Fields]

_MOST_KEPT = 100
_MOST_BYTES = 64 * 1024 * 1024


def version_of_case(case: Case) -> str:
    """The fingerprint of what a case says."""
    return fingerprint(case.scenario)


def version_of_suite(connection: Connection, suite: Suite) -> str:
    """The fingerprint of what a suite says; of one in a file that of its bytes."""
    if suite.source_file is not None:
        return str(suite.fingerprint)
    return fingerprint(document_of(connection, suite))


class SuiteSaver:
    """Changes the suites of a project. One object serves all threads.

    `base` is always the version that was read: it is Outdated where there is another one now. Every change
    is kept with `who` made it.
    """

    def __init__(self, suites: SuiteWorkspace) -> None:
        self.suites = suites
        self._deletions = _Deletions()

    # -- cases

    def make_case(self, who: str, suite_id: str, scenario: Fields, *, position: int | None = None) -> Case:
        """Add a scenario to a suite, at the end or at a position from 0."""
        suite = self.suites.find_suite(suite_id)
        self.suites.refuse_code(changed_code_of_scenario, {}, scenario, suite)
        return self._added(who, f"made a case in {suite.name}", suite, scenario, position)

    def _added(self, who: str, what: str, suite: Suite, scenario: Fields, position: int | None) -> Case:
        if suite.source_file is None:
            with self.suites.in_tables(who, what) as connection:
                reading = self.suites.reading_of_body()
                return suite_editing.make_case(
                    connection, suite.id, scenario, position=position, reading=reading
                )
        with self.suites.in_file(suite) as file:
            if "id" not in scenario:
                scenario = {"id": suite_editing.new_key(scenario), **scenario}
            raw, place = _put_at(file.raw, ordered_scenario(scenario), position)
            return self.suites.write_case(who, what, file, raw, place)

    def change_case(self, who: str, id_: str, change: Change, base: str) -> Case:
        """Replace what a case says by what `change` makes of it; its id stays where that gives no other."""
        suite, case = self.suites.find_case(id_)
        what = f"changed the case {id_}"
        if suite.source_file is None:
            with self.suites.in_tables(who, what) as connection:
                case = find_case(connection, id_)
                _refuse_late(base, case, case.scenario)
                new = change(case.scenario)
                self.suites.refuse_code(changed_code_of_scenario, case.scenario, new, suite)
                reading = self.suites.reading_of_body()
                return suite_editing.change_case(connection, id_, new, reading)
        with self.suites.in_file(suite) as file:
            raw, place = changed_scenarios(self.suites, file, case, change, base)
            if raw == file.raw:
                return case
            return self.suites.write_case(who, what, file, raw, place)

    def copy_case(self, who: str, id_: str, suite_id: str | None = None) -> Case:
        """Add the same scenario to its own suite or another one, under an id that is free there."""
        _, case = self.suites.find_case(id_)
        target = self.suites.find_suite(suite_id or case.suite)
        what = f"copied the case {id_}"
        if target.source_file is None:
            with self.suites.in_tables(who, what) as connection:
                return suite_editing.copy_case(connection, id_, target.id)
        with self.suites.in_file(target) as file:
            key = suite_editing.free_key(case.key, {one.id for one in file.scenarios})
            raw = file.raw
            before = [one.id for one in file.scenarios]
            place = before.index(case.key) + 1 if case.suite == target.id and case.key in before else len(raw)
            raw.insert(place, ordered_scenario({**case.scenario, "id": key}))
            return self.suites.write_case(who, what, file, raw, place)

    def move_case(
        self, who: str, id_: str, suite_id: str | None = None, *, position: int | None = None
    ) -> Case:
        """Put a case at another position of its suite, or into another suite, at the end where none is given.

        Into another suite it is added before it is taken away: whatever happens between, it is somewhere.
        """
        suite, case = self.suites.find_case(id_)
        target = suite if suite_id is None else self.suites.find_suite(suite_id)
        what = f"moved the case {id_}"
        if target.id == suite.id:
            if suite.source_file is None:
                with self.suites.in_tables(who, what) as connection:
                    return suite_editing.move_case(connection, id_, position=position)
            with self.suites.in_file(suite) as file:
                raw = file.raw
                scenario = raw.pop(file.index(case.key))
                raw, place = _put_at(raw, scenario, position)
                return self.suites.write_case(who, what, file, raw, place)
        if suite.source_file is None and target.source_file is None:
            with self.suites.in_tables(who, what) as connection:
                return suite_editing.move_case(connection, id_, target.id, position=position)
        if suite.source_file is not None and self._has_one(suite):
            raise SuiteProblems([Problem((), f"it is the only scenario of {suite.source_file}")])
        scenario = {"id": case.key, **case.scenario}
        moved = self._added(who, what, target, scenario, position)
        self.delete_case(who, id_, version_of_case(case))
        return moved

    def delete_case(self, who: str, id_: str, base: str) -> str:
        """Delete a case and give the token for `undo`. Its results stay."""
        suite, case = self.suites.find_case(id_)
        what = f"deleted the case {id_}"
        if suite.source_file is None:
            with self.suites.in_tables(who, what) as connection:
                case = find_case(connection, id_)
                _refuse_late(base, case, case.scenario)
                rows = suite_editing.deleted_rows(connection, suite.id, id_)
                suite_editing.delete_case(connection, id_)
            return self._deletions.keep(_DeletedRows(*rows, is_suite=False))
        with self.suites.in_file(suite) as file:
            place, raw = file.index(case.key), file.raw
            scenario = raw.pop(place)
            _refuse_late(base, case, scenario)
            if not raw:
                only = f"it is the only scenario of {suite.source_file}, and a file has one: delete the suite"
                raise SuiteProblems([Problem((), only)])
            self.suites.write(who, what, file, self.suites.checked(file, file.with_scenarios(raw)))
            after = file_digest(file.path)
        said = {"id": case.key, **scenario}
        return self._deletions.keep(_DeletedCase(suite.id, said, place, file.document.text, after))

    # -- suites

    def make_suite(
        self, who: str, value: Fields, *, prompt: str | None = None, file: str | None = None, text: str = ""
    ) -> Suite:
        """Make a suite of the content of a suite file with a `name`: in the tables, or in a new `file`.

        `text` is how that says it, where it was given.
        """
        self.suites.refuse_code(changed_code, {}, value)
        if file is not None:
            return self.suites.make_file(who, f"made the suite file {file}", file, value, text)
        with self.suites.in_tables(who, f"made the suite {value.get('name')}") as connection:
            reading = self.suites.reading_of_body()
            return suite_editing.make_suite(
                connection, self.suites.project, value, prompt=prompt, reading=reading
            )

    def change_suite(self, who: str, id_: str, change: Change, base: str, *, text: str = "") -> Suite:
        """Replace what a suite says, its name and scenarios included, by what `change` makes of it.

        `text` is how a file says it, where that was given.
        """
        suite = self.suites.find_suite(id_)
        what = f"changed the suite {suite.name}"
        if suite.source_file is None:
            with self.suites.in_tables(who, what) as connection:
                suite = find_suite(connection, id_)
                old = document_of(connection, suite)
                if base not in (ANY, fingerprint(old)):
                    raise Outdated(f"the suite {suite.name!r} was changed meanwhile")
                new = change(old)
                self.suites.refuse_code(changed_code, old, new, suite)
                if new.get("scenarios") == old["scenarios"]:
                    new = {name: one for name, one in new.items() if name != "scenarios"}
                return suite_editing.change_suite(connection, id_, new, self.suites.reading_of_body())
        with self.suites.in_file(suite) as file:
            if base not in (ANY, file.digest):
                raise Outdated(f"{suite.source_file} was changed meanwhile")
            old = {"name": file.scenarios[0].suite, **file.head, "scenarios": file.raw}
            new = change(old)
            if new.get("name") == suite_name(file.path) and "name" not in file.head:
                new = {name: one for name, one in new.items() if name != "name"}
            self.suites.refuse_code(changed_code, old, new, suite)
            keys = [one.id for one in file.scenarios]
            if isinstance(scenarios := new.setdefault("scenarios", []), list):
                new["scenarios"] = [
                    ordered_scenario(one)
                    if isinstance(one, dict) and one not in file.raw and one.get("id") not in keys
                    else one
                    for one in scenarios
                ]
            new = ordered_head(new)
            is_bare = isinstance(file.document.value, list) and new.keys() == {"scenarios"}
            value = new["scenarios"] if is_bare else new
            self.suites.write(who, what, file, self.suites.checked(file, value, text=text))
        return self.suites.find_suite(id_)

    def copy_suite(self, who: str, id_: str, name: str, *, file: str | None = None) -> Suite:
        """Make a suite under another name that has the same scenarios, in the tables or in a new `file`.

        A copy of a file in a file has its comments.
        """
        suite = self.suites.find_suite(id_)
        what = f"copied the suite {id_}"
        if file is None:
            with self.suites.in_tables(who, what) as connection:
                return suite_editing.copy_suite(connection, id_, name)
        if suite.source_file is None:
            with read_only(self.suites.engine) as connection:
                suite_file_text(connection, suite, as_json=True)  # raises where no file says it
                value = document_of(connection, suite)
            return self.suites.make_file(who, what, file, _named_from({**value, "name": name}, "", file))
        source = suite.source_file
        document = load_file(self.suites.root / source)
        said: Any = document.value
        value = {"scenarios": said} if isinstance(said, list) else said
        value = _named_from({**value, "name": name}, source, file)
        same = file.endswith(".json") == source.endswith(".json") and isinstance(said, dict)
        try:
            text = edited_text(document, value) if same else ""
            text = _MODELINE.sub(lambda line: line[1] + _seen_from(source, line[2], file), text)
        except FileError as error:
            raise SuiteProblems([Problem((), error.message)]) from error
        return self.suites.make_file(who, what, file, value, text)

    def delete_suite(self, who: str, id_: str, base: str) -> str:
        """Delete a suite, with its file if it stands in one, and give the token for `undo`.

        Results of it stay.
        """
        suite = self.suites.find_suite(id_)
        what = f"deleted the suite {suite.name}"
        if suite.source_file is None:
            with self.suites.in_tables(who, what) as connection:
                suite = find_suite(connection, id_)
                if base not in (ANY, version_of_suite(connection, suite)):
                    raise Outdated(f"the suite {suite.name!r} was changed meanwhile")
                rows = suite_editing.deleted_rows(connection, id_)
                suite_editing.delete_suite(connection, id_)
            return self._deletions.keep(_DeletedRows(*rows, is_suite=True))
        with self.suites.in_file(suite) as file:
            if base not in (ANY, file.digest):
                raise Outdated(f"{suite.source_file} was changed meanwhile")
            content = self.suites.delete_file(who, what, file)
        return self._deletions.keep(_DeletedFile(suite.id, suite.source_file, content))

    def undo(self, who: str, token: str) -> tuple[Suite, Case | None]:
        """Restore what was deleted: the suite, and the case where it was one.

        A file that nobody changed since is as it was, byte for byte. Raises NoSuchRow for a token that is
        none, and SuiteProblems where something else has the place by now.
        """
        deleted = self._deletions.find(token)
        found = _put_back(self.suites, who, deleted)
        self._deletions.forget(token)
        return found

    def _has_one(self, suite: Suite) -> bool:
        """Whether a suite has one case only."""
        with read_only(self.suites.engine) as connection:
            return len(cases_of_suite(connection, suite.id)) == 1


def changed_scenarios(
    suites: SuiteWorkspace, file: SuiteFile, case: Case, change: Change, base: str
) -> tuple[list[Fields], int]:
    """The scenarios of a file with one changed, the same where nothing is, and its place."""
    place, raw = file.index(case.key), file.raw
    old = raw[place]
    _refuse_late(base, case, old)
    new = change(old)
    if fingerprint(new) != fingerprint(old):
        suites.refuse_code(changed_code_of_scenario, old, new, file.suite)
        raw[place] = {"id": case.key, **new}
    return raw, place


def _put_at(raw: list[Fields], scenario: Fields, position: int | None) -> tuple[list[Fields], int]:
    """The scenarios with one more at a position, at the end where it is None, and its place."""
    place = len(raw) if position is None else min(max(position, 0), len(raw))
    return [*raw[:place], scenario, *raw[place:]], place


_MODELINE = re.compile(r"^([ \t]*#[ \t]*yaml-language-server:[ \t]*\$schema=)(\S+)", re.MULTILINE)
"""How a YAML file tells editors its schema."""


def _named_from(value: Fields, before: str, file: str) -> Fields:
    """What a suite says in another file: its prompt and its schema are named from there.

    Nothing else in a suite is: modules and the files of checks are looked for from the project's folder.
    """
    named = [name for name in ("prompt", "$schema") if isinstance(value.get(name), str)]
    return {**value, **{name: _seen_from(before, value[name], file) for name in named}}


def _seen_from(before: str, path: str, file: str) -> str:
    """A path that one suite file says as another one says it; addresses and whole paths stay."""
    if "://" in path or PurePath(path).is_absolute():
        return path
    return PurePath(os.path.relpath(PurePath(before).parent / path, PurePath(file).parent)).as_posix()


def _refuse_late(base: str, case: Case, now: Fields) -> None:
    if base not in (ANY, fingerprint(now)):
        raise Outdated(f"the case {case.key!r} was changed meanwhile")


class _DeletedRows(NamedTuple):
    """The rows of a suite outside of files: with its cases where `is_suite`, else of one case."""

    suite: dict[str, Any]
    cases: list[dict[str, Any]]
    is_suite: bool


class _DeletedCase(NamedTuple):
    """A deleted scenario: its place, the file's text with it, the file's digest without it."""

    suite: str
    scenario: dict[str, Any]
    place: int
    text: str
    digest_after: str


class _DeletedFile(NamedTuple):
    """A deleted file: the id of its suite, its place below the folder of the project, its bytes."""

    suite: str
    file: str
    content: bytes


class _Deletions:
    """The last deletions of this process, by tokens that cannot be guessed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, _Deleted] = OrderedDict()

    def keep(self, deleted: _Deleted) -> str:
        """Keep what was deleted and give its token. The oldest ones are forgotten."""
        token = secrets.token_urlsafe(16)
        with self._lock:
            self._kept[token] = deleted
            while len(self._kept) > 1 and self._is_too_much():
                self._kept.popitem(last=False)
        return token

    def _is_too_much(self) -> bool:
        return len(self._kept) > _MOST_KEPT or sum(map(_size, self._kept.values())) > _MOST_BYTES

    def find(self, token: str) -> _Deleted:
        """Find what was deleted under that token. Raises NoSuchRow."""
        with self._lock:
            found = self._kept.get(token)
        if found is None:
            raise NoSuchRow("this deletion is not known any more: it was undone, or the server began anew")
        return found

    def forget(self, token: str) -> None:
        """Forget a deletion that was undone."""
        with self._lock:
            self._kept.pop(token, None)


def _size(deleted: _Deleted) -> int:
    if isinstance(deleted, _DeletedRows):
        return sum(len(one.get("content") or "") for one in [deleted.suite, *deleted.cases])
    return len(deleted.text) if isinstance(deleted, _DeletedCase) else len(deleted.content)


def _put_back(suites: SuiteWorkspace, who: str, deleted: _Deleted) -> tuple[Suite, Case | None]:
    """Restore what was deleted: the suite, and the case where it was one.

    Raises SuiteProblems where something else has the place by now.
    """
    if isinstance(deleted, _DeletedRows):
        return _put_back_rows(suites, who, deleted)
    if isinstance(deleted, _DeletedFile):
        suites.put_back_file(who, f"undid the deletion of {deleted.file}", deleted.file, deleted.content)
        return suites.find_suite(deleted.suite), None
    return _put_back_case(suites, who, deleted)


def _put_back_rows(suites: SuiteWorkspace, who: str, deleted: _DeletedRows) -> tuple[Suite, Case | None]:
    suite, cases = deleted.suite, deleted.cases
    with suites.in_tables(who, f"undid a deletion in the suite {suite['name']}") as connection:
        if deleted.is_suite:
            return suite_editing.put_back_suite(connection, suite, cases), None
        case = suite_editing.put_back_case(connection, cases[0])
        return find_suite(connection, case.suite), case


def _put_back_case(suites: SuiteWorkspace, who: str, deleted: _DeletedCase) -> tuple[Suite, Case]:
    suite = suites.find_suite(deleted.suite)
    with suites.in_file(suite) as file:
        raw = file.raw
        place = min(deleted.place, len(raw))
        raw.insert(place, deleted.scenario)
        text = deleted.text if file.digest == deleted.digest_after else ""
        checked = suites.checked(file, file.with_scenarios(raw), text=text)
        suites.write(who, f"undid a deletion in {suite.source_file}", file, checked)
    return suite, suites.case_in(checked, place)


_Deleted = _DeletedRows | _DeletedCase | _DeletedFile
