"""Databases by their URL, and the connections to them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, Table, create_engine, event, make_url
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError

from grice.files.writing import make_folder
from grice.store.errors import StoreError, missing_extra

DEFAULT = "sqlite:///.grice/grice.db"
_WAIT = 60
"""Seconds for which a process waits for others that write."""
_LOCK = 0x67726963
"""The number of the lock of PostgreSQL that whoever writes a projection has."""
_READS = "grice_reads"
_DRIVERS = {
    "sqlite": "sqlite",
    "postgresql": "postgresql+psycopg",
    "postgresql+psycopg": "postgresql+psycopg",
    "postgres": "postgresql+psycopg",
}
"""The driver for each beginning of a URL; services that rent databases out write `postgres`."""


def open_database(url: str, root: Path | None = None) -> Engine:
    """Open the database of that URL; a file of SQLite is relative to `root`.

    Raises StoreError for what is no URL of SQLite or PostgreSQL, and where a library is missing.
    """
    meant = _parsed_url(url)
    if missing := missing_extra(meant.drivername):
        raise StoreError(missing)
    if meant.get_backend_name() != "sqlite":
        return create_engine(meant, pool_pre_ping=True)
    if meant.database and meant.database != ":memory:":
        meant = meant.set(database=str((root or Path()) / meant.database))
    engine = create_engine(meant, connect_args={"timeout": _WAIT})
    event.listen(engine, "connect", _set_up)
    event.listen(engine, "begin", _begin)
    return engine


def is_missing(engine: Engine) -> bool:
    """Whether the database is a file that does not exist; SQLite would make it on the first look."""
    file = _file_of(engine)
    return file is not None and not file.exists()


def make_folder_of(engine: Engine) -> None:
    """Make the folder for a file of SQLite."""
    if (file := _file_of(engine)) is not None:
        with suppress(OSError):  # SQLite says that it cannot be opened
            make_folder(file.parent)


def _file_of(engine: Engine) -> Path | None:
    file = engine.url.database
    in_file = engine.url.get_backend_name() == "sqlite" and file not in (None, "", ":memory:")
    return Path(str(file)) if in_file else None


def _parsed_url(url: str) -> URL:
    wanted = f"such as {DEFAULT} or postgresql://user@host/name"
    try:
        meant = make_url(url)
    except (ArgumentError, ValueError) as error:  # its text is not told: it may hold a password
        raise StoreError(f"database: expected a URL {wanted}") from error
    if meant.drivername not in _DRIVERS:
        raise StoreError(f"{shown(meant)}: expected SQLite or PostgreSQL, {wanted}")
    return meant.set(drivername=_DRIVERS[meant.drivername])


def shown(url: URL) -> str:
    """The URL without its password."""
    return url.render_as_string(hide_password=True)


def _set_up(connection: Any, _: object) -> None:
    connection.isolation_level = None  # `_begin` begins transactions, those that change tables too
    for pragma in ("foreign_keys = ON", "synchronous = NORMAL"):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    reads = connection.get_execution_options().get(_READS)
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")


@contextmanager
def locked(engine: Engine) -> Iterator[Connection]:
    """Begin a transaction in which no other process writes a projection or the schema."""
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
        yield connection


def let_read_while_written(engine: Engine) -> None:
    """Let others read a file of SQLite while it is written (its write-ahead log); the file stays so."""
    raw = engine.raw_connection()
    try:
        with suppress(Exception):  # others are at it: one of them does it, and without it all works too
            raw.cursor().execute("PRAGMA journal_mode = WAL")
    finally:
        raw.close()


@contextmanager
def read_only(engine: Engine) -> Iterator[Connection]:
    """Begin a transaction that sees one state of the database and blocks no writer."""
    with engine.connect().execution_options(**{_READS: True}) as connection:
        yield connection


def insert_rows(connection: Connection, table: Table, rows: list[tuple[Any, ...]]) -> None:
    """Add rows with a value for each column, in their order; texts are such as the database takes.

    It does what `insert` does, at half the cost: a run has a million rows.
    """
    if rows:
        mark = "?" if connection.dialect.name == "sqlite" else "%s"
        columns = ", ".join(one.name for one in table.columns)
        marks = ", ".join([mark] * len(table.columns))
        connection.exec_driver_sql(f"INSERT INTO {table.name} ({columns}) VALUES ({marks})", rows)  # noqa: S608


def put_rows(connection: Connection, table: Table, rows: list[dict[str, Any]], *, keep: str = "") -> None:
    """Add the rows, or change those whose key is there; the column `keep` stays as it is in these."""
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    if rows:
        statement = dialect.insert(table)
        changed = {name: statement.excluded[name] for name in rows[0] if name not in ("id", keep)}
        connection.execute(statement.on_conflict_do_update(index_elements=["id"], set_=changed), rows)


def insert_new(connection: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    """Add the rows whose key is not there yet."""
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    if rows:
        connection.execute(dialect.insert(table).on_conflict_do_nothing(), rows)
