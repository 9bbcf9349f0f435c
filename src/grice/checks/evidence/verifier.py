"""The door for a judge of claims: whoever decides what the rules leave undecided."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Literal, get_args

import msgspec

from grice.records import Judgement
from grice.text import value_text

__all__ = ["ANSWERS", "Answer", "Verified", "Verifier", "answer_of"]

Answer = Literal["supported", "contradicted", "unsupported"]
"""What the facts say of a claim. What nobody can tell is None."""


class Verified(msgspec.Struct, frozen=True):
    """An answer with its reason, and how an LLM came to it."""

    answer: Answer | None
    reason: str = ""
    judgement: Judgement | None = None


Verifier = Callable[[str, Sequence[str]], Answer | Awaitable[Answer | None] | None]
"""`verifier(claim, facts)`: the claim is a sentence, the facts are lines (`price: 299.99`), the
nearest first.

It is asked only about what the rules found unsupported, in the order of the text. It may be async. None
leaves what the rules found; an exception, or any other answer, is an error of the check.
"""

ANSWERS: tuple[Answer, ...] = get_args(Answer)


def answer_of(given: object) -> Answer | None:
    """The answer of a verifier. Raises ValueError for what is none."""
    if given is None:
        return None
    for answer in ANSWERS:
        if given == answer:
            return answer
    raise ValueError(f"the verifier answers {', '.join(ANSWERS)} or None, found {value_text(given)}")
