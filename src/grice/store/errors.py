"""What is wrong with a database, and what it needs to be installed."""

from __future__ import annotations

from importlib.util import find_spec

__all__ = ["StoreError", "missing_extra"]


class StoreError(Exception):
    """A database cannot be used, or has not what is asked for; the message names it without its password."""

    __module__ = "grice"


def missing_extra(url: str = "") -> str:
    """What has to be installed before that database can be used, "" for nothing."""
    if find_spec("sqlalchemy") is None or find_spec("alembic") is None:
        return "grice db needs SQLAlchemy and Alembic: pip install 'grice[store]'"
    if url.startswith("postgresql") and find_spec("psycopg") is None:
        return "PostgreSQL needs psycopg: pip install 'grice[postgres]'"
    return ""
