"""The rows that a run belongs to: a project, its agent as a prompt, the suite of all that it runs."""

from __future__ import annotations

import tomllib
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Connection

from grice.matching.details import shortened
from grice.running.journal.experiment import Experiment
from grice.store.database import insert_new
from grice.store.result_rows import Owner, agent_prompt, name_in_index, suite_id
from grice.store.run_states import RunState, seed_status
from grice.store.tables import (
    projects,
    prompt_history,
    prompts,
    run_tags,
    test_suite_runs,
    test_suites,
    users,
)

_GRICE = "grice"
"""The user that owns projects which nobody made by hand."""
_LONGEST = 100


def project_name(root: Path) -> str:
    """The name of a project: from its pyproject.toml, else from its folder."""
    with suppress(OSError, tomllib.TOMLDecodeError, KeyError, TypeError):
        found = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["name"]
        if isinstance(found, str) and found.strip():
            return shortened(found, _LONGEST)
    return shortened(root.resolve().name or "project", _LONGEST)


def add_project(connection: Connection, project: str) -> None:
    """Add the row of the project, with those that its runs refer to, if it is new."""
    agent, suite = agent_prompt(project), suite_id(project)
    insert_new(connection, users, [{"id": _GRICE, "email": "grice@localhost", "name": "Grice"}])
    insert_new(connection, projects, [{"id": project, "user_id": _GRICE, "name": project, "description": ""}])
    prompt = {"id": agent, "name": "agent", "project_id": project, "prompt": "", "version": 1}
    insert_new(connection, prompts, [prompt])
    insert_new(connection, prompt_history, [{"id": agent, "prompt_id": agent, "prompt": "", "version": 1}])
    row = {"id": suite, "prompt_id": agent, "name": project, "project_id": project, "source_file": ""}
    insert_new(connection, test_suites, [row])


def add_run(connection: Connection, owner: Owner, head: Experiment) -> None:
    """Add the row of a run; its state is running until `settle`."""
    row = {
        "id": owner.run,
        "test_suite_id": suite_id(owner.project),
        "prompt_history_id": agent_prompt(owner.project),
        "run_at": moment_in(head.timestamp),
        "status": seed_status(RunState.RUNNING),
        "state": RunState.RUNNING.value,
        "pass_percentage": 0.0,
        "project_id": owner.project,
        "name": name_in_index(head.name),
        "agent": head.agent,
        "git_branch": None if head.git_branch is None else name_in_index(head.git_branch),
        "git_commit": head.git_commit,
        "selected": False,
    }
    insert_new(connection, test_suite_runs, [row])
    tags = sorted(set(map(name_in_index, head.tags)))
    insert_new(connection, run_tags, [{"run_id": owner.run, "tag": one} for one in tags])


def moment_in(timestamp: str) -> datetime:
    """Read the time in a head; a time long ago where it has none."""
    try:
        moment = datetime.fromisoformat(timestamp)
    except ValueError:
        return datetime(1970, 1, 1, tzinfo=UTC)
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
