"""Cassettes: recorded answers of agents, tools, judges and simulated users, replayed strictly.

All but the errors load at their first use: most runs have no cassette.
"""

from typing import TYPE_CHECKING

from grice._lazy import lazy_names
from grice.wire.cassettes.errors import RERECORD, CassetteError, NotRecorded, ScrubError

if TYPE_CHECKING:
    from grice.wire.cassettes.cassette import Call, Cassette, unreadable
    from grice.wire.cassettes.comparing import Recorded, describe_difference
    from grice.wire.cassettes.llm import CassetteLLM
    from grice.wire.cassettes.missing import StaleCall
    from grice.wire.cassettes.scrub import SCRUBS, Scrub, read_scrubs
    from grice.wire.cassettes.tape import KINDS, Entry, Header, Kind, Tape
else:
    __getattr__, _ = lazy_names(
        __name__,
        {
            "Call": "grice.wire.cassettes.cassette",
            "Cassette": "grice.wire.cassettes.cassette",
            "unreadable": "grice.wire.cassettes.cassette",
            "Recorded": "grice.wire.cassettes.comparing",
            "describe_difference": "grice.wire.cassettes.comparing",
            "CassetteLLM": "grice.wire.cassettes.llm",
            "StaleCall": "grice.wire.cassettes.missing",
            "SCRUBS": "grice.wire.cassettes.scrub",
            "Scrub": "grice.wire.cassettes.scrub",
            "read_scrubs": "grice.wire.cassettes.scrub",
            "KINDS": "grice.wire.cassettes.tape",
            "Entry": "grice.wire.cassettes.tape",
            "Header": "grice.wire.cassettes.tape",
            "Kind": "grice.wire.cassettes.tape",
            "Tape": "grice.wire.cassettes.tape",
        },
    )

__all__ = [
    "KINDS",
    "RERECORD",
    "SCRUBS",
    "Call",
    "Cassette",
    "CassetteError",
    "CassetteLLM",
    "Entry",
    "Header",
    "Kind",
    "NotRecorded",
    "Recorded",
    "Scrub",
    "ScrubError",
    "StaleCall",
    "Tape",
    "describe_difference",
    "read_scrubs",
    "unreadable",
]
