"""The errors of a script that does not fit what the agent did."""

from __future__ import annotations

from grice.wire.replies import Fault


class ScriptError(Exception):
    """The script of a model and what the agent did with it do not fit."""


class UnscriptedRequest(ScriptError):
    """The agent asked its model more often than replies are scripted."""

    __module__ = "grice"


class UnofferedCall(ScriptError):
    """A scripted call of a tool that the request does not offer, or with arguments that the tool refuses."""

    __module__ = "grice"


class UnusedReplies(ScriptError):
    """Scripted replies that the agent never asked for."""

    __module__ = "grice"


class BadModelRequest(ScriptError):
    """The agent sent its model something that no model accepts: a wrong key, no JSON, an unknown route."""

    __module__ = "grice"


class ModelFault(Exception):
    """A scripted Fault, raised to an agent in this process. `fault` is the one."""

    __module__ = "grice"

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault)
        self.fault = fault

    def __str__(self) -> str:
        return self.fault.words


def hangs(wrong: Fault | BaseException) -> bool:
    """Whether the provider leaves a request unanswered, until the client gives up."""
    return isinstance(wrong, TimeoutError) or (isinstance(wrong, Fault) and wrong.kind == "timeout")


def status_of(wrong: Fault | BaseException) -> int | None:
    """The HTTP status of a fault; None when there is no reply at all."""
    match wrong:
        case Fault(kind="timeout" | "reset"):
            return None
        case Fault():
            return wrong.status
        case TimeoutError() | ConnectionError():
            return None
        case ScriptError():
            return 400  # a status that no SDK retries
        case _:
            return 500
