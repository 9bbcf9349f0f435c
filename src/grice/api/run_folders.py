"""The folder of a run, by the id that somebody asks with."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from grice.api.errors import ApiError
from grice.running.journal.experiment import is_experiment_id

if TYPE_CHECKING:
    from grice.api.service import Service

__all__ = ["run_folder"]


def run_folder(service: Service, run_id: str) -> Path:
    """The folder with the journal of the run. Raises ApiError for what is no id, and where there is none."""
    folder = service.runs / run_id
    if not is_experiment_id(run_id) or not folder.is_dir():
        raise ApiError(404, f"there is no run {run_id[:100]!r} here")
    return folder
