"""The report of a run as a file of its own: `results/<id>.json`."""

from __future__ import annotations

import re
from pathlib import Path

from grice.files.writing import check_output
from grice.reporting.experiment.as_json import index_json
from grice.running.journal.reading import RunIndex, index_run
from grice.user_files import replacing

RESULTS = "results"


def results_folder(root: Path, setting: object) -> Path | None:
    """The folder that `results` in the settings names, below `root`; None where it asks for none."""
    if not setting:
        return None
    return root / (setting if isinstance(setting, str) else RESULTS)


def save_results(folder: Path, target: Path) -> Path:
    """Write `<target>/<id>.json` from the journal in `folder`; the file appears whole or not at all.

    Returns its path. Folders on the way are made; an earlier report of the run is replaced. Raises
    JournalError where the journal cannot be read, and OSError, in words that begin with the path, where the
    file cannot be written.
    """
    return save_index(index_run(folder), target)


def save_index(index: RunIndex, target: Path) -> Path:
    """As `save_results`, of a run that is indexed already."""
    id_ = index.experiment.id
    if not re.fullmatch(r"\w[\w.-]*", id_):
        raise OSError(f"{target}: {id_!r}, the id of the run, cannot be the name of a file")
    path = target / f"{id_}.json"
    try:
        check_output(path)
    except OSError as error:
        raise OSError(str(error) if error.strerror is None else f"{path}: {error.strerror}") from error
    text, _ = index_json(index)
    try:
        with replacing(path) as stream:
            stream.writelines(text)
    except OSError as error:
        raise OSError(f"{path}: cannot be written: {error.strerror or error}") from error
    return path
