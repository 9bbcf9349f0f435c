"""The matchers of the project that is served, imported once."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from grice.running.projects import Projects


@lru_cache(maxsize=16)
def import_own_matchers(root: Path) -> None:
    """Import the matcher modules that the project's settings name: they are trusted code.

    Raises SettingsError, each time until the settings are right.
    """
    Projects(root).import_matchers(root)
