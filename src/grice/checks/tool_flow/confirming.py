"""Requests to the user to confirm, approve or click, and what only looks like one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from grice.checks.tool_flow.speech_acts import Sentence

__all__ = ["confirmation_requests"]

_VERBS = (
    r"(?:confirm|approve|accept|authori[sz]e|sign off(?: on)?|green[- ]?light|reject|decline"
    r"|deny|double[- ]confirm|re-?confirm)"
)
_NOUNS = (
    r"(?:confirmation|approval|go[- ]?ahead|sign[- ]?off|consent|authori[sz]ation|permission|ok"
    r"|okay|green light|"
    r"thumbs[- ]up|final word|blessing|decision)"
)
_CHOICE = (
    r"(?:yes|no|ok(?:ay)?|confirm|approve|accept|reject|decline|proceed|continue|go|y|update "
    r"now|apply|allow|deny)"
)
_POLITE = (
    r"(?:(?:please|kindly|just|simply|now|then|first|go ahead and|so|also|and|or|either|to \w+(?: \w+){0,3},|"
    r"before (?:i|we) \w+(?: \w+){0,4},) )*"
)
_STARTS = rf"(?:^\W*|[,;:.!?\n]\s*|\s-\s|\b(?:and|or|but|so|then|please|kindly)\s+|\u00a4\s*){_POLITE}"
_YOU = (
    r"(?:you(?:'ll| will)? (?:can|may|must|should|need to|have to|still need to|now need to"
    r"|just need to|only need to)"
    r"|(?:can|could|would|will) you(?: please)?|(?:i|we)(?:'ll|'d| will| would| just)? (?:need"
    r"|like|want|ask|require) you to|"
    r"(?:for|waiting (?:for|on)) you to|do you|have you|you(?:'ll)? (?:need|have) to|up to you "
    r"to|all you have to do is|"
    r"once you(?:'ve)?|as soon as you(?:'ve)?|after you(?:'ve)?|when you(?:'ve)?|until "
    r"you(?:'ve)?|unless you|if you"
    r"|let me know if you|don't forget to|remember to|be sure to|make sure (?:to|you)|asking "
    r"you to|ask that you)"
)
_FINISH = (
    r"(?:finali[sz]e|complete|apply|commit|execute|make it (?:final|official)|push (?:it|this|that|the \w+)"
    r"(?: live| through)?|lock (?:it|this|that) in|wrap (?:it|this|that) up|put (?:it|this|that) through"
    r"|carry (?:it|this) out)"
)
_ASKING = (
    r"\b(?:please|kindly|could you|can you|would you|do you|let (?:me|us) know|give me|just (?:say"
    r"|reply|answer"
    r"|tell)|i(?:'ll)? (?:just )?need (?:you|your))\b"
)
_ASKS_CHOICE = re.compile(r"\b(?:which|what|when|where|who|whom|how|if you|once you|when you)\b")
# A yes is asked for, and no data.
_ASSENT = re.compile(
    r"\b(?:yes|ok(?:ay)?|agree\w*|happy|fine|comfortable|content|correct|all clear|go[- ]?ahead|assent|nod"
    r"|sign(?:ed)?|(?:re)?confirm\w*|approv\w+|accept\w*|permission|consent|(?:let (?:me|us) know"
    r"|reply|respond)"
    r"(?! (?:with )?(?:your|which|what|when|where|how|who|the)\b))\b"
)
_REQUESTS = (
    re.compile(
        rf"\b(?:need|want|missing|left|wait(?:ing)? for|lacking)\b[^.!?,;]{{0,20}} is your "
        rf"(?:final )?{_NOUNS}\b"
    ),
    re.compile(
        rf"{_STARTS}(?P<verb>{_VERBS})(?![\w-]|\s*[:=(]|\s+(?:password|field|button|dialog|page|box"
        rf"|link|email|step)\b)"
    ),
    re.compile(
        rf"\b(?P<you>{_YOU}) (?:please |also |now |first |quickly |still |just |either "
        rf")*(?P<verb>{_VERBS})(?:e?d)?\b(?!-)"
    ),
    re.compile(
        rf"\b(?:await(?:ing)?|waiting (?:for|on)|pending|need(?:s|ed)?|requir(?:es?|ed|ing)|ready "
        rf"for|subject to|asking for|"
        rf"ask for|looking for|request(?:ing)?|with|get|have|want|give me|still lacks?|missing|on "
        rf"hold for|after|upon|without|"
        rf"depends on|held for) (?:your|the user's|an?) (?:final |explicit |quick |written |formal "
        rf"|kind |verbal )?{_NOUNS}\b"
    ),
    re.compile(
        rf"(?:^|[.!;]\s|\bstill )\W*(?:await(?:ing)?|waiting (?:for|on)|pending) (?:final |user "
        rf"|explicit )?{_NOUNS}\b(?! (?:from|by|of))"
    ),
    re.compile(
        rf"\byour (?:final |explicit |written )?{_NOUNS} is (?:still |now |also )?(?:needed"
        rf"|required|pending|missing|outstanding|necessary)"
    ),
    re.compile(
        rf"\b(?P<press>click(?: on)?|press|tap(?: on)?|hit|select|choose|pick|reply(?: with)?"
        rf"|respond(?: with)?|type|answer|say|enter|send)"
        rf"(?: either| back| me)?(?: the)?(?: big| green| blue| red)? ['\"(]?(?:{_CHOICE}\b|\u00a4+)"
        rf"(?=['\")]?(?:$|[.!?,;:)]|\s(?:to|or|and|below|above|if|when|so|button|in|on|here|now|and i|\"|')))"
    ),
    re.compile(
        rf"\b(?:click|press|tap|hit|select|choose|use|reply|respond|type|see|with|via|using"
        rf"|through)\b[^.!?\n]{{0,50}}?\b"
        rf"(?:to (?:{_VERBS}|proceed|continue|finalize|go ahead|let it run|allow)|buttons (?:below"
        rf"|above|underneath)"
        rf"(?! to (?:download|view|see|open|share|print|visit|read|play|track|browse|check|explore"
        rf"|contact|try))"
        rf"|(?:confirm(?:ation)?|approv(?:e|al)|reject|accept|yes|no)[^.!?\n]{{0,20}} buttons?"
        rf"|either button)\b"
    ),
    re.compile(
        r"\b(?:the )?(?:confirm|approve|reject|accept|yes|no)(?:/| or | and )(?:confirm|approve"
        r"|reject|decline|no|cancel|deny)\b (?:it|this|the|button|below|above|with|using)"
    ),
    re.compile(r"\bare you sure (?:you (?:want|wish|would like)|you'd like|about)\b"),
    re.compile(
        rf"\b(?:is|are) (?:you )?(?:ready|happy|willing) to (?P<verb>{_VERBS})\b|\b(?:care to "
        rf"(?:confirm|approve)|mind (?:confirming|approving|signing off))\b"
    ),
    re.compile(
        rf"\b(?:give|provide|grant|send|share) (?:me |us )?(?:your|a|the) (?:final |explicit "
        rf"|quick )?{_NOUNS}\b"
    ),
    re.compile(
        r"\b(?:let (?:me|us) know|tell (?:me|us)|say|indicate|reply|advise)(?: me| us)? (?:that|if|whether)"
        r" you(?:'re| are)? (?:\w+ )?(?:happy|ok(?:ay)?|fine|comfortable|agree|agreeable|content"
        r"|satisfied|good)"
        r"(?=\s*(?:$|[.!?,;]|to\b|with (?:this|that|it|the (?:\w+ )?(?:change|update|edit|booking"
        r"|order|result)s?)"
        r"\b|for\b|and\b|so\b))(?![^.!?]*\bor\b)"
    ),
    re.compile(
        rf"{_ASKING}[^.!?]{{0,80}}?\b(?:so (?:that )?(?:i|we) (?:can|may|could) (?P<finish>{_FINISH}|proceed"
        rf"|go ahead)|(?:and (?:i'll|i will|we'll)|before (?:i|we|i'll|it's)) {_FINISH})\b"
    ),
    re.compile(
        rf"(?:\b(?:before (?:i|we)|for me to|so (?:that )?(?:i|we) can|and (?:i'll|we'll))|^\W*to)"
        rf" (?P<finish>{_FINISH})\b[^.!?]{{0,40}}?,? (?:please|could you|can you|would you|kindly"
        r"|i(?:'ll)? (?:just )?need (?:you|your)|do let me know|just let me know|let me know)\b"
    ),
    re.compile(r"\bsign[- ]off (?:is )?(?:needed|required|below|here)\b|\bsign here\b"),
)
# What is asked for is data, or only told to be checked somewhere.
_DATA = re.compile(
    r"^\s*(?:me |for me |us )?(?:with (?:me|us) )?(?:your|the|his|her|their)? ?(?:full "
    r"|correct |current |new |delivery |shipping |billing |preferred |"
    r"travel |first |last |exact |flight |check-in |departure )*(?:e-?mail|phone|telephone"
    r"|mobile|address|identity|name|names|date of birth|"
    r"birth ?date|zip|postcode|postal code|id\b|number|attendance|availability|receipt"
    r"|subscription|preferences?|dates?|times?|account)\b"
)
_ASKS_WHAT = re.compile(
    r"^\s*(?:for me |with me |me )?(?:what|which|when|where|who|whom|how|why|whether you|if "
    r"you (?:have|need|are|were|see|received|"
    r"got|can|still))\b"
)
_CHECKED = re.compile(
    r"^\s*(?:this|that|it|the \w+(?: \w+)?|everything|for yourself)?\s*(?:yourself |at any "
    r"time |anytime )?(?:by \w+ing|in (?:the|your)|"
    r"on (?:the|your)|under\b|at\b|via\b|from (?:the|your))"
)
_ABOUT = re.compile(
    r"^\s*(?:that )?(?:it|this|that|the|your|you|to|all|everything|both|or|and|if|below|above"
    r"|with|and/or|so|before|now|here|using|by|via|"
    r"or reject|either|these|those|any|my|each|in|on|i|we|me|for|us|what|which|\w+ing)\b"
    r"|^\s*(?:$|[.!?,;:)/-])|^\s+[A-Z]"
)
_FIRST = re.compile(r"\b(?:i|we|i'd|we'd|i'll|we'll|let me|to|i can|i'm|we're)\s+(?:\w+ )?$")
_OTHERS_BUSINESS = re.compile(
    r"\b(?:settings?|preferences|dashboard|profile|policy|terms|manager|admin(?:istrator)?s?"
    r"|future|next time)\b"
)


_NEEDLESS = re.compile(
    r"\b(?:no need|needn't|don't (?:need|have)|without (?:having|needing)|no longer)\b[^,;]*$"
)
_WITH_YOUR = re.compile(r"\b(?:without|with|after|upon|have|get|got) (?:your|the user's)")
_GIVEN = re.compile(r"[^.]{0,30}\b(?:was|were|has been|have been|came|arrived|thank)")
_I_DID = re.compile(r"\b(?:i|we) (?:have |\w+ed)\b")
_BY_OTHERS = re.compile(r"\s+(?:by|for) (?:the|your) (?:admin|manager|bank)")


def confirmation_requests(sentences: Sequence[Sentence], plain: str) -> Iterator[tuple[int, int, int, str]]:
    """Where the user is asked to confirm: number of the sentence, place in the prose, what follows.

    `plain` is the prose with the quotations that the sentences leave out.
    """
    for number, sentence in enumerate(sentences):
        found = _request_in(sentence, plain)
        if found is not None:
            start, end = found
            yield number, sentence.start + start, sentence.start + end, sentence.text[end:]


def _request_in(sentence: Sentence, plain: str) -> tuple[int, int] | None:
    text = sentence.text
    if not _MAY_ASK.search(text):
        return None
    for pattern in _REQUESTS:
        for found in pattern.finditer(text):
            start = found.start("verb") if "verb" in pattern.groupindex and found["verb"] else found.start()
            start += len(text[start : found.end()]) - len(
                text[start : found.end()].lstrip(" ,;:.!?\n-\u00a4")
            )
            if _is_other_label(sentence, found, plain):
                continue
            if not _excused(sentence, pattern, found, start):
                return start, max(start + 1, found.end())
    return None


def _is_other_label(sentence: Sentence, found: re.Match[str], plain: str) -> bool:
    """Whether what is to be clicked is a label in quotes that confirms nothing: click "My orders"."""
    quoted = found[0].find("\u00a4")
    if "press" not in found.re.groupindex or quoted < 0:
        return False
    start = sentence.start + found.start() + quoted
    return re.match(rf"{_CHOICE}\b", plain[start : start + 40].lower()) is None


def _excused(sentence: Sentence, pattern: re.Pattern[str], found: re.Match[str], start: int) -> bool:
    """Whether what looks like a request is none: denied, the assistant's own, data, or where to look."""
    text = sentence.text
    after = text[found.end() :]
    if sentence.denies(start) or sentence.denies(min(found.end() - 1, len(text) - 1)):
        return True
    if _NEEDLESS.search(text[:start]) or (_WITH_YOUR.search(found[0]) and not _ahead(text, found)):
        return True
    if "press" in pattern.groupindex:
        return False
    if "finish" in pattern.groupindex:
        return _ASSENT.search(text[found.start() :]) is None or _ASKS_CHOICE.search(found[0]) is not None
    if "verb" not in pattern.groupindex:
        return "your" in found[0] and _GIVEN.match(after) is not None
    if _DATA.match(after) or _ASKS_WHAT.match(after):
        return True
    if "you" in pattern.groupindex:
        return _told_you(found, after)
    return _is_no_imperative(text, start, after)


def _told_you(found: re.Match[str], after: str) -> bool:
    """Whether "you confirm" is what the user has done, or may do elsewhere."""
    you = found["you"]
    if you.startswith(("you can", "you may")) and (_CHECKED.match(after) or _OTHERS_BUSINESS.search(after)):
        return True
    past = found[0].endswith("ed") and "you've" not in you
    if past and you.startswith(
        ("do you", "have you", "if you", "when you", "after you", "once you", "as soon")
    ):
        return True
    return you.startswith(("after you", "once you", "as soon", "when you")) and bool(_I_DID.search(after))


def _is_no_imperative(text: str, start: int, after: str) -> bool:
    """Whether the verb is the assistant's own, a name (Confirm is green) or has no object of a request."""
    if _FIRST.search(text[:start]):
        return True
    opens = start == 0 or not text[:start].strip(" \u00a4*")
    if opens and re.search(r"\s(?:is|was|has|are|were)\b", after[:30]):
        return True
    return _ABOUT.match(after) is None or _BY_OTHERS.match(after) is not None


def _ahead(text: str, found: re.Match[str]) -> bool:
    """Whether an approval that is spoken of is still to come: with your approval, I'll go on."""
    around = text[max(0, found.start() - 30) :]
    return (
        re.search(
            r"\b(?:i'll|i will|we'll|we will|i can|we can|can't|cannot|may i|could i|do i|i need|please)\b",
            around,
        )
        is not None
    )


_MAY_ASK = re.compile(
    r"confirm|approv|accept|authori|sign|ok|green|reject|declin|deny|go[- ]?ahead|consent"
    r"|permission|thumbs|blessing|let (?:me|us) know|please|kindly|could you|can you|would you|"
    r"click|press|tap|hit|select|choose|pick|reply|respond|type|answer|say|button|sure|decision|final"
)
