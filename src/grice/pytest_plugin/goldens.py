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


class GoldenFile(pytest.File):
    """A file of goldens."""

    def collect(self) -> Iterator[pytest.Item]:
        """One item a golden. Everything wrong with the file is one collection error."""
        activate(self.config)
        settings_of(self.config, self.path)
        try:
            goldens = load_goldens(self.path)
        except GoldenErrors as error:
            raise self.CollectError(str(error)) from error
        for golden in goldens:
            for name, repeat in repeated(self.config, golden.id):
                yield GoldenItem.from_parent(self, name=name, golden=golden, repeat=repeat)


class GoldenItem(ConversationItem):
    """One golden."""

    kind = "golden"

    def __init__(self, *, golden: Golden, **kwargs: Any) -> None:
        super().__init__(what=golden, **kwargs)
        self.golden = golden

    def played(self, agent: object, settings: Settings) -> Held:
        """Replay the golden; with --grice-update rewrite what it observed."""
        return replay(self.golden, agent, settings, update=bool(self.config.getoption("--grice-update")))
