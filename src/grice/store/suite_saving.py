"""Changing suites and cases wherever they stand: in files, with their comments kept, or in the tables.

A file is changed under the lock of its project, if it says what its editor read; what is written is read as
what was meant, and takes the name of the file at once. So who is late is told, and nobody finds half of it.
"""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path, PurePath
from typing import Any

from sqlalchemy import Connection, Engine

from grice.agents import AgentLoadError
from grice.files.document import Document, FileError, Syntax, load_file, parse_document
from grice.files.document_editing import edited_text
from grice.files.folders import files_below, is_left_out
from grice.files.matcher_modules import MatcherModules
from grice.files.settings_files import SettingsError
from grice.files.suite_code import changed_code, changed_code_of_scenario
from grice.files.suite_files import is_suite_file, load_suite, read_document, suite_name
from grice.files.suite_records import SuiteScenario
from grice.files.suite_writing import ordered_head, ordered_scenario, suite_text, yaml_problems
from grice.files.writing import replacing
from grice.identity import fingerprint
from grice.judging.criterion import Criterion
from grice.records import JsonValue
from grice.running.journal.file_lock import FileLock, LockHeld
from grice.store import suite_editing
from grice.store.columns import exact_value
from grice.store.database import locked, read_only
from grice.store.deletions import DeletedCase, DeletedFile, DeletedRows, Deletions
from grice.store.errors import (
    CannotWrite,
    CodeChanged,
    NoSuchRow,
    Outdated,
    StandsInFile,
    SuiteProblems,
)
from grice.store.owners import add_project
from grice.store.prompt_sync import sync_prompts
from grice.store.result_rows import suite_id
from grice.store.suite_rows import assertions_size, case_id, name_problems
from grice.store.suite_syncing import file_digest, sync_suites
from grice.store.suites import (
    Case,
    Suite,
    cases_of_suite,
    document_of,
    find_case,
    find_suite,
    suite_file_text,
)
from grice.store.tokens import add_change
from grice.text import visible
from grice.typed import Problem
from grice.user_files import real_path

ANY = "*"
"""The version of somebody who does not ask what is there."""
PATIENCE = 10.0
"""Seconds for which somebody waits for another one who changes files."""
_PAUSE = 0.01
_LONGEST_PART = 200
"""Bytes of the name of a file or folder; systems take 255, and a new file has a longer one at first."""

Fields = dict[str, Any]
Change = Callable[[Fields], Fields]


@dataclass(frozen=True)
class SuiteReading:
    """How the suite files of a project are read: the criteria and the modules for a file."""

    criteria: Callable[[Path], Mapping[str, Criterion]]
    modules: Callable[[Path], MatcherModules]


def version_of_case(case: Case) -> str:
    """What tells what a case says from what it said before."""
    return fingerprint(case.scenario)


def version_of_suite(connection: Connection, suite: Suite) -> str:
    """The same of a suite; of one in a file that of its bytes."""
    if suite.source_file is not None:
        return str(suite.fingerprint)
    return fingerprint(document_of(connection, suite))


@dataclass(frozen=True)
class CaseDifference:
    """What saving a case changes, "" for nothing, and the bytes of its hard checks."""

    text: str
    size: int


@dataclass(frozen=True)
class _Written:
    """What a file will say: its text, and what is read of it."""

    text: str
    scenarios: list[SuiteScenario]

    @property
    def name(self) -> str:
        """The name of the suite then."""
        return self.scenarios[0].suite


@dataclass(frozen=True)
class _File:
    """A suite file that is right, as it was read."""

    path: Path
    document: Document
    digest: str
    scenarios: list[SuiteScenario]

    @property
    def name(self) -> str:
        """The name of the suite."""
        return self.scenarios[0].suite

    @property
    def raw(self) -> list[Fields]:
        """The scenarios as they are said."""
        value: Any = self.document.value
        return list(value if isinstance(value, list) else value["scenarios"])

    @property
    def head(self) -> Fields:
        """What is said beside them."""
        value: Any = self.document.value
        return (
            {}
            if isinstance(value, list)
            else {name: one for name, one in value.items() if name != "scenarios"}
        )

    def index(self, key: str) -> int:
        """The place of a scenario. Raises NoSuchRow."""
        for place, one in enumerate(self.scenarios):
            if one.id == key:
                return place
        raise NoSuchRow(f"{self.path.name}: it has no scenario {key!r} any more")

    def with_scenarios(self, scenarios: Sequence[Fields]) -> JsonValue:
        """What the file says with other scenarios."""
        value: Any = self.document.value
        return list(scenarios) if isinstance(value, list) else {**value, "scenarios": list(scenarios)}


def _seen_from(before: str, path: str, file: str) -> str:
    """A path that one suite file says as another one says it; addresses and whole paths stay."""
    if "://" in path or PurePath(path).is_absolute():
        return path
    return PurePath(os.path.relpath(PurePath(before).parent / path, PurePath(file).parent)).as_posix()


_MODELINE = re.compile(r"^([ \t]*#[ \t]*yaml-language-server:[ \t]*\$schema=)(\S+)", re.MULTILINE)
"""How a YAML file tells editors its schema."""


class SuiteSaver:
    """Changes the suites of a project. One object serves all threads.

    `root` is the project's folder, `locks` one for the lock of its files. Without `allow_code` what names
    code, an address or a file stays as it is: CodeChanged. `base` is always the version that was read: it is
    Outdated where there is another one now. Every change is kept with `who` made it.
    """

    def __init__(
        self,
        engine: Engine,
        root: Path,
        project: str,
        locks: Path,
        reading: SuiteReading,
        *,
        allow_code: bool = False,
    ) -> None:
        self._engine = engine
        self._root = root
        self._project = project
        self._lock = locks / "suites.lock"
        self._reading = reading
        self._allow_code = allow_code
        self._following = threading.Lock()
        self._stamp: object = None
        self._prompts: list[Path] = []
        self._deletions = Deletions()
        self.left_out: dict[str, tuple[str, ...]] = {}

    # -- reading

    def follow_files(self) -> None:
        """Have the tables say what the files say. Files with mistakes are in `left_out`."""
        with self._following:  # who comes second reads what is newer
            files = [one for one in files_below(self._root) if is_suite_file(one.name)]
            stamp = [(str(one), _stamp(one)) for one in [*files, *self._prompts]]
            if stamp != self._stamp:
                found = sync_suites(self._engine, self._root, self._project, self._load)
                prompts = sync_prompts(self._engine, self._root, self._project)
                places = [self._root / one.name if one.name else one.place for one in prompts]
                self._prompts = [one for one in places if one is not None]
                self.left_out = {one.file: one.problems for one in found if one.problems}
                self._stamp = stamp

    def _load(self, path: Path) -> list[SuiteScenario]:
        return load_suite(path, self._reading.criteria(path), self._reading.modules(path))

    def find_suite(self, id_: str) -> Suite:
        """The suite as it is now. Raises NoSuchRow."""
        self.follow_files()
        with read_only(self._engine) as connection:
            return _of_project(find_suite(connection, id_), self._project)

    def find_case(self, id_: str) -> tuple[Suite, Case]:
        """The case as it is now, and its suite. Raises NoSuchRow."""
        self.follow_files()
        with read_only(self._engine) as connection:
            case = find_case(connection, id_)
            return _of_project(find_suite(connection, case.suite), self._project), case

    def text_of(self, suite: Suite) -> tuple[str, str]:
        """The text of a suite's file, and its fingerprint. Raises FileError."""
        path = self._root / str(suite.source_file)
        return load_file(path).text, file_digest(path)

    # -- cases

    def make_case(self, who: str, suite_id: str, scenario: Fields, *, position: int | None = None) -> Case:
        """Add a scenario to a suite, at the end or at a position from 0."""
        suite = self.find_suite(suite_id)
        what = f"made a case in {suite.name}"
        self._refuse_code(changed_code_of_scenario, {}, scenario, suite)
        if suite.source_file is None:
            with self._in_tables(who, what) as connection:
                reading = self._body_reading(self._root)
                return suite_editing.make_case(connection, suite.id, scenario, position=position, **reading)
        with self._in_file(suite) as file:
            scenario = _with_key(scenario)
            raw = file.raw
            place = len(raw) if position is None else min(max(position, 0), len(raw))
            raw.insert(place, ordered_scenario(scenario))
            return self._write_case(who, what, suite, file, raw, place)

    def change_case(self, who: str, id_: str, change: Change, base: str) -> Case:
        """Have a case say what `change` makes of what it says; it keeps its id where that gives no other."""
        suite, case = self.find_case(id_)
        what = f"changed the case {id_}"
        if suite.source_file is None:
            with self._in_tables(who, what) as connection:
                case = find_case(connection, id_)
                _refuse_late(base, case, case.scenario)
                new = change(case.scenario)
                self._refuse_code(changed_code_of_scenario, case.scenario, new, suite)
                reading = self._body_reading(self._root)
                return suite_editing.change_case(connection, id_, new, **reading)
        with self._in_file(suite) as file:
            raw, place = self._changed_scenarios(suite, file, case, change, base)
            if raw == file.raw:
                return case
            return self._write_case(who, what, suite, file, raw, place)

    def _changed_scenarios(
        self, suite: Suite, file: _File, case: Case, change: Change, base: str
    ) -> tuple[list[Fields], int]:
        """The scenarios of a file with one changed, the same where nothing is, and its place."""
        place, raw = file.index(case.key), file.raw
        old = raw[place]
        _refuse_late(base, case, old)
        new = change(old)
        if fingerprint(new) != fingerprint(old):
            self._refuse_code(changed_code_of_scenario, old, new, suite)
            raw[place] = {"id": case.key, **new}
        return raw, place

    def difference_of_case(self, id_: str, change: Change) -> CaseDifference:
        """What `change_case` would change of the text of the suite; nothing is saved.

        Of a suite in no file the text is that of its export.
        """
        suite, case = self.find_case(id_)
        if suite.source_file is None:
            with read_only(self._engine) as connection:
                new = change(case.scenario)
                self._refuse_code(changed_code_of_scenario, case.scenario, new, suite)
                reading = self._body_reading(self._root)
                row = suite_editing.changed_row(connection, id_, new, **reading)
                old = document_of(connection, suite)
                ids = [one.id for one in cases_of_suite(connection, suite.id)]
            said = list(old["scenarios"])
            said[ids.index(id_)] = exact_value(row["content"])
            both = (old, {**old, "scenarios": said})
            as_json = any(map(yaml_problems, both))
            texts = [suite_text(one, as_json=as_json) for one in both]
            return CaseDifference(_difference(suite.name, *texts), len((row["assertions"] or "").encode()))
        with self._in_file(suite) as file:
            raw, place = self._changed_scenarios(suite, file, case, change, ANY)
            written = self._prepared_case(suite, file, raw, place)
            text = _difference(suite.source_file, file.document.text, written.text)
            return CaseDifference(text, assertions_size(written.scenarios[place]))

    def copy_case(self, who: str, id_: str, suite_id: str | None = None) -> Case:
        """Add the same scenario to its own suite or another one, under an id that is free there."""
        _, case = self.find_case(id_)
        target = self.find_suite(suite_id or case.suite)
        what = f"copied the case {id_}"
        if target.source_file is None:
            with self._in_tables(who, what) as connection:
                return suite_editing.copy_case(connection, id_, target.id)
        with self._in_file(target) as file:
            key = suite_editing.free_key(case.key, {one.id for one in file.scenarios})
            raw = file.raw
            before = [one.id for one in file.scenarios]
            place = before.index(case.key) + 1 if case.suite == target.id and case.key in before else len(raw)
            raw.insert(place, ordered_scenario({**case.scenario, "id": key}))
            return self._write_case(who, what, target, file, raw, place)

    def move_case(
        self, who: str, id_: str, suite_id: str | None = None, *, position: int | None = None
    ) -> Case:
        """Put a case at another position of its suite, or into another suite, at the end where none is given.

        Into another suite it is added before it is taken away: whatever happens between, it is somewhere.
        """
        suite, case = self.find_case(id_)
        target = suite if suite_id is None else self.find_suite(suite_id)
        what = f"moved the case {id_}"
        if target.id == suite.id:
            if suite.source_file is None:
                with self._in_tables(who, what) as connection:
                    return suite_editing.move_case(connection, id_, position=position)
            with self._in_file(suite) as file:
                raw = file.raw
                scenario = raw.pop(file.index(case.key))
                place = len(raw) if position is None else min(max(position, 0), len(raw))
                raw.insert(place, scenario)
                return self._write_case(who, what, suite, file, raw, place)
        if suite.source_file is None and target.source_file is None:
            with self._in_tables(who, what) as connection:
                return suite_editing.move_case(connection, id_, target.id, position=position)
        if suite.source_file is not None and len(self._cases(suite)) == 1:
            raise SuiteProblems([Problem((), f"it is the only scenario of {suite.source_file}")])
        scenario = {"id": case.key, **case.scenario}
        moved = self._add_moved(who, what, target, scenario, position)
        self.delete_case(who, id_, version_of_case(case))
        return moved

    def _add_moved(self, who: str, what: str, target: Suite, scenario: Fields, position: int | None) -> Case:
        if target.source_file is None:
            with self._in_tables(who, what) as connection:
                reading = self._body_reading(self._root)
                return suite_editing.make_case(connection, target.id, scenario, position=position, **reading)
        with self._in_file(target) as file:
            raw = file.raw
            place = len(raw) if position is None else min(max(position, 0), len(raw))
            raw.insert(place, ordered_scenario(scenario))
            return self._write_case(who, what, target, file, raw, place)

    def delete_case(self, who: str, id_: str, base: str) -> str:
        """Take a case away; the token with which `undo` has it back. Results of it stay."""
        suite, case = self.find_case(id_)
        what = f"deleted the case {id_}"
        if suite.source_file is None:
            with self._in_tables(who, what) as connection:
                case = find_case(connection, id_)
                _refuse_late(base, case, case.scenario)
                rows = suite_editing.deleted_rows(connection, suite.id, id_)
                suite_editing.delete_case(connection, id_)
            return self._deletions.keep(DeletedRows(*rows, is_suite=False))
        with self._in_file(suite) as file:
            place, raw = file.index(case.key), file.raw
            scenario = raw.pop(place)
            _refuse_late(base, case, scenario)
            if not raw:
                only = f"it is the only scenario of {suite.source_file}, and a file has one: delete the suite"
                raise SuiteProblems([Problem((), only)])
            self._write(who, what, suite, file, self._prepared(suite, file, file.with_scenarios(raw)))
            after = file_digest(file.path)
        said = {"id": case.key, **scenario}
        return self._deletions.keep(DeletedCase(suite.id, said, place, file.document.text, after))

    # -- suites

    def make_suite(
        self, who: str, value: Fields, *, prompt: str | None = None, file: str | None = None, text: str = ""
    ) -> Suite:
        """Make a suite of what a file would say, with a `name`: in the tables, or in a new `file`.

        `text` is how that says it, where it was given.
        """
        self._refuse_code(changed_code, {}, value)
        if file is not None:
            return self._make_file(who, f"made the suite file {file}", file, value, text)
        with self._in_tables(who, f"made the suite {value.get('name')}") as connection:
            reading = self._body_reading(self._root)
            return suite_editing.make_suite(connection, self._project, value, prompt=prompt, **reading)

    def change_suite(self, who: str, id_: str, change: Change, base: str, *, text: str = "") -> Suite:
        """Have a suite say what `change` makes of what it says, its name and scenarios among it.

        `text` is how a file says it, where that was given.
        """
        suite = self.find_suite(id_)
        what = f"changed the suite {suite.name}"
        if suite.source_file is None:
            with self._in_tables(who, what) as connection:
                suite = find_suite(connection, id_)
                old = document_of(connection, suite)
                if base not in (ANY, fingerprint(old)):
                    raise Outdated(f"the suite {suite.name!r} was changed meanwhile")
                new = change(old)
                self._refuse_code(changed_code, old, new, suite)
                if new.get("scenarios") == old["scenarios"]:
                    new = {name: one for name, one in new.items() if name != "scenarios"}
                return suite_editing.change_suite(connection, id_, new, **self._body_reading(self._root))
        with self._in_file(suite) as file:
            if base not in (ANY, file.digest):
                raise Outdated(f"{suite.source_file} was changed meanwhile")
            old = {"name": file.name, **file.head, "scenarios": file.raw}
            new = change(old)
            if new.get("name") == suite_name(file.path) and "name" not in file.head:
                new = {name: one for name, one in new.items() if name != "name"}
            self._refuse_code(changed_code, old, new, suite)
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
            self._write(who, what, suite, file, self._prepared(suite, file, value, text=text))
        return self.find_suite(id_)

    def copy_suite(self, who: str, id_: str, name: str, *, file: str | None = None) -> Suite:
        """Make a suite under another name that has the same scenarios, in the tables or in a new `file`.

        A copy of a file in a file has its comments.
        """
        suite = self.find_suite(id_)
        what = f"copied the suite {id_}"
        if file is None:
            with self._in_tables(who, what) as connection:
                return suite_editing.copy_suite(connection, id_, name)
        if suite.source_file is None:
            with read_only(self._engine) as connection:
                suite_file_text(connection, suite, as_json=True)  # raises where no file says it
                value = document_of(connection, suite)
            return self._make_file(who, what, file, self._said_in({**value, "name": name}, "", file))
        source = suite.source_file
        document = load_file(self._root / source)
        said: Any = document.value
        value = {"scenarios": said} if isinstance(said, list) else said
        value = self._said_in({**value, "name": name}, source, file)
        same = file.endswith(".json") == source.endswith(".json") and isinstance(said, dict)
        try:
            text = edited_text(document, value) if same else ""
            text = _MODELINE.sub(lambda line: line[1] + _seen_from(source, line[2], file), text)
        except FileError as error:
            raise SuiteProblems([Problem((), error.message)]) from error
        return self._make_file(who, what, file, value, text)

    @staticmethod
    def _said_in(value: Fields, before: str, file: str) -> Fields:
        """What a suite says in another file: its prompt and its schema are named from there.

        Nothing else in a suite is: modules and the files of checks are looked for from the project's folder.
        """
        named = [name for name in ("prompt", "$schema") if isinstance(value.get(name), str)]
        return {**value, **{name: _seen_from(before, value[name], file) for name in named}}

    def _make_file(self, who: str, what: str, file: str, value: Fields, text: str = "") -> Suite:
        """Make a suite file that says the value. Raises SuiteProblems for a name that it cannot have."""
        path = self._root / file
        if problem := self._wrong_file(file, path):
            raise SuiteProblems([Problem(("file",), problem)])
        as_json = file.endswith(".json")
        if not text:
            if not as_json and (wrong := yaml_problems(value)):
                raise SuiteProblems(wrong)
            said = {name: one for name, one in value.items() if (name, one) != ("name", suite_name(path))}
            text = suite_text({"scenarios": [], **said}, as_json=as_json)
        lock = self._locked()
        try:
            id_ = suite_id(self._project, PurePath(file).as_posix())
            written = self._checked(id_, path, text, "json" if as_json else "yaml")
            if path.exists():
                raise SuiteProblems([Problem(("file",), f"there is {file} already: choose another name")])
            _write_new(path, written.text.encode(), file)
            self._follow_changed(who, what)
        finally:
            lock.release()
        return self.find_suite(id_)

    def _wrong_file(self, file: str, path: Path) -> str:
        """What is wrong with a name for a suite file, "" for nothing."""
        parts = PurePath(file).parts
        if not is_suite_file(path.name) or path.name.startswith(".") or "::" in file or "\\" in file:
            return f"expected a name such as rooms.grice.yaml or tests/rooms.grice.json, found {file!r}"
        hidden = [one for one in parts if one.startswith(".")]
        if PurePath(file).is_absolute() or hidden:
            return f"expected a file below the folder of the project, in no hidden folder, found {file!r}"
        if not all(one.isprintable() and len(one.encode()) <= _LONGEST_PART for one in parts):
            return f"no file can be called so: {visible(file[:100], newlines=False)}"
        if not real_path(path).is_relative_to(real_path(self._root)):
            return f"{file} lies outside of the project"
        if real_path(path) != real_path(self._root).joinpath(*parts):
            return f"{file} lies behind a link, where no suite is looked for"
        for folder in path.relative_to(self._root).parents:
            if folder.name and is_left_out(self._root / folder):
                return f"no suite is looked for in {folder.as_posix()}: choose another folder"
        return ""

    def delete_suite(self, who: str, id_: str, base: str) -> str:
        """Take a suite away, with its file if it stands in one; the token with which `undo` has it back.

        Results of it stay.
        """
        suite = self.find_suite(id_)
        what = f"deleted the suite {suite.name}"
        if suite.source_file is None:
            with self._in_tables(who, what) as connection:
                suite = find_suite(connection, id_)
                if base not in (ANY, version_of_suite(connection, suite)):
                    raise Outdated(f"the suite {suite.name!r} was changed meanwhile")
                rows = suite_editing.deleted_rows(connection, id_)
                suite_editing.delete_suite(connection, id_)
            return self._deletions.keep(DeletedRows(*rows, is_suite=True))
        with self._in_file(suite) as file:
            if base not in (ANY, file.digest):
                raise Outdated(f"{suite.source_file} was changed meanwhile")
            try:
                content = file.path.read_bytes()
                self._refuse_changed(suite, file)
                file.path.unlink()
            except OSError as error:
                raise CannotWrite(
                    f"{suite.source_file} cannot be deleted: {error.strerror or error}"
                ) from error
            self._follow_changed(who, what)
        return self._deletions.keep(DeletedFile(suite.id, suite.source_file, content))

    # -- undo

    def undo(self, who: str, token: str) -> tuple[Suite, Case | None]:
        """Have again what was deleted: the suite, and the case where it was one.

        A file that nobody changed since is as it was, byte for byte. Raises NoSuchRow for a token that is
        none, and SuiteProblems where something else has the place by now.
        """
        deleted = self._deletions.find(token)
        found: tuple[Suite, Case | None]
        if isinstance(deleted, DeletedRows):
            found = self._put_back(who, deleted)
        elif isinstance(deleted, DeletedFile):
            found = self._put_back_file(who, deleted), None
        else:
            found = self._put_back_in_file(who, deleted)
        self._deletions.forget(token)
        return found

    def _put_back(self, who: str, deleted: DeletedRows) -> tuple[Suite, Case | None]:
        suite, cases = deleted.suite, deleted.cases
        with self._in_tables(who, f"undid a deletion in the suite {suite['name']}") as connection:
            if deleted.is_suite:
                return suite_editing.put_back_suite(connection, suite, cases), None
            case = suite_editing.put_back_case(connection, cases[0])
            return find_suite(connection, case.suite), case

    def _put_back_file(self, who: str, deleted: DeletedFile) -> Suite:
        path = self._root / deleted.file
        lock = self._locked()
        try:
            if path.exists():
                raise SuiteProblems([Problem(("file",), f"there is {deleted.file} again")])
            _write_new(path, deleted.content, deleted.file)
            self._follow_changed(who, f"undid the deletion of {deleted.file}")
        finally:
            lock.release()
        return self.find_suite(deleted.suite)

    def _put_back_in_file(self, who: str, deleted: DeletedCase) -> tuple[Suite, Case]:
        suite = self.find_suite(deleted.suite)
        with self._in_file(suite) as file:
            raw = file.raw
            place = min(deleted.place, len(raw))
            raw.insert(place, deleted.scenario)
            text = deleted.text if file.digest == deleted.digest_after else ""
            written = self._prepared(suite, file, file.with_scenarios(raw), text=text)
            self._write(who, f"undid a deletion in {suite.source_file}", suite, file, written)
            key = written.scenarios[place].id
        with read_only(self._engine) as connection:
            return suite, find_case(connection, case_id(self._project, written.name, key))

    # -- how

    def _cases(self, suite: Suite) -> list[Case]:
        with read_only(self._engine) as connection:
            return cases_of_suite(connection, suite.id)

    def _body_reading(self, path: Path) -> dict[str, Any]:
        """How what somebody sent is read: what it names is imported where code is allowed only."""
        modules = self._reading.modules(path)
        if not self._allow_code:
            modules = MatcherModules(load_module=modules.load_module, load_agent=lambda _: None)
        return {"criteria": self._reading.criteria(path), "modules": modules}

    def _refuse_code(
        self,
        changed: Callable[[Fields, Fields], list[Problem]],
        old: Fields,
        new: Fields,
        suite: Suite | None = None,
    ) -> None:
        """Raise CodeChanged for what is changed of what names code, unless that is allowed.

        Which arguments are files is told by the matchers, so those of the project and the suite are imported.
        """
        if self._allow_code:
            return
        file, head = (None, {}) if suite is None else (suite.source_file, suite.head)
        modules = self._reading.modules(self._root if file is None else self._root / file)
        for name in head.get("matchers") or ():
            with suppress(AgentLoadError):  # which is told where the suite is read
                modules.load_module(name)
        if problems := changed(old, new):
            raise CodeChanged(problems)

    @contextmanager
    def _in_tables(self, who: str, what: str) -> Iterator[Connection]:
        with locked(self._engine) as connection:
            add_project(connection, self._project)
            yield connection
            add_change(connection, self._project, who, what)

    @contextmanager
    def _in_file(self, suite: Suite) -> Iterator[_File]:
        """The file of a suite, which nobody else who asks for the lock changes meanwhile."""
        path = self._root / str(suite.source_file)
        if not real_path(path).is_relative_to(real_path(self._root)):
            raise StandsInFile(f"{suite.source_file}: it lies outside of the project, and is not written")
        lock = self._locked()
        try:
            digest = file_digest(path)
            document = load_file(path)
            scenarios, problems = read_document(
                document, suite_name(path), self._reading.criteria(path), self._reading.modules(path)
            )
            if problems:
                raise StandsInFile(
                    f"{suite.source_file} has mistakes: correct them there first: {problems[0]}"
                )
            file = _File(path, document, digest, scenarios)
            if made := next((one["each"] for one in file.raw if "each" in one), None):
                raise StandsInFile(
                    f"{suite.source_file} has scenarios that are made of the rows of {made}: "
                    "write in these files"
                )
            yield file
        except (FileError, SettingsError) as error:
            raise StandsInFile(str(error)) from error
        finally:
            lock.release()

    def _locked(self) -> FileLock:
        end = time.monotonic() + PATIENCE
        try:
            self._lock.parent.mkdir(parents=True, exist_ok=True)
            while True:
                try:
                    return FileLock(self._lock)
                except LockHeld as error:
                    if time.monotonic() > end:
                        raise CannotWrite(f"process {error.pid} changes suites, and does not end") from None
                    time.sleep(_PAUSE)
        except OSError as error:
            raise CannotWrite(f"{self._lock}: cannot be locked: {error.strerror or error}") from error

    def _write_case(
        self, who: str, what: str, suite: Suite, file: _File, raw: list[Fields], place: int
    ) -> Case:
        """Write a file with these scenarios; the case of the one at that place, whose problems are told."""
        written = self._prepared_case(suite, file, raw, place)
        self._write(who, what, suite, file, written)
        with read_only(self._engine) as connection:
            return find_case(connection, case_id(self._project, written.name, written.scenarios[place].id))

    def _prepared_case(self, suite: Suite, file: _File, raw: list[Fields], place: int) -> _Written:
        start = () if isinstance(file.document.value, list) else ("scenarios",)
        here = (*start, place)
        try:
            return self._prepared(suite, file, file.with_scenarios(raw))
        except SuiteProblems as error:
            of_case = [
                one._replace(path=one.path[len(here) :])
                for one in error.problems
                if one.path[: len(here)] == here
            ]
            raise SuiteProblems(of_case or error.problems) from None

    def _prepared(self, suite: Suite, file: _File, value: JsonValue, *, text: str = "") -> _Written:
        """What a file that says the value will hold. Raises SuiteProblems."""
        try:
            text = text or edited_text(file.document, value)
        except FileError as error:
            raise SuiteProblems([Problem((), error.message)]) from error
        return self._checked(suite.id, file.path, text, file.document.syntax)

    def _checked(self, id_: str, path: Path, text: str, syntax: Syntax) -> _Written:
        """What is read of the text of a suite file. Raises SuiteProblems."""
        try:
            document = parse_document(text, path=path, syntax=syntax)
        except FileError as error:
            raise SuiteProblems([Problem((), error.message)]) from error
        scenarios, problems = read_document(document, suite_name(path), **self._body_reading(path))
        if not problems:
            problems = name_problems(scenarios[0].suite)
        if problems:
            raise SuiteProblems(problems)
        name = scenarios[0].suite
        with read_only(self._engine) as connection:
            rows = [{"id": case_id(self._project, name, one.id), "name": one.id} for one in scenarios]
            suite_editing.refuse_taken(connection, {"id": id_, "name": name}, rows)
        return _Written(document.text, scenarios)

    def _write(self, who: str, what: str, suite: Suite, file: _File, written: _Written) -> None:
        mark = "\ufeff" if file.path.read_bytes().startswith(b"\xef\xbb\xbf") else ""
        try:
            self._refuse_changed(suite, file)
            with replacing(file.path) as stream:
                stream.write((mark + written.text).encode())
        except OSError as error:
            raise CannotWrite(f"{suite.source_file} cannot be written: {error.strerror or error}") from error
        self._follow_changed(who, what)

    @staticmethod
    def _refuse_changed(suite: Suite, file: _File) -> None:
        """Raise Outdated where somebody who asks for no lock changed the file since it was read."""
        if file_digest(file.path) != file.digest:
            raise Outdated(f"{suite.source_file} was changed meanwhile")

    def _follow_changed(self, who: str, what: str) -> None:
        self.follow_files()
        with locked(self._engine) as connection:
            add_change(connection, self._project, who, what)


def _difference(name: str, before: str, after: str) -> str:
    """The lines that differ, with some around them, as `diff -u` has them."""
    lines = unified_diff(before.splitlines(), after.splitlines(), name, name, lineterm="")
    return "".join(f"{one}\n" for one in lines)


def _write_new(path: Path, content: bytes, file: str) -> None:
    """Write a file that is not there, with the folders on the way to it. Raises CannotWrite."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as stream:
            stream.write(content)
    except OSError as error:
        raise CannotWrite(f"{file} cannot be written: {error.strerror or error}") from error


def _of_project(suite: Suite, project: str) -> Suite:
    if suite.project != project:
        raise NoSuchRow(f"{suite.id}: there is no such suite")
    return suite


def _refuse_late(base: str, case: Case, now: Fields) -> None:
    if base not in (ANY, fingerprint(now)):
        raise Outdated(f"the case {case.key!r} was changed meanwhile")


def _with_key(scenario: Fields) -> Fields:
    return scenario if "id" in scenario else {"id": suite_editing.new_key(scenario), **scenario}


def _stamp(path: Path) -> tuple[int, ...]:
    try:
        found = path.stat()
    except OSError:  # it went away meanwhile
        return ()
    return (found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino)
