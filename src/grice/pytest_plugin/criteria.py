"""The criteria that hold for a test: its project's, and those declared on its module, classes and itself."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import pytest

from grice.pytest_plugin.projects import llms_of

if TYPE_CHECKING:
    from grice.judging.criterion import Criterion, CriterionLevel


def criteria_of(item: pytest.Item) -> Mapping[str, Criterion]:
    """The criteria by name, outermost first; an inner one of the same name wins. Raises CriterionError."""
    from grice.judging.criterion import collect_criteria

    return collect_criteria(llms_of(item.config).criteria(item.path), *declared_criteria(item))


def criteria_beside(items: Iterable[pytest.Item]) -> Iterator[Criterion]:
    """The criteria that stand in the modules and classes of the tests, which may use them as they are.

    Those that a test makes in its body are not known before it runs.
    """
    from grice.judging.criterion import criteria_among

    nodes = {node: None for item in items for node in item.listchain()}
    for node in nodes:
        found = getattr(node, "obj", None)
        if isinstance(node, pytest.Module):
            yield from criteria_among(list(vars(found).values()))
        elif isinstance(node, pytest.Class) and isinstance(found, type):
            for base in found.__mro__:
                yield from criteria_among(list(vars(base).values()))


def declared_criteria(item: pytest.Item) -> Iterator[CriterionLevel]:
    """What `pytest.mark.grice(criteria=...)` and class attributes `criteria` declare, outermost first.

    An attribute without any criterion in it is somebody else's.
    """
    for node in item.listchain():
        cls = getattr(node, "obj", None) if isinstance(node, pytest.Class) else None
        for base in reversed(cls.__mro__) if isinstance(cls, type) else ():
            level = vars(base).get("criteria")
            if level is not None and _has_criteria(level):
                yield level
        for mark in node.own_markers:
            if mark.name == "grice" and "criteria" in mark.kwargs:
                yield mark.kwargs["criteria"]


def _has_criteria(level: object) -> bool:
    from grice.judging.criterion import Criterion

    values = level.values() if isinstance(level, Mapping) else level
    return any(
        isinstance(one, Criterion) for one in (values if isinstance(values, Collection) else (values,))
    )
