"""Cassettes that belong to no test any more: of tests that were renamed, moved or removed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from _pytest.terminal import TerminalReporter

from grice.pytest_plugin.judging import cassette_place
from grice.pytest_plugin.projects import settings_of

_MOST = 10


def orphan_lines(terminal: TerminalReporter) -> list[str]:
    """What a summary says of cassettes that no test has any more.

    Nothing unless the session had every test of its files: of those that were left out nobody knows.
    """
    config = terminal.config
    items: Sequence[pytest.Item] = getattr(terminal._session, "items", ())  # none where workers run the tests
    if any("::" in arg for arg in config.args) or terminal.stats.get("deselected"):
        return []
    recorded = set(_recorded(items))
    orphans = sorted(recorded - {cassette_place(item) for item in items}) if recorded else []
    if not orphans:
        return []
    root = config.rootpath
    shown = [str(one.relative_to(root) if one.is_relative_to(root) else one) for one in orphans[:_MOST]]
    rest = [f"  and {len(orphans) - _MOST} more"] if len(orphans) > _MOST else []
    said = "1 cassette belongs" if len(orphans) == 1 else f"{len(orphans)} cassettes belong"
    said = f"{said} to no test any more, renamed or removed as it may be:"
    return [said, *(f"  {one}" for one in shown), *rest]


def _recorded(items: Sequence[pytest.Item]) -> Iterator[Path]:
    """The cassettes of the tests' files, and those beside them whose file is not there any more."""
    files = {item.path: settings_of(item.config, item.path).cassettes for item in items}
    stems = {(file.parent, file.name.split(".")[0]) for file in files}
    for folder, named in {(file.parent, named) for file, named in files.items()}:
        for path in (folder / named).glob("*/*.jsonl"):
            if (folder, path.parent.name) in stems or not any(folder.glob(f"{path.parent.name}.*")):
                yield path
