"""The questions of a conversation that ask for advice: what to do, what is worth it, which of two."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from grice.checks.contradiction.positions.advice_walk import Walk, keys_of, walk
from grice.checks.contradiction.positions.advice_words import ACTS, BAD_WORTH, CASE_NOUNS, GOOD_WORTH
from grice.checks.contradiction.positions.clauses import Clause, read_clauses
from grice.checks.contradiction.positions.stance_words import CLASS_NOUNS
from grice.text.packs.pack import LanguagePack
from grice.text.words import Word

__all__ = ["Matter", "Question", "questions_in", "resembles"]

MAX_ASKED = 4_000
_MAX_WORDS = 40

_ASKS_ADVICE = re.compile(
    r"\b(?:should|shouldn't|shall|ought|worth|recommend|suggest|advise|advice|better|best|good|bad|wise|smart"
    r"|sensible|okay|ok|fine|safe|safely|suitable|appropriate|acceptable|necessary|needed|need|would you"
    r"|do you think|do you agree|do you support|are you (?:for|against)|would it|would an?|make sense"
    r"|makes sense"
    r"|overkill|healthy|wrong|right|must|have to|y/n|yes or no|pointless|waste|rip-?off|throwing|justified"
    r"|recommended|continue|keep|quit|stop|skip|ethical|moral|fair|harmful|you said|live now)\b"
)
_ELLIPTIC = re.compile(
    r"^(?:(?:so|ok|okay|and|but|then|right|well|just|hmm|alright|great|thanks|wait|to be clear|to sum up"
    r"|just to be sure|to be sure|in short|honestly|really|again|sorry|cool|please|now)[ ,:]*)*"
    r"(?:(?:what(?:'s| is) )?(?:your |the )?(?:final|last) (?:answer|recommendation|verdict|word|call|advice)"
    r"|(?:should|shall|do|would|can|could) (?:i|we|you) (?:really |still |then |just "
    r"|definitely )?(?:do|go for"
    r"|go ahead with|take|get|buy|book|use|start|have|try|order|keep|recommend|need|want|skip)? ?"
    r"(?:it|this|that|them|one|ahead|now)?|yes or no|y/n|so|final(?: answer)?|verdict|(?:should"
    r"|shall) (?:i|we)"
    r"|(?:is|would) (?:it|that|this) (?:really |still |be )*(?:worth it|a good idea|ok|okay|fine|safe|wise"
    r"|necessary|needed|right|good|sensible)|go (?:for it|ahead)|do it|worth it|buy it"
    r"|which(?: one)?(?: then)?"
    r"|good idea|still yes|still no|yes|no|are you sure|you sure|sure|really|what do you (?:think|say|suggest"
    r"|recommend|advise)|what would you do|what should (?:i|we) do(?: then| now)?|in one (?:word|line"
    r"|sentence))"
    r"(?: then| now| after all| today| or not| for me| for us| overall)*[ ?!.]*$"
)
_REMINDS = re.compile(
    r"\b(?:remind me|to sum (?:it )?up|sum up|in summary|summary|summari[sz]e|final(?:ly)? (?:answer"
    r"|recommendation"
    r"|verdict|pick)|recap|bottom line|once more|again|just to (?:be sure|confirm|check)|double-?check"
    r"|one (?:line|word|sentence)|decision table|conclude|so which|which one (?:is|was) it|wrap up"
    r"|short version)\b"
)
_CASE = re.compile(
    r"^(?:(?:so|ok|okay|and|but|then|right|well|hmm)[ ,]+)*(?:what if|what about|how about|and if|if|and when"
    r"|when (?:i'm|i am|we're|it's|he|she|they|there|the)|and for|for|and with|with|and in|in|on|and my"
    r"|would that|suppose|say)\b|\b(?:instead|what if)\b"
)
_NEGATIVE = re.compile(
    r"\b(?:don't|shouldn't|isn't|not|wouldn't|aren't|can't|never|won't|doesn't|didn't|couldn't|no)\b"
)
_OPENING = re.compile(
    r"^(?:(?:so|ok|okay|and|but|then|right|well|just|hmm|hi|hello|hey|wait|please|honestly|really|thanks"
    r"|quick question|what do you think|what do you reckon|your honest opinion|honest opinion"
    r"|in your opinion|write me your honest opinion|do you think|do you believe|would you say"
    r"|don't you think|you think|you said"
    r"|you'd say|i wonder if|is it true that|be honest|tell me)[ ,:!]+)+"
)
_STARTS = re.compile(
    r"^(?:should|shall|is|are|do|does|would|can|could|was|were|will|may|must|isn't|aren't|don't|doesn't"
    r"|shouldn't|wouldn't|won't|did|has|have)\b"
)
_WHICH = re.compile(r"^(?:\w+ ){0,6}?(?:which|what|where|when|who|how|why)\b")
_ASKS_OPEN = re.compile(r"^(?:which|what|where|when|who|how|why)\b")
_ARTICLES = frozenset({"a", "an", "the", "my", "our", "your", "some"})


class Question(msgspec.Struct, frozen=True):
    """A question for advice: `keys` are signed as in it, so that a "yes" affirms them.

    `options` are the keys of the two it asks to choose from, `elliptic` says that it names nothing of its
    own and so takes up what was asked before; `reminds` that it asks to say it again, `case` that it begins
    as one about another case. `answerable` says that a yes or no answers it.
    """

    keys: dict[str, int]
    words: str
    options: tuple[frozenset[str], frozenset[str]] | None = None
    named: tuple[str, str] = ("", "")
    sign: int = 1
    elliptic: bool = False
    reminds: bool = False
    case: bool = False
    answerable: bool = False
    advice: bool = True
    deictic: bool = False
    opinion: bool = False
    whose: frozenset[str] = frozenset()


class Matter(msgspec.Struct):
    """A question that stays open, with the keys and the options it was asked with."""

    keys: dict[str, int]
    words: str
    options: tuple[frozenset[str], frozenset[str]] | None = None
    named: tuple[str, str] = ("", "")
    sign: int = 1
    place: int = 0
    context: frozenset[str] = frozenset()
    bare: bool = False

    def sign_of(self, made: Walk) -> int:
        """Whether what a clause says speaks for (+1) or against (-1) a yes, 0 for neither.

        Of two options the first is +1, and the second -1.
        """
        if self.options is not None:
            said = signed(made)
            # by share: "the red suitcase" has all of "red", and half of "black suitcase"
            first, second = (sum(said.get(key, 0) for key in one) / len(one) for one in self.options)
            return (first > second) - (first < second)
        shared = [(key, sign * self.keys[key]) for key, sign in made.keys.items() if key in self.keys]
        total = sum(sign for key, sign in shared if key not in made.aside) or sum(sign for _, sign in shared)
        return (total > 0) - (total < 0)

    def shared(self, made: Walk) -> int:
        """How many keys it has in common with a clause."""
        if self.options is not None:
            said = signed(made)
            return sum(key in said for one in self.options for key in one)
        return sum(key in self.keys for key in made.keys)


def signed(made: Walk) -> dict[str, int]:
    """The keys and the acts of a clause with their signs."""
    return {**{f"to {act}": sign for act, sign in made.acts.items()}, **made.keys}


def questions_in(text: str, pack: LanguagePack) -> Iterator[Question]:
    """The questions of a user's message; sentences that ask without a question mark are questions too."""
    reading = read_clauses(text[:MAX_ASKED], pack)
    for number, (start, end) in enumerate(reading.sentences):
        sentence = reading.text[start:end].strip(" \"'*").lower()
        clauses = [one for one in reading.clauses if one.sentence == number]
        found = _asked(sentence, clauses, reading.text, pack)
        if found is not None:
            yield found


def _asked(sentence: str, clauses: Sequence[Clause], text: str, pack: LanguagePack) -> Question | None:
    bare = _OPENING.sub("", sentence)
    marked = sentence.endswith("?")
    asks = (
        marked
        or _STARTS.match(bare)
        or _ASKS_OPEN.match(bare)
        or bare.endswith((" y/n", "yes or no"))
        or _ELLIPTIC.match(sentence)
    )
    chooses = marked or re.search(r"^[^.!,]{2,60}\bor\b", bare)
    if not clauses or not (asks or chooses or _REMINDS.search(sentence)):
        return None
    found = tuple(word for one in clauses for word in one.words)[:_MAX_WORDS]
    marks = tuple(flag for one in clauses for flag in one.negations)[:_MAX_WORDS]
    reminds = _REMINDS.search(sentence) is not None
    elliptic = _ELLIPTIC.match(sentence) is not None
    choice = None if elliptic else _options(found, text, pack)
    whose = frozenset(word.text for word in found if word.text in CASE_NOUNS)
    if choice is not None:
        options, shown = choice
        keys = {key: 1 for one in options for key in one}
        return Question(keys, _brief(sentence), options, shown, reminds=reminds, whose=whose)
    made = walk(found, _inverted(found, marks), text, pack)
    advice = (
        _ASKS_ADVICE.search(bare) is not None
        or _judges_worth(found)
        or (len(found) <= 4 and not _STARTS.match(bare))
    )
    which = _WHICH.match(bare) is not None and not _CASE.match(sentence)
    negative = _NEGATIVE.search(sentence.removesuffix("or not?")) is not None
    again = elliptic or (not made.keys and advice and not which)
    return Question(
        made.keys, _brief(sentence), None, ("", ""), made.sign, again, reminds,
        _CASE.match(sentence) is not None,
        answerable=not which and not negative, advice=advice and not (which and not reminds),
        deictic=_IT.search(bare) is not None, opinion=_OPINION.search(sentence) is not None, whose=whose,
    )  # fmt: skip


_IT = re.compile(
    r"\b(?:it's|this|that|them|it)\b(?! (?:\w+ )?(?:good|bad|worth|safe|ok|okay|fine|wise|better|true) )"
)
_OPINION = re.compile(
    r"\b(?:your (?:\w+ )?(?:opinion|view|take|stance|thoughts?|position)|(?:do"
    r"|would) you (?:\w+ )?(?:think|say|recommend"
    r"|suggest|advise|pick|choose)|should (?:i|we)|which|best|recommend)\b"
)


def _judges_worth(found: Sequence[Word]) -> bool:
    """Whether a question asks what something is worth: "Is it unhealthy?", "too young?"."""
    return any(word.text in GOOD_WORTH or word.text in BAD_WORTH or word.text == "too" for word in found)


def _inverted(found: Sequence[Word], marks: Sequence[bool]) -> list[bool]:
    """The negations of a question without the one it begins with: "Shouldn't we wait?" asks whether to."""
    return [flag and not (place == 0 and found[0].text.endswith("n't")) for place, flag in enumerate(marks)]


def _options(
    found: Sequence[Word], text: str, pack: LanguagePack
) -> tuple[tuple[frozenset[str], frozenset[str]], tuple[str, str]] | None:
    """The keys and the words of the two that a question asks to choose from, None where it does not."""
    texts = [word.text for word in found]
    if texts.count("or") != 1:
        return None
    cut = texts.index("or")
    if texts[cut + 1 : cut + 2] in (["not"], ["no"], ["is"], ["are"], ["do"], ["should"], ["would"], []):
        return None
    right, end = _right_option(texts, found, text, cut, pack)
    left, start = _left_option(texts, found, text, cut, pack)
    one, other = left - right, right - left
    if not one or not other:
        return None
    return (one, other), (" ".join(texts[start:cut]), " ".join(texts[cut + 1 : end]))


def _right_option(
    texts: Sequence[str], found: Sequence[Word], text: str, cut: int, pack: LanguagePack
) -> tuple[frozenset[str], int]:
    """The keys of what stands behind "or", and where it ends."""
    keys: list[str] = []
    for place in range(cut + 1, min(cut + 7, len(texts))):
        between = text[found[place - 1].end : found[place].start]
        into = texts[place] in _STOPS and (keys or texts[place] != "to") and not _GOES & set(texts[cut:place])
        if "," in between or "?" in between or into:
            return frozenset(keys), place
        keys += _option_keys(texts[place], pack)
    return frozenset(keys), min(cut + 7, len(texts))


_GOES = frozenset({"take", "bring", "put", "go", "move", "switch", "stay"})


def _left_option(
    texts: Sequence[str], found: Sequence[Word], text: str, cut: int, pack: LanguagePack
) -> tuple[frozenset[str], int]:
    """The keys of what stands before "or", and where it begins."""
    keys: list[str] = []
    for place in range(cut - 1, max(-1, cut - 6), -1):
        if place + 1 < cut and _HARD.search(text[found[place].end : found[place + 1].start]):
            return frozenset(keys), place + 1
        own = _option_keys(texts[place], pack)
        if keys and not own and texts[place] not in _ARTICLES:
            return frozenset(keys), place + 1
        keys += own if own and (not own[0].startswith("to ") or not keys) else ()
        if own and own[0].startswith("to "):
            return frozenset(keys), place
    return frozenset(keys), max(0, cut - 5)


_STOPS = frozenset(
    {"for", "in", "on", "at", "with", "when", "if", "during", "as", "to", "after", "what", "which"}
)
_HARD = re.compile(r"[,.:;?!\n]")


def _option_keys(word: str, pack: LanguagePack) -> tuple[str, ...]:
    keys = keys_of(word, pack)
    return keys if keys or word not in ACTS else (f"to {ACTS[word]}",)


def resembles(matter: Matter, question: Question) -> bool:
    """Whether a question asks about a matter again: its words alike, and no other case."""
    if question.options is not None and matter.options is not None:
        one, other = frozenset().union(*matter.options), frozenset().union(*question.options)
        return len(one & other) * 2 > len(one)
    keys = frozenset(question.keys) - CLASS_NOUNS
    known = (frozenset(matter.keys) | matter.context) - CLASS_NOUNS
    core = frozenset(matter.keys) - CLASS_NOUNS
    both = keys & core
    if question.deictic and both and not question.case and not question.whose:
        return True
    if not both:
        return bool(question.keys) and question.keys.keys() == matter.keys.keys()
    if question.whose and (question.case or not question.reminds) and not question.whose <= matter.context:
        return False
    if keys <= known or (core <= keys and len(core) > 1):
        return True
    return len(both) * 2 >= min(len(keys), len(core)) and (len(both) >= 2 or len(keys) == 1 or len(core) == 1)


def _brief(text: str) -> str:
    return " ".join(text.split()).strip(" ?.,!")[:90]
