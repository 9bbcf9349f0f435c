"""The table of mistakes: each is told with its place and what to do, and the page in docs/ is that table."""

from pathlib import Path

import pytest
from told_mistakes import MISTAKES, PAGE, Mistake, rendered, told

ALL = [one for mistakes in MISTAKES.values() for one in mistakes]


@pytest.mark.parametrize("mistake", ALL, ids=lambda one: one.title)
def test_a_mistake_is_told_with_its_place(
    mistake: Mistake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert told(mistake) == mistake.said


def test_there_are_more_than_forty_of_each_kind() -> None:
    assert len(ALL) >= 40
    assert {"YAML", "JSON", "TOML", "CSV", "Command line"} <= MISTAKES.keys()


def test_the_page_is_the_table() -> None:
    """Else `python tests/files/told_mistakes.py` writes it."""
    assert PAGE.read_text("utf-8") == rendered()
