"""What a failed test shows: the user's lines, not Grice's, and nothing that acts on a terminal."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, TracebackType
from typing import NoReturn

import pytest
from _pytest._code.code import (
    ExceptionChainRepr,
    ExceptionRepr,
    ReprEntry,
    ReprEntryNative,
    ReprFileLocation,
    TerminalRepr,
)
from _pytest._io import TerminalWriter

from grice.identity import redact_text
from grice.matching.transcript import MAX_LINES, MAX_TEXT
from grice.text import shorten, visible

__all__ = ["Lines", "escape", "hide_own_frames", "raise_at", "told", "users_frames"]

_BETWEEN = ("grice", "asyncio", "anyio", "concurrent")


class Lines(TerminalRepr):
    """A failure in words, written line by line.

    pytest escapes the whole of a text that a terminal's encoding cannot show, its line ends included.
    """

    def __init__(self, text: str) -> None:
        self._text = told(text)

    def __str__(self) -> str:
        return self._text

    def toterminal(self, tw: TerminalWriter) -> None:
        """Write the lines."""
        for line in self._text.split("\n"):
            tw.line(line)


def hide_own_frames(raised: pytest.ExceptionInfo[BaseException]) -> pytest.ExceptionInfo[BaseException]:
    """The exception without Grice's frames in its traceback and those of its causes, when it is Grice's own.

    What an agent raised is shown with the agent's lines; a cause that has none of them adds nothing to the
    message and is dropped. An exception that is not Grice's, a bug in Grice among them, stays as it is.
    """
    top = error = raised.value
    if not _is_own(type(error).__module__, "grice"):
        return raised
    seen = {id(error)}
    while (cause := error.__cause__) is not None and id(cause) not in seen:
        seen.add(id(cause))
        trace = users_frames(cause.__traceback__)
        if trace is None:
            error.__cause__ = cause.__cause__
            error.__suppress_context__ = True
        else:
            cause.__traceback__ = trace
            error = cause
    top.__traceback__ = users_frames(top.__traceback__) or top.__traceback__
    return pytest.ExceptionInfo.from_exception(top)


def raise_at(function: Callable[..., object], error: BaseException) -> NoReturn:
    """Raise what happened elsewhere as if the first line of the function had raised it.

    pytest shows that line then, and the lines of the user's code below it; not how it got there.
    """

    def raising() -> NoReturn:
        raise error

    error.__traceback__ = users_frames(error.__traceback__)
    if isinstance(function, FunctionType):
        place = raising.__code__.replace(
            co_filename=function.__code__.co_filename,
            co_firstlineno=max(1, function.__code__.co_firstlineno - 1),  # it raises in its second line
            co_name=function.__name__,
        )
        FunctionType(place, {"__name__": function.__module__}, closure=raising.__closure__)()
    raise error


def told(text: str) -> str:
    """A text for a report, which may be written to a file: escaped, and without secrets."""
    return visible(redact_text(text))


def escape(report: pytest.TestReport) -> None:
    """Escape what an agent said where pytest repeats it: in messages and traceback lines, causes included.

    Secrets are taken out: pytest writes reports to files. What a cause says is cut when it is long.
    """
    shown = report.longrepr
    if isinstance(shown, str):
        report.longrepr = told(shown)
    elif isinstance(shown, ExceptionRepr):
        parts = [(shown.reprtraceback, shown.reprcrash)]
        if isinstance(shown, ExceptionChainRepr):
            parts += [(trace, crash) for trace, crash, _ in shown.chain]
            for trace, _, _ in shown.chain[:-1]:
                for entry in trace.reprentries:
                    _shorten_entry(entry)
        for trace, crash in parts:
            _escape_location(crash)
            for entry in trace.reprentries:
                _escape_entry(entry)


def _shorten_entry(entry: object) -> None:
    if isinstance(entry, ReprEntry):
        lines = entry.lines
        begin = next((place for place, line in enumerate(lines) if line.startswith(_SAID)), len(lines))
        said = len(lines) - begin
        entry.lines = [shorten(line, MAX_TEXT) for line in lines[: begin + MAX_LINES]]
        if said > MAX_LINES:
            entry.lines.append(f"{_SAID}       ... ({said} lines)")


_SAID = "E"  # the first line of what an exception says begins with it; nothing else stands below


def _escape_entry(entry: object) -> None:
    if isinstance(entry, ReprEntry | ReprEntryNative):
        entry.lines = [told(line) for line in entry.lines]
    if isinstance(entry, ReprEntry):
        if entry.reprfuncargs is not None:
            entry.reprfuncargs.args = [(name, told(str(value))) for name, value in entry.reprfuncargs.args]
        _escape_location(entry.reprfileloc)
        if entry.reprlocals is not None:
            entry.reprlocals.lines = [told(line) for line in entry.reprlocals.lines]


def _escape_location(location: ReprFileLocation | None) -> None:
    if location is not None:
        location.message = told(location.message)


def users_frames(trace: TracebackType | None) -> TracebackType | None:
    """The traceback from the first frame that is the user's, without Grice's frames."""
    frames: list[TracebackType] = []
    while trace is not None:
        module = trace.tb_frame.f_globals.get("__name__", "")
        between = _BETWEEN if not frames else ("grice",)  # the way to the agent leads through an event loop
        if not any(_is_own(module, package) for package in between):
            frames.append(trace)
        trace = trace.tb_next
    kept: TracebackType | None = None
    for frame in reversed(frames):
        kept = TracebackType(kept, frame.tb_frame, frame.tb_lasti, frame.tb_lineno)
    return kept


def _is_own(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")
