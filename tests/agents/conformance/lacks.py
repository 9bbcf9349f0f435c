"""What an adapter does not do, by the check that it does not pass, and why: the table of the docs says it."""

LACKS: dict[str, dict[str, str]] = {
    "LangGraph": {},
    "LangGraph with a checkpointer": {},
    "Pydantic AI": {},
    "OpenAI Agents SDK": {"tool_error": "the SDK makes a text of the error, which stands as the result"},
    "Google ADK": {"structured": "ADK gives structured output as text"},
}
