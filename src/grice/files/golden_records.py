"""Goldens: recorded conversations with scripted model replies and assertions."""

from __future__ import annotations

from typing import Literal

import msgspec

from grice.records import JsonValue

__all__ = ["Assertions", "FinalText", "Golden", "GoldenTurn", "ScriptedReply", "ToolResultStep", "Validator"]

Step = Literal["chat", "tool-result"]


class ScriptedReply(msgspec.Struct, frozen=True):
    """What the model answers to one request: Anthropic content blocks, or a text."""

    step: Step
    content: JsonValue
    stop_reason: str | None = None


class FinalText(msgspec.Struct, frozen=True):
    """What is asserted of the last text of the turn."""

    contains: tuple[str, ...] = ()
    not_contains: tuple[str, ...] = ()
    max_sentences: int | None = None
    equals: str | None = None


class ToolResultStep(msgspec.Struct, frozen=True):
    """What is asserted of the messages sent to the model in a tool-result step.

    `user_message` says whether the turn's user message is in them; None asks nothing. `tool_results` names
    the ids whose results must be there.
    """

    user_message: bool | None = None
    tool_results: tuple[str, ...] = ()


class Validator(msgspec.Struct, frozen=True):
    """What the response validator is expected to say. `tool_status` None is the turn's last one.

    `profile` is that of the rule: the seed's five patterns, or the robust one.
    """

    expect_valid: bool
    tool_status: Literal["success", "pending", "error", "none"] | None = None
    profile: Literal["seed", "robust"] = "seed"


class Assertions(msgspec.Struct, frozen=True):
    """Everything asserted of one turn: of each tool-result step, or of `every_step`.

    `lint_ignore` names rules of the message-array lint that do not count; None switches it off.
    """

    final_text: FinalText = FinalText()
    tool_result_steps: tuple[ToolResultStep | None, ...] = ()
    every_step: ToolResultStep | None = None
    validator: Validator | None = None
    lint_ignore: tuple[str, ...] | None = ()

    @property
    def empty(self) -> bool:
        """Whether nothing is asserted."""
        steps = (*self.tool_result_steps, self.every_step)
        nothing = all(step is None or step == ToolResultStep() for step in steps)
        return nothing and self.final_text == FinalText() and self.validator is None


class GoldenTurn(msgspec.Struct, frozen=True):
    """One user message, the model's scripted replies, the results of client-side tools, the assertions.

    `path` is where the turn stands in the file.
    """

    user: str
    replies: tuple[ScriptedReply, ...]
    tool_results: tuple[JsonValue, ...] = ()
    assertions: Assertions = Assertions()
    path: tuple[str | int, ...] = ()


class Golden(msgspec.Struct, frozen=True):
    """A recorded conversation. `history` is a message array, `agent` a name such as `module:attribute`."""

    id: str
    turns: tuple[GoldenTurn, ...]
    description: str = ""
    history: tuple[JsonValue, ...] = ()
    agent: str | None = None
    file: str = ""
    line: int = 1
    content: JsonValue = None
