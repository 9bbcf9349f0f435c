"""What a user sent beside the text, as the content parts of the formats that have some."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from grice.records import Attachment, Message

if TYPE_CHECKING:
    from grice.formats.detection import Format  # which imports the formats that import this


Part = dict[str, Any]

_SOUNDS = {"audio/wav": "wav", "audio/x-wav": "wav", "audio/mpeg": "mp3", "audio/mp3": "mp3"}
_ANTHROPIC_IMAGES = ("image/gif", "image/jpeg", "image/png", "image/webp")
_TEXT_TYPES: dict[Format, str] = {"openai_responses": "input_text"}


def with_parts(message: Message, form: Format, *, every: bool = False) -> str | list[Part]:
    """The content of a message: its text, or a list of the text and of its attachments.

    An attachment without a place in the format is left out; with `every`, for agents, one that has only an
    address is a file with `file_url`.
    """
    if not message.attachments:
        return message.content
    parts: list[Part] = []
    if message.content:
        parts.append({"type": _TEXT_TYPES.get(form, "text"), "text": message.content})
    for attachment in message.attachments:
        part = part_of(attachment, form)
        if part is None and every:
            part = {"type": "file", "file": {"filename": attachment.name, "file_url": attachment.url}}
        if part is not None:
            parts.append(part)
    return parts or message.content


def part_of(attachment: Attachment, form: Format) -> Part | None:
    """The attachment as a content part, None where the format has no place for it."""
    make = _MAKERS.get(form)
    return None if make is None else make(attachment)


def _chat(attachment: Attachment) -> Part | None:
    if attachment.media_type.startswith("image/"):
        return {"type": "image_url", "image_url": {"url": attachment.address}}
    if attachment.data is None:
        return None
    sound = _SOUNDS.get(attachment.media_type)
    if sound is not None:
        return {"type": "input_audio", "input_audio": {"data": attachment.data, "format": sound}}
    return {"type": "file", "file": {"filename": attachment.name, "file_data": attachment.address}}


def _responses(attachment: Attachment) -> Part:
    if attachment.media_type.startswith("image/"):
        return {"type": "input_image", "image_url": attachment.address, "detail": "auto"}
    where = {"file_url": attachment.url} if attachment.data is None else {"file_data": attachment.address}
    return {"type": "input_file", "filename": attachment.name, **where}


def _anthropic(attachment: Attachment) -> Part | None:
    kind = attachment.media_type
    source: Part = {"type": "url", "url": attachment.url}
    if attachment.data is not None:
        source = {"type": "base64", "media_type": kind, "data": attachment.data}
    if kind in _ANTHROPIC_IMAGES:
        return {"type": "image", "source": source}
    if kind == "application/pdf":
        return {"type": "document", "source": source, "title": attachment.name}
    return None


_MAKERS: dict[Format, Callable[[Attachment], Part | None]] = {
    "anthropic": _anthropic,
    "openai_chat": _chat,
    "openai_responses": _responses,
}
