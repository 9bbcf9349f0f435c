"""What a failed test shows: the user's lines, not Grice's, and nothing that acts on a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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

from grice.identity import Redaction, redact_text
from grice.matching.transcript import MAX_LINES, MAX_TEXT
from grice.text import shorten, visible

_RAISED = "grice.ExpectationFailed: "
_BETWEEN = ("grice", "asyncio", "anyio", "concurrent", "contextlib", "aiohttp")


class Lines(TerminalRepr):
    """A failure in words, written line by line; its first line is what the short summary and JUnit show.

    pytest escapes the whole of a text that a terminal's encoding cannot show, its line ends included.
    """

    def __init__(self, text: str, path: str = "", line: int = 0) -> None:
        self._text = told(text)
        self.reprcrash = ReprFileLocation(path, line, self._text.partition("\n")[0])

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


def clean(report: pytest.TestReport, redaction: Redaction) -> None:
    """Take secrets out of what pytest repeats and writes to files, and escape what an agent said in it.

    These are messages and traceback lines, causes included, and what was printed. What a cause says is cut
    when it is long.
    """
    shown = report.longrepr
    if isinstance(shown, str):
        report.longrepr = visible(redaction.text(shown))
    elif isinstance(shown, Lines):
        report.longrepr = Lines(redaction.text(str(shown)), shown.reprcrash.path, shown.reprcrash.lineno)
    elif isinstance(shown, ExceptionRepr):
        parts = [(shown.reprtraceback, shown.reprcrash)]
        if isinstance(shown, ExceptionChainRepr):
            parts += [(trace, crash) for trace, crash, _ in shown.chain]
        entries = list({id(entry): entry for trace, _ in parts for entry in trace.reprentries}.values())
        redaction.learn(["\n".join(_texts(entry)) for entry in entries])
        for _, crash in parts:
            _clean_location(crash, redaction)
        for entry in entries:
            _clean_entry(entry, redaction)
        if isinstance(shown, ExceptionChainRepr):
            for trace, _, _ in shown.chain[:-1]:
                for entry in trace.reprentries:
                    _shorten_entry(entry)
    report.sections[:] = [(title, redaction.text(content)) for title, content in report.sections]


def _shorten_entry(entry: object) -> None:
    if isinstance(entry, ReprEntry):
        lines = entry.lines
        begin = next((place for place, line in enumerate(lines) if line.startswith(_SAID)), len(lines))
        said = len(lines) - begin
        entry.lines = [shorten(line, MAX_TEXT) for line in lines[: begin + MAX_LINES]]
        if said > MAX_LINES:
            entry.lines.append(f"{_SAID}       ... ({said} lines)")


_SAID = "E"  # the first line of what an exception says begins with it; nothing else stands below


def _texts(entry: object) -> Iterator[str]:
    """The lines of a traceback's entry, with the values of its names."""
    if isinstance(entry, ReprEntry | ReprEntryNative):
        yield from entry.lines
    if isinstance(entry, ReprEntry):
        if entry.reprfuncargs is not None:
            yield from (f"{name} = {value}" for name, value in entry.reprfuncargs.args)
        if entry.reprlocals is not None:
            yield from entry.reprlocals.lines


def _clean_entry(entry: object, redaction: Redaction) -> None:
    if isinstance(entry, ReprEntryNative):
        entry.lines = [visible(redaction.text("".join(entry.lines)))]
    if isinstance(entry, ReprEntry):
        entry.lines = _clean_lines(entry.lines, redaction)
        if entry.reprfuncargs is not None:
            entry.reprfuncargs.args = [
                (name, visible(redaction.text(f"{name}={value}")).removeprefix(f"{name}="))
                for name, value in entry.reprfuncargs.args
            ]
        _clean_location(entry.reprfileloc, redaction)
        if entry.reprlocals is not None:
            entry.reprlocals.lines = _clean_lines(entry.reprlocals.lines, redaction)


def _clean_lines(lines: Sequence[str], redaction: Redaction) -> list[str]:
    """The lines without secrets, one that goes over several of them included."""
    return visible("\n".join(redaction.lines(lines))).split("\n") if lines else []


def _clean_location(location: ReprFileLocation | None, redaction: Redaction) -> None:
    if location is not None:
        location.message = visible(redaction.text(location.message))
        before, raised, why = location.message.partition(_RAISED)
        if raised and before in ("", "Failed: "):  # the short summary and JUnit say why, and no more
            location.message = why.partition("\n")[0]


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
