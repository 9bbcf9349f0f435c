"""Gates as declared, and what came of them."""

from __future__ import annotations

from typing import Literal

import msgspec

__all__ = ["Gate", "GateError", "GateReport", "GateResult"]


class GateError(ValueError):
    """Gates are declared wrongly. The message begins with where."""

    __module__ = "grice"


class Gate(msgspec.Struct, frozen=True):
    """One threshold that an operator declared.

    `name` is as in the settings, `completion` or `criteria.friendly`. `limit` is what it may be at least or
    at most, `bound` says which. `baseline` names the experiment it is held against, "" for none. `rule` says
    how sure it has to be: the plain figure (`point`), or its 95 % interval. `origin` says who declared it:
    the settings' place, an option, or a bundle.
    """

    name: str
    limit: float
    bound: Literal["at least", "at most", "below"]
    rule: Literal["point", "shown", "ruled out"] = "point"
    baseline: str = ""
    origin: str = ""


class GateResult(msgspec.Struct, frozen=True):
    """Whether a gate is kept. `missing` says that what it needs was never measured, which fails it.

    `actual` is the figure, None where it is missing; `found` and `wanted` are both in words.
    """

    gate: Gate
    passed: bool
    actual: float | None
    found: str
    wanted: str
    missing: bool = False


class GateReport(msgspec.Struct, frozen=True):
    """All gates of an experiment. It passes when there are gates, and all of them are kept."""

    experiment: str
    results: tuple[GateResult, ...]
    notes: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether every gate is kept."""
        return bool(self.results) and all(one.passed for one in self.results)
