"""The advice that the clauses of a reply give: for what they speak, and against what."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

import msgspec

from grice.checks.contradiction.advice_words import (
    ACTS,
    ADVERBS,
    BAD_WORTH,
    GENERIC_ACTS,
    GOOD_WORTH,
    IMPERATIVES,
    LINKING,
    TURNING_AWAY,
)
from grice.checks.contradiction.clauses import Clause, Reading, root
from grice.checks.contradiction.stance_words import GENERIC
from grice.text.packs.pack import LanguagePack
from grice.text.words import Word

__all__ = ["Advice", "Walk", "advice_in", "keys_of", "pieces", "walk"]

_MAX_WORDS = 60
_FIRST_PERSON = r"(?:i|we)(?:'d| would|'ll| will|'m| am)?"
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
    r"(?: real| good)? (?:need|reason|point|sense|harm)|no need|not worth|worth|feel free|stay away|would(?:n't)? (?:go|take|buy|get|use|do|pick|touch|bother)"
    r"|(?:my|our) (?:\w+ )?(?:advice|recommendation|pick|vote|suggestion|choice|verdict|tip|view|preference)"
    r"|(?:still )?team )"
)
_SHOULD = re.compile(r"\b(?:should|shouldn't|ought|mustn't|must|is better off|are better off|do better)\b")
_WISHED = re.compile(
    r"\b(?:i'd|i would|we'd|we would) (?:\w+ )?(?:pick|choose|go|recommend|get|take|buy|use)\b"
)
_IN_PART = re.compile(
    r"\b(?:not|never|\w+n't) (?:always|all|every|everyone|everybody|entirely|fully|completely|totally|only|just|necessarily"
    r"|merely|simply|solely)\b"
)
_SUPERVISED = re.compile(
    r"\b(?:alone|unless|except|unsupervised|unattended|by (?:itself|themselves|yourself|herself|himself)|on (?:its|their|your) own"
    r"|only (?:if|with|when|after|under|for)|without (?:a|an|any|proper|supervision|human|checking|asking))\b"
)
_NOT_ADVICE = re.compile(
    r"\b(?:should (?:be able|arrive|receive|see|get (?:a|an|your) (?:e-?mail|confirmation)|take (?:about|around))"
    r"|must have|i'd (?:be|like|love|need) (?!against|better)|(?:i|we) would (?:like|love|need|be (?:happy|glad))"
    r"|we'd (?:be happy|love|like)|need to know|let me|feel free to (?:ask|reach|let|share)|recommend(?:ed)? (?:by|that you contact)"
    r"|good (?:question|point|to know|to hear|luck|choice)|great (?:question|point|to hear|choice)|fair (?:point|enough|question)"
    r"|(?:not|n't) (?:necessarily |really )?(?:suggesting|saying|arguing|claiming|implying|asking|denying|mean|about)\b"
    r"|^(?:and )?(?:have|enjoy) (?:a|an|your|the)\b|\b(?:sorry|congratulations|thanks|thank you|welcome|happy to|glad)\b"
    r"|have to be the case|you might (?:be |well |also )?(?:think|wonder|say|argue|worr|ask)"
    r"|(?:essential|important|crucial|vital|necessary|worth|critical|fair|reasonable|right|best) to (?:\w+ly )?(?:recogni[sz]e|note|noting"
    r"|acknowledge|understand|remember|address|ensure|say|point|expect|ask|add|mention)|worth (?:noting|mentioning|remembering)"
    r"|not (?:just|only|always|necessarily|merely|simply) (?:a|an|about|the)|it's not that\b"
    r"|(?:the |a )?(?:best|good|great|strong\w*|fair) (?:argument|question|point|case)|(?:spot|dead) on|i was (?:wrong|right)|i wasn't wrong)"
)
_PHRASES = (
    (
        -1,
        r"(?:hold(?:ing)?|put(?:ting)?) off|hold(?:ing)? on|steer(?:ing)? (?:well )?clear(?: of)?"
        r"|(?:stay|keep|staying) (?:well )?(?:away|clear)(?: from| of)?|phas(?:e|ed|ing) out"
        r"|get(?:ting)? rid of|rul(?:e|ing) out|pass on|give (?:it |this |that |them )?a miss"
        r"|leav(?:e|ing) (?:\w+ ){0,5}?(?:out|off|behind|aside)|turn(?:ing)? (?:\w+ ){0,3}?(?:off|down)"
        r"|switch(?:ing)? off|keep (?:\w+ ){0,3}?(?:to yourself|quiet|secret|private|closed|shut)"
        r"|say(?:ing)? nothing|think twice|no business|opt out|far from|anything but|(?:i'd|i would) leave"
        r"|(?:throwing|throw) (?:your |the )?money away|(?:a|total|complete|big) waste|waste of (?:money|time)|more harm than good|rip-?off|no place"
        r"|advis\w* against|recommend\w* against|decid\w* against|against|vote no|say(?:ing)? no to|said no to"
        r"|hands off|live without|without|do without|too (?:risky|expensive|early|soon|much|dangerous|late)"
        r"|lose out|harm\w* outweighs?|(?:risks?|costs?|downsides?|drawbacks?|disadvantages?|harms?)"
        r" (?:far |clearly |easily )?outweighs?|towards? no|short-?sighted|not a fan|last thing|free (?:from|of)|let (?:it|that|this|them) (?:go|lapse|expire|be)|leav(?:e|ing) (?:\w+ ){1,4}?(?:alone|untouched|as is|where it is|be)|money lost|wasted",
    ),
    (
        1,
        r"go ahead|go for|go with|stick (?:with|to)|opt for|better off|makes? (?:\w+ )?sense|no-brainer"
        r"|more good than harm|way to go|worth(?:while)?|what i'd|the one|in favou?r of|for the best|well worth"
        r"|(?:benefits?|gains?|upsides?|advantages?) (?:far |clearly |easily )?outweighs?|towards? yes"
        r"|nothing wrong|no harm|leave (?:\w+ ){0,4}?(?:open|on|enabled|running)|stop worrying|can't go wrong"
        r"|no problem|nothing to worry|nothing to lose|don't wait|not wait|no reason not|not only|not just|no question|no doubt|without (?:a )?doubt|no hesitation|don't hesitate",
    ),
)
_OTHER_SIDE = frozenset({"over", "than", "versus"})
_PREPOSITIONS = frozenset(
    {"for", "with", "at", "in", "on", "given", "during", "after", "before", "if", "from", "as", "since"}
)
_ADJUNCTS = frozenset({"to", "for", "so", "because", "by", "as", "which", "when", "at", "before", "until"})


class Walk(msgspec.Struct, frozen=True, gc=False):
    """The words of a clause with their signs: +1 for what it is for, -1 for what it is against.

    `sign` is that of the clause as a whole. `advises` says that it has a word of advice, `judges` that it
    says what something is worth. `acts` has the signs of general acts (buy, wait), `aside`
    are the keys behind what is advised: for whom, when. `loose` says that it names
    nothing of its own.
    """

    keys: dict[str, int]
    sign: int
    advises: bool
    judges: bool
    acts: dict[str, int] = {}
    aside: frozenset[str] = frozenset()

    @property
    def loose(self) -> bool:
        return not self.keys


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


@lru_cache(maxsize=1)
def _phrases() -> tuple[tuple[int, re.Pattern[str]], ...]:
    return tuple((sign, re.compile(rf"(?<![\w'-])(?:{one})(?![\w'-])")) for sign, one in _PHRASES)


@lru_cache(maxsize=1)
def _generic() -> frozenset[str]:
    return GENERIC_ACTS | GENERIC | GOOD_WORTH | BAD_WORTH | TURNING_AWAY | LINKING | ADVERBS


@lru_cache(maxsize=4)
def _generic_roots(pack: LanguagePack) -> frozenset[str]:
    return frozenset(root(word, pack) for word in GENERIC_ACTS)


@lru_cache(maxsize=4096)
def keys_of(word: str, pack: LanguagePack) -> tuple[str, ...]:
    """The roots of a word with a meaning of its own; the parts of one with a hyphen."""
    bare = word.removesuffix("'s")
    if bare in _generic() or bare in pack.stop_words or "'" in bare:
        return ()
    parts = [one for one in bare.split("-") if one and one not in pack.stop_words and one not in _generic()]
    roots = [root(one, pack) for one in parts]
    return tuple(_synonym(one) for one in roots if one not in _generic_roots(pack))


_SYNONYMS = {
    "rental": "rent", "guarante": "warranti", "jab": "vaccin", "shot": "vaccin", "kid": "child",
    "smartphon": "phone", "tv": "televis", "ly": "lie", "lying": "lie", "telli": "televis",
}  # fmt: skip


def _synonym(key: str) -> str:
    if len(key) > 8 and key.endswith("ation"):
        key = key[:-5]  # vaccination, vaccine
    elif len(key) > 6 and key.endswith("ion"):
        key = key[:-3]
    return _SYNONYMS.get(key, key)


def walk(found: Sequence[Word], marks: Sequence[bool], text: str, pack: LanguagePack) -> Walk:
    """The signs of the words of a clause; `text` is what its offsets count in."""
    found = found[:_MAX_WORDS]
    texts = [word.text for word in found]
    joined = " ".join(texts)
    turns = _turning(joined, texts)
    keys: list[tuple[str, int]] = []
    aside: set[str] = set()
    sign, side, advises, judges, linked = 1, 1, False, False, -9
    begin = _behind_adjunct(texts, found, text)
    place = 0
    complete = False
    acts: dict[str, int] = {}
    while place < len(found):
        word = texts[place]
        if word in ACTS and place >= begin:
            acts.setdefault(ACTS[word], side * sign)
        if place and keys and word in _ADJUNCTS and (advises or judges) and word != "to":
            complete = True
        if (
            place
            and keys
            and word == "to"
            and (judges or (_headed(texts, place) and _after_object(texts, place)))
        ):
            complete = True
        if place < begin and (marks[place] or place in turns):
            place += 1
            continue
        if place in turns and not (complete and keys):
            flip, length, judged = turns[place]
            sign *= flip
            advises = advises or not judged
            judges = judges or judged
            place += length
            continue
        if word in ("instead", "rather") and texts[place + 1 : place + 2] in (["of"], ["than"]):
            side = -1
            place += 2
            continue
        if word in LINKING:
            linked = place
        if marks[place]:
            if keys and _contrasts(found, texts, text, place):
                side = -1
            elif not (place and marks[place - 1]) and not complete:
                sign = -sign
            place += 1
            continue
        value = 1 if word in GOOD_WORTH else -1 if word in BAD_WORTH else 0
        if value and not complete and _predicates(texts, place, linked):
            sign *= value if not judges else 1
            judges = True
        elif word in _OTHER_SIDE and keys:
            side = -1
        elif place >= begin:
            back = -1 if _comes_from(texts, place) else 1
            made = keys_of(word, pack)
            keys += [(key, side * back) for key in made]
            if complete:
                aside |= set(made)
        place += 1
    signed: dict[str, int] = {}
    for key, one in keys:
        signed.setdefault(key, one * sign)
    if judges or not advises:  # "buying is a mistake": what is said of it stands behind it
        acts = {act: one * (sign if judges else 1) for act, one in acts.items()}
    main = {key for key in signed if key not in aside}
    return Walk(signed, sign, advises, judges, acts, frozenset(aside) if main else frozenset())


def _comes_from(texts: Sequence[str], place: int) -> bool:
    """Whether a word is what a move is away from: "from WordPress to Ghost"."""
    near = texts[max(0, place - 3) : place]
    return "from" in near and "to" in texts[place + 1 : place + 4] and "to" not in near


def _turning(joined: str, texts: Sequence[str]) -> dict[int, tuple[int, int, bool]]:
    """The places of words that turn a clause round, or only advise: sign, how many words, whether a verdict."""
    made: dict[int, tuple[int, int, bool]] = {}
    taken: set[int] = set()
    for sign, pattern in _phrases():
        for one in pattern.finditer(joined):
            place = joined.count(" ", 0, one.start())
            length = one[0].count(" ") + 1
            if one[0] == "against" and not _opposes(texts, place):
                continue
            if one[0] == "without" and not _better_without(texts, place):
                continue
            if not taken & set(range(place, place + length)):
                taken |= set(range(place, place + length))
                made[place] = (sign, _bare(one[0]), _JUDGES.search(one[0]) is not None)
    for place, word in enumerate(texts):
        if word in TURNING_AWAY and place not in taken:
            made[place] = (-1, 1, False)
    return made


_JUDGES = re.compile(r"harm|worth|money|waste|no-brainer|sense|short-?sighted|wrong|outweigh")


def _bare(phrase: str) -> int:
    """How many words of a phrase carry nothing: the object inside "leave it out" may be a target."""
    first = phrase.split(" ", 1)[0]
    split = first in ("leave", "let", "leaving", "keep", "turn", "turning") and phrase.count(" ") > 1
    return 1 if split else phrase.count(" ") + 1


def _opposes(texts: Sequence[str], place: int) -> bool:
    """Whether "against" is what is advised, and no plain preposition: "a defence against attacks"."""
    before = set(texts[max(0, place - 3) : place])
    return place == 0 or bool(
        before
        & {"advise", "recommend", "be", "i'm", "am", "is", "are", "decide", "vote", "lean", "argue", "i'd"}
    )


def _better_without(texts: Sequence[str], place: int) -> bool:
    return bool({"off", "do", "go", "live", "stay"} & set(texts[max(0, place - 2) : place]))


def _predicates(texts: Sequence[str], place: int, linked: int) -> bool:
    """Whether a word of worth says what something is: it stands behind a linking verb, or alone."""
    if place <= 2:
        return True
    between = texts[max(0, linked) + 1 : place]
    if place - linked <= 5 and not _OF & set(between):
        return True
    return any(
        one in ("i'd", "call", "consider", "find", "think", "as", "would")
        for one in texts[max(0, place - 4) : place]
    )


_OF = frozenset({"of", "for", "in", "with", "by", "on", "at", "that", "from", "through", "than", "as", "to"})


def _contrasts(found: Sequence[Word], texts: Sequence[str], text: str, place: int) -> bool:
    """Whether a "not" behind a comma begins the other side: "React, not Vue"."""
    return texts[place] == "not" and "," in text[found[place - 1].end : found[place].start]


def _after_object(texts: Sequence[str], place: int) -> bool:
    """Whether a "to" begins a purpose: no verb that takes one stands right before it."""
    return texts[place - 1] not in (
        "need", "have", "ought", "want", "wise", "going", "better", "best", "safe", "fine", "reason", "idea", "you"
    )  # fmt: skip


def _headed(texts: Sequence[str], place: int) -> bool:
    """Whether the verb of the clause stands before a place: a command, or a modal."""
    first = next((word for word in texts if word not in ADVERBS), "")
    return first in IMPERATIVES or any(word in _MODAL or word.endswith("'d") for word in texts[:place])


_MODAL = frozenset(
    {"should", "shouldn't", "would", "wouldn't", "must", "recommend", "suggest", "advise", "advice"}
)


def _behind_adjunct(texts: Sequence[str], found: Sequence[Word], text: str) -> int:
    """Where a clause begins behind "For a small site,": what stands there is no target."""
    start = 0
    while start < len(texts) and texts[start] in ADVERBS:
        start += 1
    if start >= len(texts) or texts[start] not in _PREPOSITIONS:
        return 0
    for place in range(start + 1, len(texts)):
        if "," in text[found[place - 1].end : found[place].start] or texts[place] in (
            "i'd",
            "i",
            "you",
            "we",
            "it's",
        ):
            return place
    return 0


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
    r"|\b(?:i|we) (?:\w+ )?(?:\w+ )?(?:recommend|suggest|advise|prefer|favou?r|lean|vote)\b|\bi'm (?:\w+ )?(?:for|against|sticking|leaning)\b"
    r"|\bmy (?:\w+ )?(?:advice|recommendation|pick|vote|suggestion|choice|verdict)\b|^(?:still )?team "
)


_LABEL = re.compile(
    r"^(?:my |our |final |short |the )*(?:recommendation|verdict|pick|advice|answer|conclusion|bottom line|choice|summary)$"
)


def _supposed(sentence: str) -> bool:
    """Whether a sentence holds under a condition: not by "until", "when", or "if I had to choose"."""
    return _IF.search(_TRIVIAL.sub("", sentence)) is not None


_IF = re.compile(r"\b(?:if|unless|provided|providing|assuming|in that case|in this case|then)\b")


def pieces(reading: Reading) -> Iterator[Clause]:
    """The clauses, cut where an "and" or a comma begins another piece of advice: "wait, and don't buy"."""
    for clause in reading.clauses:
        start = 0
        begin = _behind_adjunct([word.text for word in clause.words], clause.words, reading.text)
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
        _OWN_ADVICE.search(text)
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
