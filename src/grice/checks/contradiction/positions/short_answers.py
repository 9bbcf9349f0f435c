"""Answers that leave out what they speak of, and the parts that a user asks to play."""

from __future__ import annotations

import re

from grice.checks.contradiction.positions.matters import Matter

__all__ = ["ALONE", "OWN_VOICE", "plays_a_part", "short_sign"]

_PART = re.compile(
    r"\b(?:argue (?:against|for|in favou?r|the (?:other|opposite))|(?:argue|present|give|write|make"
    r"|take|need|want"
    r"|play|show) (?:me )?(?:the |a |an )?(?:other side|opposite|opposing|counter-?argument|case (?:for"
    r"|against)"
    r"|devil's advocate|best case|strongest case)|devil's advocate|steel-?man|pretend|role-?play|as if you"
    r"|debate (?:club|team|practice)|for (?:a|my|the) debate|speech (?:for|against)|other side)\b"
)
OWN_VOICE = re.compile(
    r"\b(?:my own|my actual|my honest|my view|my opinion|personally|outside (?:the|that) (?:role"
    r"|debate)|as for me"
    r"|what i (?:really|actually) think|stepping out|out of character|i myself|i still)\b"
)
ALONE = re.compile(
    r"^(?:(?:so|then|still|and|but|again|overall|verdict|answer|my|the|is|it|a|that|remains|short|final"
    r"|therefore|honestly|i'd say|i would say|i say|seriously|for him|for her|for them|for you|for that"
    r"|in my view|in my opinion|in my honest opinion|for me|i lean|i'm leaning|leaning|towards|toward"
    r"|on balance|i think|a firm|now) )*(yes|no|nope|yep|nah)(?: (?:thanks|please|definitely|absolutely"
    r"|really|still))*$"
)
_NOT_NOW = re.compile(r"^(?:no )?not (?:yet|really|for now|at|during|in|for|until|before|now)\b")
_SHORT = re.compile(
    r"^(?:(?:yes|no|nah|yep|and|so|then|well|honestly|personally|still|overall|even then|again) )*(?:i|we)"
    r"(?: still| really| personally| certainly| definitely| honestly)? (?:think |believe |say )?(?:it "
    r"|that |they |you )?"
    r"(do|don't|would|wouldn't|should|shouldn't|think so|don't think so|could not|would not|do not)"
    r"(?: yet| again| either| indeed| not)?(?: (?:bother|risk it|do it|call it that|do that|touch it"
    r"|go for it|go there|go near it|say so|it|that|so))*(?: with it)?$"
)


_DOUBTS = re.compile(
    r"^(?:\w+ )?(?:i|we) (?:really |still )?(?:don't think|do not think|doubt"
    r"|don't believe) (?:that )?(?:it|they|you|we|i|that) (?:should|would|is|are|ought to|do|does"
    r"|needs?|need to)(?: be)?$"
)


def plays_a_part(user: str) -> bool:
    """Whether a user asks to argue a side: what is then argued is nobody's own view."""
    return _PART.search(user.lower()) is not None


def short_sign(text: str, matter: Matter, *, first: bool) -> int:
    """The sign of a clause that leaves out what it speaks of: "I wouldn't", "not yet"; 0 for another."""
    found = _SHORT.match(text)
    if found is not None:
        sign = -1 if "not" in found[1] or "n't" in found[1] else 1
        return sign * matter.sign if _TOUCHES.search(text) else sign
    if _DOUBTS.match(text) or (first and _NOT_NOW.match(text)):
        return -1
    return 0


_TOUCHES = re.compile(r"\b(?:bother|risk|touch|near)\b")
