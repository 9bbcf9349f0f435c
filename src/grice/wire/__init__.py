"""The wire between an agent and its model."""

from grice.wire.anthropic_messages import ToolUse, tool_use
from grice.wire.exchanges import SINK, ExchangeSink
from grice.wire.scripted import ScriptedModel, ScriptError, UnscriptedRequest, UnusedReplies

__all__ = [
    "SINK",
    "ExchangeSink",
    "ScriptError",
    "ScriptedModel",
    "ToolUse",
    "UnscriptedRequest",
    "UnusedReplies",
    "tool_use",
]
