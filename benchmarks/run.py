"""Run every benchmark of this folder, one after the other."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def main() -> None:
    """Run the scripts in order of their names; stop at the first that fails."""
    for script in sorted(Path(__file__).parent.glob("*.py")):
        if script.name != Path(__file__).name:
            subprocess.run([sys.executable, str(script)], check=True)


if __name__ == "__main__":
    main()
