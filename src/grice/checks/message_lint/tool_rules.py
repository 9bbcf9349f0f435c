"""The rules of the message-array lint on tool calls and their results."""

from __future__ import annotations

from grice.checks.message_lint.finding import Dialect, LintRule

_UNANSWERED: dict[Dialect, str] = {
    "anthropic": "Anthropic rejects with 400: `tool_use` ids were found without `tool_result` blocks "
    "immediately after",
    "openai_chat": "OpenAI rejects with 400: an assistant message with 'tool_calls' must be followed by tool "
    "messages responding to each 'tool_call_id'",
    "openai_responses": "OpenAI rejects with 400: No tool output found for function call",
}
_ORPHAN: dict[Dialect, str] = {
    "anthropic": "Anthropic rejects with 400: unexpected `tool_use_id` found in `tool_result` blocks; each "
    "must have a corresponding `tool_use` block in the previous message",
    "openai_chat": "OpenAI rejects with 400: messages with role 'tool' must be a response to a preceding "
    "message with 'tool_calls'",
    "openai_responses": "OpenAI rejects with 400: No tool call found for function call output",
}
_SAME_ID: dict[Dialect, str] = {
    "anthropic": "Anthropic rejects with 400: `tool_use` ids must be unique",
    "openai_chat": "no result can be told to belong to one of them; OpenAI rejects two results of one id "
    "with 400: Duplicate value for 'tool_call_id'",
    "openai_responses": "no result can be told to belong to one of them; OpenAI rejects two results of one "
    "id with 400: Duplicate function_call_output",
}
UNREAD: dict[Dialect, str] = {
    "anthropic": "Anthropic rejects with 400 what is not in its schema",
    "openai_chat": "OpenAI rejects with 400 what is not in its schema",
    "openai_responses": "OpenAI rejects with 400 what is not in its schema",
}
"""Why what cannot be read is bad."""

TOOL_RULES = (
    LintRule(
        "malformed-tool-call",
        "a tool call that is no object with a name, or an empty list of calls",
        "error",
        UNREAD,
        "send the call as the model gave it; leave an empty `tool_calls` out",
    ),
    LintRule(
        "tool-block-in-wrong-role",
        "a tool call or a result in a message of a role that has none",
        "error",
        {
            "anthropic": "Anthropic rejects with 400: `tool_use` blocks belong to assistant messages, "
            "`tool_result` blocks to user messages",
            "openai_chat": "`tool_calls` belong to assistant messages, `tool_call_id` to messages of role "
            "tool: elsewhere they are not read",
            "openai_responses": "calls are items of their own here: inside a message they are rejected",
        },
        "move it into a message of the right role",
    ),
    LintRule(
        "missing-tool-call-id",
        "a tool call without id",
        "error",
        UNREAD,
        "keep the id that the model gave the call",
    ),
    LintRule(
        "duplicate-tool-call-id",
        "two open tool calls with one id",
        "error",
        _SAME_ID,
        "give every call an id of its own, and its result the same",
    ),
    LintRule(
        "tool-call-id-reused",
        "a tool call with the id of an earlier one that was answered",
        {"anthropic": "error", "openai_chat": "warning", "openai_responses": "error"},
        {
            "anthropic": "Anthropic rejects with 400: `tool_use` ids must be unique",
            "openai_chat": "OpenAI goes by place and has accepted it; other servers of this API reject it, "
            "and code that pairs by id takes one result for the other",
            "openai_responses": "OpenAI rejects two results of one id with 400: Duplicate "
            "function_call_output; code that pairs by id takes one result for the other",
        },
        "give every call of the conversation an id of its own, and its result the same",
    ),
    LintRule(
        "unanswered-tool-call",
        "a tool call without result",
        "error",
        _UNANSWERED,
        "add the result, an error too; or leave the call out",
    ),
    LintRule(
        "tool-not-offered",
        "a call of a tool that the request does not offer",
        "warning",
        "the model reads that it has a tool which is not there: it may call it again, and nobody answers",
        "offer the tool, or leave its calls and results out",
    ),
    LintRule(
        "text-after-tool-call",
        "text or an image behind the tool_use blocks of a message",
        "error",
        "Anthropic rejects with 400: `tool_use` ids were found without `tool_result` blocks immediately "
        "after",
        "put the tool_use blocks last in the message",
    ),
    LintRule(
        "input-not-object",
        "arguments of a tool call that are not a JSON object",
        "error",
        {
            "anthropic": "Anthropic rejects with 400: tool_use.input: Input should be a valid dictionary",
            "openai_chat": "OpenAI wants the text of a JSON object: it rejects what is no text, and the "
            "model takes malformed text for a good example; other servers of this API reject that too",
            "openai_responses": "OpenAI wants the text of a JSON object: it rejects what is no text, and "
            "the model takes malformed text for a good example",
        },
        "send an object, {} for no arguments; PHP writes an empty array as [] unless it is cast to an object",
    ),
    LintRule(
        "nested-input-not-object",
        "an empty list inside the arguments where the tool's schema has an object",
        "error",
        "it is not what the model sent, and not what the tool's schema allows: the model takes it for a good "
        "example, and servers that check arguments reject it",
        "send {}; PHP writes an empty array as [] unless it is cast to an object",
    ),
    LintRule(
        "nested-empty-list",
        "an empty list inside the arguments where another call has an object under the same name",
        "warning",
        "it may not be what the model sent: an empty object that went through PHP comes back as a list",
        "send {} where an object is meant",
    ),
    LintRule(
        "tool-schema-not-object",
        "a schema of an offered tool, or its `properties`, that is not a JSON object",
        "error",
        {
            "anthropic": "Anthropic rejects with 400: input_schema: Input should be a valid dictionary",
            "openai_chat": "OpenAI rejects with 400: Invalid schema for function: [] is not of type 'object'",
            "openai_responses": "OpenAI rejects with 400: Invalid schema for function: [] is not of type "
            "'object'",
        },
        "send an object, {} for none; PHP writes an empty array as [] unless it is cast to an object",
    ),
    LintRule(
        "missing-tool-result-id",
        "a tool result that does not say which call it answers",
        "error",
        UNREAD,
        "give it the id of its call: tool_use_id, tool_call_id or call_id",
    ),
    LintRule(
        "orphan-tool-result",
        "a tool result with the id of no call",
        "error",
        _ORPHAN,
        "put the call back before it, with the same id; or leave the result out",
    ),
    LintRule(
        "tool-result-before-call",
        "a tool result before its call",
        "error",
        _ORPHAN,
        "put the result directly behind the message of its call",
    ),
    LintRule(
        "tool-result-misplaced",
        "a tool result that does not follow its call directly",
        "error",
        _UNANSWERED,
        "put all results of a message's calls directly behind it: in one user message (Anthropic), or as "
        "tool messages (OpenAI)",
    ),
    LintRule(
        "text-before-tool-result",
        "something else before the tool_result blocks of a message",
        "error",
        "Anthropic rejects with 400 a message after tool calls that does not begin with their results",
        "put the tool_result blocks first in the message",
    ),
    LintRule(
        "duplicate-tool-result",
        "a second result for one call",
        "error",
        {
            "anthropic": "Anthropic rejects with 400: each tool_use must have a single result",
            "openai_chat": "OpenAI rejects with 400: Duplicate value for 'tool_call_id'",
            "openai_responses": "OpenAI rejects with 400: Duplicate function_call_output",
        },
        "keep one result for each call",
    ),
    LintRule(
        "malformed-tool-result",
        "a tool result that is neither text nor a list of blocks",
        "error",
        {
            "anthropic": "Anthropic rejects with 400 a result that is neither text nor a list of blocks",
            "openai_chat": "OpenAI rejects with 400: Invalid value for 'content'",
            "openai_responses": "OpenAI rejects with 400 an output that is neither text nor a list of parts",
        },
        "send the result as text: data as its JSON text, nothing as an empty text",
    ),
)
"""They come behind those on messages."""
