"""An interrupted call leaves nothing pending: CPython 3.11 would hang under `sys.settrace` otherwise."""

from __future__ import annotations

import subprocess
import sys

import pytest

IN_A_THREAD = """
import threading, time
from grice.loops.deadline import DeadlineExceeded, call_within

def slow():
    try:
        time.sleep(0.3)
    except BaseException:
        pass

def run():
    try:
        call_within(0.05, slow)
    except DeadlineExceeded:
        print("stopped")

thread = threading.Thread(target=run)
thread.start()
thread.join()
"""

ON_THE_LOOP = """
import time
from grice.loops import background_loop
from grice.loops.deadline import DeadlineExceeded
background_loop.GRACE = 0.1

async def blocks():
    time.sleep(3)

try:
    background_loop.await_result(blocks(), 0.05)
except DeadlineExceeded:
    print("stopped")
"""

TRACED = """
import sys

def traced():
    return "traced"

sys.settrace(lambda *_: None)
print(traced())
sys.settrace(None)
"""


@pytest.mark.slow
@pytest.mark.parametrize("interrupted", [IN_A_THREAD, ON_THE_LOOP], ids=["thread", "loop"])
def test_a_tracer_works_after_a_call_was_interrupted(interrupted: str) -> None:
    code = interrupted + TRACED
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout.split() == ["stopped", "traced"]
