"""The words of a clause of advice with their signs: what it is for, and what it is against."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import msgspec

from grice.checks.contradiction.positions.advice_words import (
    ACTS,
    ADVERBS,
    BAD_WORTH,
    GENERIC_ACTS,
    GOOD_WORTH,
    IMPERATIVES,
    LINKING,
    TURNING_AWAY,
)
from grice.checks.contradiction.positions.clauses import root
from grice.checks.contradiction.positions.stance_words import GENERIC
from grice.text.packs.pack import LanguagePack
from grice.text.words import Word

__all__ = ["Walk", "behind_adjunct", "keys_of", "walk"]

_MAX_WORDS = 60
_PHRASES = (
    (
        -1,
        (
            r"(?:hold(?:ing)?|put(?:ting)?) off|hold(?:ing)? on|steer(?:ing)? (?:well )?clear(?: of)?"
            r"|(?:stay|keep|staying) (?:well )?(?:away|clear)(?: from| of)?|phas(?:e|ed|ing) out"
            r"|get(?:ting)? rid of|rul(?:e|ing) out|pass on|give (?:it |this |that |them )?a miss"
            r"|leav(?:e|ing) (?:\w+ ){0,5}?(?:out|off|behind|aside)|turn(?:ing)? (?:\w+ ){0,3}?(?:off|down)"
            r"|switch(?:ing)? off|keep (?:\w+ ){0,3}?(?:to yourself|quiet|secret|private|closed|shut)"
            r"|say(?:ing)? nothing|think twice|no business|opt out|far from|anything but|(?:i'd"
            r"|i would) leave"
            r"|(?:throwing|throw) (?:your |the )?money away|(?:a|total|complete|big) waste"
            r"|waste of (?:money|time)|more harm than good|rip-?off|no place"
            r"|advis\w* against|recommend\w* against|decid\w* against|against|vote no|say(?:ing)? no to"
            r"|said no to"
            r"|hands off|live without|without|do without|too (?:risky|expensive|early|soon|much"
            r"|dangerous|late)"
            r"|lose out|harm\w* outweighs?|(?:risks?|costs?|downsides?|drawbacks?|disadvantages?|harms?)"
            r" (?:far |clearly |easily )?outweighs?|towards? no|short-?sighted|not a fan|last thing"
            r"|free (?:from|of)|let (?:it|that|this|them) (?:go|lapse|expire|be)|leav(?:e"
            r"|ing) (?:\w+ ){1,4}?(?:alone|untouched|as is|where it is|be)|money lost|wasted"
        ),
    ),
    (
        1,
        (
            r"go ahead|go for|go with|stick (?:with|to)|opt for|better off|makes? (?:\w+ )?sense|no-brainer"
            r"|more good than harm|way to go|worth(?:while)?|what i'd|the one|in favou?r of|for the best"
            r"|well worth"
            r"|(?:benefits?|gains?|upsides?|advantages?) (?:far |clearly |easily )?outweighs?|towards? yes"
            r"|nothing wrong|no harm|leave (?:\w+ ){0,4}?(?:open|on|enabled|running)|stop worrying"
            r"|can't go wrong"
            r"|no problem|nothing to worry|nothing to lose|don't wait|not wait|no reason not|not only"
            r"|not just|no question|no doubt|without (?:a )?doubt|no hesitation|don't hesitate"
        ),
    ),
)
_OTHER_SIDE = frozenset({"over", "than", "versus"})
_PREPOSITIONS = frozenset(
    {"for", "with", "at", "in", "on", "given", "during", "after", "before", "if", "from", "as", "since"}
)
_ADJUNCTS = frozenset(
    {"to", "for", "so", "because", "by", "as", "which", "when", "at", "before", "until", "with"}
)
_GOES_ON = frozenset({"not", "and", "or", "rather", "instead"})


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
        """Whether it names nothing of its own."""
        return self.keys.keys() <= self.aside


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
    """The signs of the words of a clause; `marks` say which are negations, `text` has their offsets."""
    return _Walker(found[:_MAX_WORDS], marks, text, pack).walked()


class _Walker:
    """Walks over the words of a clause; every word that turns it round turns its sign."""

    def __init__(self, found: Sequence[Word], marks: Sequence[bool], text: str, pack: LanguagePack) -> None:
        self.found, self.marks, self.text, self.pack = found, marks, text, pack
        self.texts = [word.text for word in found]
        self.turns = _turning(" ".join(self.texts), self.texts)
        self.begin = behind_adjunct(self.texts, found, text)
        self.keys: list[tuple[str, int]] = []
        self.aside: set[str] = set()
        self.acts: dict[str, int] = {}
        self.sign, self.side, self.linked = 1, 1, -9
        self.advises = self.judges = self.complete = False

    def walked(self) -> Walk:
        """The signs, after all words."""
        place = 0
        while place < len(self.found):
            place += self._step(place)
        signed: dict[str, int] = {}
        for key, one in self.keys:
            signed.setdefault(key, one * self.sign)
        acts = self.acts
        if self.judges or not self.advises:  # "buying is a mistake": what is said of it stands behind it
            acts = {act: one * (self.sign if self.judges else 1) for act, one in acts.items()}
        return Walk(signed, self.sign, self.advises, self.judges, acts, frozenset(self.aside))

    def _step(self, place: int) -> int:
        """Read what stands at a place; how many words that are."""
        word = self.texts[place]
        if place >= self.begin and word in ACTS:
            self.acts.setdefault(ACTS[word], self.side * self.sign)
        self._completes(place, word)
        turn = self.turns.get(place)
        if place < self.begin and (self.marks[place] or turn is not None):
            return 1
        if turn is not None and not self.complete:
            return self._turn(turn)
        if word in ("instead", "rather") and self.texts[place + 1 : place + 2] in (["of"], ["than"]):
            self.side = -1
            return 2
        if word in LINKING:
            self.linked = place
        if self.marks[place]:
            self._deny(place)
        elif not self._judge(place, word):
            self._name(place, word)
        return 1

    def _completes(self, place: int, word: str) -> None:
        """Note where what is advised ends, and its purpose or case begins."""
        if place <= self.begin:
            return
        said = self.advises or self.judges
        if (
            said
            and word not in _GOES_ON
            and "," in self.text[self.found[place - 1].end : self.found[place].start]
        ):
            self.complete = True
        if not self.keys or word not in _ADJUNCTS:
            return
        if word != "to":
            self.complete = self.complete or self.advises or self.judges
        elif self.judges or (_headed(self.texts, place) and _after_object(self.texts, place)):
            self.complete = True

    def _turn(self, turn: tuple[int, int, bool]) -> int:
        sign, length, judged = turn
        self.sign *= sign
        self.advises = self.advises or not judged
        self.judges = self.judges or judged
        return length

    def _deny(self, place: int) -> None:
        if self.keys and _contrasts(self.found, self.texts, self.text, place):
            self.side = -1
        elif not (place and self.marks[place - 1]) and not self.complete:
            self.sign = -self.sign

    def _judge(self, place: int, word: str) -> bool:
        """Whether a word says what something is worth, or begins the other side of a comparison."""
        value = 1 if word in GOOD_WORTH else -1 if word in BAD_WORTH else 0
        if value and not self.complete and _predicates(self.texts, place, self.linked):
            self.sign *= 1 if self.judges else value
            self.judges = True
            return True
        if word in _OTHER_SIDE and self.keys:
            self.side = -1
            return True
        return False

    def _name(self, place: int, word: str) -> None:
        if place < self.begin:
            return
        back = -1 if _comes_from(self.texts, place) else 1
        made = keys_of(word, self.pack)
        self.keys += [(key, self.side * back) for key in made]
        if self.complete:
            self.aside.update(made)


def _comes_from(texts: Sequence[str], place: int) -> bool:
    """Whether a word is what a move is away from: "from WordPress to Ghost"."""
    near = texts[max(0, place - 3) : place]
    return "from" in near and "to" in texts[place + 1 : place + 4] and "to" not in near


def _turning(joined: str, texts: Sequence[str]) -> dict[int, tuple[int, int, bool]]:
    """The places of words that turn a clause round or advise: sign, how many words, whether a verdict."""
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
        "need", "have", "ought", "want", "wise", "going", "better", "best", "safe", "fine", "reason", "idea",
        "you",
    )  # fmt: skip


def _headed(texts: Sequence[str], place: int) -> bool:
    """Whether the verb of the clause stands before a place: a command, or a modal."""
    first = next((word for word in texts if word not in ADVERBS), "")
    return first in IMPERATIVES or any(word in _MODAL or word.endswith("'d") for word in texts[:place])


_MODAL = frozenset(
    {"should", "shouldn't", "would", "wouldn't", "must", "recommend", "suggest", "advise", "advice"}
)


def behind_adjunct(texts: Sequence[str], found: Sequence[Word], text: str) -> int:
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
