"""Grice tests conversations with chatbots and LLM agents.

Public names load their module at first use, so that `import grice` costs next to nothing. Matchers as values
are in `grice.matchers`.
"""

from grice._lazy import lazy_names
from grice._version import __version__

__getattr__, _names = lazy_names(
    __name__,
    {
        "AddressTaken": "grice.wire.fixed",
        "Agent": "grice.matching.protocols",
        "AgentContext": "grice.agents",
        "AgentFailed": "grice.agents",
        "AgentResponse": "grice.records",
        "ArgumentError": "grice.matching.matcher",
        "Assertion": "grice.matching.assertions",
        "AssertionErrors": "grice.matching.assertions",
        "AssertionResult": "grice.matching.results",
        "BadModelRequest": "grice.wire",
        "Conversation": "grice.records",
        "Evaluation": "grice.matching.evaluation",
        "Evidence": "grice.records",
        "Exchange": "grice.records",
        "ExpectationFailed": "grice.matching.failure",
        "ExpectedCall": "grice.matching.call_spec",
        "Fault": "grice.wire",
        "FormatError": "grice.formats",
        "FormatLossWarning": "grice.formats",
        "GoldenErrors": "grice.suites.goldens",
        "HttpAgent": "grice.agents.http_agent",
        "Limits": "grice.matching.limits",
        "LimitsError": "grice.matching.limits",
        "LintFinding": "grice.checks.message_lint",
        "LiveConversation": "grice.running.live",
        "LoadedAssertion": "grice.matching.assertions",
        "LoopIsRunning": "grice.running.portal",
        "Loss": "grice.formats",
        "MISSING": "grice.matching.missing",
        "Message": "grice.records",
        "ModelFault": "grice.wire",
        "OpenAIAgent": "grice.agents.openai_agent",
        "Outcome": "grice.records",
        "PathError": "grice.matching.paths",
        "PatternError": "grice.matching.patterns",
        "PatternSet": "grice.matching.pattern_set",
        "Reply": "grice.records",
        "Result": "grice.records",
        "ScriptedModel": "grice.wire",
        "StubServer": "grice.wire.stub",
        "SubprocessAgent": "grice.agents.subprocess_agent",
        "ToolAnswer": "grice.running.tool_answers",
        "ToolCall": "grice.records",
        "ToolsError": "grice.running.tool_answers",
        "Turn": "grice.records",
        "UnrecordedVerdict": "grice.matching.expectation",
        "UnscriptedRequest": "grice.wire",
        "UnusedReplies": "grice.wire",
        "Verdict": "grice.records",
        "call": "grice.matching.call_spec",
        "decode_conversation": "grice.records",
        "delayed": "grice.wire",
        "encode_conversation": "grice.records",
        "evaluate": "grice._expectations",
        "evaluate_assertions": "grice.matching.evaluation",
        "expect": "grice._expectations",
        "lint_messages": "grice.checks.message_lint",
        "load_assertions": "grice.matching.assertions",
        "load_goldens": "grice.suites.goldens",
        "read_conversation": "grice.formats",
        "read_conversations": "grice.formats",
        "resolve_path": "grice.matching.evaluation",
        "run_golden": "grice.running.golden",
        "structured": "grice.wire",
        "to_adk": "grice.formats",
        "to_anthropic": "grice.formats",
        "to_jsonl": "grice.formats",
        "to_langchain": "grice.formats",
        "to_openai_chat": "grice.formats",
        "to_openai_responses": "grice.formats",
        "to_otel": "grice.formats",
        "to_tau2": "grice.formats",
        "tool_use": "grice.wire",
        "validate_response": "grice.checks.tool_flow",
    },
)

__all__ = [*_names, "__version__"]  # pyright: ignore[reportUnsupportedDunderAll]


def __dir__() -> list[str]:
    return sorted(__all__)
