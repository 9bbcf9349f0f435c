"""Named baselines: an experiment in numbers, in one file that is committed with the code.

A file holds what comparison and gates need, and no transcripts: it stays when the run is deleted.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import msgspec

from grice.experiments.attempts import Attempt
from grice.experiments.ranges import MOST_CHECKS, Count
from grice.experiments.results import ExperimentResults
from grice.experiments.unfinished import why_not_finished
from grice.files.settings import find_settings
from grice.identity import redact_text
from grice.identity.redacted_json import redacted_json
from grice.running.journal.experiment import Experiment
from grice.running.journal.folders import LATEST, moment_of
from grice.running.journal.form import JournalError
from grice.text import shorten, value_text
from grice.user_files import open_file, replacing

BASELINES = "baselines"
KIND = "grice.baseline"
VERSION = 1
SUFFIX = ".baseline.json"
LARGEST = 512 * 1024 * 1024
"""Bytes of a file that is read; 5,000 scenarios take some 5 million."""

_MAX_WHY = 300


class Baseline(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a file holds. `accepted` is when it was saved, UTC in ISO 8601; the rest is as in the results.

    `held` is how many attempts there are: one that a merge lost is missed. `digest` is that of everything
    else, so that an edit by hand is seen.
    """

    version: int
    kind: str
    name: str
    accepted: str
    held: Count
    digest: str
    heads: Annotated[tuple[Experiment, ...], msgspec.Meta(min_length=1)]
    attempts: tuple[Attempt, ...]
    notes: tuple[str, ...] = ()
    damaged: Count = 0
    done: Count | None = None
    unfinished: tuple[str, ...] = ()


class _EditedError(JournalError):
    """A baseline that does not say what was kept."""


class _Beginning(msgspec.Struct, frozen=True):
    version: int | None = None
    kind: str = ""


def baselines_folder(start: Path | None = None) -> Path:
    """Where the project around `start`, else the current folder, keeps baselines. Raises SettingsError."""
    start = (start or Path.cwd()).resolve()
    settings = find_settings(start)
    return start / BASELINES if settings is None else settings.root / settings.baselines


def baseline_path(name: str, folder: Path) -> Path:
    """The file of the baseline. Raises JournalError for what is no name."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}", name):
        rule = "letters, digits, _ . - only, the first a letter or digit"
        raise JournalError(f"{value_text(name)}: a baseline's name has {rule}")
    if means_a_run(name):
        raise JournalError(f"{value_text(name)}: that means a run: give the baseline another name")
    return folder / f"{name}{SUFFIX}"


def means_a_run(name: str) -> bool:
    """Whether the name is one that runs have: `latest`, an id or what may be the beginning of one, a date."""
    is_id = re.fullmatch(r"exp_.*|[0-9]+|[0-9a-f]{12}", name.lower())
    return name.lower() == LATEST or bool(is_id) or moment_of(name, datetime.now(UTC)) is not None


def known_baselines(folder: Path) -> dict[str, Path]:
    """The files of named baselines in the folder, by name."""
    if not folder.is_dir():
        return {}
    return {path.name.removesuffix(SUFFIX): path for path in sorted(folder.glob(f"*{SUFFIX}"))}


def folder_problem(folder: Path) -> str:
    """Why no baselines can be in the folder, "" where they can."""
    is_file = folder.exists() and not folder.is_dir()
    return f"{folder}: expected a folder of baselines, found a file" if is_file else ""


def save_baseline(
    name: str,
    results: ExperimentResults,
    folder: Path,
    *,
    accept: bool = False,
    clock: Callable[[], datetime] | None = None,
) -> Path:
    """Write the experiment as the named baseline; the file appears whole or not at all.

    One that is there is replaced only with `accept`; an experiment that is not finished, or in which nothing
    counts, is taken only so. Raises JournalError, and OSError where the file cannot be written.
    """
    path = baseline_path(name, folder)
    if problem := folder_problem(folder):
        raise JournalError(problem)
    if path.exists():
        if not accept:
            raise JournalError(f"{path}: there is a baseline {name} already; --accept replaces it")
        load_replaced(path)  # what is no baseline is not written over; an edited one is
    if not accept:
        _refuse_unfinished(results)
    baseline = Baseline(
        VERSION,
        KIND,
        name,
        f"{(clock() if clock is not None else datetime.now(UTC)).astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}",
        len(results.attempts),
        "",
        results.heads,
        (),
        results.notes,
        results.damaged,
        results.done,
        results.unfinished,
    )
    folder.mkdir(parents=True, exist_ok=True)
    with replacing(path) as stream:
        stream.write(_encoded(baseline, results.attempts))
    return path


def _refuse_unfinished(results: ExperimentResults) -> None:
    reasons = why_not_finished(results)
    if reasons:
        raise JournalError(
            f"{results.id}: it is not all that was to be measured: {'; '.join(reasons)}; "
            "finish the run, or take it as it is with --accept"
        )


def _encoded(baseline: Baseline, attempts: tuple[Attempt, ...]) -> bytes:
    """One line an attempt, so that a change is a change of lines; secrets are redacted as in journals.

    Of attempts only texts are: a criterion may be called "password", and its points are no secret.
    """
    plain = msgspec.to_builtins(baseline)
    del plain["attempts"]
    head: dict[str, Any] = msgspec.json.decode(redacted_json(msgspec.json.encode(plain)))
    lines = b",\n".join(msgspec.json.encode(_kept(one)) for one in attempts)
    head["digest"] = _digest({**head, "attempts": msgspec.json.decode(b"[" + lines + b"]")})
    return msgspec.json.encode(head).removesuffix(b"}") + b',"attempts":[\n' + lines + b"\n]}\n"


def _digest(said: dict[str, Any]) -> str:
    """The sha256 of what a file says but for its digest, whatever its white space and order of fields."""
    rest = {name: value for name, value in said.items() if name != "digest"}
    return f"sha256:{hashlib.sha256(msgspec.json.encode(rest, order='sorted')).hexdigest()}"


def _kept(attempt: Attempt) -> Attempt:
    """Without secrets, and without what only reports show."""
    why, name = shorten(redact_text(attempt.why), _MAX_WHY), redact_text(attempt.name)
    return msgspec.structs.replace(attempt, why=why, name=name, by_judges=(), followed=None)


def load_baseline(path: Path) -> ExperimentResults:
    """The experiment that the file holds. Raises JournalError, which begins with the path."""
    return results_of(read_baseline_file(path), path)


def load_replaced(path: Path) -> ExperimentResults | None:
    """The experiment of a file that a new baseline is to replace, None where it was edited since.

    The JournalError for what is no baseline says what to do next.
    """
    try:
        return load_baseline(path)
    except _EditedError:
        return None
    except JournalError as error:
        raise JournalError(f"{error}; remove the file to keep a new baseline there") from error


def results_of(baseline: Baseline, path: Path) -> ExperimentResults:
    """The experiment of a baseline that was read from the path."""
    return ExperimentResults(
        baseline.heads,
        baseline.attempts,
        baseline.notes,
        baseline.damaged,
        baseline.done,
        baseline.unfinished,
        str(path),
    )


def read_baseline_file(path: Path) -> Baseline:
    """What the file holds. Raises JournalError as `load_baseline` does."""
    try:
        with open_file(path) as stream:
            size = os.fstat(stream.fileno()).st_size
            if size > LARGEST:
                raise JournalError(f"{path}: it has {size} bytes, more than a baseline has ({LARGEST})")
            data = stream.read()
    except OSError as error:
        raise JournalError(f"{path}: cannot be read: {error.strerror or error}") from error
    try:
        begins = msgspec.json.decode(data, type=_Beginning)
        if begins.kind != KIND or begins.version is None:
            raise JournalError(f"{path}: not a baseline of Grice: `grice baseline NAME` writes one")
        if begins.version < 1:
            raise JournalError(f"{path}: version: expected a number from 1 on, found {begins.version}")
        if begins.version > VERSION:
            raise JournalError(
                f"{path}: version {begins.version} is newer than this Grice reads ({VERSION}); update Grice"
            )
        baseline = msgspec.json.decode(data, type=Baseline)
        digest = _digest(msgspec.json.decode(data))
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise JournalError(f"{path}: not a baseline of Grice: {error}") from error
    found = len(baseline.attempts)
    if found != baseline.held:  # a merge of two versions of the file may lose lines of either
        raise JournalError(
            f"{path}: attempts: expected {baseline.held:,}, the number in its field held, found {found:,}: "
            "lines were lost or added, perhaps in a merge; keep the baseline again"
        )
    if digest != baseline.digest:
        raise _EditedError(
            f"{path}: was edited or merged since it was kept; keep the baseline again: "
            "`grice baseline NAME RUN --accept` replaces the file"
        )
    checks = sum(tally.times for one in baseline.attempts for tally in (*one.checks, *one.conduct))
    if checks > MOST_CHECKS:
        raise JournalError(f"{path}: attempts: expected at most {MOST_CHECKS:,} checks, found {checks:,}")
    return baseline
