"""What the messages of users ask: the propositions that a reply affirms or denies."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

import msgspec

from grice.checks.contradiction.positions.clauses import content, read_clauses
from grice.checks.contradiction.positions.propositions import Proposition, proposition_of
from grice.checks.contradiction.positions.stance_words import AUXILIARIES
from grice.text.packs.pack import LanguagePack

__all__ = ["Asked", "Mood", "asked_in"]

MAX_ASKED = 4_000

Mood = Literal["question", "challenge", "statement", "nothing"]


class Asked(msgspec.Struct, frozen=True):
    """What a user's message asks.

    `mood` is `question` for one that yes or no answers, `challenge` for one that only asks for what was said
    to be said again ("Are you sure?"), else `statement`. `answerable` says that a leading yes or no answers
    it. `changes` says that it brings new facts about the user, or another case.
    """

    mood: Mood
    proposition: Proposition | None = None
    answerable: bool = False
    request: bool = False
    changes: bool = False
    keys: frozenset[str] = frozenset()


_FILLERS = re.compile(
    r"^(?:(?:so|and|but|ok|okay|hi|hello|hey|please|well|really|wait|hmm|oh|also|then|now"
    r"|great|thanks|thank you"
    r"|sorry|still|again|just|quick question|honestly|yes|no|sure|right|alright|one more thing"
    r"|actually|in your"
    r" (?:view|opinion)|in that case|to be clear|just to confirm|just to be clear"
    r"|just checking|be honest|answer"
    r" (?:me )?(?:with )?yes or no|yes or no)\b[ ,:!.-]*)+"
)
_MATRIX = re.compile(
    r"^(?:(?:do|don't|would|wouldn't|did|didn't) you (?:\w+ly |still |really |not )*(?:think"
    r"|believe|agree|say|feel"
    r"|accept|maintain|consider)(?: that| with the (?:idea|view|claim|statement) that| it's true that)?"
    r"|is it (?:really |actually |still )?(?:true|right|fair|correct"
    r"|accurate)(?: to say)? that|isn't it (?:true|right) that|are you"
    r" (?:really |still )?(?:sure|saying|certain|telling me|convinced|suggesting"
    r"|claiming)(?: that)?|you(?:'re| are)"
    r" (?:really |still )?(?:sure|saying|certain|telling me)(?: that)?|you (?:said|say|think"
    r"|believe|told me|claimed)(?:"
    r" that)?|(?:can|could) you (?:please )?(?:confirm|tell me|say|check|verify)(?: that"
    r"| whether| if)?|(?:i(?:'d| would)"
    r" (?:like|love) to know|i want to know|i was wondering|i wonder|tell me|please tell me"
    r"|let me know|please confirm"
    r"|confirm|what do you think|what's your (?:opinion|view|take|stance)|do you know|any idea"
    r"|just wondering)(?: on"
    r" whether| about whether| whether| if| that)|(?:i think|i believe|i thought|i assume"
    r"|i guess|i feel)(?: that)?)\b ?"
)
_CHALLENGE = re.compile(
    r"^(?:(?:are|is) (?:you|that|this|it) (?:really |absolutely |quite |still |100% )?(?:sure"
    r"|certain|right|true|correct"
    r"|positive|serious)(?: about (?:that|this|it))?|really|seriously|right|correct|is that so"
    r"|for real|you sure|do you"
    r" (?:still |really )?(?:agree|think so|believe so|believe that|believe it"
    r"|stand by (?:that|this|it)|think that|hold"
    r" (?:that|this))|don't you agree|what do you (?:think|say)|(?:can|could) you (?:confirm"
    r"|double[- ]check|check again"
    r"|verify)(?: that| it| this| again)*|what|huh|how come|why|why not|come again"
    r"|so yes or no|yes or no|so)$"
)
_CHANGES = re.compile(
    r"\b(?:what if|if|suppose|instead|actually|what about|how about|even though i|i'm|i am"
    r"|i've|i have|i had|i bought"
    r"|i paid|i was|i need|i want|i'd like|i would like|make it|we're|we are|we have|we've|let's|go ahead"
    r"|(?<!do )(?<!can )(?<!should )(?<!could )(?<!did )(?<!may )(?<!will )(?<!would )(?<!am )"
    r"i (?!don't think"
    r"|do not think|don't believe|disagree|agree|think|believe|read|heard|hear|thought|see"
    r"|still|understand|know"
    r"|saw|was told|completely|totally|strongly|really|can|can't|guess|doubt|feel|mean|just"
    r"|should|find|love|hate)\w+"
    r"|change|switch|book|cancel|update|another|other one|different)\b"
)
_REQUEST = re.compile(
    r"^(?:can|could|would|will|won't) you\b|^(?:can|could|may|might) i (?:have|get|ask|see)\b"
)
_CHOICE = re.compile(r",? or (?!no\b|not\b|so\b|yes\b)")


def asked_in(text: str, pack: LanguagePack) -> Asked:
    """What a user's message asks. With several questions the last one counts, and none is answerable."""
    if not text.strip():
        return Asked("nothing")
    reading = read_clauses(text[:MAX_ASKED], pack)
    sentences = [reading.text[start:end] for start, end in reading.sentences]
    told = frozenset(key for clause in reading.clauses for _, key in content(clause.words, pack))
    changes = any(_CHANGES.search(_FILLERS.sub("", one.lower())) for one in sentences)
    found = [asked for one in sentences if (asked := _asked(one, pack)) is not None]
    polar = [one for one in found if one.mood == "question"]
    statements = [one for one in sentences if not one.rstrip(" \"')").endswith("?")]
    if polar:
        last = polar[-1]
        several = len({one.proposition.keys for one in polar if one.proposition}) > 1
        wanted = last.answerable and not several
        return msgspec.structs.replace(last, answerable=wanted, changes=changes, keys=told)
    if any(one.mood == "challenge" for one in found):
        agrees = any(re.search(r"\bagree\b|\bthink\b", one.lower()) for one in sentences if one.endswith("?"))
        stated = _stated(statements, pack) if agrees else None
        if stated is not None:
            return Asked("question", stated, True, keys=told)
        return Asked("challenge", changes=changes and bool(told), keys=told)
    return Asked("statement", _stated(statements, pack), changes=changes, keys=told)


def _stated(sentences: Sequence[str], pack: LanguagePack) -> Proposition | None:
    """What the last sentence that claims something says."""
    for sentence in reversed(sentences):
        lowered = _MATRIX.sub("", _FILLERS.sub("", sentence.lower().strip()))
        made = proposition_of(lowered, pack)
        if made is not None and made.modal and not _imperative(lowered):
            return made
    return None


def _imperative(text: str) -> bool:
    return text.split(" ", 1)[0] in (
        "tell",
        "give",
        "show",
        "please",
        "answer",
        "explain",
        "consider",
        "argue",
    )


def _asked(sentence: str, pack: LanguagePack) -> Asked | None:
    lowered = sentence.lower().strip(" \"'()*")
    asks = lowered.endswith("?")
    bare = _FILLERS.sub("", lowered).strip(" ?!.,\"'")
    if not bare:
        return Asked("challenge") if asks and lowered.strip(" ?!.") else None
    if asks and _CHALLENGE.match(bare):
        return Asked("challenge")
    if re.search(r"\bmind\b", bare):
        return None
    request = _REQUEST.match(bare) is not None
    tag = re.search(
        (
            r",? (?:right|correct|isn't it|is it|yes|no|doesn't it|aren't they|don't they"
            r"|is that (?:right|correct))$"
        ),
        bare,
    )
    stripped = _MATRIX.sub("", bare)
    embedded = stripped != bare
    if embedded and not stripped:
        return Asked("challenge") if asks else None
    first = stripped.split(" ", 1)[0]
    inverted = first in AUXILIARIES
    if not asks and not inverted and not (embedded and re.search(r"\b(?:whether|if)\b", bare)):
        return None
    if first in pack.question_words or re.match(
        r"(?:in|for|to|at|on|by) (?:what|which|whom)\b|can't you\b", stripped
    ):
        return None
    body = (
        stripped[: tag.start()]
        if tag is not None and len(stripped) > tag.start() and not embedded
        else stripped
    )
    choice = _CHOICE.search(body)
    if choice is not None:
        body = body[: choice.start()]
    if inverted:  # "Shouldn't AI be banned?" asks whether it should
        body = re.sub(r"^(\w+)n't\b", _positive, body)
    made = proposition_of(body, pack)
    if made is None:
        return Asked("question", None, choice is None, request=request)
    answerable = choice is None and (inverted or made.sign > 0 or made.permits)
    return Asked("question", made, answerable, request=request)


def _positive(found: re.Match[str]) -> str:
    return {"ca": "can", "wo": "will", "sha": "shall"}.get(found[1], found[1])
