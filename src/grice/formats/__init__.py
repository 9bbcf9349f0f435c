"""The field's conversation formats: read into records, written back unchanged."""

from grice.formats.conversation import read_conversation, read_message
from grice.formats.detection import FORMATS, Format, detect_format
from grice.formats.errors import FormatError
from grice.formats.jsonl import read_conversations, to_jsonl
from grice.formats.losses import FormatLossWarning, Loss
from grice.formats.turns import turns_of
from grice.formats.writing import (
    to_adk,
    to_anthropic,
    to_langchain,
    to_openai_chat,
    to_openai_responses,
    to_otel,
    to_tau2,
)

__all__ = [
    "FORMATS",
    "Format",
    "FormatError",
    "FormatLossWarning",
    "Loss",
    "detect_format",
    "read_conversation",
    "read_conversations",
    "read_message",
    "to_adk",
    "to_anthropic",
    "to_jsonl",
    "to_langchain",
    "to_openai_chat",
    "to_openai_responses",
    "to_otel",
    "to_tau2",
    "turns_of",
]
