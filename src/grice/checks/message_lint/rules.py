"""The rules of the message-array lint: how bad each fault is, why, and how it is mended.

What a provider is said to reject was seen in the answers of its API; where one only accepts what misleads its
model, the rule says so.
"""

from __future__ import annotations

from grice.checks.message_lint.finding import LintRule
from grice.checks.message_lint.tool_rules import TOOL_RULES, UNREAD

_ALL = (
    LintRule(
        "no-messages",
        "a request without any message",
        "error",
        {
            "anthropic": "Anthropic rejects with 400: messages: at least one message is required",
            "openai_chat": "OpenAI rejects with 400: Invalid 'messages': empty array. Expected an array with "
            "minimum length 1, but got an empty array instead; without the field, messages is required",
            "openai_responses": "there is nothing to answer, and nothing stored stands in for it",
        },
        "send the user's message",
    ),
    LintRule(
        "messages-not-list",
        "`messages` that are not a list",
        "error",
        UNREAD,
        "send a list of messages",
    ),
    LintRule(
        "message-not-object",
        "an item of the array that is not an object",
        "error",
        UNREAD,
        "send an object with role and content",
    ),
    LintRule(
        "foreign-messages",
        "an array in the shape of another API",
        "error",
        UNREAD,
        "convert the messages to the shape of the API that the request goes to",
    ),
    LintRule(
        "foreign-block",
        "a block, message or field in the form of another API",
        "error",
        {
            "anthropic": "Anthropic rejects with 400 what is in the form of another API, or leaves it out",
            "openai_chat": "OpenAI rejects with 400 what is in the form of another API: Invalid value",
            "openai_responses": "OpenAI rejects with 400 what is in the form of another API: Invalid value",
        },
        "write it in the form of the API that the request goes to",
    ),
    LintRule(
        "unknown-item",
        "an item of Responses with a type that the lint does not know",
        "warning",
        "OpenAI rejects with 400 a type that it does not know; the lint cannot tell what is in it",
        "check the type; a newer one than the lint knows is fine",
    ),
    LintRule(
        "missing-role",
        "a message without role",
        "error",
        UNREAD,
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
        "current-user-message-behind-calls",
        "what the user said in this turn behind tool calls that may be of this turn",
        "warning",
        "when the calls are of this turn, the model reads that it called the tools before it was asked to",
        "put the user's message before the tool calls that it led to",
    ),
    LintRule(
        "current-user-message-buried",
        "what the user said in this turn, with an answer and another user message behind it",
        "warning",
        "the model answers the last user message, and takes this one for answered",
        "put what the user said last, or into the last user message",
    ),
    *TOOL_RULES,
)

RULES: dict[str, LintRule] = {rule.name: rule for rule in _ALL}
"""Every rule by its name."""
