"""The advice that the clauses of a reply give: for what they speak, and against what."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from grice.checks.contradiction.positions.advice_walk import Walk, behind_adjunct, walk
from grice.checks.contradiction.positions.advice_words import ADVERBS, IMPERATIVES, TURNING_AWAY
from grice.checks.contradiction.positions.clauses import Clause, Reading
from grice.text.packs.pack import LanguagePack

__all__ = ["Advice", "advice_in", "pieces"]

_ADVERB = r"(?:\w+ly |still |also |just |rather |probably |always |never |instead |then |even |not )*"
_ADVISES = re.compile(
    rf"^(?:(?:{'|'.join(sorted(ADVERBS))}|to be honest|in short|in summary|in that case|for you"
    r"|on balance|all in all|as i said|my view|verdict|recommendation|final recommendation|bottom line) )*"
    r"(?:(?:i|we)(?:'d| would| wouldn't) |(?:i|we) (?:do |don't |can't |cannot |would |wouldn't |'d )?"
    rf"{_ADVERB}(?:recommend|suggest|advise|advocate|prefer|favou?r|support|endorse|oppose|lean|vote|urge"
    r"|see (?:any |a )?(?:reason|need|point))|i'm (?:still |firmly )?(?:for|against|sticking|leaning|team"
    r"|in favou?r|opposed|not a fan)|(?:i|we) am (?:still )?(?:for|against|opposed|in favou?r)"
    r"|you(?:'d| would| should|'re| are)?(?: n't)? (?:\w+ )?(?:be )?(?:better off|well advised)"
    r"|(?:you|we|they)(?: really| definitely| absolutely)? (?:should|shouldn't|must|mustn't|ought|don't need"
    r"|do not need|needn't|need not|don't have to|can skip|can safely|can leave|can go ahead|can drop"
    r"|could skip|may as well|might as well)|(?:there's|there is|there'd be) (?:really |absolutely )?no"
    r"(?: real| good)? (?:need|reason|point|sense|harm)|no need|not worth|worth|feel free|stay away"
    r"|would(?:n't)? (?:go|take|buy|get|use|do|pick|touch|bother)"
    r"|(?:my|our) (?:\w+ )?(?:advice|recommendation|pick|vote|suggestion|choice|verdict|tip|view|preference)"
    r"|(?:still )?team )"
)
_SHOULD = re.compile(r"\b(?:should|shouldn't|ought|mustn't|must|is better off|are better off|do better)\b")
_WISHED = re.compile(
    r"\b(?:i'd|i would|we'd|we would) (?:\w+ )?(?:pick|choose|go|recommend|get|take|buy|use)\b"
)
_IN_PART = re.compile(
    r"\b(?:not|never|\w+n't) (?:always|all|every|everyone|everybody|entirely|fully|completely|totally"
    r"|only|just|necessarily"
    r"|merely|simply|solely)\b"
)
_SUPERVISED = re.compile(
    r"\b(?:alone|again|twice|a second time"
    r"|unless|except|unsupervised|unattended|by (?:itself|themselves|yourself|herself"
    r"|himself)|on (?:its|their|your) own"
    r"|only (?:if|with|when|after|under|for)|without (?:a|an|any|proper|supervision|human|checking|asking))\b"
)
_NOT_ADVICE = re.compile(
    r"\b(?:should (?:be able|arrive|receive|see|get (?:a|an|your) (?:e-?mail|confirmation)"
    r"|take (?:about|around))"
    r"|must have|i'd (?:be|like|love|need) (?!against|better)|(?:i|we) would (?:like|love|need"
    r"|be (?:happy|glad))"
    r"|we'd (?:be happy|love|like)|need to know|let me|feel free to (?:ask|reach|let|share)"
    r"|recommend(?:ed)? (?:by|that you contact)"
    r"|good (?:question|point|to know|to hear|luck|choice)|great (?:question|point|to hear|choice)"
    r"|fair (?:point|enough|question)"
    r"|(?:not|n't) (?:necessarily |really )?(?:suggesting|saying|arguing|claiming|implying|asking"
    r"|denying|mean|about)\b"
    r"|^(?:and )?(?:have|enjoy) (?:a|an|your|the)\b|\b(?:sorry|congratulations|thanks|thank you|welcome"
    r"|happy to|glad)\b"
    r"|have to be the case|you might (?:be |well |also )?(?:think|wonder|say|argue|worr|ask)"
    r"|(?:essential|important|crucial|vital|necessary|worth|critical|fair|reasonable|right"
    r"|best) to (?:\w+ly )?(?:recogni[sz]e|note|noting"
    r"|acknowledge|understand|remember|address|ensure|say|point|expect|ask|add|mention)|worth (?:noting"
    r"|mentioning|remembering)"
    r"|not (?:just|only|always|necessarily|merely|simply) (?:a|an|about|the)|it's not that\b"
    r"|(?:the |a )?(?:best|good|great|strong\w*|fair) (?:argument|question|point|case)|(?:spot|dead) on"
    r"|i was (?:wrong|right)|i wasn't wrong)"
)


class Advice(msgspec.Struct, frozen=True, gc=False):
    """What a clause advises. `start` and `end` are offsets into the prose of the reply.

    `kind` is `advice`, `judgement` or `fragment` ("Buy."). `narrowed` says that it is for a condition only.
    """

    walk: Walk
    clause: Clause
    kind: str
    start: int
    end: int
    sentence: int
    narrowed: bool = False
    own: bool = False


def advice_in(reading: Reading, pack: LanguagePack) -> Iterator[Advice]:
    """The advice in a reply: what is asked, supposed, reported and granted in it is none."""
    before: Advice | None = None
    for number, clause in enumerate(pieces(reading)):
        lead, before = before, None
        if clause.kind in ("question", "reported", "condition", "concession", "reason", "relative"):
            continue
        if _NOT_ADVICE.search(clause.text) or _IN_PART.search(clause.text):
            continue
        made = walk(clause.words, clause.negations, reading.text, pack)
        kind = _kind(clause, made, first=number == 0)
        if not kind and made.keys and _leads_to(lead, clause, reading.text):
            kind, made = "advice", _turned(made, lead.walk.sign if lead else 1)
        if kind:
            before = Advice(
                made, clause, kind, clause.start, clause.end, clause.sentence,
                narrowed=(clause.conditioned and _supposed(_sentence(reading, clause)))
                or (made.sign < 0 and _SUPERVISED.search(clause.text) is not None),
                own=_OWN_ADVICE.search(clause.text) is not None,
            )  # fmt: skip
            yield before


def _leads_to(lead: Advice | None, clause: Clause, text: str) -> bool:
    """Whether a clause is what the advice before it speaks of: "One thing I'd recommend: the case"."""
    return (
        lead is not None
        and (lead.own or _LABEL.match(lead.clause.text) is not None)
        and lead.walk.loose
        and len(clause.words) <= 8
        and ":" in text[lead.end : clause.start]
    )


def _turned(made: Walk, sign: int) -> Walk:
    return msgspec.structs.replace(
        made, keys={key: one * sign for key, one in made.keys.items()}, sign=made.sign * sign
    )


_TRIVIAL = re.compile(
    r"\bif (?:i (?:had|have) to|i were you|it were me|you ask me|you want my|pushed|forced|you're asking"
    r"|in doubt|i'm honest)|\bwhen in doubt\b"
)


_OWN_ADVICE = re.compile(
    r"\b(?:i|we)(?:'d| would| wouldn't)(?! (?:\w+ )?(?:argue|say|think|believe|be|like|love|need|call))\b"
    r"|\b(?:i|we) (?:\w+ )?(?:\w+ )?(?:recommend|suggest|advise|prefer|favou?r|lean|vote)\b"
    r"|\bi'm (?:\w+ )?(?:for|against|sticking|leaning)\b"
    r"|\bmy (?:\w+ )?(?:advice|recommendation|pick|vote|suggestion|choice|verdict)\b|^(?:still )?team "
)


_LABEL = re.compile(
    r"^(?:my |our |final |short |the )*(?:recommendation|verdict|pick|advice|answer|conclusion"
    r"|bottom line|choice|summary)$"
)


def _supposed(sentence: str) -> bool:
    """Whether a sentence holds under a condition: not by "until", "when", or "if I had to choose"."""
    return _IF.search(_TRIVIAL.sub("", sentence)) is not None


_IF = re.compile(r"\b(?:if|unless|provided|providing|assuming|in that case|in this case)\b")


def pieces(reading: Reading) -> Iterator[Clause]:
    """The clauses, cut where an "and" or a comma begins another piece of advice: "wait, and don't buy"."""
    for clause in reading.clauses:
        start = 0
        begin = behind_adjunct([word.text for word in clause.words], clause.words, reading.text)
        for place in range(begin + 1, len(clause.words)):
            if place > start and _cuts(clause, place, reading.text):
                yield _piece(clause, start, place)
                start = place
        yield clause if not start else _piece(clause, start, len(clause.words))


def _cuts(clause: Clause, place: int, text: str) -> bool:
    """Whether a piece of advice begins at a word."""
    word, before = clause.words[place].text, clause.words[place - 1].text
    between = text[clause.words[place - 1].end : clause.words[place].start]
    if before in ("no", "yes") and "." in between:  # "no." is also short for number
        return True
    comma = "," in between
    begins = word in TURNING_AWAY or word in IMPERATIVES or word in _BEGINS or clause.negations[place]
    if place < 2:
        return False
    if before in ("and", "but", "so", "then"):
        return begins or _comma_before(clause, place - 1, text)
    if not comma or word in ("and", "but", "so", "or", "then", "not"):
        return False
    return begins and word != "no" and before not in ("yes", "no")


_BEGINS = frozenset({"i'd", "i", "we", "you", "it's", "that's", "it", "let's", "you'd", "which"})


def _comma_before(clause: Clause, place: int, text: str) -> bool:
    return "," in text[clause.words[place - 1].end : clause.words[place].start]


def _piece(clause: Clause, start: int, end: int) -> Clause:
    behind = start and clause.kind in ("condition", "concession", "reason")
    return msgspec.structs.replace(
        clause,
        kind="main" if behind else clause.kind,
        words=clause.words[start:end],
        denied=clause.denied[start:end],
        negations=clause.negations[start:end],
        start=clause.words[start].start,
        end=clause.words[end - 1].end,
    )


def _sentence(reading: Reading, clause: Clause) -> str:
    start, end = reading.sentences[clause.sentence]
    return reading.text[start:end].lower()


def _kind(clause: Clause, made: Walk, *, first: bool) -> str:
    text = clause.text
    head = next((word.text for word in clause.words if word.text not in ADVERBS), "")
    if (
        _LABEL.match(text)
        or _OWN_ADVICE.search(text)
        or _ADVISES.match(f"{text} ")
        or clause.own
        or _SHOULD.search(text)
        or _WISHED.search(text)
    ):
        return "advice"
    if head in IMPERATIVES or (made.advises and head in TURNING_AWAY):
        return "advice"
    if made.judges:
        return "judgement"
    if made.advises and any(
        one in text for one in ("sense", "better off", "the one", "what i'd", "outweigh", "go ")
    ):
        return "judgement"
    return "fragment" if first and len(clause.words) <= 6 and made.keys else ""
