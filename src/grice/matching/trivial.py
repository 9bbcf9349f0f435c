"""What passes for a trivial reason, which a verdict is marked with, and `strict` refuses."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from grice.matching.calls.names import meant, name_text
from grice.records import Conversation, Exchange, Outcome, Turn, Verdict

__all__ = ["TRIVIALLY_TRUE", "strictly", "tool_unheard_of"]

TRIVIALLY_TRUE = "trivially true"


def strictly(verdict: Verdict) -> Verdict:
    """The verdict under `strict`: a hard one that is trivially true fails, and says why."""
    if not verdict.trivially_true or verdict.mode == "soft" or verdict.outcome is not Outcome.PASS:
        return verdict
    reason = f"{TRIVIALLY_TRUE}, which strict refuses: {verdict.reason}"
    return replace(verdict, outcome=Outcome.FAIL, reason=reason, trivially_true=False)


def tool_unheard_of(name: str, turns: Sequence[Turn], conversation: Conversation | None) -> str:
    """Why it says nothing that the tool was not called: no request offers it, and no call has the name.

    "" where one does, and where nobody can tell: no request with tools is known, or one offers tools that it
    does not name, such as those of an MCP server.
    """
    everywhere = conversation.turns if conversation is not None else turns
    exchanges = [one for turn in everywhere for one in turn.exchanges]
    offered = {tool for one in exchanges for tool in one.offered_tools}
    called = {call.name for turn in everywhere for call in turn.tool_calls}
    if not offered or name in offered or name in called or any(map(_offers_unnamed, exchanges)):
        return ""
    return f"no request offers {name_text(name)}{meant(name, sorted(offered | called))}"


def _offers_unnamed(exchange: Exchange) -> bool:
    """Whether a request offers tools without their names: those of a server, or what the provider runs."""
    tools = exchange.request.get("tools")
    listed = [one for one in tools if isinstance(one, dict)] if isinstance(tools, list) else []
    return bool(exchange.request.get("mcp_servers")) or any(
        not {"name", "function", "custom"}.intersection(one) for one in listed
    )
