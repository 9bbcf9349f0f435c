"""The end of a session that is kept: its results are written where that is asked for, and how to go on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from grice.pytest_plugin.projects import page_file, results_folder, store_folder
from grice.reporting.next_steps import how_to_compare, how_to_see, since_earlier
from grice.running.journal.folders import session_began, session_ended
from grice.running.journal.form import JournalError
from grice.text import visible


class Controller:
    """Knows, in the controller of xdist, where the workers keep the session: `grice.current_experiment()`."""

    def __init__(self, config: pytest.Config, id_: str) -> None:
        self._folder: Path | None = None
        with suppress(pytest.Collector.CollectError):  # wrong settings are told by the workers
            root = store_folder(config)
            self._folder = None if root is None else root / id_
        if self._folder is not None:
            session_began(self._folder)

    def pytest_unconfigure(self) -> None:
        """The session is over."""
        if self._folder is not None:
            session_ended(self._folder)


def closing_lines(session: pytest.Session, folders: Sequence[str]) -> list[str]:
    """Write what the kept runs came to where that is asked for; the lines to say.

    A session whose results cannot be written has failed.
    """
    lines = [line for folder in folders for line in _closing(session, Path(folder))]
    page = page_file(session.config)
    return lines if page is None else [*lines, _paged(session, Path(folders[-1]), page)]


def _closing(session: pytest.Session, folder: Path) -> Iterator[str]:
    here = session.config.invocation_params.dir
    shown = folder.relative_to(here) if folder.is_relative_to(here) else folder
    yield f"kept in {visible(str(shown), newlines=False)}; see it with: {how_to_see(folder)}"
    if session.exitstatus == pytest.ExitCode.INTERRUPTED:
        option = "--resume" if session.config.pluginmanager.has_plugin("grice-door") else "--grice-resume"
        yield f"go on with it: the same command and {option} {folder.name}"
        return
    newly, before = since_earlier(folder)
    if newly:
        yield newly
    if before:
        yield f"to compare it: {how_to_compare(folder.name, before, folder.parent)}"
    target = results_folder(session.config)
    if target is not None:
        yield _saved(session, folder, target)


def _paged(session: pytest.Session, folder: Path, page: Path) -> str:
    """Write the page of the run."""
    from grice.reporting.documents.run import kept_document
    from grice.reporting.renderers.html.page import write_page
    from grice.running.journal.reading import index_run

    try:
        write_page(kept_document(index_run(folder), everything=True, verbose=True)[0], page)
        return visible(f"page written to {page}", newlines=False)
    except (OSError, JournalError) as error:
        if session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        return visible(f"error: the page cannot be written: {error}", newlines=False)


def _saved(session: pytest.Session, folder: Path, target: Path) -> str:
    from grice.reporting.experiment.results_file import save_results

    try:
        return visible(f"results saved to {save_results(folder, target)}", newlines=False)
    except (OSError, JournalError) as error:
        if session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        return visible(f"error: the results cannot be written: {error}", newlines=False)
