"""Whole conversations, written in the field's formats.

What is written are the messages. What a record holds beside them (times, exchanges, data, failures) has no
place in any of these formats: `encode_conversation` keeps all.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from grice.formats.content import as_mapping
from grice.formats.conversation import SYSTEM_SOURCE
from grice.formats.detection import Format
from grice.formats.errors import FormatError
from grice.formats.losses import Loss, losses_of, losses_of_system, raw_systems, report
from grice.formats.source import read_one, write_all
from grice.records import Conversation, Message, clean_json

_SYSTEM_APART: tuple[Format, ...] = ("adk", "anthropic")
_STACK = 4  # the frames from the warning up to who called a writer


def to_adk(
    conversation: Conversation | Iterable[Message], *, losses: list[Loss] | None = None
) -> list[dict[str, Any]]:
    """The invocations of an ADK eval case, one for each user message.

    The system prompt stays in `Conversation.system`: it is the agent's instruction. What has no place in the
    format is added to `losses`; without it, a FormatLossWarning says so.
    """
    return _write(conversation, "adk", losses)


def to_anthropic(
    conversation: Conversation | Iterable[Message], *, losses: list[Loss] | None = None
) -> list[dict[str, Any]]:
    """The messages for Anthropic's API; the system prompt stays in `Conversation.system`, its own parameter.

    Results in a row become one user message. What has no place in the format (arguments that were not a
    JSON object, names, system messages in the middle, which are left out) is added to `losses`; without it,
    a FormatLossWarning says so.
    """
    return _write(conversation, "anthropic", losses)


def to_langchain(
    conversation: Conversation | Iterable[Message], *, losses: list[Loss] | None = None
) -> list[dict[str, Any]]:
    """The messages as the dicts that LangChain's `convert_to_messages` takes, the system prompt first.

    What has no place in the format is added to `losses`; without it, a FormatLossWarning says so.
    """
    return _write(conversation, "langchain", losses)


def to_openai_chat(
    conversation: Conversation | Iterable[Message], *, losses: list[Loss] | None = None
) -> list[dict[str, Any]]:
    """The messages for OpenAI's Chat Completions API, the system prompt first.

    What has no place in the format (that a tool failed) is added to `losses`; without it, a
    FormatLossWarning says so.
    """
    return _write(conversation, "openai_chat", losses)


def to_openai_responses(
    conversation: Conversation | Iterable[Message], *, losses: list[Loss] | None = None
) -> list[dict[str, Any]]:
    """The input items for OpenAI's Responses API, the system prompt first unless it came as `instructions`.

    What has no place in the format (that a tool failed, names) is added to `losses`; without it, a
    FormatLossWarning says so.
    """
    return _write(conversation, "openai_responses", losses)


def to_otel(
    conversation: Conversation | Iterable[Message], *, losses: list[Loss] | None = None
) -> list[dict[str, Any]]:
    """The messages in parts, as OpenTelemetry's `gen_ai.input.messages` has them, the system prompt first.

    What has no place in the format (that a tool failed) is added to `losses`; without it, a
    FormatLossWarning says so.
    """
    return _write(conversation, "otel", losses)


def to_tau2(
    conversation: Conversation | Iterable[Message], *, losses: list[Loss] | None = None
) -> list[dict[str, Any]]:
    """The messages of a tau2-bench trajectory, the system prompt first.

    What has no place in the format (arguments that were not a JSON object, names) is added to `losses`;
    without it, a FormatLossWarning says so.
    """
    return _write(conversation, "tau2", losses)


def _write(
    conversation: Conversation | Iterable[Message], form: Format, losses: list[Loss] | None
) -> list[dict[str, Any]]:
    written, found = write_conversation(conversation, form)
    report(found, form, losses, _STACK)
    return written


def write_conversation(
    conversation: Conversation | Iterable[Message], form: Format
) -> tuple[list[dict[str, Any]], list[Loss]]:
    """The messages in this format, and what it has no place for."""
    head: list[dict[str, Any]] = []
    losses: list[Loss] = []
    if isinstance(conversation, Conversation):
        head, losses = written_system(conversation, form)
        messages = conversation.messages
    else:
        messages = tuple(conversation)
    written, anew = write_all(messages, form)
    return head + written, losses + losses_of(messages, anew, form)


def written_system(conversation: Conversation, form: Format) -> tuple[list[dict[str, Any]], list[Loss]]:
    """The system prompt as the messages that it is in this format, none where it stands apart from these."""
    if conversation.system is None:
        return [], []
    source = as_mapping(conversation.metadata.get(SYSTEM_SOURCE)) or {}
    if source.get("format") == form:
        raws = raw_systems(source)
        if not raws:
            return [], []  # it came as `instructions`, outside the list
        if _say_system(raws, conversation.system, form):
            return [clean_json(raw) for raw in raws], []
    if form in _SYSTEM_APART:
        return [], []
    return write_all([Message("system", conversation.system)], form)[0], losses_of_system(source)


def _say_system(raws: list[dict[str, Any]], system: str, form: Format) -> bool:
    try:
        read = [message for raw in raws for message in read_one(raw, form)]
    except FormatError:
        return False
    only_system = all(message.role == "system" for message in read)
    return only_system and "\n".join(message.content for message in read if message.content) == system
