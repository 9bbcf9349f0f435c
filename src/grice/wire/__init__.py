"""The wire between an agent and its model."""

from grice.wire.dialects import SINK, ExchangeSink
from grice.wire.errors import (
    BadModelRequest,
    ModelFault,
    ScriptError,
    UnofferedCall,
    UnscriptedRequest,
    UnusedReplies,
)
from grice.wire.replies import Fault, ToolUse, delayed, structured, tool_use
from grice.wire.scripted import ScriptedModel

__all__ = [
    "SINK",
    "BadModelRequest",
    "ExchangeSink",
    "Fault",
    "ModelFault",
    "ScriptError",
    "ScriptedModel",
    "ToolUse",
    "UnofferedCall",
    "UnscriptedRequest",
    "UnusedReplies",
    "delayed",
    "structured",
    "tool_use",
]
