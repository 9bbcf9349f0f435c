"""What is said of arguments with which no question can be asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from grice import ExpectationFailed, Outcome, evaluate, expect
from grice.matchers import ArgumentError
from grice.matching.recording import CURRENT


class Nowhere:
    """Takes the verdicts under test, so that they are not those of this test run."""

    name = ""

    def add(self, verdict: Any) -> None:
        pass


def refusal_of(matcher: Callable[..., Any], /, *args: Any, **named: Any) -> str:
    """The text of the exception when the matcher is made with these arguments."""
    with pytest.raises(ArgumentError) as refused:
        matcher(*args, **named)
    assert isinstance(refused.value, ValueError)
    return str(refused.value)


def answers_of(subject: Any, name: str, /, *args: Any, **named: Any) -> set[tuple[Outcome, str]]:
    """Outcome and reason that the methods give, soft and hard, as they are and negated."""
    answers = set()
    token = CURRENT.set(Nowhere())
    try:
        for method in (f"to_{name}", f"not_to_{name}"):
            soft = getattr(evaluate(subject), method)(*args, **named)
            with pytest.raises(ExpectationFailed) as failed:
                getattr(expect(subject), method)(*args, **named)
            hard = failed.value.verdict
            assert (soft.mode, hard.mode) == ("soft", "hard")
            assert soft.negated is hard.negated is method.startswith("not_")
            answers |= {(soft.outcome, soft.reason), (hard.outcome, hard.reason)}
    finally:
        CURRENT.reset(token)
    return answers
