"""The real server on a loopback port, for a project with runs in a folder of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from live import Live, serve
from suite_editor import BOTS, ROOMS, Editor, in_tables


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


@pytest.fixture
def editor(tmp_path: Path) -> Iterator[Editor]:
    """An editor of a project with a suite in a file."""
    tmp_path.joinpath("bots.py").write_text(BOTS)
    tmp_path.joinpath("rooms.grice.yaml").write_text(ROOMS)
    with serve(tmp_path) as live:
        yield Editor(live)


@pytest.fixture(params=["file", "tables"])
def suite(request: pytest.FixtureRequest, editor: Editor) -> tuple[str, str]:
    """The id of a suite with the cases blue and red, and its name."""
    return (editor.rooms, "rooms") if request.param == "file" else in_tables(editor)
