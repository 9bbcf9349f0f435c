"""Where a tool or an action is said to have begun without being meant to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from grice.checks.tool_flow.speech_acts import Sentence

__all__ = ["accidents"]

_EARLY = r"before|earlier than|sooner than|ahead of|faster than"
_ANYONE = r"(?:i|we|you|anyone|either of us)(?:'d| had| have|'ve| was| were| could| got| gave)?"
_LEAVE = r"(?:go[- ]?ahead|approval|consent|ok(?:ay)?|confirmation|permission|say[- ]so|nod)"
_MEANT = (
    r"(?:meant|intended|wanted|planned|ready|supposed|told|asked|agreed|approved|confirmed|decided|said|ask"
    rf"|confirm|say|decide|agree|check with|checked with|stop (?:it|them|that))\b|(?:my|your|the) {_LEAVE}\b"
)
_TOO_SOON = (
    rf"(?:{_EARLY}) (?:{_ANYONE} (?:\w+ )?(?:{_MEANT})|(?:it|they|that)(?: was| were|'d been| had been)?"
    rf" (?:supposed|meant|intended|due)\b|(?:intended|meant)\b|(?:your|any) {_LEAVE}\b)"
)
_UNASKED = (
    r"(?:without (?:you|anyone|being) (?:asking|asked|telling|told|requesting|requested|approving"
    r"|agreeing)|unasked"
    rf"|unprompted|without your (?:asking|request|{_LEAVE}))\b"
)
_HOW = (
    r"(?:unexpectedly|accident(?:al)?ly|inadvertently|unintentionally|unintendedly|mistakenly|erroneously|"
    r"by accident|by mistake|in error|on accident|on (?:its|their) own(?: accord)?|by itself"
    r"|spontaneously|out of nowhere|out of the blue|"
    r"without (?:your|the user's|any|prior|explicit|my) (?:\w+ )?(?:asking|request|permission"
    r"|consent|approval|confirmation|"
    r"input|knowledge|instruction|go[- ]?ahead|meaning|say[- ]so)|without (?:being|having "
    r"been) (?:asked|told|requested|prompted|"
    r"instructed|triggered)|without (?:you|anyone|us|me) (?:\w+ing)|before you (?:asked"
    r"|confirmed|approved|said|agreed|were ready)|"
    r"when (?:it|they) (?:should not|shouldn't|wasn't supposed to|weren't supposed to)(?: "
    r"have)?|unprompted|unasked|"
    r"prematurely|unbidden|unplanned|(?:not |rather than )(?:on purpose|intentionally|deliberately"
    r"|by design)|"
    rf"{_TOO_SOON}"
    r")"
)
_STARTED = (
    r"(?:(?:re-?)?trigger(?:ed|ing|s)?|start(?:ed|ing|s)?|launch(?:ed|ing|es)?|run|ran|running"
    r"|runs|execut(?:ed|ing|es|e)|initiat(?:ed|ing|es|e)|invok(?:ed|ing|es|e)|fir(?:ed|ing|es"
    r"|e)(?: off)?|"
    r"kick(?:ed|s|ing) off|set off|went off|go(?:ne|es)? off|set in motion|began|begun|begins"
    r"|called|activated|went through|happened|"
    r"occurred|came up|popped up|been made|took place|got (?:going|started)|proceeded|fired up"
    r"|went ahead|processed|performed|"
    r"carried out|applied|queued|submitted|made|kicked in|went (?:out|live)|slipped through"
    r"|been (?:sent|published)"
    r"|jumped the gun)"
)
_DID = (
    r"(?:trigger|start|launch|run|execut|initiat|invok|call|activat|delet|remov|cancel|book"
    r"|updat|upgrad|chang|modif|install|"
    r"send|sent|order|purchas|publish|charg|submit|deactivat|disabl|overwr|reset|edit|press|click|kick)\w*"
)
_THING = (
    r"(?:tool(?: call)?|update|upgrade|action|process|function|operation|job|task|call|deletion"
    r"|installation|command|"
    r"request|workflow|script|backup|restart|booking|cancellation|refund|order|payment|trigger"
    r"|execution|activation|start|run|"
    r"invocation|launch|deployment|deactivation|reset|sync|import|export|migration|change"
    r"|purchase|publish(?:ing)?)"
)
_ACCIDENTS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b{_STARTED}\b(?: \w+){{0,4}}? {_HOW}\b",
        rf"\b{_HOW},?(?: \w+){{0,2}}? {_STARTED}\b|^\W*{_HOW}, (?:\w+ ){{1,6}}?{_STARTED}\b",
        (
            rf"\b(?:i|we|i've|we've|i'd|assistant|system|agent)(?: may| might| have| had| seem to have"
            rf"| must have|'ve| also| just)* {_HOW} {_DID}\b"
        ),
        (
            rf"\b(?:i|we|i've|we've)(?: may| might| have| had| must have|'ve| also| just)* {_DID}\b(?: "
            rf"[\w'.-]+){{0,6}}? {_HOW}\b"
        ),
        (
            rf"\b{_THING} (?:was|were|got|has been|have been|appears to have been|seems to have been"
            rf"|had been)(?: \w+)? {_HOW} \w+"
        ),
        (
            rf"\b(?:accidental|unintended|unexpected|inadvertent|unintentional|unrequested|unsolicited"
            rf"|erroneous|mistaken|premature|"
            rf"spurious|unwanted|unplanned|unauthori[sz]ed) (?:(?!\w+ calls?\b|calls?\b)(?:\w+ "
            rf")?{_THING}s?|(?:tool|function) calls?)\b"
            rf"(?! (?:result|error|output|response|fail|time|cost|fee))"
        ),
        (
            rf"\b(?:did not|didn't|never) (?:mean|intend|want|ask|plan)(?:ed)? (?:to |for (?:that|this"
            rf"|it|the \w+) to ){_DID}\b"
        ),
        (
            rf"\b(?:was not|wasn't|were not|weren't|not) (?:supposed|meant|intended|expected|asked"
            rf"|scheduled) to (?:have )?(?:been )?(?:be )?{_DID}"
        ),
        (
            r"\b(?:should not|shouldn't|ought not to) have (?:been )?(?:started|triggered|run|launched"
            r"|executed|initiated|fired|kicked off|"
            r"happened|invoked|called|gone through|begun)\b"
        ),
        (
            rf"\b(?:without (?:intending|meaning|wanting)|unintentionally|by mistake|by accident"
            rf"|accidentally) to? ?{_STARTED}\b"
        ),
        rf"\b(?:was|were|got|been|i|we) (?:\w+ )?{_DID}(?: [\w'-]+){{0,5}}? (?:{_TOO_SOON}|{_UNASKED})",
        (
            rf"\b{_THING} (?:\w+ )?{_STARTED} (?:\w+ )?(?:{_EARLY}) (?:it should\b|(?:i |we )?(?:planned"
            r"|expected|scheduled)\b)"
        ),
        (
            rf"\b(?:this|that|it|{_THING})(?: \w+)? (?:was|were)(?: not|n't) (?:intentional|deliberate"
            rf"|intended"
            r"|on purpose|planned|by design|what (?:i|we) (?:intended|meant))\b"
        ),
        (
            rf"\b(?:an?|some|the|this|that) {_THING} (?:that )?(?:nobody|no one|you (?:didn't|did not"
            rf"|never)|i (?:didn't|did not)) (?:\w+ )?(?:ask|request|start|trigger|order)"
        ),
    )
)
_MAY_BE_ACCIDENT = re.compile(
    r"accident|unexpect|unintend|unintention|inadvert|mistake|erroneous|in error|on its own|on "
    r"their own|by itself|spontaneous|out of the blue|"
    r"without |before you|should not|shouldn't|didn't|did not|never|supposed|meant|intended"
    r"|unrequested|unsolicited|premature|"
    r"spurious|unwanted|unplanned|nobody|no one|unprompted|unasked|out of nowhere|expected to"
    r"|unauthori|ought not|unbidden|scheduled to|"
    r"asked to|on purpose|intention|deliberate|by design|planned|earlier than|sooner than|faster than|before "
    r"|ahead of"
)
_HYPOTHETICAL = re.compile(
    r"\b(?:if|in case|whether|when(?:ever)?|avoid(?:s|ing)?|prevent(?:s|ing)?|unless|so that"
    r"|to (?:stop|keep)|can|could|may be|"
    r"might be|would|should you|never|how to|why|what|protects?|guards?|ensure|make sure|risk "
    r"of|chance of|were you|did you|"
    r"careful not to|do not want|don't want|no)\b[^.;]*$"
)
_BEGAN = re.compile(r"trigger|start|launch|\brun|\bran\b|execut|invok|\bfire|kick|initiat")
_BY_SOMEONE = re.compile(
    r"\bby (?:our|the|your|their|an?|his|her) (?!system|tool|assistant|agent|bot|script|job)\w"
)


def _is_of_others(text: str, found: re.Match[str]) -> bool:
    """Whether the slip is another's (cancelled by mistake by our warehouse), or only in a subject (changes
    made before your approval are listed).
    """
    if _BEGAN.search(found[0]) is None and _BY_SOMEONE.search(text, found.start(), found.end() + 30):
        return True
    goes_on = _GOES_ON.match(text, found.end()) is not None
    return goes_on and _EARLY_FOUND.search(found[0]) is not None


_ALARM = re.compile(r"\b(?:alarm|siren|bell|detector|sensor|light|power|sprinkler)s? $")  # they go off
_GOES_ON = re.compile(r"\s*(?:is|are|was|were|will|can|appear)\b")
_EARLY_FOUND = re.compile(rf"\b(?:{_EARLY}) ")
_YOURS = re.compile(
    r"\b(?:you(?:'ve| have|'d| had)?|they|he|she|customers?|users?|people|someone|somebody)(?: \w+){0,2} $"
)


def accidents(sentences: Sequence[Sentence]) -> Iterator[tuple[int, int]]:
    """Where a tool or an action is said to have begun without being meant to."""
    for sentence in sentences:
        text = sentence.text
        if not _MAY_BE_ACCIDENT.search(text):
            continue
        found = next(
            (one for pattern in _ACCIDENTS for one in pattern.finditer(text) if _is_accident(sentence, one)),
            None,
        )
        if found is not None:
            yield sentence.start + found.start(), sentence.start + found.end()


def _is_accident(sentence: Sentence, found: re.Match[str]) -> bool:
    before = sentence.text[: found.start()]
    if sentence.asks and not re.match(r"\W*(?:it|the|sorry|i)\b", sentence.text):
        return False
    if re.search(r"\b(?:to|you can|let) $", before):
        return False
    if _YOURS.search(before) or _HYPOTHETICAL.search(before[-80:]):
        return False
    if _is_of_others(sentence.text, found) or (_ALARM.search(before) and "off" in found[0]):
        return False
    own_negation = re.match(
        r"(?:did not|didn't|never|was not|wasn't|were|weren't|not|should|ought|without)", found[0]
    )
    if own_negation is None and (sentence.denies(found.start()) or re.match(r"[^.;]*\bnot\b", found[0])):
        return False
    # what happened to something of the user's is none, but for an action: your phone, and your update
    of_user = re.search(r"\byour (?:\w+ )?\w+ (?:\w+ )?$", before)
    return (
        of_user is None
        or _EARLY_FOUND.search(found[0]) is not None
        or re.search(rf"\b{_THING} (?:(?:of|for|to|on|in) [^,;.]{{1,60}})?(?:\w+ )?$", before) is not None
    )
