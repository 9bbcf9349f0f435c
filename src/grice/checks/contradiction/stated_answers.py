"""Compare the answer that opens a reply with the answer to the same question before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grice.checks.contradiction.consistency import Comparison
from grice.checks.contradiction.opening_answer import Answer, answer_of
from grice.checks.contradiction.parsed_reply import ParsedReply
from grice.checks.contradiction.sentence_index import Talk
from grice.checks.contradiction.user_message import UserMessage
from grice.checks.contradiction.wordlists import Wordlists
from grice.text.words import words as words_of

MAX_BESIDE = 50
"""Answers that a later one is held against, the last ones."""

_NOW = frozenset(("now", "today", "tonight"))
"""Words of a question whose answer may change by itself."""

MIN_FAMILY = 5
"""Letters that begin two words of one family."""


_Given = tuple[ParsedReply, UserMessage, Answer]
"""A reply, the question that it answers, and its answer."""


def stated_answers(talk: Talk, words: Wordlists) -> Iterator[Comparison]:
    """Compare each answer with those to the same question before."""
    given: list[_Given] = []
    for one in talk.said:
        answered = (
            None
            if one.message.supposes and not one.message.again
            else _question_and_answer(one, given, words)
        )
        if answered is None or answered[1].side == "neither":
            continue
        asks = one.message.mood == "question"
        question, answer = answered
        for before, asked, earlier in given[-MAX_BESIDE:]:
            is_open = not (question.polar or question.chooses)
            other = asks and not question.again and asked.words != question.words
            if bool(earlier.picked) != bool(answer.picked) or (is_open and other):
                continue
            if is_same(asked, question, before, words) and not _was_not_yet(
                before, one, asked, earlier, answer, words
            ):
                turned = asked.sign != question.sign and {earlier.side, answer.side} <= {"yes", "no"}
                opposed = earlier.is_other(answer) != turned
                yield _compared(before, one, question, earlier, answer, opposed=opposed)
        given.append((one, question, answer))


def _question_and_answer(
    one: ParsedReply, given: Sequence[_Given], words: Wordlists
) -> tuple[UserMessage, Answer] | None:
    """The question that a reply answers, and its answer: that of the user's message, or the last one before
    where the message asks none of its own, or where the reply opens with one of its labels ("B").
    """
    message = one.message
    asks = message.mood == "question"
    before = given[-1] if given else None
    if message.again and not message.words:  # "So which one was it?"
        before, asks = next((each for each in reversed(given) if each[1].chooses), before), False
    if asks and (answer := answer_of(one, message, words)) is not None:
        return message, answer
    if before is None or (asks and (message.brief or not message.polar or not before[1].labels)):
        return None
    answer = answer_of(one, before[1], words, before[2])
    return None if answer is None or (asks and not answer.picked) else (before[1], answer)


def _compared(
    before: ParsedReply,
    one: ParsedReply,
    question: UserMessage,
    earlier: Answer,
    later: Answer,
    *,
    opposed: bool,
) -> Comparison:
    first, last = (
        each.holds(answer.side, answer.start, answer.end, "stated answers", question.text)
        for each, answer in ((before, earlier), (one, later))
    )
    return Comparison("stated answers", first, last, opposed)


def is_same(one: UserMessage, other: UserMessage, answered: ParsedReply, words: Wordlists) -> bool:
    """Whether two questions ask the same, the later one no narrower: it brings up nothing that neither the
    earlier one nor its answer had.
    """
    if one is other:
        return True
    if not other.again and _is_of_another(one, other, words):
        return False
    if one.labels and other.labels and (one.choices != other.choices or not (other.words - one.around)):
        return one.choices == other.choices
    shared = (one.words | one.around if other.again else one.words) & other.words
    if not shared or (other.other and one.words != other.words):
        return False
    new = other.words - one.words - one.around - words.light
    if new and (other.limits - one.limits) & words.groups["binding"]:
        return False
    known = one.words | one.around | answered.keys[0]
    new = frozenset(each for each in new - known if not any(_is_near(each, one) for one in known))
    if other.again:
        return len(new) <= len(shared)
    if _NOW & other.limits:
        return False
    converse = {"every", "all", "than"} & one.limits & other.limits
    if converse and one.words == other.words and _order(one, shared, words) != _order(other, shared, words):
        return False  # every square is a rhombus, every rhombus a square
    return 2 * len(shared) >= min(len(one.words), len(other.words)) and 4 * len(new) <= len(shared)


def _is_of_another(one: UserMessage, other: UserMessage, words: Wordlists) -> bool:
    """Whether a question is of another text, of a new name, or of another time than an earlier one."""
    quotes = one.quoted and other.quoted - one.quoted
    names = other.names - one.words and not (one.labels and other.labels)
    if quotes or names or not (one.polar and other.polar):
        return bool(quotes or names)
    was, is_ = (words.patterns["another_time"].search(each.text.lower()) for each in (one, other))
    return (was is None) != (is_ is None)


def _order(one: UserMessage, shared: frozenset[str], words: Wordlists) -> list[str]:
    """Words of a question in their order."""
    said = (words.keys([word.text]) for word in words_of(one.text))
    return list(dict.fromkeys(key for keys in said for key in keys if key in shared))


def _is_near(one: str, other: str) -> bool:
    """Whether two stems are of one family: pregnant, pregnancy."""
    return one[:MIN_FAMILY] == other[:MIN_FAMILY] and min(len(one), len(other)) >= MIN_FAMILY


def _was_not_yet(
    before: ParsedReply,
    one: ParsedReply,
    question: UserMessage,
    earlier: Answer,
    later: Answer,
    words: Wordlists,
) -> bool:
    """Whether an answer was no so far, or is no more, of what may have come about since; advice never is."""
    if later.side == "no" and words.patterns["no_more"].match(one.prose.text[later.start :].lower()):
        return True
    if (earlier.side, later.side) != ("no", "yes") or words.patterns["advice"].search(question.text.lower()):
        return False
    start, end = next(one for one in before.sentences if one[1] > earlier.start)
    return words.patterns["so_far"].search(before.prose.text[start:end].lower()) is not None
