"""The labelling tasks of the served project: files in its folder, criteria of its settings."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from grice.api.errors import ApiError
from grice.files.document import FileErrors
from grice.files.folders import files_below
from grice.files.settings_files import SettingsError
from grice.running.project_llms import ProjectLLMs
from grice.running.projects import Projects
from grice.scanning.kept_scan import KeptScan, grouped_findings
from grice.store.tokens import OWNER
from grice.user_files import real_path
from grice.validation.judges.items import Item
from grice.validation.labelling.labelling_questions import (
    QUESTION,
    LabellingQuestion,
    WrongQuestion,
    chosen_from,
    question_asked,
)
from grice.validation.labelling.task import (
    LabellingTask,
    check_labels_file,
    labelling_task,
    named_asked,
)

if TYPE_CHECKING:
    from grice.api.service import Service
    from grice.judging.criterion import Criterion
    from grice.store.tokens import Caller


_ENDINGS = (".jsonl", ".ndjson", ".csv", ".jsonl.gz")
_MOST = 200
_RIGHT_OR_WRONG = chosen_from(question_asked("Is the finding right?"), "right, wrong")


class TaskNamed(NamedTuple):
    """The parameters that name a labelling task in an address or body; see `grice label`."""

    items: str
    criterion: str = ""
    question: str = ""
    choices: str = ""
    out: str = "labels.jsonl"
    limit: int = 0
    seed: int = 0
    scale: bool = False


def find_task(service: Service, named: TaskNamed) -> LabellingTask:
    """Find the task. Raises ApiError for files outside of the project, and for a wrong task."""
    out = _inside(service.root, named.out, "out")
    if (scan := service.scans.find(named.items)) is not None:
        with refusals():
            check_labels_file(out)
        return _findings_task(scan, out)
    items = _inside(service.root, named.items, "items")
    with refusals():
        if not items.is_file():
            raise ApiError(404, f"there is no file {named.items!r}")
        told = items.stat()
        return _task(items, told.st_mtime_ns, told.st_size, _question_of(service, named), out, named)


def _findings_task(scan: KeptScan, out: Path) -> LabellingTask:
    """Whether the findings of a scan are right; those whose replies are the same are one item."""
    items = [
        Item(f"{scan.id}/{group.key}", first.conversation, group.key, first.finding.excerpt)
        for group in grouped_findings(scan)
        for first in group.findings[:1]
    ]
    return LabellingTask(tuple(items), _RIGHT_OR_WRONG, out)


@contextmanager
def refusals() -> Iterator[None]:
    """Turn what is wrong with a task, its files or an answer in this block into an ApiError."""
    try:
        yield
    except WrongQuestion as error:
        raise ApiError(422, str(error).replace("--", "")) from error
    except FileErrors as error:
        raise ApiError(422, _error_text(error)) from error
    except OSError as error:
        raise ApiError(422, f"labels cannot be written: {error}") from error


@lru_cache(maxsize=8)
def _task(
    items: Path, _changed: int, _size: int, asked: LabellingQuestion, out: Path, named: TaskNamed
) -> LabellingTask:
    """Made once as long as the items are the same."""
    return labelling_task([items], asked, out, limit=named.limit, seed=named.seed)


def rater_of(service: Service, caller: Caller, given: str) -> str:
    """The name of the rater: that of the token, or as whoever started the server says, or git's."""
    if caller.name != OWNER:
        return caller.name
    return given.strip() or _git_name(service.root) or OWNER


def criteria_of(service: Service) -> Mapping[str, Criterion]:
    """The criteria of the project. Raises ApiError for settings that cannot be used."""
    try:
        return _criteria(service.root)
    except SettingsError as error:
        raise ApiError(422, str(error)) from error


def item_files(service: Service) -> list[str]:
    """Files of the project that may hold items, as paths in it, the first ones."""
    found = (one for one in files_below(service.root) if one.name.lower().endswith(_ENDINGS))
    return [one for one, _ in zip(_relative(found, service.root), range(_MOST), strict=False)]


def _relative(files: Iterator[Path], root: Path) -> Iterator[str]:
    for one in files:
        yield one.relative_to(root).as_posix()


@lru_cache(maxsize=16)
def _criteria(root: Path) -> Mapping[str, Criterion]:
    """Imported once: a change of their module needs another server."""
    return ProjectLLMs(Projects(root)).criteria(root)


@lru_cache(maxsize=16)
def _git_name(root: Path) -> str:
    command = ["git", "-C", str(root), "config", "user.name"]
    with suppress(OSError, subprocess.SubprocessError):
        told = subprocess.run(command, capture_output=True, text=True, timeout=5, check=False)
        return told.stdout.strip()
    return ""


def _question_of(service: Service, named: TaskNamed) -> LabellingQuestion:
    if named.criterion:
        asked = named_asked(named.criterion, criteria_of(service))
    else:
        asked = question_asked(named.question or QUESTION)
    if named.choices:
        return chosen_from(asked, named.choices)
    return replace(asked, kind="score") if named.scale else asked


def _inside(root: Path, given: str, field: str) -> Path:
    """The file in the project. Raises ApiError for one outside of it, or in a folder that is Grice's."""
    try:
        path = root / given
        inside = real_path(path).relative_to(real_path(root))
    except (ValueError, OSError):
        raise ApiError(400, "the request is wrong", [(field, "expected a file in the project")]) from None
    if any(part.startswith(".") for part in inside.parts):
        raise ApiError(400, "the request is wrong", [(field, "expected a file that is not hidden")])
    return path


def _error_text(error: FileErrors) -> str:
    first, *more = error.errors
    return f"{first}{f', and {len(more)} more' if more else ''}"
