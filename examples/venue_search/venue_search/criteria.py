"""The criteria of the whole project: every test and every topic may name them."""

from __future__ import annotations

from grice import criterion

CRITERIA = [
    criterion(
        "friendly",
        "The reply is warm and helpful; bad news comes with a way on.",
        good=[("I am afraid that is fully booked. Shall I try the day after?", "bad news, and a way on")],
        bad=[("Not available.", "leaves the user alone with it")],
    ),
    criterion(
        "asks_nothing_twice",
        "The reply does not ask for anything that the user has told already, in whatever words.",
        bad=[("How many of you?", "the user had written 'the four of us'")],
    ),
]
