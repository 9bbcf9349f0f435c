"""What is refused at collection: wrong settings and markers, and two tests with one stable id."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grice.files.settings import RECORD_MODES
from grice.files.settings_files import SettingsError, UnmatchedPattern
from grice.pytest_plugin.criteria import declared_criteria
from grice.pytest_plugin.item_identity import path_of
from grice.pytest_plugin.projects import projects_of
from grice.pytest_plugin.repeats import repeat_of

_SEES_IT = frozenset({"conversation", "async_conversation"})
_SECONDS = ("turn_timeout", "timeout")


def report_refusals(config: pytest.Config, talking: list[pytest.Item], judging: list[pytest.Item]) -> None:
    """Report each as a collection error: it stops the session, and comes through from xdist's workers.

    `talking` are the tests that hold a conversation, `judging` those that may check something.
    """
    problems = [*_wrong_settings(config, talking), *_wrong_markers(judging)]
    problems += [] if problems else _wrong_criteria(judging)
    for nodeid, message in problems or _collisions(talking):
        report = pytest.CollectReport(nodeid, "failed", message, None)
        config.hook.pytest_collectreport(report=report)


def report_unplayed(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Report a test that is to be simulated and would not see its conversation as a collection error."""
    for item in items:
        if not isinstance(item, pytest.Function) or not hasattr(item.function, "__grice_simulated__"):
            continue
        if "request" not in item._fixtureinfo.argnames and _SEES_IT.isdisjoint(item.fixturenames):
            message = (
                f"{item.nodeid} has @simulated and does not ask for `conversation`, so nothing would be "
                f"held: def {item.originalname}(conversation)"
            )
            report = pytest.CollectReport(item.nodeid, "failed", message, None)
            config.hook.pytest_collectreport(report=report)


def report_unmatched_goldens(config: pytest.Config) -> None:
    """Report a pattern of `goldens` that names no file as a collection error."""
    try:
        projects_of(config).named_goldens(config.rootpath)
    except UnmatchedPattern as error:
        report = pytest.CollectReport("goldens", "failed", str(error), None)
        config.hook.pytest_collectreport(report=report)
    except SettingsError:
        return  # said where the settings are used


def _collisions(items: list[pytest.Item]) -> Iterator[tuple[str, str]]:
    first: dict[str, pytest.Item] = {}
    for item in items if len(items) > 1 else ():
        if repeat_of(item) > 1:
            continue
        path = path_of(item)
        known = first.setdefault(path, item)
        if known is item or known.nodeid == item.nodeid:
            continue
        advice = "rename one, or give its module a suite: pytestmark = pytest.mark.grice(suite='...')"
        if getattr(item, "golden", None) is not None:
            advice = "give one of the goldens another id"
        yield (
            item.nodeid,
            f"two tests have one stable id ({path}):\n  {known.nodeid}\n  {item.nodeid}\n{advice}",
        )


def _wrong_settings(config: pytest.Config, items: list[pytest.Item]) -> Iterator[tuple[str, str]]:
    found: dict[str, str] = {}
    for folder in dict.fromkeys(item.path.parent for item in items):
        try:
            projects_of(config).of(folder)
        except SettingsError as error:
            found.setdefault(str(error), folder.name)
    for message, name in found.items():
        yield name, message


def _wrong_markers(items: list[pytest.Item]) -> Iterator[tuple[str, str]]:
    for item in items:
        for mark in item.iter_markers("grice"):
            problem = _problem(mark)
            if problem is not None:
                yield item.nodeid, f"{item.nodeid}: the marker grice takes {problem}"


def _wrong_criteria(items: list[pytest.Item]) -> Iterator[tuple[str, str]]:
    if any(map(_names_criteria, _files_of(items))) or any(map(_declares_criteria, items)):
        from grice.pytest_plugin.criterion_names import criterion_problems

        yield from criterion_problems(items)


def _files_of(items: list[pytest.Item]) -> set[str]:
    """The files in which the tests stand; those of inherited ones too."""
    codes = (getattr(getattr(item, "function", None), "__code__", None) for item in items)
    return {str(item.path) for item in items} | {code.co_filename for code in codes if code is not None}


def _names_criteria(file: str) -> bool:
    """Whether the file may name a criterion: reading it is cheaper than what it takes to look closer."""
    try:
        return b"satisfy" in Path(file).read_bytes()
    except OSError:
        return False


def _declares_criteria(item: pytest.Item) -> bool:
    return next(declared_criteria(item), None) is not None


def _problem(mark: pytest.Mark) -> str | None:
    known = (*_SECONDS, "suite", "record", "criteria", "user", "topics")
    if mark.args:
        return f"only keywords ({', '.join(known)}), found {mark.args[0]!r}"
    for name, value in mark.kwargs.items():
        if name not in known:
            from grice.text import did_you_mean

            return f"{', '.join(known)}, found {name!r}{did_you_mean(name, known)}"
        number = isinstance(value, int | float) and not isinstance(value, bool) and value > 0
        if name in _SECONDS and not number:
            return f"a number of seconds above 0 as {name}, found {value!r}"
        if name == "record" and value not in RECORD_MODES:
            return f"one of {', '.join(RECORD_MODES)} as record, found {value!r}"
        if name == "suite" and not (isinstance(value, str) and value.strip()):
            return f"a text as suite, found {value!r}"
        if name in ("user", "topics"):
            return _wrong_value(name, value)
    return None


def _wrong_value(name: str, value: Any) -> str | None:
    from grice.text import value_text

    if name == "user":
        from grice.users.settings import SimulatedUser

        found = f"a SimulatedUser as user, found {value_text(value)}"
        return None if isinstance(value, SimulatedUser) else found
    from grice.topics.topic import Topic

    good = isinstance(value, list | tuple) and all(isinstance(one, Topic) for one in value)
    return None if good else f"a list of topics as topics, found {value_text(value)}"
