"""What is wrong with a database, and what it needs to be installed."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grice.typed import Problem


class StoreError(Exception):
    """A database cannot be used, or has not what is asked for; the message names it without its password."""

    __module__ = "grice"


class NoSuchRow(StoreError):
    """There is nothing of that id, name or version."""


class StandsInFile(StoreError):
    """It stands in a file, which is the truth: it is changed there."""


class RowProblems(StoreError):
    """What is given is not right: `problems` are all mistakes, each with its place in it."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = tuple(problems)


class SuiteProblems(RowProblems):
    """A suite or case is not right."""


class PromptProblems(RowProblems):
    """A prompt is not right."""


class CodeChanged(SuiteProblems):
    """What names code, an address or a file was to be changed by somebody who may not."""


class Outdated(StoreError):
    """Something was changed since it was read."""


class CannotWrite(StoreError):
    """A file cannot be written, as on a disk that is full; it is as it was."""


def missing_extra(url: str = "") -> str:
    """What has to be installed before that database can be used, "" for nothing."""
    if find_spec("sqlalchemy") is None or find_spec("alembic") is None:
        return "a database needs SQLAlchemy and Alembic: pip install 'grice[store]'"
    if url.startswith("postgresql") and find_spec("psycopg") is None:
        return "PostgreSQL needs psycopg: pip install 'grice[postgres]'"
    return ""
