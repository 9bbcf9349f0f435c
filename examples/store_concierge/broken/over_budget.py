"""A concierge that shows a monitor over the budget which is no better. The test fails, as it should."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import test_t6_recommendation

from grice import AgentContext, LiveConversation


@pytest.fixture
def agent(agent_factory: Callable[..., object], agent_context: AgentContext) -> object:
    """The configured agent with the fault."""
    return agent_factory({**agent_context, "fault": "over_budget"})


def test_t6_as_one_check(conversation: LiveConversation) -> None:
    test_t6_recommendation.test_t6_as_one_check(conversation)
