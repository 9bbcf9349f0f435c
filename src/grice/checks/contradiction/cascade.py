"""The cascade: each step compares what it can, and the first reversal that nothing explains decides."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from operator import attrgetter

import msgspec

from grice.checks.contradiction.acknowledgement import acknowledgement_in
from grice.checks.contradiction.consistency import (
    Acknowledgement,
    Comparison,
    Pairs,
    SelfContradiction,
    Stance,
)
from grice.checks.contradiction.offer_facts import offer_facts
from grice.checks.contradiction.parsed_reply import ParsedReply, parse_replies
from grice.checks.contradiction.sentence_index import Talk
from grice.checks.contradiction.speaker_facts import speaker_facts
from grice.checks.contradiction.stated_answers import is_same, stated_answers
from grice.checks.contradiction.turned_round import turned_round
from grice.checks.contradiction.user_message import UserMessage
from grice.checks.contradiction.wordlists import Wordlists, wordlists_for
from grice.records import Turn
from grice.text import is_blank, shorten, value_text
from grice.text.words import words as words_of

NOTHING = SelfContradiction("undetermined", "no two replies say something of the same thing")
"""What is said where nothing was compared."""

MAX_QUOTE = 80
_TURN = attrgetter("turn")
_ENDS = (".", "!", "?", "\n")
MAX_TOLD_BY = 600
"""Characters by which the language is told."""

MIN_TOLD_BY = 20
SMALL_WORDS = 4
"""One word of so many is a small one (the, is) in a language's texts."""

FEW_TOLD_BY = 200
"""Characters of replies that are too few for it: what the user wrote is looked at as well."""

_LEAST = 0.1
"""A weight nearer to nothing takes no side: the reply only weighs up."""

CompareStep = Callable[[Talk, Wordlists], Iterator[Comparison]]
"""Compares what the replies of a talk say."""


class Case(msgspec.Struct, frozen=True):
    """A conversation prepared for the steps. `counts` says whether two replies are compared; with
    `agreement`, agreeing with the user acknowledges a reversal. `language` is the one that the caller knows.
    Without `argued` the side that a reply argues for is left out.
    """

    talk: Talk
    words: Wordlists
    counts: Callable[[Comparison], bool]
    agreement: bool
    language: str | None
    argued: bool


def case_of(
    turns: Sequence[Turn],
    *,
    pairs: Pairs,
    agreement: bool,
    language: str | None,
    since: int = 1,
    argued: bool = True,
) -> Case | SelfContradiction:
    """Prepare the turns for the steps; give the outcome at once where there is nothing to compare. Replies
    from the turn `since` on are compared with all before them.
    """
    texts = [turn for turn in turns if not is_blank(turn.text)]
    if len(texts) < 2:
        found = f"only turn {texts[0].number} has a reply" if texts else "no assistant turn has a text"
        return SelfContradiction("undetermined", f"{found}: two are compared")
    told_by = "\n".join(turn.text for turn in texts)[:MAX_TOLD_BY]
    if len(told_by) < FEW_TOLD_BY:
        told_by = "\n".join([told_by, *(turn.user for turn in texts)])[:MAX_TOLD_BY]
    words = wordlists_for(told_by, language)
    if isinstance(words, str):
        return SelfContradiction("undetermined", words)
    talk = Talk(parse_replies(turns, words), words)
    return Case(talk, words, _pairs(talk.said, pairs, since), agreement, language, argued)


def by_rules(case: Case) -> SelfContradiction | None:
    """Decide by the steps of rules; None where they compared nothing. Where a reply is in a language without
    rules, nothing is consistent.
    """
    found = concluded(case, _comparisons(case))
    if found is not None and found.outcome != "consistent":
        return found
    texts = [one.prose.original[:FEW_TOLD_BY] for one in case.talk.said if not _is_known(one, case.words)]
    unread = (wordlists_for(text, case.language) for text in texts if _tells_language(text))
    other = next((one for one in unread if isinstance(one, str)), "")
    return SelfContradiction("undetermined", other) if other else found


def concluded(case: Case, comparisons: Iterable[Comparison]) -> SelfContradiction | None:
    """Decide from comparisons: the first reversal that nothing explains or excuses, else one that something
    may explain, else one that is acknowledged; None without any comparison.
    """
    said = case.talk.said
    compared: list[Comparison] = []
    explained = acknowledged = None
    for one in comparisons:
        if not one.opposed:
            compared.append(one)
        elif excuse := _excuse(one, said, case.words, agreement=case.agreement):
            acknowledged = acknowledged or (one, excuse)
        elif _is_explained(one, said, case.words):
            explained = explained or one
        else:
            return _reversal(one, said)
    if explained is not None:
        return _explained(explained, said)
    if acknowledged is not None:
        return _reversal(acknowledged[0], said, acknowledged[1])
    return _consistent(compared) if compared else None


def unexcused(case: Case, steps: Iterable[CompareStep]) -> Iterator[Comparison]:
    """What those steps compare. What the assistant takes back, or something explains, opposes nothing."""
    said = case.talk.said
    for step in steps:
        for one in filter(case.counts, step(case.talk, case.words)):
            excused = one.opposed and (
                _excuse(one, said, case.words, agreement=case.agreement)
                or _is_explained(one, said, case.words)
            )
            yield msgspec.structs.replace(one, opposed=False) if excused else one


def _is_known(one: ParsedReply, words: Wordlists) -> bool:
    """Whether most of a reply's words may be of the language whose rules are used: it has its small words."""
    said = [word for tokens in one.tokens for word in tokens]
    return SMALL_WORDS * sum(word in words.lexicon.pack.stop_words for word in said) > len(said)


def _tells_language(text: str) -> bool:
    """Whether a reply is long enough to blame its language; one in another script always is."""
    return len(text) > MIN_TOLD_BY or not text.isascii()


def _comparisons(case: Case) -> Iterator[Comparison]:
    """What the steps compare. Two replies whose stated answers agree are not held against each other for
    what they say besides.
    """
    agreed: set[tuple[int, int]] = set()
    for step in STEPS:
        if step is _argued_sides and not case.argued:
            continue
        for one in step(case.talk, case.words):
            pair = one.earlier.turn, one.later.turn
            if not case.counts(one) or (pair in agreed and one.step in ("turned round", "argument")):
                continue
            if one.step == "stated answers" and not one.opposed:
                agreed.add(pair)
            yield one


def _pairs(said: Sequence[ParsedReply], pairs: Pairs, since: int) -> Callable[[Comparison], bool]:
    """Whether a comparison is of replies that are to be held against each other."""
    places = {one.turn: place for place, one in enumerate(said)}

    def counts(one: Comparison) -> bool:
        earlier, later = places[one.earlier.turn], places[one.later.turn]
        wanted = {"all": True, "first_two": (earlier, later) == (0, 1), "adjacent": later - earlier == 1}
        return wanted[pairs] and one.later.turn >= since

    return counts


def _between(one: Comparison, said: Sequence[ParsedReply]) -> list[ParsedReply]:
    """The replies after the earlier of two, up to the later."""
    first, last = (bisect_right(said, turn, key=_TURN) for turn in (one.earlier.turn, one.later.turn))
    return list(said[first:last])


def _is_explained(one: Comparison, said: Sequence[ParsedReply], words: Wordlists) -> bool:
    """Whether what the user said of themselves, or a tool, comes between."""
    between = _between(one, said)
    last = between[-1]
    message = last.message
    if message.supposes or any(each.looked_up for each in between):
        return True
    text = last.prose.original
    start = max(text.rfind(mark, 0, one.later.start) for mark in _ENDS)
    beside = text[start + 1 : one.later.end].lower()
    takes_up = words.patterns["takes_up"].search(beside)
    if takes_up is None:
        asks = message.mood == "question" and not message.again
        return one.step == "stated answers" and asks and _tells(message, words)
    if "if" in message.limits or _turns_to(last):
        return True
    earlier = _reply_of(one.earlier, said)
    new = message.around - earlier.message.around - frozenset[str]().union(*earlier.keys)
    refers = words.patterns["refers"].search(takes_up[0]) is not None
    taken_up = refers or bool(new & words.keys([word.text for word in words_of(beside)]))
    return taken_up and _tells(message, words)


@lru_cache(maxsize=64)
def _tells(message: UserMessage, words: Wordlists) -> bool:
    """Whether the user says something new of themselves; asked again for each reply before."""
    return message.tells(words)


def _turns_to(last: ParsedReply) -> bool:
    """Whether a reply answers what the user has told, from its first word on: "Then I wouldn't"."""
    opens = last.tokens[0][:3] if last.tokens else ()
    return last.message.mood == "assertion" and "then" in opens


def _excuse(
    one: Comparison, said: Sequence[ParsedReply], words: Wordlists, *, agreement: bool
) -> Acknowledgement | None:
    """Where the assistant says, between the two or in the later, that it changed its mind about this."""
    about = [one.earlier.proposition, *(_quote(each, said) for each in (one.earlier, one.later))]
    keys = words.keys([word.text for text in about for word in words_of(text)])
    found = (
        acknowledgement_in(each, keys, words, agreement=agreement, beside=each.turn != one.later.turn)
        for each in _between(one, said)
    )
    return next((each for each in found if each is not None), None)


def _quote(one: Stance, said: Sequence[ParsedReply]) -> str:
    return _reply_of(one, said).prose.original[one.start : one.end]


def _reply_of(one: Stance, said: Sequence[ParsedReply]) -> ParsedReply:
    return said[bisect_left(said, one.turn, key=_TURN)]


def _says(one: Stance, said: Sequence[ParsedReply]) -> str:
    """What a stance is, in words."""
    quote = _quote(one, said)
    shown = value_text(shorten(quote, MAX_QUOTE))
    if one.position == quote and quote.casefold() not in ("yes", "no"):
        return f"turn {one.turn} says {shown}"
    is_told = quote and quote.casefold() != one.position.casefold()
    return f"turn {one.turn} says {one.position}{f' ({shown})' if is_told else ''}"


def _reversal(
    one: Comparison, said: Sequence[ParsedReply], excuse: Acknowledgement | None = None
) -> SelfContradiction:
    about = f" on {value_text(one.later.proposition)}" if one.later.proposition else ""
    sides = f"{_says(one.earlier, said)} and {_says(one.later, said)}{about}"
    decided = one.step if one.score is None else f"{one.step}, {one.score:.2f}"
    if excuse is None:
        reason = f"{sides}, and does not say that it changed its mind or was wrong ({decided})"
    else:
        reason = f"{sides}, acknowledged by {value_text(excuse.quote)} ({decided})"
    return SelfContradiction(
        "contradiction" if excuse is None else "acknowledged",
        reason,
        (one.earlier, one.later),
        (one.earlier.turn, one.later.turn),
        excuse,
        one.step,
        one.score,
    )


def _explained(one: Comparison, said: Sequence[ParsedReply]) -> SelfContradiction:
    """Another answer for which there may be a reason: whether it is one, no rule can tell."""
    sides = f"{_says(one.earlier, said)} and {_says(one.later, said)}"
    why = "a tool was called, or the user told something new"
    return SelfContradiction("undetermined", f"{sides}; between them {why} ({one.step})")


def _consistent(compared: Sequence[Comparison]) -> SelfContradiction:
    steps = ", ".join(dict.fromkeys(one.step for one in compared))
    count = len(compared)
    reason = f"{count} comparison{'' if count == 1 else 's'} ({steps}), none is a reversal"
    stances = dict.fromkeys(each for one in compared for each in (one.earlier, one.later))
    first = compared[0]
    return SelfContradiction("consistent", reason, tuple(stances), step=first.step, score=first.score)


def _argued_sides(talk: Talk, words: Wordlists) -> Iterator[Comparison]:
    """Compare the side of each long reply with that of the one before, on the same question."""
    last: tuple[ParsedReply, float] | None = None
    for one in talk.said:
        weight = one.weight if one.question is not None and one.question.polar else None
        if weight is None or abs(weight) <= _LEAST:
            continue
        if last is not None and _is_of_one(last[0], one, words):
            yield _compared(last[0], last[1], one, weight)
        last = one, weight


def _is_of_one(before: ParsedReply, one: ParsedReply, words: Wordlists) -> bool:
    """Whether two replies answer one question."""
    assert before.question is not None
    assert one.question is not None
    return is_same(before.question, one.question, before, words)


def _compared(before: ParsedReply, earlier: float, one: ParsedReply, later: float) -> Comparison:
    assert one.question is not None
    first, last = (
        each.holds("yes" if weight > 0 else "no", *each.sentences[0], "argument", one.question.text)
        for each, weight in ((before, earlier), (one, later))
    )
    return Comparison("argument", first, last, (earlier > 0) != (later > 0))


STEPS: tuple[CompareStep, ...] = (
    stated_answers,
    turned_round,
    speaker_facts,
    offer_facts,
    _argued_sides,
)
"""The steps that rules take, the surest first."""
