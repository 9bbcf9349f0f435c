"""What a test runner tells the rest of Grice. It imports nothing of it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

find: Callable[[], Any] | None = None
"""How to find the recorder of the test that runs now."""


def begin_session() -> None:
    """Let what is read of the environment once a session be read again."""
    limits = sys.modules.get("grice.matching.limits")
    if limits is not None:
        limits.read_limits_anew()
