"""Tables of PromptKitchen's server are brought up to date with their rows, and an empty database gets all."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from baseline import baseline_rows, make_baseline
from sqlalchemy import Engine, inspect, text
from sqlalchemy.types import TypeEngine

from grice.store import migrating
from grice.store.database import open_database
from grice.store.errors import StoreError
from grice.store.migrating import check_version, head_version, upgrade, version_of
from grice.store.migrations.versions import r020_journals
from grice.store.suites import suites_of_project
from grice.store.tables import INDEXES, METADATA
from grice.store.tokens import Caller, Role, changes_of, hash_of, tokens_caller


def version(engine: Engine) -> str:
    with engine.connect() as connection:
        return version_of(connection)


def test_the_revisions_of_the_seed_come_first() -> None:
    revisions = [one.revision for one in reversed(list(migrating._scripts().walk_revisions()))]
    assert revisions[:2] == ["010_add_assertions_to_test_cases", "011_add_details_to_test_results"]
    assert revisions[-1] == head_version()


def test_an_empty_database_gets_every_table_and_index(engine: Engine) -> None:
    found = inspect(engine)
    for table in METADATA.sorted_tables:
        columns = {one["name"] for one in found.get_columns(table.name)}
        assert columns >= set(table.columns.keys()), table.name
    indexes = {one["name"] for table in METADATA.tables for one in found.get_indexes(table)}
    assert indexes >= {one.name for one in INDEXES}
    assert version(engine) == head_version()


def test_the_columns_in_code_have_the_types_of_the_revisions(engine: Engine) -> None:
    def kind(type_: TypeEngine[object]) -> str:
        same = {"TEXT": "VARCHAR", "FLOAT": "DOUBLE PRECISION", "REAL": "DOUBLE PRECISION"}
        written = type_.compile(engine.dialect)
        return same.get(written, written)

    found = inspect(engine)
    for table in METADATA.sorted_tables:
        kinds = {one["name"]: kind(one["type"]) for one in found.get_columns(table.name)}
        for column in table.columns:
            assert kind(column.type) == kinds[column.name], f"{table.name}.{column.name}"


def test_a_database_of_the_seed_keeps_its_rows(empty: Engine) -> None:
    make_baseline(empty)
    before = baseline_rows(empty)
    assert upgrade(empty) == ("", head_version())
    assert baseline_rows(empty) == before
    with empty.connect() as connection:
        added = connection.execute(text("SELECT assertions, should_trim_whitespace FROM test_cases")).all()
        details = connection.execute(text("SELECT details, outcome FROM test_results")).all()
    assert added == [(None, None)] * 2
    assert details == [(None, None)] * 2


def test_a_server_that_went_on_has_some_of_the_columns(empty: Engine) -> None:
    make_baseline(empty)
    with empty.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE test_cases ADD COLUMN assertions TEXT")
        connection.exec_driver_sql("UPDATE test_cases SET assertions = '[]' WHERE id = 'text'")
    upgrade(empty)
    with empty.connect() as connection:
        found = connection.execute(text("SELECT assertions FROM test_cases ORDER BY id")).scalars().all()
    assert found == [None, "[]"]


def test_an_upgrade_that_ends_in_the_middle_leaves_the_version_before(
    empty: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_baseline(empty)
    before = baseline_rows(empty)

    def breaks(moment: object) -> None:
        raise KeyboardInterrupt

    scripts = migrating._scripts()
    monkeypatch.setattr(migrating, "_scripts", lambda: scripts)
    broken = scripts.get_revision(r020_journals.revision)
    assert broken is not None
    monkeypatch.setattr(broken.module, "_make_conversation_tables", breaks)
    with pytest.raises(KeyboardInterrupt):
        upgrade(empty)
    assert version(empty) == ""
    assert "assertions" not in {one["name"] for one in inspect(empty).get_columns("test_cases")}
    assert baseline_rows(empty) == before
    monkeypatch.undo()
    assert upgrade(empty) == ("", head_version())


def test_four_at_once_end_well(url: str, empty: Engine) -> None:
    def one(_: int) -> tuple[str, str]:
        engine = open_database(url)
        try:
            return upgrade(engine)
        finally:
            engine.dispose()

    with ThreadPoolExecutor(4) as pool:
        found = sorted(pool.map(one, range(4)))
    assert found == [("", head_version()), *[(head_version(), head_version())] * 3]


def test_tables_of_a_newer_grice_are_refused(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '999_later'")
    with pytest.raises(StoreError, match="999_later is newer than this Grice knows: update Grice"):
        check_version(engine)
    with pytest.raises(StoreError, match="update Grice"):
        upgrade(engine)


def test_tables_that_are_behind_are_told_and_not_touched(empty: Engine) -> None:
    make_baseline(empty)
    with pytest.raises(StoreError, match="has no tables of Grice: run `grice db upgrade`"):
        check_version(empty, make=True)
    assert version(empty) == ""


def test_an_empty_database_is_made_where_that_is_wanted(empty: Engine) -> None:
    check_version(empty, make=True)
    check_version(empty)
    assert version(empty) == head_version()


def test_suites_that_runs_made_before_are_told_from_those_of_people(
    empty: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_baseline(empty)
    scripts = migrating._scripts()
    to_head = scripts._upgrade_revs
    monkeypatch.setattr(migrating, "_scripts", lambda: scripts)
    monkeypatch.setattr(scripts, "_upgrade_revs", lambda _, now: to_head("020_journals", now))
    upgrade(empty)
    assert version(empty) == "020_journals"
    with empty.begin() as connection:
        for statement in (
            "INSERT INTO users (id, email) VALUES ('grice', 'grice@localhost')",
            "INSERT INTO projects (id, user_id, name) VALUES ('bot', 'grice', 'bot')",
            "INSERT INTO prompts (id, project_id, name, prompt) VALUES ('bot/agent', 'bot', 'agent', '')",
            "INSERT INTO test_suites VALUES ('bot/*', 'bot/agent', 'bot')",
            "INSERT INTO test_suites VALUES ('bot/x.py', 'bot/agent', 'x.py')",
            _CASE,
        ):
            connection.exec_driver_sql(statement)
    monkeypatch.undo()
    upgrade(empty)
    with empty.connect() as connection:
        found = connection.execute(
            text("SELECT id, project_id, source_file FROM test_suites ORDER BY id")
        ).all()
        assert found == [("bot/*", "bot", ""), ("bot/x.py", "bot", "x.py"), ("s1", "p1", None)]
        assert suites_of_project(connection, "bot") == []
        assert [one.name for one in suites_of_project(connection, "p1")] == ["Greetings"]


_CASE = """
INSERT INTO test_cases (id, test_suite_id, inputs, expected_output, source_file)
VALUES ('bot/1', 'bot/x.py', '{}', '', 'x.py')
"""


def test_a_token_stays_one_of_each_project_that_it_was_let_into(
    empty: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripts = migrating._scripts()
    with monkeypatch.context() as before:
        steps = scripts._upgrade_revs
        before.setattr(migrating, "head_version", lambda: "050_pages")
        before.setattr(migrating, "_scripts", lambda: scripts)
        before.setattr(scripts, "_upgrade_revs", lambda _, revision: steps("050_pages", revision))
        upgrade(empty)
    with empty.begin() as connection:
        connection.exec_driver_sql("INSERT INTO users (id, email, name) VALUES ('grice', '', 'Grice')")
        for project in ("bot", "shop"):
            add = "INSERT INTO projects (id, user_id, name, description) VALUES"
            connection.exec_driver_sql(f"{add} ('{project}', 'grice', '{project}', '')")
        made = "'2026-11-20 10:00:00+00'"
        connection.exec_driver_sql(
            f"INSERT INTO tokens (name, hash, role, made_at) VALUES ('ci', '{hash_of('x')}', 'run', {made})"
        )
        connection.exec_driver_sql(
            f"INSERT INTO changes (who, changed_at, what) VALUES ('ci', {made}, 'ran a suite')"
        )
    upgrade(empty)
    with empty.connect() as connection:
        for project in ("bot", "shop"):
            assert tokens_caller(connection, project, hash_of("x")) == Caller("ci", Role.RUN)
        assert tokens_caller(connection, "other", hash_of("x")) is None
        assert changes_of(connection, "bot") == []  # whose it is cannot be told
        assert connection.execute(text("SELECT who FROM changes")).scalars().all() == ["ci"]
