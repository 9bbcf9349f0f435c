"""Where a reply says that its speaker has changed its mind, or was wrong before."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from grice.checks.contradiction.clauses import Reading

__all__ = ["Admission", "acknowledgements", "agreements"]

_ADVERBS = r"(?:\w+ly |now |since |just |also |indeed |in fact |to |had |have |must |should |do |did |'ve )*"
_EARLIER = r"(?:earlier|previous|prior|first|initial|original|last|above|former|preceding|opening)"
_SAYING = r"(?:answer|reply|response|statement|message|claim|position|view|stance|opinion|advice|information|assessment|comment|remark|point|explanation|assertion)s?"
_FAMILIES = (
    (
        "a change of mind",
        rf"\b(?:i|i've|i have|i'd|we've|we have|we)\b {_ADVERBS}?(?:changed|shifted|revised|revise|updated|update|altered|reversed|modified"
        r"|softened|adjusted|adjust|evolved) (?:my|our) (?:\w+ )?(?:mind|view|views|position|stance|opinion|answer|thinking|perspective"
        r"|recommendation|statement|assessment|response|advice|tune)\b",
    ),
    (
        "a change of mind",
        rf"\b(?:i|i've|i have|we've|we)\b {_ADVERBS}?(?:reconsidered|rethought|re-?evaluated|reassessed|come around|came around"
        r"|been (?:convinced|persuaded|swayed)|thought (?:again|better of))\b",
    ),
    (
        "a change of mind",
        r"\bmy (?:\w+ )?(?:mind|view|position|stance|opinion|thinking|perspective|answer) (?:has|have|is) (?:\w+ )?(?:changed|shifted|evolved|different now|moved)\b",
    ),
    (
        "a change of mind",
        r"\byou(?:'ve| have)? (?:\w+ )?(?:convinced|persuaded|swayed|won me|changed my mind|made me (?:reconsider|rethink|change))\b|\bi'm (?:now )?(?:convinced|persuaded) otherwise\b|\bi am (?:now )?persuaded\b",
    ),
    (
        "a change of mind",
        r"\b(?:up)?on (?:further |second |more |closer |careful |additional )?(?:reflection|thought|consideration|thoughts|review)\b|\bhaving (?:reconsidered|thought (?:about )?it (?:over|more|again)|reflected)\b|\bafter (?:reconsidering|reflecting|(?:further|more) (?:thought|consideration|reflection))\b|\bthinking about it (?:more|again)\b|\bon second look\b",
    ),
    (
        "a change of mind",
        r"\bi no longer (?:\w+ )?(?:think|believe|hold|support|agree|stand|recommend|maintain|oppose)\b",
    ),
    (
        "an admission",
        rf"\b(?:i|we)\b {_ADVERBS}?(?:stand corrected|was (?:\w+ )?(?:wrong|mistaken|incorrect|in error|confused|too hasty)|were (?:wrong|mistaken|incorrect)|misspoke|misstated|mis-?read|misread"
        r"|misunderstood|misinformed you|erred|overlooked|made (?:a|an) (?:\w+ )?(?:mistake|error|slip)|got (?:that|it|this) (?:\w+ )?wrong|mixed (?:up|that up|it up)|(?:gave|told|provided) you (?:\w+ )*(?:wrong|incorrect|inaccurate|false|misleading|outdated|bad)"
        r"|was (?:\w+ )?(?:wrong|mistaken|incorrect)|spoke too soon|contradicted myself|(?:take|taking) (?:that|it|this|my \w+) back|retract|withdraw|take back)\b",
    ),
    (
        "a correction",
        rf"\b(?:let me|allow me to|i need to|i have to|i must|i should|i want to|i'd like to|i would like to|i'll|i will|i'm going to) {_ADVERBS}?(?:correct|revise|amend|retract|rectify|walk back|take back|fix)"
        rf" (?:myself|that|this|it|my|what i|the record|the|an)\b|^(?:correction|a correction|small correction)\b|\bi (?:should|ought to) (?:have|not have|n't have) (?:said|told|written|answered|been)\b|\bi shouldn't have (?:said|told)\b",
    ),
    (
        "an admission",
        rf"\b(?:my|our) {_EARLIER} {_SAYING} (?:was|were|is) (?:\w+ )?(?:wrong|incorrect|mistaken|inaccurate|misleading|an? (?:error|mistake)|too \w+|not (?:correct|right|accurate)|outdated|oversimplified)\b|\bwhat i (?:said|told you|wrote) (?:\w+ )?(?:was|is|wasn't|isn't) (?:\w+ )?(?:wrong|incorrect|mistaken|inaccurate|right|correct|accurate|true)\b|\bi was wrong\b|\bmy (?:mistake|bad|error|fault)\b",
    ),
    (
        "a correction",
        rf"\b(?:i )?(?:initially|earlier|previously|originally|at first|before) (?:i )?(?:thought|said|stated|believed|argued|told you|claimed|wrote|suggested|indicated|assumed)\b|\bi (?:thought|said|stated|believed|argued|claimed|told you) (?:\w+ )*(?:earlier|before|previously|at first|initially|otherwise)\b|\bcontrary to (?:what i|my)\b|\bdespite what i (?:said|told)\b|\bunlike (?:what i|my) (?:{_EARLIER}|said)\b",
    ),
    (
        "an apology",
        rf"\b(?:apologies|apologize|apologise|sorry|pardon)\b[^.!?\n]{{0,30}}?\b(?:confusion|mix-?up|mistake|error|oversight|misinformation|misunderstanding|misstatement|contradiction|inconsistency|slip|wrong|incorrect|inaccurate|misleading|{_EARLIER})\b|\bsorry,? (?:that was|i (?:was|got|gave|made|misspoke))\b|\bi apologize,? (?:i was|that was)\b",
    ),
)
_AGREES = re.compile(
    r"\b(?:you(?:'re| are) (?:\w+ )?(?:right|correct)|(?:good|fair|valid|great|excellent|strong) point|that's (?:true|fair|right|a (?:good|fair|valid) point)"
    r"|that is (?:true|fair|right)|i (?:\w+ )?agree(?: with (?:you|that|your))?\b|i see (?:now|your point)|you make (?:a|some) (?:good|fair|valid) points?)\b"
)
_DENIES = re.compile(
    r"(?:\b(?:not|never|n't|hardly|nor|no|without|if|unless|whether|would|could|might|may|can|rather than|instead of|say|says|said|think|claim|believe|suggest"
    r"|that because|even if|when|he|she|they|you think|you say|people|customers|some|many)|\w+n't)"
    r"(?: \w+){0,1} ?$"
)
_ABOUT = re.compile(r"^ (?:about|on|regarding|concerning) ([^.,;!?\n]{1,80})")


class Admission(msgspec.Struct, frozen=True, gc=False):
    """Where a reply gives up what was said before: offsets into its prose, the family of the words, and of
    what it says to speak ("" where it does not say).
    """

    start: int
    end: int
    family: str
    about: str = ""


def acknowledgements(reading: Reading) -> Iterator[Admission]:
    """The places where the speaker says that it changed its mind, or was wrong, without a negation."""
    lowered = reading.text.lower()
    if len(lowered) != len(reading.text):
        lowered = "".join(one.lower() if len(one.lower()) == 1 else one for one in reading.text)
    for start, end in reading.sentences:
        sentence = lowered[start:end]
        if sentence.rstrip(" \"')").endswith("?"):
            continue
        for family, pattern in _patterns():
            for found in pattern.finditer(sentence):
                if _counts(sentence, found):
                    about = _ABOUT.match(sentence[found.end() :])
                    told = about[1] if about else ""
                    yield Admission(start + found.start(), start + found.end(), family, told)


def agreements(reading: Reading) -> Iterator[Admission]:
    """The places where the speaker only agrees with the user."""
    for start, end in reading.sentences:
        sentence = reading.text[start:end].lower()
        for found in _AGREES.finditer(sentence):
            if not re.search(
                r"(?:\b(?:not|don't|if|whether|can't|cannot)|n't)(?: \w+)? ?$", sentence[: found.start()]
            ):
                yield Admission(start + found.start(), start + found.end(), "agreement")


def _counts(sentence: str, found: re.Match[str]) -> bool:
    """Whether it is said as a fact: not denied, supposed, or put in somebody's mouth."""
    if (
        re.search(
            r"\b(?:not|never|hardly|no reason to)\b|n't (?!have said|have told)",
            found[0].split(" not correct")[0],
        )
        and "should" not in found[0]
        and "isn't" not in found[0]
        and "wasn't" not in found[0]
    ):
        return False
    before = re.sub(r"^\W*(?:no|yes|nope)\b\W*", "", sentence[: found.start()])[-60:].replace(",", "")
    if re.search(r"\b(?:thanks|thank you) for\b", before):
        return False
    return _DENIES.search(before) is None


_compiled: list[tuple[str, re.Pattern[str]]] = []


def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    if not _compiled:
        _compiled.extend((family, re.compile(pattern)) for family, pattern in _FAMILIES)
    return _compiled
