"""Compare what a reply says was done with what its tools did."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice

import msgspec

from grice.checks.tone.speech import prose
from grice.checks.tool_flow.facts import Deed, Facts
from grice.checks.tool_flow.labels import Finding
from grice.checks.tool_flow.reply_sentences import ReplySentence, read_reply
from grice.checks.tool_flow.speech_acts import Act, acts_in
from grice.checks.tool_flow.state_claims import StateClaim, state_claims
from grice.checks.tool_flow.status import ToolStatus
from grice.checks.tool_flow.versions import unknown_versions
from grice.checks.tool_flow.vocabulary import action_of_noun, base_forms, groups_of, lemma, same_action
from grice.claims.lexicon import lexicon_for
from grice.matching.calls.names import name_text
from grice.text import shorten

_MAX_SAID = 300
_MAX_SPANS = 5
_LAST_WISHES = 6
_BECAME = {"success": "succeeded", "error": "failed", "pending": "is pending", "open": "was not answered"}
_EARLIER = re.compile(
    r"\b(?:yesterday|last (?:week|month|year|night|time)|previously|originally|ago|earlier|in the past"
    r"|as (?:i|we) (?:said|mentioned)|you(?:'ve| have| had)?"
    r" (?:also |already )?\w+ed\b|when you|records? shows?|(?:i|we) (?:can )?see\b|it (?:looks|seems|appears)"
    r"|according to|shows? that|status|usually|normally|typically|always|often|every)\b"
)
_FAILED = re.compile(
    r"\b(?:could(?:n't| not)|can(?:'t|not)|unable|not able|fail(?:s|ed|ure|ing)?|errors?|problems?|issues?"
    r"|unfortunately|not possible|impossible|(?:did|does|has|have|was|were|is)(?:n't| not)|rejected|declined"
    r"|denied|not found|no such|unavailable|invalid|refused|timed out|went wrong|trouble|unsuccessful\w*"
    r"|won't|retry|try again|blocked|exceeds?|expired|insufficient|sorry|apolog\w+|yet)\b"
)
_COULD_NOT = re.compile(
    r"\b(?:i|we)(?:'m| am| was| were)? (?:could(?:n't| not)|unable to|not able to|wasn't able to|failed to"
    r"|can(?:'t|not)|did(?:n't| not)) (?:actually |successfully )?(\w+)"
    r"|\b(?:could(?:n't| not)|can(?:'t|not)|has(?:n't| not) been|was(?:n't| not)) (?:be )?(\w+ed)\b"
    r"|\b(\w+) (?:has |have )?(?:failed|was unsuccessful|did(?:n't| not) (?:go through|succeed))"
)
_MAX_ASKED = 4_000
_WORD = re.compile(r"(?<!\bmy )(?<!\bthe )(?<!\byour )(?<!\bthis )(?<!\bthat )\b[a-z']{3,}")
_TOLD = re.compile(
    r"\W*(?:did|was|were|is|are|has|have|when|where|why|how|who|what|which)\b[^.?!]*(?:[.?!]|$)"
)
_AGREES = re.compile(
    r"\W*(?:yes|yeah|yep|yup|y|ok(?:ay)?|sure|please|go(?: ahead)?|do (?:it|that|so)|correct|right|fine|great"
    r"|perfect|sounds|confirm(?:ed)?|absolutely|definitely|of course|that (?:works|one)|deal"
    r"|al(?:l )?right)\b"
)


class ReplyReading(msgspec.Struct, frozen=True):
    """A parsed reply: its prose, its sentences and speech acts, and what is known of its tools."""

    plain: str
    lines: Sequence[ReplySentence]
    acts: Sequence[Act]
    status: ToolStatus
    facts: Facts

    def said(self, act: Act) -> str:
        """The words of an act, casefolded."""
        line = self.lines[act.sentence]
        return line.text[act.start - line.start : act.end - line.start]


def fact_findings(read: ReplyReading, said: str) -> Iterator[Finding]:
    """Find where the reply differs from what is known of its tools, in the order of the labels."""
    facts = read.facts
    reports = [act for act in read.acts if _is_of_now(act, read.lines[act.sentence])]
    told = [act for act in reports if act.own or act.firm]
    belied = list(_after_failure(reports, read))
    if belied and any(line.clauses and _FAILED.search(line.text) for line in read.lines):
        belied = []  # it admits that something failed
    if facts.sure:
        yield from _unbacked(told, read, {start for start, _ in belied})
    if belied:
        failed = next((one for one in reversed(facts.deeds) if one.became == "error"), None)
        note = (
            f"{name_text(failed.name)} failed: {shorten(failed.told, 120)}" if failed else "the tool failed"
        )
        yield Finding("SUCCESS_AFTER_FAILURE", tuple(belied[:_MAX_SPANS]), note)
    if not facts.known:
        return
    if not told:
        yield from islice(_after_success(read), 1)
    yield from unknown_versions(said, facts)
    for path, text in facts.narration:
        yield Finding("PRE_TOOL_NARRATION", (), "said before the call", shorten(text, _MAX_SAID), path)


def _is_of_now(act: Act, line: ReplySentence) -> bool:
    """Whether a report says that something has been changed now, outside the reply itself."""
    if act.kind != "report" or not act.verb or not groups_of(act.verb):
        return False
    writes = act.own and act.verb in base_forms("writing")
    shown = writes and act.nouns & base_forms("written")
    return not (shown or _EARLIER.search(line.text))


def _unbacked(told: Sequence[Act], read: ReplyReading, belied: set[int]) -> Iterator[Finding]:
    """Claims that no successful call bears out."""
    facts = read.facts
    plain = _wanted_now(facts) & base_forms("plain_if_asked")
    claims = [act for act in told if act.verb not in base_forms("vague") or act.verb in plain]
    found = [act for act in claims if act.start not in belied and not _is_backed(act, read)]
    spans = [(act.start, act.end) for act in found]
    if not claims and not facts.acted and not belied and _is_undone(facts):
        done = (act for act in read.acts if act.kind == "report" and not act.verb and act.sentence == 0)
        spans = [(act.start, act.end) for act in islice(done, 1)]
    if not spans and not claims and not belied and not facts.ever_acted:
        states = state_claims(read.lines)
        spans = [(one.start, one.end) for one in states if _is_unbacked_state(one, facts)]
    if spans:
        yield Finding("CLAIMED_WITHOUT_ACTION", tuple(spans[:_MAX_SPANS]), _done_text(facts))


def _is_backed(act: Act, read: ReplyReading) -> bool:
    facts, participle = read.facts, read.said(act).split()[-1]
    if facts.did(act.verb):
        return True
    if not act.own and lemma(participle) != act.verb and participle in facts.results:
        return True  # your booking is confirmed: the result says so
    wanted = act.firm and any(same_action(one, act.verb) for one in _wanted_now(facts))
    if not act.own and not wanted and _is_known(act.verb, facts):
        return True  # what was looked up, or what the user told
    if act.own and act.verb in base_forms("hard"):
        return False
    # an action that was asked for by name, and calls that by their names did others
    return facts.acted and not (wanted and _is_sharp(act.verb) and not any(map(_may_be_all, facts.deeds)))


def _is_sharp(verb: str) -> bool:
    """Whether a verb names an action of its own, that changing or making something is not."""
    return not any(same_action(verb, one) for one in base_forms("broad"))


def _may_be_all(deed: Deed) -> bool:
    """Whether a call may have done anything, by its name: it ran or changed something."""
    if deed.became != "success" or deed.sort == "look":
        return False
    return deed.sort == "any" or any(not _is_sharp(one) for one in deed.verbs)


def _is_known(verb: str, facts: Facts) -> bool:
    """Whether a result has the verb, or the user told that it is done."""
    if re.search(rf"\b{re.escape(verb)}", facts.results):
        return True
    return re.search(rf"\b{re.escape(verb)}(?:l|t|p|n)?(?:ed|d)\b", facts.user.lower()) is not None


def _is_undone(facts: Facts) -> bool:
    """Whether the user asked for an action that no call has done."""
    return any(verb not in base_forms("vague") and not facts.did(verb) for verb in _asked_for(facts.user))


def _is_unbacked_state(state: StateClaim, facts: Facts) -> bool:
    """Whether a new state is claimed that the user wanted, and no result has."""
    if not state.fresh:
        return False
    wanted = _wanted_now(facts).union(*map(_asked_for, facts.before[-_LAST_WISHES:]))
    known = re.search(rf"\b{re.escape(state.word)}\b", facts.results) is not None
    return not known and any(same_action(one, verb) for one in wanted for verb in state.verbs)


def _done_text(facts: Facts) -> str:
    """What was done instead, in words."""
    shown = [f"{name_text(one.name)} ({_BECAME[one.became]})" for one in facts.deeds[:5]]
    return f"in this turn: {', '.join(shown)}" if shown else "no tool was called in this turn"


def _after_failure(reports: Sequence[Act], read: ReplyReading) -> Iterator[tuple[int, int]]:
    """Claims of success where the last call failed, or the call that should have done it did."""
    facts, last = read.facts, read.status == "error"
    failed = [one for one in facts.deeds if one.became == "error"]
    if not failed and (not last or facts.deeds):
        return
    for act in reports:
        claims = act.own or act.firm
        done = any(one.became == "success" and one.does(act.verb) for one in facts.deeds)
        meant = any(same_action(verb, act.verb) for one in failed for verb in one.verbs)
        meant = meant and (claims or read.said(act).startswith("your "))
        if not done and (meant or (claims and last and act.verb not in base_forms("vague"))):
            yield act.start, act.end
    if any(act.own or act.firm for act in reports) or not last or facts.acted:
        return
    bare = [(act.start, act.end) for act in read.acts if act.kind == "report" and not act.verb]
    yield from bare[:1] or (_said_to_hold(read) if facts.known else ())


def _said_to_hold(read: ReplyReading) -> list[tuple[int, int]]:
    """The states that are said to hold now, or that the user named, though a call failed."""
    user = read.facts.user.lower()
    return [
        (one.start, one.end)
        for one in state_claims(read.lines)
        if one.fresh or re.search(rf"\b{re.escape(one.word)}\b", user)
    ]


def _after_success(read: ReplyReading) -> Iterator[Finding]:
    """A failure that is told of where the only call that acts succeeded."""
    acting = [one for one in read.facts.deeds if one.sort == "act"]
    if len(acting) != 1 or any(one.became != "success" for one in read.facts.deeds):
        return
    if _FAILED.search(acting[0].told.lower()):
        return
    for line in read.lines:
        for found in _COULD_NOT.finditer(line.text):
            word = found[1] or found[2] or found[3] or ""
            meant = {lemma(word), action_of_noun(word)}
            if any(same_action(one, verb) for one in acting[0].verbs for verb in meant):
                span = (line.start + found.start(), line.start + found.end())
                yield Finding("FAILURE_AFTER_SUCCESS", (span,), f"{name_text(acting[0].name)} succeeded")


def _wanted_now(facts: Facts) -> frozenset[str]:
    """The lemmas of the actions that the user asks for in this turn, or agrees to."""
    wanted = _asked_for(facts.user)
    if _AGREES.match(facts.user[:_MAX_ASKED].lower()):
        wanted |= _proposed(facts.proposed[:_MAX_ASKED])
    return wanted


@lru_cache(maxsize=64)
def _asked_for(text: str) -> frozenset[str]:
    """The lemmas of the actions that a message of a user asks for."""
    lowered = " ".join(text[:_MAX_ASKED].lower().replace("\u2019", "'").split())
    lowered = _TOLD.sub("", lowered)
    said = [one for one in _WORD.findall(lowered) if not one.endswith(("ed", "ing", "s"))]
    return frozenset(verb for one in said if groups_of(verb := lemma(one)))


@lru_cache(maxsize=64)
def _proposed(reply: str) -> frozenset[str]:
    lexicon = lexicon_for(reply)
    acts = [] if isinstance(lexicon, str) else acts_in(read_reply(prose(reply).text, lexicon))
    return frozenset(act.verb for act in acts if act.kind in ("ask", "offer") and groups_of(act.verb))
