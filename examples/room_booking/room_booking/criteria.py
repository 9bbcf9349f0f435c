"""The criteria of the whole project: every test may name them."""

from __future__ import annotations

from grice import criterion

CRITERIA = [
    criterion(
        "friendly",
        "The reply is warm and welcoming, without flattery.",
        good=[("Happy to help! Which day suits you?", "warm, and moves on")],
        bad=[("Date? Time? People?", "curt: a form, not a conversation")],
        edge=[("Done. The Blue Room is yours.", True, "short, but it gives the user what they came for")],
    ),
    criterion(
        "makes_the_choice_easy",
        "The reply lets the user decide at once: what is offered, for whom it fits, and what it costs.",
        at_least=4,
        anchors={
            5: "The user can decide without asking back.",
            3: "One thing that decides is missing.",
            1: "The user knows no more than before.",
        },
    ),
]
