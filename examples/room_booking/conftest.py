"""Makes the application importable from wherever pytest is started, and gives each test its own calendar."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from grice import AgentContext

HERE = Path(__file__).parent

for folder in (HERE / "tests", HERE):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

from room_booking.rooms import Calendar, demo_calendar  # noqa: E402 - importable from here on


@pytest.fixture
def calendar() -> Calendar:
    """The rooms, and the bookings of this test."""
    return demo_calendar()


@pytest.fixture
def agent(agent_factory: Callable[..., object], agent_context: AgentContext, calendar: Calendar) -> object:
    """The configured agent, on this test's calendar."""
    return agent_factory({**agent_context, "calendar": calendar})
