"""Write `src/grice/__init__.pyi` from the rows of lazy names in `src/grice/__init__.py`."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "src" / "grice"


def main() -> None:
    rows = re.findall(r'        "(\w+)": "([\w.]+)",', (PACKAGE / "__init__.py").read_text())
    lines = [f"from {module} import {name} as {name}" for name, module in rows]
    lines.append("from grice._version import __version__ as __version__")
    stub = PACKAGE / "__init__.pyi"
    stub.write_text("\n".join(sorted(lines)) + "\n")
    for step in (["check", "--fix", "--select", "I", "-q"], ["format", "-q"]):
        subprocess.run([sys.executable, "-m", "ruff", *step, str(stub)], check=True)


if __name__ == "__main__":
    main()
