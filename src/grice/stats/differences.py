"""The difference between two experiments over the same scenarios, with its interval."""

from __future__ import annotations

import msgspec


class PairedSums(msgspec.Struct, frozen=True):
    """The values of one scenario in both experiments: their sums and numbers.

    For a rate the values are 1 and 0, for a mean any numbers: `baseline` 2.0 of `baseline_n` 3 are two passes
    in three repeats. Both counts are at least 1.
    """

    baseline: float
    baseline_n: int
    current: float
    current_n: int


class Difference(msgspec.Struct, frozen=True):
    """`value` is the current mean minus that of the baseline, with its 95 % interval from `low` to `high`.

    `p` is the probability of a difference so large, either way, if nothing had changed. `test` names how it
    was found, `why` says in words why so. `n` is the number of scenarios, `changed` of those in which the two
    differ. `low`, `high` and `p` are None where too little is known, and `why` says what is missing.
    """

    value: float
    low: float | None
    high: float | None
    p: float | None
    n: int
    changed: int
    test: str
    why: str
