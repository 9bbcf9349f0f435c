"""What this assistant must never say to the owner of a site: rules on wording, written as data."""

from __future__ import annotations

from pathlib import Path

import pytest

from grice import expect, load_rules
from grice.files.goldens import load_goldens
from grice.running.golden import run_golden
from wordpress_assistant.app import agent

FOLDER = Path(__file__).parent.parent
HOUSE = load_rules(FOLDER / "house.rules.yaml")


@pytest.mark.parametrize("file", sorted((FOLDER / "goldens").glob("*.json")), ids=lambda file: file.stem)
def test_every_golden_keeps_the_house_rules(file: Path) -> None:
    for golden in load_goldens(file):
        for turn in run_golden(golden, agent).conversation.turns:
            expect(turn).to_follow_rules(*HOUSE)


@pytest.mark.parametrize(
    "said",
    [
        "I ran list_plugins for you: two plugins are installed.",
        "Installed: ajax-search-lite/ajax-search-lite.php and akismet/akismet.php.",
    ],
)
def test_a_reply_with_internals_breaks_them(said: str) -> None:
    expect(said).not_to_follow_rules(*HOUSE)
