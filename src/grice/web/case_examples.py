"""Three examples for an editor without assertions: an output, and assertions that pass on it."""

from __future__ import annotations

from typing import Any, NamedTuple


class CaseExample(NamedTuple):
    """An output of an agent, assertions on it, and what they show."""

    title: str
    shows: str
    output: str
    assertions: list[dict[str, Any]]


EXAMPLES = (
    CaseExample(
        "A reply in words",
        "It names the room, and gives a time of day in any of its forms.",
        "The Blue Room is free tomorrow at 2 PM.",
        [
            {"matcher": "toContain", "expected": "Blue Room"},
            {"matcher": "toMatch", "expected": {"source": r"\b2(:00)? ?pm\b|14:00", "flags": "i"}},
        ],
    ),
    CaseExample(
        "A list in JSON",
        "Every item has one of two states, and there are two items.",
        '{"items": [{"name": "Akismet", "status": "READY"}, {"name": "Jetpack", "status": "PENDING"}]}',
        [
            {
                "path": "$.items[*].status",
                "pathMatch": "ALL",
                "matcher": "toBeOneOf",
                "expected": ["READY", "PENDING"],
            },
            {"path": "$.items", "matcher": "toHaveLength", "expected": 2},
        ],
    ),
    CaseExample(
        "What must not be",
        "No item has failed, and there is a picture.",
        '{"items": [{"status": "READY"}], "profile": {"picture": "ada.webp"}}',
        [
            {"path": "$.items[*].status", "matcher": "toEqual", "expected": "FAILED", "not": True},
            {"path": "$.profile.picture", "matcher": "toBeNull", "not": True},
        ],
    ),
)
