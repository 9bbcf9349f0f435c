"""The judge of one conversation: an LLM, criteria, and the cassette that its answers go through."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from grice.judging.criterion import CriterionLevel
from grice.judging.judge import Judge
from grice.running.llms import UnavailableLLM, reachable_llm

if TYPE_CHECKING:
    from grice.running.settings import Settings
    from grice.wire.cassettes import Cassette

__all__ = ["make_judge"]


def make_judge(
    find_llm: Callable[[], object],
    find_cassette: Callable[[], Cassette] | None,
    criteria: CriterionLevel,
    settings: Settings,
) -> Judge:
    """The judge that asks the LLM that is found, or plays what the cassette has of it.

    A prompt that cannot be used is missed where an LLM is to be asked, as an LLM that cannot be had: code
    judges all the same.
    """
    llm = reachable_llm(find_llm, find_cassette, "judge")
    samples, prompts = settings.judge_samples, settings.judge_prompts
    try:
        return Judge(llm, criteria=criteria, samples=samples, prompts=prompts)
    except LookupError as error:
        wrong = settings.problem_with("judge_prompts", str(error))
        return Judge(UnavailableLLM(wrong, "judge"), criteria=criteria, samples=samples)
