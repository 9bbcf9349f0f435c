"""What is kept of an agent that failed."""

from __future__ import annotations

import sys
import traceback

from grice.agents import AgentFailed, BadReturn, ReturnedNothing
from grice.loops.deadline import DeadlineExceeded
from grice.matching.transcript import MAX_LINES, MAX_TEXT, transcript
from grice.records import AgentFailure, FailureKind, Turn, clean_text
from grice.running.tool_answers import ToolsError
from grice.text.display import shown_lines
from grice.wire import ScriptError


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
    trace = clean_text("".join(_unparsed(cause).format()))
    return AgentFailure(kind, message, name, trace)


def _unparsed(error: BaseException) -> traceback.TracebackException:
    """The traceback without marks below its lines.

    To make those, Python parses the lines, which costs, and fails now and then in several threads at once.
    """
    whole = traceback.TracebackException.from_exception(error)
    waiting: list[traceback.TracebackException | None] = [whole]
    while waiting:
        one = waiting.pop()
        if one is not None:
            rows = [(frame.filename, frame.lineno or 0, frame.name, frame.line) for frame in one.stack]
            one.stack = traceback.StackSummary.from_list(rows)
            waiting += [one.__cause__, one.__context__, *(getattr(one, "exceptions", None) or ())]
    return whole


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


def around_failed(name: str, error: BaseException) -> AgentFailed:
    """What is raised when `around()` of the named agent fails."""
    failure = failure_of(error, "", error)
    return AgentFailed(_shown(f"around() of {name}: {failure.message}"), failure)


def failure_text(name: str, turn: int, failure: AgentFailure, turns: tuple[Turn, ...]) -> str:
    """How a test fails: the failure in the named test's turn, and the transcript with the turn marked."""
    where = f"{name}: " if name else ""
    heading = _shown(f"{where}turn {turn}: {failure.message}")
    return f"{heading}\n\n{transcript(turns, marked=turn)}"


def _shown(text: str) -> str:
    return "\n".join(shown_lines(text, MAX_TEXT, MAX_LINES))


def stops_the_run(error: BaseException) -> bool:
    """Whether the exception is for who runs the agent: Ctrl-C, and pytest's skip, fail and exit.

    Everything else that an agent raises is its failure, whether it derives from Exception or not. What is
    pytest's only exists when pytest has been imported.
    """
    if isinstance(error, KeyboardInterrupt):
        return True
    outcomes = sys.modules.get("_pytest.outcomes")
    return outcomes is not None and isinstance(error, (outcomes.OutcomeException, outcomes.Exit))
