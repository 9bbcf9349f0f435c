"""The real server with its pages, for a project with three runs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parent.parent
sys.path += [str(TESTS / "api"), str(TESTS / "reporting")]

from live import Live, serve  # noqa: E402
from web_project import write_project  # noqa: E402

from grice.web.site import make_site  # noqa: E402


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A server for the tests of a file, which change nothing."""
    folder = tmp_path_factory.mktemp("served")
    write_project(folder)
    with serve(folder, make=make_site) as live:
        yield live


@pytest.fixture
def empty_site(tmp_path: Path) -> Iterator[Live]:
    """A server of a project in which nothing was run yet."""
    with serve(tmp_path, make=make_site) as live:
        yield live
