"""The judge of one conversation: an LLM, criteria, and the cassette that its answers go through."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from grice.judging.criterion import CriterionLevel
from grice.judging.judge import Judge
from grice.llm import ScriptedLLM, bind_llm
from grice.matching.protocols import BoundLLM, LLMError
from grice.records import LLMRequest, LLMResponse

if TYPE_CHECKING:
    from grice.running.settings import Settings
    from grice.wire.cassettes import Cassette

__all__ = ["make_judge"]


def make_judge(
    find_llm: Callable[[], object],
    find_cassette: Callable[[], Cassette],
    criteria: CriterionLevel,
    settings: Settings,
) -> Judge:
    """The judge that asks the LLM that is found, or plays what the cassette has of it.

    A scripted LLM needs no cassette and goes through none. An LLM that cannot be had is missed where no
    cassette has its answer, and a cassette or a prompt that cannot be used where an LLM is to be asked: code
    judges all the same.
    """
    llm = _found(find_llm)
    if not isinstance(llm, ScriptedLLM):
        llm = _through_cassette(llm, find_cassette)
    samples, prompts = settings.judge_samples, settings.judge_prompts
    try:
        return Judge(llm, criteria=criteria, samples=samples, prompts=prompts)
    except LookupError as error:
        wrong = settings.problem_with("judge_prompts", str(error))
        return Judge(_Unavailable(wrong), criteria=criteria, samples=samples)


def _found(find_llm: Callable[[], object]) -> BoundLLM:
    try:
        return bind_llm(find_llm(), name="judge_llm")
    except Exception as error:  # settings and fixtures are somebody's
        return _Unavailable(error)


def _through_cassette(llm: BoundLLM, find_cassette: Callable[[], Cassette]) -> BoundLLM:
    from grice.wire.cassettes import CassetteLLM

    try:
        return CassetteLLM(llm, find_cassette(), "judge")
    except Exception as error:  # so are cassettes and scrub rules
        return _Unavailable(error)


class _Unavailable:
    """Stands where there is no LLM to be had: asking it raises LLMError that says why."""

    name = "no judge"
    provider = ""
    model = ""

    def __init__(self, error: Exception) -> None:
        said = str(error)
        own = type(error).__module__.partition(".")[0] == "grice"
        self._reason = said if own and said else f"judge_llm: {type(error).__name__}: {said}".rstrip(": ")

    async def ask(self, request: LLMRequest) -> LLMResponse:  # noqa: ARG002 - as every LLM has it
        """Raise LLMError."""
        raise LLMError(self._reason)
