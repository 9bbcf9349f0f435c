"""The stub: an HTTP server on the loopback address that plays the model for any agent, in any language.

It runs in a thread of its own with its own event loop, so that an agent that blocks its loop while it waits
for its model cannot stop the model.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import socket
import threading
import time
import weakref
from collections.abc import Callable, Collection, Coroutine
from contextlib import suppress
from typing import Any, Self

from aiohttp import web

from grice.wire.forwarding import pass_on
from grice.wire.model_protocols import ServedModel
from grice.wire.stub_access import Keys
from grice.wire.stub_requests import MAX_BODY, Handler, Seat

HOST = "127.0.0.1"
STARTING = 10.0
STOPPING = 5.0
IDLE = 120.0
"""Seconds that a connection lasts without a whole request header; clients keep idle ones for up to 90."""

LINGERING = 10.0
"""Seconds for what is left of a body after its request was answered."""

_LOG = logging.getLogger("grice.stub")
_LOG.addHandler(logging.NullHandler())  # what is no HTTP is answered; nobody's console need hear of it


class StubServer:
    """Serves scripted models on 127.0.0.1. Use it as a context manager, or `start` and `stop` it.

    `root` plays the model at the server's own address; every other model has an address of its own below
    it, see `address_of`. `new_model` makes the model of a conversation `/c/<id>` that is not known yet.
    `port` 0 takes a free one. A request needs `key` (made when not given) or one of `keys` as its API key,
    and has at most `max_body` bytes. `clock` gives seconds. `start` raises OSError when the port is taken.
    """

    def __init__(
        self,
        *,
        root: ServedModel | None = None,
        port: int = 0,
        key: str = "",
        keys: Collection[str] = (),
        new_model: Callable[[str], ServedModel] | None = None,
        max_body: int = MAX_BODY,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.key = key or f"grice-{secrets.token_urlsafe(18)}"
        self.port = port
        self._root = root
        self._new_model = new_model
        self._made: dict[str, ServedModel] = {}
        self._models: weakref.WeakValueDictionary[str, ServedModel] = weakref.WeakValueDictionary()
        self._ids: weakref.WeakKeyDictionary[ServedModel, str] = weakref.WeakKeyDictionary()
        self._seats: dict[int, ServedModel] = {}
        self._sites: dict[int, tuple[web.SockSite, socket.socket]] = {}
        self._handler = Handler(self._seat, {self.key, *keys}, max_body, clock, pass_on)
        self._max_body = max_body
        self._lock = threading.Lock()
        self._ready = threading.Event()
        self._problem: BaseException | None = None
        self._thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        """The server's own address, without a slash at the end."""
        return f"http://{HOST}:{self.port}"

    def address_of(self, model: ServedModel, id: str = "") -> str:  # noqa: A002 - the id of a conversation
        """The base address of a model, `/c/<id>` below the server's; valid as long as the model exists."""
        with self._lock:
            known = self._ids.get(model)
            if known is None:
                known = self._ids[model] = id or secrets.token_hex(8)
                self._models[known] = model
        return f"{self.url}/c/{known}"

    @property
    def keys(self) -> Keys:
        """The API keys that it accepts."""
        return self._handler.keys

    # -- the life cycle

    def start(self) -> Self:
        """Start to serve; returns when the address can be asked. Raises OSError."""
        self._ready.clear()
        self._problem = None
        self._thread = threading.Thread(target=self._serve, name="grice-stub", daemon=True)
        self._thread.start()
        if not self._ready.wait(STARTING):
            raise OSError("the stub server did not start")
        if self._problem is not None:
            raise self._problem
        return self

    def stop(self) -> None:
        """Stop to serve: every open connection is cut."""
        if self._thread is not None and self._thread.is_alive():
            with suppress(RuntimeError):  # the loop has just ended by itself
                self._loop.call_soon_threadsafe(self._stopping.set)
            self._thread.join(STOPPING)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _serve(self) -> None:
        try:
            asyncio.run(self._run())
        except BaseException as error:
            self._problem = error
        finally:
            self._ready.set()

    async def _run(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._stopping = asyncio.Event()
        self._server = server = _Server(
            self._handler,
            idle=IDLE,
            request_factory=self._request,
            handler_cancellation=True,
            lingering_time=LINGERING,
            access_log=None,
            logger=_LOG,
        )
        self._runner = web.ServerRunner(server, shutdown_timeout=0.1)
        await self._runner.setup()
        try:
            await self._listen(self.port)
            self._ready.set()
            await self._stopping.wait()
        finally:
            open_ones = [connection.transport for connection in server.connections]
            await self._runner.cleanup()
            for transport in open_ones:
                if transport is not None:
                    transport.abort()  # a client that does not read would hold it open
            await asyncio.sleep(0)  # lets the transports end

    def _request(self, message: Any, payload: Any, protocol: Any, writer: Any, task: Any) -> web.BaseRequest:
        self._server.has_asked(protocol)
        return web.BaseRequest(
            message, payload, protocol, writer, task, self._loop, client_max_size=self._max_body
        )

    # -- addresses

    async def _listen(self, port: int) -> None:
        listening = socket.socket()
        try:
            if os.name == "posix":
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind((HOST, port))
            site = web.SockSite(self._runner, listening, backlog=1_024)
            await site.start()
        except BaseException:
            listening.close()
            raise
        if port == 0:
            port = self.port = listening.getsockname()[1]
        self._sites[port] = site, listening

    async def _unlisten(self, port: int) -> None:
        """Listen no more, and cut what is connected there: it must not reach the next conversation."""
        site, _ = self._sites.pop(port)
        await site.stop()
        await asyncio.sleep(0)  # for connections that were accepted just now
        for connection in list(self._server.connections):
            transport = connection.transport
            if transport is not None and transport.get_extra_info("sockname")[1] == port:
                transport.abort()
        await asyncio.sleep(0)

    def forget(self) -> None:
        """Close the sockets that a forked process inherited; in the parent they go on listening."""
        for _, listening in self._sites.values():
            listening.close()

    def seat(self, port: int, model: ServedModel) -> None:
        """Listen at a second port, whose root address is this model's until `unseat`. Raises OSError."""
        self._seats[port] = model
        try:
            self._on_loop(self._listen(port))
        except BaseException:
            del self._seats[port]
            raise

    def unseat(self, port: int) -> None:
        """Stop listening at that port; does nothing once the server was stopped."""
        self._seats.pop(port, None)
        if self._thread is not None and self._thread.is_alive():
            self._on_loop(self._unlisten(port))

    def _on_loop(self, coroutine: Coroutine[Any, Any, None]) -> None:
        future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        try:
            future.result(STARTING)
        except TimeoutError:
            future.cancel()
            raise OSError("the stub server does not react") from None

    def _seat(self, port: int, id: str | None, may_make: bool) -> Seat:  # noqa: A002
        """Whose request it is: `id` is that of the path, None at a root address."""
        if id is None:
            fixed = port != self.port
            return Seat(self._seats.get(port) if fixed else self._root, fixed=fixed)
        model = self._models.get(id)
        if model is None and may_make and self._new_model is not None:
            with self._lock:
                model = self._made.get(id)
                if model is None:
                    model = self._made[id] = self._models[id] = self._new_model(id)
        return Seat(model, fixed=False)


class _Server(web.Server):
    """A server that closes connections without a whole request header for `idle` seconds.

    `keepalive_timeout` begins with the first request, in most versions of aiohttp.
    """

    def __init__(self, handler: Handler, *, idle: float, **options: Any) -> None:
        super().__init__(handler, keepalive_timeout=idle, **options)
        self._idle = idle
        self._unheard: dict[object, asyncio.TimerHandle] = {}

    def connection_made(self, handler: Any, transport: asyncio.Transport) -> None:
        super().connection_made(handler, transport)
        self._unheard[handler] = asyncio.get_running_loop().call_later(self._idle, transport.close)

    def has_asked(self, handler: object) -> None:
        """Note that a request came on a connection: from here on `keepalive_timeout` counts."""
        timer = self._unheard.pop(handler, None)
        if timer is not None:
            timer.cancel()

    def connection_lost(self, handler: Any, exc: BaseException | None = None) -> None:
        self.has_asked(handler)
        super().connection_lost(handler, exc)
