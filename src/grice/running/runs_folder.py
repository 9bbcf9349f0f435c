"""Where a project keeps its runs."""

from __future__ import annotations

from pathlib import Path

from grice.files.settings import find_settings
from grice.running.journal.folders import RUNS


def runs_folder(given: Path | str | None = None) -> Path:
    """The folder that is given, else `store` in the settings of the project here, else its `.grice/runs`.

    Without a project it is `.grice/runs` in the current folder. A folder below the current one is relative to
    it. Raises SettingsError, and ValueError for an empty text.
    """
    if given is not None:
        if not str(given).strip():
            raise ValueError(f"expected a folder for runs, found {str(given)!r}")
        return Path(given)
    here = Path.cwd()
    settings = find_settings(here)
    if settings is None:
        return RUNS
    folder = settings.root / (settings.store if isinstance(settings.store, str) else RUNS)
    return folder.relative_to(here) if folder.is_relative_to(here) else folder
