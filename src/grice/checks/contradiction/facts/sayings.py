"""What a reply says: one saying for each thing that it says of something."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from operator import attrgetter

import msgspec
from msgspec.structs import replace

from grice.checks.contradiction.facts.values import Value, values_of, verb_of, with_attributes
from grice.checks.contradiction.facts.vocabulary import Vocabulary
from grice.claims.passage import Clause, Sentence
from grice.claims.passage_parsing import parse_passage
from grice.claims.terms import Term, parse_text

__all__ = ["Saying", "sayings_of"]

MAX_HEADING = 8
"""Words that a line may have to head the lines below it."""

MAX_CLAUSES = 10
"""Clauses that say one thing together, at most."""

MAX_MARKS = 20
"""Characters in which the marks of an item stand before it."""

BULLETS = ("- ", "* ", "+ ", "\u2022 ")


class Saying(msgspec.Struct, frozen=True, gc=False, eq=False):
    """What a part of a sentence says.

    `words` are the stems that tell what it is about, `names` those of them that are names, `subject` those
    before its verb; `before` is what stands right before a word (cleaning fee). `terms` says of each stem
    whether it is denied, `states` of each word for a state. `listed` is what has no verb, `keyed` that it is
    a line with a colon or a cell of a table. `marks` are the groups of words and phrases that stand in it.
    `start` and `end` are the place of its sentence, the `quote`, in the reply; `path` that of a tool's value.
    """

    words: frozenset[str]
    turn: int = 0
    quote: str = ""
    start: int = 0
    end: int = 0
    names: frozenset[str] = frozenset()
    subject: frozenset[str] = frozenset()
    before: Mapping[str, frozenset[str]] = {}
    terms: Mapping[str, bool] = {}
    states: Mapping[str, bool] = {}
    values: Sequence[Value] = ()
    marks: frozenset[str] = frozenset()
    listed: bool = False
    keyed: bool = False
    path: str = ""

    @property
    def keys(self) -> frozenset[str]:
        """All by which it can be found."""
        return self.words.union(self.terms, (one.attribute for one in self.values))


def sayings_of(
    text: str, turn: int, words: Vocabulary, question: str = "", *, led: bool = False
) -> list[Saying]:
    """What a reply says, in order; `question` is what it answers. Linear in the length of the text.

    `led` says that the text is a sentence of which the beginning was taken off.
    """
    reader = _Reader(text, words)
    found: list[Saying] = []
    corrected = False
    for sentence in reader.passage.sentences:
        start, end = reader.passage.span(sentence.start, sentence.end)
        quote = reader.passage.prose.original[start:end]
        marks = reader.marks(sentence)
        folded = "" if led else sentence.text.casefold()
        lead = next((one for one in words.leads if folded.startswith(one)), "")
        if "reports" in marks:
            continue
        if lead:
            said = sayings_of(words.leads[lead] + sentence.text[len(lead) :], turn, words, led=True)
        else:
            said = list(reader.row(sentence) if "|" in quote else reader.sentence(sentence))
        both = marks | {"corrects"} if corrected else marks
        found += [
            replace(one, turn=turn, quote=quote, start=start, end=end, marks=one.marks | both) for one in said
        ]
        corrected = "corrects" in marks
    if question and found and "it" in found[0].marks and not found[0].names:
        asked = frozenset(term.stem for term in parse_text(question, words.lexicon).terms)
        told = asked - words.stems["empty"] - found[0].terms.keys()
        found[0] = replace(found[0], words=found[0].words | told, subject=found[0].subject | told)
    return found


class _Reader:
    """Reads the sentences of a text in order. It knows the last heading, subject and columns of a table."""

    def __init__(self, text: str, words: Vocabulary) -> None:
        self.words = words
        self.passage = parse_passage(text, words.lexicon)
        self.reading = parse_text(self.passage.prose.text, words.lexicon)
        self.text = self.reading.text
        self._heading: tuple[Term, ...] = ()
        self._subject: tuple[Term, ...] = ()
        self._columns: Sequence[tuple[Term, ...]] = ()

    def marks(self, sentence: Sentence) -> frozenset[str]:
        """The groups of phrases that stand in a sentence."""
        tokens, at = self.reading.tokens, attrgetter("start")
        said = tokens[bisect_left(tokens, sentence.start, key=at) : bisect_left(tokens, sentence.end, key=at)]
        folded = f" {' '.join(word.text for word in said)} "
        return frozenset(
            one for one in ("corrects", "since", "weighs", "reports") if self.words.has(one, folded)
        )

    def sentence(self, sentence: Sentence) -> Iterator[Saying]:
        """What a sentence says, without its place; nothing of what would be."""
        self._columns = ()
        last: tuple[Term, ...] = ()
        said: list[Saying] = []
        for part in self._parts(sentence.clauses):
            first = part[0].tokens[0].text
            unsure = self.words.lexicon.hypothetical - self.words.tokens["maybe"]
            if first in self.words.tokens["openers"] or any(
                word.text in unsure for one in part for word in one.tokens
            ):
                return
            it = (self._subject or self._heading) if self._is_pronoun(part) else ()
            one, subject = self._saying(part, sentence, (*it, *last))
            last = subject or last
            self._subject = last or self._subject
            if first == "so" and any(value.measure == "money" for value in one.values):
                continue  # a conclusion: "so it is free"
            said.append(one)
            yield one
        if said and self._is_heading(said, sentence):
            self._heading = self._subject

    def row(self, sentence: Sentence) -> Iterator[Saying]:
        """What a row of a table says: each cell is of the head of its row and of its column."""
        cells: list[list[Clause]] = [[] for _ in sentence.text.split(";")]
        for clause in sentence.clauses:
            cells[sentence.text.count(";", 0, clause.tokens[0].start - sentence.start)].append(clause)
        terms = [tuple(term for clause in cell for term in clause.terms) for cell in cells]
        columns, self._columns = self._columns, self._columns or terms
        heading = self._heading
        for cell, column in list(zip(cells, columns, strict=False))[1:]:
            self._heading = (*column, *terms[0])
            if cell:
                yield replace(self._saying(cell, sentence, ())[0], keyed=True)
        self._heading = heading

    def _parts(self, clauses: Sequence[Clause]) -> list[list[Clause]]:
        """The clauses, those together that say one thing, with one verb and one value of a kind."""
        parts: list[list[Clause]] = []
        for clause in clauses:
            last = parts[-1] if parts else []
            joins = self.text[clause.start : clause.start + 3] in ("and", "but") and any(
                one.atoms for one in last
            )
            ends = verb_of(clause, self.words) >= 0 and (
                joins or any(verb_of(one, self.words) >= 0 for one in last)
            )
            turns = clause.tokens[0].text in self.words.tokens["turns"] or len(last) == MAX_CLAUSES
            if not last or ends or turns or self._repeats(last, clause):
                parts.append([clause])
            else:
                last.append(clause)
        return parts

    def _repeats(self, part: Sequence[Clause], clause: Clause) -> bool:
        """Whether a clause has a value of a kind that is in a part: $40 for adults and $20 for children."""
        mine, theirs = (
            {one.measure for one in values_of(some, self.reading, self.words)} for some in ([clause], part)
        )
        return "date" not in mine and bool(mine & theirs)

    def _is_pronoun(self, part: Sequence[Clause]) -> bool:
        """Whether the subject is a pronoun: it weighs 2 kg."""
        for clause in part:
            verb, said = verb_of(clause, self.words), [word.text for word in clause.tokens]
            if "its" in said or not self.words.tokens["pronouns"].isdisjoint(
                said[max(0, verb - 1) : verb + 1]
            ):
                return True
        return False

    def _is_heading(self, said: Sequence[Saying], sentence: Sentence) -> bool:
        """Whether those below are of it: a line in bold, or with a colon at its end; no item of a list."""
        start = self.passage.span(sentence.start, sentence.end)[0]
        line = self.passage.prose.original[max(0, start - MAX_MARKS) : start].rpartition("\n")[2].lstrip()
        if sentence.text.rstrip(" *").endswith(":"):
            return True
        item = line.startswith(BULLETS) and "**" not in line
        short = len(sentence.stems) <= MAX_HEADING and ":" not in sentence.text
        return short and not item and len(said) == 1 and said[0].listed and not said[0].values

    def _saying(
        self, part: Sequence[Clause], sentence: Sentence, before: tuple[Term, ...]
    ) -> tuple[Saying, tuple[Term, ...]]:
        """What a part says, without its place, and the terms of what it speaks of.

        `before` is the subject of the part before, with which it goes on where it has none.
        """
        words = self.words
        verb = next((one.tokens[place].start for one in part if (place := verb_of(one, words)) >= 0), -1)
        terms, values = self._terms_and_values(part)
        heading = self._heading if verb < 0 else ()
        own = [
            one for one in terms if (one.start < verb or verb < 0) and one.stem not in words.stems["empty"]
        ]
        it = self._is_pronoun(part)
        inherits = it or not own if verb >= 0 else bool(values)
        every = (*heading, *(before if inherits else ()), *terms)
        flags: dict[str, bool] = {}
        for term in (*terms, *every):  # its own first
            flags[term.stem] = flags.get(term.stem, False) or term.denied
        if verb < 0 and sentence.text.rstrip(" .*").casefold().endswith(words.none):
            flags.update({term.stem: True for term in terms})
        names = self._names(every, -1 if verb < 0 else sentence.start)
        telling = {term.stem for term in every} - words.stems["empty"] - words.lexicon.opinion | names
        said = [word.text for one in part for word in one.tokens]
        for phrase, meant in words.reversed.items():
            if f" {phrase} " in f" {' '.join(said)} ":
                flags[meant] = not flags.get(meant, False)
                telling = telling - set(words.lexicon.stems(phrase)) | {meant}
        marks = {name for name in ("you", "we") if not words.tokens[name].isdisjoint(said)}
        marks |= words.tokens["marks"].intersection(said)
        marks |= {"it"} if it and not before else set()
        marks |= {"i"} if said[0] in words.tokens["i"] and words.tokens["not_i"].isdisjoint(said) else set()
        subject = tuple(own) or before
        spoken_of = subject or (tuple(terms) if said[0].startswith("there") else ())
        return Saying(
            frozenset(telling),
            names=names,
            subject=frozenset(term.stem for term in (*subject, *heading)) & telling,
            before=self._before(every),
            terms=flags,
            states={
                one.said.casefold(): one.denied for each in part for one in each.atoms if one.kind == "state"
            },
            values=tuple(with_attributes(values, every if verb < 0 else terms, self.text, words)),
            marks=frozenset(marks),
            listed=verb < 0,
            keyed=verb < 0 and ":" in sentence.text,
        ), spoken_of

    def _terms_and_values(self, part: Sequence[Clause]) -> tuple[list[Term], list[Value]]:
        """The terms outside of values, with what these count, and the values.

        A time that names something is a term, and no value: the 9:15 train.
        """
        values = values_of(part, self.reading, self.words)
        terms = [one for each in part for one in each.terms if not any(value.hides(one) for value in values)]
        starts = {term.start for term in terms}
        naming = [
            one
            for one in values
            if one.measure == "clock"
            and one.end + 1 in starts
            and self.text.endswith(("he ", "our "), 0, one.start)
        ]
        terms += [Term(one.said, one.start, one.end) for one in naming]
        terms.sort(key=attrgetter("start"))
        return terms, [one for one in values if one not in naming]

    def _names(self, terms: Sequence[Term], start: int) -> frozenset[str]:
        """The stems of names: written large or with digits, but not at the start of a sentence."""
        text = self.text
        large = (
            one
            for one in terms
            if one.start != start and (text[one.start].isupper() or text[one.start].isdigit())
        )
        return frozenset(one.stem for one in large) - (
            self.words.stems["known"] if start < 0 else frozenset()
        )

    def _before(self, terms: Sequence[Term]) -> dict[str, frozenset[str]]:
        """For each noun what stands right before it."""
        found: dict[str, frozenset[str]] = {}
        for one, other in pairwise(terms):
            said = {self.text[each.start : each.end].casefold() for each in (one, other)}
            tied = (
                self.text[one.end : other.start] in (" ", "-") and one.stem not in self.words.stems["empty"]
            )
            if tied and self.words.tokens["verbs"].isdisjoint(said):
                found[other.stem] = found.get(other.stem, frozenset()) | {one.stem}
        return found
