"""`grice stub`: what it answers, shows and writes, and what ends it."""

import io
import json
import re
import signal
import socket
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

import pytest
from grice_command import Grice

from grice.cli.stub import Command
from grice.cli.stub_work import serve_stub
from grice.wire import ScriptedModel
from grice.wire.stub import StubServer

EXAMPLES = Path(__file__).parents[2] / "examples" / "wordpress_assistant" / "goldens"


class Screen(io.StringIO):
    """An output that can be waited for."""

    def __init__(self) -> None:
        super().__init__()
        self._written = threading.Condition()

    def write(self, text: str) -> int:
        with self._written:
            self._written.notify_all()
            return super().write(text)

    def wait_for(self, text: str) -> None:
        with self._written:
            self._written.wait_for(lambda: text in self.getvalue())


class Stub:
    """What `grice stub` does until it is asked to end, in a thread."""

    def __init__(self, screen: Screen, files: tuple[Path, ...], **options: Any) -> None:
        self.screen = screen
        self._given = Command(files=files, port=0, **options)
        self._shown, self._asked = threading.Event(), threading.Event()
        self._code: int | None = None
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        self._shown.wait()
        assert self._code is None, self.out
        found = re.search(r"at (http://127\.0\.0\.1:\d+)", self.out)
        assert found is not None, self.out
        self.url = found[1]

    def _serve(self) -> None:
        try:
            self._code = serve_stub(self._given, until=lambda: nullcontext(self._wait))
        finally:
            self._shown.set()

    def _wait(self) -> None:
        self._shown.set()
        self._asked.wait()

    @property
    def out(self) -> str:
        return self.screen.getvalue()

    def ask(self, path: str, *messages: object, key: str = "k") -> Any:
        body = json.dumps({"model": "m", "messages": messages}).encode()
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        with urllib.request.urlopen(urllib.request.Request(self.url + path, body, headers)) as response:
            return json.loads(response.read())

    def ask_and_wait(self, text: str) -> socket.socket:
        """Ask without reading the answer; the connection, once the request is shown."""
        count = self.out.count("1 message  ->")
        body = json.dumps({"model": "m", "messages": [{"role": "user", "content": text}]})
        head = f"POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1\r\nx-api-key: k\r\nContent-Length: {len(body)}"
        connection = socket.create_connection(("127.0.0.1", int(self.url.rpartition(":")[2])))
        connection.sendall(f"{head}\r\n\r\n{body}".encode())
        self.screen.wait_for(f"{count + 1}  anthropic  m  1 message  ->")
        return connection

    def end(self) -> int | None:
        self._asked.set()
        self._thread.join()
        return self._code


Start = Callable[..., Stub]
Refused = Callable[..., str]


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    begun: list[Stub] = []
    monkeypatch.setenv("GRICE_MODEL_KEY", "k")
    monkeypatch.setenv("COLUMNS", "200")

    def start(*files: Path, **options: Any) -> Stub:
        screen = Screen()
        with monkeypatch.context() as patched:
            patched.setattr(sys, "stdout", screen)
            patched.setattr(sys, "stderr", screen)
            begun.append(Stub(screen, files, **options))
        return begun[-1]

    yield start
    for one in begun:
        one.end()


@pytest.fixture
def refused(grice: Grice) -> Refused:
    """What a stub says that cannot be started."""

    def refused(*args: object) -> str:
        run = grice("stub", *args)
        assert (run.code, run.out) == (2, "")
        assert "Traceback" not in run.err
        return " ".join(run.err.split())

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


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[StubServer]:
    """A server that plays the real model, whose key is in the environment."""
    monkeypatch.setenv("OPENAI_API_KEY", "the-real-key")
    with StubServer(root=ScriptedModel("Real.", "Real again."), key="the-real-key") as server:
        yield server


def test_a_real_model_is_recorded_once_and_then_nobody_is_asked(
    start: Start, provider: StubServer, tmp_path: Path
) -> None:
    cassette, record = tmp_path / "model.jsonl", tmp_path / "exchanges.jsonl"
    stub = start(upstream=provider.url, cassette=cassette, record=record)
    first = stub.ask("/v1/chat/completions", USER)
    assert first["choices"][0]["message"]["content"] == "Real."
    with pytest.raises(urllib.error.HTTPError, match="401"):
        stub.ask("/v1/chat/completions", USER, key="the-real-key")  # which is not the stub's
    assert stub.end() == 1
    assert f"on to {provider.url}" in stub.out

    provider.stop()
    replayed = start(cassette=cassette)
    assert replayed.ask("/v1/chat/completions", USER) == first
    assert replayed.end() == 0
    assert "nobody is asked" in replayed.out
    kept = f"{stub.out}{replayed.out}{cassette.read_text()}{record.read_text()}"
    assert "the-real-key" not in kept


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--upstream", "api.example.com"], "--upstream: expected an address"),
        (["--upstream", "http://h/", "--upstream-key-env", "NOT_SET_1"], "NOT_SET_1 is not set"),
        (["--upstream-key-env", "NAME"], "it goes with --upstream"),
        (["--cassette", "none.jsonl"], "record it with --upstream"),
        (["--upstream", "http://h", "script.yaml"], "a script and a real model do not go together"),
    ],
)
def test_a_real_model_that_cannot_be_asked_so_is_refused(
    refused: Refused, options: list[str], said: str
) -> None:
    assert said in refused("--port", 0, *options)


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_and_is_handled_as_before_afterwards(grice: Grice, sign: signal.Signals) -> None:
    def not_handled(*_: object) -> None:
        raise AssertionError(f"{sign.name} reached the process")

    class Greeting(io.StringIO):
        def write(self, text: str) -> int:
            if "OPENAI_BASE_URL" in text:
                signal.raise_signal(sign)
            return super().write(text)

    shown = Greeting()
    before = signal.signal(sign, not_handled)
    try:
        assert grice("stub", "--port", "0", stdout=shown).code == 0
        assert signal.getsignal(sign) is not_handled
    finally:
        signal.signal(sign, before)
    assert shown.getvalue().endswith("\n0 requests\n")


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


def test_an_id_that_makes_no_address_is_made_one(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRICE_MODEL_KEY", "a key")
    file = tmp_path / "shop.golden.json"
    file.write_text(json.dumps([golden("shop/sunday offer $(date)"), golden("größe")]))
    stub = start(file)
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
    stub = start(record=record)
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
        stub = start(record=record)
        stub.ask("/v1/messages", USER)
        stub.end()
    assert len(record.read_text().splitlines()) == 2


def test_an_exchange_that_broke_off_is_recorded_as_one(start: Start, tmp_path: Path) -> None:
    script, record = tmp_path / "stub.yaml", tmp_path / "exchanges.jsonl"
    script.write_text("replies: [{text: Late., delay: 3600}, {fault: timeout}, fine]\n")
    stub = start(script, record=record)
    stub.ask_and_wait("late").close()
    stub.screen.wait_for("the client went away before the reply came")
    stub.ask_and_wait("nothing").close()
    stub.ask("/v1/messages", {"role": "user", "content": "fine"})
    assert stub.end() == 1
    lines = map(json.loads, record.read_text().splitlines())
    recorded = {line["request"]["messages"][0]["content"]: line for line in lines}
    assert recorded["late"]["error"] == "the client went away before the reply came"
    assert recorded["nothing"]["error"] == "injected fault: no answer"
    assert all(0 < recorded[each]["duration"] < 3600 for each in ("late", "nothing"))
    assert "error" not in recorded["fine"]
    assert "3 requests; 1 went wrong" in stub.out


def test_a_wrong_key_is_told_and_the_agents_own_is_taken(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-agent")
    stub = start()
    stub.ask("/v1/messages", USER, key="sk-of-the-agent")
    with pytest.raises(urllib.error.HTTPError, match="401"):
        stub.ask("/v1/messages", USER, key="other")
    assert stub.end() == 1
    assert "the request has the wrong API key" in stub.out
    assert "sk-of-the-agent" not in stub.out


@pytest.mark.parametrize(
    ("text", "message"),
    [("replies: 3", "stub.yaml:1:10: replies: expected a list, found"), ("{", "stub.yaml:1:1: ")],
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


@pytest.mark.parametrize(
    ("port", "said"), [(99_999, "99999 is too large: at most 65535"), (-1, "-1 is too small: at least 0")]
)
def test_a_port_that_there_is_not_is_refused(refused: Refused, port: int, said: str) -> None:
    assert f"Error: --port: {said}" in refused("--port", port)


def test_a_folder_that_there_is_not_is_not_made_for_the_record(refused: Refused, tmp_path: Path) -> None:
    said = refused("--port", 0, "--record", tmp_path / "no" / "exchanges.jsonl")
    assert "there is no folder" in said
    assert not (tmp_path / "no").exists()


def test_a_file_of_somebody_else_is_not_appended_to(refused: Refused, tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("my notes")
    assert "it is not written over" in refused("--port", 0, "--record", notes)
    assert notes.read_text() == "my notes"


@pytest.mark.slow
def test_it_ends_although_a_client_waits_for_a_time_out(start: Start, tmp_path: Path) -> None:
    script = tmp_path / "stub.yaml"
    script.write_text("replies: [{fault: timeout}]\n")
    stub = start(script)
    with stub.ask_and_wait("Hello?") as waiting:
        assert stub.end() == 0
        with suppress(ConnectionResetError):
            assert waiting.recv(1) == b""
