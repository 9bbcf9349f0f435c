"""What a conversation has beside its agent when a user is played in it, or topics are followed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grice.matching.protocols import BoundLLM
from grice.records import Scenario
from grice.running.project_llms import reachable_llm

if TYPE_CHECKING:
    from grice.topics.topic import Topic
    from grice.users.settings import SimulatedUser
    from grice.wire.cassettes import Cassette


def _no_llm() -> object:
    from grice.llm import no_llm

    return no_llm("user")


def _nothing() -> Sequence[Any]:
    return ()


@dataclass(frozen=True, eq=False)
class Support:
    """What doors find for a conversation, when it first needs it.

    `find_llm` finds the LLM that plays the user, `find_cassette` the cassette of what it says. `find_users`
    and `find_topics` find what is declared around the test, outermost first. `scenario` is the test's, whose
    fields say what its user wants. `seed` is for random draws, `folder` where relative paths begin.
    """

    find_llm: Callable[[], object] = _no_llm
    find_cassette: Callable[[], Cassette] | None = None
    find_users: Callable[[], Sequence[SimulatedUser]] = _nothing
    find_topics: Callable[[], Sequence[Topic]] = _nothing
    scenario: Scenario | None = None
    seed: int = 0
    folder: Path = Path()

    @cached_property
    def llm(self) -> BoundLLM:
        """The LLM that plays the user; asking one that cannot be had raises LLMError that says why."""
        return reachable_llm(self.find_llm, self.find_cassette, "user")
