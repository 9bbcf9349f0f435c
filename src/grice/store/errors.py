"""The errors of the store, and the packages that a database needs."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grice.typed import Problem


class StoreError(Exception):
    """A database cannot be used, or lacks what is asked for; the message names it without its password."""

    __module__ = "grice"


class NoSuchRow(StoreError):
    """There is nothing of that id, name or version."""


class StandsInFile(StoreError):
    """The suite or prompt stands in a file: change it there."""


class RowProblems(StoreError):
    """A suite, case or prompt is wrong: `problems` has every mistake with its place."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = tuple(problems)


class SuiteProblems(RowProblems):
    """A suite or case is not right."""


class PromptProblems(RowProblems):
    """A prompt is not right."""


class CodeChanged(SuiteProblems):
    """Somebody without the right to it changed what names code, an address or a file."""


class Outdated(StoreError):
    """Something was changed since it was read."""


class CannotWrite(StoreError):
    """A file cannot be written, for example because the disk is full; it stays as it was."""


def missing_extra(url: str = "") -> str:
    """Name the extra to install before that database can be used; "" for none."""
    if find_spec("sqlalchemy") is None or find_spec("alembic") is None:
        return "a database needs SQLAlchemy and Alembic: pip install 'grice[store]'"
    if url.startswith("postgresql") and find_spec("psycopg") is None:
        return "PostgreSQL needs psycopg: pip install 'grice[postgres]'"
    return ""
