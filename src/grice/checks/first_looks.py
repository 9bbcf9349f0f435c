"""How often each rule was right on examples that its authors had not seen."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from grice.stats.rates import Rate, rate

_FILE = Path(__file__).parent / "first_looks.json"
"""The figures of the last round that was blind, by rule and profile."""


class FirstLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The outcomes of a rule on examples that its authors had not seen.

    Of `n` outcomes `right` were right. `alarms` were fails, of which `right_alarms` were right: so many of
    the `faults` were found.
    """

    right: int
    n: int
    right_alarms: int
    alarms: int
    faults: int

    @property
    def outcomes(self) -> Rate | None:
        """The share of outcomes that were right."""
        return rate(self.right, self.n)

    @property
    def precision(self) -> Rate | None:
        """The share of alarms that were right; None where there were none."""
        return rate(self.right_alarms, self.alarms)

    @property
    def told(self) -> str:
        """`right in 8 of 8 alarms`, `no alarm`."""
        return f"right in {self.right_alarms} of {self.alarms} alarms" if self.alarms else "no alarm"

    def __str__(self) -> str:
        found = f"; found {self.right_alarms} of {self.faults} faults" if self.faults else ""
        return f"{self.told}{found}"


@cache
def _figures() -> dict[str, dict[str, FirstLook]]:
    return msgspec.json.decode(_FILE.read_bytes(), type=dict[str, dict[str, FirstLook]])


def first_look(rule: str, profile: str) -> FirstLook | None:
    """The first look of a rule in a profile; None where there was none."""
    return _figures().get(rule, {}).get(profile)
