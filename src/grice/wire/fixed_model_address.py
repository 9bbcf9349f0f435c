"""A fixed model address, for agents that read it once, at start: one conversation at a time uses it."""

from __future__ import annotations

import errno
import os
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from grice.loops.file_locks import locked, remove
from grice.wire.errors import ScriptError
from grice.wire.scripted import ScriptedModel
from grice.wire.shared_stub import environment_keys, shared_stub
from grice.wire.stub import HOST, StubServer

RETRY = 0.02
FORKED = 1.0

_lock = threading.Lock()
_holders: dict[int, int] = {}
"""The thread that holds each port."""


class AddressTaken(ScriptError):
    """The fixed model address cannot be used."""

    __module__ = "grice"


@contextmanager
def fixed_address(model: ScriptedModel, port: int, *, key: str = "", wait: float = 60.0) -> Iterator[str]:
    """Serve `model` at the address `http://127.0.0.1:<port>` for the duration of the block.

    `key` is accepted as an API key besides the stub's own and those in the environment. While another
    conversation has the address, in this process or in another one of Grice's (a worker of pytest-xdist), it
    waits up to `wait` seconds. Raises AddressTaken after that, and at once when this thread has the address
    already or another program listens there.
    """
    end, owner = time.monotonic() + wait, os.getpid()
    _take(port, end)
    try:
        with _locked_for_all(port, end):
            stub = shared_stub()
            _seat(stub, port, model)
            try:
                with stub.keys.taken(key, *environment_keys()):
                    yield f"http://{HOST}:{port}"
            finally:
                if os.getpid() == owner:
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


@contextmanager
def _locked_for_all(port: int, end: float) -> Iterator[None]:
    """Be the one process of this user at the port, by a lock on a file that ends with the process."""
    user = os.getuid() if hasattr(os, "getuid") else ""
    path = Path(tempfile.gettempdir()) / f"grice-model-port-{port}-{user}.lock"
    while (file := _locked(path)) is None:
        if time.monotonic() >= end:
            raise AddressTaken(
                f"another run of Grice still has the fixed model address (port {port}); agents with a "
                "fixed address are driven one at a time"
            )
        time.sleep(RETRY)
    owner = os.getpid()
    try:
        yield
    finally:
        if os.getpid() == owner:  # a forked child leaves what is its parent's
            remove(path, file)
        os.close(file)


def _locked(path: Path) -> int | None:
    """The locked file, None while another one has it. Raises AddressTaken where files cannot be locked."""
    try:
        return locked(path)
    except OSError as error:
        raise AddressTaken(
            f"the fixed model address cannot be locked: {path}: {error.strerror or error}; set TMPDIR to a "
            "folder of this machine that you may write to"
        ) from error


def _seat(stub: StubServer, port: int, model: ScriptedModel) -> None:
    """Listen at the port; a process that was forked just now may have it a moment longer."""
    end = time.monotonic() + FORKED
    while True:
        try:
            return stub.seat(port, model)
        except OSError as error:
            if error.errno != errno.EADDRINUSE or time.monotonic() >= end:
                raise AddressTaken(_why_not(port, error)) from error
        time.sleep(RETRY)


def _why_not(port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"the fixed model address (port {port}) is in use by another program (`grice stub`, say): stop "
            "it, or set another model_port in [tool.grice]"
        )
    return f"the fixed model address (port {port}) cannot be had: {error.strerror or error}"


def _forget_after_fork() -> None:
    global _lock
    _lock = threading.Lock()
    _holders.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_after_fork)
