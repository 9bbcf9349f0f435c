"""The scenarios on an agent with a bug: of several tool calls it runs only the first.

Those in which the user wants more than one service fail, as they should.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
import test_venues

from grice import AgentContext, FinishedConversation, Scenario, scenarios, simulated
from venue_search.topics import venue_flow


@scenarios("../tests/scenarios/venues.json")
class TestFirstCallOnly:
    @pytest.fixture
    def agent(self, agent_factory: Callable[..., object], agent_context: AgentContext) -> object:
        """The configured agent with its bug."""
        return agent_factory({**agent_context, "bug": "first_call_only"})

    @simulated(topics=venue_flow, max_turns=10, stop_when=lambda c: c.called_tool("book_venue"))
    def test_finds_a_venue(self, conversation: FinishedConversation, scenario: Scenario) -> None:
        test_venues.test_finds_a_venue(conversation, scenario)
