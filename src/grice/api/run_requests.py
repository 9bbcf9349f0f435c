"""The request of a run, kept beside its journal, and the command that carries it out.

A run that waits has nothing but its request; so a server that starts anew knows what still waits.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec

from grice.api.errors import ApiError
from grice.files.writing import make_folder
from grice.running.journal.experiment import is_experiment_id, new_experiment_id
from grice.user_files import replacing

if TYPE_CHECKING:
    from grice.api.service import Service

VERSION = 1

T = TypeVar("T", bound=msgspec.Struct)

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,199}")


class RunRequest(msgspec.Struct, frozen=True):
    """A requested run: its files (below the project's folder) and its options.

    `only` are ids of scenarios; without any the whole files are run. `resumes` counts how often the run was
    to go on. `agent` is asked in place of that of the project.
    """

    id: str
    suite: str
    files: tuple[str, ...]
    asked_at: str
    asked_by: str = ""
    only: tuple[str, ...] = ()
    name: str = ""
    tags: tuple[str, ...] = ()
    repeat: int = 1
    resumes: int = 0
    agent: str = ""
    version: int = VERSION


class RunEnding(msgspec.Struct, frozen=True):
    """How the process of a run ended: its exit code, whether it was cancelled, and its stderr."""

    code: int | None = None
    cancelled: bool = False
    error: str = ""
    version: int = VERSION


class RunProcess(msgspec.Struct, frozen=True):
    """The process of a run; it leads a session of its own."""

    pid: int
    version: int = VERSION


_FILES: dict[type[msgspec.Struct], str] = {
    RunRequest: "request.json",
    RunProcess: "process.json",
    RunEnding: "ending.json",
}
"""What is kept in the folder of a run, in the order in which it comes to be."""


def new_request(suite: str, files: tuple[str, ...], **given: object) -> RunRequest:
    """Make a request with an id of its own."""
    fields = {"id": new_experiment_id(), "asked_at": datetime.now(UTC).isoformat(), **given}
    return RunRequest(suite=suite, files=files, **fields)  # type: ignore[arg-type]


def keep(folder: Path, what: RunRequest | RunProcess | RunEnding) -> None:
    """Write the request into the folder of its run; files from a later stage of the run are removed.

    Raises OSError.
    """
    make_folder(folder)
    kinds = list(_FILES)
    for later in kinds[kinds.index(type(what)) + 1 :]:
        (folder / _FILES[later]).unlink(missing_ok=True)
    with replacing(folder / _FILES[type(what)]) as stream:
        stream.write(msgspec.json.encode(what))


def request_of(folder: Path) -> RunRequest | None:
    """Read the request of a run; None for a run that was not requested here."""
    found = _read(folder, RunRequest)
    return found if found is not None and found.id == folder.name else None


def process_of(folder: Path) -> RunProcess | None:
    """Read the last process of a run; None where there was none."""
    return _read(folder, RunProcess)


def ending_of(folder: Path) -> RunEnding | None:
    """Read how the process of the run ended; None while it runs, and where its server ended first."""
    return _read(folder, RunEnding)


def _read(folder: Path, kind: type[T]) -> T | None:
    with suppress(OSError, msgspec.MsgspecError, UnicodeError):
        return msgspec.json.decode((folder / _FILES[kind]).read_bytes(), type=kind)
    return None


def requests_in(runs: Path) -> Iterator[RunRequest]:
    """The requests in a folder of runs, the earliest first."""
    try:
        folders = [one for one in runs.iterdir() if is_experiment_id(one.name)]
    except OSError:  # nothing was run yet
        return
    yield from sorted(filter(None, map(request_of, folders)), key=lambda one: (one.asked_at, one.id))


def command_of(request: RunRequest, runs: Path) -> list[str]:
    """The command line of the run, for the project's folder.

    Every value stands behind `=` or behind `--`, so that none is taken for an option.
    """
    which = f"--resume={request.id}" if request.resumes else f"--run-id={request.id}"
    options = [which, f"--runs={runs}", f"--repeat={request.repeat}"]
    options += [f"--agent={request.agent}"] if request.agent else []
    options += [f"--name={request.name}"] if request.name else []
    options += [f"--tag={tag}" for tag in request.tags]
    paths = [f"{file}::{one}" for file in request.files for one in request.only] or list(request.files)
    return [sys.executable, "-c", _PROGRAM, "run", *options, "--", *paths]


_PROGRAM = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from grice.cli import main; main()"
)
"""`grice`, which Ctrl-C ends: a server in the background of a script ignores it, and so would its runs."""


def is_folder_name(run_id: str) -> bool:
    """Whether the text can be the name of a folder, and leads out of none."""
    return _NAME.fullmatch(run_id) is not None


def run_folder(service: Service, run_id: str) -> Path:
    """The folder with the journal of the run. Raises ApiError for what is no id, and where there is none."""
    folder = service.runs / run_id
    if not is_folder_name(run_id) or not folder.is_dir():
        raise ApiError(404, f"there is no run {run_id[:100]!r} here")
    return folder
