"""Who answers the prompt of a suite: one call of an LLM, or the scenario's script."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from grice.agents import AgentContext, AgentLoadError
from grice.files.prompt_files import PromptFile
from grice.files.settings_files import SettingsError
from grice.matching.protocols import BoundLLM, LLMError, missing_reason
from grice.records import AgentResponse, Exchange, JsonValue, LLMRequest, LLMResponse
from grice.running.projects import Projects, path_at
from grice.wire.dialects import SINK

_DIALECT = "openai_chat"
_MAX_TOKENS = 4096


def target_of(
    file: str, own: object, prompt: PromptFile | None, projects: Projects, find_llm: Callable[[], object]
) -> object:
    """The agent of a golden or scenario: the command line's, else who answers its prompt, else its own.

    `find_llm` finds the LLM that answers prompts. Raises AgentLoadError, and SettingsError.
    """
    if prompt is None or projects.names_agent:
        return projects.agent_for(path_at(file), own)
    return PromptAgent(prompt, find_llm)


class PromptAgent:
    """Sends what it is told to the LLM that `find_llm` finds, without a system prompt and without tools.

    A scenario with a `model` of its own is answered by that script, and no LLM is looked for.
    """

    def __init__(self, prompt: PromptFile, find_llm: Callable[[], object]) -> None:
        self._prompt = prompt
        self._find_llm = find_llm

    def build(self, context: AgentContext) -> PromptConversation:
        """The agent for one conversation. Raises AgentLoadError where no LLM can be had."""
        scripted = isinstance(context.scenario, dict) and "model" in context.scenario
        llm = None if scripted else self._llm()
        return PromptConversation(self._prompt, context, llm)

    def _llm(self) -> BoundLLM:
        from grice.llm import LLMConfigError, bind_llm

        try:
            return bind_llm(self._find_llm(), name="prompt_llm")
        except (LLMConfigError, SettingsError) as error:
            raise AgentLoadError(str(error)) from error


class PromptConversation:
    """One conversation of a PromptAgent."""

    needs_asyncio = True

    def __init__(self, prompt: PromptFile, context: AgentContext, llm: BoundLLM | None) -> None:
        self._prompt = prompt
        self._context = context
        self._llm = llm

    def metadata(self) -> dict[str, JsonValue]:
        """What the record keeps of the prompt, and of who answers it."""
        model = "scripted" if self._llm is None else self._llm.model or self._llm.name
        said = {"prompt": self._prompt.path, "fingerprint": self._prompt.fingerprint}
        return {"type": "prompt", **said, "model": model}

    async def chat(self, messages: list[dict[str, Any]]) -> AgentResponse:
        """The answer to the messages. Raises LLMError where there is none."""
        if self._llm is not None:
            return await self._asked(self._llm, messages)
        from grice.agents.openai_reply import read_completion

        model = self._context.model
        assert model is not None  # as every scenario has one
        return read_completion(model.respond({"model": "scripted", "messages": messages}, _DIALECT))

    async def _asked(self, llm: BoundLLM, messages: list[dict[str, Any]]) -> AgentResponse:
        if missing_reason(llm):
            raise LLMError(
                f"no LLM is configured to answer {self._prompt.path}: set prompt_llm = "
                '"provider:model" in grice.toml (in pyproject.toml under [tool.grice]), write a fixture '
                "named prompt_llm, or script the answer in the scenario's 'model'"
            )
        if not all(one.keys() <= {"role", "content"} and isinstance(one["content"], str) for one in messages):
            raise LLMError("the history of a prompt holds texts only, no calls of tools and nothing attached")
        request = LLMRequest(
            tuple(messages), "prompt", subject=self._context.test_name, max_tokens=_MAX_TOKENS
        )
        started = time.monotonic()
        try:
            response = await llm.ask(request)
        except BaseException as error:
            self._keep(llm, messages, None, time.monotonic() - started, f"{error}" or type(error).__name__)
            raise
        self._keep(llm, messages, response, time.monotonic() - started)
        told = response.metadata
        metadata: dict[str, JsonValue] = {}
        if told.stop_reason in ("length", "max_tokens"):
            metadata["finish_reason"] = told.stop_reason
        return AgentResponse(response.text or told.refusal, metadata=metadata)

    def _keep(
        self,
        llm: BoundLLM,
        messages: list[dict[str, Any]],
        response: LLMResponse | None,
        seconds: float,
        error: str | None = None,
    ) -> None:
        """Record what was asked and answered, in the shape of Chat Completions."""
        sink = SINK.get()
        if sink is None:
            return
        body: dict[str, JsonValue] = {"model": llm.model or llm.name, "messages": list(messages)}
        exchange = Exchange(body, _reply_body(response), _DIALECT, duration=seconds, error=error)
        sink.add_exchange(exchange, self)


def _reply_body(response: LLMResponse | None) -> dict[str, JsonValue] | None:
    """The answer as the body of a completion; tokens as far as they are known."""
    if response is None:
        return None
    told = response.metadata
    message: dict[str, JsonValue] = {"role": "assistant", "content": response.text}
    choice: dict[str, JsonValue] = {
        "index": 0,
        "message": message,
        "finish_reason": told.stop_reason or "stop",
    }
    body: dict[str, JsonValue] = {"model": told.model, "choices": [choice]}
    if told.input_tokens is not None and told.output_tokens is not None:
        body["usage"] = {"prompt_tokens": told.input_tokens, "completion_tokens": told.output_tokens}
    return body
