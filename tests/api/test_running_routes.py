"""Running suites by the API, on the real server."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from live import Live, serve

from grice.api.run_queue import RunQueue
from grice.api.run_requests import process_of
from grice.running.journal.reading import read_run
from grice.store.database import locked
from grice.store.result_rows import suite_id
from grice.store.tokens import revoke_token

BOTS = """
import pathlib
import time

def agent(messages):
    said = messages[-1]["content"]
    with open("held.txt", "a") as held:
        held.write(said + chr(10))
    while "wait" in said and not pathlib.Path("go.txt").exists():
        time.sleep(0.01)
    return f"Booked: {said}"
"""
SUITE = """
scenarios:
  - {id: blue, say: blue, expect: [{matcher: toContain, expected: blue}]}
  - {id: red, say: red, expect: [{matcher: toContain, expected: green}]}
"""
WAITING = """
scenarios:
  - {id: first, say: first, expect: [{matcher: toContain, expected: first}]}
  - {id: second, say: please wait, expect: [{matcher: toContain, expected: wait}]}
  - {id: third, say: third, expect: [{matcher: toContain, expected: third}]}
"""
DEADLINE = 60


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    """A server of a project with a suite that ends at once, and one that waits until `go.txt` is there."""
    tmp_path.joinpath("bots.py").write_text(BOTS)
    tmp_path.joinpath("rooms.grice.yaml").write_text(SUITE)
    tmp_path.joinpath("waiting.grice.yaml").write_text(WAITING)
    with serve(tmp_path) as served:
        yield served
        tmp_path.joinpath("go.txt").touch()


def start(live: Live, file: str = "rooms.grice.yaml", status: int = 201, **options: Any) -> Any:
    path = f"/api/test-suites/{suite_id(live.service.project, file)}/run"
    answer = live.client.post(path, json=options)
    assert answer.status_code == status, answer.text
    return answer.json()["runId"] if status == 201 else answer.json()


def post(live: Live, path: str, status: int = 200) -> Any:
    answer = live.client.post(path)
    assert answer.status_code == status, answer.text
    return answer.json()


class Event(NamedTuple):
    kind: str
    id: str
    data: dict[str, Any]


def events(live: Live, run: str, last_id: str = "", until: str = "") -> list[Event]:
    """The events behind an id, up to the end or to the first one that has `until` in its data."""
    return events_of(live.client, run, last_id, until)


def events_of(client: httpx.Client, run: str, last_id: str = "", until: str = "") -> list[Event]:
    """The same, of a server in another process."""
    found: list[Event] = []
    headers = {"Last-Event-ID": last_id} if last_id else {}
    with client.stream("GET", f"/api/test-suite-runs/{run}/events", headers=headers) as stream:
        assert stream.status_code == 200
        assert stream.headers["Content-Type"].startswith("text/event-stream")
        fields: dict[str, str] = {}
        for line in stream.iter_lines():
            if line:
                name, _, value = line.partition(": ")
                fields[name] = value
            elif "data" in fields:
                found.append(Event(fields["event"], fields.get("id", ""), json.loads(fields["data"])))
                fields = {}
                if until and until in str(found[-1].data):
                    break
    return found


def state_of(live: Live, run: str) -> Any:
    return live.get(f"/api/test-suite-runs/{run}/state")


def test_a_suite_runs_in_a_process_of_its_own_and_is_read_like_any_run(live: Live) -> None:
    run = start(live, name="nightly", tags=["api", "--json=evil.json"])
    assert events(live, run)[-1].data["state"] == "FINISHED"
    kept = read_run(live.runs / run)
    assert (kept.experiment.id, kept.experiment.name) == (run, "nightly")
    assert kept.experiment.tags == ("api", "--json=evil.json")
    found = live.get(f"/api/test-suite-runs/{run}")
    assert (found["status"], found["passPercentage"]) == ("COMPLETED", 50)
    assert sorted(one["status"] for one in found["results"]) == ["FAIL", "PASS"]
    assert not (live.folder / "evil.json").exists()


def test_a_stream_ends_when_its_token_is_revoked(live: Live) -> None:
    run = start(live, "waiting.grice.yaml")
    with live.client_with("read") as client:
        found: list[str] = []
        with client.stream("GET", f"/api/test-suite-runs/{run}/events") as stream:
            for line in stream.iter_lines():
                if not found:
                    with locked(live.service.engine) as connection:
                        revoke_token(connection, live.service.project, "a reader")
                found.append(line)
    assert found[-3:] == [
        "event: error",
        'data: {"error":"the token was revoked, or the session has ended"}',
        "",
    ]
    assert state_of(live, run)["state"] == "RUNNING"


def test_events_tell_each_line_of_the_journal_once_and_go_on_where_one_was(live: Live) -> None:
    run = start(live)
    everything = events(live, run)
    told = [one for one in everything if one.kind != "state"]
    assert [one.kind for one in told] == ["started", "begun", "result", "begun", "result"]
    assert [one.data["outcome"] for one in told if one.kind == "result"] == ["pass", "fail"]
    assert told[0].data == {"name": "", "planned": 2, "finishedBefore": 0}
    for place, one in enumerate(told):
        later = [other for other in events(live, run, one.id) if other.kind != "state"]
        assert later == told[place + 1 :]
    assert everything[-1].data == {
        "state": "FINISHED",
        "status": "COMPLETED",
        "error": "",
        "done": 2,
        "planned": 2,
    }
    for wrong in ("main:7", "main:99999999", "../main:0", "x", "main:-1", "main:1;other:2"):
        answer = live.client.get(f"/api/test-suite-runs/{run}/events", headers={"Last-Event-ID": wrong})
        assert (answer.status_code, answer.json()["details"][0]["field"]) == (400, "Last-Event-ID")


@pytest.mark.slow
def test_more_runs_than_the_limit_wait_and_one_that_waits_can_be_cancelled(live: Live) -> None:
    running = [start(live, "waiting.grice.yaml") for _ in range(2)]
    waiting = [start(live) for _ in range(2)]
    queue = live.get("/api/run-queue")
    assert [one["runId"] for one in queue] == [*running, *waiting]
    assert [one["state"] for one in queue] == ["RUNNING", "RUNNING", "QUEUED", "QUEUED"]
    found = live.get(f"/api/test-suite-runs/{waiting[0]}")
    assert (found["state"], found["status"], found["results"]) == ("QUEUED", "PENDING", [])
    assert post(live, f"/api/test-suite-runs/{waiting[1]}/cancel")["state"] == "CANCELLED"
    (live.folder / "go.txt").touch()
    assert [one.data["state"] for one in events(live, waiting[0]) if one.kind == "state"][-1] == "FINISHED"
    assert [one.data["state"] for one in events(live, waiting[1])] == ["CANCELLED"]
    assert state_of(live, waiting[1])["error"] == "it was cancelled before it began"


@pytest.mark.slow
def test_a_cancelled_run_ends_in_good_order_and_goes_on_without_running_anything_twice(live: Live) -> None:
    run = start(live, "waiting.grice.yaml")
    events(live, run, until="'key': 'second'")
    post(live, f"/api/test-suite-runs/{run}/cancel")
    last = events(live, run)[-1]
    assert (last.data["state"], last.data["done"], last.data["planned"]) == ("CANCELLED", 1, 3)
    assert live.get(f"/api/test-suite-runs/{run}")["state"] == "CANCELLED"
    post(live, f"/api/test-suite-runs/{run}/cancel", 409)
    (live.folder / "go.txt").touch()
    post(live, f"/api/test-suite-runs/{run}/resume")
    assert events(live, run)[-1].data["state"] == "FINISHED"
    assert (live.folder / "held.txt").read_text().split("\n").count("first") == 1
    post(live, f"/api/test-suite-runs/{run}/resume", 409)


@pytest.mark.slow
def test_only_what_failed_is_run_and_the_same_is_run_again(live: Live) -> None:
    first = start(live, tags=["one"])
    events(live, first)
    second = start(live, onlyFailedOf=first)
    events(live, second)
    assert [one.key for one in read_run(live.runs / second).results] == ["red"]
    third = post(live, f"/api/test-suite-runs/{second}/again", 201)["runId"]
    events(live, third)
    assert [one.key for one in read_run(live.runs / third).results] == ["red"]
    (live.folder / "rooms.grice.yaml").write_text(SUITE.replace("green", "red"))
    fourth = start(live)
    events(live, fourth)
    told = start(live, status=409, onlyFailedOf=fourth)
    assert told["error"].startswith(f"nothing of rooms.grice.yaml failed in {fourth}: there is nothing")
    (live.folder / "other.grice.yaml").write_text(SUITE)
    told = start(live, "other.grice.yaml", 409, onlyFailedOf=fourth)
    assert told["error"] == f"{fourth} has no result of other.grice.yaml: run the whole suite"


def test_a_suite_with_a_mistake_is_told_with_its_place(live: Live) -> None:
    (live.folder / "rooms.grice.yaml").write_text("scenarios:\n  - {id: blue, sai: blue}\n")
    run = start(live)
    last = events(live, run)[-1].data
    assert last["state"] == "DIED"
    assert "rooms.grice.yaml:2:" in last["error"]
    assert "sai" in last["error"]


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"name": "latest"}, "name"),
        ({"name": "a\nb"}, "name"),
        ({"tags": ["ok", ""]}, "tags[1]"),
        ({"tags": ["x\x00"]}, "tags[0]"),
        ({"repeat": 0}, "repeat"),
        ({"repeat": "2"}, "repeat"),
        ({"agent": "os:system"}, "agent"),
        ({"files": ["/etc/passwd"]}, "files"),
    ],
)
def test_options_that_no_run_can_have_are_refused_by_field(
    live: Live, options: dict[str, Any], field: str
) -> None:
    told = start(live, status=400, **options)
    assert [one["field"] for one in told["details"]] == [field]
    assert list(live.runs.glob("*")) == []


@pytest.mark.parametrize("run", ["exp_0123456789ab", "..", "%2e%2e%2fruns", "latest", "exp_0123456789AB"])
def test_a_run_that_is_none_cannot_be_followed_or_ended(live: Live, run: str) -> None:
    for path in ("state", "events"):
        assert live.client.get(f"/api/test-suite-runs/{run}/{path}").status_code == 404
    for path in ("cancel", "resume", "again"):
        assert live.client.post(f"/api/test-suite-runs/{run}/{path}").status_code == 404


def test_a_suite_that_is_none_is_not_run(live: Live) -> None:
    assert live.client.post("/api/test-suites/rooms.grice.yaml/run").status_code == 404
    suites = live.get(f"/api/projects/{live.service.project}/test-suites")
    assert [one["file"] for one in suites] == ["rooms.grice.yaml", "waiting.grice.yaml"]
    assert suites[0]["id"] == suite_id(live.service.project, "rooms.grice.yaml")


def test_who_may_only_read_starts_and_ends_nothing(live: Live) -> None:
    run = start(live)
    with live.client_with("read") as reader:
        suite = suite_id(live.service.project, "rooms.grice.yaml")
        assert reader.post(f"/api/test-suites/{suite}/run").status_code == 403
        for path in ("cancel", "resume", "again"):
            assert reader.post(f"/api/test-suite-runs/{run}/{path}").status_code == 403
        assert reader.get(f"/api/test-suite-runs/{run}/state").status_code == 200


# -- servers that end, and queues that begin anew


def until(what: Any) -> None:
    end = time.monotonic() + DEADLINE
    while not what():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.slow
def test_a_server_that_ends_cancels_what_runs_and_leaves_what_waits_to_the_next(tmp_path: Path) -> None:
    tmp_path.joinpath("bots.py").write_text(BOTS)
    tmp_path.joinpath("waiting.grice.yaml").write_text(WAITING)
    with serve(tmp_path) as first:
        running = [start(first, "waiting.grice.yaml") for _ in range(2)]
        waits = start(first, "waiting.grice.yaml")
        for one in running:
            events(first, one, until="'key': 'second'")
    assert not (tmp_path / ".grice" / "runs" / waits / "main.jsonl").exists()
    tmp_path.joinpath("go.txt").touch()
    with serve(tmp_path) as second:
        assert [state_of(second, one)["state"] for one in running] == ["CANCELLED", "CANCELLED"]
        assert events(second, waits)[-1].data["state"] == "FINISHED"


@pytest.mark.slow
def test_a_run_that_another_server_started_can_be_ended(live: Live) -> None:
    run = start(live, "waiting.grice.yaml")
    place = events(live, run, until="'key': 'second'")[-1].id
    with RunQueue(live.folder, live.runs) as another:  # which knows nothing of the first one's processes
        assert another.going_on(run) == "RUNNING"
        another.cancel(run)
        until(lambda: another.going_on(run) is None)
        assert another.progress(run).standing.state == "CANCELLED"
    behind = events(live, run, place)
    assert {one.kind for one in behind} == {"state"}
    assert behind[-1].data["state"] == "CANCELLED"


@pytest.mark.slow
def test_a_process_that_was_killed_leaves_a_run_that_died_and_goes_on(live: Live) -> None:
    run = start(live, "waiting.grice.yaml")
    events(live, run, until="'key': 'second'")
    started = process_of(live.runs / run)
    assert started is not None
    os.kill(started.pid, signal.SIGKILL)
    last = events(live, run)[-1].data
    assert (last["state"], last["done"]) == ("DIED", 1)
    assert live.get(f"/api/test-suite-runs/{run}")["state"] == "DIED"
    (live.folder / "go.txt").touch()
    post(live, f"/api/test-suite-runs/{run}/resume")
    assert events(live, run)[-1].data["state"] == "FINISHED"
    assert (live.folder / "held.txt").read_text().split("\n").count("first") == 1


@contextmanager
def serve_as_a_process(folder: Path) -> Iterator[tuple[subprocess.Popen[str], httpx.Client]]:
    """`grice serve` in a process of its own, which the test ends, and a client of it."""
    (folder / "token.txt").write_text("t" * 32)
    command = [sys.executable, "-m", "grice", "serve", "--port", "0", "--token-file", "token.txt"]
    headers = {"Authorization": "Bearer " + "t" * 32}
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        said = server.stdout.readline()
        url = re.search(r"http://127\.0\.0\.1:\d+", said)
        assert url is not None, said
        with httpx.Client(base_url=url[0], headers=headers, timeout=DEADLINE, trust_env=False) as client:
            yield server, client


@pytest.mark.slow
def test_nothing_of_a_run_is_lost_when_its_server_is_killed(tmp_path: Path) -> None:
    tmp_path.joinpath("grice.toml").write_text('agent = "bots:agent"\n')
    tmp_path.joinpath("bots.py").write_text(BOTS)
    tmp_path.joinpath("waiting.grice.yaml").write_text(WAITING)
    with serve_as_a_process(tmp_path) as (server, client):
        (project,) = client.get("/api/projects").json()
        (suite,) = client.get(f"/api/projects/{project['id']}/test-suites").json()
        runs = [client.post(f"/api/test-suites/{suite['id']}/run").json()["runId"] for _ in range(3)]
        before = events_of(client, runs[0], until="'key': 'second'")
        events_of(client, runs[1], until="'key': 'second'")
        server.kill()
    tmp_path.joinpath("go.txt").touch()
    with serve_as_a_process(tmp_path) as (server, client):
        behind = events_of(client, runs[0], last_id=before[-1].id)
        lines = [one for one in (*before, *behind) if one.kind in ("begun", "result")]
        assert [(one.kind, one.data["key"]) for one in lines] == [
            (kind, key) for key in ("first", "second", "third") for kind in ("begun", "result")
        ]
        ends = [events_of(client, one)[-1].data["state"] for one in runs]
        assert ends == ["FINISHED", "FINISHED", "FINISHED"]
        server.send_signal(signal.SIGINT)
    assert server.returncode == 0
    said = (tmp_path / "held.txt").read_text().split("\n")
    assert [said.count(one) for one in ("first", "please wait", "third")] == [3, 3, 3]
