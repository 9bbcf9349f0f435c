"""The five labels of seed 000 by what a reply does with its words, not by its words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

import msgspec

from grice.checks.tone.speech import nothing_said, prose, unquoted
from grice.checks.tool_flow.accidents import accidents
from grice.checks.tool_flow.claims import fact_findings
from grice.checks.tool_flow.confirming import confirmation_requests
from grice.checks.tool_flow.english_actions import groups_of, same_action
from grice.checks.tool_flow.facts import Facts
from grice.checks.tool_flow.introductions import introductions
from grice.checks.tool_flow.labels import Finding, Label, Validation
from grice.checks.tool_flow.speech_acts import INFORMING_LEMMAS, Act, Sentence, acts_in, read_sentences
from grice.checks.tool_flow.states import state_claims
from grice.checks.tool_flow.status import ToolStatus
from grice.checks.tool_flow.verb_phrases import same_thing
from grice.text.languages import pack_for

__all__ = ["robust_validation"]

MAX_LOOKED_AT = 100_000
_MAX_SPANS = 5
_MAX_STATES = 50
_ASKED_WHO = re.compile(
    r"(?i)\b(?:who|what) (?:are|r) (?:you|u|this|that)\b|\bwho(?:'s| is| am i) (?:this|that|you"
    r"|talking|speaking|chatting)"
    r"|\byour name\b|\b(?:are|am i|is this)\b[^.?!]{0,40}\b(?:a\.?i|bot|chat ?bot|robot|human"
    r"|real|person|machine|assistant)\b"
    r"|\bintroduce yourself\b|\btell me about yourself\b|\bwhat (?:can|do) you do\b"
)


_GREETING = re.compile(
    r"(?i)\W*(?:(?:hi|hello|hey|hiya|howdy|greetings|good (?:morning|afternoon|evening|day)|yo|sup"
    r"|there|again"
    r"|everyone|anyone|anybody|is|you|around|help)\b\W*){1,5}"
)


class _Read(msgspec.Struct, frozen=True):
    sentences: Sequence[Sentence]
    acts: Sequence[Act]
    status: ToolStatus
    facts: Facts
    plain: str


def robust_validation(text: str, status: ToolStatus, facts: Facts) -> Validation:
    """What is wrong with what was said after a tool had this status, and against what was done.

    Only the first 100,000 characters are looked at, and linear in their number.
    """
    normal = prose(text[:MAX_LOOKED_AT])
    said = unquoted(normal.text)
    pack = pack_for(text)
    reason = pack if isinstance(pack, str) else ""
    if not reason and not isinstance(pack, str) and pack.code != "en":
        reason = f"the text is in {pack.name}, of which no wordings for tools are known"
    elif not reason and nothing_said(said) is not None:
        reason = "the text has nothing but code and quotes: there is nothing to look at"
    elif not reason and not any(map(str.isalpha, said)):
        reason = "the text has no words: there is nothing to look at"
    sentences = [] if reason else read_sentences(said)
    read = _Read(sentences, acts_in(sentences), status, facts, normal.text)
    found = [_finding(label, spans) for label, spans in _wordings(read)]
    found += fact_findings(said, sentences, read.acts, status, facts)
    return Validation(tuple(_placed(one, normal.span) for one in found), reason)


def _finding(label: Label, spans: Sequence[tuple[int, int]]) -> Finding:
    return Finding(label, tuple(spans[:_MAX_SPANS]))


def _placed(finding: Finding, span: Callable[[int, int], tuple[int, int]]) -> Finding:
    places = tuple(span(start, end) for start, end in finding.spans)
    return msgspec.structs.replace(finding, spans=places)


def _wordings(read: _Read) -> Iterator[tuple[Label, Sequence[tuple[int, int]]]]:
    contradiction = _contradiction(read.acts) or _already_so(read)
    if contradiction:
        yield "CONTRADICTORY_PREACTION_AND_ASK", contradiction
    begun = list(accidents(read.sentences))
    if begun:
        yield "UNEXPECTED_TRIGGER_LANGUAGE", begun
    if read.status == "success" and (asked := _confirming(read)):
        yield "CONFIRMATION_LANGUAGE_ON_SUCCESS", asked
    if read.status == "pending" and (again := _redundant(read)):
        yield "REDUNDANT_CONFIRMATION_ASK", again
    who = list(introductions(read.sentences, asked=_may_introduce(read.facts)))
    if who:
        yield "SELF_INTRODUCTION", who


def _may_introduce(facts: Facts) -> bool:
    """Whether an introduction answers the user: who it is was asked, or the user only says hello at first."""
    greeted = facts.opening and _GREETING.fullmatch(facts.user[:200]) is not None
    return greeted or _ASKED_WHO.search(facts.user[:2_000]) is not None


def _contradiction(acts: Sequence[Act]) -> list[tuple[int, int]]:
    """The first report or announcement of an action with a request for permission to do it."""
    told = [act for act in acts if act.kind in ("report", "announce")]
    for ask in acts:
        if ask.kind not in ("ask", "offer") or ask.phrase.other:
            continue
        for act in told if not ask.phrase.generic else _meant(acts, ask):
            if _contradicts(act, ask):
                return [(act.start, act.end), (ask.start, ask.end)]
    return []


def _already_so(read: _Read) -> list[tuple[int, int]]:
    """A state and a request for permission to bring it about: it is live, shall I publish it?"""
    asks = [act for act in read.acts if act.kind == "ask" and act.verb and act.phrase.pronoun]
    if not asks:
        return []
    for state in islice(state_claims(read.sentences), _MAX_STATES):
        for ask in asks:
            if state.first and state.end <= ask.start and same_action(ask.verb, state.first):
                return [] if ask.phrase.other else [(state.start, state.end), (ask.start, ask.end)]
    return []


def _meant(acts: Sequence[Act], ask: Act) -> list[Act]:
    """What a go-ahead may be asked for: the last action that was spoken of before, or else one behind it."""
    spoken = [
        act
        for act in acts
        if act.kind in ("report", "announce", "able") and act.verb not in INFORMING_LEMMAS()
    ]
    before = [act for act in spoken if act.start < ask.start]
    last = max(before, key=lambda act: act.start, default=None)
    behind = [act for act in spoken if act.start >= ask.end and act.kind == "announce"]
    return [act for act in ([last] if last is not None else behind) if act.kind != "able"]


def _contradicts(told: Act, ask: Act) -> bool:
    if told.start < ask.end and ask.start < told.end:
        return False
    if not told.firm and told.kind == "announce":
        # "I'll book it" is a plan: only asking afterwards for the very same is at odds with it
        return (
            told.start < ask.start
            and bool(told.verb)
            and told.verb == ask.verb
            and same_thing(ask.phrase, told.phrase)
        )
    if not ask.firm and told.kind != "announce":
        return False  # "is that all right?" after what is done asks how it was liked
    if ask.phrase.generic or not ask.verb:
        changes = bool(groups_of(told.verb)) or (
            told.kind == "announce" and bool(told.verb) and told.verb not in INFORMING_LEMMAS()
        )
        recent = told.kind == "announce" or told.firm
        return changes and recent and told.sentence >= ask.sentence - 2 and not told.phrase.other
    if not told.verb:  # on it now
        return told.kind == "announce" and ask.kind == "ask" and told.sentence <= ask.sentence
    if not same_action(ask.verb, told.verb) and _IN_THE_REPLY.search(told.whole):
        return False  # what is only written down here may be asked to be applied
    return same_thing(ask.phrase, told.phrase)


_IN_THE_REPLY = re.compile(
    r"\b(?:draft\w*|below|above|suggest\w*|propos\w*|mock\w*|version|sketch\w*|preview)\b"
)


def _confirming(read: _Read) -> list[tuple[int, int]]:
    """Requests to confirm, unless they are for an action that is still to come."""
    found = []
    for number, start, end, after in confirmation_requests(read.sentences, read.plain):
        if read.facts.deeds and _is_for_later(read, number, after):
            continue
        found.append((start, end))
    return found


def _is_for_later(read: _Read, number: int, after: str) -> bool:
    """Whether a confirmation is asked for something that no successful call of this turn has done."""
    if not read.facts.acted:
        return True  # what succeeded was a look-up
    if re.search(r"\b(?:also|too|as well|next|other|another|remaining|second|additional)\b", after):
        return True
    asked = [act.verb for act in read.acts if act.kind == "ask" and act.sentence == number and act.verb]
    return bool(asked) and not any(read.facts.did(verb) for verb in asked)


def _redundant(read: _Read) -> list[tuple[int, int]]:
    """Requests for the go-ahead of the very action that is pending."""
    return [(act.start, act.end) for act in read.acts if act.kind == "ask" and _of_pending(act, read)]


def _of_pending(ask: Act, read: _Read) -> bool:
    if ask.phrase.other or not ask.firm:
        return False
    if ask.phrase.generic or not ask.verb:
        return True
    pending = read.facts.pending_verbs
    if pending:
        return any(same_action(ask.verb, verb) for verb in pending) or ask.phrase.pronoun
    return True
