"""Browser sessions: a random value in place of a token, which ends after hours or with the server.

A browser sends its cookies to every port of this machine. What another program there gets of this one is no
token, ends soon, and is worth nothing to the next server.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from typing import NamedTuple

from grice.store.tokens import hash_of

LIFE = 8 * 3600
"""Seconds for which somebody who opened the link is let in."""
_MOST = 1_000


class _Session(NamedTuple):
    token_hash: str
    ends: float


class Sessions:
    """The sessions of a server, by the hashes of their values. Safe for threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._known: dict[str, _Session] = {}

    def begin(self, token: str) -> str:
        """Begin a session for the holder of the token; its value, which is kept nowhere else."""
        value, now = secrets.token_urlsafe(32), self._clock()
        with self._lock:
            alive = [(key, one) for key, one in self._known.items() if one.ends > now]
            self._known = dict(alive[-(_MOST - 1) :])
            self._known[hash_of(value)] = _Session(hash_of(token), now + LIFE)
        return value

    def token_hash(self, value: str) -> str | None:
        """The hash of the token with which the session of that value was begun; None where it is none."""
        with self._lock:
            found = self._known.get(hash_of(value))
        return found.token_hash if found is not None and found.ends > self._clock() else None
