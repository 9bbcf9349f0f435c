"""Every built-in matcher as a typed factory, and what a matcher of your own is made of.

`contain("x")` is a value, `~contain("x")` its negation.
"""

from __future__ import annotations

from grice.checks.context import contain_message, have_last_user_message, pair_tool_calls
from grice.checks.message_lint import pass_lint
from grice.checks.prompt import have_in_system_prompt
from grice.checks.requests import have_parameters, offer_only_tools, offer_tool
from grice.checks.structure import have_at_most_sentences
from grice.checks.telemetry import answer_within, ask_model, stay_within_tokens
from grice.checks.tool_flow import be_free_of, be_valid_response
from grice.matching.context import Context
from grice.matching.matcher import Matcher, matcher
from grice.matching.tool_call_matchers import call_tool, have_called_tool
from grice.matching.value_matchers import contain, equal, match
from grice.records import errored, failed, inconclusive, passed, skipped

__all__ = [
    "Context",
    "Matcher",
    "answer_within",
    "ask_model",
    "be_free_of",
    "be_valid_response",
    "call_tool",
    "contain",
    "contain_message",
    "equal",
    "errored",
    "failed",
    "have_at_most_sentences",
    "have_called_tool",
    "have_in_system_prompt",
    "have_last_user_message",
    "have_parameters",
    "inconclusive",
    "match",
    "matcher",
    "offer_only_tools",
    "offer_tool",
    "pair_tool_calls",
    "pass_lint",
    "passed",
    "skipped",
    "stay_within_tokens",
]
