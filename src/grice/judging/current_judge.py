"""The judge of checks outside of any test."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy

from grice.judging.calibration_cards import NO_CARDS, CardShelf
from grice.judging.judge import Judge
from grice.llm import bind_llm
from grice.matching.recording import JUDGE, find_judge, find_recorder


@contextmanager
def use_judge(judge: object) -> Iterator[Judge]:
    """Use this judge, a Judge or an LLM, for the checks in the block; it takes precedence over a test's own.

    One without cards of its own has those of the judge that it stands in for, and what is required of that
    one. Raises LLMConfigError for what is neither.
    """
    made = judge if isinstance(judge, Judge) else Judge(bind_llm(judge))
    if made.cards == NO_CARDS:
        made = copy(made)
        made.cards = _cards_in_force()
    token = JUDGE.set(made)
    try:
        yield made
    finally:
        JUDGE.reset(token)


def _cards_in_force() -> CardShelf:
    """The cards of the judge that would be asked otherwise; none where there is no such judge."""
    try:
        judge = find_judge(find_recorder(""))
    except Exception:  # a fixture or a setting that is wrong: whoever checks with it is told
        return NO_CARDS
    return judge.cards if isinstance(judge, Judge) else NO_CARDS
