"""What messages are understood to say."""

from __future__ import annotations

import pytest

from store_concierge.understanding import understand


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("Hi there!", "greeting"),
        ("Good morning, I need a monitor", "shopping"),
        ("What\u2019s the difference between IPS and VA?", "education"),
        ("Can I return it if I don\u2019t like it?", "policy"),
        ("Is the Dell G2725D available?", "stock"),
        ("When are you open?", "store"),
        ("This is ridiculous", "friction"),
        ("Which one would you pick?", "which"),
        ("Any other options?", "more"),
        ("thanks, bye", "thanks"),
        ("Who is going to win the World Cup?", "other"),
        ("", "other"),
    ],
)
def test_intents(text: str, intent: str) -> None:
    assert understand(text).intent == intent


@pytest.mark.parametrize(
    ("text", "wishes"),
    [
        ("a 27-inch 1440p monitor", {"size": 27, "resolution": "1440p"}),
        ("for gaming, up to $300", {"use": "gaming", "max_price": 300}),
        ("between $200 and $1,300", {"max_price": 1300}),
        ("400 bucks, for work", {"use": "office", "max_price": 400}),
        ('a 34" ultrawide OLED', {"size": 34, "panel": "OLED", "wide": True}),
        ("then without OLED", {"panel": None}),
        ("I ride my bike 20 days a month", {}),
    ],
)
def test_wishes(text: str, wishes: dict[str, object]) -> None:
    assert understand(text).wishes == wishes
