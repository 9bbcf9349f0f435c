"""Public names that load their module at first use."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any


def lazy_names(package: str, homes: Mapping[str, str]) -> tuple[Callable[[str], Any], list[str]]:
    """A module `__getattr__` that finds each name of `homes` in its module, and the names for `__all__`."""

    def find(name: str) -> Any:
        home = homes.get(name)
        if home is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        # Not kept here: pytester forgets modules between runs, and old and new objects must not be mixed.
        return getattr(importlib.import_module(home), name)

    return find, sorted(homes)
