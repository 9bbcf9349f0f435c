"""The field's conversation formats: read into records, written back unchanged."""

from grice.formats.conversation import (
    read_conversation,
    read_message,
    to_anthropic,
    to_openai_chat,
    to_openai_responses,
)
from grice.formats.detection import FORMATS, Format, detect_format
from grice.formats.errors import FormatError
from grice.formats.turns import turns_of

__all__ = [
    "FORMATS",
    "Format",
    "FormatError",
    "detect_format",
    "read_conversation",
    "read_message",
    "to_anthropic",
    "to_openai_chat",
    "to_openai_responses",
    "turns_of",
]
