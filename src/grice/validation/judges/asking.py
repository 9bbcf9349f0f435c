"""Asking a judge about many items."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from grice.judging.criterion import Criterion
from grice.judging.judge import Judge
from grice.matching.matcher import Matcher
from grice.records import Verdict
from grice.validation.judges.items import Item

__all__ = ["Judged", "ask_about", "judged_named"]


class Judged(msgspec.Struct, frozen=True):
    """What is measured: a matcher that a judge answers, and by what name its card goes.

    `name` is the criterion's, or the prompt's (`naturalness`). `fingerprint` is the criterion's, "" without
    one. `gate` is the score wanted, None for yes/no.
    """

    name: str
    matcher: Matcher[Any]
    criterion: Criterion | None = None
    gate: float | None = None

    @property
    def fingerprint(self) -> str:
        """Of the criterion; "" without one."""
        return "" if self.criterion is None else self.criterion.fingerprint


def judged_named(name: str, criteria: Mapping[str, Criterion]) -> Judged:
    """The criterion of that name, or the judge of quality: naturalness, guidance, context_use.

    Raises LookupError, with the nearest right name.
    """
    raise NotImplementedError


def ask_about(
    judge: Judge,
    judged: Judged,
    items: Sequence[Item],
    *,
    samples: int = 1,
    concurrency: int = 20,
    tell: Callable[[Item, int, Verdict], None] | None = None,
) -> list[tuple[Verdict, ...]]:
    """The verdicts on every item, one a sample, in order. `tell` hears of each as it comes.

    A judge that gives no answer is a verdict `error`. Never raises for one.
    """
    raise NotImplementedError
