"""What is declared around a test of played users and topics, and the LLM that plays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from grice.pytest_plugin.judging import cassette_of, llm_of
from grice.pytest_plugin.projects import projects_of
from grice.pytest_plugin.repeats import repeat_of
from grice.records import Scenario

if TYPE_CHECKING:
    from grice.running.simulated import Simulated
    from grice.running.support import Support
    from grice.topics.topic import Topic
    from grice.users.settings import SimulatedUser
    from grice.wire.cassettes import Cassette


def simulated_item(item: pytest.Item) -> Simulated | None:
    """How the conversation of the test is simulated, None where it is not."""
    function, cls = getattr(item, "function", None), getattr(item, "cls", None)
    if function is None or not (
        hasattr(function, "__grice_simulated__") or hasattr(cls, "__grice_simulated__")
    ):
        return None
    from grice.running.simulated import simulated_of

    return simulated_of(*((cls,) if cls is not None else ()), function)


def runs_of(item: pytest.Item) -> range:
    """The numbers of the conversations that the test holds, from 1: those of its first repeat come first."""
    how = simulated_item(item)
    runs, repeat = 1 if how is None else how.runs, repeat_of(item)
    return range((repeat - 1) * runs + 1, repeat * runs + 1)


def seed_of(item: pytest.Item, run: int) -> int:
    """The seed of the conversation with that number."""
    first: int = item.config.option.grice_seed
    return first + run - 1


def support_of(
    item: pytest.Item,
    *,
    find_llm: Callable[[], object] | None = None,
    find_cassette: Callable[[], Cassette] | None = None,
    seed: int = 0,
) -> Support:
    """What the test's conversation has for topics and played users; by default the test's own.

    The matchers of its project are imported, as graphs of topics may name them. Raises SettingsError.
    """
    from grice.running.support import Support

    projects_of(item.config).import_matchers(item.path)
    callspec = getattr(item, "callspec", None)
    scenario = callspec.params.get("scenario") if callspec is not None else None
    return Support(
        find_llm=find_llm or partial(llm_of, item, "user_llm"),
        find_cassette=find_cassette or partial(cassette_of, item),
        find_users=partial(_users, item),
        find_topics=partial(_topics, item),
        scenario=scenario if isinstance(scenario, Scenario) else None,
        seed=seed,
        folder=item.path.parent,
    )


def _users(item: pytest.Item) -> Sequence[SimulatedUser]:
    """The levels of a simulated user, outermost first: markers, then what `@simulated` says."""
    how = simulated_item(item)
    return (*marked_users(item), *(how.levels if how is not None else ()))


def marked_users(item: pytest.Item) -> Sequence[SimulatedUser]:
    """The levels of a simulated user that markers say, outermost first."""
    return [mark["user"] for mark in _marks(item) if mark.get("user") is not None]


def _topics(item: pytest.Item) -> Sequence[Topic]:
    return [topic for mark in _marks(item) for topic in mark.get("topics", ())]


def _marks(item: pytest.Item) -> list[dict[str, Any]]:
    """What the markers `grice` say, outermost first."""
    marks = [mark for node in item.listchain() for mark in node.own_markers]
    return [dict(mark.kwargs) for mark in marks if mark.name == "grice"]
