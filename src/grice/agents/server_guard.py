"""The guard of a project's server: a process between Grice and the server that ends it.

`server_guard.py COMMAND...` starts the command in its own process group, and ends the whole group when its
standard input ends, so that nothing is left where Grice is killed. It imports nothing of Grice, as it has to
be there at once.
"""

import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress

GRACE = 3.0
"""Seconds that the server has to end by itself once it is told to."""


def run(command: list[str]) -> None:
    """Run the command until it ends, which ends this process with its exit code, or until the input ends."""
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    told = threading.Event()

    def end_with_child() -> None:
        code = child.wait()
        if not told.is_set():
            os._exit(code if code >= 0 else 128 - code)

    threading.Thread(target=end_with_child, daemon=True).start()
    while sys.stdin.buffer.read(4096):
        pass
    told.set()
    if sys.platform == "win32":
        child.kill()
        return
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.killpg(0, signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        child.wait(GRACE)
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    run(sys.argv[1:])
