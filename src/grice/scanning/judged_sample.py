"""Conversations that were drawn from logs, and a check that has the verdicts which a judge gave on them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from grice.files.suite_records import SuiteCheck, Target
from grice.formats.lines import Unreadable, name_of
from grice.formats.logs import read_log
from grice.formats.mapping import LogMapping
from grice.matching.context import Context
from grice.matching.matcher import MatcherFactory
from grice.records import Conversation, Turn, Verdict, skipped
from grice.scanning.batch import MessageJudging, ScanChecks
from grice.scanning.check_choice import LogCheck
from grice.scanning.chosen_lines import LineFilter

_NO_REPLY = "no reply has a text: there is nothing to judge"


class DrawnConversation(msgspec.Struct, frozen=True):
    """A conversation of a log, as a scan reads it, and where it stands."""

    file: str
    line: int
    conversation: Conversation

    @property
    def to_last_reply(self) -> Conversation | None:
        """What there is to judge: the conversation up to its last reply with a text, None without one."""
        turns = self.conversation.turns
        spoken = [one.number for one in turns if one.text.strip()]
        return msgspec.structs.replace(self.conversation, turns=turns[: spoken[-1]]) if spoken else None


def drawn_conversations(
    paths: Iterable[Path | str], mappings: Mapping[str, LogMapping], chosen: LineFilter, limit: int | None
) -> list[DrawnConversation]:
    """The conversations that a scan with this choice judges whole; a file that cannot be read gives none."""
    found: list[DrawnConversation] = []
    for path in paths:
        gathering = _Gathering(name_of(path), chosen, None if limit is None else limit - len(found))
        with suppress(Unreadable):  # the scan says why
            for entry in read_log(path, mappings.get(str(path))):
                if entry.kind == "message":
                    gathering.take(entry)
                elif limit is None or len(found) + len(gathering.found) < limit:
                    gathering.take_whole(entry)
        gathering.end()
        found += gathering.found
    return found[:limit]


class _Gathering(MessageJudging):
    """Keeps the conversations that a scan would judge whole."""

    def __init__(self, file: str, chosen: LineFilter, most: int | None) -> None:
        none = LogCheck("", SuiteCheck(_as_judged("", {}), Target("conversation")))
        super().__init__(file, ScanChecks([none], chosen=chosen), most=most)
        self.found: list[DrawnConversation] = []

    def judge_turn(self, record: Conversation, turn: Turn, line: int) -> None:
        """Leave turns alone."""

    def judge_whole(self, record: Conversation, line: int) -> None:
        """Keep it."""
        self.found.append(DrawnConversation(self._file, line, record))


def judged_check(
    label: str, claim: str, found: Sequence[DrawnConversation], verdicts: Iterable[Verdict]
) -> LogCheck:
    """The check of conversations that says what was said of those found, of whom somebody replied."""
    spoken = (one.conversation for one in found if one.to_last_reply is not None)
    said = {_key(one): verdict for one, verdict in zip(spoken, verdicts, strict=True)}
    return LogCheck(label, SuiteCheck(_as_judged(claim, said), Target("conversation")))


def _as_judged(claim: str, said: Mapping[str, Verdict]) -> Any:
    def be_judged(subject: Conversation, ctx: Context) -> Verdict:
        del ctx
        found = said.get(_key(subject))
        return skipped(_NO_REPLY) if found is None else found

    return MatcherFactory("toBeJudged", be_judged, claim.replace("{", "{{").replace("}", "}}"))()


def _key(conversation: Conversation) -> str:
    return sha256(msgspec.json.encode(conversation)).hexdigest()
