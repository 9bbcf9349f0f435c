"""The test of prices on an agent with a bug, which quotes last year's. It fails, as it should."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import test_room_prices

from grice import AgentContext


class TestLastYearsPrices(test_room_prices.TestPrices):
    @pytest.fixture
    def agent(self, agent_factory: Callable[..., object], agent_context: AgentContext) -> object:
        """The configured agent with its bug, for this class only."""
        return agent_factory({**agent_context, "bug": "price"})
