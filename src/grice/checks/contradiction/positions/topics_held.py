"""The stances of a conversation held against each other, proposition by proposition."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from grice.checks.contradiction.positions.acknowledging import Admission, acknowledgements, agreements
from grice.checks.contradiction.positions.answers import Answer, leading_answer
from grice.checks.contradiction.positions.claims import Claim, Holding, clause_claim, holding, outweighing
from grice.checks.contradiction.positions.clauses import Clause, Reading, content, read_clauses
from grice.checks.contradiction.positions.propositions import Proposition, clause_proposition, same
from grice.checks.contradiction.positions.questions import Asked, asked_in
from grice.checks.contradiction.positions.short_answers import plays_a_part
from grice.checks.contradiction.positions.stance_words import CLASS_NOUNS, MODALS, NARROWING, TEMPORAL
from grice.records import Turn
from grice.text.languages import pack_for
from grice.text.packs.pack import LanguagePack

__all__ = ["Reader", "Told", "Topic", "Topics", "read_turns"]

MAX_CANDIDATES = 12
MAX_STATEMENT = 8


class Topic(msgspec.Struct):
    """A proposition, and what the replies hold of it, by their place."""

    proposition: Proposition
    place: int
    held: dict[int, Holding] = {}
    stated: bool = False


class Told(msgspec.Struct, frozen=True):
    """A reply as it was read. `reading` is None, and `problem` says why, where nothing could be read of it.

    `place` counts the replies from 0, `turn` the turns from 1.
    """

    place: int
    turn: int
    text: str
    asked: Asked
    reading: Reading | None
    problem: str = ""
    admissions: tuple[Admission, ...] = ()
    called_tools: bool = False
    user: str = ""


class Topics:
    """The propositions of a conversation, found again by their words."""

    def __init__(self, only: Proposition | None = None) -> None:
        self.all: list[Topic] = []
        self._by_key: dict[str, list[Topic]] = {}
        self._by_keys: dict[tuple[frozenset[str], bool], Topic] = {}
        self.only = self.add(only) if only is not None else None

    def add(self, proposition: Proposition, *, stated: bool = False) -> Topic:
        """A new one."""
        topic = Topic(proposition, len(self.all), stated=stated)
        self.all.append(topic)
        self._by_keys.setdefault((proposition.keys, proposition.permits), topic)
        if not stated:
            for key in proposition.keys:
                self._by_key.setdefault(key, []).append(topic)
        return topic

    def find(self, proposition: Proposition, place: int) -> Topic | None:
        """The one that is the same as a proposition; one about an "it" only where the reply before has it."""
        exact = self._by_keys.get((proposition.keys, proposition.permits))
        for topic in ((exact,) if exact is not None else ()) + tuple(self.near(proposition.keys)):
            if not same(topic.proposition, proposition):
                continue
            if (proposition.deictic or topic.proposition.deictic) and place - 1 not in topic.held:
                continue
            return self.promoted(topic)
        return None

    def promoted(self, topic: Topic) -> Topic:
        """One that was only stated is found by each of its words from now on."""
        if topic.stated:
            topic.stated = False
            for key in topic.proposition.keys:
                self._by_key.setdefault(key, []).append(topic)
        return topic

    def near(self, keys: Sequence[str] | frozenset[str]) -> list[Topic]:
        """Those that share the most words."""
        counts: dict[int, int] = {}
        for key in keys:
            for topic in self._by_key.get(key, ())[-MAX_CANDIDATES * 4 :]:
                counts[topic.place] = counts.get(topic.place, 0) + 1
        best = sorted(counts, key=lambda place: (-counts[place], -place))[:MAX_CANDIDATES]
        return [self.all[place] for place in best]

    def exact(self, proposition: Proposition) -> Topic | None:
        """The one with exactly these words."""
        return self._by_keys.get((proposition.keys, proposition.permits))


def read_turns(turns: Sequence[Turn], language: str | None, *, agreement: bool) -> Iterator[Told]:
    """The replies of the turns that have a text, as they were read."""
    place = 0
    called = False
    for turn in turns:
        called = called or bool(turn.tool_calls)
        if not turn.text.strip():
            continue
        yield _told(turn, place, language, agreement=agreement, called=called)
        called = False
        place += 1


def _told(turn: Turn, place: int, language: str | None, *, agreement: bool, called: bool) -> Told:
    pack = pack_for(turn.text, language)
    if isinstance(pack, str) or pack.code != "en":
        problem = (
            pack if isinstance(pack, str) else f"the text is in {pack.name}; stances are read in English"
        )
        return Told(place, turn.number, turn.text, Asked("nothing"), None, problem, called_tools=called)
    reading = read_clauses(turn.text, pack)
    admissions = [*acknowledgements(reading), *(agreements(reading) if agreement else ())]
    return Told(
        place,
        turn.number,
        turn.text,
        asked_in(turn.user, pack),
        reading,
        admissions=tuple(sorted(admissions, key=lambda one: one.start)),
        called_tools=called,
        user=turn.user,
    )


class Reader:
    """Reads reply after reply, and remembers the propositions. `questions` are what users asked, by place."""

    def __init__(self, pack: LanguagePack, only: Proposition | None) -> None:
        self.pack = pack
        self.topics = Topics(only)
        self.standing: Topic | None = self.topics.only
        self.questions: dict[int, Topic] = {}

    def read(self, told: Told) -> None:
        """Note what a reply holds of what it speaks of."""
        reading = told.reading
        if reading is None or plays_a_part(told.user):
            return
        question = self._question(told)
        if question is not None:
            self.questions[told.place] = question
        answer = leading_answer(reading)
        claims = self._claims(told, reading, question, answer)
        self._answered(told, question, answer, claims)
        told_of = any(not self.topics.all[place].stated for place in claims)
        if question is None and not told_of and self.topics.only is None:
            self._own_topic(reading, answer, claims)
        signs = {place: self._sign_of_yes(told, self.topics.all[place], question, answer) for place in claims}
        for place, found in claims.items():
            topic = self.topics.all[place]
            made = holding(found, answer, signs[place], topic.proposition, reading)
            if made is not None:
                topic.held[told.place] = made
        self._stand(told, question)

    def _stand(self, told: Told, question: Topic | None) -> None:
        """Choose what a reply that names nothing speaks of next: an opinion stands until there is another."""
        fresh = [
            one for one in self.topics.all[-MAX_CANDIDATES:] if told.place in one.held and not one.stated
        ]
        if question is not None and told.place in question.held:
            fresh.append(question)
        opinions = [one for one in fresh if one.proposition.opinion]
        if opinions:
            self.standing = opinions[-1]
        elif fresh and (self.standing is None or not self.standing.proposition.opinion or question in fresh):
            deictic = question is not None and question.proposition.deictic and self.standing is not None
            self.standing = self.standing if deictic else fresh[-1]

    def _question(self, told: Told) -> Topic | None:
        """The topic that the user's question is about, a new one if need be."""
        only = self.topics.only
        asked = told.asked
        if only is not None:
            about = asked.proposition if asked.mood == "question" else None
            return only if about is None or _near(about, only.proposition) else None
        if asked.mood != "question" or asked.proposition is None:
            return None
        found = self.topics.find(asked.proposition, told.place)
        return found if found is not None else self.topics.add(asked.proposition)

    def _claims(
        self, told: Told, reading: Reading, question: Topic | None, answer: Answer | None
    ) -> dict[int, list[Claim]]:
        claims: dict[int, list[Claim]] = {}
        last = len(reading.sentences) - 1
        follows = question or (self.standing if told.asked.mood != "question" else None)
        opinion = next(
            (t for t in (question, self.standing) if t is not None and t.proposition.opinion), None
        )
        stands = _unique(follows, opinion if _other_verb(opinion, question) else None)
        for clause in reading.clauses:
            for topic in self._candidates(clause, follows, opinion):
                asked = any(topic is one for one in stands)
                claim = clause_claim(clause, topic.proposition, self.pack, asked=asked, last=last)
                if claim is not None:
                    if question is not None and self._of_part(
                        clause, told, topic, other=topic is not question
                    ):
                        claim = msgspec.structs.replace(claim, narrowed=True)
                    elif question is not None and topic is not question and not topic.proposition.opinion:
                        full = _in_full(clause, topic.proposition, self.pack, least=3 if answer else 2)
                        adds = self._adds(told, topic) and not full
                        claim = msgspec.structs.replace(claim, narrowed=claim.narrowed or adds)
                    claims.setdefault(topic.place, []).append(claim)
            if opinion is not None:
                weighed = outweighing(clause, self.pack, opinion.proposition)
                if weighed is not None:
                    claims.setdefault(opinion.place, []).append(weighed)
            if self.topics.only is None:
                self._statement(clause, claims)
        return claims

    def _of_part(self, clause: Clause, told: Told, topic: Topic, *, other: bool) -> bool:
        """Whether a clause speaks of the case that the new question brought up: "And the driving age?"."""
        asked = told.asked.proposition
        if clause.text.startswith(("for him ", "for her ", "for them ")):
            return True
        if asked is not None and asked.keys - topic.proposition.keys and _FOR_THAT.search(clause.text):
            return True
        if asked is None or (topic.proposition.opinion and asked.modal):
            return False
        brought = asked.keys - topic.proposition.keys
        if other and not asked.modal and any(key in brought for key in self._sentence_keys(told, clause)):
            return True
        return other and any(key in brought for _, key in content(clause.words, self.pack))

    def _sentence_keys(self, told: Told, clause: Clause) -> frozenset[str]:
        """The roots of the words of the sentence that a clause is in: "In Zeeland, yes: rent a car"."""
        clauses = told.reading.clauses if told.reading is not None else ()
        near = [one for one in clauses if one.sentence == clause.sentence][:8]
        return frozenset(key for one in near for _, key in content(one.words, self.pack))

    def _adds(self, told: Told, topic: Topic) -> bool:
        """Whether the question that is answered narrows an earlier one, by words that one did not have."""
        asked = told.asked.proposition
        if asked is None:
            return False
        extras = asked.keys - topic.proposition.keys - CLASS_NOUNS
        return bool(extras) and (
            len(extras) * 2 >= len(asked.keys) or _NARROWS.search(asked.words) is not None
        )

    def _candidates(self, clause: Clause, follows: Topic | None, opinion: Topic | None) -> list[Topic]:
        if clause.kind != "main":
            return []
        if self.topics.only is not None:
            return [self.topics.only]
        found = self.topics.near([key for _, key in content(clause.words, self.pack)])
        return [
            *found,
            *(one for one in _unique(follows, opinion) if all(one is not other for other in found)),
        ]

    def _statement(self, clause: Clause, claims: dict[int, list[Claim]]) -> None:
        """Note a clause that states a fact, so that the same words denied later are found."""
        if clause.kind != "main" or clause.conditioned or clause.own:
            return
        made = clause_proposition(clause, self.pack)
        if made is None or not 2 <= len(made.keys) <= MAX_STATEMENT or made.deictic or not _finite(clause):
            return
        topic = self.topics.exact(made)
        if topic is not None and not topic.stated:
            return
        if topic is None:
            topic = self.topics.add(made, stated=True)
        claims.setdefault(topic.place, []).append(
            Claim(
                made.sign,
                0.7,
                clause.start,
                clause.end,
                "stated",
                clause.sentence,
                temporal=any(word.text in TEMPORAL for word in clause.words),
            )
        )

    def _answered(
        self,
        told: Told,
        question: Topic | None,
        answer: Answer | None,
        claims: dict[int, list[Claim]],
    ) -> None:
        """Make room for a topic that only the leading answer speaks of."""
        if answer is None:
            return
        for target in _unique(question, self.standing):
            if self._sign_of_yes(told, target, question, answer):
                claims.setdefault(target.place, [])

    def _sign_of_yes(self, told: Told, topic: Topic, question: Topic | None, answer: Answer | None) -> int:
        """The sign that a leading "yes" has for a topic, 0 where the answer is to something else."""
        asked = told.asked
        if answer is None:
            return 0
        if told.admissions and topic is self.standing and topic.held and not topic.stated:
            return topic.proposition.lean  # "No, I was wrong": it answers what was said before
        if asked.mood == "question":
            if topic is not question or not asked.answerable or (asked.request and not answer.strong):
                return 0
            return asked.proposition.sign if asked.proposition is not None else topic.proposition.sign
        if topic is not self.standing or topic.stated:
            return 0
        if asked.mood == "nothing":
            return topic.proposition.lean
        before = next((topic.held[one] for one in sorted(topic.held, reverse=True)), None)
        if asked.mood == "challenge" and answer.position == "yes" and before is not None:
            return before.sign
        return 0

    def _own_topic(self, reading: Reading, answer: Answer | None, claims: dict[int, list[Claim]]) -> None:
        """A proposition from what the reply itself claims first."""
        for clause in reading.clauses:
            if clause.kind != "main" or clause.sentence > 2:
                continue
            words = clause.words
            modal = any(word.text in ("should", "shouldn't", "must", "mustn't", "ought") for word in words)
            led = answer is not None and answer.sentence == clause.sentence
            if not (led or clause.own or modal):
                continue
            made = clause_proposition(clause, self.pack)
            if made is None or (not made.modal and not clause.own) or made.deictic:
                continue
            known = self.topics.exact(made)
            topic = self.topics.add(made) if known is None else self.topics.promoted(known)
            sign = made.sign
            claims[topic.place] = [
                Claim(sign, 0.8, clause.start, clause.end, "claimed first", clause.sentence)
            ]
            return


_FOR_THAT = re.compile(r"\bfor (?:that|him|her|them|those|this)$")
_NARROWS = re.compile(rf"\b(?:{'|'.join(sorted(NARROWING))})\b")


def _in_full(clause: Clause, about: Proposition, pack: LanguagePack, *, least: int) -> bool:
    """Whether a clause says all of a proposition again, one of `least` words or more."""
    keys = {key for _, key in content(clause.words, pack)}
    return len(about.keys) >= least and about.keys <= keys


def _finite(clause: Clause) -> bool:
    """Whether it has a verb that is or does something, behind a subject."""
    texts = [word.text for word in clause.words if word.text not in ("yes", "no", "but", "and", "so")]
    if set(texts) & {"without", "except", "unless", "until", "only"}:
        return False
    return any(word in MODALS and word != "may" for word in texts[1:]) or texts[:1] in (["we"], ["they"])


def _other_verb(opinion: Topic | None, question: Topic | None) -> bool:
    """Whether "it should" cannot answer the question, and so goes on about the opinion before it."""
    if opinion is None or question is None:
        return opinion is not None
    return question.proposition.modal != opinion.proposition.modal


def _unique(*topics: Topic | None) -> list[Topic]:
    found: list[Topic] = []
    for topic in topics:
        if topic is not None and all(topic is not one for one in found):
            found.append(topic)
    return found


def _near(one: Proposition, other: Proposition) -> bool:
    return same(one, other) or len(one.keys & other.keys) >= max(1, min(len(one.keys), len(other.keys)) // 2)
