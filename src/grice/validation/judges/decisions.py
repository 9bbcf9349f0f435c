"""The decision of a judge on each item, over all its answers, beside what people say."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import cast

import msgspec

from grice.judging.voting import median, score_text, winner
from grice.text import shorten
from grice.validation.judges.gold_labels import Gold, binary
from grice.validation.judges.items import LabelValue
from grice.validation.judges.labels import is_number
from grice.validation.judges.verdict_log import Answer

KEY = "grice"
_DIGITS = 13
_MAX_KEY = 60


class SplitError(ValueError):
    """A split that divides nothing."""


class Split(msgspec.Struct, frozen=True):
    """How items are divided: a share of their clusters is for tuning (dev), the rest is held out.

    Which is which follows from a hash of the `key` and the cluster alone: it is the same in every run, on
    every machine, and items of one cluster are never on both sides.
    """

    key: str = KEY
    dev: float = 0.5

    def is_dev(self, cluster: str) -> bool:
        """Whether items of the cluster are for tuning."""
        digest = hashlib.sha256(f"{self.key}\n{cluster}".encode("utf-8", "backslashreplace")).hexdigest()
        return Fraction(int(digest[:_DIGITS], 16), 16**_DIGITS) < self.dev

    def __str__(self) -> str:
        return f"{self.key}={self.dev:g}"


def read_split(given: str) -> Split:
    """The split of `KEY=SHARE`, `SHARE` or `KEY`; half is for tuning unless it says so. Raises SplitError."""
    key, separator, share = given.rpartition("=")
    if not separator:
        key, share = (KEY, given) if _number(given) is not None else (given, "0.5")
    number = _number(share)
    if not key or len(key) > _MAX_KEY or not key.isprintable() or number is None or not 0 <= number < 1:
        raise SplitError(
            "--split is KEY=SHARE, such as v2=0.5, with the share of items that are for tuning, "
            f"from 0 to less than 1; found {shorten(ascii(given), 100)}"
        )
    return Split(key, number)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


class Decision(msgspec.Struct, frozen=True):
    """The result on one item: the judge's answers, its decision, and that of most people.

    `value` is None where the judge gave no answer or its votes are tied, and `why` says which. `votes` are
    the values of the samples, those with the order swapped apart in `swapped`. `score` is the median,
    `right` what people say as it counts at the gate. `broken` says that the judge gave no answer at all.
    """

    item: str
    cluster: str
    gold: Gold
    right: LabelValue
    value: LabelValue | None
    dev: bool
    score: float | None = None
    votes: tuple[LabelValue, ...] = ()
    swapped: tuple[LabelValue, ...] = ()
    reason: str = ""
    why: str = ""
    broken: bool = False
    has_both_orders: bool = False
    text: str = ""

    @property
    def agrees(self) -> bool:
        """Whether the judge decides as most people do."""
        return self.value is not None and self.value == self.right


def decision_of(
    gold: Gold, answers: Sequence[Answer], *, gate: float | None, cluster: str, split: Split, text: str = ""
) -> Decision:
    """Decide from the judge's answers: yes, no or a choice by majority, scores by their median.

    Answers in the order of the item count; those in the other order only where there are no others.
    """
    given = [one for one in answers if not one.swapped]
    counted = given or list(answers)
    values = [_value(one, gate) for one in counted]
    scores = [score for one in counted if (score := _score(one)) is not None]
    score = median(scores) if scores else None
    value = _decided(values, gate)
    if gate is not None and score is not None:
        value = score >= gate
    return Decision(
        item=gold.item,
        cluster=cluster,
        gold=gold,
        right=binary(gold.value, gate),
        value=value,
        dev=split.is_dev(cluster),
        score=score,
        votes=tuple(one for one in values if one is not None),
        swapped=tuple(v for one in answers if one.swapped and (v := _value(one, gate)) is not None),
        reason=_reason(counted, values, value),
        why="" if value is not None else _why_not(counted, values),
        broken=value is None and not any(one is not None for one in values),
        has_both_orders=bool(given) and len(given) < len(answers),
        text=text,
    )


def _value(answer: Answer, gate: float | None) -> LabelValue | None:
    """What an answer comes to; a score that nobody wants anything of stays one."""
    if gate is not None and answer.score is not None and answer.value is not None:
        return answer.score >= gate
    return None if answer.value is None else binary(answer.value, gate)


def _score(answer: Answer) -> float | None:
    """The score that was given; of an answer that is nothing but a score, that."""
    return answer.value if answer.score is None and is_number(answer.value) else answer.score


def _decided(values: Sequence[LabelValue | None], gate: float | None) -> LabelValue | None:
    numbers = [one for one in values if isinstance(one, float)]
    if gate is None and numbers and len(numbers) == len(values):
        return median(numbers)
    return cast("LabelValue | None", winner([one for one in values if one is not None]))


def _reason(answers: Sequence[Answer], values: Sequence[LabelValue | None], value: LabelValue | None) -> str:
    """Why it was decided so: what the first answer says that voted for it."""
    pairs = zip(answers, values, strict=True)
    reasons = [one.reason for one, voted in pairs if one.reason and (voted == value or value is None)]
    return next(iter(reasons), "")


def _why_not(answers: Sequence[Answer], values: Sequence[LabelValue | None]) -> str:
    votes = [one for one in values if one is not None]
    if votes:
        counts = {one: votes.count(one) for one in votes}
        return f"the votes are tied: {', '.join(f'{count} {_word(one)}' for one, count in counts.items())}"
    return next((one.error for one in answers if one.error), "there is no verdict on it")


def _word(value: LabelValue) -> str:
    if isinstance(value, bool):
        return "pass" if value else "fail"
    return value if isinstance(value, str) else score_text(value)


def answers_by_item(answers: Iterable[Answer]) -> Mapping[str, list[Answer]]:
    """The answers by item, in their order."""
    found: dict[str, list[Answer]] = {}
    for one in answers:
        found.setdefault(one.item, []).append(one)
    return found
