"""The same tests on SQLite and, where they are slow ones, on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from postgres import cluster, missing
from sqlalchemy import Engine

from grice.store.database import open_database
from grice.store.migrating import upgrade


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--postgres", action="store_true", help="Fail where PostgreSQL is not there.")


@pytest.fixture(scope="session")
def server(request: pytest.FixtureRequest) -> Iterator[str]:
    """A cluster for all tests."""
    if why := missing():
        if request.config.getoption("--postgres", default=False):
            pytest.fail(why)
        pytest.skip(why)
    with cluster() as url:
        yield url


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of an empty database."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/grice.db"
        return
    meant = request.getfixturevalue("server")
    yield meant
    engine = open_database(meant)
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP SCHEMA public CASCADE")
        connection.exec_driver_sql("CREATE SCHEMA public")
    engine.dispose()


@pytest.fixture
def empty(url: str) -> Iterator[Engine]:
    """An empty database."""
    engine = open_database(url)
    yield engine
    engine.dispose()


@pytest.fixture
def engine(empty: Engine) -> Engine:
    """A database with the tables of this Grice."""
    upgrade(empty)
    return empty
