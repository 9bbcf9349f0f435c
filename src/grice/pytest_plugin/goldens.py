"""Golden files as pytest items: one item a golden."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from grice.files.golden_records import Golden
from grice.files.goldens import GoldenErrors, load_goldens
from grice.files.settings import Settings
from grice.pytest_plugin.file_items import ConversationItem
from grice.pytest_plugin.projects import settings_of
from grice.pytest_plugin.repeats import repeated
from grice.pytest_plugin.session import activate
from grice.running.file_work import replay
from grice.running.planned_conversations import Held


def golden_items(file: pytest.File) -> Iterator[pytest.Item]:
    """One item for each golden of the file and repeat. Raises CollectError with everything wrong in it."""
    activate(file.config)
    settings_of(file.config, file.path)
    try:
        goldens = load_goldens(file.path)
    except GoldenErrors as error:
        raise file.CollectError(str(error)) from error
    for golden in goldens:
        for name, repeat in repeated(file.config, golden.id):
            yield GoldenItem.from_parent(file, name=name, golden=golden, repeat=repeat)


class GoldenItem(ConversationItem):
    """One golden."""

    kind = "golden"

    def __init__(self, *, golden: Golden, **kwargs: Any) -> None:
        super().__init__(what=golden, **kwargs)
        self.golden = golden

    def played(self, agent: object, settings: Settings) -> Held:
        """Replay the golden; with --grice-update rewrite what it observed."""
        return replay(self.golden, agent, settings, update=bool(self.config.getoption("--grice-update")))
