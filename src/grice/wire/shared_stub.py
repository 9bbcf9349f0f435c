"""The one stub server that the scripted models of a process share; it starts at its first use."""

from __future__ import annotations

import atexit
import os
import threading

from grice.wire.stub import StubServer

_KEY_VARIABLES = ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GRICE_MODEL_KEY")

_lock = threading.Lock()
_stub: StubServer | None = None


def environment_keys() -> set[str]:
    """The API keys in the environment: the stub accepts them from an agent."""
    return {key for name in _KEY_VARIABLES if (key := os.environ.get(name))}


def shared_stub() -> StubServer:
    """The server, started at first use."""
    global _stub
    with _lock:
        if _stub is None:
            _stub = StubServer(keys=environment_keys()).start()
            atexit.register(close_stub)
        return _stub


def close_stub() -> None:
    """Stop the server, if it runs; the next use starts a new one."""
    global _stub
    atexit.unregister(close_stub)
    with _lock:
        stub, _stub = _stub, None
    if stub is not None:
        stub.stop()


def _forget_after_fork() -> None:
    global _stub, _lock
    if _stub is not None:
        _stub.forget()
    _stub = None
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_after_fork)
