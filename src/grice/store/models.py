"""The models that a project uses: those in its settings, and those that its last runs asked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import msgspec
from sqlalchemy import Connection, insert, select, update

from grice.running.journal.experiment import Experiment
from grice.store.columns import made_id
from grice.store.tables import models, run_heads, test_suite_runs

_LAST_RUNS = 50


class ModelRow(NamedTuple):
    """A model by its name, such as `openai:gpt-5`; `is_active` says whether it is used now."""

    id: str
    name: str
    is_active: bool


def models_in(connection: Connection) -> list[ModelRow]:
    """The models, by name."""
    query = select(models.c.id, models.c.name, models.c.is_active).order_by(models.c.name)
    return [ModelRow(id_, name, bool(active)) for id_, name, active in connection.execute(query)]


def refresh_models(connection: Connection, project: str, named: Iterable[str]) -> None:
    """Take in the models that are `named` and those of the last runs; they and no others are active."""
    found = {*named, *_models_of_runs(connection, project)}
    known = {one.name for one in models_in(connection)}
    new = [{"id": made_id(name), "name": name, "is_active": True} for name in sorted(found - known)]
    if new:
        connection.execute(insert(models), new)
    connection.execute(update(models).values(is_active=models.c.name.in_(sorted(found))))


def _models_of_runs(connection: Connection, project: str) -> set[str]:
    runs = test_suite_runs.c
    latest = (
        select(runs.id)
        .where(runs.project_id == project)
        .order_by(runs.run_at.desc(), runs.id)
        .limit(_LAST_RUNS)
    )
    decoder = msgspec.json.Decoder(Experiment)
    heads = connection.execute(select(run_heads.c.head).where(run_heads.c.run_id.in_(latest))).scalars()
    used = (model for head in heads for model in decoder.decode(head).models.values())
    return {":".join(filter(None, (one.provider, one.model))) for one in used if one.model}
