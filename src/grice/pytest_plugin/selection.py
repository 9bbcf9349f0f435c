"""Which of the collected tests are run: only those of Grice, and what an earlier run has not finished."""

from __future__ import annotations

from collections.abc import Callable, Collection

import pytest

FIXTURES = frozenset(
    {
        "agent",
        "agent_context",
        "agent_factory",
        "async_conversation",
        "conversation",
        "judge_llm",
        "prompt_llm",
        "scenario",
        "scripted_model",
        "user_llm",
    }
)


def uses_grice(item: pytest.Item) -> bool:
    """Whether the item is a golden or scenario, or a test that asks for a fixture of Grice."""
    return hasattr(item, "kind") or not FIXTURES.isdisjoint(getattr(item, "fixturenames", ()))


def leave_out(
    config: pytest.Config, items: list[pytest.Item], unwanted: Callable[[pytest.Item], bool]
) -> Collection[pytest.Item]:
    """Deselect the unwanted items, as pytest counts them; those that it were."""
    gone = [item for item in items if unwanted(item)]
    if gone:
        left_out = set(gone)
        items[:] = [item for item in items if item not in left_out]
        config.hook.pytest_deselected(items=gone)
    return gone
