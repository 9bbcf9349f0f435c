"""What a test is known by: the canonical path of which its stable id is made, and what markers say of it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from grice.pytest_plugin.repeats import other_ids
from grice.records import Scenario


def marker_options(item: pytest.Item) -> dict[str, Any]:
    """What the markers `grice` of a test say, the closest one first."""
    options: dict[str, Any] = {}
    for mark in item.iter_markers("grice"):
        options = {**mark.kwargs, **options}
    return options


def test_path_of(item: pytest.Item) -> str:
    """The canonical path of a test without its parameters and scenario: suite, classes, name."""
    from grice.identity import stable_path

    return stable_path(*_names(item))


def _names(item: pytest.Item) -> list[str]:
    classes = [node.name for node in item.listchain() if isinstance(node, pytest.Class)]
    suite = marker_options(item).get("suite", item.path.stem)
    return [suite, *classes, getattr(item, "originalname", None) or item.name]


def path_of(item: pytest.Item) -> str:
    """The canonical path of a test, from which its stable id is made: suite, classes, name, parameters."""
    from grice.identity import stable_path

    golden, of_suite = getattr(item, "golden", None), getattr(item, "scenario", None)
    if golden is not None:
        return stable_path("golden", golden.id)
    if of_suite is not None and hasattr(item, "kind"):
        from grice.running.scripted import path_of_scenario

        return path_of_scenario(of_suite)
    ids = other_ids(item)
    callspec = getattr(item, "callspec", None)
    scenario = callspec.params.get("scenario") if callspec is not None else None
    if isinstance(scenario, Scenario):
        from grice.pytest_plugin.scenarios import without_scenario

        params = "-".join(without_scenario(ids, scenario)) or None
        return stable_path(*_names(item), params=_readable(item, params), scenario=scenario.key)
    params = "-".join(ids) if ids else None
    return stable_path(*_names(item), params=_readable(item, params))


def _readable(item: pytest.Item, params: str | None) -> str | None:
    """The id of parameters with letters of all languages as they are, whether pytest escapes them or not.

    White space and control characters are escaped, as pytest does it, so that they make different ids.
    """
    if params is None or (params.isascii() and "\\" not in params and params.isprintable()):
        return params
    if item.config.getini(_UNESCAPED):
        plain = (one if one.isprintable() and one != "\\" else _escaped(one) for one in params)
        return "".join(plain)
    return _ESCAPE.sub(_character, params)


def _character(escape: re.Match[str]) -> str:
    if escape[0] == "\\\\":
        return escape[0]
    character = escape[0].encode("ascii").decode("unicode_escape")
    return character if character.isprintable() and not character.isascii() else escape[0]


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


_UNESCAPED = "disable_test_id_escaping_and_forfeit_all_rights_to_community_support"
_ESCAPE = re.compile(r"\\(?:\\|x[0-9a-f]{2}|u[0-9a-f]{4}|U00(?:0[0-9a-f]|10)[0-9a-f]{4})")
