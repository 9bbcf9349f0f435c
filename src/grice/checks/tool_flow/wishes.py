"""What a user wants done: the actions that are asked for, or agreed to."""

from __future__ import annotations

import re
from functools import lru_cache

from grice.checks.tone.speech import prose
from grice.checks.tool_flow.english_actions import action_of_noun, groups_of, lemma
from grice.checks.tool_flow.facts import Facts
from grice.checks.tool_flow.speech_acts import acts_in, read_sentences

__all__ = ["asked_for", "wanted_now"]

_MAX_READ = 4_000
_ASKED = re.compile(
    r"(?:[.!?,;:\n]\s*|\b(?:please|pls|kindly|just|and|then|also|(?:can|could|would|will) (?:you|we|i)"
    r"|may i|i(?:'d| would) like (?:you )?to|i (?:want|need|have|wish) (?:you )?to|wanna|go ahead and|help me"
    r"|let's|to|ok(?:ay)?|yes|yeah|hi|hello|hey) |^\W*)(?=(?:please |just "
    r"|also )?([a-z]{3,})\b(?!')(?:(?: [\w']+){0,3}? (on|off|up|out)\b)?)"
)
_WANTED_THING = re.compile(
    r"\b(?:want|need|like|get|request|ask(?:ing)? for|about|make|do|start)(?: (?:an?|the|my|this|that|some))*"
    r" (?:\w+ )?([a-z]+)\b"
)
_TELLS = re.compile(r"\b(?:(?:tell|inform) (?!me\b|us\b)\w+|let (?!me\b|us\b)(?:\w+ ){1,3}know\b)")
_AGREES = re.compile(
    r"\W*(?:yes|yeah|yep|yup|y|ok(?:ay)?|sure|please|go(?: ahead)?|do (?:it|that|so)|correct|right|fine|great"
    r"|perfect|sounds|confirm(?:ed)?|absolutely|definitely|of course|that (?:works|one)|deal"
    r"|al(?:l )?right)\b"
)


def wanted_now(facts: Facts) -> frozenset[str]:
    """The lemmas of the actions that the user asks for in this turn, or agrees to."""
    wanted = asked_for(facts.user)
    if _AGREES.match(facts.user[:_MAX_READ].lower()):
        wanted |= _proposed(facts.proposed[:_MAX_READ])
    return wanted


@lru_cache(maxsize=64)
def asked_for(text: str) -> frozenset[str]:
    """The lemmas of the actions that a message of a user asks for."""
    lowered = " ".join(text[:_MAX_READ].lower().replace("\u2019", "'").split())
    asked = [one for one in _ASKED.finditer(lowered) if not one[1].endswith(("ed", "ing"))]
    found = {lemma(one[1]) for one in asked} | {f"{one[1]}-{one[2]}" for one in asked if one[2]}
    found |= {action_of_noun(one[1]) for one in _WANTED_THING.finditer(lowered)}
    if _TELLS.search(lowered):
        found.add(lemma("notify"))
    return frozenset(one for one in found if groups_of(one))


@lru_cache(maxsize=64)
def _proposed(reply: str) -> frozenset[str]:
    acts = acts_in(read_sentences(prose(reply).text))
    return frozenset(act.verb for act in acts if act.kind in ("ask", "offer") and groups_of(act.verb))
