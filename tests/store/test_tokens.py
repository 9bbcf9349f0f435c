"""Tokens, changes and models in the tables."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Engine

from grice.running.journal.experiment import ModelUsed
from grice.store.database import locked, read_only
from grice.store.models import models_in, refresh_models
from grice.store.syncing import sync_folder
from grice.store.tokens import (
    Caller,
    Role,
    TokenRow,
    add_change,
    add_token,
    changes_of,
    hash_of,
    revoke_token,
    token_rows,
    tokens_caller,
)
from journals import write_run

NOW = datetime(2026, 11, 20, 10, tzinfo=UTC)


def test_a_token_has_a_name_and_a_role(engine: Engine) -> None:
    with locked(engine) as connection:
        token = add_token(connection, "bot", "ci", Role.RUN, clock=lambda: NOW)
        other = add_token(connection, "bot", "ann", Role.READ, clock=lambda: NOW)
        assert token_rows(connection, "bot") == [
            TokenRow("ann", Role.READ, NOW),
            TokenRow("ci", Role.RUN, NOW),
        ]
        revoke_token(connection, "bot", "ann")
    with read_only(engine) as connection:
        assert tokens_caller(connection, "bot", hash_of(token)) == Caller("ci", Role.RUN)
        assert tokens_caller(connection, "bot", hash_of(other)) is None
        assert tokens_caller(connection, "bot", hash_of("\udcff")) is None
        assert tokens_caller(connection, "another", hash_of(token)) is None


def test_each_role_allows_what_those_before_it_allow() -> None:
    allowed = [[has.allows(needed) for needed in Role] for has in Role]
    assert allowed == [[True, False, False], [True, True, False], [True, True, True]]


def test_changes_are_listed_from_the_latest(engine: Engine) -> None:
    with locked(engine) as connection:
        for what in ("one", "two", "three"):
            add_change(connection, "bot", "ci", what, clock=lambda: NOW)
        add_change(connection, "another", "ci", "four", clock=lambda: NOW)
        first, second = changes_of(connection, "bot", limit=2)
        assert (first.what, second.what, first.who, first.changed_at) == ("three", "two", "ci", NOW)
        assert [one.what for one in changes_of(connection, "bot", before=second.number)] == ["one"]


def test_models_are_those_of_settings_and_runs(engine: Engine, tmp_path: Path) -> None:
    used = {"judge": ModelUsed("gpt", "openai", "gpt-x"), "user": ModelUsed("code")}
    write_run(tmp_path, "exp_1", "+", models=used)
    assert [one.problem for one in sync_folder(engine, tmp_path, "bot")] == [""]
    with locked(engine) as connection:
        refresh_models(connection, "bot", ["anthropic:claude-x"])
        assert [(one.name, one.is_active) for one in models_in(connection)] == [
            ("anthropic:claude-x", True),
            ("openai:gpt-x", True),
        ]
        refresh_models(connection, "bot", [])
        assert [(one.name, one.is_active) for one in models_in(connection)] == [
            ("anthropic:claude-x", False),
            ("openai:gpt-x", True),
        ]
