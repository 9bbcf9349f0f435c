import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from grice.cli.app import app

EXAMPLES = Path(__file__).parents[2] / "examples" / "wordpress_assistant" / "goldens"


class Stub:
    """A running `grice stub`."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.out = ""
        assert process.stdout is not None
        for line in process.stdout:
            self.out += line
            if "OPENAI_BASE_URL" in line:
                break
        found = re.search(r"at (http://127\.0\.0\.1:\d+)", self.out)
        assert found is not None, self.out
        self.url = found[1]

    def ask(self, path: str, *messages: object, key: str = "k", timeout: float = 10) -> Any:
        body = json.dumps({"model": "m", "messages": messages}).encode()
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        request = urllib.request.Request(self.url + path, body, headers)
        with urllib.request.urlopen(request, timeout=timeout) as response:
            return json.loads(response.read())

    def end(self, sign: int = signal.SIGINT) -> int:
        self.process.send_signal(sign)
        self.out += self.process.communicate(timeout=20)[0]
        return self.process.returncode


Start = Callable[..., Stub]
Refused = Callable[..., str]


@pytest.fixture
def start() -> Iterator[Start]:
    begun: list[subprocess.Popen[str]] = []

    def start(*args: object, **environ: str) -> Stub:
        command = [sys.executable, "-m", "grice", "stub", "--port", "0", *map(str, args)]
        env = {name: value for name, value in os.environ.items() if not name.endswith("API_KEY")}
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=env | {"GRICE_MODEL_KEY": "k", "PYTHONUNBUFFERED": "1"} | environ,
        )
        begun.append(process)
        return Stub(process)

    yield start
    for process in begun:
        process.kill()
        process.communicate()


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str]) -> Refused:
    """What a stub says that cannot be started; in this process, which it leaves before it serves."""

    def refused(*args: object) -> str:
        with pytest.raises(SystemExit) as left:
            app(["stub", *map(str, args)])
        assert left.value.code == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert "Traceback" not in err
        return " ".join(err.split())

    return refused


USER = {"role": "user", "content": "Hello there"}


def test_it_echoes_and_shows_every_request(start: Start) -> None:
    stub = start()
    body = stub.ask("/v1/chat/completions", USER)
    assert body["choices"][0]["message"]["content"] == "You said: Hello there"
    assert stub.end() == 0
    assert f"export ANTHROPIC_BASE_URL={stub.url} ANTHROPIC_API_KEY=k" in stub.out
    assert f"export OPENAI_BASE_URL={stub.url}/v1 OPENAI_API_KEY=k" in stub.out
    assert "1  openai_chat  m  1 message" in stub.out
    assert "\n1 request\n" in stub.out


def test_sigterm_ends_it_too(start: Start) -> None:
    assert start().end(signal.SIGTERM) == 0


def test_a_script_begins_anew_in_every_conversation(start: Start, tmp_path: Path) -> None:
    script = tmp_path / "stub.yaml"
    script.write_text("replies: [one, two]\n")
    stub = start(script)
    for name in ("a", "b"):
        said = [stub.ask(f"/c/{name}/v1/messages", USER)["content"][0]["text"] for _ in range(2)]
        assert said == ["one", "two"]
    with pytest.raises(urllib.error.HTTPError, match="400"):
        stub.ask("/c/a/v1/messages", USER)
    assert stub.end() == 1
    assert "model request 3 has no scripted reply (2 scripted)" in stub.out
    assert "5 requests; 1 went wrong" in stub.out


def test_goldens_have_an_address_each(start: Start) -> None:
    stub = start(*sorted(EXAMPLES.glob("*.golden.json")))
    body = stub.ask("/c/update-plugin-success/v1/chat/completions", USER)
    assert body["choices"][0]["message"]["tool_calls"][0]["function"]["name"] == "update_plugin"
    with pytest.raises(urllib.error.HTTPError, match="400"):
        stub.ask("/c/update-plugin-sucess/v1/chat/completions", USER)
    assert stub.end() == 1
    hint = "there is no golden 'update-plugin-sucess' (did you mean 'update-plugin-success'?)"
    assert hint in stub.out


def golden(id_: str) -> dict[str, Any]:
    text = (EXAMPLES / "update-plugin-success.golden.json").read_text()
    return {**json.loads(text), "id": id_}


def test_an_id_that_makes_no_address_is_made_one(start: Start, tmp_path: Path) -> None:
    file = tmp_path / "shop.golden.json"
    file.write_text(json.dumps([golden("shop/sunday offer $(date)"), golden("größe")]))
    stub = start(file, GRICE_MODEL_KEY="a key")
    for address in ("shop-sunday-offer-date-", "gr%C3%B6%C3%9Fe"):
        body = stub.ask(f"/c/{address}/v1/chat/completions", USER, key="a key")
        assert body["choices"][0]["message"]["tool_calls"]
    assert stub.end() == 0
    assert f"OPENAI_BASE_URL={stub.url}/c/shop-sunday-offer-date-/v1 OPENAI_API_KEY='a key'" in stub.out


def test_ids_with_the_same_address_are_refused(refused: Refused, tmp_path: Path) -> None:
    file = tmp_path / "shop.golden.json"
    file.write_text(json.dumps([golden("a b"), golden("a/b")]))
    said = refused(file, "--port", 0)
    assert "the goldens 'a b' and 'a/b' would have the same address /c/a-b" in said


def test_what_is_wrong_in_a_request_is_shown_beside_it(start: Start) -> None:
    stub = start()
    call = {"type": "tool_use", "id": "a", "name": "update", "input": []}
    stub.ask("/v1/messages", USER, {"role": "assistant", "content": [call]}, {"role": "user", "content": "?"})
    stub.end()
    assert "messages[1].content[0].input" in stub.out
    assert "error" in stub.out


def test_exchanges_are_recorded_without_secrets(start: Start, tmp_path: Path) -> None:
    record = tmp_path / "exchanges.jsonl"
    stub = start("--record", record)
    stub.ask("/c/x/v1/messages", {"role": "user", "content": "my password=hunter2"})
    stub.end()
    (line,) = record.read_text().splitlines()
    assert "hunter2" not in line
    written = json.loads(line)
    assert written["conversation"] == "x"
    assert written["request"]["messages"][0]["role"] == "user"
    assert written["reply"]["type"] == "message"


def test_a_later_run_appends_to_the_record(start: Start, tmp_path: Path) -> None:
    record = tmp_path / "exchanges.jsonl"
    for _ in range(2):
        stub = start("--record", record)
        stub.ask("/v1/messages", USER)
        stub.end()
    assert len(record.read_text().splitlines()) == 2


def test_an_exchange_that_broke_off_is_recorded_as_one(start: Start, tmp_path: Path) -> None:
    script, record = tmp_path / "stub.yaml", tmp_path / "exchanges.jsonl"
    script.write_text("replies: [{text: Late., delay: 30}, {fault: timeout}, fine]\n")
    stub = start(script, "--record", record)
    for _ in range(2):
        with pytest.raises(TimeoutError):
            stub.ask("/v1/messages", USER, timeout=0.3)
    stub.ask("/v1/messages", USER)
    assert stub.end() == 1
    late, nothing, fine = map(json.loads, record.read_text().splitlines())
    assert late["error"] == "the client went away before the reply came"
    assert nothing["error"] == "injected fault: no answer"
    assert all(0.2 < one["duration"] < 10 for one in (late, nothing))
    assert "error" not in fine
    assert "3 requests; 1 went wrong" in stub.out


def test_a_wrong_key_is_told_and_the_agents_own_is_taken(start: Start) -> None:
    stub = start(OPENAI_API_KEY="sk-of-the-agent")
    stub.ask("/v1/messages", USER, key="sk-of-the-agent")
    with pytest.raises(urllib.error.HTTPError, match="401"):
        stub.ask("/v1/messages", USER, key="other")
    assert stub.end() == 1
    assert "the request has the wrong API key" in stub.out
    assert "sk-of-the-agent" not in stub.out


@pytest.mark.parametrize(
    ("text", "message"),
    [("replies: 3", "stub.yaml:1:10: replies: expected a list, found"), ("{", "stub.yaml:1:2: ")],
)
def test_a_wrong_script_is_refused_with_its_place(
    refused: Refused, tmp_path: Path, text: str, message: str
) -> None:
    script = tmp_path / "stub.yaml"
    script.write_text(text)
    assert message in refused(script, "--port", 0)


def test_a_port_that_is_taken_is_named(start: Start, refused: Refused) -> None:
    port = start().url.rpartition(":")[2]
    assert f"port {port} is in use; --port 0 takes a free one" in refused("--port", port)


@pytest.mark.parametrize("port", [99_999, -1])
def test_a_port_that_there_is_not_is_refused(refused: Refused, port: int) -> None:
    assert "Invalid value for '--port'" in refused("--port", port)


def test_a_folder_that_there_is_not_is_not_made_for_the_record(refused: Refused, tmp_path: Path) -> None:
    said = refused("--port", 0, "--record", tmp_path / "no" / "exchanges.jsonl")
    assert "there is no folder" in said
    assert not (tmp_path / "no").exists()


def test_a_file_of_somebody_else_is_not_appended_to(refused: Refused, tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("my notes")
    assert "it is not written over" in refused("--port", 0, "--record", notes)
    assert notes.read_text() == "my notes"


def test_it_ends_although_a_client_waits_for_a_time_out(start: Start, tmp_path: Path) -> None:
    script = tmp_path / "stub.yaml"
    script.write_text("replies: [{fault: timeout}]\n")
    stub = start(script)
    request = ["curl", "-s", "-m", "20", f"{stub.url}/v1/messages", "-H", "x-api-key: k", "-d", "{}"]
    with subprocess.Popen(request) as waiting:
        time.sleep(0.3)
        started = time.monotonic()
        assert stub.end() == 0
        assert time.monotonic() - started < 10
        waiting.kill()
