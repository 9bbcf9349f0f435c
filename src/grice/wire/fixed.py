"""A fixed model address, for agents that read theirs once, at start: one conversation at a time has it."""

from __future__ import annotations

import errno
import json
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from itertools import count

from grice.wire.errors import ScriptError
from grice.wire.scripted import ScriptedModel
from grice.wire.shared import shared_stub
from grice.wire.stub import HOST

__all__ = ["AddressTaken", "fixed_address"]

RETRY = 0.05
ATTEMPTS = 5

_lock = threading.Lock()
_holders: dict[int, int] = {}
"""The thread that holds each port."""


class AddressTaken(ScriptError):
    """The fixed model address cannot be had."""

    __module__ = "grice"


@contextmanager
def fixed_address(model: ScriptedModel, port: int, *, key: str = "", wait: float = 60.0) -> Iterator[str]:
    """The address `http://127.0.0.1:<port>`, at which `model` plays the model for the time being.

    `key` is accepted as an API key besides the stub's own and those in the environment. While another
    conversation has the address, in this process or in another one of Grice's (a worker of pytest-xdist), it
    waits up to `wait` seconds. Raises AddressTaken after that, and at once when this thread has the address
    already or another program listens there.
    """
    end = time.monotonic() + wait
    _take(port, end)
    try:
        stub = shared_stub()
        if key:
            stub.accept(key)
        for attempt in count():
            try:
                stub.seat(port, model)
                break
            except OSError as error:
                _refuse_unless_waiting(port, error, end, attempt)
                time.sleep(RETRY)
        try:
            yield f"http://{HOST}:{port}"
        finally:
            stub.unseat(port)
    finally:
        with _lock:
            _holders.pop(port, None)


def _take(port: int, end: float) -> None:
    """Be the one conversation of this process at the port."""
    me = threading.get_ident()
    while True:
        with _lock:
            holder = _holders.get(port)
            if holder is None:
                _holders[port] = me
                return
        if holder == me:
            raise AddressTaken(
                f"two conversations at once at the fixed model address (port {port}): a request there does "
                "not say whose it is; end the first one, or give each agent its own context.model_url"
            )
        if time.monotonic() >= end:
            raise AddressTaken(f"another conversation still has the fixed model address (port {port})")
        time.sleep(RETRY)


def _refuse_unless_waiting(port: int, error: OSError, end: float, attempt: int) -> None:
    """Raise AddressTaken, unless another process of Grice's has the port and there is time left.

    One that is about to leave may cut the connection, so that a few attempts tell nothing.
    """
    if error.errno != errno.EADDRINUSE:
        raise AddressTaken(f"the fixed model address (port {port}) cannot be had: {error}") from error
    if not _is_stub(port) and attempt >= ATTEMPTS:
        raise AddressTaken(
            f"the fixed model address (port {port}) is in use by another program: stop it, or set another "
            "model_port in [tool.grice]"
        ) from error
    if time.monotonic() >= end:
        raise AddressTaken(
            f"another run of Grice still has the fixed model address (port {port}); agents with a fixed "
            "address are driven one at a time"
        ) from error


def _is_stub(port: int) -> bool:
    """Whether a stub of Grice's answers at the port, or nobody any more."""
    connection = HTTPConnection(HOST, port, timeout=1)
    try:
        connection.request("GET", "/")
        said = json.loads(connection.getresponse().read(10_000))
        return isinstance(said, dict) and said.get("server") == "grice stub"
    except ConnectionRefusedError:
        return True  # it has left meanwhile
    except (OSError, HTTPException, ValueError):
        return False
    finally:
        connection.close()


def _forget_after_fork() -> None:
    global _lock
    _lock = threading.Lock()
    _holders.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_after_fork)
