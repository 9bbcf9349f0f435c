"""Two own statements about the same thing, of which one denies the other."""

from __future__ import annotations

from collections.abc import Iterator

from grice.checks.contradiction.consistency import Comparison
from grice.checks.contradiction.parsed_reply import ParsedReply
from grice.checks.contradiction.statements import Statement
from grice.checks.contradiction.talk import Index, Place, Talk
from grice.checks.contradiction.user_message import UserMessage
from grice.checks.contradiction.wordlists import Wordlists
from grice.text.words import words as words_of

__all__ = ["turned_round"]

_LOOSE = frozenset(("too", "again", "always", "both", "all", "each", "every"))


def turned_round(talk: Talk, words: Wordlists) -> Iterator[Comparison]:
    """The statements of each reply against those about the same thing before; not of one that argues at
    length, which weighs both sides. One sentence that is said again counts as well.
    """
    every, turning = Index(talk), Index(talk)
    repeated = False
    for place in talk.places():
        turns = talk.turns(place)
        if not (turns or repeated) and (same := _repeated(place, every, talk)) is not None:
            repeated = True
            yield same
        for other in (every if turns else turning).beside(place):
            if other[0] >= talk.since[place[0]]:  # else a tool told something between
                yield from _held_against(other, place, talk, words)
        every.add(place)
        if turns:
            turning.add(place)


def _held_against(earlier: Place, later: Place, talk: Talk, words: Wordlists) -> Iterator[Comparison]:
    """What two sentences state of the same thing."""
    before, one = talk.said[earlier[0]], talk.said[later[0]]
    if any(each.message.supposes and not each.message.again for each in (before, one)):
        return
    for made in talk.statements(later):
        for known in talk.statements(earlier):
            if _is_one_thing(known, made, before, one, words) and not _is_new(
                known, made, before, one.message
            ):
                yield _compared(before, known, one, made, words)


def _repeated(place: Place, every: Index, talk: Talk) -> Comparison | None:
    """A sentence that says much the same as one before, where neither denies anything."""
    mine = talk.own(place)
    for other in every.beside(place):
        theirs = talk.own(other)
        if not mine or talk.turns(other) or 3 * len(mine & theirs) <= 2 * max(len(mine), len(theirs)):
            continue
        first, last = (
            talk.said[here].holds("yes", *talk.said[here].sentences[sentence], "turned round")
            for here, sentence in (other, place)
        )
        return Comparison("turned round", first, last, opposed=False)
    return None


def _is_new(earlier: Statement, later: Statement, before: ParsedReply, heard: UserMessage) -> bool:
    """Whether the later of two statements is of what the user has newly brought up."""
    if not _are_opposed(earlier, later):
        return False
    known = earlier.words | earlier.around | before.message.around
    new = heard.around - known
    full = later.own >= earlier.own
    return bool(new & (later.around if full else later.around | later.words)) or (
        heard.brief and bool(heard.words - known) and not full
    )


def _are_opposed(one: Statement, other: Statement) -> bool:
    """Whether one denies the other, or says the same comparison the other way round."""
    swapped = bool(one.than and other.than and one.than <= other.words - other.than)
    swapped = swapped and other.than <= one.words - one.than and one.limits == other.limits
    return (one.sign != other.sign) != swapped


def _is_one_thing(
    earlier: Statement, later: Statement, before: ParsedReply, one: ParsedReply, words: Wordlists
) -> bool:
    """Whether two statements speak of the same thing; one that denies, of no narrower case than the other."""
    answers = earlier.answers or later.answers
    if earlier.answers and later.answers:
        return False
    persons = {earlier.person, later.person}
    if len(persons) > 1 and "i" in persons and "would" not in persons and not answers:
        return False
    shared = earlier.words & later.words
    fewer = min(len(earlier.words), len(later.words))
    denies, affirms = (earlier, later) if earlier.sign < 0 else (later, earlier)
    general = persons == {"i"} and _is_general(denies, affirms, words)
    if not any(len(word) > 1 and word.isalpha() for word in shared) or (
        2 * len(shared) <= fewer and not general
    ):
        return False
    if not shared & earlier.own or not shared & later.own:
        return False
    if not _are_opposed(earlier, later):
        return 3 * len(shared) > 2 * max(len(earlier.words), len(later.words))
    if general:
        return True
    spoken = (before if affirms is earlier else one).message.around | affirms.around | affirms.words
    if denies.own - spoken - words.light:
        return False
    if affirms.predicate and affirms.predicate not in denies.words | words.light:
        return False
    if affirms.own != affirms.words and any(map(str.isalpha, affirms.own - shared - words.light)):
        return False
    beyond = denies.words - affirms.words
    if denies.limits - affirms.limits - _LOOSE and not (beyond and beyond <= before.message.around):
        return False
    if len(shared) == 1 and len(affirms.own) > 2 and not denies.elliptic:
        return False
    if affirms.limits & words.groups["binding"] - denies.limits and not affirms.answers:
        return False
    return earlier.past == later.past or answers


def _is_general(denies: Statement, affirms: Statement, words: Wordlists) -> bool:
    """Whether somebody denies of themselves all of what they affirm a case of: "I don't cook"."""
    own = denies.own - words.light
    return (
        bool(own)
        and denies.own == denies.words
        and denies.own <= affirms.own
        and not denies.limits - _LOOSE
        and not affirms.limits & words.groups["binding"]
        and (denies.past == affirms.past or not denies.past)
    )


def _in_words(one: ParsedReply, made: Statement, shared: frozenset[str], words: Wordlists) -> str:
    """What two statements share, in the words of one of them."""
    text = one.prose.text[made.start : made.end]
    said = [word for word in words_of(text) if words.keys([word.text]) & shared]
    return " ".join(text[word.start : word.end] for word in said)


def _compared(
    before: ParsedReply, earlier: Statement, one: ParsedReply, later: Statement, words: Wordlists
) -> Comparison:
    said = [each for each in ((before, earlier), (one, later)) if not each[1].answers]
    about = _in_words(*said[0], earlier.words & later.words, words)
    opposed = _are_opposed(earlier, later)
    denied = earlier.denied, earlier.denied != opposed
    first, last = (
        each.holds("no" if no else "yes", made.start, made.end, "turned round", about)
        for each, made, no in ((before, earlier, denied[0]), (one, later, denied[1]))
    )
    return Comparison("turned round", first, last, opposed)
