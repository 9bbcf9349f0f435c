"""The LLM of one conversation, as judge or user, and the cassette that its answers go through."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from grice.llm import Budget, ScriptedLLM, bind_llm
from grice.matching.protocols import BoundLLM, BudgetSpent, LLMError, missing_reason
from grice.records import LLMRequest, LLMResponse
from grice.text import estimated_tokens

if TYPE_CHECKING:
    from grice.wire.cassettes import Cassette

__all__ = ["SpendingLLM", "UnavailableLLM", "WatchedLLM", "reachable_llm"]


def reachable_llm(
    find_llm: Callable[[], object],
    find_cassette: Callable[[], Cassette] | None,
    kind: Literal["judge", "user"],
) -> BoundLLM:
    """The LLM that is found, or what the cassette has of it.

    A scripted LLM needs no cassette and goes through none. An LLM or a cassette that cannot be had is missed
    when it is asked.
    """
    try:
        llm: BoundLLM = bind_llm(find_llm(), name=f"{kind}_llm")
    except Exception as error:  # settings and fixtures are somebody's
        llm = UnavailableLLM(error, kind)
    if find_cassette is None or isinstance(llm.inner if isinstance(llm, SpendingLLM) else llm, ScriptedLLM):
        return llm
    from grice.wire.cassettes import CassetteLLM

    try:
        return CassetteLLM(llm, find_cassette(), kind)
    except Exception as error:  # so are cassettes and scrub rules
        return UnavailableLLM(error, kind)


class UnavailableLLM:
    """Stands where there is no LLM to be had: asking it raises LLMError that says why."""

    provider = ""
    model = ""

    def __init__(self, error: Exception, kind: Literal["judge", "user"]) -> None:
        self.name = f"no {kind}"
        said = str(error)
        own = type(error).__module__.partition(".")[0] == "grice"
        self._reason = said if own and said else f"{kind}_llm: {type(error).__name__}: {said}".rstrip(": ")
        self.missing = self._reason

    async def ask(self, request: LLMRequest) -> LLMResponse:  # noqa: ARG002 - as every LLM has it
        """Raise LLMError."""
        raise LLMError(self._reason)


class WatchedLLM:
    """An LLM that tells when it was not asked because a budget is spent; a judge makes a verdict of that."""

    def __init__(self, llm: BoundLLM, tell_spent: Callable[[], None]) -> None:
        self._llm = llm
        self._tell_spent = tell_spent
        self.name, self.provider, self.model = llm.name, llm.provider, llm.model
        self.missing = missing_reason(llm)

    async def ask(self, request: LLMRequest) -> LLMResponse:
        """The LLM's answer."""
        try:
            return await self._llm.ask(request)
        except BudgetSpent:
            self._tell_spent()
            raise


class SpendingLLM:
    """An LLM whose answers are paid from a budget: asking it raises BudgetSpent when nothing is left."""

    def __init__(self, llm: BoundLLM, budget: Budget) -> None:
        self.inner = llm
        self._budget = budget
        self.name, self.provider, self.model = llm.name, llm.provider, llm.model
        self.missing = missing_reason(llm)

    async def ask(self, request: LLMRequest) -> LLMResponse:
        """The LLM's answer, counted; tokens that it does not report are estimated."""
        self._budget.check_left()
        response = await self.inner.ask(request)
        told = response.metadata
        if not told.replayed:
            read, written = told.input_tokens, told.output_tokens
            guessed = read is None or written is None
            if read is None:
                read = sum(estimated_tokens(str(one.get("content", ""))) for one in request.messages)
            self._budget.count(
                told.model or self.model,
                read,
                estimated_tokens(response.text) if written is None else written,
                estimated=guessed,
            )
        return response
