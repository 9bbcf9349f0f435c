"""Agents: how Grice reaches the program that is tested."""

from grice.agents.adapter import BoundAgent, bind_agent, is_made, load_target
from grice.agents.context import AgentContext
from grice.agents.errors import AgentFailed, AgentLoadError, BadReturn, ReturnedNothing
from grice.agents.frameworks import plain_reply
from grice.agents.messages import chat_messages
from grice.agents.response import read_response, read_tool_call
from grice.agents.streamed_responses import is_later, take_all, take_later

__all__ = [
    "AgentContext",
    "AgentFailed",
    "AgentLoadError",
    "BadReturn",
    "BoundAgent",
    "ReturnedNothing",
    "bind_agent",
    "chat_messages",
    "is_later",
    "is_made",
    "load_target",
    "plain_reply",
    "read_response",
    "read_tool_call",
    "take_all",
    "take_later",
]
