"""Run pytest with the arguments given, and print how many Python calls it took."""

import sys
import threading
from typing import Any

CALLS = 0


def count(frame: Any, event: str, arg: Any) -> None:
    global CALLS
    CALLS += event == "call"


threading.setprofile(count)
sys.setprofile(count)
import pytest  # noqa: E402

code = pytest.main([*sys.argv[1:], "-q", "-p", "no:cacheprovider"])
sys.setprofile(None)
print(f"{CALLS} calls")
sys.exit(code)
