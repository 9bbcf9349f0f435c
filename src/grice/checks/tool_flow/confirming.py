"""Find requests to confirm, approve or click, apart from what only looks like one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from grice.checks.tool_flow.reply_sentences import ReplySentence

_VERB = r"(?P<verb>confirm|approve|accept|authori[sz]e|sign off|green[- ]?light|reject|decline)"
_LEAVE = (
    r"(?:confirmation|approval|go[- ]?ahead|sign[- ]?off|consent|authori[sz]ation|permission|ok(?:ay)?"
    r"|green light|thumbs[- ]up)\b"
)
_CHOICE = r"(?:yes|no|ok(?:ay)?|confirm|approve|accept|reject|decline|proceed|continue|apply|allow|deny)\b"
_HAPPY = r"(?:happy|ok(?:ay)?|fine|comfortable|agree|satisfied)\b"
_FINISH = r"(?:finali[sz]e|complete|apply|commit|lock|make it final|proceed|go ahead)\b"
_PLEASE = r"\b(?:please|kindly|could you|can you|let (?:me|us) know|just (?:say|reply)|tell (?:me|us))\b"
_YOU = (
    r"(?:you(?:'ll| will)? (?:can|may|must|should|(?:just |still )?need to|have to)|(?:can|could|would|will"
    r"|do) you(?: want to)?|(?:need|like|want|for|waiting (?:for|on)) you to|(?:once|until|unless|if"
    r"|when|as soon as|after) you(?:'ve)?)"
)
_CONFIRM = re.compile(
    r"(?:^\W*|[,;:.!?\u00a4]\s*|\s-\s|\b(?:and|or|so|then|please|kindly) )"
    rf"(?:(?:please|kindly|just|now|then|first|review and|verify and) )*{_VERB}\b(?!-)"
)
_YOU_CONFIRM = re.compile(rf"\b(?P<you>{_YOU}) (?:please |also |now |first |just )*{_VERB}(?:e?d)?\b(?!-)")
_SURE = re.compile(
    r"\b(?:are you sure you (?:want|wish|would like)|(?:ready|happy|mind) (?:to )?(?:confirm|approv)\w*)\b"
)
_YOUR_LEAVE = re.compile(
    r"\b(?:await(?:ing)?|waiting (?:for|on)|needs?|requires?|ready for|subject to|missing|with|get"
    rf"|give(?: me)?|after|without) (?P<leave>your|the|an?) (?:final |explicit )?{_LEAVE}"
    rf"|\bneed\b[^.!?,;]{{0,12}} is your {_LEAVE}|^\W*(?:awaiting|waiting for|pending) {_LEAVE}"
    rf"|\byour (?:final |explicit )?{_LEAVE} is (?:still |now )?(?:needed|required|pending|missing)"
)
_PRESS = re.compile(
    r"\b(?P<press>click(?: on)?|press|tap|hit|select|choose|pick|reply|respond|type|answer|say|enter|send)"
    rf"(?: with| back| me)?(?: the)? ['\"(]?(?:{_CHOICE}|\u00a4+)"
    r"(?=['\")]?(?:$|[.!?,;:)]|\s(?:to|or|and|below|above|button|so|now|if)))"
)
_BUTTONS = re.compile(
    r"\b(?:click|press|tap|hit|select|use|with|via|using|through)\b[^.!?\n]{0,40}?\b"
    rf"(?:buttons (?:below|above)|buttons? to {_CHOICE}|(?:to )?{_CHOICE}[^.!?\n]{{0,20}} buttons?)\b"
)
_HAPPY_SO = re.compile(
    rf"\blet (?:me|us) know (?:that|if|whether) you(?:'re| are)? (?:\w+ )?{_HAPPY}"
    r"(?=\s*(?:$|[.!?,;]|with (?:this|that|it|the)(?: \w+)?\s*[.!?]?$))(?![^.!?]*\bor\b)"
)
_BEFORE_I = re.compile(rf"(?P<ahead>\bbefore (?:i|we)) {_FINISH}[^.!?]{{0,40}}?{_PLEASE}[^.!?]*")
_REQUESTS = (_CONFIRM, _YOU_CONFIRM, _SURE, _YOUR_LEAVE, _PRESS, _BUTTONS, _HAPPY_SO, _BEFORE_I)
_DATA = re.compile(
    r"\s*(?:(?:me|for me|us|with (?:me|us)|your|the|his|her|their|full|current|new|shipping|billing|first"
    r"|last) )*(?:\w+ )??"
    r"(?:e-?mail|phone|address|identity|names?|date of birth|zip|postcode|id|number|attendance|availability"
    r"|dates?|times?|account|age)\b|\s*(?:(?:for|with) )?(?:me )?(?:what|which|when|where|who|how|why)\b"
    r"|\s+(?:by|for) (?:the|your) \w+|[^.!?]{0,30}\b(?:settings?|preferences)\b"
)
_CHECKED = re.compile(r"\s*(?:this|that|it|the \w+)? ?(?:under|(?:in|on|at|via|from) (?:the|your))\b")
_AHEAD = re.compile(
    r"\b(?:i'll|i will|we'll|i can|we can|can't|cannot|may i|need|please|waiting|awaiting|before i)\b"
)
_ALWAYS = ("ready", "need", "give")
_ASSENT = re.compile(rf"\b(?:yes|agree\w*|{_HAPPY}|confirm\w*|approv\w+|accept\w*)")


def confirmation_requests(
    lines: Sequence[ReplySentence], plain: str
) -> Iterator[tuple[ReplySentence, int, int]]:
    """Where the user is asked to confirm: the sentence, and the place in the prose.

    `plain` is the prose with the quotations that the sentences leave out.
    """
    for line in lines:
        found = (one for request in _REQUESTS for one in request.finditer(line.text))
        asked = next((one for one in found if not _is_none(one, line, plain)), None)
        if asked is not None:
            start = asked.start("verb") if "verb" in asked.re.groupindex else asked.start()
            yield line, line.start + start, line.start + asked.end()


def _is_none(found: re.Match[str], line: ReplySentence, plain: str) -> bool:
    """Whether what looks like a request is none: denied, the assistant's own, for data, or a label."""
    parts = {key for key, text in found.groupdict().items() if text is not None}
    before, after = line.text[: found.start()], line.text[found.end() :]
    start = found.start("verb") if "verb" in parts else found.start()
    if line.denies(start) or line.denies(found.end() - 1):
        return True
    if "press" in parts:
        quoted = line.start + found.start() + found[0].find("\u00a4")
        return "\u00a4" in found[0] and re.match(_CHOICE, plain[quoted : quoted + 40].lower()) is None
    if "leave" in parts:
        return _AHEAD.search(line.text[max(0, found.start() - 30) :]) is None and not found[0].startswith(
            _ALWAYS
        )
    if "ahead" in parts:
        return _ASSENT.search(found[0]) is None or " or " in found[0]
    if "verb" not in parts:
        return False
    if _DATA.match(after):
        return True
    if "you" in parts and found["you"].startswith(("you can", "you may")) and _CHECKED.match(after):
        return True
    if "you" in parts:
        past = found[0].endswith("ed") and "you've" not in found[0]
        return past or (found["you"].startswith(("after", "when")) and " i've " in line.text)
    alone = not before and found[0].strip() == found["verb"]  # confirm is now green
    return alone and re.search(r"\s(?:is|was|has|are)\b", after[:30]) is not None
