"""The work of `grice rubric`: whether the assistant contradicts itself, one line for each conversation."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from grice.checks.contradiction.consistency import SelfContradiction
from grice.checks.contradiction.self_contradiction import self_contradiction
from grice.checks.profiles import Profile
from grice.cli.exit_codes import FAILED, PASSED, UNUSABLE
from grice.formats import FormatError, read_conversation
from grice.formats.lines import STDIN, Unreadable, name_of
from grice.formats.log_files import values_in
from grice.identity import redact_text
from grice.records import JsonValue
from grice.reporting.console import print_problem, screen_for
from grice.text import value_text, visible

SUFFIXES = (".json", ".jsonl", ".ndjson", ".json.gz", ".jsonl.gz")
"""The files of a folder that are read."""

RESULT = "expectedResult"
"""The field in which a file says whether it expects a contradiction."""

EXPECTED = "expected a list of messages, or an object with messages or conversation"


class _Problem(NamedTuple):
    where: str
    reason: str


class _Row(NamedTuple):
    """A conversation with its place and name, and the result that its file expects, None where it says
    none.
    """

    where: str
    name: str
    messages: JsonValue
    expected: bool | None


def rubric_files(paths: Sequence[Path], *, profile: Profile = "robust") -> int:
    """Print `true` or `false` for each conversation, with the reason; the exit code.

    0: nobody contradicts themselves. 1: somebody does, or a result is not the `expectedResult` of its file.
    2: one of the files cannot be read or has no conversation, or nothing could be compared in any of them.
    """
    console = screen_for(sys.stdout)
    problems: list[_Problem] = []
    found = wrong = untold = count = 0
    for one in _rows(paths):
        result = _judged(one, profile) if isinstance(one, _Row) else one
        if isinstance(result, _Problem):
            problems.append(result)
            continue
        assert isinstance(one, _Row)
        count += 1
        untold += result.outcome == "undetermined"
        found += bool(result)
        unexpected = one.expected is not None and one.expected is not bool(result)
        wrong += unexpected
        console.print(_line(one, result, unexpected=unexpected), soft_wrap=True)
    for problem in problems:
        print_problem(screen_for(sys.stderr), f"error: {problem.where}: {problem.reason}")
    if count and count == untold:
        print_problem(screen_for(sys.stderr), "error: nothing could be told of any conversation")
    elif untold:
        print_problem(screen_for(sys.stderr), f"{untold} of {count} conversations are undetermined")
    if problems or count == untold:
        return UNUSABLE
    return FAILED if found or wrong else PASSED


def _line(one: _Row, result: SelfContradiction, *, unexpected: bool) -> str:
    answer = "true" if result else "false"
    note = f" (expected {str(one.expected).lower()})" if unexpected else ""
    name = f" {visible(one.name)}" if one.name else ""
    reason = visible(redact_text(result.reason))
    return f"{answer:5}  {visible(one.where)}{name}{note}: {result.outcome}: {reason}"


def _judged(one: _Row, profile: Profile) -> SelfContradiction | _Problem:
    try:
        return self_contradiction(read_conversation(one.messages), profile=profile)
    except FormatError as error:
        return _Problem(one.where, str(error))
    except Exception as error:  # of one conversation; the others are read all the same
        return _Problem(one.where, f"the rule failed: {type(error).__name__}: {error}")


def _rows(paths: Sequence[Path]) -> Iterator[_Row | _Problem]:
    """The conversations of files, and of the files of folders, in order."""
    for path in paths:
        if path.is_dir():
            files = sorted(one for one in path.rglob("*") if one.name.endswith(SUFFIXES) and one.is_file())
            if not files:
                yield _Problem(str(path), f"no file that ends in {', '.join(SUFFIXES)}")
            for file in files:
                yield from _of_file(file)
        elif str(path) != STDIN and not path.exists():
            yield _Problem(str(path), "no such file or folder")
        else:
            yield from _of_file(path)


def _of_file(file: Path) -> Iterator[_Row | _Problem]:
    name = name_of(file)
    is_empty = True
    try:
        for line, value in values_in(file):
            is_empty = False
            where = f"{name}:{line}" if line else name
            yield from [_Problem(where, str(value))] if isinstance(value, FormatError) else _in(value, where)
    except Unreadable as problem:
        yield _Problem(name, str(problem))
    else:
        if is_empty:
            yield _Problem(name, f"no conversation found; {EXPECTED}")


def _in(value: JsonValue, where: str) -> Iterator[_Row | _Problem]:
    """The conversations in a value: a list of messages, an object that has one, or a list of such."""
    if isinstance(value, list) and value and all(isinstance(one, list) or _holds(one) for one in value):
        for place, one in enumerate(value):
            yield from _in(one, f"{where}[{place}]")
    elif isinstance(value, list):
        yield _Row(where, "", value, None)
    elif isinstance(value, dict) and _holds(value):
        expected = value.get(RESULT)
        written = {key.replace("_", "").casefold(): key for key in value}.get(RESULT.casefold(), RESULT)
        if written != RESULT:
            yield _Problem(where, f"found {value_text(written)}; expected {RESULT}")
            return
        if expected is not None and not isinstance(expected, bool):
            yield _Problem(where, f"{RESULT} is true or false, found {value_text(expected)}")
            return
        messages = value.get("conversation")
        shown = value.get("id")
        yield _Row(
            where,
            str(shown) if isinstance(shown, str | int) else "",
            messages if isinstance(messages, list) else value,
            expected,
        )
    else:
        yield _Problem(where, f"found {value_text(value)}; {EXPECTED}")


def _holds(value: JsonValue) -> bool:
    return isinstance(value, dict) and any(name in value for name in ("messages", "conversation", "turns"))
