"""Compare the assistant's own statements on one thing, of which one denies the other."""

from __future__ import annotations

from collections.abc import Iterator

from grice.checks.contradiction.consistency import Comparison
from grice.checks.contradiction.parsed_reply import ParsedReply
from grice.checks.contradiction.sentence_index import Index, Place, Talk
from grice.checks.contradiction.statements import Statement, in_words
from grice.checks.contradiction.user_message import UserMessage
from grice.checks.contradiction.wordlists import Wordlists

_TIMES = frozenset(("before", "until", "after", "during", "when"))
_SUPPOSED = frozenset(("without", "if"))
_SO_FAR = frozenset(("before", "yet"))
_LOOSE = frozenset(("always", "both", "all", "each", "every"))


def turned_round(talk: Talk, words: Wordlists) -> Iterator[Comparison]:
    """Compare the statements of each reply with those on the same thing before. Replies that argue at length
    weigh both sides and are left out. One sentence that is said again counts as well.
    """
    every, turning, since = Index(talk), Index(talk), 0
    said: dict[tuple[str, ...], Place] = {}
    small = words.lexicon.pack.stop_words
    for place in talk.places():
        if talk.since[place[0]] > since:  # a tool has told something
            every, turning, since = Index(talk), Index(talk), talk.since[place[0]]
        turns = talk.turns(place)
        if not turns and len(talk.own(place)) > 1:
            tokens = talk.said[place[0]].tokens[place[1]]
            sentence = tuple(one for one in tokens if one not in small and one not in words.empty)
            before = said.setdefault(sentence, place)
            if before[0] < place[0] and talk.statements(place):
                yield _repeated(before, place, talk)
        for other in (every if turns else turning).beside(place):
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
            if not _are_of_one(known, made):
                continue
            if not _are_opposed(known, made):
                comparable = 3 * len(known.words & made.words) > 2 * max(len(known.words), len(made.words))
            elif known.sign < 0:
                comparable = _denies(known, made, before, one, words)
            else:
                comparable = _denies(made, known, one, before, words)
            if comparable:
                yield _compared(before, known, one, made, words)


def _denies(
    denies: Statement, affirms: Statement, denial: ParsedReply, affirmation: ParsedReply, words: Wordlists
) -> bool:
    """Whether a statement denies what another affirms: all of it, or the same case of it."""
    of_speaker = denies.person == affirms.person == "i"
    if of_speaker and denies.has("possesses", words) != affirms.has("possesses", words):
        return False
    if denial.turn < affirmation.turn and denies.has("not_so_far", words):
        return False
    if (of_speaker or denies.lacks or denies.has("has_none", words)) and _is_of_all(denies, affirms, words):
        return True
    if not _share_enough(denies, affirms) or not _is_same_case(denies, affirms, denial, affirmation, words):
        return False
    if denial.turn > affirmation.turn:
        return not _is_new(affirms, denies, affirmation, denial.message, words)
    return not _is_new(denies, affirms, denial, affirmation.message, words)


def _are_of_one(one: Statement, other: Statement) -> bool:
    """Whether two statements may be of the same person, and one of them is no answer."""
    if one.answers and other.answers:
        return False
    persons = {one.person, other.person}
    return len(persons) == 1 or "i" not in persons or "would" in persons or one.answers or other.answers


def _share_enough(denies: Statement, affirms: Statement) -> bool:
    """Whether two statements share more than half of the words of one of them, and each has some of these
    itself; what one would do, all that is denied.
    """
    shared = denies.words & affirms.words
    if {denies.person, affirms.person} == {"i", "would"} and not affirms.own <= denies.own:
        return False
    said = shared - denies.counted - affirms.counted
    told = any(len(word) > 1 and word.isalpha() for word in said)
    fewer = min(len(denies.words), len(affirms.words))
    return told and 2 * len(shared) > fewer and bool(shared & denies.own) and bool(shared & affirms.own)


def _is_of_all(denies: Statement, affirms: Statement, words: Wordlists) -> bool:
    """Whether all is denied of which something is affirmed: "I don't cook", "there is no fee", "I have no
    pets" where there is a dog.
    """
    own = denies.own - words.light
    return (
        bool(own)
        and not denies.elliptic
        and denies.own == denies.words
        and own <= words.with_kinds(affirms.own)
        and not denies.limits - _LOOSE - (_SO_FAR if denies.person == "i" else frozenset())
        and not affirms.limits & words.groups["binding"]
        and not affirms.has("wants_to", words)
        and (denies.past == affirms.past or not denies.past)
        and (denies.past or not affirms.has("used_to", words))
    )


def _is_same_case(
    denies: Statement, affirms: Statement, denial: ParsedReply, affirmation: ParsedReply, words: Wordlists
) -> bool:
    """Whether what is denied is no narrower case than what is affirmed, nor one under a condition."""
    shared = denies.words & affirms.words
    before = affirmation if affirmation.turn < denial.turn else denial
    spoken = affirmation.message.around | affirms.around | affirms.words
    narrower = denies.own - spoken - words.light
    counts = any(word[0].isdigit() for word in narrower)
    timed = bool(denies.values or denies.limits & _TIMES) and affirms.has("at_all_times", words)
    if narrower and not timed and (counts or not denies.answers or 3 * len(narrower) > len(denies.words)):
        return False
    if affirms.predicate and not denies.elliptic and affirms.predicate not in denies.own | words.light:
        return False
    for one, other in ((affirms, denies), (denies, affirms)):
        if one.own != one.words and not (one.words - one.own) & other.words:
            return False  # what "it" speaks of is another thing
    more = affirms.own - shared - words.light
    if affirms.own != affirms.words and affirms.predicate not in shared and any(map(str.isalpha, more)):
        return False
    beyond = denies.words - affirms.words
    bound = denies.limits - affirms.limits - _LOOSE - (_TIMES if timed else frozenset())
    asked = beyond and beyond <= before.message.around and not denies.answers
    if bound and not (asked and bound <= _SUPPOSED):
        return False
    if len(shared) == 1 and len(affirms.own) > 2 and not denies.elliptic and affirms.predicate not in shared:
        return False
    heard = denies.limits | denial.message.limits
    bound = affirms.limits & words.groups["binding"] - heard
    if bound and not affirms.answers and not denies.has("of_none", words):
        return False
    return denies.past == affirms.past or denies.answers or affirms.answers


def _repeated(earlier: Place, later: Place, talk: Talk) -> Comparison:
    """A sentence that says the same as one before, where neither denies anything."""
    first, last = (
        talk.said[here].holds("yes", *talk.said[here].sentences[sentence], "turned round")
        for here, sentence in (earlier, later)
    )
    return Comparison("turned round", first, last, opposed=False)


def _is_new(
    earlier: Statement, later: Statement, before: ParsedReply, heard: UserMessage, words: Wordlists
) -> bool:
    """Whether the later of two statements is of what the user has newly brought up."""
    known = earlier.words | earlier.around | before.message.around
    full = later.own >= earlier.own
    if (heard.around - known - words.light) & (later.around if full else later.around | later.words):
        return True
    return heard.brief and bool(heard.words - known) and not full


def _are_opposed(one: Statement, other: Statement) -> bool:
    """Whether one denies the other, or says the same comparison the other way round."""
    swapped = bool(one.than and other.than and one.than <= other.words - other.than)
    swapped = swapped and other.than <= one.words - one.than and one.limits == other.limits
    return (one.sign != other.sign) != swapped


def _compared(
    before: ParsedReply, earlier: Statement, one: ParsedReply, later: Statement, words: Wordlists
) -> Comparison:
    said = [each for each in ((before, earlier), (one, later)) if not each[1].answers]
    about = in_words(*said[0], earlier.words & later.words, words)
    opposed = _are_opposed(earlier, later)
    if later.answers:
        denied = later.denied != opposed, later.denied
    else:
        denied = earlier.denied, earlier.denied != opposed
    first, last = (
        each.holds("no" if no else "yes", made.start, made.end, "turned round", about)
        for each, made, no in ((before, earlier, denied[0]), (one, later, denied[1]))
    )
    return Comparison("turned round", first, last, opposed)
