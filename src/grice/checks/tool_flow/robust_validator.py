"""What the robust profile finds in a reply: its wording, and what it says against what the tools did."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

import msgspec

from grice.checks.tone.speech import nothing_said, prose, unquoted
from grice.checks.tool_flow.claims import ReplyReading, fact_findings
from grice.checks.tool_flow.facts import Facts
from grice.checks.tool_flow.labels import Finding, Label, Validation
from grice.checks.tool_flow.reply_sentences import ReplySentence, read_reply
from grice.checks.tool_flow.speech_acts import Act, acts_in, same_thing
from grice.checks.tool_flow.state_claims import state_claims
from grice.checks.tool_flow.status import ToolStatus
from grice.checks.tool_flow.vocabulary import same_action
from grice.claims.lexicon import lexicon_for
from grice.text.packs import remembered

MAX_LOOKED_AT = 100_000
MAX_KEPT = 4_000
_MAX_SPANS = 5
_IN_THE_REPLY = re.compile(r"\b(?:draft\w*|below|above|suggest\w*|propos\w*|version|sketch\w*|preview)\b")
_ANOTHER = re.compile(r"\b(?:also|too|as well|next|other|another|remaining|second|additional)\b")

Spans = Sequence[tuple[int, int]]


def robust_validation(text: str, status: ToolStatus, facts: Facts, *, worded: bool = True) -> Validation:
    """Find what is wrong in what was said after a tool had this status, by what was done and, where it is
    `worded`, by its wording.

    Only the first 100,000 characters are looked at, and linear in their number.
    """
    reading = (_read_once if len(text) <= MAX_KEPT else _TextReading)(text)
    read = ReplyReading(reading.normal.text, reading.lines, reading.acts, status, facts)
    wordings = _wordings(reading, read) if worded else ()
    found = [Finding(label, tuple(spans[:_MAX_SPANS])) for label, spans in wordings]
    placed = [
        msgspec.structs.replace(one, spans=tuple(reading.normal.span(*span) for span in one.spans))
        for one in (*found, *fact_findings(read, reading.said))
    ]
    return Validation(tuple(placed), reading.undetermined)


class _TextReading:
    """A text as it is read: its prose, with and without quotes, its sentences and acts, and what they tell.

    `undetermined` says why there is nothing to look at.
    """

    def __init__(self, text: str) -> None:
        self.normal = prose(text[:MAX_LOOKED_AT])
        self.said = unquoted(self.normal.text)
        lexicon = lexicon_for(text)
        self.undetermined = lexicon if isinstance(lexicon, str) else _nothing_in(self.said)
        self.lines: Sequence[ReplySentence] = ()
        if not isinstance(lexicon, str) and not self.undetermined:
            self.lines = read_reply(self.said, lexicon)
        self.acts: Sequence[Act] = acts_in(self.lines)

    @cached_property
    def contradiction(self) -> Spans:
        """An action, or a state that one brings about, and a request for permission to do it."""
        return _contradiction(self) or _already_so(self)

    @cached_property
    def accidents(self) -> Spans:
        """Where something is said to have begun without being meant to."""
        from grice.checks.tool_flow.accidents import accidents  # few ask for it, and its patterns are many

        return list(accidents(self.lines))

    @cached_property
    def requests(self) -> Sequence[tuple[ReplySentence, int, int]]:
        """Where the user is asked to confirm."""
        from grice.checks.tool_flow.confirming import confirmation_requests

        return list(confirmation_requests(self.lines, self.normal.text))

    @cached_property
    def introductions(self) -> Spans:
        """Where the assistant says who it is."""
        from grice.checks.tool_flow.introductions import introductions

        return list(introductions(self.lines))


_read_once = remembered(_TextReading)
"""The reading of one of the last texts: several rules look at one reply."""


def _nothing_in(said: str) -> str:
    """Why there is nothing to look at in a prose text; "" where there is."""
    if nothing_said(said) is not None:
        return "the text has nothing but code and quotes: there is nothing to look at"
    return "" if any(map(str.isalpha, said)) else "the text has no words: there is nothing to look at"


def _wordings(reading: _TextReading, read: ReplyReading) -> Iterator[tuple[Label, Spans]]:
    """The labels that the wording earns, each with the places that do."""
    if reading.contradiction:
        yield "CONTRADICTORY_PREACTION_AND_ASK", reading.contradiction
    if reading.accidents:
        yield "UNEXPECTED_TRIGGER_LANGUAGE", reading.accidents
    if read.status == "success" and (asked := _confirming(reading, read)):
        yield "CONFIRMATION_LANGUAGE_ON_SUCCESS", asked
    if read.status == "pending" and (again := _redundant(read)):
        yield "REDUNDANT_CONFIRMATION_ASK", again
    if reading.introductions:
        from grice.checks.tool_flow.introductions import may_introduce

        if not may_introduce(read.facts):
            yield "SELF_INTRODUCTION", reading.introductions


def _contradiction(read: _TextReading) -> Spans:
    """The first report or announcement of an action with a request for permission to do it."""
    told = [act for act in read.acts if act.kind in ("report", "announce") and act.changes]
    for ask in read.acts:
        if ask.kind not in ("ask", "offer") or ask.other:
            continue
        for act in told if ask.verb else _acts_of_request(read.acts, ask):
            if _contradicts(act, ask, read.lines[act.sentence].text):
                return [(act.start, act.end), (ask.start, ask.end)]
    return []


def _acts_of_request(acts: Sequence[Act], ask: Act) -> list[Act]:
    """What a go-ahead may be asked for: the last action that was spoken of before, or else one behind it."""
    spoken = [act for act in acts if act.kind in ("report", "announce", "able") and act.changes]
    before = [act for act in spoken if act.start < ask.start]
    behind = [act for act in spoken if act.start >= ask.end and act.kind == "announce"]
    last = [max(before, key=lambda act: act.start)] if before else behind
    return [act for act in last if act.kind != "able"]


def _contradicts(told: Act, ask: Act, sentence: str) -> bool:
    announces = told.kind == "announce"
    if (told.start < ask.end and ask.start < told.end) or (not ask.firm and not announces):
        return False  # "is that all right?" after what is done asks how it was liked
    if announces and not told.firm:
        return False  # "I'll book it" is a plan, which asking first is no contradiction of
    if not ask.verb:
        return (announces or told.firm) and told.sentence >= ask.sentence - 2 and not told.other
    if not told.verb:  # on it now
        return announces and ask.kind == "ask" and told.sentence <= ask.sentence
    if not same_action(ask.verb, told.verb) and _IN_THE_REPLY.search(sentence):
        return False  # what is only written down here may be asked to be applied
    return same_thing(ask, told)


def _already_so(read: _TextReading) -> Spans:
    """A state and a request for permission to bring it about: it is live, shall I publish it?"""
    asks = [act for act in read.acts if act.kind == "ask" and act.verb and not act.other]
    for state in state_claims(read.lines) if asks else ():
        for ask in asks:
            it = not ask.nouns and not ask.names
            if it and state.end <= ask.start and same_action(ask.verb, state.verbs[0]):
                return [(state.start, state.end), (ask.start, ask.end)]
    return []


def _confirming(reading: _TextReading, read: ReplyReading) -> Spans:
    """Requests to confirm, unless they are for an action that is still to come."""
    return [
        (start, end)
        for line, start, end in reading.requests
        if not read.facts.deeds or not _is_for_later(read, line, end)
    ]


def _is_for_later(read: ReplyReading, line: ReplySentence, end: int) -> bool:
    """Whether a confirmation is asked for something that no successful call of this turn has done."""
    if not read.facts.acted or _ANOTHER.search(line.text, end - line.start):
        return True
    asked = [act.verb for act in read.acts if act.kind == "ask" and act.sentence == line.number and act.verb]
    return bool(asked) and not any(read.facts.did(verb) for verb in asked)


def _redundant(read: ReplyReading) -> Spans:
    """Requests for the go-ahead of the very action that is pending."""
    pending = read.facts.pending_verbs
    return [
        (ask.start, ask.end)
        for ask in read.acts
        if ask.kind == "ask"
        and ask.firm
        and not ask.other
        and (
            not (ask.verb and pending)
            or not (ask.nouns or ask.names)
            or any(same_action(ask.verb, verb) for verb in pending)
        )
    ]
