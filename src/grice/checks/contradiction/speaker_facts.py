"""Compare what an assistant says of itself with what it said before."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

import msgspec

from grice.checks.contradiction.consistency import Comparison, Stance
from grice.checks.contradiction.opening_answer import answer_of
from grice.checks.contradiction.parsed_reply import ParsedReply
from grice.checks.contradiction.sentence_index import Talk
from grice.checks.contradiction.wordlists import QUOTED, Slot, SpeakerWords, Wordlists

SOME = -1
"""How many there are of what is only named: my dog."""

MAX_BESIDE = 12
"""Facts of one slot that a later one is held against, the last ones."""

MAX_TOLD = 20
"""Facts of a sentence, the first ones."""

MAX_CLAUSE = 200
"""Characters on each side of a fact that may say that it was."""

MAX_YES = 3
"""Words of a sentence ("I do!") behind which the answer may stand."""


_DO_YOU = re.compile(r"\b(?P<verb>do|did|are|have|can) (?:you|u|ya) (?P<rest>.+)", re.IGNORECASE)
_YOUR = re.compile(r"\byour\b", re.IGNORECASE)
_I = {
    "do": ("I", "I don't"),
    "did": ("I", "I never"),
    "are": ("I'm", "I'm not"),
    "have": ("I have", "I haven't"),
    "can": ("I can", "I can't"),
}
_CLAUSE_ENDS = re.compile(r"[,;:]\s|\bbut\b")
_MORE = frozenset(("also", "too", "another", "other", "second", "besides", "addition"))
"""Words of one more thing."""

_IT = "it"
"""The value of a slot that is in the sentence before."""


class _SpeakerFact(msgspec.Struct, frozen=True, gc=False):
    """A fact about the speaker: the slot, of what (a dog), its value, its number (None where it counts
    nothing), and the sentence, lowered.
    """

    stance: Stance
    slot: Slot
    key: str
    value: str
    number: int | None
    sentence: str


def speaker_facts(talk: Talk, words: Wordlists) -> Iterator[Comparison]:
    """Compare each fact that a reply tells of its speaker with those before."""
    known: dict[str, list[_SpeakerFact]] = {}
    for one in talk.said:
        own = list(_own(one, words))
        for told in own:
            for before in known.get(told.slot.slot, ())[-MAX_BESIDE:]:
                opposed = _are_opposed(before, told, words.speaker)
                if opposed is not None:
                    yield Comparison("facts", before.stance, told.stance, opposed)
        for told in own:
            known.setdefault(told.slot.slot, []).append(told)


def _own(one: ParsedReply, words: Wordlists) -> Iterator[_SpeakerFact]:
    """What a reply tells of its speaker; not what it asks, supposes or reports, and not what was."""
    answers = _question_of(one, words.speaker)
    if said := _answer_sentence(one, words):
        yield from _facts_in(one, 0, said, one.sentences[0][0] - len(said), words)
    for place, tokens in enumerate(one.tokens):
        text, shift = one.sentence(place), one.sentences[place][0]
        if not _may_tell(tokens, words):
            if not answers or place > 1 or (place and len(one.tokens[0]) > MAX_YES):
                continue
            text, shift = answers + text, shift - len(answers)
        if not text.rstrip(" \"')*").endswith("?"):
            yield from _facts_in(one, place, text, shift, words)


def _may_tell(tokens: Sequence[str], words: Wordlists) -> bool:
    """Whether a sentence may tell something of its speaker: it names a job, or has "I", "my", "we" and the
    like without "can help" behind.
    """
    if not words.speaker.jobs.isdisjoint(tokens):
        return True
    self_, serving = words.groups["self"], words.groups["serving"]
    return any(
        word in self_ and (place + 1 == len(tokens) or tokens[place + 1] not in serving)
        for place, word in enumerate(tokens)
    )


def _facts_in(
    one: ParsedReply, place: int, text: str, shift: int, words: Wordlists
) -> Iterator[_SpeakerFact]:
    """The facts that a text tells which begins at `shift`, said in a sentence of a reply."""
    text = QUOTED.sub(lambda found: " " * len(found[0]), text)
    lowered = text.lower()
    reported = words.patterns["reported"].search(lowered)
    end = reported.start() if reported else len(text)
    taken: set[tuple[str, int]] = set()
    ends = list(_CLAUSE_ENDS.finditer(lowered))
    for slot in words.speaker.slots:
        pattern = slot.lower if slot.lower is not None and text.islower() else slot.pattern
        for found in pattern.finditer(text if slot.cased else lowered, 0, end):
            if len(taken) == MAX_TOLD:
                return
            if not slot.ever and _is_not_now(lowered, found, ends, words):
                continue
            if (slot.slot, found.start()) not in taken:
                taken.add((slot.slot, found.start()))
                told = _fact_at(one, place, shift, slot, found, lowered, words.speaker)
                if told.key or not slot.count:
                    yield told


def _is_not_now(lowered: str, found: re.Match[str], ends: Sequence[re.Match[str]], words: Wordlists) -> bool:
    """Whether the clause of a fact says that it was, or would be; `ends` are those of all clauses."""
    before = bisect_right(ends, found.start(), key=lambda one: one.end())
    after = bisect_left(ends, found.end(), key=lambda one: one.start())
    start = ends[before - 1].end() if before else 0
    end = ends[after].start() if after < len(ends) else len(lowered)
    clause = lowered[max(start, found.start() - MAX_CLAUSE) : min(end, found.end() + MAX_CLAUSE)]
    return words.patterns["not_now"].search(clause) is not None


def _answer_sentence(one: ParsedReply, words: Wordlists) -> str:
    """What a yes or no says in full: "I don't smoke", where the user asks "Do you smoke?"."""
    message = one.message
    asked = _DO_YOU.search(message.text) if message.mood == "question" and message.polar else None
    answer = answer_of(one, message, words) if asked is not None and not message.chooses else None
    if asked is None or answer is None or answer.side not in ("yes", "no"):
        return ""
    yes, no = _I[asked["verb"].lower()]
    rest = _YOUR.sub("my", asked["rest"]).removeprefix("ever ").rstrip("?!. ")
    return f"{yes if answer.side == 'yes' else no} {rest}."


def _question_of(one: ParsedReply, speaker: SpeakerWords) -> str:
    """How the sentence begins that an answer without one stands for, "" where the user asks nothing of it."""
    asked = one.message.prose.lower()
    for question, says in speaker.answers:
        if (found := question.search(asked)) is not None:
            return says.format(**found.groupdict())
    return ""


def _fact_at(
    one: ParsedReply,
    place: int,
    shift: int,
    slot: Slot,
    found: re.Match[str],
    sentence: str,
    speaker: SpeakerWords,
) -> _SpeakerFact:
    """What a pattern has found in a sentence that begins at `shift`."""
    said = {name: text for name, text in found.groupdict().items() if text}
    key = said.get("k") or said.get("l") or slot.key
    if slot.count and not key:  # "I have five", of the tattoos that the user speaks of
        before = one.sentence(place - 1).lower() if place else ""
        spoken = speaker.countable.search(before) or speaker.countable.search(one.message.prose.lower())
        key = spoken["k"] if spoken is not None else ""
    value = said.get("v") or said.get("w") or said.get("x") or slot.value
    if value == _IT and place and len(one.tokens[place - 1]) <= MAX_YES:  # "Blue. It's my favourite colour."
        value = " ".join(one.tokens[place - 1])
    number = said.get("n") or said.get("m") or slot.number
    begins, ends = one.sentences[place]
    start, end = max(shift + found.start(), begins), shift + found.end()
    end = end if end > start else ends  # the answer to a question stands for it
    return _SpeakerFact(
        one.holds("", start, end, "facts", slot.slot),
        slot,
        speaker.named.get(key, key),
        value.casefold(),
        int(number) if number.isdigit() else speaker.numbers.get(number),
        sentence,
    )


def _are_opposed(one: _SpeakerFact, other: _SpeakerFact, speaker: SpeakerWords) -> bool | None:
    """Whether two facts of one slot cannot both hold; None where they are of two things."""
    if not _MORE.isdisjoint(other.sentence.split()):
        return None
    if one.number is not None and other.number is not None:
        return _counts_apart(one, other, speaker)
    if one.key != other.key:
        return None
    if one.slot.never or other.slot.never:  # never there, and there
        return one.value == other.value if one.slot.never != other.slot.never else None
    if one.slot.slot == "travelled" or (one.value in speaker.places) != (other.value in speaker.places):
        return None  # who comes from Texas may come from Austin
    if one.slot.slot == "age":
        years = [_years(each.value, speaker) for each in (one, other)]
        return None not in years and abs(years[0] - years[1]) > 1  # type: ignore[operator]
    same = speaker.same.get(one.value, one.value) == speaker.same.get(other.value, other.value)
    if not (one.slot.value or other.slot.value):  # both are said in words of their own
        same = same or _says(other.sentence, one.value) or _says(one.sentence, other.value)
    return not same


def _says(sentence: str, value: str) -> bool:
    """Whether a value stands in a sentence, as words."""
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", sentence) is not None


def _years(said: str, speaker: SpeakerWords) -> int | None:
    """An age in digits or words: "forty-two"."""
    if said.isdecimal():
        return int(said)
    parts = [speaker.numbers.get(one) for one in re.split(r"[ -]", said)]
    return None if None in parts else sum(one for one in parts if one is not None)


def _counts_apart(one: _SpeakerFact, other: _SpeakerFact, speaker: SpeakerWords) -> bool | None:
    """Whether two counts cannot both hold: of the same, or of a kind and what is of it (pets, a dog)."""
    assert one.number is not None
    assert other.number is not None
    if one.key == other.key:
        if SOME in (one.number, other.number):
            return 0 in (one.number, other.number)
        return one.number != other.number
    for kind, part in ((one, other), (other, one)):
        if kind.key in speaker.kinds_of.get(part.key, ()) and kind.number is not None and part.number:
            return kind.number == 0 or 0 < kind.number < part.number
    return None
