"""What a run was: its identity, the state of the code, models, settings."""

from __future__ import annotations

import os
import platform
import secrets
import subprocess
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import msgspec

from grice._version import __version__
from grice.identity import redacted_arguments
from grice.records import JsonValue

__all__ = ["Experiment", "GitState", "ModelUsed", "git_state", "new_experiment", "new_experiment_id"]


class ModelUsed(msgspec.Struct, frozen=True, omit_defaults=True):
    """An LLM that Grice itself used: the name it has in the settings, its provider, the model."""

    name: str
    provider: str = ""
    model: str = ""


class GitState(msgspec.Struct, frozen=True):
    """The commit and branch of a working copy, and whether tracked files differ; None where it is not known.

    `branch` is None too where no branch is checked out.
    """

    commit: str | None = None
    branch: str | None = None
    dirty: bool | None = None


_Count = Annotated[int, msgspec.Meta(ge=0, le=10**12)]
"""Of conversations: no run has so many."""


class Experiment(msgspec.Struct, frozen=True, omit_defaults=True):
    """One run, as the head of its journal has it.

    `timestamp` is when it began, UTC in ISO 8601 with milliseconds. The hashes begin with `sha256:` and are
    "" where nothing was given to hash. `models` and `prompts` (versions) go by what they were used for:
    judge, user, criterion and so on. `planned` is the number of conversations to hold, repeats included,
    None when it was not known beforehand; `finished_before` counts those that were finished when this head
    was written. `command` is the command line.
    `criteria` has the fingerprint of each criterion by name, `user_hash` covers the played users, and
    `opaque` names what is code, which hashes know by its source only.
    `recorded` is whether a runner of one's own recorded it: such a run cannot be resumed.
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
    criteria: dict[str, str] = {}
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

    `clock` gives the time, `git` the state of the code: without it git is asked once, in `folder` (else the
    current one). Secrets in `command` are taken out. `given` are further fields of Experiment.
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
        grice_version=__version__,
        python_version=platform.python_version(),
        models=dict(models or {}),
        prompts=dict(prompts or {}),
        command=redacted_arguments(command),
        **given,
    )


def new_experiment_id() -> str:
    """`exp_` and 12 random hex digits."""
    return f"exp_{secrets.token_hex(6)}"


def _timestamp(moment: datetime) -> str:
    """The moment in UTC, as in 2025-01-16T14:30:00.000Z; one without a zone is taken for UTC."""
    moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"


def git_state(folder: Path, *, timeout: float = 5.0) -> GitState:
    """What git says of the folder, asked once, for at most `timeout` seconds.

    Files that git does not track are not looked at. Every field is None where there is no git, no working
    copy, or no answer in time.
    """
    command = ["git", "-c", "core.fsmonitor=false", "status", "--porcelain=v2", "--branch"]
    try:
        done = subprocess.run(
            [*command, "--untracked-files=no"],
            cwd=folder,
            env={**os.environ, "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=timeout,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return GitState()
    return _read_status(done.stdout.decode("utf-8", "replace").splitlines())


def _read_status(lines: Sequence[str]) -> GitState:
    heads = dict(line[2:].split(" ", 1) for line in lines if line.startswith("# "))
    commit, branch = heads.get("branch.oid"), heads.get("branch.head")
    return GitState(
        commit=None if commit == "(initial)" else commit,
        branch=None if branch == "(detached)" else branch,
        dirty=any(not line.startswith("#") for line in lines),
    )
