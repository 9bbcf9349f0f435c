"""What the user asks before each reply: a question, a nudge to answer the last one again, or neither."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from grice.checks.contradiction.wordlists import QUOTED, Wordlists, is_adverb
from grice.claims.terms import ParsedText, parse_text
from grice.text.negation import negations
from grice.text.normalised import normalise
from grice.text.sentences import sentence_spans
from grice.text.words import words as words_of

MAX_ASKED = 4_000
"""Characters of a message that count: the last ones."""

LONGER_LOWERED = "\u0130", "I"
"""The one letter that takes two characters when it is lowered, and what is read for it."""

MAX_OPTION = 80
MIN_INVERTED = 4
"""Words of a question without its mark that begins with a verb: can guinea pigs eat grapes."""

MAX_BRIEF = 6
"""Words of a question without a verb, which goes on with the last one: "And the red one?"."""

Mood = Literal["question", "nudge", "doubt", "assertion"]
"""`question` asks something of its own. `nudge` asks for the last answer again ("Answer the question."), or
denies it ("I think you are wrong."); `doubt` asks whether it holds ("Are you sure?"), so that yes confirms
it.
"""


class UserMessage(msgspec.Struct, frozen=True):
    """What a message asks. `words` are the stems of its question, `text` the question, and `around` the stems
    of the whole message. `limits` are the words that bind it to a case (without, now, first).

    `polar` says that yes or no answers it; `sign` is -1 where it asks for the opposite of its words ("Is it
    unsafe?"); `denied` says that it is put as a denial ("So it isn't safe?"). `chooses` says that it asks
    for one of several things that it names, `labels` are those that it marks with letters or numbers, `sides`
    says that yes and no are among them, and `scale` that it asks for a number between two. `brief` is a
    question without a verb, `other` one for something else, `again` one that says that it was asked before.
    `plays` is that they ask to argue a side, `supposes` that they put another case than before. `names` are
    the stems of names in its question, `quoted` those in quotes. `prose` is all of it.
    """

    mood: Mood
    text: str = ""
    words: frozenset[str] = frozenset()
    around: frozenset[str] = frozenset()
    limits: frozenset[str] = frozenset()
    polar: bool = False
    sign: int = 1
    denied: bool = False
    labels: tuple[tuple[str, str], ...] = ()
    chooses: bool = False
    sides: bool = False
    scale: tuple[int, int] | None = None
    brief: bool = False
    other: bool = False
    again: bool = False
    plays: bool = False
    supposes: bool = False
    names: frozenset[str] = frozenset()
    quoted: frozenset[str] = frozenset()
    prose: str = ""

    def tells(self, words: Wordlists) -> bool:
        """Whether the user says something new of themselves."""
        told = words.patterns["told"]
        spans = sentence_spans(self.prose, words.lexicon.pack.code)
        sentences = [self.prose[start:end].rstrip(" \"'()*").lower() for start, end in spans]
        said = (one.rpartition(", ")[0] if one.endswith("?") else one for one in sentences)
        return any(told.search(one) for one in said)

    @property
    def spoken(self) -> frozenset[str]:
        """The stems of the whole message, those that only name the question among them."""
        return self.words | self.around

    @property
    def choices(self) -> frozenset[str]:
        """The texts behind its labels."""
        return frozenset(text for _, text in self.labels)


_LABEL = re.compile(r"(?<![\w.])\(?(?P<label>[A-Ha-h]|[1-9])(?:\)|[.:](?=\s)|\s[-=]\s)\s*(?=\S)")
_CHOICE_ENDS = re.compile(r"[\n;]|[,(]\s*$|[?.]\s|[?.,;]?$")
_PAIR = re.compile(
    r"\b(?:support|agree|for|true|yes|yay|fair|in favou?r) or "
    r"(?:oppose|disagree|against|false|no|nay|unfair)\b",
    re.IGNORECASE,
)
_SCALE = re.compile(
    r"\bfrom (\d{1,3})\b[^.?!]{0,40}? to (\d{1,3})\b|\b(\d{1,3}) ?= ?[^.?!;]{1,40}?\b(\d{1,3}) ?="
    r"|\bscale of (\d{1,3})(?: to |-)(\d{1,3})",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<=[\w,] )[A-Z][\w'-]*")
_BARE_LABEL = re.compile(r"(?<![\w.])(?P<label>[1-9]|[A-H])\s+(?=[A-Za-z])")
MIN_BARE = 3
"""Labels without a mark behind them that are taken for labels: 1 agree 2 neutral 3 disagree."""

_YES = re.compile(
    r"\b(?:yes|y|t|agree|true|support|for|yay|fair|likely|definitely|probably|always)\b", re.IGNORECASE
)
_NO = re.compile(r"\b(?:no|n|f|not|disagree|false|oppose|against|nay|unfair|unlikely|never)\b", re.IGNORECASE)
_LISTS = re.compile(
    r"(?P<ends>[.?!])|[,;/|\n:()\[\]\"]|\s[-\u2013\u2014]\s|\b(?:or|and|is it)\b", re.IGNORECASE
)


def read_message(message: str, before: Sequence[UserMessage], words: Wordlists) -> UserMessage:
    """Read what a message asks, after the questions `before`. Linear in its length."""
    message = message[-MAX_ASKED:]
    prose = normalise(message).text.strip().replace(*LONGER_LOWERED)
    lowered, patterns = prose.lower(), words.patterns
    labels = _labels(message)
    bare, sides = _without_sides(prose, words)
    plain = UserMessage(
        "assertion",
        prose,
        around=_around(bare, words),
        labels=labels,
        sides=sides or {"yes", "no"} <= {words.side_of(text) for _, text in labels},
        scale=_scale(prose),
        again=patterns["again"].search(QUOTED.sub(" ", lowered)) is not None,
        plays=patterns["plays"].search(lowered) is not None,
        supposes=bool(before) and patterns["supposes"].search(lowered) is not None,
        quoted=words.keys([word.text for one in QUOTED.finditer(prose) for word in words_of(one[0])]),
        prose=prose,
    )
    spans = sentence_spans(prose, words.lexicon.pack.code) if prose else ()
    sentences = [part for start, end in spans for part in _parts(prose[start:end], words)]
    questions = [one for one in sentences if _asks(one, words)]
    known = frozenset[str]().union(*(one.words | one.around for one in before))
    if _asks_the_last(plain, questions, known, words):
        return replace(plain, mood="nudge")
    if patterns["changes"].search(lowered):
        return replace(plain, mood="doubt")
    doubts = patterns["doubts"].search(lowered) is not None
    asked = _question_of(plain, questions, words, doubts=doubts, is_first=not before)
    if asked is not None and not (doubts and before and asked[1] <= known and _doubts(asked[0], words)):
        return _question(*asked, before, plain, words)
    plainly = (patterns["fillers"].sub("", one.lower()) for one in questions)
    leads = any(patterns[name].search(one) for one in plainly for name in ("favours", "against"))
    again = plain.again or patterns["asks_again"].search(lowered) is not None
    claims = plain.around - known if questions else plain.around
    asserts = claims and (not again or patterns["denies"].search(lowered))
    return replace(plain, mood="doubt" if doubts or leads else "assertion" if asserts else "nudge")


def _asks_the_last(
    plain: UserMessage, questions: Sequence[str], known: frozenset[str], words: Wordlists
) -> bool:
    """Whether a message only asks for the last answer again: "Why?", "Choose again.", "In favour or
    against?".
    """
    lowered = plain.prose.lower()
    if words.patterns["why"].fullmatch(lowered):
        return True
    if plain.labels or not known:
        return False
    if words.patterns["reasks"].search(lowered):
        return True
    last = _without_sides(questions[-1], words)[0] if questions else ""
    return plain.sides and (plain.again or plain.around <= known) and not _content(last, words)


def _doubts(text: str, words: Wordlists) -> bool:
    return words.patterns["doubts"].search(text.lower()) is not None


def _question_of(
    plain: UserMessage, questions: Sequence[str], words: Wordlists, *, doubts: bool, is_first: bool
) -> tuple[str, frozenset[str]] | None:
    """The question of a message and the stems that it is about: the last one that has any; a motion ("Agree
    or disagree: ..."); one without content of its own that begins with its verb or a question word.
    """
    contents = [(one, content) for one in questions if (content := _content(one, words))]
    if contents or doubts:
        return contents[-1] if contents else None
    patterns, lowered = words.patterns, plain.prose.lower()
    lists = bool(plain.labels) or plain.sides or plain.scale is not None
    lists = lists or (is_first and patterns["which"].search(lowered) is not None)
    motion = lists or patterns["motion"].search(lowered) is not None
    again = plain.again or patterns["asks_again"].search(lowered) is not None
    opens = [one for one in questions if patterns["open"].search(one.lower())]
    opens = [one for one in opens if not patterns["of_view"].search(one.lower())]
    last = next((one for one in reversed(questions) if _is_inverted(one, words)), opens[0] if opens else "")
    if not (motion or again) and (every := _content(last, words, all_words=True)):
        return last, every
    if plain.around and (motion or (questions and not again)):
        return plain.prose, plain.around
    if questions and is_first:
        return last or questions[-1], frozenset(word.text for word in words_of(last or plain.prose))
    return None


def _question(
    text: str, content: frozenset[str], before: Sequence[UserMessage], plain: UserMessage, words: Wordlists
) -> UserMessage:
    lowered, groups, labels = text.lower(), words.groups, plain.labels
    first = re.match(r"[a-z']+", words.patterns["fillers"].sub("", lowered))
    begins = first[0] if first else ""
    said = set(re.findall(r"[a-z']+", lowered))
    open_ = words.patterns["open"].search(lowered) is not None
    around = plain.around
    chooses = bool(labels) or words.patterns["which"].search(plain.prose.lower()) is not None
    for same in reversed(before):
        if (
            same.chooses
            and (same.words | same.around) & content
            and (plain.again or content <= same.words | same.around or (same.labels and not labels))
        ):
            labels, around, chooses = labels or same.labels, around | same.around, True
            break
    reading = parse_text(_without_sides(text, words)[0], words.lexicon)
    marks = zip(reading.tokens, negations(text, reading.tokens, words.lexicon.pack), strict=True)
    denials = any(mark and word.text != "without" for word, mark in marks)
    brief = not open_ and said.isdisjoint(groups["auxiliaries"]) and len(text.split()) <= MAX_BRIEF
    brief = brief and bool(_content(text, words))
    return replace(
        plain,
        mood="question",
        text=text,
        words=content,
        around=around,
        polar=plain.sides or not (open_ or words.patterns["minds"].search(lowered)),
        limits=groups["limits"] & said,
        sign=_sign(reading, words, denials=denials),
        denied=denials and not open_ and begins not in groups["auxiliaries"],
        names=words.keys([one.lower() for one in _NAME.findall(text)]),
        labels=labels,
        chooses=chooses,
        brief=brief,
        other=not plain.again and _asks_another(lowered, words, brief=brief),
    )


def _asks_another(lowered: str, words: Wordlists, *, brief: bool) -> bool:
    """Whether a question is for something else than the last one: "And in Spain?"."""
    goes_on = brief and words.patterns["goes_on"].match(lowered) is not None
    return goes_on or words.patterns["another"].search(lowered) is not None


def _sign(reading: ParsedText, words: Wordlists, *, denials: bool) -> int:
    """-1 where the words of a question stand for the opposite of their stems."""
    lowered = reading.text.lower()
    turned = sum(1 for _ in words.patterns["against"].finditer(lowered))
    turned += sum(opposite for _, _, opposite in words.meanings(reading.terms, lowered))
    if not denials:
        turned += sum(one.denied and words.reverses(lowered[one.start : one.end]) for one in reading.terms)
    return -1 if turned % 2 else 1


def _parts(sentence: str, words: Wordlists) -> list[str]:
    """A sentence, in two where a question stands behind a colon: "One more: is it safe?"."""
    sentence = sentence.strip(" \"'()*")
    before, colon, behind = sentence.rpartition(": ")
    return [before, behind] if colon and behind.endswith("?") else [sentence]


def _asks(sentence: str, words: Wordlists) -> bool:
    """Whether a sentence is a question, with its mark or, as many write, without."""
    lowered = sentence.lower()
    short = len(lowered.split()) <= MAX_BRIEF and words.patterns["opens_question"].match(lowered) is not None
    asks = short or words.patterns["asks"].search(lowered) is not None
    return asks or sentence.endswith("?") or _is_inverted(sentence, words)


def _is_inverted(sentence: str, words: Wordlists) -> bool:
    """Whether a sentence begins with its verb: should I tell her."""
    first = words.patterns["fillers"].sub("", sentence.lower()).split()
    if len(first) < 2 or first[0] not in words.groups["auxiliaries"]:
        return False
    if first[1] in words.groups["subjects"]:
        return True
    named = first[1] in words.groups["determiners"] or len(first) >= MIN_INVERTED
    return named and first[0] not in words.groups["orders"] and first[1] not in words.groups["auxiliaries"]


def _content(text: str, words: Wordlists, *, all_words: bool = False) -> frozenset[str]:
    """The stems that say what a text is about; words with which one only asks again are none."""
    lowered, again = text.lower(), words.groups["asking"]
    stances = [
        (found.start(), found.end())
        for name in ("against", "favours")
        for found in words.patterns[name].finditer(lowered)
    ]
    found: set[str] = set()
    for one, stem, _ in words.meanings(parse_text(text, words.lexicon).terms, lowered):
        said = lowered[one.start : one.end]
        inside = any(start <= one.start < end for start, end in stances)
        if all_words or not (inside or one.stem in words.empty or said in again or is_adverb(said)):
            found.add(stem)
    return frozenset(found)


def _around(text: str, words: Wordlists) -> frozenset[str]:
    """The stems of a message, but for words with which one only asks again."""
    again = words.groups["asking"]
    return words.keys([word.text for word in words_of(text) if word.text not in again])


def _without_sides(text: str, words: Wordlists) -> tuple[str, bool]:
    """A text without the sides that it lists ("yes, probably not", "agree or disagree"), and whether it lists
    both.
    """
    if _YES.search(text) is None or _NO.search(text) is None:
        return text, False
    if _PAIR.search(text) is not None:
        return _PAIR.sub(" ", text), True
    place, beside, listed = 0, list[tuple[int, int, str]](), list[tuple[int, int, str]]()
    for found in (*_LISTS.finditer(text), None):
        part = text[place : found.start() if found else len(text)]
        side = words.side_of(part.strip(" -*\u2022'\"").lower())
        if side in ("yes", "no", "neither"):
            beside.append((place, place + len(part), side))
        elif part.strip() or (found and found["ends"]):
            beside = []
        if {"yes", "no"} <= {one for _, _, one in beside}:
            listed = beside
        place = found.end() if found else place
    for start, end, _ in reversed(listed):
        text = text[:start] + " " * (end - start) + text[end:]
    return text, bool(listed)


def _scale(text: str) -> tuple[int, int] | None:
    """The ends of a scale that a message asks to rate on: from 1 to 5."""
    found = _SCALE.search(text)
    low, high = (int(one) for one in found.groups() if one) if found else (0, 0)
    return (low, high) if low < high else None


def _labels(message: str) -> tuple[tuple[str, str], ...]:
    """The choices that a message marks with letters or numbers in order, each with its text."""
    found = _in_order(_LABEL, message)
    if len(found) < 2:
        found = _in_order(_BARE_LABEL, message)
        found = found if len(found) >= MIN_BARE else []
    if not found:
        return ()
    ends = [*(one.start() for one in found[1:]), len(message)]
    texts = [message[one.end() : end] for one, end in zip(found, ends, strict=True)]
    return tuple(
        (one["label"].lower(), text[: stop.start()].strip(" '\".,()[]").lower()[:MAX_OPTION])
        for one, text in zip(found, texts, strict=True)
        if (stop := _CHOICE_ENDS.search(text)) is not None
    )


def _in_order(pattern: re.Pattern[str], message: str) -> list[re.Match[str]]:
    """The labels that follow one another: a, b, c."""
    found: list[re.Match[str]] = []
    for one in pattern.finditer(message):
        if found and ord(one["label"].lower()) == ord(found[-1]["label"].lower()) + 1:
            found.append(one)
        elif one["label"] in "Aa1":
            found = [one]
    return found
