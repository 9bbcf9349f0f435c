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
from grice.claims.terms import read_text
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
_SEPARATES = re.compile(r"\s*(?:[.,:;!?)\]\"'*]|-\s|\u2013|\u2014|\n|$)")


class Answer(msgspec.Struct, frozen=True):
    """An answer to a question: `yes`, `no`, `neither`, or the choice that is taken. `picked` are the stems of
    a choice that the user did not list. `start`, `end` are its place in the prose.
    """

    side: str
    start: int
    end: int
    picked: frozenset[str] = frozenset()

    def is_other(self, than: Answer) -> bool:
        """Whether it is another answer."""
        if self.picked and than.picked:
            return self.picked.isdisjoint(than.picked)
        return self.side != than.side


def answer_of(
    one: ParsedReply, question: UserMessage, words: Wordlists, held: Answer | None = None
) -> Answer | None:
    """The answer that opens a reply to a question; None without one.

    Yes after "Are you sure?" confirms what was `held`. What is said to a statement of the user counts where
    the sentence says the same in full ("No, it should not").
    """
    for place in range(min(MAX_SENTENCES, len(one.sentences))):
        start, end = one.sentences[place]
        colon = one.prose.text.find(": ", start, min(end, start + MAX_LEAD))
        found = _opening(one, place, start, question, words, held)
        if found is None and colon >= 0:
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
    if question.polar and (side := words.answers.get(text[start:].strip())):  # a thumb has no words
        return Answer(side, start, len(text))
    tokens = [
        replace(word, start=word.start + start, end=word.end + start)
        for word in words_of(text[start:])[:MAX_OPENING]
    ]
    first = _after_leads(tokens, words)
    if question.chooses and not (one.message.mood == "doubt" and words.sides(question.options)):
        choose = _choice if question.options else _picked
        chosen = choose(one, tokens, first, question, words)
        if chosen is not None or not question.polar:
            return chosen
    if not question.polar:
        return None
    found = _side(text, tokens, first, question, words)
    if found is None or (one.message.mood != "question" and _is_to_user(tokens, *found[1:], words)):
        return None
    answer = Answer(found[0], tokens[found[1]].start, tokens[found[2]].end)
    if answer.side == "neither" or (one.message.mood in ("question", "nudge") and not question.denied):
        return answer
    return _in_full(one, place, answer, question, words, held)


def _is_to_user(tokens: Sequence[Word], first: int, last: int, words: Wordlists) -> bool:
    """Whether an answer is to what the user said, and not to the question: "Certainly!", "I agree with
    you".
    """
    behind = [one.text for one in tokens[last + 1 : last + 3]]
    with_user = behind[:1] == ["with"] and words.groups["of_user"].issuperset(behind[1:])
    return tokens[first].text in words.groups["obliging"] or with_user


def _in_full(
    one: ParsedReply, place: int, answer: Answer, question: UserMessage, words: Wordlists, held: Answer | None
) -> Answer | None:
    """An answer to a doubt, a denial or a statement of the user: by what its sentence says of the
    question.
    """
    sign = sign_of(one, place, question.words, words) * question.sign
    told = replace(answer, side="yes" if sign > 0 else "no")
    if one.message.mood == "doubt":
        if answer.side == "no":
            return answer
        return told if sign else replace(answer, side=held.side) if held is not None else answer
    if _takes_up(one, answer, question, words):
        return answer
    if "agree" in one.prose.text[answer.start : answer.end].lower():
        return None
    if sign:
        return told
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


def _choice(
    one: ParsedReply, tokens: Sequence[Word], place: int, question: UserMessage, words: Wordlists
) -> Answer | None:
    """The option that a reply takes, by its label or its text; one that says yes or no is that."""
    if place >= len(tokens):
        return None
    text = one.prose.text
    first = tokens[place]
    rest = text[first.start :].lower()
    for label, option in sorted(question.options, key=lambda one: -len(one[1])):
        by_label = label and first.text == label and _SEPARATES.match(text, first.end)
        by_text = rest.startswith(option) and not rest[len(option) : len(option) + 1].isalnum()
        if by_label or by_text:
            end = first.end if by_label else first.start + len(option)
            return Answer(words.side_of(option), first.start, end)
    return None


def _picked(
    one: ParsedReply, tokens: Sequence[Word], place: int, question: UserMessage, words: Wordlists
) -> Answer | None:
    """Which of the things that the user named a sentence takes, of a question for one of them."""
    start, end = tokens[0].start, tokens[-1].end
    text = words.patterns["rather"].split(one.prose.text[start:end], maxsplit=1)[0]
    terms = [
        term
        for term in read_text(text, words.lexicon).terms
        if term.stem in question.around and not term.denied and term.stem not in words.empty
    ]
    if not terms:
        return None
    picked = frozenset(term.stem for term in terms)
    said = text[terms[0].start : terms[-1].end]
    return Answer(said, start + terms[0].start, start + terms[-1].end, picked)
