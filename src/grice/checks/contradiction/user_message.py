"""What the user asks before each reply: a question, a nudge to answer the last one again, or neither."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from grice.checks.contradiction.wordlists import Wordlists, is_adverb
from grice.claims.terms import Reading, read_text
from grice.text.negation import negations
from grice.text.normalised import normalise
from grice.text.sentences import sentence_spans
from grice.text.words import words as words_of

__all__ = ["Mood", "UserMessage", "read_message"]

MAX_ASKED = 4_000
"""Characters of a message that count: the last ones."""

MAX_OPTIONS = 30
MAX_OPTION = 80
MAX_BRIEF = 10
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
    unsafe?"); `denied` says that it is put as a denial ("So it isn't safe?"). `options` are the choices that
    it lists, by label and text; `chooses` that it asks for one of several. `brief` is a question without a
    verb, `other` one for something else. `plays` is that they ask to argue a side. `prose` is all of it.
    """

    mood: Mood
    text: str = ""
    words: frozenset[str] = frozenset()
    around: frozenset[str] = frozenset()
    limits: frozenset[str] = frozenset()
    polar: bool = False
    sign: int = 1
    denied: bool = False
    options: tuple[tuple[str, str], ...] = ()
    chooses: bool = False
    brief: bool = False
    other: bool = False
    plays: bool = False
    prose: str = ""

    def supposes(self, words: Wordlists) -> bool:
        """Whether it puts another case."""
        return words.patterns["supposes"].search(self.prose.lower()) is not None

    def tells(self, words: Wordlists) -> bool:
        """Whether the user says something new of themselves."""
        told = words.patterns["told"]
        spans = sentence_spans(self.prose, words.lexicon.pack.code)
        sentences = [self.prose[start:end].rstrip(" \"'()*") for start, end in spans]
        return any(told.search(one.lower()) for one in sentences if not one.endswith("?"))

    @property
    def answerable(self) -> bool:
        """Whether there is a known way to answer it."""
        return self.polar or self.chooses


_LABELLED = re.compile(
    r"(?:^|[\n;,:(\[?.]|\s{2,}|\s(?=\())\s*[-*\u2022]?\s*\(?(?:\b(?:[Oo]ption|[Cc]hoice)\s+)?\b(?P<label>[A-Ha-h]|[1-9])(?:[).:]|\s-)\s+"
    r"(?P<text>[^\n;,?()]{1,80}?)(?=[\n;,?()\].]|\s+\(?[A-Ha-h1-9][).:]\s|\.\s|$)"
)
_MAY_LIST = re.compile(r"[/|]|\bor\b|\b[Aa1][).:]|[:\[(]")
_FOR_OR_AGAINST = re.compile(
    r"\b(?P<one>support|agree|for|true|yes|yay|fair) or "
    r"(?P<other>oppose|disagree|against|false|no|nay|unfair)\b",
    re.IGNORECASE,
)
_LISTED = re.compile(
    r"\b(?:options|choices|choose (?:from|between|among|one(?: of)?)|pick (?:from|between|one(?: of)?)"
    r"|answer with|answer (?:options|choices)|possible answers|select (?:from|one(?: of)?)|one of)\b"
    r"[^:\n\[(]{0,40}[:\[(]\s*(?P<list>[^\n?]{1,400})",
    re.IGNORECASE,
)
_SLASHED = re.compile(r"(?P<list>[\w' -]{1,40}(?: ?[/|] ?[\w' -]{1,40}){2,})")
_PARTS = re.compile(r"\s*(?:[,;/|\n]|\bor\b)\s*(?:or\s+)?")
_EITHER = re.compile(
    r"(?:^|[,:;.?!]\s|\b(?:the|an?|between|choose|you|pick|take|get|buy|go with|prefer|better|to)\s)"
    r"(?P<one>(?!yes\b)[\w'-]+(?: [\w'-]+){0,2}),? or (?:the |an? )?"
    r"(?P<other>(?!not\b|no\b|so\b|is\b|are\b|do\b|does\b|should\b|can\b|would\b)[\w'-]+(?: [\w'-]+){0,2}?)"
    r"(?=\s*(?:[?.,!]|$|for |in |to |with ))",
    re.IGNORECASE,
)


def read_message(message: str, before: Sequence[UserMessage], words: Wordlists) -> UserMessage:
    """What a message asks, after the questions `before`. Linear in its length."""
    message = message[-MAX_ASKED:]
    prose = normalise(message).text.strip()
    lowered = prose.lower()
    patterns = words.patterns
    spans = sentence_spans(prose, words.lexicon.pack.code) if prose else ()
    sentences = [part for start, end in spans for part in _parts(prose[start:end], words)]
    questions = [one for one in sentences if _asks(one, words)]
    plain = UserMessage(
        "assertion",
        prose,
        prose=prose,
        around=_around(_FOR_OR_AGAINST.sub("", prose), words),
        plays=patterns["plays"].search(lowered) is not None,
    )
    options = _options(message)
    contents = [(one, content) for one in questions if (content := _content(one, words))]
    doubts = patterns["doubts"].search(lowered) is not None
    again = patterns["asks_again"].search(lowered) is not None
    if not contents and not doubts:
        motion = options or patterns["motion"].search(lowered)
        last = next((one for one in reversed(questions) if _is_inverted(one, words)), "")
        every = _content(last, words, all_words=True) if not (motion or again) else frozenset[str]()
        if every:
            contents = [(last, every)]
        elif plain.around and (motion or (questions and not again)):
            contents = [(prose, plain.around)]
    known = frozenset[str]().union(*(one.words | one.around for one in before))
    doubted = doubts and (not contents or patterns["doubts"].search(contents[-1][0].lower()) is not None)
    if not contents or (doubted and before and contents[-1][1] <= known):
        asserts = plain.around - known and (not again or patterns["denies"].search(lowered))
        bare = [patterns["fillers"].sub("", one.lower()) for one in questions]
        leads = any(patterns[name].search(one) for one in bare for name in ("favours", "against"))
        mood: Mood = "doubt" if doubts or leads else "assertion" if asserts else "nudge"
        return replace(plain, mood=mood)
    return _question(*contents[-1], options, before, plain, words)


def _question(
    text: str,
    content: frozenset[str],
    options: tuple[tuple[str, str], ...],
    before: Sequence[UserMessage],
    plain: UserMessage,
    words: Wordlists,
) -> UserMessage:
    lowered, groups = text.lower(), words.groups
    first = re.match(r"[a-z']+", words.patterns["fillers"].sub("", lowered))
    begins = first[0] if first else ""
    said = set(re.findall(r"[a-z']+", lowered))
    open_ = words.patterns["open"].search(lowered) is not None
    chooses = bool(options) or words.patterns["which"].search(lowered) is not None
    around = plain.around
    if chooses:
        same = next((one for one in reversed(before) if _lists(one, content, options)), None)
        if same is not None:
            options, around = same.options, around | same.around
    reading = read_text(_FOR_OR_AGAINST.sub("", text), words.lexicon)
    denials = any(negations(text, reading.tokens, words.lexicon.pack))
    return replace(
        plain,
        mood="question",
        text=text,
        words=content,
        around=around,
        polar=not (open_ or words.patterns["minds"].search(lowered)),
        limits=groups["limits"] & said,
        sign=_sign(reading, words, denials=denials),
        denied=denials and not open_ and begins not in groups["auxiliaries"],
        options=options,
        chooses=chooses,
        brief=not open_ and said.isdisjoint(groups["auxiliaries"]) and len(text.split()) <= MAX_BRIEF,
        other=not said.isdisjoint(groups["others"]),
    )


def _lists(one: UserMessage, content: frozenset[str], options: Sequence[tuple[str, str]]) -> bool:
    """Whether an earlier question lists what a later one chooses from, which names the labels or nothing."""
    labels = {label for label, _ in one.options} - {""}
    if options:
        return bool(labels) and all(text.split()[-1] in labels for _, text in options)
    return one.chooses and bool(one.words & content)


def _sign(reading: Reading, words: Wordlists, *, denials: bool) -> int:
    """-1 where the words of a question stand for the opposite of their stems."""
    lowered = reading.text.lower()
    turned = sum(1 for _ in words.patterns["against"].finditer(lowered))
    turned += sum(words.canonical(one.stem)[1] for one in reading.terms)
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
    asks = words.patterns["asks"].search(sentence.lower()) is not None
    return asks or sentence.endswith("?") or _is_inverted(sentence, words)


def _is_inverted(sentence: str, words: Wordlists) -> bool:
    """Whether a sentence begins with its verb: should I tell her."""
    first = words.patterns["fillers"].sub("", sentence.lower()).split(" ", 2)
    if len(first) < 2 or first[0] not in words.groups["auxiliaries"]:
        return False
    named = first[1] in words.groups["determiners"] and first[0] not in words.groups["orders"]
    return named or first[1] in words.groups["subjects"]


def _content(text: str, words: Wordlists, *, all_words: bool = False) -> frozenset[str]:
    """The stems that say what a text is about; words with which one only asks again are none."""
    lowered, again = text.lower(), words.groups["asking"]
    stances = [
        (found.start(), found.end())
        for name in ("against", "favours")
        for found in words.patterns[name].finditer(lowered)
    ]
    found: set[str] = set()
    for one in read_text(text, words.lexicon).terms:
        said = lowered[one.start : one.end]
        inside = any(start <= one.start < end for start, end in stances)
        if all_words or not (inside or one.stem in words.empty or said in again or is_adverb(said)):
            found.add(words.canonical(one.stem)[0])
    return frozenset(found)


def _around(text: str, words: Wordlists) -> frozenset[str]:
    """The stems of a message, but for words with which one only asks again."""
    again = words.groups["asking"]
    return words.keys([word.text for word in words_of(text) if word.text not in again])


def _options(message: str) -> tuple[tuple[str, str], ...]:
    """The choices that a message lists, each with its label, "" for none."""
    if _MAY_LIST.search(message) is None:
        return ()
    labelled = [(one["label"].lower(), one["text"].strip().lower()) for one in _LABELLED.finditer(message)]
    labels = [label for label, _ in labelled]
    if len(labelled) > 1 and labels[0] in ("a", "1") and len(set(labels)) == len(labels):
        return tuple(labelled[:MAX_OPTIONS])
    listed = _LISTED.search(message) or _SLASHED.search(message)
    if listed is not None:
        parts = [one.strip(" '\".()[]").lower() for one in _PARTS.split(listed["list"])]
        parts = [one for one in parts if one and len(one) <= MAX_OPTION]
        if len(parts) > 1:
            return tuple(("", one) for one in parts[:MAX_OPTIONS])
    either = _FOR_OR_AGAINST.search(message) or _EITHER.search(message)
    if either is not None:
        one, other = (either[name].strip(" '\"()").lower() for name in ("one", "other"))
        return ("", one), ("", other)
    return ()
