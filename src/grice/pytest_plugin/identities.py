"""Stable ids of tests, and the refusal of two tests with one."""

from __future__ import annotations

import pytest

from grice.identity import stable_path

__all__ = ["check_identities", "path_of"]


def check_identities(items: list[pytest.Item]) -> None:
    """Raise pytest.UsageError, naming both, when two tests have one stable id."""
    first: dict[str, pytest.Item] = {}
    for item in items:
        path = path_of(item)
        known = first.setdefault(path, item)
        if known is not item and known.nodeid != item.nodeid:
            raise pytest.UsageError(
                f"two tests have one stable id ({path}):\n  {known.nodeid}\n  {item.nodeid}\n"
                "Rename one, or give its module a suite of its own: "
                "pytestmark = pytest.mark.grice(suite='...')"
            )


def path_of(item: pytest.Item) -> str:
    """The canonical path of a test, from which its stable id is made: suite, classes, name, parameters."""
    golden = getattr(item, "golden", None)
    if golden is not None:
        return stable_path("golden", golden.id)
    mark = next((mark for mark in item.iter_markers("grice") if "suite" in mark.kwargs), None)
    suite = mark.kwargs["suite"] if mark is not None else item.path.stem
    classes = [node.name for node in item.listchain() if isinstance(node, pytest.Class)]
    name = getattr(item, "originalname", None) or item.name
    callspec = getattr(item, "callspec", None)
    return stable_path(suite, *classes, name, params=callspec.id if callspec is not None else None)
