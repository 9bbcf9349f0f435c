"""The errors of cassettes."""

from __future__ import annotations

from grice.matching.protocols import LLMError
from grice.wire.errors import ScriptError

RECORD = 'record it with pytest --grice-record=once, grice run --record once or grice.run(record="once")'
RERECORD = "record it anew with --grice-update"


class CassetteError(Exception):
    """A cassette that cannot be used: broken, edited, too large, or with a secret in it."""

    __module__ = "grice"


class NotRecorded(ScriptError, LLMError):
    """A cassette has no answer to a request. A judge's verdict is then `error`, an agent's turn fails."""

    __module__ = "grice"


class ScrubError(ValueError):
    """A scrub rule that cannot be used."""
