"""What the plugin costs a session that does not use it: 200 tests with it against -p no:grice.

Python calls are counted with sys.setprofile, so the ratio does not depend on the machine. The bar is 1.02,
and no third-party module may be loaded.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

TESTS = 200
BAR = 1.02

COUNT = """
import json, sys, threading

calls = 0

def count(frame, event, arg):
    global calls
    if event == "call":
        calls += 1

threading.setprofile(count)
sys.setprofile(count)
import pytest
code = pytest.main([*sys.argv[2:], "-q", "-p", "no:cacheprovider"])
sys.setprofile(None)
packages = sorted({name.partition(".")[0] for name in sys.modules})
json.dump({"calls": calls, "packages": packages, "code": int(code)}, open(sys.argv[1], "w"))
"""

# Ordinary plugins of this environment are left out, so that the smallest session is the denominator.
PLUGINS = ("randomly", "xdist", "asyncio", "timeout", "hypothesispytest", "anyio", "sybil")


def measured(folder: Path, *args: str) -> dict[str, object]:
    """The calls and packages of one session in a fresh interpreter; it runs twice, first for its caches."""
    out = folder / "out.txt"
    without = [arg for name in PLUGINS for arg in ("-p", f"no:{name}")]
    command = [sys.executable, "-c", COUNT, str(out), *without, *args]
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder.parent / "cache")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    for _ in range(2):
        subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)
    found: dict[str, object] = json.loads(out.read_text())
    assert found["code"] == 0
    return found


def main() -> int:
    """Print both counts, the ratio and the packages; the exit code says whether the bar holds."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "project")
        folder.mkdir()
        tests = "\n".join(f"def test_{number}(): pass" for number in range(TESTS))
        (folder / "test_unrelated.py").write_text(tests + "\n")
        (folder / "data.json").write_text("{}\n")
        bare, loaded = measured(folder, "-p", "no:grice"), measured(folder)
    assert isinstance(bare["calls"], int)
    assert isinstance(loaded["calls"], int)
    ratio = loaded["calls"] / bare["calls"]
    more = set(loaded["packages"]) - set(bare["packages"]) - {"grice"}  # type: ignore[call-overload]
    third_party = sorted(more - set(sys.stdlib_module_names))
    print(f"Python calls of an unrelated session of {TESTS} tests")
    print(f"  without Grice {bare['calls']:>9,}")
    print(f"  with Grice    {loaded['calls']:>9,}   {ratio:.4f} times (bar {BAR})")
    print(f"  third-party packages loaded by it: {', '.join(third_party) or 'none'}")
    return 0 if ratio <= BAR and not third_party else 1


if __name__ == "__main__":
    sys.exit(main())
