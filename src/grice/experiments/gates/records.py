"""Gates as declared, and what came of them."""

from __future__ import annotations

from typing import Literal

import msgspec

FINISHED = "finished"
"""The name of the gate that every experiment has to keep which has any; nobody declares it."""

Bound = Literal["at least", "at most", "below"]
Rule = Literal["point", "shown", "ruled_out"]
"""How sure it has to be. `point`: the plain figure decides. `shown`: the gate fails only when the whole 95 %
interval is beyond the limit. `ruled_out`: it passes only when no part of the interval is. It is `point` where
nobody says otherwise: with `shown` a figure beyond its limit may pass because little is known."""


class GateError(ValueError):
    """Gates are declared wrongly. The message has a line for each mistake, which begins with where."""

    __module__ = "grice"


class Gate(msgspec.Struct, frozen=True):
    """One threshold that an operator declared.

    `name` is as in the settings, `completion` or `criteria.friendly`. `limit` is what it may be at least or
    at most, `bound` says which: a share from 0 to 1, points from 1 to 5, turns, seconds, tokens or a number,
    as the figure is. `baseline` names the experiment it is held against, "" for none. `rule` says how sure it
    has to be. `origin` says who declared it: the settings, an option, or a bundle. `max_missing` is how much
    of what it counts may be missing: a share below 1, or a number from 1 on.
    """

    name: str
    limit: float
    bound: Bound
    rule: Rule = "point"
    baseline: str = ""
    origin: str = ""
    max_missing: float = 0.0


class GateResult(msgspec.Struct, frozen=True):
    """Whether a gate is kept: its figure keeps the limit, and no more is missing than may be.

    `actual` is the figure, None where nothing was measured; a drop is above 0 where there is less. `missing`
    counts what gave no answer, an error or inconclusive. `low` and `high` are the 95 % interval of the
    figure. `open` says that the gate is kept though the figure is beyond the limit, which may be chance;
    `applies` is false where all its checks were skipped. `found`, `wanted` and `interval` are in words; there
    the interval of a drop is that of the change, below 0 where there is less.
    """

    gate: Gate
    passed: bool
    actual: float | None
    found: str
    wanted: str
    missing: int = 0
    open: bool = False
    applies: bool = True
    low: float | None = None
    high: float | None = None
    interval: str = ""

    @property
    def max_missing(self) -> float:
        """How much may be missing: a share below 1, or a number from 1 on."""
        return self.gate.max_missing


class GateReport(msgspec.Struct, frozen=True):
    """All gates of an experiment. It passes when there are gates, and all of them are kept.

    The first of the results is that of `finished` where the experiment is not whole. `newly_failing` are the
    keys of tests and scenarios that passed in the baseline of a gate and fail now, `failing` of those that
    passed in no attempt.
    """

    experiment: str
    results: tuple[GateResult, ...]
    notes: tuple[str, ...] = ()
    newly_failing: tuple[str, ...] = ()
    failing: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether every gate is kept."""
        return bool(self.results) and all(one.passed for one in self.results)

    @property
    def declared(self) -> tuple[GateResult, ...]:
        """The results of the gates that somebody declared."""
        return tuple(one for one in self.results if one.gate.name != FINISHED)

    @property
    def whole(self) -> bool:
        """Whether everything was measured, or that is not asked for."""
        return len(self.declared) == len(self.results)
