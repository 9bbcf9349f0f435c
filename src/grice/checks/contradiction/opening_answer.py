"""The answer that opens a reply."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from grice.checks.contradiction.parsed_reply import ParsedReply
from grice.checks.contradiction.statements import sign_of
from grice.checks.contradiction.user_message import Mood, UserMessage
from grice.checks.contradiction.wordlists import Wordlists
from grice.text.words import Word
from grice.text.words import words as words_of

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
    """An answer to a question: `yes`, `no`, `neither`, or the words of the choice that is taken, which are
    then also its `picked`. `start`, `end` are its place in the prose.
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


class _Opening(msgspec.Struct, frozen=True):
    """How a sentence of a reply opens: its words from the first on that may answer, `first` behind what leads
    to an answer ("Well, my answer is").
    """

    reply: ParsedReply
    place: int
    start: int
    text: str
    tokens: Sequence[Word]
    first: int
    question: UserMessage
    words: Wordlists

    @property
    def mood(self) -> Mood:
        """What the user's message before the reply does."""
        return self.reply.message.mood

    def behind(self, last: int, count: int = 1) -> list[str]:
        """The words behind a place."""
        return [one.text for one in self.tokens[last + 1 : last + 1 + count]]

    def in_full(self, answer: Answer) -> Answer | None:
        """The answer as its sentence says it in full, or as the next one confirms it; else None."""
        own, following = (
            sign_of(self.reply, place, self.question.words, self.words) * self.question.sign
            if place < len(self.reply.sentences)
            else 0
            for place in (self.place, self.place + 1)
        )
        if own:
            return replace(answer, side="yes" if own > 0 else "no")
        return answer if following and (following > 0) == (answer.side == "yes") else None


class _Side(msgspec.Struct, frozen=True):
    """A yes, no or neither, and the places of its first and last word."""

    answer: Answer
    begins: int
    last: int


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
        quotes = one.prose.text[colon + 2 : colon + 3] in _QUOTES
        for begin in (start,) if colon < 0 or quotes else (start, colon + 2):
            found = _read(_opening_at(one, place, begin, question, words), held)
            if found is not None:
                return found
        if words.patterns["polite"].search(one.sentence(place).lower()) is None:
            return None
    return None


def _opening_at(
    one: ParsedReply, place: int, start: int, question: UserMessage, words: Wordlists
) -> _Opening:
    text = one.prose.text[: one.sentences[place][1]]
    tokens = [
        replace(word, start=word.start + start, end=word.end + start)
        for word in words_of(text[start:])[:MAX_OPENING]
    ]
    return _Opening(one, place, start, text, tokens, _after_leads(tokens, words), question, words)


def _after_leads(tokens: Sequence[Word], words: Wordlists) -> int:
    place = 0
    while place < len(tokens):
        said = [one.text for one in tokens[place : place + MAX_PHRASE]]
        length = next((n for n in range(len(said), 0, -1) if " ".join(said[:n]) in words.leads), 0)
        answers = next((n for n in range(len(said), 0, -1) if " ".join(said[:n]) in words.answers), 0)
        if not length or answers > length:
            return place
        place += length
    return place if place < len(tokens) else 0  # "OK." answers by itself


def _read(one: _Opening, held: Answer | None) -> Answer | None:
    """The answer: a thumb, a label, a number on a scale, one of the choices, a side, or a bare name."""
    if (thumb := _thumb(one)) is not None or one.first == len(one.tokens):
        return thumb
    for reader in (_labelled, _rated):
        if (found := reader(one)) is not None:
            return found
    is_clause = one.tokens[one.first].text in one.words.groups["subjects"]
    choice, side = None if is_clause else _choice(one), _side(one)
    if choice is None and side is not None and side.answer.side == "neither" and one.question.chooses:
        return side.answer
    if choice is not None and one.question.chooses and not one.question.sides:
        return choice
    side = side if one.question.polar else None
    return choice if side is None else _meant_answer(one, side, held)


def _thumb(one: _Opening) -> Answer | None:
    mark = one.text[one.start : one.start + 1]
    side = one.words.answers.get(mark) if one.question.polar and not mark.isalnum() else None
    return Answer(side, one.start, one.start + 1) if side else None


def _labelled(one: _Opening) -> Answer | None:
    """The choice whose label, or text, a reply opens with; one that says yes or no is that."""
    first, labels = one.tokens[one.first], one.question.labels
    number = _NUMBER.match(one.reply.prose.original) if not one.place else None  # prose has no "2."
    label = number[1] if number is not None else first.text if _SEPARATES.match(one.text, first.end) else ""
    option = dict(labels).get(label)
    rest = one.text[first.start :].lower()
    option = option or next((text for _, text in labels if text and rest.startswith(text)), None)
    if option is None:
        return None
    side = one.words.side_of(option)
    if side in ("yes", "no", "neither"):
        return Answer(side, first.start, first.end)
    picked = _telling(words_of(option), one.words) | {option}
    return Answer(side, first.start, first.end, picked)


def _rated(one: _Opening) -> Answer | None:
    """A number on a scale: yes above its middle, no below. Prose has no mark of a list, and so no "2."; its
    first sentence is then the place.
    """
    scale = one.question.scale
    number = _NUMBER.match(one.reply.prose.original) if scale is not None and not one.place else None
    if scale is None or number is None or not scale[0] <= int(number[1]) <= scale[1]:
        return None
    above = 2 * int(number[1]) - sum(scale)
    start, end = one.reply.sentences[0]
    if (place := one.text.find(number[1], start)) >= 0:
        start, end = place, place + len(number[1])
    return Answer("yes" if above > 0 else "no" if above else "neither", start, end)


def _choice(one: _Opening) -> Answer | None:
    """The words with which a reply opens, where they are of the choices, or a name or number that answers an
    open question.
    """
    tokens, question, words = one.tokens[one.first :], one.question, one.words
    ends = _CHOICE_ENDS.search(one.text, tokens[0].end)
    said = [word for word in tokens[: MAX_CHOICE + 1] if ends is None or word.end <= ends.start()]
    picked = _telling(said, words)
    if not picked and len(said) == 1 == len(words_of(one.text[one.start :])):
        picked = frozenset((said[0].text,))  # "was."
    if not picked - _DENYING or len(said) > MAX_CHOICE or said[0].text in words.groups["behind_ellipsis"]:
        return None
    if one.mood == "assertion" and ends is not None and ends["verb"]:
        return None  # it speaks of one of them
    if (
        not question.chooses
        and ends is not None
        and ends["verb"]
        and not one.reply.keys[one.place] & question.words
    ):
        return None  # a statement of its own
    shown = one.text[said[0].start : said[-1].end]
    if question.chooses:
        named = {one.text for one in words_of(question.prose)} | _telling(words_of(question.prose), words)
        known = [word for word in picked if word in named or words.keys([word]) & question.spoken]
        is_answer = bool(known) and 2 * len(known) >= len(picked)
    else:
        is_answer = (
            not question.polar
            and one.mood != "assertion"
            and len(said) <= MAX_ITEM
            and _is_item(shown, question, words)
        )
    return Answer(shown, said[0].start, said[-1].end, picked) if is_answer else None


def _telling(said: Sequence[Word], words: Wordlists) -> frozenset[str]:
    told = frozenset(one.text.removesuffix("s") if len(one.text) > MIN_PLURAL else one.text for one in said)
    return told - (words.lexicon.pack.stop_words | words.groups["determiners"]) | told & _DENYING


def _is_item(said: str, question: UserMessage, words: Wordlists) -> bool:
    """Whether some words are a number or, where it does not ask for one, a name, and no interjection."""
    if said[0].isdigit() or said.lower() in words.facts.numbers:
        return True
    names = all(one[0].isupper() and "'" not in one for one in said.split())
    counts = words.patterns["how"].search(question.text.lower()) is not None
    return names and not counts and words.patterns["interjection"].fullmatch(said.lower()) is None


def _side(one: _Opening) -> _Side | None:
    """The side with which a sentence opens."""
    said = [word.text for word in one.tokens[one.first : one.first + MAX_PHRASE]]
    for length in range(len(said), 0, -1):
        side = one.words.answers.get(" ".join(said[:length]))
        last = one.first + length - 1
        if side is not None and _ends(one, last, said[:length]):
            start, end = one.tokens[one.first].start, one.tokens[last].end
            return _Side(Answer(side, start, end), one.first, last)
    return None


def _ends(one: _Opening, last: int, said: Sequence[str]) -> bool:
    """Whether an answer is over behind a word: "No, ...", "it doesn't ship ...", but not "no problem"."""
    groups, tokens = one.words.groups, one.tokens
    if _SEPARATES.match(one.text, tokens[last].end) or last + 1 == len(tokens):
        return True
    following = tokens[last + 1]
    if said[-1] in ("for", "against"):
        return False
    if said[:2] == ["no", "need"] or one.words.patterns["favours"].match(one.text.lower(), following.start):
        return True
    if "agree" in said[-1]:
        behind = one.behind(last, 2)
        return behind[:1] == ["that"] or (behind[:1] == ["with"] and behind[-1] in groups["agreed_with"])
    if said[0] in groups["subjects"]:
        again = one.words.canonical(one.words.lexicon.stems(following.text)[0])[0] in one.question.words
        return again or following.text in groups["behind_ellipsis"]
    return said == ["yes"] or following.text in one.words.lexicon.pack.pronouns | groups["behind_answer"]


def _meant_answer(one: _Opening, side: _Side, held: Answer | None) -> Answer | None:
    """What a yes or no means, said to a question, a doubt ("Are you sure?") or what the user claims."""
    answer, question = side.answer, one.question
    if answer.side == "neither" or _agrees_that(one, side):
        return answer
    if one.words.patterns["no_unsure"].match(one.text[answer.start :].lower()) is not None:
        return replace(answer, side="neither")
    if one.mood == "question":
        return (
            answer if question.sides or not (question.denied or _of_nothing(one)) else _in_full(one, answer)
        )
    if one.words.patterns["rejects"].match(one.text[answer.start :].lower()) is not None:
        return replace(answer, side=held.side) if held is not None else None
    if one.words.patterns["changes"].search(one.reply.message.prose.lower()) is not None:
        return replace(answer, side=held.side) if held is not None and answer.side == "no" else None
    if one.mood == "doubt":
        return answer if question.sides and not _confirms(one, side) else _after_doubt(one, answer, held)
    if one.behind(side.last) not in (["to"], ["with"]) and (question.sides or _takes_up(one, answer)):
        return answer
    if _is_to_user(one, side) or _of_nothing(one):
        return None
    return answer if one.mood == "nudge" and not question.denied else _in_full(one, answer)


def _agrees_that(one: _Opening, side: _Side) -> bool:
    """Whether it says "I (dis)agree that ..." of what was asked."""
    said = one.tokens[side.last].text, *one.behind(side.last)
    keys = one.reply.keys[one.place]
    leans = keys <= one.question.words | one.words.light
    covers = 2 * len(keys & one.question.words) >= len(one.question.words)
    return said in (("agree", "that"), ("disagree", "that")) and (leans or covers)


def _of_nothing(one: _Opening) -> bool:
    """Whether a question denies by its subject, so that no may agree with it: "So nothing is wrong?"."""
    return one.words.patterns["nothing"].search(one.question.text.lower()) is not None


def _confirms(one: _Opening, side: _Side) -> bool:
    """Whether a yes only says that one is sure: "Yes, I am sure", or a bare "Yes."."""
    behind = one.behind(side.last, 3)
    bare = one.place + 1 == len(one.reply.sentences) and not behind and side.begins == side.last == 0
    confirming = one.tokens[side.begins].text in one.words.groups["confirming"]
    return confirming and (bare or not _SURE.isdisjoint(behind))


def _after_doubt(one: _Opening, answer: Answer, held: Answer | None) -> Answer:
    """An answer to "Are you sure?": no is one to the question, and yes confirms what was held, unless its
    sentence or the next says otherwise in full ("Yes, quite sure: it is safe").
    """
    if answer.side == "no":
        return answer
    if (said := one.in_full(answer)) is not None:
        return said
    return replace(answer, side=held.side, picked=held.picked) if held is not None else answer


def _takes_up(one: _Opening, answer: Answer) -> bool:
    """Whether an answer goes on with the verb of the question: "Should we go?", "You're right, we should"."""
    said = one.text[answer.start : answer.end].lower().replace("n't", "").split()
    modals = one.words.groups["modals"].intersection(said)
    return bool(modals) and not modals.isdisjoint(one.question.text.lower().split())


def _is_to_user(one: _Opening, side: _Side) -> bool:
    """Whether an answer is to what the user said, and not to the question: "Certainly!", "I agree with you";
    or what begins like one is a statement of its own ("We can't ...").
    """
    groups, first = one.words.groups, one.tokens[side.begins].text
    behind = one.behind(side.last, 2)
    with_user = behind[:1] == ["with"] and groups["of_user"].issuperset(behind[1:])
    own = first in groups["subjects"] and "agree" not in one.tokens[side.last].text
    return first in groups["obliging"] or with_user or own or behind[:1] == ["to"]


def _in_full(one: _Opening, answer: Answer) -> Answer | None:
    """An answer to a denial or a claim of the user: by what its sentence says of the question."""
    if "agree" in one.text[answer.start : answer.end].lower():
        return None
    if (said := one.in_full(answer)) is not None:
        return said
    return answer if one.question.denied and answer.side == "no" else None
