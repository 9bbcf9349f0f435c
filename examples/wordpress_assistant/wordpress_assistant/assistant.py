"""The assistant's backend: each step is one request to the model.

The tools live on the client, the WordPress site. A reply that calls tools comes back with its calls pending;
the client runs them and posts their results, which is the next step. The backend keeps nothing between steps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from .chat_format import history_from_chat, tool_round
from .messages import JsonDict, as_object, build_tool_result_messages, history_messages, joined
from .model import ModelError, Transport
from .prompt import build_system_prompt
from .site import TOOLS

History = Sequence[Mapping[str, Any]]

MAX_TOKENS = 1024


class ToolCall(TypedDict):
    """A call that the client has to run."""

    id: str
    name: str
    input: JsonDict


class Step(TypedDict):
    """What the user is to see after one step, and the calls it leaves pending."""

    text: str
    tool_calls: list[ToolCall]
    stop_reason: str | None


class Assistant:
    """Answers the administrator of one site.

    Two switches bring back bugs that this assistant once had. `narrates`: the prompt lets the model announce
    a tool call, and the announcement is shown in one message with what follows the tool. `forgets_user`: the
    model reads a tool's result without the message that asked for it.
    """

    def __init__(
        self,
        transport: Transport,
        *,
        site_profile: Mapping[str, Any] | None = None,
        custom_instructions: str | None = None,
        narrates: bool = False,
        forgets_user: bool = False,
        model: str = "claude-sonnet-4-5",
    ) -> None:
        self.transport = transport
        self.model = model
        self.narrates = narrates
        self.forgets_user = forgets_user
        self.system_prompt = build_system_prompt(
            site_profile=site_profile,
            custom_instructions=custom_instructions,
            narration_rule=not narrates,
        )

    def chat_step(self, history: History, user_message: str) -> Step:
        """Answer the user's message."""
        return self._ask([*history_messages(history), {"role": "user", "content": user_message}])

    def tool_result_step(
        self,
        history: History,
        pending_tool_calls: History,
        tool_results: Sequence[Mapping[str, Any]],
        assistant_text: str | None = None,
    ) -> Step:
        """Go on from the results of the pending calls; the history ends before the message that made them.

        `assistant_text` is the text of the step that left the calls pending.
        """
        if self.forgets_user:
            history = _without_last_user(history or ())
        messages = build_tool_result_messages(history, pending_tool_calls, tool_results)
        return self._ask(messages, said_before=assistant_text)

    def chat(self, messages: History, on_tool_call: object = None) -> JsonDict:
        """The next reply to a conversation in the OpenAI Chat shape: `{"text", "tool_calls"}`.

        The conversation ends with a user message, or with the tool messages that answer its last calls.
        """
        role = messages[-1].get("role") if messages else None
        if role == "user":
            step = self.chat_step(history_from_chat(messages[:-1]), messages[-1]["content"])
        elif role == "tool":
            step = self.tool_result_step(*tool_round(messages))
        else:
            raise ValueError(f"the last message must be from the user or a tool, not {role!r}")
        calls = [
            {"id": call["id"], "name": call["name"], "arguments": call["input"]}
            for call in step["tool_calls"]
        ]
        return {"text": step["text"], "tool_calls": calls}

    def _ask(self, messages: list[JsonDict], said_before: str | None = None) -> Step:
        reply = self.transport(
            {
                "model": self.model,
                "max_tokens": MAX_TOKENS,
                "system": self.system_prompt,
                "tools": TOOLS,
                "messages": messages,
            }
        )
        try:
            return self._read(reply, said_before)
        except (KeyError, TypeError) as error:
            raise ModelError(f"the model's reply has a malformed content block: {error!r}") from error

    def _read(self, reply: Mapping[str, Any], said_before: str | None) -> Step:
        blocks = reply.get("content")
        if not isinstance(blocks, list):
            raise ModelError("the model's reply has no list of content blocks")
        calls: list[ToolCall] = [
            {"id": block["id"], "name": block["name"], "input": as_object(block.get("input"))}
            for block in blocks
            if block["type"] == "tool_use"
        ]
        said = joined(*(block["text"] for block in blocks if block["type"] == "text"))
        text = self._shown(said_before, said, before_a_tool=bool(calls))
        return {"text": text, "tool_calls": calls, "stop_reason": reply.get("stop_reason")}

    def _shown(self, said_before: str | None, said: str, *, before_a_tool: bool) -> str:
        if self.narrates:
            return joined(said_before, said)
        # What was said before a tool ran is never shown: what the tool did was not known then.
        return "" if before_a_tool else said


def _without_last_user(history: History) -> History:
    last = max((i for i, entry in enumerate(history) if entry.get("role") == "user"), default=None)
    return history if last is None else [*history[:last], *history[last + 1 :]]
