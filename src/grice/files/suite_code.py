"""What of a suite names code, an address or a file, and whether another version of it names another one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any, get_type_hints

from grice.files.locate import JsonPath
from grice.identity import scenario_key
from grice.matching.assertions.registry import find_matcher, is_built_in
from grice.matching.matcher import ArgumentError, MatcherFactory
from grice.records import JsonValue
from grice.typed import Problem, within

_HEAD = ("agent", "state", "prompt", "matchers")
_SCENARIO = ("agent", "state", "each")
_CHECKS = ("expect", "evaluate")

Fields = Mapping[str, Any]


def changed_code(old: Fields, new: Fields) -> list[Problem]:
    """What the new version of a suite names that the old one does not, or names no more.

    Scenarios are the same by their keys. One that is taken away names nothing.
    """
    found = [_changed(name) for name in _HEAD if old.get(name) != new.get(name)]
    known = {_key(one): one for one in _objects(old.get("scenarios"))}
    for index, scenario in enumerate(_objects(new.get("scenarios"))):
        before = known.get(_key(scenario), {})
        found += within(("scenarios", index), changed_code_of_scenario(before, scenario))
    return found


def changed_code_of_scenario(old: Fields, new: Fields) -> list[Problem]:
    """The same of a scenario."""
    found = [_changed(name) for name in _SCENARIO if old.get(name) != new.get(name)]
    known = [text for _, text in _files_of(old)]
    for place, text in _files_of(new):
        if text not in known:
            found.append(_changed(*place))
    return found


def _changed(*place: str | int) -> Problem:
    return Problem(place, "it names code, an address or a file, which can be read here and not changed")


def _objects(value: JsonValue) -> list[Fields]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _key(scenario: Fields) -> str:
    try:
        return scenario_key(scenario)
    except (TypeError, ValueError, RecursionError):
        return ""  # it is told as wrong


def _files_of(scenario: Fields) -> Iterator[tuple[JsonPath, str]]:
    """The files that the checks of a scenario name, and where."""
    turns = scenario.get("turns")
    for name in _CHECKS:
        yield from _files_in(scenario.get(name), (name,))
    for index, turn in enumerate(turns if isinstance(turns, list) else ()):
        if isinstance(turn, dict):
            for name in _CHECKS:
                yield from _files_in(turn.get(name), ("turns", index, name))


def files_for_own_matchers(check: JsonValue) -> Iterator[str]:
    """The fields of a check that give a file to a matcher which is not built in, and reads it as it likes."""
    for place, _ in _files_in(check, (), lambda name: not is_built_in(name) and _takes_files(name)):
        yield str(place[0])


def _files_in(
    value: JsonValue, place: JsonPath, takes_files: Callable[[str], bool] | None = None
) -> Iterator[tuple[JsonPath, str]]:
    """The files in checks, and in the matchers that these are given."""
    if isinstance(value, list):
        for index, one in enumerate(value):
            yield from _files_in(one, (*place, index), takes_files)
    elif isinstance(value, dict):
        name = value.get("matcher")
        if isinstance(name, str) and (takes_files or _takes_files)(name):
            for field in ("expected", "options"):
                yield from _texts(value.get(field), (*place, field))
        for field, one in value.items():
            yield from _files_in(one, (*place, field), takes_files)


def _texts(value: JsonValue, place: JsonPath, depth: int = 2) -> Iterator[tuple[JsonPath, str]]:
    """The texts that may be a path: an argument, or one of a list of them; not those of objects in lists."""
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, list) and depth:
        for index, one in enumerate(value):
            if not isinstance(one, dict):
                yield from _texts(one, (*place, index), depth - 1)
    elif isinstance(value, dict) and depth:
        for name, one in value.items():
            yield from _texts(one, (*place, name), depth - 1)


def _takes_files(name: str) -> bool:
    """Whether an argument of the matcher may be the path of a file."""
    with suppress(ArgumentError):
        return _may_be_path(find_matcher(name))
    return False


@lru_cache(maxsize=1_024)
def _may_be_path(factory: MatcherFactory[Any, Any]) -> bool:
    hints: dict[str, Any] = {name: one.annotation for name, one in factory.parameters.items()}
    with suppress(NameError):
        hints |= get_type_hints(factory.function, include_extras=True)
    return any("Path" in str(hints[name]) for name in factory.parameters)
