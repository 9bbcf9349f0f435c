"""A verifier that asks the judge what the rules on evidence leave undecided."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import msgspec

from grice.checks.evidence.verifier import Verified
from grice.judging.answer_schemas import VerifiedAnswer
from grice.judging.delimiting import data_of
from grice.judging.judge import NO_JUDGE, Judge
from grice.judging.question import Question
from grice.judging.voting import winner
from grice.matching.context import Context
from grice.matching.protocols import LLMError
from grice.records import Outcome

MAX_CLAIM = 4_000
MAX_FACTS = 40_000

_BALLOTS = {"supported": Outcome.PASS, "contradicted": Outcome.FAIL, "unsupported": Outcome.INCONCLUSIVE}
_ANSWERS: dict[Outcome, Any] = {outcome: answer for answer, outcome in _BALLOTS.items()}


class AskJudge:
    """A verifier: the test's judge decides by the facts on a claim, with its prompt `verification`.

    Give it to checks on evidence: `be_supported_by(verifier=ask_judge)`.
    """

    __slots__ = ()
    asks_judge: ClassVar[bool] = True

    def __repr__(self) -> str:
        return "ask_judge"

    def bind(self, ctx: Context) -> _Asking:
        """Make the verifier for one check, with the judge of its context."""
        return _Asking(ctx.judge if isinstance(ctx.judge, Judge) else None)


ask_judge = AskJudge()


class _Asking(msgspec.Struct, frozen=True):
    judge: Judge | None

    async def __call__(self, claim: str, facts: Sequence[str]) -> Verified:
        if self.judge is None or self.judge.llm is None:
            raise LLMError(NO_JUDGE)
        values = {
            "claim": data_of(claim, 'from="agent"', MAX_CLAIM),
            "facts": data_of("\n".join(facts), 'from="facts"', MAX_FACTS),
        }
        asked = await self.judge.ask(Question("verification", "verification", VerifiedAnswer, values))
        ballots = [None if one is None else _BALLOTS[one.answer] for one in asked.answers]
        outcome = winner(ballots)
        if outcome is None:
            problem = asked.error or "the votes are tied"
            if asked.judgement.standing is not None and asked.judgement.standing.advisory:
                return Verified(None, problem, asked.judgement)  # who only advises breaks nothing
            raise LLMError(problem)
        chosen = next(one for one in asked.answers if one is not None and _BALLOTS[one.answer] is outcome)
        return Verified(_ANSWERS[outcome], chosen.reasoning, asked.judgement)
