"""Grice tests conversations with chatbots and LLM agents.

Public names load their module at first use, so that `import grice` costs next to nothing. Matchers as values
are in `grice.matchers`.
"""

from grice._lazy import lazy_names
from grice._version import __version__

__getattr__, _names = lazy_names(
    __name__,
    {
        "Agent": "grice.matching.protocols",
        "AgentContext": "grice.agents",
        "AgentFailed": "grice.agents",
        "AgentResponse": "grice.records",
        "Conversation": "grice.records",
        "Evidence": "grice.records",
        "Exchange": "grice.records",
        "ExpectationFailed": "grice.matching.failure",
        "FormatError": "grice.formats",
        "GoldenErrors": "grice.suites.goldens",
        "LiveConversation": "grice.running.live",
        "LoopIsRunning": "grice.running.live",
        "Message": "grice.records",
        "Outcome": "grice.records",
        "Reply": "grice.records",
        "Result": "grice.records",
        "ScriptedModel": "grice.wire",
        "ToolAnswer": "grice.running.tool_answers",
        "ToolCall": "grice.records",
        "ToolsError": "grice.running.tool_answers",
        "Turn": "grice.records",
        "UnrecordedVerdict": "grice.matching.expectation",
        "UnscriptedRequest": "grice.wire",
        "UnusedReplies": "grice.wire",
        "Verdict": "grice.records",
        "decode_conversation": "grice.records",
        "encode_conversation": "grice.records",
        "evaluate": "grice._expectations",
        "expect": "grice._expectations",
        "load_goldens": "grice.suites.goldens",
        "read_conversation": "grice.formats",
        "run_golden": "grice.running.golden",
        "to_anthropic": "grice.formats",
        "to_openai_chat": "grice.formats",
        "to_openai_responses": "grice.formats",
        "tool_use": "grice.wire",
        "validate_response": "grice.checks.tool_flow",
    },
)

__all__ = [*_names, "__version__"]  # pyright: ignore[reportUnsupportedDunderAll]


def __dir__() -> list[str]:
    return sorted(__all__)
