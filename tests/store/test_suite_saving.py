"""Saving suites in files: nothing is lost by editors at once, a full disk, a kill."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine

from grice.files.document import load_file
from grice.files.matcher_modules import MatcherModules
from grice.store.database import open_database, read_only
from grice.store.errors import CodeChanged, Outdated, StandsInFile, SuiteProblems
from grice.store.migrating import upgrade
from grice.store.suite_rows import case_id
from grice.store.suite_saving import ANY, SuiteSaver, version_of_case
from grice.store.suite_workspace import ReadingByFile, SuiteWorkspace
from grice.store.suites import cases_of_suite
from grice.store.tokens import changes_of

CHECK = {"matcher": "toContain", "expected": "x"}
SUITE = "# a comment\nscenarios:\n" + "".join(
    f"  # of {one}\n  - {{id: {one}, say: '0', expect: [{{matcher: toContain, expected: x}}]}}\n"
    for one in ("a", "b", "c")
)
READING = ReadingByFile(lambda _: {}, lambda _: MatcherModules())


def saver_in(folder: Path, engine: Engine) -> SuiteSaver:
    return SuiteSaver(SuiteWorkspace(engine, folder, "rooms", folder / ".grice", READING))


@pytest.fixture
def saver(tmp_path: Path, engine: Engine) -> SuiteSaver:
    """The suites of a project with one file."""
    tmp_path.joinpath("rooms.grice.yaml").write_text(SUITE)
    return saver_in(tmp_path, engine)


def says(saver: SuiteSaver, key: str) -> str:
    said = saver.suites.find_case(case_id("rooms", "rooms", key))[1].scenario["say"]
    return str(said)


def test_editors_at_once_lose_nothing(saver: SuiteSaver) -> None:
    """Each counts up what it reads, and tries again when somebody was faster."""

    def count(number: int) -> None:
        for step in range(5):
            id_ = case_id("rooms", "rooms", "abc"[(number + step) % 3])
            while True:
                case = saver.suites.find_case(id_)[1]
                try:
                    saver.change_case(
                        f"editor {number}",
                        id_,
                        lambda old: {**old, "say": str(int(old["say"]) + 1)},
                        version_of_case(case),
                    )
                    break
                except Outdated:
                    continue

    editors = [threading.Thread(target=count, args=(number,)) for number in range(6)]
    for one in editors:
        one.start()
    for one in editors:
        one.join()
    assert [says(saver, key) for key in "abc"] == ["10", "10", "10"]
    with read_only(saver.suites.engine) as connection:  # the changes of all are kept
        assert len(changes_of(connection, "rooms")) == 30


def test_what_stands_in_tables_follows_the_file(saver: SuiteSaver) -> None:
    suite = saver.suites.find_suite("rooms/rooms.grice.yaml")
    made = saver.make_case("ann", suite.id, {"id": "d", "say": "y", "expect": [CHECK]}, position=0)
    with read_only(saver.suites.engine) as connection:
        assert [one.key for one in cases_of_suite(connection, suite.id)] == ["d", "a", "b", "c"]
        assert [one.what for one in changes_of(connection, "rooms")] == ["made a case in rooms"]
    assert (made.source_line, made.position) == (3, 0)


def test_a_case_that_is_refused_changes_nothing(saver: SuiteSaver, tmp_path: Path) -> None:
    suite = saver.suites.find_suite("rooms/rooms.grice.yaml").id
    with pytest.raises(SuiteProblems, match="asserts nothing"):
        saver.make_case("ann", suite, {"say": "y"})
    with pytest.raises(CodeChanged, match="agent"):
        saver.make_case("ann", suite, {"say": "y", "agent": "os:system", "expect": [CHECK]})
    assert tmp_path.joinpath("rooms.grice.yaml").read_text() == SUITE


def test_scenarios_of_data_are_read_and_not_written(saver: SuiteSaver, tmp_path: Path) -> None:
    text = "scenarios:\n  - {id: a, each: d.csv, say: '{{x}}', expect: [{matcher: toContain, expected: x}]}\n"
    tmp_path.joinpath("data.grice.yaml").write_text(text)
    tmp_path.joinpath("d.csv").write_text("id,x\none,1\ntwo,2\n")
    assert saver.suites.find_case(case_id("rooms", "data", "a-two"))[1].scenario["say"] == "2"
    with pytest.raises(StandsInFile, match="made of the rows of d"):
        saver.change_case("ann", case_id("rooms", "data", "a-two"), lambda old: {**old, "say": "3"}, ANY)
    suite = saver.suites.find_suite("rooms/rooms.grice.yaml").id
    with pytest.raises(CodeChanged, match="each"):
        saver.make_case("ann", suite, {"say": "{{x}}", "each": "d.csv", "expect": [CHECK]})
    assert tmp_path.joinpath("data.grice.yaml").read_text() == text


def test_what_an_alias_shares_is_told_and_not_changed(saver: SuiteSaver, tmp_path: Path) -> None:
    text = "scenarios:\n  - {id: a, say: &s hello, expected_output: *s}\n"
    tmp_path.joinpath("shared.grice.yaml").write_text(text)
    with pytest.raises(SuiteProblems, match="aliases"):
        saver.change_case("ann", case_id("rooms", "shared", "a"), lambda old: {**old, "say": "x"}, ANY)
    assert tmp_path.joinpath("shared.grice.yaml").read_text() == text


def test_a_byte_order_mark_stays(saver: SuiteSaver, tmp_path: Path) -> None:
    tmp_path.joinpath("rooms.grice.yaml").write_bytes(b"\xef\xbb\xbf" + SUITE.encode())
    saver.change_case("ann", case_id("rooms", "rooms", "a"), lambda old: {**old, "say": "1"}, ANY)
    assert tmp_path.joinpath("rooms.grice.yaml").read_bytes().startswith(b"\xef\xbb\xbf# a comment")


def test_a_file_that_is_gone_is_told(saver: SuiteSaver, tmp_path: Path) -> None:
    saver.suites.find_suite("rooms/rooms.grice.yaml")
    suite = saver.suites.find_suite("rooms/rooms.grice.yaml")
    tmp_path.joinpath("rooms.grice.yaml").unlink()
    with pytest.raises(StandsInFile, match="there is no such file"), saver.suites.in_file(suite):
        pass


EDITOR = """
import sys
from pathlib import Path

sys.path[:0] = [{tests!r}]
from test_suite_saving import ANY, READING, case_id, saver_in
from grice.store.database import open_database

folder = Path({folder!r})
saver = saver_in(folder, open_database({url!r}))
id_ = case_id("rooms", "rooms", "b")
{body}
"""


def editor_process(folder: Path, url: str, body: str) -> subprocess.Popen[str]:
    program = EDITOR.format(tests=str(Path(__file__).parent), folder=str(folder), url=url, body=body)
    return subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


FULL = """
import resource
import signal
saver.suites.find_case(id_)
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))
try:
    saver.change_case("ann", id_, lambda old: {**old, "say": "x" * 1000}, ANY)
except Exception as error:
    print(type(error).__name__, error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no limits on the size of files")
def test_a_full_disk_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    tmp_path.joinpath("rooms.grice.yaml").write_text(SUITE)
    url = f"sqlite:///{tmp_path}/grice.db"
    engine = open_database(url)
    upgrade(engine)
    engine.dispose()
    said, errors = editor_process(tmp_path, url, FULL).communicate()
    assert said == "CannotWrite rooms.grice.yaml cannot be written: File too large\n", errors
    assert tmp_path.joinpath("rooms.grice.yaml").read_text() == SUITE
    assert [one.name for one in tmp_path.glob(".rooms*")] == []


COUNTING = """
print("ready", flush=True)
while True:
    def more(old):
        return {**old, "say": str(int(old["say"]) + 1)}
    print(saver.change_case("ann", id_, more, ANY).scenario["say"], flush=True)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_kill_leaves_the_file_before_or_after_a_change(tmp_path: Path) -> None:
    file, draw, told = tmp_path / "rooms.grice.yaml", random.Random(1), 0
    file.write_text(SUITE)
    url = f"sqlite:///{tmp_path}/grice.db"
    engine = open_database(url)
    upgrade(engine)
    for _ in range(6):
        process = editor_process(tmp_path, url, COUNTING)
        assert process.stdout is not None
        process.stdout.readline()
        for _ in range(draw.randint(0, 4)):
            told = int(process.stdout.readline())
        threading.Event().wait(draw.uniform(0, 0.05))
        os.kill(process.pid, signal.SIGKILL)
        rest, _ = process.communicate()
        told = max([told, *map(int, rest.split())])
        value: Any = load_file(file).value
        assert int(value["scenarios"][1]["say"]) in (told, told + 1)
        assert file.read_text().replace(f'"{value["scenarios"][1]["say"]}"', "'0'").count("# of") == 3
        told = int(value["scenarios"][1]["say"])
    saver = saver_in(tmp_path, engine)
    saver.change_case("ann", case_id("rooms", "rooms", "b"), lambda old: {**old, "say": "end"}, ANY)
    assert says(saver, "b") == "end"
    engine.dispose()
