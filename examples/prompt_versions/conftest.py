"""Makes the application importable from wherever pytest is started."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent

for folder in (HERE / "tests", HERE):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
