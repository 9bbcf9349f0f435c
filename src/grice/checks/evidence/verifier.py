"""The interface of a verifier: what decides the claims that the rules leave undecided."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated, Literal, Protocol, get_args

import msgspec

from grice.matching.context import Context
from grice.matching.matcher import ArgumentError
from grice.records import Judgement
from grice.text import value_text

Answer = Literal["supported", "contradicted", "unsupported"]
"""What the facts say of a claim. What nobody can tell is None."""


class Verified(msgspec.Struct, frozen=True):
    """An answer with its reason, and how an LLM came to it."""

    answer: Answer | None
    reason: str = ""
    judgement: Judgement | None = None


Asked = Callable[[str, Sequence[str]], Answer | Verified | Awaitable[Answer | Verified | None] | None]
"""`asked(claim, facts)`: the claim is a sentence, the facts are lines (`price: 299.99`), nearest first."""


class Bound(Protocol):
    """A verifier that needs to know the check's context: the judge of the test, for instance."""

    def bind(self, ctx: Context) -> Asked:
        """Make the verifier for one check."""
        ...


def _check_verifier(verifier: object) -> None:
    if not callable(verifier) and not callable(getattr(verifier, "bind", None)):
        raise ArgumentError(
            "verifier is a function of a claim and facts, which only Python can give, "
            f"found {value_text(verifier)}"
        )


Verifier = Annotated[Asked | Bound, _check_verifier]
"""A function of a claim and facts, or what makes one for a check, such as
`grice.judging.verifying.ask_judge`.

It is asked only about what the rules found unsupported. It may be async: then all claims are asked at the
same time. None leaves what the rules found; an exception, or any other answer, is an error of the check.
"""

ANSWERS: tuple[Answer, ...] = get_args(Answer)


def answer_of(given: object) -> Verified:
    """Check the answer of a verifier. Raises ValueError for what is none."""
    if isinstance(given, Verified):
        answer_of(given.answer)
        return given
    if given is None:
        return Verified(None)
    for answer in ANSWERS:
        if given == answer:
            return Verified(answer)
    raise ValueError(f"the verifier answers {', '.join(ANSWERS)} or None, found {value_text(given)}")
