"""What a run was: its identity, the state of the code, models, settings."""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import msgspec

from grice._version import __version__
from grice.files.folders import python_files
from grice.identity import redacted_arguments
from grice.records import JsonValue


class ModelUsed(msgspec.Struct, frozen=True, omit_defaults=True):
    """An LLM that Grice itself used: the name it has in the settings, its provider, the model."""

    name: str
    provider: str = ""
    model: str = ""


class GitState(msgspec.Struct, frozen=True):
    """The commit and branch of a working copy, and whether tracked files differ; None where it is not known.

    `branch` is None too where no branch is checked out. `code` is a digest of the changes to Python files, ""
    where there are none.
    """

    commit: str | None = None
    branch: str | None = None
    dirty: bool | None = None
    code: str = ""


_Count = Annotated[int, msgspec.Meta(ge=0, le=10**12)]
"""Of conversations: no run has so many."""


class Experiment(msgspec.Struct, frozen=True, omit_defaults=True):
    """One run, as the head of its journal has it.

    `timestamp` is when it began, UTC in ISO 8601 with milliseconds. The hashes begin with `sha256:` and are
    "" where nothing was given to hash. `models` and `prompts` (versions) go by what they were used for:
    judge, user, criterion and so on. `planned` is the number of conversations to hold, repeats included, None
    when it was not known beforehand; `finished_before` counts those that were finished when this head was
    written. `command` is the command line. `code_hash` covers what tracked Python files have other than the
    commit, without git all Python files of the project; "" where nothing differs. `criteria` has the
    fingerprints of each criterion by name, several where modules have their own, `graphs` and `users` those
    of topic graphs and played users by the name of the test or set, `user_hash` covers the played users, and
    `opaque` names what is code, which hashes know by its source only. `recorded` is whether a runner of one's
    own recorded it: such a run cannot be resumed.
    `prompt_files` has the fingerprints of the prompts that suites test, by their paths in the project.
    `topic_graph` is `{"topics": [names], "edges": [[from, to]]}`, the initial topic first.
    """

    id: str
    timestamp: str
    name: str = ""
    tags: tuple[str, ...] = ()
    git_commit: str | None = None
    git_branch: str | None = None
    git_dirty: bool | None = None
    config_hash: str = ""
    criteria_hash: str = ""
    topic_graph_hash: str = ""
    criteria: dict[str, tuple[str, ...]] = {}
    graphs: dict[str, tuple[str, ...]] = {}
    users: dict[str, tuple[str, ...]] = {}
    user_hash: str = ""
    opaque: tuple[str, ...] = ()
    grice_version: str = ""
    python_version: str = ""
    seed: int | None = None
    repeat: Annotated[int, msgspec.Meta(ge=1)] = 1
    concurrency: int | None = None
    agent: str = ""
    models: dict[str, ModelUsed] = {}
    prompts: dict[str, int] = {}
    planned: _Count | None = None
    finished_before: _Count = 0
    command: tuple[str, ...] = ()
    recorded: bool = False
    topic_graph: dict[str, JsonValue] = {}
    code_hash: str = ""
    prompt_files: dict[str, str] = {}


def new_experiment(
    *,
    name: str = "",
    tags: Sequence[str] = (),
    id: str = "",  # noqa: A002 - the field's name
    clock: Callable[[], datetime] | None = None,
    git: GitState | None = None,
    folder: Path | None = None,
    models: Mapping[str, ModelUsed] | None = None,
    prompts: Mapping[str, int] | None = None,
    command: Sequence[str] = (),
    **given: Any,
) -> Experiment:
    """The identity of a run that begins now, with the versions of Grice and Python and the state of git.

    `clock` gives the time, `git` the state of the code: without it git is asked, in `folder`, that of the
    project (else the current one). Secrets in `command` are taken out. `given` are further fields.
    """
    state = git_state(folder or Path.cwd()) if git is None else git
    return Experiment(
        id=id or new_experiment_id(),
        timestamp=_timestamp(clock() if clock is not None else datetime.now(UTC)),
        name=name,
        tags=tuple(tags),
        git_commit=state.commit,
        git_branch=state.branch,
        git_dirty=state.dirty,
        code_hash=state.code if state.commit is not None else _python_digest(folder or Path.cwd()),
        grice_version=__version__,
        python_version=sys.version.split()[0],
        models=dict(models or {}),
        prompts=dict(prompts or {}),
        command=redacted_arguments(command),
        **given,
    )


def new_experiment_id() -> str:
    """`exp_` and 12 random hex digits."""
    return f"exp_{os.urandom(6).hex()}"


def is_experiment_id(text: str) -> bool:
    """Whether the text is an id as `new_experiment_id` makes them."""
    return re.fullmatch(r"exp_[0-9a-f]{12}", text) is not None


def _timestamp(moment: datetime) -> str:
    """The moment in UTC, as in 2025-01-16T14:30:00.000Z; one without a zone is taken for UTC."""
    moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"


def git_state(folder: Path, *, timeout: float = 5.0) -> GitState:
    """What git says of the folder, asked for at most `timeout` seconds; of changed files once more.

    Of the files that git does not track those of Python are looked at. Every field is None where there is no
    git, no working copy, or no answer in time.
    """
    if not _may_be_working_copy(folder):
        return GitState()
    from subprocess import SubprocessError

    try:
        said = ask_git(folder, timeout, "status", "--porcelain=v2", "--branch", "--untracked-files=no")
        state = _read_status(said.decode("utf-8", "replace").splitlines())
        if state.commit is None:
            return state
        changes = b""
        if state.dirty:
            changes = ask_git(
                folder, timeout, "diff", "HEAD", "--no-ext-diff", "--no-color", "--", ".", *_WRITTEN
            )
        beside = ask_git(folder, timeout, "ls-files", "--others", "--exclude-standard", "-z", "--", "*.py")
    except (OSError, SubprocessError):
        return GitState()
    files = [folder / os.fsdecode(name) for name in beside.split(b"\0") if name][:_MOST_FILES]
    return msgspec.structs.replace(state, code=_digest(changes + _content(folder, files)))


_WRITTEN = tuple(
    f":(exclude,glob)**/{name}"
    for name in (".grice/**", "cassettes/**", "results/**", "baselines/**", "*.golden.*", "*.jsonl")
)
"""What runs write themselves; of scenarios and goldens each result has the fingerprint."""


def _may_be_working_copy(folder: Path) -> bool:
    """Whether git is worth being asked: it looks for `.git` upwards, unless the environment names one."""
    whole = folder.resolve()
    return "GIT_DIR" in os.environ or any((one / ".git").exists() for one in (whole, *whole.parents))


def ask_git(folder: Path, timeout: float, *command: str) -> bytes:
    """What git answers; it writes nothing. Raises OSError and SubprocessError."""
    import subprocess

    return subprocess.run(
        ["git", "-c", "core.fsmonitor=false", *command],
        cwd=folder,
        env={**os.environ, "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=timeout,
        check=True,
    ).stdout


def _python_digest(folder: Path) -> str:
    """A digest of the Python files below the folder, a thousand at most; "" where there are none."""
    return _digest(_content(folder, python_files(folder, _MOST_FILES)))


def _content(folder: Path, files: Sequence[Path]) -> bytes:
    """What tells the content of the files apart from another one."""
    parts: list[bytes] = []
    for file in files:
        with suppress(OSError):
            parts += [os.fsencode(file.relative_to(folder)), hashlib.sha256(file.read_bytes()).digest()]
    return b"\0".join(parts)


_MOST_FILES = 1_000


def _digest(changes: bytes) -> str:
    return f"sha256:{hashlib.sha256(changes).hexdigest()}" if changes else ""


def _read_status(lines: Sequence[str]) -> GitState:
    heads = dict(line[2:].split(" ", 1) for line in lines if line.startswith("# "))
    commit, branch = heads.get("branch.oid"), heads.get("branch.head")
    return GitState(
        commit=None if commit == "(initial)" else commit,
        branch=None if branch == "(detached)" else branch,
        dirty=any(not line.startswith("#") for line in lines),
    )
