"""What one offline scripted test costs against a one-line pytest test: CPU of the whole process, in pairs.

The bar is 1.3 times, and no aiohttp, yaml, jsonpath or SQLAlchemy may be loaded.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

PAIRS = 20
BAR = 1.3
HEAVY = ("aiohttp", "yaml", "jsonpath", "sqlalchemy")

PLAIN = "def test_it():\n    assert True\n"

SCRIPTED = """
import pytest
from grice import expect


@pytest.fixture
def agent(scripted_model):
    scripted_model.script("Hello! Which day suits you?")
    return lambda text: scripted_model.transport({"messages": [{"role": "user", "content": text}]})[
        "content"
    ][0]["text"]


def test_it(conversation):
    expect(conversation.say("Hi, I need a room")).to_contain("Which day")
"""

LIST_HEAVY = f"import sys\ndef pytest_unconfigure(): print([m for m in {HEAVY!r} if m in sys.modules])\n"


def cpu(folder: Path, test: str) -> float:
    """Seconds of CPU of one session, with this plugin and no other."""
    environment = {
        **os.environ,
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTEST_PLUGINS": "grice.pytest_plugin",
        "PYTHONPYCACHEPREFIX": str(folder.parent / "cache"),
    }
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", test]
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL) as child:
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0
    return usage.ru_utime + usage.ru_stime


def heavy_modules(folder: Path) -> str:
    """Which of the heavy modules the scripted test loads."""
    (folder / "conftest.py").write_text(LIST_HEAVY)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_scripted.py"]
    shown = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    return shown.stdout.strip().splitlines()[-1]


def main() -> int:
    """Print the median ratio of the pairs; the exit code says whether the bar holds."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "project")
        folder.mkdir()
        (folder / "test_plain.py").write_text(PLAIN)
        (folder / "test_scripted.py").write_text(SCRIPTED)
        for test in ("test_plain.py", "test_scripted.py"):
            cpu(folder, test)  # fills the cache of compiled modules
        pairs = [(cpu(folder, "test_plain.py"), cpu(folder, "test_scripted.py")) for _ in range(PAIRS)]
        heavy = heavy_modules(folder)
    ratio = statistics.median(scripted / plain for plain, scripted in pairs)
    plain, scripted = (statistics.median(column) * 1000 for column in zip(*pairs, strict=True))
    print(f"CPU of one test, median of {PAIRS} pairs")
    print(f"  plain pytest   {plain:6.0f} ms")
    print(f"  scripted model {scripted:6.0f} ms   {ratio:.2f} times (bar {BAR})")
    print(f"  heavy modules loaded: {heavy}")
    return 0 if ratio <= BAR and heavy == "[]" else 1


if __name__ == "__main__":
    sys.exit(main())
