"""One raw message of a log, whatever its format, and how much of a log is held."""

from __future__ import annotations

from typing import Any

from grice.formats.calls import REQUESTOR
from grice.formats.detection import Format, detect_clean
from grice.formats.shapes import READERS
from grice.records import Message

MAX_TURN = 10_000_000
"""The characters of assistant text after which a turn is ended, so that a log without users stays small."""

MAX_OPEN = 10_000
"""How many conversations may be open at once; the one quiet for longest is then considered over."""


def read_raw(raw: dict[str, Any]) -> list[Message]:
    """The messages of a raw one, whatever its format. Raises FormatError."""
    content = raw.get("content")
    form: Format = "openai_chat"
    if "type" in raw or type(content) is not str or REQUESTOR in raw:  # else nothing tells another format
        form = detect_clean([raw])
    return READERS[form](raw)
