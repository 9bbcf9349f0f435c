"""Find where a tool or an action is said to have begun by mistake."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from grice.checks.tool_flow.reply_sentences import ReplySentence
from grice.checks.tool_flow.vocabulary import action_of_noun, groups_of, lemma, word_list

_LEAVE = r"(?:go[- ]?ahead|approval|consent|ok(?:ay)?|confirmation|permission|say[- ]so|request)"
_HOW = re.compile(
    r"\b(?:unexpectedly|accidentally|inadvertently|unintentionally|mistakenly|erroneously|spontaneously"
    r"|prematurely|unprompted|unasked|by accident|by mistake|in error|on (?:its|their) own|by itself"
    r"|out of (?:nowhere|the blue)"
    rf"|without (?:(?:your|any|prior|explicit|my) (?:\w+ )?{_LEAVE}|(?:you|anyone|being) \w+(?:ing|ed))"
    r"|(?:before|earlier than|sooner than|ahead of) (?:(?:i|we|you)(?:'d| had| could)? (?:had \w+ )?(?:asked"
    r"|confirmed|approved|said|agreed|decided|meant|intended|wanted|check|ask|confirm)|it (?:should"
    r"|was meant)"
    rf"|(?:i|we) (?:had )?(?:your|any) {_LEAVE}|(?:your|any) {_LEAVE}))\b(?! by (?:our|the|your) )"
)
_BEGAN = re.compile(
    r"\b(?:(?:re-?)?trigger(?:ed|ing)|start(?:ed|ing)|launch(?:ed|ing)|ran|run|execut(?:ed|ing)"
    r"|initiat(?:ed|ing)"
    r"|invok(?:ed|ing)|fired?|kicked (?:off|in)|set off|went off|began|begun|activated|went (?:through|out"
    r"|live|ahead)|processed|performed|submitted|applied|sent|published|installed|slipped through|made)\b"
)
_I_DID = re.compile(
    r"\b(?:i|we)(?:'ve| have| may have| seem to have)?(?: \w+ly)? (?:delet|remov|cancel|book|updat|chang"
    r"|order|sen[dt]|charg|edit|reset|purchas|overwr|disabl|refund)\w*"
)
_ACCIDENTAL = re.compile(
    r"\b(?:accidental|unintended|unexpected|inadvertent|unintentional|unrequested|erroneous|mistaken"
    r"|premature|unwanted|unplanned|unauthori[sz]ed) (?:(?:tool|function) calls?|(?P<thing>\w+(?: \w+)?))\b"
)
_NOT_MEANT = re.compile(
    r"\b(?:(?:did(?:n't| not)|never) (?:mean|intend|want|plan)(?:ed)? to (?P<verb>\w+)"
    r"|(?:was(?:n't| not)|were(?:n't| not)) (?:supposed|meant|intended"
    r"|expected) to (?:have )?(?:be(?:en)? )?(?P<done>\w+)"
    r"|(?:should(?:n't| not)) have (?:been )?(?P<begun>\w+)"
    r"|(?P<act>\w{4,})(?: [\w.-]+){0,3} was(?:n't| not) (?:intentional|deliberate|intended|on purpose"
    r"|planned))\b"
)
_HYPOTHETICAL = re.compile(
    r"\b(?:if|in case|whether|when(?:ever)?|avoid(?:s|ing)?|prevent(?:s|ing)?|unless|so that|can|could|may be"
    r"|might|would|never|how to|why|what|ensure|make sure|not|no|nothing|to(?! have))\b[^.;]*$"
)
_OF_USER = re.compile(
    r"\b(?:you(?:'ve| have|'d| had)?|they|he|she|customers?|users?|people)(?: \w+){0,2} $"
    r"|\b(?:alarm|detector|sensor|light|power)s? $"
)
_NEAR = 60


def accidents(lines: Sequence[ReplySentence]) -> Iterator[tuple[int, int]]:
    """Find where a tool or an action is said to have begun by mistake."""
    for line in lines:
        found = None if line.asks else next((one for one in _slips(line) if not _excused(line, *one)), None)
        if found is not None:
            yield line.start + found[0], line.start + found[1]


def _slips(line: ReplySentence) -> Iterator[tuple[int, int]]:
    """The places where something is called unmeant."""
    text = line.text
    for found in _HOW.finditer(text):
        start = max(0, found.start() - _NEAR)
        own = _I_DID.search(text, start, found.end() + 12)
        began = own or _BEGAN.search(text, start, found.end() + _NEAR)
        if began is not None:
            yield min(found.start(), began.start()), max(found.end(), began.end())
    for found in _ACCIDENTAL.finditer(text):
        if found["thing"] is None or any(map(_is_thing, found["thing"].split())):
            yield found.span()
    for found in _NOT_MEANT.finditer(text):
        verb = lemma(found["verb"] or found["done"] or found["begun"] or found["act"])
        if groups_of(verb) or _is_thing(found["act"] or ""):
            yield found.span()


def _is_thing(word: str) -> bool:
    return word.removesuffix("s") in word_list("tool_things") or bool(action_of_noun(word))


def _excused(line: ReplySentence, start: int, end: int) -> bool:
    """Whether the slip is the user's or another's, supposed, denied, or of what is no tool."""
    text = line.text
    before, found = text[:start], text[start:end]
    if _OF_USER.search(before) or _HYPOTHETICAL.search(before[-80:]):
        return True
    if re.match(r"\s*(?:is|are) ", text[end : end + 5]):
        return True
    return not _NOT_MEANT.match(found) and (line.denies(start) or " not " in found)
