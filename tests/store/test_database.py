"""Which database a URL means."""

from __future__ import annotations

from pathlib import Path

import pytest

from grice.store.database import open_database


@pytest.mark.parametrize("beginning", ["postgresql", "postgres", "postgresql+psycopg"])
def test_each_way_to_write_postgresql_means_psycopg(beginning: str) -> None:
    pytest.importorskip("psycopg")
    engine = open_database(f"{beginning}://grice@host/name")
    assert str(engine.url) == "postgresql+psycopg://grice@host/name"


def test_a_file_is_meant_from_the_folder_of_the_project(tmp_path: Path) -> None:
    assert open_database("sqlite:///below/grice.db", tmp_path).url.database == f"{tmp_path}/below/grice.db"
    assert not (tmp_path / "below").exists()
