"""An LLM whose answers are recorded and replayed."""

from __future__ import annotations

from typing import Literal

import msgspec

from grice.matching.protocols import BoundLLM, LLMError, missing_reason
from grice.records import JsonValue, LLMRequest, LLMResponse
from grice.wire.cassettes.cassette import Call, Cassette, unreadable


class CassetteLLM:
    """A BoundLLM whose answers come from a cassette, or from `llm` and then go into it.

    Played answers keep the recorded model, tokens and time. Errors are not recorded. Without an `llm` only
    recorded answers are there. An LLM that does not say its provider and model, such as the one that stands
    where none is configured, is taken for the recorded one.
    """

    def __init__(self, llm: BoundLLM | None, cassette: Cassette, kind: Literal["judge", "user"]) -> None:
        self._llm = llm
        self._cassette = cassette
        self._kind: Literal["judge", "user"] = kind
        recorded = cassette.model_of(kind)
        self.name = llm.name if llm is not None else f"the recorded {kind}"
        named = (llm.provider, llm.model) if llm is not None else ("", "")
        self.provider, self.model = named if any(named) else recorded
        self.missing = "" if cassette.has(kind) else missing_reason(llm)
        """Why there is neither an LLM nor an answer of one, "" where there is."""

    async def ask(self, request: LLMRequest) -> LLMResponse:
        """The recorded answer, else that of the LLM. Raises LLMError, NotRecorded when no cassette has it."""
        if self._llm is not None and self._kind not in self._cassette.kinds:
            return await self._llm.ask(request)
        call = self._cassette.begin(self._kind, self._sent(request), request.purpose, request.subject)
        if call.replayed:
            return _played(call)
        if self._llm is None:
            raise LLMError(f"no LLM is configured as {self._kind}, and no cassette has its answer")
        response = await self._llm.ask(request)
        call.record(msgspec.to_builtins(response))
        return response

    def _sent(self, request: LLMRequest) -> dict[str, JsonValue]:
        """What is asked, without tags; `max_tokens` is always there, since its default may change."""
        sent = {"provider": self.provider, "model": self.model, **msgspec.to_builtins(request)}
        return {name: sent[name] for name in sent if name not in ("purpose", "subject")} | {
            "max_tokens": request.max_tokens
        }


def _played(call: Call) -> LLMResponse:
    try:
        response = msgspec.convert(call.response, LLMResponse)
    except msgspec.ValidationError as error:
        raise unreadable(call, "an LLM", error) from error
    metadata = msgspec.structs.replace(response.metadata, replayed=True)
    return msgspec.structs.replace(response, metadata=metadata)
