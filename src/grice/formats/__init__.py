"""The field's conversation formats: read into records, written back unchanged.

Writers and JSON Lines load at their first use: a test that talks to an agent needs neither.
"""

from typing import TYPE_CHECKING

from grice._lazy import lazy_names
from grice.formats.conversation import read_conversation, read_message
from grice.formats.detection import FORMATS, Format, detect_format
from grice.formats.errors import FormatError
from grice.formats.turns import turns_of

if TYPE_CHECKING:
    from grice.formats.jsonl import read_conversations, to_jsonl
    from grice.formats.losses import FormatLossWarning, Loss
    from grice.formats.writing import (
        to_adk,
        to_anthropic,
        to_langchain,
        to_openai_chat,
        to_openai_responses,
        to_otel,
        to_tau2,
    )
else:
    _WRITERS = ("adk", "anthropic", "langchain", "openai_chat", "openai_responses", "otel", "tau2")
    __getattr__, _ = lazy_names(
        __name__,
        {
            "FormatLossWarning": "grice.formats.losses",
            "Loss": "grice.formats.losses",
            "read_conversations": "grice.formats.jsonl",
            "to_jsonl": "grice.formats.jsonl",
            **{f"to_{name}": "grice.formats.writing" for name in _WRITERS},
        },
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
