"""Cassettes: recorded answers of agents, tools, judges and simulated users, replayed strictly."""

from grice.wire.cassettes.cassette import Call, Cassette, unreadable
from grice.wire.cassettes.comparing import Recorded, describe_difference
from grice.wire.cassettes.errors import RERECORD, CassetteError, NotRecorded, ScrubError
from grice.wire.cassettes.llm import CassetteLLM
from grice.wire.cassettes.missing import StaleCall
from grice.wire.cassettes.scrub import SCRUBS, Scrub, read_scrubs
from grice.wire.cassettes.tape import KINDS, Entry, Header, Kind, Tape

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
