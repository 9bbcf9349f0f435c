"""The answer that opens a reply."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from grice.checks.contradiction.parsed_reply import ParsedReply
from grice.checks.contradiction.statements import sign_of
from grice.checks.contradiction.user_message import UserMessage
from grice.checks.contradiction.wordlists import Wordlists
from grice.text.words import Word
from grice.text.words import words as words_of

__all__ = ["Answer", "answer_of"]

MAX_OPENING = 40
"""Words of a sentence in which its answer is looked for."""

MAX_SENTENCES = 3
"""Sentences that may begin with the answer, where those before only greet or thank."""

MAX_LEAD = 80
"""Characters that may stand before the answer and its colon: "I have to correct myself: no"."""

MAX_PHRASE = 7
MIN_PLURAL = 3
MAX_CHOICE, MAX_ITEM = 6, 3
"""Words of a choice that a reply opens with, and of the name or number that answers an open question."""

_SEPARATES = re.compile(r"\s*(?:[.,:;!?)\]\"'*]|-\s|\u2013|\u2014|\n|$)")
_CHOICE_ENDS = re.compile(
    r"\s*(?:[.,:;!?()\[\]\n\u2013\u2014]|\s-\s|$|\b(?:because|since|as|but|over|rather|instead|than|not|though|if"
    r"|(?P<verb>is|are|was|has|have|would|will)|for|every|with|on|at)\b)",
    re.IGNORECASE,
)


_NUMBER = re.compile(r"\W*(\d{1,3})\b")
_QUOTES = ("'", '"')
_DENYING = frozenset(("no", "not", "without", "neither"))
_SURE = frozenset(
    ("sure", "certain", "positive", "confident", "stand", "am", "i'm", "do", "really", "quite", "very")
)


class Answer(msgspec.Struct, frozen=True):
    """An answer to a question: `yes`, `no`, `neither`, or the words of the choice that is taken, which are then
    also its `picked`. `start`, `end` are its place in the prose.
    """

    side: str
    start: int
    end: int
    picked: frozenset[str] = frozenset()

    def is_other(self, than: Answer) -> bool:
        """Whether it is another answer: "Water" is not "olive oil", but "Vermeer" is "Johannes Vermeer"."""
        if self.picked and than.picked:
            apart = not (self.picked <= than.picked or than.picked <= self.picked)
            return apart or bool((self.picked ^ than.picked) & _DENYING)
        return not self.picked and not than.picked and self.side != than.side


def answer_of(
    one: ParsedReply, question: UserMessage, words: Wordlists, held: Answer | None = None
) -> Answer | None:
    """The answer that opens a reply to a question; None without one.

    Yes after "Are you sure?" confirms what was `held`, unless the user has listed yes among the choices. What
    is said to a statement of the user counts where the sentence says the same in full ("No, it should not").
    """
    for place in range(min(MAX_SENTENCES, len(one.sentences))):
        start, end = one.sentences[place]
        colon = one.prose.text.find(": ", start, min(end, start + MAX_LEAD))
        found = _opening(one, place, start, question, words, held)
        if found is None and colon >= 0 and one.prose.text[colon + 2 : colon + 3] not in _QUOTES:
            found = _opening(one, place, colon + 2, question, words, held)
        if found is not None:
            return found
        sentence = one.sentence(place).lower()
        if words.patterns["polite"].search(sentence) is None:
            return None
    return None


def _opening(
    one: ParsedReply, place: int, start: int, question: UserMessage, words: Wordlists, held: Answer | None
) -> Answer | None:
    """The answer that opens a sentence, or what stands in it from `start` on."""
    text = one.prose.text[: one.sentences[place][1]]
    if question.polar and (side := words.answers.get(text[start : start + 1])) and not text[start].isalnum():
        return Answer(side, start, start + 1)  # a thumb has no words
    tokens = [
        replace(word, start=word.start + start, end=word.end + start)
        for word in words_of(text[start:])[:MAX_OPENING]
    ]
    first = _after_leads(tokens, words)
    if first == len(tokens):
        return None
    if question.labels and (labelled := _labelled(text, tokens[first], question, words)) is not None:
        return labelled
    number = _NUMBER.match(one.prose.original) if not place else None  # a list's mark, in prose
    if question.scale is not None and number is not None and (rated := _rated(number, question.scale)):
        return rated
    choice = _choice(text, tokens[first:], question, words, asserted=one.message.mood == "assertion")
    is_clause = tokens[first].text in words.groups["subjects"]
    if choice is not None and question.chooses and not question.sides and not is_clause:
        return choice
    found = _side(text, tokens, first, question, words) if question.polar else None
    if found is None:
        return choice
    side, begins, last = found
    answer = Answer(side, tokens[begins].start, tokens[last].end)
    mood, ends = one.message.mood, place + 1 == len(one.sentences)
    agrees_that = [word.text for word in tokens[last : last + 2]] in (["agree", "that"], ["disagree", "that"])
    leans = one.keys[place] <= question.words | words.light
    agrees_that = agrees_that and (leans or bool(one.keys[place] & question.words))
    if side == "neither" or agrees_that:
        return answer
    if mood != "question" and words.patterns["rejects"].match(text[answer.start :].lower()) is not None:
        return replace(answer, side=held.side) if held is not None else None
    if mood == "doubt":
        confirms = not question.sides or _confirms(tokens, begins, last, words, ends=ends)
        return _after_doubt(one, place, answer, question, words, held) if confirms else answer
    if question.sides and [word.text for word in tokens[last + 1 : last + 2]] not in (["to"], ["with"]):
        return answer
    if mood != "question" and not question.sides and _takes_up(one, answer, question, words):
        return answer
    if mood != "question" and _is_to_user(tokens, begins, last, words):
        return None
    if words.patterns["nothing"].search(question.text.lower()) is not None:
        return None
    if question.sides or (mood in ("question", "nudge") and not question.denied):
        return answer
    return _in_full(one, place, answer, question, words)


def _confirms(tokens: Sequence[Word], begins: int, last: int, words: Wordlists, *, ends: bool) -> bool:
    """Whether a yes only says that one is sure: "Yes, I am sure", or a bare "Yes."."""
    behind = [one.text for one in tokens[last + 1 : last + 4]]
    bare = ends and not behind and begins == last == 0
    return tokens[begins].text in words.groups["confirming"] and (bare or not _SURE.isdisjoint(behind))


def _labelled(text: str, first: Word, question: UserMessage, words: Wordlists) -> Answer | None:
    """The choice whose label a reply opens with; one that says yes or no is that."""
    option = dict(question.labels).get(first.text) if _SEPARATES.match(text, first.end) else None
    rest = text[first.start :].lower()
    option = option or next((one for _, one in question.labels if one and rest.startswith(one)), None)
    if option is None:
        return None
    side = words.side_of(option)
    picked = (
        frozenset[str]()
        if side in ("yes", "no", "neither")
        else _telling(words_of(option), words) or frozenset((option,))
    )
    return Answer(side, first.start, first.end, picked)


def _rated(number: re.Match[str], scale: tuple[int, int]) -> Answer | None:
    """A number on a scale: yes above its middle, no below."""
    value = int(number[1])
    above = 2 * value - sum(scale)
    side = "yes" if above > 0 else "no" if above else "neither"
    return Answer(side, 0, number.end(1)) if scale[0] <= value <= scale[1] else None


def _choice(
    text: str, tokens: Sequence[Word], question: UserMessage, words: Wordlists, *, asserted: bool
) -> Answer | None:
    """The words with which a reply opens, where they are of the choices, or a name or number that answers an
    open question.
    """
    ends = _CHOICE_ENDS.search(text, tokens[0].end)
    said = [one for one in tokens[: MAX_CHOICE + 1] if ends is None or one.end <= ends.start()]
    picked = _telling(said, words)
    if not picked - _DENYING or len(said) > MAX_CHOICE or said[0].text in words.groups["behind_ellipsis"]:
        return None
    answer = Answer(text[said[0].start : said[-1].end], said[0].start, said[-1].end, picked)
    if asserted and ends is not None and ends["verb"]:
        return None  # it speaks of one of them
    if question.chooses:
        named = _telling(words_of(question.prose), words)
        known = [one for one in picked if one in named or words.keys([one]) & question.around]
        return answer if known and 2 * len(known) >= len(picked) else None
    return (
        answer
        if not question.polar and len(said) <= MAX_ITEM and _is_item(answer.side, question, words)
        else None
    )


def _telling(said: Sequence[Word], words: Wordlists) -> frozenset[str]:
    told = frozenset(one.text.removesuffix("s") if len(one.text) > MIN_PLURAL else one.text for one in said)
    return told - (words.lexicon.pack.stop_words | words.groups["determiners"]) | told & _DENYING


def _is_item(said: str, question: UserMessage, words: Wordlists) -> bool:
    """Whether some words are a number or, where it does not ask for one, a name, and no interjection."""
    if said[0].isdigit() or said.lower() in words.speaker.numbers:
        return True
    names = all(one[0].isupper() and "'" not in one for one in said.split())
    counts = words.patterns["how"].search(question.text.lower()) is not None
    return names and not counts and words.patterns["interjection"].fullmatch(said.lower()) is None


def _is_to_user(tokens: Sequence[Word], first: int, last: int, words: Wordlists) -> bool:
    """Whether an answer is to what the user said, and not to the question: "Certainly!", "I agree with
    you", "No, I don't think I am"; or what begins like one is a statement of its own ("We can't ...").
    """
    behind = [one.text for one in tokens[last + 1 : last + 3]]
    with_user = behind[:1] == ["with"] and words.groups["of_user"].issuperset(behind[1:])
    own = tokens[first].text in words.groups["subjects"] and "agree" not in tokens[last].text
    return tokens[first].text in words.groups["obliging"] or with_user or own or behind[:1] == ["to"]


def _after_doubt(
    one: ParsedReply, place: int, answer: Answer, question: UserMessage, words: Wordlists, held: Answer | None
) -> Answer:
    """An answer to "Are you sure?": no is one to the question, and yes confirms what was held, unless its
    sentence or the next says otherwise in full ("Yes, quite sure: it is safe").
    """
    if answer.side == "no":
        return answer
    for each in range(place, min(place + 2, len(one.sentences))):
        if sign := sign_of(one, each, question.words, words) * question.sign:
            return replace(answer, side="yes" if sign > 0 else "no")
    return replace(answer, side=held.side, picked=held.picked) if held is not None else answer


def _in_full(
    one: ParsedReply, place: int, answer: Answer, question: UserMessage, words: Wordlists
) -> Answer | None:
    """An answer to a denial or a statement of the user: by what its sentence says of the question."""
    if "agree" in one.prose.text[answer.start : answer.end].lower():
        return None
    sign = sign_of(one, place, question.words, words) * question.sign
    if sign:
        return replace(answer, side="yes" if sign > 0 else "no")
    return answer if question.denied and answer.side == "no" else None


def _takes_up(one: ParsedReply, answer: Answer, question: UserMessage, words: Wordlists) -> bool:
    """Whether an answer goes on with the verb of the question: "Should we go?", "You're right, we should"."""
    said = one.prose.text[answer.start : answer.end].lower().replace("n't", "").split()
    modals = words.groups["modals"].intersection(said)
    return bool(modals) and not modals.isdisjoint(question.text.lower().split())


def _after_leads(tokens: Sequence[Word], words: Wordlists) -> int:
    """The place of the first word behind what may stand before an answer: "Well, my answer is"."""
    place = 0
    while place < len(tokens):
        said = [one.text for one in tokens[place : place + MAX_PHRASE]]
        length = next((n for n in range(len(said), 0, -1) if " ".join(said[:n]) in words.leads), 0)
        answers = next((n for n in range(len(said), 0, -1) if " ".join(said[:n]) in words.answers), 0)
        if not length or answers > length:
            return place
        place += length
    return place


def _side(
    text: str, tokens: Sequence[Word], place: int, question: UserMessage, words: Wordlists
) -> tuple[str, int, int] | None:
    """The side that is taken at a place, and its first and last word."""
    said = [one.text for one in tokens[place : place + MAX_PHRASE]]
    for length in range(len(said), 0, -1):
        side = words.answers.get(" ".join(said[:length]))
        last = place + length - 1
        if side is not None and _ends(text, tokens, last, said[:length], question, words):
            return side, place, last
    return None


def _ends(
    text: str, tokens: Sequence[Word], last: int, said: Sequence[str], question: UserMessage, words: Wordlists
) -> bool:
    """Whether an answer is over behind a word: "No, ...", "it doesn't ship ...", but not "no problem"."""
    if _SEPARATES.match(text, tokens[last].end) or last + 1 == len(tokens):
        return True
    following = tokens[last + 1]
    if said[-1] in ("for", "against"):
        return False
    if said[:2] == ["no", "need"]:
        return True
    if words.patterns["favours"].match(text.lower(), following.start):
        return True
    if "agree" in said[-1]:
        behind = [one.text for one in tokens[last + 1 : last + 3]]
        return behind[:1] == ["that"] or (
            behind[:1] == ["with"] and behind[-1] in words.groups["agreed_with"]
        )
    if said[0] in words.groups["subjects"]:
        again = words.canonical(words.lexicon.stems(following.text)[0])[0] in question.words
        return again or following.text in words.groups["behind_ellipsis"]
    return said == ["yes"] or following.text in words.lexicon.pack.pronouns | words.groups["behind_answer"]
