"""Ask a judge whether statements contradict each other, where a project has no model for it."""

from __future__ import annotations

from collections.abc import Sequence
from math import nextafter

from grice.claims.entailment import Compared, EntailmentError
from grice.judging.answer_schemas import EntailmentAnswer
from grice.judging.delimiting import Piece, data_of
from grice.judging.judge import Judge
from grice.judging.question import Question

MAX_STATEMENT = 500


class JudgeEntailment:
    """The project's judge in place of an entailment model; its answers go through cassettes like all others.

    It is asked once about all pairs. The score of a pair is the share of its samples that call the pair a
    contradiction, and more than half of them decide.
    """

    name = "judge"
    threshold = nextafter(0.5, 1.0)

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    async def compare(self, pairs: Sequence[tuple[str, str]]) -> Compared:
        """The score of each pair. Raises EntailmentError where a sample is missing."""
        asked = await self._judge.ask(_question(pairs))
        answers = [one for one in asked.answers if one is not None]
        if not answers or len(answers) < len(asked.answers):
            raise EntailmentError(asked.error)
        told = [{one.number for one in answer.pairs if one.contradiction} for answer in answers]
        scores = [sum(number in some for some in told) / len(told) for number in range(1, len(pairs) + 1)]
        return Compared(scores, asked.judgement)


def _question(pairs: Sequence[tuple[str, str]]) -> Question[EntailmentAnswer]:
    shown: list[Piece] = []
    for number, pair in enumerate(pairs, 1):
        shown.append(f"Pair {number}:")
        for which, text in zip(("earlier", "later"), pair, strict=True):
            shown += data_of(text, f'statement="{which}"', MAX_STATEMENT)
    wanted = list(range(1, len(pairs) + 1))

    def problem(answer: EntailmentAnswer) -> str:
        found = [one.number for one in answer.pairs]
        return "" if sorted(found) == wanted else f"pairs: expected one for each of {wanted}, found {found}"

    return Question("entailment", "entailment", EntailmentAnswer, {"pairs": shown}, problem=problem)
