"""Stable ids of tests, the refusal of two tests with one, and the arguments of the marker."""

from __future__ import annotations

from typing import Any

import pytest

__all__ = ["check_identities", "check_markers", "marker_options", "path_of"]

_SECONDS = ("turn_timeout", "timeout")


def check_identities(items: list[pytest.Item]) -> None:
    """Raise pytest.UsageError, naming both, when two tests have one stable id."""
    if len(items) < 2:
        return
    first: dict[str, pytest.Item] = {}
    for item in items:
        path = path_of(item)
        known = first.setdefault(path, item)
        if known is not item and known.nodeid != item.nodeid:
            golden = getattr(item, "golden", None) is not None
            advice = (
                "Give one of the goldens another id."
                if golden
                else "Rename one, or give its module a suite of its own: "
                "pytestmark = pytest.mark.grice(suite='...')"
            )
            raise pytest.UsageError(
                f"two tests have one stable id ({path}):\n  {known.nodeid}\n  {item.nodeid}\n{advice}"
            )


def path_of(item: pytest.Item) -> str:
    """The canonical path of a test, from which its stable id is made: suite, classes, name, parameters."""
    from grice.identity import stable_path

    golden = getattr(item, "golden", None)
    if golden is not None:
        return stable_path("golden", golden.id)
    suite = marker_options(item).get("suite", item.path.stem)
    classes = [node.name for node in item.listchain() if isinstance(node, pytest.Class)]
    name = getattr(item, "originalname", None) or item.name
    callspec = getattr(item, "callspec", None)
    return stable_path(suite, *classes, name, params=callspec.id if callspec is not None else None)


def check_markers(items: list[pytest.Item]) -> None:
    """Raise pytest.UsageError for a marker `grice` with arguments that it does not take."""
    for item in items:
        for mark in item.iter_markers("grice"):
            problem = _problem(mark)
            if problem is not None:
                raise pytest.UsageError(f"{item.nodeid}: the marker grice takes {problem}")


def marker_options(item: pytest.Item) -> dict[str, Any]:
    """What the markers `grice` of a test say, the closest one first."""
    options: dict[str, Any] = {}
    for mark in item.iter_markers("grice"):
        options = {**mark.kwargs, **options}
    return options


def _problem(mark: pytest.Mark) -> str | None:
    known = (*_SECONDS, "suite")
    if mark.args:
        return f"only keywords ({', '.join(known)}), found {mark.args[0]!r}"
    for name, value in mark.kwargs.items():
        if name not in known:
            from grice.text import did_you_mean

            return f"{', '.join(known)}, found {name!r}{did_you_mean(name, known)}"
        number = isinstance(value, int | float) and not isinstance(value, bool) and value > 0
        if name in _SECONDS and not number:
            return f"a number of seconds above 0 as {name}, found {value!r}"
        if name == "suite" and not (isinstance(value, str) and value.strip()):
            return f"a text as suite, found {value!r}"
    return None
