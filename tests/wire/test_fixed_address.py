import asyncio
import contextlib
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from loopback import ask, free_port, said

from grice import AddressTaken, ScriptedModel
from grice.wire import BadModelRequest, fixed_model_address
from grice.wire.fixed_model_address import fixed_address
from grice.wire.shared_stub import close_stub, shared_stub
from raw_http import until


@pytest.fixture(autouse=True)
def _stopped() -> Iterator[None]:
    yield
    close_stub()


def test_the_model_plays_at_the_port_and_leaves_it() -> None:
    port = free_port()
    for reply in ("one", "two"):
        with fixed_address(ScriptedModel(reply), port, key="k") as url:
            assert url == f"http://127.0.0.1:{port}"
            assert said(url, "k") == reply
    with socket.socket() as free:
        free.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        free.bind(("127.0.0.1", port))


def test_the_stubs_own_key_and_those_of_the_environment_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "from-the-environment")
    model = ScriptedModel("a", "b")
    with fixed_address(model, free_port()) as url:
        assert said(url, "from-the-environment") == "a"
        assert said(url, shared_stub().key) == "b"
        assert ask(url, "another")[0] == 401
    with pytest.raises(BadModelRequest, match="wrong API key"):
        model.verify()


def test_a_second_conversation_of_the_same_thread_is_refused_at_once() -> None:
    port = free_port()
    with fixed_address(ScriptedModel("a"), port, key="k") as url:
        refused = pytest.raises(AddressTaken, match=f"two conversations at once .*port {port}")
        with refused, fixed_address(ScriptedModel(), port):
            pass
        assert said(url, "k") == "a"


@pytest.mark.slow
def test_conversations_of_other_threads_come_one_after_the_other() -> None:
    port = free_port()
    heard: list[str] = []
    inside = threading.Semaphore(1)

    def talk(name: str) -> None:
        with fixed_address(ScriptedModel(*[name] * 3), port, key="k") as url:
            assert inside.acquire(blocking=False)
            heard.extend(said(url, "k") for _ in range(3))
            inside.release()

    threads = [threading.Thread(target=talk, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [heard[place : place + 3] for place in range(0, 12, 3)] == [[heard[p]] * 3 for p in (0, 3, 6, 9)]
    assert sorted(set(heard)) == list("abcd")


@pytest.mark.slow
def test_waiting_ends() -> None:
    port = free_port()
    caught: list[AddressTaken] = []

    def wait() -> None:
        try:
            with fixed_address(ScriptedModel(), port, wait=0.1):
                pass
        except AddressTaken as error:
            caught.append(error)

    with fixed_address(ScriptedModel(), port):
        thread = threading.Thread(target=wait)
        thread.start()
        thread.join()
    assert "another conversation still has" in str(caught[0])


HOLDER = """
import sys
from grice import ScriptedModel
from grice.wire.fixed_model_address import fixed_address
with fixed_address(ScriptedModel(), int(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.readline()
"""


@pytest.mark.slow
def test_another_process_of_grice_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    port = free_port()
    command = [sys.executable, "-c", HOLDER, str(port)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdin is not None
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        too_short = pytest.raises(AddressTaken, match="another run of Grice still has")
        with too_short, fixed_address(ScriptedModel(), port, wait=0.05):
            pass
        locked = fixed_model_address._locked

        def locked_or_has_it_end(path: Path) -> int | None:
            file = locked(path)
            if file is None:
                holder.stdin.close()  # type: ignore[union-attr]
            return file

        monkeypatch.setattr(fixed_model_address, "_locked", locked_or_has_it_end)
        with fixed_address(ScriptedModel("mine"), port, key="k") as url:
            assert said(url, "k") == "mine"
        assert holder.stdin.closed


COUNTER = """
import sys, threading
from pathlib import Path
from grice.wire import fixed_model_address
fixed_model_address.RETRY = 0
port, counter = int(sys.argv[1]), Path(sys.argv[2])

def count():
    for _ in range(100):
        with fixed_model_address._locked_for_all(port, float("inf")):
            counter.write_text(str(int(counter.read_text()) + 1))

threads = [threading.Thread(target=count) for _ in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


@pytest.mark.slow
def test_one_at_a_time_has_the_lock_however_many_want_it_and_no_file_of_it_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    locks, counter = tmp_path / "temporary", tmp_path / "count.txt"
    locks.mkdir()
    counter.write_text("0")
    monkeypatch.setenv("TMPDIR", str(locks))
    monkeypatch.setenv("TEMP", str(locks))
    command = [sys.executable, "-c", COUNTER, "1", str(counter)]
    counting = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    assert [(one.communicate()[1], one.returncode) for one in counting] == [("", 0)] * 3
    assert counter.read_text() == "600"
    assert list(locks.iterdir()) == []


def test_no_lock_file_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with fixed_address(ScriptedModel(), free_port()):
        assert len(list(tmp_path.iterdir())) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_takes_no_lock_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "nowhere"))
    refused = pytest.raises(AddressTaken, match=r"cannot be locked: .*nowhere.*set TMPDIR to a folder")
    with refused, fixed_address(ScriptedModel(), free_port()):
        pass


@pytest.mark.slow
def test_another_program_at_the_port_is_named_and_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fixed_model_address, "FORKED", 0.1)
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]

        def hang_up() -> None:
            with contextlib.suppress(OSError):
                while True:
                    other.accept()[0].close()

        threading.Thread(target=hang_up, daemon=True).start()
        refused = pytest.raises(AddressTaken, match=f"port {port}.* in use by another program")
        with refused, fixed_address(ScriptedModel(), port, wait=300):  # longer than a test may take
            pass


def test_between_conversations_a_request_is_told_that_none_runs() -> None:
    port = free_port()
    stub = shared_stub()
    with fixed_address(ScriptedModel("a"), port, key="k"):
        pass
    assert ask(stub.url, "k")[0] == 401, "the key was that conversation's"
    assert ask(stub.url, stub.key) == (
        404,
        {
            "type": "error",
            "error": {
                "type": "not_found_error",
                "message": "no conversation runs at this address, or it has ended",
            },
        },
    )


def test_a_connection_that_is_kept_does_not_reach_the_next_conversation() -> None:
    import http.client

    port = free_port()
    with fixed_address(ScriptedModel("a"), port, key="k"):
        kept = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        kept.request("POST", "/v1/messages", b'{"messages": []}', {"x-api-key": "k"})
        response = kept.getresponse()
        assert response.headers["Connection"] == "close"
        assert b'"a"' in response.read()
        kept.close()


def test_what_is_still_connected_is_cut_at_the_end() -> None:
    port = free_port()
    with fixed_address(ScriptedModel("for A"), port, key="k"):
        idle = socket.create_connection(("127.0.0.1", port), timeout=5)
        hanging = socket.create_connection(("127.0.0.1", port), timeout=5)
        hanging.sendall(
            b"POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nx-api-key: k\r\nContent-Length: 100\r\n\r\n{"
        )
        asyncio.run(until(lambda: len(shared_stub()._server.connections) == 2))
    with idle, hanging, fixed_address(ScriptedModel("for B"), port, key="k") as url:
        for cut in (idle, hanging):
            with contextlib.suppress(ConnectionError):
                assert cut.recv(100) == b""
        assert said(url, "k") == "for B"


@pytest.mark.slow
def test_a_forked_child_does_not_hold_the_port() -> None:
    if not hasattr(os, "fork"):
        pytest.skip("there is no fork on this system")
    port = free_port()
    code = (
        "import os, sys, time\n"
        "from grice import ScriptedModel\n"
        "from grice.wire import fixed_model_address\n"
        "fixed_model_address.FORKED = 20\n"
        f"with fixed_model_address.fixed_address(ScriptedModel(), {port}):\n"
        "    child = os.fork()\n"
        "    if child == 0:\n"
        "        time.sleep(300)\n"
        "        os._exit(0)\n"
        "try:\n"
        f"    with fixed_model_address.fixed_address(ScriptedModel(), {port}):\n"
        "        print('again')\n"
        "finally:\n"
        "    os.kill(child, 9)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100)
    assert (done.stdout, done.stderr) == ("again\n", "")
