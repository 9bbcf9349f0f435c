"""The same tests on SQLite and, where they are slow ones, on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from postgres import cluster, missing
from sqlalchemy import Engine

from grice.store.database import open_database
from migrated_database import bring_tables


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


@pytest.fixture(scope="session")
def with_tables(server: str) -> str:
    """The name of a database in the cluster that has the tables, to be copied."""
    run(server, "CREATE DATABASE with_tables")
    engine = open_database(at(server, "with_tables"))
    bring_tables(engine)
    engine.dispose()
    return "with_tables"


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of an empty database; of PostgreSQL for `engine` one that has the tables."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/grice.db"
        return
    server = request.getfixturevalue("server")
    copied = request.getfixturevalue("with_tables") if "engine" in request.fixturenames else "template1"
    run(server, f"CREATE DATABASE test TEMPLATE {copied}")
    yield at(server, "test")
    run(server, "DROP DATABASE test WITH (FORCE)")


def at(server: str, database: str) -> str:
    """The URL of another database of the cluster."""
    return server.replace("/postgres?", f"/{database}?")


def run(server: str, statement: str) -> None:
    """Run what goes outside of transactions."""
    engine = open_database(server)
    with engine.connect() as connection:
        connection.execution_options(isolation_level="AUTOCOMMIT").exec_driver_sql(statement)
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
    bring_tables(empty)
    return empty
