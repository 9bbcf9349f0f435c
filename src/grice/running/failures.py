"""What is kept of an agent that failed."""

from __future__ import annotations

import traceback

from grice.agents import BadReturn, ReturnedNothing
from grice.records import AgentFailure, FailureKind, clean_text
from grice.running.deadline import DeadlineExceeded
from grice.running.tool_answers import ToolsError
from grice.wire import ScriptError

__all__ = ["failure_of"]


def failure_of(error: BaseException, limit: str, cause: BaseException) -> AgentFailure:
    """The record of a failure; `limit` is the time-out in words, the traceback is that of `cause`.

    The traceback of a time-out shows where a synchronous agent was; its notes say what the agent waited for.
    """
    kind = _kind(error)
    name = type(error).__name__
    message = clean_text(_said(error))
    if kind == "timeout":
        notes = getattr(cause, "__notes__", ())
        name, message = "", clean_text("; ".join([f"the agent did not answer within {limit}", *notes]))
    elif kind == "raised":
        message = f"the agent raised {name}: {message}"
    trace = clean_text("".join(traceback.format_exception(cause)))
    return AgentFailure(kind, message, name, trace)


def _kind(error: BaseException) -> FailureKind:
    if isinstance(error, DeadlineExceeded):
        return "timeout"
    if isinstance(error, ScriptError | ToolsError):
        return "script"
    if isinstance(error, ReturnedNothing):
        return "returned_nothing"
    return "bad_return" if isinstance(error, BadReturn) else "raised"


def _said(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # somebody's exception whose text is broken
        return "(its message cannot be shown)"
