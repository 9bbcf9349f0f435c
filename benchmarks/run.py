"""Run every benchmark of this folder, one after the other; the exit code says whether all bars hold."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def main() -> int:
    """Run the scripts in order of their names, all of them, and say of each whether its bars hold."""
    missed = 0
    for script in sorted(Path(__file__).parent.glob("*.py")):
        if script.name != Path(__file__).name:
            code = subprocess.run([sys.executable, str(script)], check=False).returncode
            print(f"{script.stem}: {'MISSED' if code else 'ok'}", flush=True)
            missed += code != 0
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
