"""Every built-in matcher as a typed factory, and what a matcher of your own is made of.

`contain("x")` is a value, `~contain("x")` its negation.
"""

from __future__ import annotations

from grice.checks.context import contain_message, have_last_user_message, pair_tool_calls
from grice.checks.structure import have_at_most_sentences
from grice.checks.tool_flow import be_free_of, be_valid_response
from grice.matching.context import Context
from grice.matching.matcher import Matcher, matcher
from grice.matching.tool_call_matchers import call_tool, have_called_tool
from grice.matching.value_matchers import contain, equal, match
from grice.records import errored, failed, inconclusive, passed, skipped

__all__ = [
    "Context",
    "Matcher",
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
    "have_last_user_message",
    "inconclusive",
    "match",
    "matcher",
    "pair_tool_calls",
    "passed",
    "skipped",
]
