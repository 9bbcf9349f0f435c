"""The server of the application: on the loopback address, in a thread, with limits on what connects."""

from __future__ import annotations

import asyncio
import json
import socket
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

import h11
import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

from grice.api.app import make_app
from grice.api.errors import error_content
from grice.api.guard import LOGIN, MAX_HEAD
from grice.api.security_headers import SECURITY_HEADERS
from grice.api.service import Service
from grice.files.writing import make_folder
from grice.running.journal.file_lock import FileLock, LockHeld

ADDRESS = "127.0.0.1"
MAX_CONNECTIONS = 500
HEAD_TIMEOUT = 10.0
"""Seconds in which the head of a first request has to be there."""
KEEP_ALIVE = 30
_ENDING = 2
"""Seconds that requests have to end when the server stops."""


class AlreadyServed(Exception):
    """Another server runs suites in this folder."""


class ApiServer:
    """Serves a project from `start` to `stop`, or within a `with` block. Port 0 takes a free one.

    A folder of runs has one server, whose limit of runs at once holds for all of them.
    `make` makes the application: that of the service, or the one with pages beside it.
    """

    def __init__(
        self, service: Service, port: int = 0, *, make: Callable[[Service], FastAPI] = make_app
    ) -> None:
        self._service = service
        self._make = make
        self._wanted = port
        self._server: _Server | None = None
        self._thread: threading.Thread | None = None
        self._lock: FileLock | None = None
        self.port = port

    @property
    def url(self) -> str:
        """The address without a path."""
        return f"http://{ADDRESS}:{self.port}"

    def link(self, token: str) -> str:
        """The address that signs a browser in."""
        return f"{self.url}{LOGIN}?token={token}"

    def start(self) -> Self:
        """Listen and answer. Raises AlreadyServed, and OSError where the port is in use."""
        self._lock = _lock_of(self._service.runs)
        try:
            listening = _listen(self._wanted)
        except OSError:
            self._release()
            raise
        self.port = listening.getsockname()[1]
        if self._lock is not None:
            self._lock.tell(self.url)
        config = uvicorn.Config(
            self._make(self._service),
            http=_Protocol,
            ws="none",
            lifespan="on",
            access_log=False,  # an address may hold a token
            log_config=None,
            log_level="error",
            proxy_headers=False,
            server_header=False,
            timeout_keep_alive=KEEP_ALIVE,
            timeout_graceful_shutdown=_ENDING,
            h11_max_incomplete_event_size=MAX_HEAD,
        )
        self._server = _Server(config)
        self._thread = threading.Thread(
            target=self._server.run, args=([listening],), name="grice-serve", daemon=True
        )
        self._thread.start()
        self._server.ready.wait()
        return self

    def stop(self) -> None:
        """Answer the requests that came so far, then end."""
        if self._server is not None and self._thread is not None:
            self._server.should_exit = True
            self._thread.join()
        self._server = self._thread = None
        self._release()

    def _release(self) -> None:
        if self._lock is not None:
            self._lock.release()
        self._lock = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()


class _Server(uvicorn.Server):
    """A server that tells when it answers."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and tell."""
        try:
            await super().startup(sockets)
        finally:
            self.ready.set()


class _Protocol(H11Protocol):
    """HTTP that waits for no head for ever, takes so many connections, and refuses in the one shape."""

    _head: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take the connection, unless there are too many."""
        super().connection_made(transport)
        self._head = self.loop.call_later(HEAD_TIMEOUT, self._too_late)
        if len(self.connections) > MAX_CONNECTIONS:
            self._refuse(503, "there are too many connections")

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self._head_is_there()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on. The head of a later request has its time too."""
        if self.transport.is_closing():
            return
        if self._head is None and self.conn.their_state is h11.IDLE:
            self._head = self.loop.call_later(HEAD_TIMEOUT, self._too_late)
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._head_is_there()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP."""
        self._refuse(400, f"the request is no HTTP that is taken here: {msg.rstrip('.').lower()}")

    def _head_is_there(self) -> None:
        if self._head is not None:
            self._head.cancel()
            self._head = None

    def _too_late(self) -> None:
        self._refuse(408, f"the head of the request was not there within {HEAD_TIMEOUT:g} seconds")

    def _refuse(self, status: int, message: str) -> None:
        body = json.dumps(error_content(message)).encode()
        headers = [
            ("content-type", "application/json"),
            ("content-length", str(len(body))),
            ("connection", "close"),
            *((name.lower(), value) for name, value in SECURITY_HEADERS.items()),
        ]
        parts: list[Any] = [h11.Response(status_code=status, headers=headers), h11.Data(data=body)]
        with suppress(h11.LocalProtocolError):  # an answer is under way
            for part in [*parts, h11.EndOfMessage()]:
                self.transport.write(self.conn.send(part) or b"")
        self.transport.close()


def _lock_of(runs: Path) -> FileLock | None:
    """The lock of the server that runs suites in that folder; None where it cannot be written.

    Raises AlreadyServed.
    """
    try:
        make_folder(runs.parent)
        return FileLock(runs.with_name(f"{runs.name}.lock"))
    except LockHeld as error:
        where = f" at {error.said}" if error.said else ""
        raise AlreadyServed(
            f"process {error.pid or '(unknown)'} serves {runs} already{where}: open that, or end it first; "
            "with `--runs` another folder has a server of its own"
        ) from error
    except OSError:
        return None


def _listen(port: int) -> socket.socket:
    # asyncio sends at once on connections of sockets that say they are TCP: else each answer waits 40 ms.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if sys.platform == "win32":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((ADDRESS, port))
        listening.listen(1024)
    except OSError:
        listening.close()
        raise
    return listening
