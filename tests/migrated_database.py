"""A SQLite database with the tables of this Grice, made once for all tests of a process."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import Engine

from grice.store.database import is_missing, make_folder_of, open_database
from grice.store.migrating import upgrade


def bring_tables(engine: Engine) -> None:
    """Give a database the tables; one of SQLite that is not there yet begins as a copy."""
    path = engine.url.database
    if engine.dialect.name == "sqlite" and path and is_missing(engine):
        make_folder_of(engine)
        Path(path).write_bytes(_migrated())
    upgrade(engine)


@cache
def _migrated() -> bytes:
    with TemporaryDirectory() as folder:
        engine = open_database(f"sqlite:///{folder}/grice.db")
        upgrade(engine)
        engine.dispose()
        return Path(folder, "grice.db").read_bytes()
