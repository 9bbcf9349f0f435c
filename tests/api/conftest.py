"""The real server on a loopback port, for a project with runs in a folder of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from live import Live, serve


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Live]:
    """A server of an empty project, for one test; `served.folder` is its folder."""
    with serve(tmp_path) as live:
        yield live


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """The same for the tests of a file, which change nothing."""
    with serve(tmp_path_factory.mktemp("served")) as live:
        yield live
