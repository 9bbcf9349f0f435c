"""What this assistant must never say to the owner of a site: rules on wording, written as data."""

from __future__ import annotations

from pathlib import Path

import pytest

from grice import LiveConversation, expect, load_rules

HOUSE = load_rules(Path(__file__).parent.parent / "house.rules.yaml")


@pytest.mark.parametrize("golden", load_goldens(GOLDENS), ids=lambda golden: golden.id)
def test_every_golden_keeps_the_house_rules(golden: Golden) -> None:
    for turn in run_golden(golden, build_assistant_of).conversation.turns:
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
