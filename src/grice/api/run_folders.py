"""The folder of a run, by the id in a request."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from grice.api.errors import ApiError

if TYPE_CHECKING:
    from grice.api.service import Service


_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,199}")


def is_folder_name(run_id: str) -> bool:
    """Whether the text can be the name of a folder, and leads out of none."""
    return _NAME.fullmatch(run_id) is not None


def run_folder(service: Service, run_id: str) -> Path:
    """The folder with the journal of the run. Raises ApiError for what is no id, and where there is none."""
    folder = service.runs / run_id
    if not is_folder_name(run_id) or not folder.is_dir():
        raise ApiError(404, f"there is no run {run_id[:100]!r} here")
    return folder
