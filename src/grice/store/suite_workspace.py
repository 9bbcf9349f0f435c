"""The suites of a project where they stand: in files, whose comments are kept, or in tables.

A file is changed under the lock of its project, if it says what its editor read; what is written is read as
what was meant, and takes the name of the file at once. So who is late is told, and nobody finds half of it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from sqlalchemy import Connection, Engine

from grice.agents import AgentLoadError
from grice.files.document import Document, FileError, Syntax, load_file, parse_document
from grice.files.document_editing import edited_text
from grice.files.folders import files_below, is_left_out
from grice.files.matcher_modules import MatcherModules
from grice.files.settings_files import SettingsError
from grice.files.suite_files import is_suite_file, load_suite, read_document, suite_name
from grice.files.suite_records import SuiteScenario
from grice.files.suite_writing import suite_text, yaml_problems
from grice.files.writing import make_folder
from grice.judging.criterion import Criterion
from grice.records import JsonValue
from grice.running.journal.file_lock import FileLock, LockHeld
from grice.store.database import locked, read_only
from grice.store.errors import CannotWrite, CodeChanged, NoSuchRow, Outdated, StandsInFile, SuiteProblems
from grice.store.owners import add_project
from grice.store.prompt_sync import sync_prompts
from grice.store.result_rows import suite_id
from grice.store.suite_editing import SuiteReading, refuse_taken
from grice.store.suite_rows import case_id, name_problems
from grice.store.suite_syncing import file_digest, sync_suites
from grice.store.suites import Case, Suite, find_case, find_suite
from grice.store.tokens import add_change
from grice.text import visible
from grice.typed import Problem
from grice.user_files import real_path, replacing

PATIENCE = 10.0
"""Seconds for which somebody waits for another one who changes files."""
_PAUSE = 0.01
_LONGEST_PART = 200
"""Bytes of the name of a file or folder; systems take 255, and a new file has a longer one at first."""

Fields = dict[str, Any]


@dataclass(frozen=True)
class ReadingByFile:
    """How the suite files of a project are read: the criteria and the modules for a file."""

    criteria: Callable[[Path], Mapping[str, Criterion]]
    modules: Callable[[Path], MatcherModules]


@dataclass(frozen=True)
class CheckedText:
    """A text for a suite file that is right, and the scenarios in it."""

    text: str
    scenarios: list[SuiteScenario]


@dataclass(frozen=True)
class SuiteFile:
    """A suite file that is right, as it was read."""

    suite: Suite
    path: Path
    document: Document
    digest: str
    scenarios: list[SuiteScenario]

    @property
    def raw(self) -> list[Fields]:
        """The scenarios as the file says them; a list of the caller's own."""
        value: Any = self.document.value
        return list(value if isinstance(value, list) else value["scenarios"])

    @property
    def head(self) -> Fields:
        """What the file says beside its scenarios."""
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
        """The content of the file with other scenarios."""
        value: Any = self.document.value
        return list(scenarios) if isinstance(value, list) else {**value, "scenarios": list(scenarios)}

    def refuse_changed(self) -> None:
        """Raise Outdated where somebody who asks for no lock changed the file since it was read."""
        if file_digest(self.path) != self.digest:
            raise Outdated(f"{self.suite.source_file} was changed meanwhile")


class SuiteWorkspace:
    """Finds, checks and writes the suites of a project. One object serves all threads.

    `root` is the project's folder, `locks` the folder for the lock of its files. Without `allow_code` what
    names code, an address or a file stays as it is: CodeChanged. `left_out` has the problems of the files
    that have mistakes.
    """

    def __init__(
        self,
        engine: Engine,
        root: Path,
        project: str,
        locks: Path,
        reading: ReadingByFile,
        *,
        allow_code: bool = False,
    ) -> None:
        self.engine = engine
        self.root = root
        self.project = project
        self.left_out: dict[str, tuple[str, ...]] = {}
        self._lock = locks / "suites.lock"
        self._reading = reading
        self._allow_code = allow_code
        self._following = threading.Lock()
        self._stamp: object = None
        self._prompts: list[Path] = []

    def follow_files(self) -> None:
        """Bring the tables up to date with the files. Files with mistakes are in `left_out`."""
        with self._following:  # who comes second reads what is newer
            files = [one for one in files_below(self.root) if is_suite_file(one.name)]
            stamp = [(str(one), _stamp(one)) for one in [*files, *self._prompts]]
            if stamp != self._stamp:
                found = sync_suites(self.engine, self.root, self.project, self._load)
                prompts = sync_prompts(self.engine, self.root, self.project)
                places = [self.root / one.name if one.name else one.place for one in prompts]
                self._prompts = [one for one in places if one is not None]
                self.left_out = {one.file: one.problems for one in found if one.problems}
                self._stamp = stamp

    def _load(self, path: Path) -> list[SuiteScenario]:
        return load_suite(path, self._reading.criteria(path), self._reading.modules(path))

    def find_suite(self, id_: str) -> Suite:
        """The suite as it is now. Raises NoSuchRow."""
        self.follow_files()
        with read_only(self.engine) as connection:
            return _of_project(find_suite(connection, id_), self.project)

    def find_case(self, id_: str) -> tuple[Suite, Case]:
        """The case as it is now, and its suite. Raises NoSuchRow."""
        self.follow_files()
        with read_only(self.engine) as connection:
            case = find_case(connection, id_)
            return _of_project(find_suite(connection, case.suite), self.project), case

    def text_of(self, suite: Suite) -> tuple[str, str]:
        """The text of a suite's file, and its fingerprint. Raises FileError."""
        path = self.root / str(suite.source_file)
        return load_file(path).text, file_digest(path)

    def reading_of_body(self, path: Path | None = None) -> SuiteReading:
        """How a request's suite or case is read: what it names is imported only where code is allowed."""
        path = path or self.root
        modules = self._reading.modules(path)
        if not self._allow_code:
            modules = MatcherModules(load_module=modules.load_module, load_agent=lambda _: None)
        return SuiteReading(self._reading.criteria(path), modules)

    def refuse_code(
        self,
        changed: Callable[[Fields, Fields], list[Problem]],
        old: Fields,
        new: Fields,
        suite: Suite | None = None,
    ) -> None:
        """Raise CodeChanged where something changed that names code, unless that is allowed.

        Which arguments are files is told by the matchers, so those of the project and the suite are imported.
        """
        if self._allow_code:
            return
        file, head = (None, {}) if suite is None else (suite.source_file, suite.head)
        modules = self._reading.modules(self.root if file is None else self.root / file)
        for name in head.get("matchers") or ():
            with suppress(AgentLoadError):  # which is told where the suite is read
                modules.load_module(name)
        if problems := changed(old, new):
            raise CodeChanged(problems)

    @contextmanager
    def in_tables(self, who: str, what: str) -> Iterator[Connection]:
        """Begin a transaction that keeps who changed what."""
        with locked(self.engine) as connection:
            add_project(connection, self.project)
            yield connection
            add_change(connection, self.project, who, what)

    @contextmanager
    def in_file(self, suite: Suite) -> Iterator[SuiteFile]:
        """Read the file of a suite under the lock, so that no other saver changes it meanwhile."""
        path = self.root / str(suite.source_file)
        if not real_path(path).is_relative_to(real_path(self.root)):
            raise StandsInFile(f"{suite.source_file}: it lies outside of the project, and is not written")
        try:
            with self._locked():
                digest = file_digest(path)
                document = load_file(path)
                scenarios, problems = read_document(
                    document, suite_name(path), self._reading.criteria(path), self._reading.modules(path)
                )
                if problems:
                    raise StandsInFile(
                        f"{suite.source_file} has mistakes: correct them there first: {problems[0]}"
                    )
                file = SuiteFile(suite, path, document, digest, scenarios)
                if made := next((one["each"] for one in file.raw if "each" in one), None):
                    raise StandsInFile(
                        f"{suite.source_file} has scenarios that are made of the rows of {made}: "
                        "write in these files"
                    )
                yield file
        except (FileError, SettingsError) as error:
            raise StandsInFile(str(error)) from error

    @contextmanager
    def _locked(self) -> Iterator[None]:
        lock = self._take_lock()
        try:
            yield
        finally:
            lock.release()

    def _take_lock(self) -> FileLock:
        end = time.monotonic() + PATIENCE
        try:
            make_folder(self._lock.parent)
            while True:
                try:
                    return FileLock(self._lock)
                except LockHeld as error:
                    if time.monotonic() > end:
                        raise CannotWrite(f"process {error.pid} changes suites, and does not end") from None
                    time.sleep(_PAUSE)
        except OSError as error:
            raise CannotWrite(f"{self._lock}: cannot be locked: {error.strerror or error}") from error

    def write_case(self, who: str, what: str, file: SuiteFile, raw: list[Fields], place: int) -> Case:
        """Write a file with these scenarios; the case of the one at that place."""
        checked = self.checked_case(file, raw, place)
        self.write(who, what, file, checked)
        return self.case_in(checked, place)

    def case_in(self, written: CheckedText, place: int) -> Case:
        """The case of the scenario at that place of a file that was written."""
        scenario = written.scenarios[place]
        with read_only(self.engine) as connection:
            return find_case(connection, case_id(self.project, scenario.suite, scenario.id))

    def checked_case(self, file: SuiteFile, raw: list[Fields], place: int) -> CheckedText:
        """Check a file with these scenarios. SuiteProblems tells first of the one at that place."""
        start = () if isinstance(file.document.value, list) else ("scenarios",)
        here = (*start, place)
        try:
            return self.checked(file, file.with_scenarios(raw))
        except SuiteProblems as error:
            of_case = [
                one._replace(path=one.path[len(here) :])
                for one in error.problems
                if one.path[: len(here)] == here
            ]
            raise SuiteProblems(of_case or error.problems) from None

    def checked(self, file: SuiteFile, value: JsonValue, *, text: str = "") -> CheckedText:
        """Check the value of a file; `text` is how the file says it. Raises SuiteProblems."""
        try:
            text = text or edited_text(file.document, value)
        except FileError as error:
            raise SuiteProblems([Problem((), error.message)]) from error
        return self._checked_text(file.suite.id, file.path, text, file.document.syntax)

    def _checked_text(self, id_: str, path: Path, text: str, syntax: Syntax) -> CheckedText:
        try:
            document = parse_document(text, path=path, syntax=syntax)
        except FileError as error:
            raise SuiteProblems([Problem((), error.message)]) from error
        scenarios, problems = read_document(document, suite_name(path), *self.reading_of_body(path))
        if not problems:
            problems = name_problems(scenarios[0].suite)
        if problems:
            raise SuiteProblems(problems)
        name = scenarios[0].suite
        with read_only(self.engine) as connection:
            rows = [{"id": case_id(self.project, name, one.id), "name": one.id} for one in scenarios]
            refuse_taken(connection, {"id": id_, "name": name}, rows)
        return CheckedText(document.text, scenarios)

    def write(self, who: str, what: str, file: SuiteFile, checked: CheckedText) -> None:
        """Write a file that was read in `in_file`. Raises CannotWrite, and Outdated where it was changed."""
        mark = "\ufeff" if file.path.read_bytes().startswith(b"\xef\xbb\xbf") else ""
        name = file.suite.source_file
        try:
            file.refuse_changed()
            with replacing(file.path) as stream:
                stream.write((mark + checked.text).encode())
        except OSError as error:
            raise CannotWrite(f"{name} cannot be written: {error.strerror or error}") from error
        self._follow_changed(who, what)

    def make_file(self, who: str, what: str, file: str, value: Fields, text: str = "") -> Suite:
        """Make a suite file of the value. Raises SuiteProblems for a name that it cannot have."""
        path = self.root / file
        if problem := self._wrong_file(file, path):
            raise SuiteProblems([Problem(("file",), problem)])
        as_json = file.endswith(".json")
        if not text:
            if not as_json and (wrong := yaml_problems(value)):
                raise SuiteProblems(wrong)
            said = {name: one for name, one in value.items() if (name, one) != ("name", suite_name(path))}
            text = suite_text({"scenarios": [], **said}, as_json=as_json)
        id_ = suite_id(self.project, PurePath(file).as_posix())
        with self._locked():
            checked = self._checked_text(id_, path, text, "json" if as_json else "yaml")
            self._write_new(who, what, file, checked.text.encode())
        return self.find_suite(id_)

    def put_back_file(self, who: str, what: str, file: str, content: bytes) -> None:
        """Write a deleted file again. Raises SuiteProblems where its name is taken, and CannotWrite."""
        with self._locked():
            self._write_new(who, what, file, content)

    def _write_new(self, who: str, what: str, file: str, content: bytes) -> None:
        """Write a file that is not there, with the folders on the way to it."""
        path = self.root / file
        if path.exists():
            raise SuiteProblems([Problem(("file",), f"there is {file} already: choose another name")])
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with replacing(path) as stream:
                stream.write(content)
        except OSError as error:
            raise CannotWrite(f"{file} cannot be written: {error.strerror or error}") from error
        self._follow_changed(who, what)

    def delete_file(self, who: str, what: str, file: SuiteFile) -> bytes:
        """Delete a file that was read in `in_file`; its content. Raises CannotWrite, and Outdated."""
        try:
            content = file.path.read_bytes()
            file.refuse_changed()
            file.path.unlink()
        except OSError as error:
            name = file.suite.source_file
            raise CannotWrite(f"{name} cannot be deleted: {error.strerror or error}") from error
        self._follow_changed(who, what)
        return content

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
        if not real_path(path).is_relative_to(real_path(self.root)):
            return f"{file} lies outside of the project"
        if real_path(path) != real_path(self.root).joinpath(*parts):
            return f"{file} lies behind a link, where no suite is looked for"
        for folder in path.relative_to(self.root).parents:
            if folder.name and is_left_out(self.root / folder):
                return f"no suite is looked for in {folder.as_posix()}: choose another folder"
        return ""

    def _follow_changed(self, who: str, what: str) -> None:
        self.follow_files()
        with locked(self.engine) as connection:
            add_change(connection, self.project, who, what)


def _of_project(suite: Suite, project: str) -> Suite:
    if suite.project != project:
        raise NoSuchRow(f"{suite.id}: there is no such suite")
    return suite


def _stamp(path: Path) -> tuple[int, ...]:
    try:
        found = path.stat()
    except OSError:  # it went away meanwhile
        return ()
    return (found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino)
