"""The version of a database's schema, and its upgrade to that of this Grice."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Engine, inspect

from grice.store.database import is_missing, let_read_while_written, locked, make_folder_of, shown
from grice.store.errors import StoreError
from grice.store.migrations import HEAD

if TYPE_CHECKING:
    from alembic.script import ScriptDirectory


_VERSIONS = "alembic_version"


def upgrade(engine: Engine) -> tuple[str, str]:
    """Bring the schema up to date; the versions before and after, "" for none.

    All revisions are one transaction: a process that ends within it leaves the version before. Of several
    that upgrade at once one does it, and the others find it done. Raises StoreError for the database of a
    newer Grice.
    """
    make_folder_of(engine)
    with locked(engine) as connection:
        before = _check_known(engine, version_of(connection))
        if before == head_version():
            return before, before
        from alembic.config import Config
        from alembic.runtime.environment import EnvironmentContext

        scripts = _scripts()
        environment = EnvironmentContext(
            Config(), scripts, fn=lambda revision, _: scripts._upgrade_revs("head", revision)
        )
        with environment:
            environment.configure(connection=connection, transactional_ddl=True)
            with environment.begin_transaction():
                environment.run_migrations()
    if engine.dialect.name == "sqlite":
        let_read_while_written(engine)
    return before, head_version()


def check_version(engine: Engine, *, make: bool = False) -> None:
    """Raise StoreError where the schema is not that of this Grice; with `make` an empty database gets it.

    Where no file is yet none is made by looking.
    """
    if is_missing(engine):
        if not make:
            raise StoreError(f"{shown(engine.url)}: is not there yet: run `grice db sync`")
        upgrade(engine)
        return
    with engine.connect() as connection:
        found = _check_known(engine, version_of(connection))
        is_empty = not found and not inspect(connection).has_table("test_cases")
    if found == head_version():
        return
    if is_empty and make:
        upgrade(engine)
        return
    what = "has no tables of Grice" if not found else f"has the tables of an earlier version ({found})"
    raise StoreError(f"{shown(engine.url)}: it {what}: run `grice db upgrade`")


def version_of(connection: Connection) -> str:
    """The revision that the database stands at, "" before any."""
    if not inspect(connection).has_table(_VERSIONS):
        return ""
    return str(connection.exec_driver_sql(f"SELECT version_num FROM {_VERSIONS}").scalar() or "")  # noqa: S608


def head_version() -> str:
    """The revision of this Grice."""
    return HEAD


def _check_known(engine: Engine, version: str) -> str:
    if version not in ("", HEAD) and version not in {one.revision for one in _scripts().walk_revisions()}:
        raise StoreError(
            f"{shown(engine.url)}: its version {version} is newer than this Grice knows: update Grice"
        )
    return version


def _scripts() -> ScriptDirectory:
    from alembic.script import ScriptDirectory

    return ScriptDirectory(str(files("grice.store") / "migrations"))
