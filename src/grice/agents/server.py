"""The server of a project: the program behind its agent, which is started for a run and ended with it."""

from __future__ import annotations

import atexit
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, NamedTuple

from grice.agents.errors import AgentLoadError
from grice.records import clean_text
from grice.text import did_you_mean, shorten

PORT = "{port}"
"""What stands for the port in a command; it is in the environment as PORT too."""

_LOCAL = "localhost"
_POLL = 0.05
_ASKED = 2.0
"""Seconds in which the address that tells whether it is ready has to answer."""
_END = 5.0
"""Seconds in which the server must be gone: what its guard gives it, and a bit more."""
_LAST_WORDS = 0.2
"""Seconds in which a server that broke off a request has ended, if that was why."""
_KEPT, _SHOWN, _SHOWN_LINES, _SHOWN_LINE = 8_192, 2_000, 20, 200
_TRIES = 3
"""How many free ports are tried, as another program can take one before the server does."""
_PORT_TAKEN = re.compile(r"EADDRINUSE|address (is )?already in use|WinError 10048", re.IGNORECASE)
_ERROR_LINE = re.compile(r"[\w.: ]*(?:Error|Exception|panic|error)\b.*:")
_SHELL = frozenset({"&&", "||", "|", ";", "&", ">", "<", ">>", "2>&1"})
_RUNNERS = {
    ".js": "node",
    ".mjs": "node",
    ".cjs": "node",
    ".py": "python",
    ".rb": "ruby",
    ".php": "php",
    ".sh": "sh",
}
"""What runs a file, by its ending."""
_OWN_GROUP = sys.platform != "win32"


def command_of(said: str | Sequence[str]) -> list[str]:
    """The words of a command. Raises ValueError for one that only a shell understands."""
    if not isinstance(said, str):
        words = list(said)
    elif _OWN_GROUP:
        words = shlex.split(said)
    else:
        words = [word.strip('"') for word in shlex.split(said, posix=False)]
    if not words or not words[0].strip():
        raise ValueError("expected the command of a program, found an empty one")
    if isinstance(said, str) and (sign := next((one for one in words if one in _SHELL), "")):
        raise ValueError(
            f"{sign!r} is for a shell, and no shell reads this: write command = ['sh', '-c', '...']"
        )
    return words


def program_in(folder: Path, command: Sequence[str]) -> str:
    """Find the program of a command. Raises ValueError with what is likely meant."""
    program = command[0]
    here = folder / program
    found = shutil.which(program)
    if found is None and os.path.dirname(program) and here.exists():
        found = str(here)
    if found is not None:
        return found
    if os.path.dirname(program):
        raise ValueError(f"there is no program {program!r} in {str(folder)!r}")
    hint = did_you_mean(program, [one for one in _RUNNERS.values() if shutil.which(one)])
    if here.is_file():
        runner = _RUNNERS.get(here.suffix.lower(), "")
        whole = shlex.join([*filter(None, [runner]), program if runner else f"./{program}", *command[1:]])
        hint = f": {program} is a file of the folder: did you mean {whole!r}?"
    raise ValueError(f"there is no program {program!r} on PATH{hint}")


class _Failure(NamedTuple):
    """Why a server is not there: told in full, and in a line."""

    whole: str
    line: str


class _ServerFailed(Exception):
    """The server could not be started."""

    def __init__(self, failure: _Failure | str) -> None:
        super().__init__(failure)
        if isinstance(failure, str):
            said = f"server: {failure}"
            failure = _Failure(said, said)
        self.failure = failure


class Server:
    """A server that is started when its address is first used, once for all who use it.

    `command` runs in `folder`, with a free port for `{port}` and in PORT unless `port` names one. It is ready
    when `ready`, a path, answers with a status below 400, or without one when its port takes connections,
    within `timeout` seconds. It ends with `end`, or with this process, however that ends.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        folder: Path,
        *,
        ready: str = "",
        port: int | None = None,
        timeout: float = 30.0,
    ) -> None:
        self._command = command_of(command)
        self._folder = folder
        self._ready = ready
        self._port = port
        self._timeout = timeout
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._reader: threading.Thread | None = None
        self._output = b""
        self._url = ""
        self._failure: _Failure | None = None
        self._told = False
        self._owner = os.getpid()

    @property
    def url(self) -> str:
        """Its address, without a slash at the end.

        Raises AgentLoadError for one that failed: the first time with what it printed last, then in a line.
        """
        with self._lock:
            if self._failure is None and not self._url:
                try:
                    self._start()
                except _ServerFailed as error:
                    self._failure = error.failure
                    self._stop()
            elif self._failure is None and self._process is not None and self._owner == os.getpid():
                code = self._process.poll()
                if code is not None:
                    self._failure = self._failed(f"ended (exit code {code})")
            if self._failure is not None:
                told, self._told = self._told, True
                raise AgentLoadError(self._failure.line if told else self._failure.whole)
            return self._url

    def why_gone(self) -> str:
        """The reason why the agent could not reach it, as `url` gives it; "" where it runs."""
        with suppress(subprocess.TimeoutExpired):
            if self._process is not None:
                self._process.wait(_LAST_WORDS)
        try:
            _ = self.url
            return ""
        except AgentLoadError as error:
            return str(error)

    def adopt(self, url: str) -> None:
        """Use the one that another process of this run has started."""
        self._url = url

    def end(self) -> None:
        """End it and everything that it started; in a fork of the process that started it nothing happens."""
        with self._lock:
            if os.getpid() == self._owner:
                self._stop()
                self._url = ""

    # -- its start

    def _start(self) -> None:
        if self._port is not None:
            if _takes_connections(self._port):
                raise _ServerFailed(
                    f"port {self._port} is taken already, by a server that Grice did not start: end it, or "
                    "leave 'port' out so that a free one is chosen"
                )
            self._start_at(self._port)
            return
        for _ in range(_TRIES - 1):
            try:
                self._start_at(_free_port())
                return
            except _ServerFailed as error:
                if not _PORT_TAKEN.search(error.failure.whole):
                    raise
                self._stop()
                self._output = b""
        self._start_at(_free_port())

    def _start_at(self, port: int) -> None:
        command = [word.replace(PORT, str(port)) for word in self._command]
        self._process = self._started(command, port)
        self._reader = threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True)
        self._reader.start()
        url = f"http://{_LOCAL}:{port}"
        end = time.monotonic() + self._timeout
        while True:
            ready, answer = self._answers(url, port)
            if self._has_ended():
                code = self._process.returncode
                raise _ServerFailed(self._failed(f"ended before it was ready (exit code {code})"))
            if ready:
                break
            if time.monotonic() > end:
                raise _ServerFailed(self._failed(f"was not ready after {self._timeout:g} seconds: {answer}"))
            time.sleep(_POLL)
        self._url = url

    def _started(self, command: list[str], port: int) -> subprocess.Popen[bytes]:
        if not self._folder.is_dir():
            raise _ServerFailed(f"cannot be started: there is no folder {str(self._folder)!r}")
        try:
            found = program_in(self._folder, command)
            guard = str(Path(__file__).with_name("server_guard.py"))
            return subprocess.Popen(
                [sys.executable, "-S", "-E", guard, found, *command[1:]],
                cwd=self._folder,
                env={**os.environ, "PORT": str(port)},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=_OWN_GROUP,
            )
        except ValueError as error:
            raise _ServerFailed(f"cannot be started: {error}") from None
        except OSError as error:
            raise _ServerFailed(f"cannot be started: {error.strerror or error}") from None

    def _answers(self, url: str, port: int) -> tuple[bool, str]:
        """Whether it is ready, else why not."""
        if not self._ready:
            return _takes_connections(port), f"nothing takes connections at port {port}, {_PORT_HINT}"
        import http.client  # it takes long, and few projects have a server
        import urllib.error
        import urllib.request

        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(url + self._ready, timeout=_ASKED) as answer:
                return True, str(answer.status)
        except urllib.error.HTTPError as error:
            return False, f"GET {self._ready} answers with status {error.code}"
        except (http.client.HTTPException, ValueError) as error:
            return False, f"GET {self._ready} is not answered in HTTP: {error}"
        except OSError as error:
            refused = isinstance(getattr(error, "reason", None), ConnectionRefusedError)
            why = f"nothing takes connections at port {port}, {_PORT_HINT}" if refused else str(error)
            return False, why

    def _read(self, pipe: IO[bytes]) -> None:
        with pipe:
            while chunk := os.read(pipe.fileno(), 65_536):
                self._output = (self._output + chunk)[-_KEPT:]

    # -- its end

    def _has_ended(self) -> bool:
        return self._process is None or self._process.poll() is not None

    def _failed(self, what: str) -> _Failure:
        """The messages for a server that failed: with what it printed last, and in a line."""
        if self._reader is not None and self._has_ended():
            self._reader.join(1.0)
        text = clean_text(self._output.decode("utf-8", "replace")).strip()[-_SHOWN:]
        lines = text.split("\n")
        tail = "\n  ".join(lines[-_SHOWN_LINES:])
        said = f"its output ended with:\n  {tail}" if text else "it printed nothing"
        last = shorten(_telling_line(lines), _SHOWN_LINE)
        line = f"the server {what}: {last or 'it printed nothing'}"
        return _Failure(f"{line}\nIts command is {shlex.join(self._command)!r}; {said}", line)

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        try:
            process.wait(_END)
        except subprocess.TimeoutExpired:
            process.kill()
        if _OWN_GROUP:
            with suppress(OSError):
                os.killpg(process.pid, 9)  # what it left behind
        process.wait()
        if self._reader is not None:
            self._reader.join(1.0)


def _telling_line(lines: Sequence[str]) -> str:
    """The last line that tells an error, else the last one; Node ends with its version."""
    said = [one.strip() for one in lines if one.strip()]
    return next((one for one in reversed(said) if _ERROR_LINE.match(one)), said[-1] if said else "")


_PORT_HINT = f"which it is given as {PORT} in the command and as PORT in the environment"


def _free_port() -> int:
    with socket.create_server(("", 0)) as one:
        port: int = one.getsockname()[1]
        return port


def _takes_connections(port: int) -> bool:
    try:
        socket.create_connection((_LOCAL, port), _ASKED).close()
    except OSError:
        return False
    return True


_SERVERS: dict[Path, Server] = {}
"""Those of this process, by the folder of their project."""


def server_in(root: Path, described: Mapping[str, Any]) -> Server:
    """The server of the project in the folder, as its settings describe it: one for this process."""
    if root not in _SERVERS:
        if not _SERVERS:
            atexit.register(end_servers)
        fields = dict(described)
        _SERVERS[root] = Server(fields.pop("command"), root / fields.pop("cwd", ""), **fields)
    return _SERVERS[root]


def adopt_server(root: Path, url: str) -> None:
    """Use the server that another process of this run has started for the project in the folder."""
    _SERVERS[root] = server = Server([url], root)
    server.adopt(url)


def end_servers() -> None:
    """End the servers that this process has started."""
    while _SERVERS:
        _SERVERS.popitem()[1].end()
