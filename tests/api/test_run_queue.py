"""The processes of runs: their command lines, their order, and what is left of those that fail."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from grice.api.run_queue import CannotRun, RunQueue
from grice.api.run_requests import (
    RunEnding,
    RunRequest,
    command_of,
    ending_of,
    keep,
    new_request,
    requests_in,
)
from grice.cli.app import app
from grice.running.journal.form import JournalError
from grice.store.run_states import writers_of

DEADLINE = 60


def until(what: Callable[[], object]) -> None:
    end = time.monotonic() + DEADLINE
    while not what():
        assert time.monotonic() < end
        time.sleep(0.01)


def program(code: str) -> Callable[[RunRequest, Path], list[str]]:
    """A command that runs this code instead of a suite, with the id of the run as its argument."""
    return lambda request, _: [sys.executable, "-c", code, request.id]


def request(**given: object) -> RunRequest:
    return new_request("p/rooms.grice.yaml", ("rooms.grice.yaml",), **given)


def test_no_value_of_a_request_is_taken_for_an_option(monkeypatch: pytest.MonkeyPatch) -> None:
    hostile = request(name="--json=x", tags=("-k", "--agent=os:system"), only=("--runs=/", "-x"))
    seen: list[object] = []
    monkeypatch.setattr("grice.cli.run_work.run_paths", lambda given: seen.append(given) or 0)
    arguments = command_of(hostile, Path("/runs"))[3:]
    done = CliRunner().invoke(app, arguments, standalone_mode=False)
    assert done.exception is None, done.output
    (given,) = seen
    assert vars(given) | {"paths": None} == {
        **vars(given),
        "paths": None,
        "name": "--json=x",
        "tags": ("-k", "--agent=os:system"),
        "runs": Path("/runs"),
        "run_id": hostile.id,
        "agent": "",
        "json": None,
        "keyword": "",
        "stop_at_first": False,
    }
    assert [str(one) for one in vars(given)["paths"]] == [
        "rooms.grice.yaml::--runs=/",
        "rooms.grice.yaml::-x",
    ]


@pytest.mark.slow
def test_a_run_of_a_server_in_the_background_of_a_script_is_ended_in_good_order(tmp_path: Path) -> None:
    tmp_path.joinpath("bots.py").write_text("import time\ndef agent(messages):\n    time.sleep(600)\n")
    tmp_path.joinpath("grice.toml").write_text('agent = "bots:agent"\n')
    tmp_path.joinpath("rooms.grice.yaml").write_text(
        "scenarios:\n  - {say: Hi, expect: [{matcher: toBeNull}]}\n"
    )
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # as such a server has it
    try:
        with RunQueue(tmp_path, tmp_path / "runs", grace=DEADLINE) as queue:
            asked = request()
            queue.add(asked)
            until(lambda: any(b'"begun"' in one.read_bytes() for one in tmp_path.glob("runs/*/*.jsonl")))
            queue.cancel(asked.id)
            until(lambda: not queue.listed())
            assert queue.progress(asked.id).standing.state == "CANCELLED"
    finally:
        signal.signal(signal.SIGINT, before)


def test_runs_begin_in_the_order_in_which_they_were_asked_for(tmp_path: Path) -> None:
    code = "import sys; print(sys.argv[1], file=open('order.txt', 'a'))"
    with RunQueue(tmp_path, tmp_path / "runs", most_at_once=1, command=program(code)) as queue:
        asked = [request() for _ in range(4)]
        for one in asked:
            queue.add(one)
        until(lambda: not queue.listed())
    assert (tmp_path / "order.txt").read_text().split() == [one.id for one in asked]
    assert [one.id for one in requests_in(tmp_path / "runs")] == [one.id for one in asked]


def test_a_process_that_fails_before_its_journal_leaves_what_it_said_without_secrets(tmp_path: Path) -> None:
    code = "import sys; sys.exit('no agent: api_key=sk-0123456789abcdef0123456789')"
    with RunQueue(tmp_path, tmp_path / "runs", command=program(code)) as queue:
        asked = request()
        queue.add(asked)
        until(lambda: not queue.listed())
        standing = queue.progress(asked.id).standing
    assert standing.state == "DIED"
    assert standing.error.startswith("no agent: api_key=")
    assert "0123456789abcdef" not in standing.error


def test_a_process_that_cannot_be_started_is_told(tmp_path: Path) -> None:
    with RunQueue(tmp_path, tmp_path / "runs", command=lambda *_: [str(tmp_path / "nothing")]) as queue:
        asked = request()
        queue.add(asked)
        assert queue.progress(asked.id).standing == (
            "DIED",
            "its process cannot be started: No such file or directory",
        )


def test_a_process_that_does_not_listen_is_killed_in_the_end(tmp_path: Path) -> None:
    deaf = "import signal, time; signal.signal(signal.SIGINT, signal.SIG_IGN)"
    code = f"{deaf}; open('up.txt', 'w'); time.sleep(600)"
    with RunQueue(tmp_path, tmp_path / "runs", grace=0.05, command=program(code)) as queue:
        asked = request()
        queue.add(asked)
        until((tmp_path / "up.txt").exists)
        queue.cancel(asked.id)
        until(lambda: not queue.listed())
        assert queue.progress(asked.id).standing.state == "CANCELLED"


def test_a_queue_that_is_full_or_closed_takes_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grice.api.run_queue.MOST_WAITING", 1)
    queue = RunQueue(tmp_path, tmp_path / "runs", most_at_once=0)
    with pytest.raises(CannotRun, match="nothing is started any more"):
        queue.add(request())
    with queue:
        queue.add(request())
        with pytest.raises(CannotRun, match="1 runs wait already"):
            queue.add(request())


@pytest.mark.parametrize("content", [b"", b"{", b'{"id": "exp_other"}', b"\xff", b"[" * 5_000])
def test_a_request_that_cannot_be_read_is_none(tmp_path: Path, content: bytes) -> None:
    folder = tmp_path / "exp_0123456789ab"
    folder.mkdir()
    (folder / "request.json").write_bytes(content)
    assert list(requests_in(tmp_path)) == []
    with RunQueue(tmp_path, tmp_path) as queue, pytest.raises(JournalError, match="there is no run"):
        queue.progress(folder.name)


def test_a_run_is_gone_on_with_once(tmp_path: Path) -> None:
    """However many ask at once."""
    code = "import time, sys; print(sys.argv[1], file=open('starts.txt', 'a')); time.sleep(600)"
    asked, results = request(), []
    with RunQueue(tmp_path, tmp_path / "runs", most_at_once=9, grace=0.05, command=program(code)) as queue:
        for what in (asked, RunEnding(error="it died")):
            keep(tmp_path / "runs" / asked.id, what)
        together = threading.Barrier(8)

        def resume() -> None:
            together.wait()
            try:
                queue.resume(asked.id)
                results.append("")
            except CannotRun as error:
                results.append(str(error))

        threads = [threading.Thread(target=resume) for _ in range(8)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        until((tmp_path / "starts.txt").exists)
    assert sorted(results).count("") == 1
    assert (tmp_path / "starts.txt").read_text().split() == [asked.id]


def test_a_run_that_another_server_took_up_is_not_started_again(tmp_path: Path) -> None:
    code = "import sys; print(sys.argv[1], file=open('starts.txt', 'a'))"
    runs, waits, long = tmp_path / "runs", request(), program("import time; time.sleep(600)")
    with RunQueue(tmp_path, runs, most_at_once=1, grace=0.05, command=long) as first:
        busy = request()
        first.add(busy)
        first.add(waits)
        with RunQueue(tmp_path, runs, command=program(code)) as second:
            until(lambda: not second.listed())
        first.cancel(busy.id)
        until(lambda: not first.listed())
    assert (tmp_path / "starts.txt").read_text().split() == [waits.id]
    assert ending_of(runs / waits.id) == RunEnding(code=0)


@pytest.mark.skipif(sys.platform == "win32", reason="there no process is known as the leader of others")
def test_runs_that_a_killed_server_left_take_their_room(tmp_path: Path) -> None:
    lock = "from grice.running.journal.file_lock import FileLock; from pathlib import Path"
    writes = "held = FileLock(Path('runs', sys.argv[1], 'main.lock'))"
    code = f"import sys, time; {lock}; {writes}; time.sleep(600)"
    runs, goes_on, waits = tmp_path / "runs", request(), request()
    with RunQueue(tmp_path, runs, most_at_once=1, grace=0.05, command=program(code)) as killed:
        killed.add(goes_on)
        until(lambda: any(one.writes for one in writers_of(runs / goes_on.id)))
        with RunQueue(tmp_path, runs, most_at_once=1, command=program("")) as next_one:
            next_one.add(waits)
            assert next_one.listed() == [goes_on.id, waits.id]
            assert next_one.going_on(waits.id) == "QUEUED"
            killed.cancel(goes_on.id)
            until(lambda: not next_one.listed())
            assert ending_of(runs / waits.id) == RunEnding(code=0)


def test_a_server_ends_also_where_a_run_ends_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process of the second run is gone when it would be cancelled."""
    code = "import time; time.sleep(600)"
    queue = RunQueue(tmp_path, tmp_path / "runs", grace=0.05, command=program(code)).start()
    first, second = request(), request()
    for one in (first, second):
        queue.add(one)
    end_process = queue._end_process

    def end_all(process: subprocess.Popen[bytes]) -> None:
        for one in list(queue._processes.values()):
            end_process(one)
        until(lambda: not queue.listed())

    monkeypatch.setattr(queue, "_end_process", end_all)
    queue.stop()
    assert {queue.progress(one.id).standing.state for one in (first, second)} == {"CANCELLED"}
