"""What was asked and answered before each reply of a conversation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

import msgspec

from grice.checks.questions.answer_patterns import patterns
from grice.checks.questions.phrases import question_words
from grice.checks.questions.questions import Question, questions_of, same_wording
from grice.checks.questions.slot_values import answer_in, codes_in
from grice.checks.questions.slots import OWN_NAME, RequestedSlot, SlotTable, focus_of, spoken_words, whose_of
from grice.checks.questions.user_message import Span, UserMessage, is_inquiry, is_no_answer, read_message
from grice.checks.structure.envelope_parts import EnvelopeShape
from grice.records import Turn
from grice.text import fold
from grice.text.packs.records import Slot

LOGINS = frozenset(("user id",))
"""Slots whose codes are not all capitals, as those of bookings are."""

SHORT = 8
"""The words up to which a message is taken for an answer to whatever was asked."""

_MAY_FAIL = frozenset(("code", "email", "phone", "name", "address", "place", "date", "time"))
_MAY_LACK = frozenset(("words", "size", "free", "people", "date", "time"))
_OWN = frozenset(
    (
        "email",
        "phone",
        "name",
        "full name",
        "address",
        "billing address",
        "user id",
        "date of birth",
        "account number",
    )
)


class Answer(msgspec.Struct, frozen=True):
    """An answer of the user: what was asked for, or the question itself where it is for no slot, and the
    words that gave it.

    One that is `inquired` was wanted in a question (do you have it in green?), and falls with a refusal.
    """

    asked: RequestedSlot
    turn: int
    quote: str
    start: int
    end: int
    question: Question | None = None
    inquired: bool = False


class Step(msgspec.Struct):
    """One turn with the questions of its reply, those of earlier turns, and what the user has answered by
    then.

    `answered` are the turns in which the user said anything, `idle` those where that answers nothing by its
    form; `reopened` is the last turn in which a slot was taken back ("*" for all).
    """

    turn: Turn
    questions: list[Question]
    earlier: list[tuple[int, Question]]
    answers: list[Answer]
    answered: frozenset[int] = frozenset()
    idle: frozenset[int] = frozenset()
    reopened: dict[str, int] = {}

    def reopened_after(self, slot: str, turn: int) -> bool:
        """Whether the user took the slot back after this turn."""
        return max(self.reopened.get(slot, 0), self.reopened.get("*", 0) if slot not in _OWN else 0) > turn


def steps(turns: Sequence[Turn], table: SlotTable | None, shape: EnvelopeShape) -> Iterator[Step]:
    """Walk over the conversation once, a step for each turn. Look at a step before the next is taken:
    `earlier` goes on growing.
    """
    earlier: list[tuple[int, Question]] = []
    answers: list[Answer] = []
    spoken: set[int] = set()
    idle: set[int] = set()
    reopened: dict[str, int] = {}
    before: list[Question] = []
    language = table.language if table is not None else "en"
    for turn in turns:
        if turn.user.strip():
            said = read_message(turn.user, language)
            spoken.add(turn.number)
            for name in _reopened(said, table):
                reopened[name] = turn.number
                answers = [one for one in answers if not _is_open(one.asked.slot.name, name)]
            found = list(_answers(said, before, table, turn.number))
            answers = [*answers, *found]
            if not found and is_no_answer(said):
                idle.add(turn.number)
        questions = questions_of(turn, table, shape)
        yield Step(turn, questions, earlier, answers, frozenset(spoken), frozenset(idle), dict(reopened))
        if any(one.inquired and one.turn == turn.number for one in answers) and refuses(turn.text, language):
            answers = [one for one in answers if not (one.inquired and one.turn == turn.number)]
        earlier += [(turn.number, one) for one in questions]
        before = questions


def refuses(reply: str, language: str = "en") -> bool:
    """Whether a reply says that something cannot be had."""
    text, known = fold(reply), question_words(language)
    return any(phrase in text for phrase in (*known.unavailable, *known.refusing))


def _is_open(slot: str, name: str) -> bool:
    return slot == name or (name == "*" and slot not in _OWN)


def _reopened(said: UserMessage, table: SlotTable | None) -> list[str]:
    """The slots that the message takes back; "*" for all."""
    text = " ".join(fold(said.text[:2_000]).split())
    over = any(phrase in text for phrase in said.phrases.over)
    if table is None or not (over or said.phrases.opening & set(said.words)):
        return ["*"] if over else []
    joined = f" {' '.join(said.words)} "
    named = [slot.name for slot in table.slots if any(f" {noun} " in joined for noun in slot.nouns)]
    return named or (["*"] if over else [])


def _answers(
    said: UserMessage, before: Sequence[Question], table: SlotTable | None, turn: int
) -> Iterator[Answer]:
    asked = [one for question in before for one in question.asked]
    plain = [one for one in before if not one.asked and not one.offer and not one.option]
    parts = sum(one.parts - 1 for one in before if not one.offer)
    alone = max(len({one.slot.name for one in asked}), min(1, parts)) + len(plain) + parts <= 1
    names = {one.slot.name for one in asked}
    for own, place in _in_passing(said, table) if table is not None else ():
        if own.slot.name not in names:
            yield Answer(own, turn, *_quoted(said, place), inquired=is_inquiry(said, place[0]))
    codes = _codes_given(said, list(dict.fromkeys(one.slot.name for one in asked if one.slot.kind == "code")))
    for one in asked:
        span = answer_in(said, one.slot, asked=True, alone=alone)
        if span is not None and codes is not None and one.slot.kind == "code":
            span = codes.get(one.slot.name)
        if span is not None and not (one.slot.name in LOGINS and said.text[slice(*span)].isupper()):
            yield Answer(one, turn, *_quoted(said, span))
    for question in plain:
        if _answers_plainly(said, question):
            yield Answer(RequestedSlot(Slot("")), turn, *_quoted(said, (0, len(said.text))), question)


def _codes_given(said: UserMessage, names: list[str]) -> dict[str, Span] | None:
    """Which code is which where a reply asked for several; None where it asked for one at most.

    All of them come in order. Of fewer, the one with small letters is that of a user, the other is not.
    """
    if len(names) < 2:
        return None
    given = codes_in(said)
    if len(given) >= len(names):
        return dict(zip(names, given, strict=False))
    found: dict[str, Span] = {}
    for start, end in given:
        login = any(map(str.islower, said.text[start:end]))
        fit = [name for name in names if (name in LOGINS) is login and name not in found]
        if len(fit) == 1:
            found[fit[0]] = (start, end)
    return found


def _answers_plainly(said: UserMessage, question: Question) -> bool:
    """Whether a message answers a question that is for no slot: briefly, with yes or no, or in its words."""
    yes_no = said.phrases.yes_no
    if not said.words or yes_no.issuperset(said.words):
        return bool(said.words)
    if is_no_answer(said) or said.text.rstrip().endswith("?"):
        return False
    brief = len(said.words) <= SHORT or said.words[0] in yes_no
    return brief or bool(
        focus_of(said.words[:60], language=said.language) & focus_of(question.key, language=said.language)
    )


@lru_cache(maxsize=256)
def _in_passing(said: UserMessage, table: SlotTable) -> tuple[tuple[RequestedSlot, Span], ...]:
    """The slots that a message answers whatever was asked. Kept, for every later reply wants them."""
    found = []
    for slot in table.slots:
        span = answer_in(said, slot, asked=False)
        if span is not None:
            whose = _whose(said, span[0]) if slot.personal else ""
            found.append((RequestedSlot(slot, _focus_around(said, slot, span), whose), span))
    return tuple(found)


def _whose(said: UserMessage, place: int) -> str:
    """Of whom a value is: by its clause, or by somebody else in its sentence."""
    start, end = next((one for one in said.sentences if one[0] <= place < one[1]), (0, 0))
    start = max(start, place - 500)
    sentence = said.text[start : min(end, place + 500)]
    known = said.phrases
    clauses = [*patterns(said.language).clauses.finditer(sentence)]
    own = next((one[0] for one in clauses if one.start() <= place - start < one.end()), sentence)
    near = whose_of(spoken_words(own), known.first_person, known)
    return near or ("other" if whose_of(spoken_words(sentence), (), known) else "")


def _quoted(said: UserMessage, span: tuple[int, int]) -> tuple[str, int, int]:
    start, end = said.prose.span(*span) if span[1] > span[0] else (0, 0)
    return said.prose.original[start:end], start, end


def _focus_around(said: UserMessage, slot: Slot, span: tuple[int, int]) -> frozenset[str]:
    """What a value given in passing belongs to: the words beside it. A name is the user's own."""
    if not slot.focused:
        return frozenset()
    if slot.kind == "name":
        return OWN_NAME
    nouns = {word for noun in slot.nouns for word in noun.split()}
    beside = (
        spoken_words(said.text[max(0, span[0] - 20) : span[0]])[-2:]
        + spoken_words(said.text[span[1] : span[1] + 20])[:2]
    )
    count = patterns(said.language).count_word
    told = focus_of([word for word in beside if _tells(word, nouns, count)], language=said.language)
    if not told or slot.kind not in ("date", "time", "duration"):
        return told
    start, end = next((one for one in said.sentences if one[0] <= span[0] < one[1]), span)
    around = said.text[max(start, span[0] - 300) : min(end, span[1] + 300)]
    near = [word for word in spoken_words(around) if _tells(word, nouns, count)]
    return told | focus_of(near, language=said.language)


def _tells(word: str, nouns: set[str], count: re.Pattern[str]) -> bool:
    return word not in nouns and not word[0].isdigit() and not count.fullmatch(word)


def is_confirmation(question: Question, answer: Answer) -> bool:
    """Whether the question names the answer again to have it confirmed: so your budget is $500, right?"""
    words, known = spoken_words(question.text), question_words(question.language)
    if (words and words[-1] in known.confirming) or not known.still.isdisjoint(words):
        return True
    if not known.alternatives.isdisjoint(words):
        return False
    given = spoken_words(answer.quote)[:40]
    numbers = {_bare(word) for word in given if word[0].isdigit()}
    if numbers:
        return bool(numbers & {_bare(word) for word in words})
    content = focus_of(given, language=question.language)
    return (
        bool(content)
        and content <= focus_of(words, language=question.language)
        and not content <= set(question.key[:1])
    )


def _bare(word: str) -> str:
    return word.replace(",", "")


def is_asked_anew(question: Question, reply: str, asked: RequestedSlot | None, answer: str = "") -> bool:
    """Whether the question wants something else than what was given: another date, a number that works."""
    words, known = set(spoken_words(question.text)), question_words(question.language)
    if words & known.new:
        return True
    if asked is None:
        return False
    kind = asked.slot.kind
    if answer and is_more_exact(question, asked.slot):
        return True
    if answer and is_other_choice(question, asked.slot, answer):
        return True
    if kind in _MAY_LACK and any(phrase in fold(reply) for phrase in known.unavailable):
        return True
    if kind in _MAY_FAIL:
        text = fold(reply)
        return any(phrase in text for phrase in known.failed)
    return False


def is_more_exact(question: Question, slot: Slot, answer: str = "") -> bool:
    """Whether a question wants a given value more exactly: which model exactly? A number of an error or a
    model is exact as it is."""
    if slot.kind in ("free", "code") and any(map(str.isdigit, answer)):
        return False
    exact = question_words(question.language).exact
    return slot.kind not in ("money", "size") and not exact.isdisjoint(spoken_words(question.text))


def is_other_choice(question: Question, slot: Slot, answer: str) -> bool:
    """Whether a question offers what was not chosen before, or the choice between what was named."""
    offered, given = (_options_named(slot, spoken_words(text)) for text in (question.text, answer))
    if len(offered) < 2 or not given:
        return False
    return (slot.focused and not offered & given) or (len(given) > 1 and offered <= given)


def _options_named(slot: Slot, words: Sequence[str]) -> set[str]:
    joined = f" {' '.join(words)} "
    return {one for one in slot.options if f" {one} " in joined}


def same_question(one: Question, other: Question) -> bool:
    """Whether two questions ask the same thing: by their words, or for one slot."""
    if same_wording(one, other):
        return True
    return any(mine.is_same(theirs) for mine in one.asked for theirs in other.asked)
