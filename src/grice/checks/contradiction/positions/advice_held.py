"""What the replies of a conversation advise on each open question, reply by reply."""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

import msgspec

from grice.checks.contradiction.positions.advice_ties import MAX_MATTERS, Open, tied
from grice.checks.contradiction.positions.advice_walk import keys_of, walk
from grice.checks.contradiction.positions.advice_words import CASE_NOUNS
from grice.checks.contradiction.positions.advising import Advice, advice_in, pieces
from grice.checks.contradiction.positions.answers import Answer, leading_answer
from grice.checks.contradiction.positions.clauses import Clause, Reading
from grice.checks.contradiction.positions.matters import Matter, Question, questions_in, resembles
from grice.checks.contradiction.positions.short_answers import ALONE, OWN_VOICE, plays_a_part, short_sign
from grice.text.packs.pack import LanguagePack
from grice.text.words import words

__all__ = ["AdviceReader", "Opinion"]


_ASIDE = 4
"""A question with as few words can be an aside: "And the delivery?"."""


class Opinion(msgspec.Struct, frozen=True, gc=False):
    """What a reply holds of a matter: `sign` is 0 for both. Offsets are into its prose.

    `narrowed` says that it holds under a condition or for another case only, `chosen` what option it is.
    """

    sign: int
    confidence: float
    start: int
    end: int
    rule: str
    narrowed: bool = False
    chosen: str = ""


class _Vote(msgspec.Struct, frozen=True, gc=False):
    sign: int
    weight: float
    start: int
    end: int
    rule: str
    sentence: int
    narrowed: bool = False


class AdviceReader:
    """Reads reply after reply. `held` has for each matter, by its place, what the replies hold of it."""

    def __init__(self, pack: LanguagePack) -> None:
        self.pack = pack
        self.matters: list[Matter] = []
        self.held: list[dict[int, Opinion]] = []
        self.current: Matter | None = None
        self.variant = False
        self.spoken_of: set[str] = set()
        self.known: set[str] = set()
        self.brought: dict[int, frozenset[str]] = {}

    def read(self, place: int, user: str, reading: Reading) -> None:
        """Note what a reply advises on the open questions."""
        questions = list(questions_in(user, self.pack))
        told = _keys_in(user, self.pack)
        asked = self._opened(questions, told)
        self.brought[place] = frozenset(told - self.known)
        self.known |= told
        part = plays_a_part(user)
        votes: dict[int, list[_Vote]] = {}
        self._answers(questions, asked, leading_answer(reading), reading, votes, part=part)
        answer = leading_answer(reading)
        clauses = list(pieces(reading))
        for number, clause in enumerate(clauses):
            if not part or OWN_VOICE.search(reading.text[slice(*reading.sentences[clause.sentence])].lower()):
                self._lone(
                    clause, number, clauses, reading, asked, questions, votes, answer.start if answer else -1
                )
        for advice in advice_in(reading, self.pack):
            if part and not OWN_VOICE.search(
                reading.text[slice(*reading.sentences[advice.sentence])].lower()
            ):
                continue
            tied = self._vote(advice, questions, asked, votes, reading)
            if not tied and asked is None:
                self._claimed(advice, questions, votes)
        if not votes and self.current is not None:
            self._steady(reading, votes)
        others = bool(
            CASE_NOUNS & {word.text for word in words(user)} - self.spoken_of
        ) and _FOR_OTHERS_TOO.search(reading.text.lower())
        self.spoken_of |= CASE_NOUNS & {word.text for word in words(user)}
        for number, found in votes.items():
            if others:
                found = [msgspec.structs.replace(one, narrowed=True) for one in found]
            made = _together(found)
            if made is not None:
                self.held[number][place] = self._named(self.matters[number], made)
                self.current = self.matters[number] if asked in (None, self.matters[number]) else self.current
        self.known |= _keys_in(reading.text, self.pack)

    def _steady(self, reading: Reading, votes: dict[int, list[_Vote]]) -> None:
        """A reply that only says that it holds what it held."""
        matter = self.current
        before = matter and next(
            (one for _, one in sorted(self.held[matter.place].items(), reverse=True)), None
        )
        for clause in reading.clauses:
            if matter and before and before.sign and clause.kind == "main" and _STEADY.search(clause.text):
                votes[matter.place] = [
                    _Vote(
                        before.sign,
                        0.7,
                        clause.start,
                        clause.end,
                        "says that it stays with it",
                        clause.sentence,
                    )
                ]
                return

    def _named(self, matter: Matter, made: Opinion) -> Opinion:
        if matter.options is None or not made.sign:
            return made
        return msgspec.structs.replace(made, chosen=matter.named[0 if made.sign > 0 else 1])

    def _opened(self, questions: Sequence[Question], told: AbstractSet[str]) -> Matter | None:
        """The matter that the questions are about, a new one if need be; None for other questions."""
        asked: Matter | None = None
        self.variant = False
        for one in questions:
            if one.elliptic and (self.current is not None or not one.advice):
                asked = asked or self._answered_last()
                continue
            known = next((m for m in reversed(self.matters) if resembles(m, one)), None)
            self.variant = self.variant or (
                known is None and (one.deictic or bool(one.whose)) and one.advice and self.current is not None
            )
            if known is None and self.current is not None and _acronym(self.current, one):
                known = self.current
            if known is None and one.reminds and not one.options:
                known = self.current
            if known is None and one.advice and len(self.matters) < MAX_MATTERS:
                known = Matter(
                    dict(one.keys) or dict.fromkeys(told, one.sign), one.words, one.options,
                    one.named, one.sign, len(self.matters),
                    context=one.whose | frozenset(one.keys), bare=not one.keys,
                )  # fmt: skip
                self.matters.append(known)
                self.held.append({})
            asked = known if known is not None else asked
        if asked is not None:
            self.current = asked
        return asked

    def _answered_last(self) -> Matter | None:
        """What "final answer?" takes up: the current matter, but for an aside without a stance."""
        current = self.current
        if current is None or self.held[current.place] or len(current.words.split()) > _ASIDE:
            return current
        held = [matter for matter in self.matters if self.held[matter.place]]
        return held[-1] if held else current

    def _case(self, questions: Sequence[Question], matter: Matter) -> frozenset[str]:
        """The keys by which the questions bring up another case of a matter."""
        keys: set[str] = set()
        for one in questions:
            if one.case or one.whose:
                keys |= (one.keys.keys() | one.whose) - matter.keys.keys()
        return frozenset(keys)

    def _answers(
        self, questions: Sequence[Question], asked: Matter | None, answer: Answer | None, reading: Reading,
        votes: dict[int, list[_Vote]], *, part: bool,
    ) -> None:  # fmt: skip
        polar = (
            [
                one
                for one in questions
                if one.answerable and (one.advice or one.elliptic or resembles(asked, one))
            ]
            if asked
            else []
        )
        if answer is None or asked is None or part or len(polar) != 1 or answer.position == "mixed":
            return
        one = polar[0]
        said = 1 if answer.position == "yes" else -1
        if not one.elliptic:
            said *= _relative(asked, one)
        elif asked.options is not None:
            said = 0
        if not said:
            return
        end = reading.sentences[answer.sentence][1] if reading.sentences else answer.end
        rest = reading.text[answer.end : end].lower()
        case = bool(self._case(questions, asked)) or any(q.case for q in questions)
        votes.setdefault(asked.place, []).append(
            _Vote(said, 1.4 if answer.strong else 0.6, answer.start, answer.end, "the answer it begins with",
                  answer.sentence, narrowed=case or _NARROWS.search(rest) is not None)
        )  # fmt: skip

    def _lone(
        self, clause: Clause, number: int, clauses: Sequence[Clause], reading: Reading, asked: Matter | None,
        questions: Sequence[Question], votes: dict[int, list[_Vote]], answered: int,
    ) -> None:  # fmt: skip
        """A clause that is only a yes or no, or only "I wouldn't": an answer to what stands open."""
        matter = asked if asked is not None or questions else self.current
        before = clauses[number - 1] if number else None
        alone = ALONE.match(clause.text)
        first = clause.words[0].text
        if before is not None and before.kind == "question" and (alone is not None or first in _YES_OR_NO):
            self._self_asked(before, alone[1] if alone is not None else first, clause, reading, votes)
            return
        if matter is None or matter.options is not None:
            return
        if any(not one.answerable for one in questions if not one.elliptic):
            return
        sign = short_sign(clause.text, matter, first=number == 0 and asked is not None)
        if alone is not None and clause.start != answered:
            sign = 1 if alone[1] in ("yes", "yep") else -1
        if not sign:
            return
        case = bool(self._case(questions, matter)) or any(one.case for one in questions)
        case = case or clause.conditioned or _FOR_OTHERS.search(clause.text) is not None
        votes.setdefault(matter.place, []).append(
            _Vote(sign, 0.75, clause.start, clause.end, "a short answer", clause.sentence, narrowed=case)
        )

    def _self_asked(
        self, before: Clause, said: str, clause: Clause, reading: Reading, votes: dict[int, list[_Vote]]
    ) -> None:
        """A question that the reply answers itself: "Move to Shopify? No"."""
        made = walk(before.words, before.negations, reading.text, self.pack)
        for matter in self.matters:
            sign = matter.sign_of(made)
            if sign and matter.shared(made):
                sign *= 1 if said in ("yes", "yep") else -1
                votes.setdefault(matter.place, []).append(
                    _Vote(sign, 0.8, before.start, clause.end, "a question it answers", clause.sentence)
                )

    def _vote(
        self, advice: Advice, questions: Sequence[Question], asked: Matter | None,
        votes: dict[int, list[_Vote]],
        reading: Reading,
    ) -> bool:  # fmt: skip
        last = len(reading.sentences) - 1
        self._adopt(advice, asked)
        matter, sign, weight = tied(advice, Open(self.matters, self.current, asked, questions, last))
        if matter is None or not sign:
            return False
        case = self._case(questions, matter)
        sentence = reading.text[slice(*reading.sentences[advice.sentence])]
        mine = frozenset(key for word in words(sentence) for key in _case_keys(word.text, self.pack))
        narrowed = advice.narrowed or bool(case & mine) or (bool(case) and not (mine & matter.keys.keys()))
        narrowed = narrowed or _FOR_OTHERS.search(advice.clause.text) is not None
        narrowed = narrowed or (self.variant and matter is not asked)
        if advice.sentence == last or advice.clause.concludes:
            weight += 0.1
        votes.setdefault(matter.place, []).append(
            _Vote(sign, weight, advice.start, advice.end, f"its {advice.kind}", advice.sentence, narrowed)
        )
        return True

    def _adopt(self, advice: Advice, asked: Matter | None) -> None:
        """Give a question without words of its own those of its answer: "Should I close it?"."""
        if asked is None or not asked.bare or asked.options is not None or self.held[asked.place]:
            return
        if advice.kind != "fragment":
            for key in advice.walk.keys:
                asked.keys.setdefault(key, asked.sign)

    def _claimed(self, advice: Advice, questions: Sequence[Question], votes: dict[int, list[_Vote]]) -> None:
        """Open a matter by what the reply itself advises, where no question for advice is open."""
        made = advice.walk
        asked = any(one.opinion for one in questions)
        if not made.keys or len(made.keys) > 6 or len(self.matters) >= MAX_MATTERS or advice.narrowed:
            return
        if not ((advice.own and advice.kind == "advice") or (asked and advice.kind != "fragment")):
            return
        keys = {key: sign * made.sign for key, sign in made.keys.items()}
        matter = Matter(
            keys, advice.clause.text[:90], None, ("", ""), 1, len(self.matters), context=frozenset(keys)
        )
        self.matters.append(matter)
        self.held.append({})
        votes.setdefault(matter.place, []).append(
            _Vote(made.sign, 0.75, advice.start, advice.end, f"its {advice.kind}", advice.sentence)
        )


_YES_OR_NO = frozenset({"yes", "no", "yep", "nope"})
_FOR_OTHERS_TOO = re.compile(r"\bfor (?:him|her|them)\b")
_FOR_OTHERS = re.compile(r"\bfor (?:him|her|them|that|those)$|^(?:then )?for (?:him|her|them|that|those)\b")
_STEADY = re.compile(
    r"\bmy (?:\w+ )?(?:view|opinion|answer|advice|recommendation|position|stance|pick) (?:\w+ )?(?:is"
    r"|remains|stays|stands|hasn't changed|has not changed)"
    r"(?: (?:still )?(?:the same|unchanged)(?: as before)?)?$|\b(?:is|stays|remains) the same as before"
    r"|\b(?:i'm|i am) (?:still )?sticking (?:with|to) (?:it|that|my)"
    r"|\bi (?:still )?stand by (?:it|that|my|what)"
)
_NARROWS = re.compile(
    r"\b(?:unless|except|only|provided|as long as|so long as|within|but|depends?|with (?!the|a full|no)|if)\b"
)


def _relative(matter: Matter, question: Question) -> int:
    """The sign that a yes to a question has for a matter that it takes up."""
    acronym = _acronym(matter, question)
    if acronym:
        return acronym
    total = 0
    if matter.options is not None:
        first, second = (sum(question.keys.get(key, 0) for key in one) for one in matter.options)
        return (first > second) - (first < second)
    for key, sign in question.keys.items():
        total += sign * matter.keys.get(key, 0)
    return (total > 0) - (total < 0)


def _acronym(matter: Matter, question: Question) -> int:
    """The sign of a question that names a matter by initials: UBI for a universal basic income."""
    initials = "".join(word[0] for word in matter.words.split())
    return 1 if any(3 <= len(key) <= 5 and key in initials for key in question.keys) else 0


def _case_keys(word: str, pack: LanguagePack) -> tuple[str, ...]:
    return (word,) if word in CASE_NOUNS else keys_of(word, pack)


def _keys_in(text: str, pack: LanguagePack) -> set[str]:
    return {key for word in words(text[:8_000]) for key in keys_of(word.text, pack)}


def _together(votes: Sequence[_Vote]) -> Opinion | None:
    """What the votes of a reply come to: one sign, or neither."""
    full = [one for one in votes if not one.narrowed] or list(votes)
    narrowed = all(one.narrowed for one in votes)
    weights = {sign: sum(one.weight for one in full if one.sign == sign) for sign in (1, -1)}
    sign = 1 if weights[1] > weights[-1] else -1
    best = max((one for one in full if one.sign == sign), key=lambda one: one.weight, default=None)
    if best is None:
        return None
    clash = weights[-sign]
    if clash and weights[sign] < 1.6 * clash:
        return Opinion(0, 0.5, best.start, best.end, "advises both")
    confidence = best.weight * (0.85 if clash else 1.0)
    return Opinion(sign, round(min(0.95, confidence), 2), best.start, best.end, best.rule, narrowed)
