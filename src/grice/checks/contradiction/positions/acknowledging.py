"""Where a reply says that its speaker has changed its mind, or was wrong before."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from grice.checks.contradiction.positions.clauses import Reading

__all__ = ["Admission", "acknowledgements", "agreements"]

_ADVERBS = r"(?:\w+ly |now |since |just |also |indeed |in fact |to |had |have |must |should |do |did |'ve )*"
_EARLIER = r"(?:earlier|previous|prior|first|initial|original|last|above|former|preceding|opening)"
_SAYING = (
    r"(?:answer|reply|response|statement|message|claim|position|view|stance|opinion|advice|information"
    r"|assessment|comment|remark|point|explanation|assertion)s?"
)
_SPEAKER = (
    r"\b(?:i|we)(?:'ve|'m|'re|'d|'ll)?\b (?:(?!hardly |scarcely )\w+ly |now |since "
    r"|just |to |had |have |am |are |been |must |should |going |need |want |like |will )*"
)
"""The speaker, up to the verb of the change."""
_GIVEN_UP = (
    rf"(?:(?:my|our) (?:\w+ )?(?:mind|view|views|opinion|thinking|perspective|tune|recommendation|{_SAYING})"
    r"|what (?:i|we) (?:\w+ )?(?:said|told you|wrote|recommended)|course|sides?|that|this|it)\b"
)
"""What a speaker can give up: a stance of its own, its words, or "that"."""
_FAMILIES = (
    (
        "a change of mind",
        (
            rf"{_SPEAKER}(?:(?:revers|rescind|retract|recant|abandon|withdr[ae]w)(?:e|n|ing|ed)?"
            rf"|switch(?:ing|ed)?) {_GIVEN_UP}|{_SPEAKER}giv(?:e|ing) up my\b"
            rf"|{_SPEAKER}(?:changing|shifting|revising) (?:my|our) \w+|{_SPEAKER}walk(?:ing)? (?:that"
            r"|this|it|my \w+) back\b"
            rf"|{_SPEAKER}(?:com(?:e|ing)|came) (?:a)?round\b|{_SPEAKER}flipped\b"
            rf"|{_SPEAKER}(?:had|having) a change of (?:heart|mind)\b"
            rf"|{_SPEAKER}(?:think|see|feel|view|look at) (?:(?:it|this|that|things) )?"
            r"(?:quite |very |rather )?differently\b"
            r"(?! (?:than|from|to) (?:you|some|many|most|other|they|critics))"
            r"|\bi now (?:think|feel|see it|believe) otherwise\b"
        ),
    ),
    (
        "a change of mind",
        (
            r"\b(?:your|that|this|these|those) (?:(?!not |never |hardly )\w+ ){0,4}?"
            r"(?:convinces?|convinced|persuades?|persuaded|sways?|swayed) me\b"
            r"|\btalked me (?:a?round|into|out of)\b"
            r"|\b(?:consider|count) me (?:\w+ )?(?:convinced|persuaded)\b"
        ),
    ),
    (
        "an admission",
        (
            rf"{_SPEAKER}(?:was|were|being) (?:\w+ )?(?:(?:too|overly) (?:quick|hasty|fast|absolute"
            r"|categorical|certain|confident|rash|sweeping|strong)|inconsistent)\b"
            r"|\b(?:not|n't) what i (?:said|told you|argued|recommended) (?:before|earlier|at first)\b"
        ),
    ),
    (
        "a change of mind",
        (
            r"\b(?:having|after) (?:looked|looking|checked|checking|read|reading|gone|going|thought"
            r"|seen|taken another look|another look)"
            r"(?: \w+){0,6}? (?:again|once more|more closely|properly|a second time)\b"
            r"|\blooking (?:at (?:it|this|that) )?(?:again|afresh)\b"
            r"|\bi'd now (?:say|recommend|suggest|go|advise|choose|pick|turn|avoid|skip|take)\b"
            r"|\bon a second look\b"
        ),
    ),
    (
        "a correction",
        (
            r"\b(?:scratch|disregard|ignore|forget|strike) (?:that|(?:what|everything) i (?:said|told"
            r"|wrote|recommended|suggested|advised)"
            rf"|my {_EARLIER} \w+)\b|\bmea culpa\b|\bi (?:need|have|want) to (?:walk (?:that|this"
            rf"|it) back|backtrack|row back)\b"
            r"|\bi'?(?:ve| have)? (?:gave|given) you (?:\w+ )?(?:poor|bad|wrong|the wrong"
            r"|terrible) (?:advice|steer|tip|answer|recommendation)\b"
        ),
    ),
    (
        "an admission",
        (
            rf"\b(?:my|our) (?:{_EARLIER} )?(?:advice|recommendation|suggestion|answer|tip|reply|steer|take)"
            rf"(?: {_EARLIER})? (?:was|were) (?:\w+ )?(?:off|off base|poor|bad|mistaken|wrong|unwise"
            rf"|hasty|rushed|a mistake|too \w+)\b"
            r"|\bthat was (?:bad|poor|wrong|terrible) advice\b|\bi (?:\w+ )?steered you wrong\b"
            r"|\bthat one's on me\b|\bthat's on me\b"
        ),
    ),
    (
        "a change of mind",
        (
            rf"\b(?:i|i've|i have|i'd|we've|we have|we)\b {_ADVERBS}?(?:changed|shifted|revised|revise"
            rf"|updated|update|altered|reversed|modified"
            r"|softened|adjusted|adjust|evolved) (?:my|our) (?:\w+ )?(?:mind|view|views|position"
            r"|stance|opinion|answer|thinking|perspective"
            r"|recommendation|statement|assessment|response|advice|tune)\b"
        ),
    ),
    (
        "a change of mind",
        (
            rf"\b(?:i|i've|i have|we've|we)\b {_ADVERBS}?(?:reconsidered|rethought|re-?evaluated"
            rf"|reassessed|come around|came around"
            r"|been (?:convinced|persuaded|swayed)|thought (?:again|better of))\b"
        ),
    ),
    (
        "a change of mind",
        (
            r"\bmy (?:\w+ )?(?:mind|view|position|stance|opinion|thinking|perspective|answer) (?:has"
            r"|have|is) (?:\w+ )?(?:changed|shifted|evolved|different now|moved)\b"
        ),
    ),
    (
        "a change of mind",
        (
            r"\byou(?:'ve| have)? (?:\w+ )?(?:convinced|persuaded|swayed|won me|changed my mind"
            r"|made me (?:reconsider|rethink|change))\b|\bi'm (?:now )?(?:convinced"
            r"|persuaded) otherwise\b|\bi am (?:now )?persuaded\b"
        ),
    ),
    (
        "a change of mind",
        (
            r"\b(?:up)?on (?:further |second |more |closer |careful |additional )?(?:reflection"
            r"|thought|consideration|thoughts|review)\b|\bhaving (?:reconsidered"
            r"|thought (?:about )?it (?:over|more|again)|reflected)\b|\bafter (?:reconsidering"
            r"|reflecting|(?:further|more) (?:thought|consideration|reflection))\b"
            r"|\bthinking about it (?:more|again)\b|\bon second look\b"
        ),
    ),
    (
        "a change of mind",
        r"\bi no longer (?:\w+ )?(?:think|believe|hold|support|agree|stand|recommend|maintain|oppose)\b",
    ),
    (
        "an admission",
        (
            rf"\b(?:i|we)\b {_ADVERBS}?(?:stand corrected|was (?:\w+ )?(?:wrong|mistaken|incorrect"
            rf"|in error|confused|too hasty)|were (?:wrong|mistaken|incorrect)|misspoke|misstated"
            rf"|mis-?read|misread"
            r"|misunderstood|misinformed you|erred|overlooked|made (?:a|an) (?:\w+ )?(?:mistake|error"
            r"|slip)|got (?:that|it|this) (?:\w+ )?wrong|mixed (?:up|that up|it up)|(?:gave|told"
            r"|provided) you (?:\w+ )*(?:wrong|incorrect|inaccurate|false|misleading|outdated|bad)"
            r"|was (?:\w+ )?(?:wrong|mistaken|incorrect)|spoke too soon|contradicted myself|(?:take"
            r"|taking) (?:that|it|this|my \w+) back|retract|withdraw|take back)\b"
        ),
    ),
    (
        "a correction",
        (
            rf"\b(?:let me|allow me to|i need to|i have to|i must|i should|i want to|i'd like to"
            rf"|i would like to|i'll|i will|i'm going to) {_ADVERBS}?(?:correct|revise|amend|retract"
            rf"|rectify|walk back|take back|fix)"
            r" (?:myself|that|this|it|my|what i|the record|the|an)\b|^(?:correction|a correction"
            r"|small correction)\b|\bi (?:should|ought to) (?:have|not have|n't have) (?:said|told"
            r"|written|answered|been)\b|\bi shouldn't have (?:said|told)\b"
        ),
    ),
    (
        "an admission",
        (
            rf"\b(?:my|our) {_EARLIER} {_SAYING} (?:was|were|is) (?:\w+ )?(?:wrong|incorrect|mistaken"
            rf"|inaccurate|misleading|an? (?:error|mistake)|too \w+|not (?:correct|right|accurate)"
            rf"|outdated|oversimplified)\b|\bwhat i (?:said|told you|wrote) (?:\w+ )?(?:(?:was|is) "
            rf"(?:\w+ )?(?:wrong|incorrect|mistaken|inaccurate|misleading)|(?:wasn't|isn't|was not|is not) "
            rf"(?:\w+ )?(?:right|correct|accurate|true))\b"
            rf"|\bi was wrong\b|\bmy (?:mistake|bad|error|fault)\b"
        ),
    ),
    (
        "a correction",
        (
            rf"\b(?:i )?(?:initially|earlier|previously|originally|at first|before) (?:i )?(?:thought"
            rf"|said|stated|believed|argued|told you|claimed|wrote|suggested|indicated|assumed)\b"
            rf"|\bi (?:thought|said|stated|believed|argued|claimed|told you) (?:\w+ )*(?:earlier|before"
            rf"|previously|at first|initially|otherwise)\b|\bcontrary to (?:what i|my)\b"
            rf"|\bdespite what i (?:said|told)\b|\bunlike (?:what i|my) (?:{_EARLIER}|said)\b"
        ),
    ),
    (
        "an apology",
        (
            rf"\b(?:apologies|apologize|apologise|sorry|pardon)\b[^.!?\n]{{0,30}}?\b(?:confusion"
            rf"|mix-?up|mistake|error|oversight|misinformation|misunderstanding|misstatement"
            rf"|contradiction|inconsistency|slip|wrong|incorrect|inaccurate|misleading|{_EARLIER})\b"
            rf"|\bsorry,? (?:that was|i (?:was|got|gave|made|misspoke))\b|\bi apologize,? (?:i was"
            rf"|that was)\b"
        ),
    ),
)
_AGREES = re.compile(
    r"\b(?:you(?:'re| are) (?:\w+ )?(?:right|correct)|(?:good|fair|valid|great|excellent"
    r"|strong) point|that's (?:true|fair|right|a (?:good|fair|valid) point)"
    r"|that is (?:true|fair|right)|i (?:\w+ )?agree(?: with (?:you|that|your))?\b|i see (?:now"
    r"|your point)|you make (?:a|some) (?:good|fair|valid) points?)\b"
)
_DENIES = re.compile(
    r"(?:\b(?:not|never|n't|hardly|nor|no|without|if|unless|whether|would|could|might|may|can"
    r"|rather than|instead of|as|say|says|said|think|claim|believe|suggest"
    r"|that because|even if|when|he|she|they|you think|you say|people|customers|some|many)|\w+n't)"
    r"(?: \w+){0,1} ?$"
)
_STEADFAST = re.compile(
    r"\bas i(?:'ve| have)? (?:always |already )?(?:said|told you|explained|stated"
    r"|recommended) (?:from the (?:start|beginning|outset)|all along|before|earlier)"
    r"|\bas i(?:'ve| have) (?:always|already) said\b|\bi(?:'ve| have)? (?:never|always) (?:said"
    r"|recommended|told|advised|maintained|been)\b"
    r"|\bi (?:haven't|have not|didn't|did not) (?:change|changed)\b|\bi (?:wasn't|was not) wrong\b"
)
"""Words that deny a change: an apology beside them owns nothing."""
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
    denies = _STEADFAST.search(lowered) is not None
    for start, end in reading.sentences:
        sentence = lowered[start:end]
        if sentence.rstrip(" \"')").endswith("?"):
            continue
        for family, pattern in _patterns():
            if denies and family == "an apology":
                continue
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
    before = re.sub(r"^\W*(?:no|yes|nope)\b\W*", "", sentence[: found.start()])[-60:].replace(",", "")
    if re.search(r"\b(?:thanks|thank you) for\b", before):
        return False
    return _DENIES.search(before) is None


_ANY = r"(?:\w+ )"
_ANY_BUT_NOT = r"(?:(?!not |never |hardly )\w+ )"

_compiled: list[tuple[str, re.Pattern[str]]] = []


def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    if not _compiled:
        for family, pattern in _FAMILIES:
            _compiled.append((family, re.compile(pattern.replace(_ANY, _ANY_BUT_NOT))))
    return _compiled
