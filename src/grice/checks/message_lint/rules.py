"""The rules of the message-array lint: how bad each fault is, why, and how it is mended.

What a provider is said to reject was seen in the answers of its API; where one only accepts what misleads its
model, the rule says so.
"""

from __future__ import annotations

from grice.checks.message_lint.finding import Dialect, LintRule

__all__ = ["RULES"]

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
_UNREAD: dict[Dialect, str] = {
    "anthropic": "Anthropic rejects with 400 what is not in its schema",
    "openai_chat": "OpenAI rejects with 400 what is not in its schema",
    "openai_responses": "OpenAI rejects with 400 what is not in its schema",
}

_ALL = (
    LintRule(
        "no-messages",
        "a request without any message",
        "error",
        {
            "anthropic": "Anthropic rejects with 400: messages: at least one message is required",
            "openai_chat": "OpenAI rejects with 400: [] is too short - 'messages'",
            "openai_responses": "there is nothing to answer, and nothing stored stands in for it",
        },
        "send the user's message",
    ),
    LintRule(
        "messages-not-list",
        "`messages` that are not a list",
        "error",
        _UNREAD,
        "send a list of messages",
    ),
    LintRule(
        "message-not-object",
        "an item of the array that is not an object",
        "error",
        _UNREAD,
        "send an object with role and content",
    ),
    LintRule(
        "missing-role",
        "a message without role",
        "error",
        _UNREAD,
        "name the role: user or assistant, or what else the API knows",
    ),
    LintRule(
        "unknown-role",
        "a role that the API does not know",
        "error",
        {
            "anthropic": "Anthropic takes user and assistant, and rejects other roles with 400",
            "openai_chat": "OpenAI takes system, developer, user, assistant and tool (once also function), "
            "and rejects other roles with 400",
            "openai_responses": "OpenAI takes system, developer, user and assistant here, and rejects other "
            "roles with 400",
        },
        "use the role of this API; a tool's result has its own form in each",
    ),
    LintRule(
        "system-role-in-array",
        "a system message in Anthropic's array",
        "error",
        'Anthropic rejects with 400: Unexpected role "system"; only its newest models take one, and only '
        "between turns",
        "give it as the request's `system`",
    ),
    LintRule(
        "system-message-late",
        "a system or developer message behind the conversation's first message",
        "warning",
        "OpenAI accepts it, but the model reads it as said at that point and not as the frame of the whole "
        "conversation; chat templates of some other servers reject it",
        "put it first, or join it to the first system message",
    ),
    LintRule(
        "system-text-relabelled",
        "system text in a user or assistant message",
        "warning",
        "the model reads it as the words of the user or its own: it weighs less than the system prompt, and "
        "may be answered or repeated",
        "give it as the system prompt, and keep its role when a history is rebuilt",
    ),
    LintRule(
        "malformed-content",
        "content that is neither text nor a list of blocks",
        "error",
        {
            "anthropic": "Anthropic rejects with 400 content that is neither text nor a list of blocks",
            "openai_chat": "OpenAI rejects with 400: Invalid value for 'content'",
            "openai_responses": "OpenAI rejects with 400 content that is neither text nor a list of parts",
        },
        "send the text, or a list of objects with a type",
    ),
    LintRule(
        "empty-content",
        "a message or text block that says nothing",
        {"anthropic": "error", "openai_chat": "warning", "openai_responses": "warning"},
        {
            "anthropic": "Anthropic rejects with 400: text content blocks must be non-empty (or: contain "
            "non-whitespace text; all messages must have non-empty content)",
            "openai_chat": "OpenAI accepts it, but the model reads that somebody said nothing; other servers "
            "of this API reject it",
            "openai_responses": "OpenAI accepts it, but the model reads that somebody said nothing",
        },
        "leave the message or block out",
    ),
    LintRule(
        "same-role-neighbours",
        "two messages of one role in a row",
        "warning",
        {
            "anthropic": "Anthropic joins them into one message; older versions and other hosts of its "
            "models reject them: roles must alternate. Often what stood between them was lost, or one was "
            "added twice",
            "openai_chat": "OpenAI accepts them, chat templates of some other servers do not; often what "
            "stood between them was lost, or one was added twice",
            "openai_responses": "OpenAI accepts them; often what stood between them was lost, or one was "
            "added twice",
        },
        "join the two, or put back what belongs between them",
    ),
    LintRule(
        "first-message-not-user",
        "a conversation that does not begin with the user",
        "warning",
        {
            "anthropic": "the model reads an answer to nothing; Anthropic used to reject it, and other hosts "
            'of its models still may: first message must use the "user" role',
            "openai_chat": "OpenAI accepts it, but the model reads an answer to nothing; often the beginning "
            "of the history was cut off",
            "openai_responses": "OpenAI accepts it, but the model reads an answer to nothing; often the "
            "beginning of the history was cut off",
        },
        "begin with the user's message; cut a long history before one",
    ),
    LintRule(
        "last-message-from-assistant",
        "a request that ends with an assistant's message",
        "warning",
        {
            "anthropic": "the model goes on with that text instead of answering; Claude 4.6 and later reject "
            "it with 400: This model does not support assistant message prefill",
            "openai_chat": "the model is asked to speak after itself: it goes on, or answers itself",
            "openai_responses": "the model is asked to speak after itself: it goes on, or answers itself",
        },
        "end with the user's message or the tools' results",
    ),
    LintRule(
        "current-user-message-missing",
        "a request without what the user said in this turn",
        "error",
        "the model does not see what it is asked for: it takes a tool call for unprompted, or answers "
        "something older",
        "append the user's message to the history before the request is built",
    ),
    LintRule(
        "current-user-message-misplaced",
        "what the user said in this turn behind this turn's tool calls",
        "error",
        "the model reads that it called the tools before it was asked to",
        "put the user's message before the tool calls that it led to",
    ),
    LintRule(
        "current-user-message-buried",
        "what the user said in this turn, with an answer and another user message behind it",
        "warning",
        "the model answers the last user message, and takes this one for answered",
        "put what the user said last, or into the last user message",
    ),
    LintRule(
        "malformed-tool-call",
        "a tool call that is no object with a name, or an empty list of calls",
        "error",
        _UNREAD,
        "send the call as the model gave it; leave an empty `tool_calls` out",
    ),
    LintRule(
        "tool-block-in-wrong-role",
        "a tool call outside an assistant message, or a result outside a user message",
        "error",
        {
            "anthropic": "Anthropic rejects with 400: `tool_use` blocks belong to assistant messages, "
            "`tool_result` blocks to user messages",
            "openai_chat": "`tool_calls` belong to assistant messages: elsewhere they are not read",
            "openai_responses": "calls are items of their own here: inside a message they are rejected",
        },
        "move it into a message of the right role",
    ),
    LintRule(
        "missing-tool-call-id",
        "a tool call without id",
        "error",
        _UNREAD,
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
        "something else behind the tool_use blocks of a message",
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
        "missing-tool-result-id",
        "a tool result that does not say which call it answers",
        "error",
        _UNREAD,
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

RULES: dict[str, LintRule] = {rule.name: rule for rule in _ALL}
"""Every rule by its name."""
