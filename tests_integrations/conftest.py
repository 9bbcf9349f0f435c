"""No network beyond this machine, no telemetry; programs in JavaScript run beside their packages."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
JAVASCRIPT = HERE.parent / "build" / "javascript"
LOOPBACK = ("127.0.0.1", "::1", "localhost")

os.environ |= {"OPENAI_AGENTS_DISABLE_TRACING": "1", "LANGSMITH_TRACING": "false", "DO_NOT_TRACK": "1"}


def _only_loopback(event, args):
    if event == "socket.connect" and isinstance(args[1], tuple) and args[1][0] not in LOOPBACK:
        raise AssertionError(f"the integrations ask nobody outside this machine, found {args[1]}")


sys.addaudithook(_only_loopback)


@pytest.fixture(scope="session")
def node():
    """Runs a program of the folder javascript with a JSON value as its input and returns its output."""
    for program in (HERE / "javascript").glob("*.mjs"):
        shutil.copy(program, JAVASCRIPT)

    def run(program, context, value):
        done = subprocess.run(
            ["node", program],
            cwd=JAVASCRIPT,
            env={"PATH": os.environ["PATH"], "MODEL_URL": context.model_url, "MODEL_KEY": context.model_key},
            input=json.dumps(value),
            capture_output=True,
            text=True,
            timeout=30,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run
