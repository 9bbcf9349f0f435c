"""Logs in a bucket of an S3 server on this machine: the findings of the same files, and what goes wrong."""

import gzip
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from threading import Thread

import boto3
import pyarrow as pa
import pytest
from moto.server import ThreadedMotoServer
from pyarrow import parquet

from grice.formats import buckets
from grice.formats.buckets import open_bytes
from grice.formats.lines import open_log
from grice.formats.log_files import files_in
from grice.scanning import default_checks
from grice.scanning.log_parts import read_parts
from grice.scanning.unfinished import scan_digest

SECRET = "wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY"
KEYS = {"AWS_ACCESS_KEY_ID": "AKIAIOSFODNN7EXAMPLE", "AWS_SECRET_ACCESS_KEY": SECRET}
CHECKS = [{"matcher": "toMatch", "expected": "TODO", "not": True, "id": "todo"}]


def conversations(name: str, count: int, asked: str = "Hi") -> list[dict[str, object]]:
    rows = []
    for number in range(count):
        reply = f"Reply {number}{' TODO' if number % 10 == 3 else ''}"
        messages = [{"role": "user", "content": asked}, {"role": "assistant", "content": reply}]
        rows.append({"id": f"{name}-{number}", "messages": messages})
    return rows


def lines(rows: list[dict[str, object]]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def shared(row: int) -> dict[str, object]:
    return {"conversation_id": f"c{row // 4}", "role": ("user", "assistant")[row % 2], "content": "TODO"}


def table(rows: list[dict[str, object]]) -> bytes:
    written = BytesIO()
    parquet.write_table(pa.Table.from_pylist(rows), written)
    return written.getvalue()


TALK = [{"by": "customer", "said": "Where is my order?"}, {"by": "agent", "said": "It was sent. TODO"}]
OWN = {"id": "o1", "talk": TALK}
FILES = {
    "large.jsonl": lines(conversations("large", 9000, "Hi " * 400)),  # two parts of an object
    "packed.jsonl.gz": gzip.compress(lines(conversations("packed", 3000))),
    "cut.jsonl.gz": gzip.compress(lines(conversations("cut", 3000)))[:5000],
    "document.json": json.dumps(conversations("document", 20), indent=1).encode(),
    "table.csv": b"conversation_id,role,content\n1,user,Hi\n1,assistant,TODO\n",
    "rows.parquet": table(conversations("rows", 3000)),
    "deeper/messages.jsonl": lines([shared(row) for row in range(400)]),
    "deeper.jsonl": lines(conversations("deeper", 5)),  # a folder comes before it, as among files
    "a name #1 %20+ü.jsonl": lines(conversations("named", 5)),
    "empty.jsonl": b"",
    ".hidden.jsonl": lines(conversations("hidden", 5)),
    "notes.txt": b"no log",
}


class Bucket:
    """The bucket `logs` of a server on this machine."""

    def __init__(self, address: str) -> None:
        self.environment = {"AWS_ENDPOINT_URL": address, "AWS_REGION": "us-east-1", **KEYS}
        self._client = boto3.client(
            "s3",
            endpoint_url=address,
            region_name="us-east-1",
            aws_access_key_id=KEYS["AWS_ACCESS_KEY_ID"],
            aws_secret_access_key=SECRET,
        )
        self._client.create_bucket(Bucket="logs")

    def put(self, key: str, data: bytes) -> None:
        self._client.put_object(Bucket="logs", Key=key, Body=data)


@pytest.fixture(scope="module")
def bucket() -> Iterator[Bucket]:
    """A bucket with the files in `day/`."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        bucket = Bucket(f"http://{host}:{port}")
        for name, data in FILES.items():
            bucket.put(f"day/{name}", data)
        yield bucket
    finally:
        server.stop()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the same files, a check, and a mapping."""
    for name, data in FILES.items():
        path = tmp_path / "day" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    (tmp_path / "checks.json").write_text(json.dumps(CHECKS))
    (tmp_path / "own.map.json").write_text(json.dumps({"messages": "talk", "role": "by", "text": "said"}))
    return tmp_path


def grice(folder: Path, environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command, with nothing of the environment that could name another server, or credentials."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "AZURE_", "GOO"))
    }
    nowhere = {"AWS_EC2_METADATA_DISABLED": "true", "AWS_METADATA_ENDPOINT": "http://127.0.0.1:9"}
    return subprocess.run(
        [sys.executable, "-m", "grice", *arguments],
        cwd=folder,
        env={**kept, **nowhere, "HOME": str(folder), **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def scan(
    folder: Path, environment: dict[str, str], *arguments: str, output: str = "found.json"
) -> subprocess.CompletedProcess[str]:
    return grice(folder, environment, "scan", *arguments, "--checks", "checks.json", "--json", output)


def test_findings_are_those_of_the_same_files(folder: Path, bucket: Bucket) -> None:
    here, there = scan(folder, {}, "day"), (folder / "found.json").read_text()
    far = scan(folder, bucket.environment, "s3://logs/day")
    assert (here.returncode, far.returncode) == (2, 2), far.stderr  # one file is cut off
    assert "cut.jsonl.gz" in far.stderr
    assert far.stdout.replace("s3://logs/day", "day") == here.stdout
    assert far.stderr.replace("s3://logs/day", "day") == here.stderr
    found = (folder / "found.json").read_text()
    assert found.count("s3://logs/day/") > 1000
    assert found.replace("s3://logs/day", "day") == there
    assert SECRET not in found


@pytest.mark.parametrize(
    "options",
    [
        ("large.jsonl", "--where", 'id != "large-13"', "--limit", "40"),
        ("large.jsonl", "--sample", "500", "--seed", "7"),
        ("own.jsonl", "--map", "own.map.json"),
        ("own.jsonl", "--map", "auto"),
    ],
)
def test_options_choose_and_read_as_of_files(folder: Path, bucket: Bucket, options: tuple[str, ...]) -> None:
    own = lines([OWN, {**OWN, "id": "o2"}])
    (folder / "day" / "own.jsonl").write_bytes(own)
    bucket.put("own/own.jsonl", own)
    bucket.put("own/large.jsonl", FILES["large.jsonl"])
    name, *more = options
    here, there = scan(folder, {}, f"day/{name}", *more), (folder / "found.json").read_text()
    assert here.returncode == 0, here.stderr
    far = scan(folder, bucket.environment, f"s3://logs/own/{name}", *more)
    assert far.returncode == 0, far.stderr
    assert '"label":"todo"' in there
    assert (folder / "found.json").read_text().replace("s3://logs/own", "day") == there


@pytest.mark.parametrize(
    ("address", "files"),
    [
        ("s3://logs/day/deeper.jsonl", ["deeper.jsonl"]),
        ("s3://logs/day/*.jsonl", ["a name #1 %20+ü.jsonl", "deeper.jsonl", "empty.jsonl", "large.jsonl"]),
        ("s3://logs/day/**/[dm]*.jsonl", ["deeper/messages.jsonl", "deeper.jsonl"]),
        ("s3://logs/d?y/deeper/", []),
        ("s3://logs/day/deeper/", ["deeper/messages.jsonl"]),
        ("s3://logs/**/notes.txt", ["notes.txt"]),
    ],
)
def test_an_address_names_an_object_a_folder_or_a_pattern(
    folder: Path, bucket: Bucket, address: str, files: list[str]
) -> None:
    run = scan(folder, bucket.environment, address)
    if not files:
        assert (run.returncode, run.stderr) == (2, f"error: {address}: there are no logs\n")
        return
    assert run.returncode == (0 if files != ["notes.txt"] else 2), run.stderr
    summary = json.loads((folder / "found.json").read_text())["summary"]
    assert summary["files"] == [f"s3://logs/day/{name}" for name in files]


def test_show_takes_the_place_of_a_finding(folder: Path, bucket: Bucket) -> None:
    shown = grice(folder, bucket.environment, "show", "s3://logs/day/rows.parquet:4")
    assert shown.returncode == 0, shown.stderr
    assert "rows-3: 1 turn" in shown.stdout
    gone = grice(folder, bucket.environment, "show", "s3://logs/day/none.jsonl:4")
    assert (gone.returncode, gone.stderr) == (2, "error: s3://logs/day/none.jsonl: there is no such object\n")


KILLED = """
import os, signal, sys
from pathlib import Path
from grice.formats.log_files import files_in
from grice.scanning import ScanOptions, choose_checks, scan
from grice.scanning.many_machines import engine_of
from grice.scanning.unfinished import Unfinished, scan_digest
from grice.scanning.workers import Workers

files = tuple(files_in(["s3://logs/day/*.jsonl", "s3://logs/day/*.gz"]))
choice = choose_checks("checks.json")
seen = []

def found(finding):
    seen.append(finding)
    if len(seen) == 880:  # in the second part of the large log
        os.kill(os.getpid(), signal.SIGKILL)

engine = Workers(2) if sys.argv[1] == "here" else engine_of(sys.argv[1])
unfinished = Unfinished(Path("found.json"), scan_digest(files, choice, None, None), resume=False)
scan(files, choice, ScanOptions(engine=engine), on_finding=found, unfinished=unfinished)
"""


@pytest.mark.timeout(300)
@pytest.mark.parametrize("engine", ["here", "ray", "daft"])
def test_a_killed_scan_goes_on(folder: Path, bucket: Bucket, engine: str) -> None:
    if engine != "here":
        pytest.importorskip(engine)
    (folder / "killed.py").write_text(f"if __name__ == '__main__':\n    exec({KILLED!r})\n")
    names = ("s3://logs/day/*.jsonl", "s3://logs/day/*.gz")
    options = () if engine == "here" else ("--engine", engine)
    whole = scan(folder, bucket.environment, *names, output="whole.json")
    assert "cut.jsonl.gz" in whole.stderr
    killed = subprocess.run(
        [sys.executable, "killed.py", engine],
        cwd=folder,
        env={**os.environ, **bucket.environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    manifest = (folder / "found.json.manifest.part").read_text()
    assert json.loads(manifest)["place"][:2] == [3, 1 << 23]  # the fourth log, between its parts
    assert SECRET not in manifest
    again = scan(folder, bucket.environment, *names, "--resume", *options)
    assert again.returncode == 2, again.stderr
    assert again.stdout.replace("found.json", "whole.json") == whole.stdout
    assert (folder / "found.json").read_bytes() == (folder / "whole.json").read_bytes()


def test_an_object_that_changed_is_another(bucket: Bucket, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in bucket.environment.items():
        monkeypatch.setenv(name, value)

    def found(name: str) -> tuple[Path | str, str]:
        bucket.put("changing.jsonl", lines(conversations(name, 5)))
        (log,) = files_in(["s3://logs/changing.jsonl"])
        return log, scan_digest([log], default_checks(), None, None)

    (_, digest), (before, same), (_, other) = found("first"), found("first"), found("later")
    assert digest == same != other  # --resume goes on only in the same
    with open_bytes(before) as stream, pytest.raises(OSError, match="it was changed while it was read"):
        stream.read()


def test_a_pattern_of_any_folders_takes_nothing_hidden(
    bucket: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in bucket.environment.items():
        monkeypatch.setenv(name, value)
    found = list(files_in(["s3://logs/day/**"]))
    assert "s3://logs/day/deeper/messages.jsonl" in found
    assert "s3://logs/day/.hidden.jsonl" not in found


def test_a_part_of_an_object_is_one_request(bucket: Bucket, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the line that goes on behind it, and without what is read of each object at its beginning."""
    for name, value in bucket.environment.items():
        monkeypatch.setenv(name, value)
    (log,) = files_in(["s3://logs/day/large.jsonl"])
    with open_log(log):
        pass
    fetched: list[int] = []
    fetch = buckets._fetched
    monkeypatch.setattr(buckets, "_fetched", lambda *one: fetched.append(one[2] - one[1]) or fetch(*one))
    with open_log(log, at_once=1 << 20) as stream:
        data = b"".join(read_parts(stream, 1 << 20, 2 << 20))
    assert data.endswith(b"\n")
    assert 1_000_000 < len(data) < fetched[0] < 1_200_000
    assert len(fetched) == 1


class _Refusing(BaseHTTPRequestHandler):
    """Answers as a store does that refuses, whose errors name the key."""

    def do_GET(self) -> None:
        status, code = (403, "InvalidAccessKeyId") if "denied" in self.path else (301, "PermanentRedirect")
        data = (
            f"<Error><Code>{code}</Code><AWSAccessKeyId>{KEYS['AWS_ACCESS_KEY_ID']}</AWSAccessKeyId></Error>"
        )
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(data.encode())

    do_HEAD = do_GET  # noqa: N815

    def log_message(self, *_: object) -> None: ...


@pytest.fixture(scope="module")
def refusing() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Refusing)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


NO_KEYS = {"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""}


@pytest.mark.parametrize(
    ("address", "endpoint", "environment", "said"),
    [
        ("s3://logs/none.jsonl", "", {}, "s3://logs/none.jsonl: there is no such object"),
        ("s3://logs/none/", "", {}, "s3://logs/none/: there are no logs"),
        ("s3://none/a.jsonl", "", {}, "s3://none/a.jsonl: there is no such bucket"),
        (
            "s3://denied/",
            "refusing",
            {},
            "s3://denied/: the store answers 403 Forbidden (InvalidAccessKeyId)",
        ),
        ("s3://moved/", "refusing", {}, "s3://moved/: the bucket is in another region: set AWS_REGION"),
        (
            "s3://a/b",
            "http://u:pw@127.0.0.1:9",
            {},
            "s3://a/b: 127.0.0.1:9 cannot be reached: Connection refused",
        ),
        ("s3://k:pw@logs/a.jsonl", "", {}, "s3://...: addresses with a secret in them are not read"),
        ("az://logs/a?sv=1&sig=pw", "", {}, "az://...: addresses with a secret in them are not read"),
        ("az://logs/a", "", {}, "az://logs/a: no account: set AZURE_STORAGE_ACCOUNT_NAME"),
        ("s3://a/b", "", NO_KEYS, "s3://a/b: no credentials: set AWS_ACCESS_KEY_ID"),
        (
            "s3://a/b",
            "",
            {**NO_KEYS, "AWS_PROFILE": "x"},
            "s3://a/b: The config profile (x) could not be found",
        ),
    ],
)
def test_what_goes_wrong_is_one_line_without_credentials(
    folder: Path,
    bucket: Bucket,
    refusing: str,
    address: str,
    endpoint: str,
    environment: dict[str, str],
    said: str,
) -> None:
    named = {"AWS_ENDPOINT_URL": refusing if endpoint == "refusing" else endpoint} if endpoint else {}
    given = {name: value for name, value in {**bucket.environment, **named, **environment}.items() if value}
    run = scan(folder, given, address)
    assert run.returncode == 2
    assert run.stderr.startswith(f"error: {said}")
    assert run.stderr.count("\n") == 1
    for secret in (SECRET, KEYS["AWS_ACCESS_KEY_ID"], "pw"):
        assert secret not in run.stdout + run.stderr


def test_an_object_that_is_gone_does_not_stop_the_others(folder: Path, bucket: Bucket) -> None:
    run = scan(folder, bucket.environment, "s3://logs/none.jsonl", "s3://logs/day/deeper.jsonl")
    assert run.returncode == 2
    assert run.stderr == "error: s3://logs/none.jsonl: there is no such object\n"
    assert "s3://logs/day/deeper.jsonl: 5 lines" in run.stdout
