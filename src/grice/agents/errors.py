"""The errors of agents."""

from __future__ import annotations

from grice.records import AgentFailure


class AgentLoadError(Exception):
    """The named agent cannot be loaded or built."""


class BadReturn(TypeError):
    """The agent returned something that is not a response."""


class ReturnedNothing(BadReturn):
    """The agent returned None."""


class AgentFailed(Exception):
    """The agent raised, hung, or returned no usable response. `failure` is the record of it."""

    __module__ = "grice"

    def __init__(self, message: str, failure: AgentFailure) -> None:
        super().__init__(message, failure)  # both, so that it can be pickled
        self.failure = failure

    def __str__(self) -> str:
        return str(self.args[0])
