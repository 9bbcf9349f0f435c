"""Makes the application importable, from whichever folder pytest is started."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec
import pytest

HERE = Path(__file__).parent

if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # The agent of these goldens stands in the pyproject.toml beside this file. Started from a folder further
    # up, pytest reads the settings there, so the goldens are told by name.
    for item in items:
        golden = getattr(item, "golden", None)
        if golden is not None and golden.agent is None and item.path.is_relative_to(HERE):
            item.golden = msgspec.structs.replace(golden, agent="wordpress_assistant.app:agent")  # type: ignore[attr-defined]
