"""Whether plain assertions of tests are the same on both sides, as far as the code of the tests tells."""

from __future__ import annotations

from collections.abc import Sequence

from grice.experiments.attempts import Attempt
from grice.experiments.comparison.pairing import Pair

__all__ = ["count_other_code"]


def count_other_code(pairs: Sequence[Pair]) -> int:
    """The scenarios whose tests have other code, and assertions of their own on either side.

    A test without any is known by the checks that it makes, whatever else its code does.
    """
    return sum(_codes(one.baseline).isdisjoint(_codes(one.current)) for one in pairs)


def _codes(attempts: Sequence[Attempt]) -> set[str]:
    return {one.asserts for one in attempts}
