"""Finding many phrases and patterns in a text, each phrase by its words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from grice.text.normalised import Normalised, normalise
from grice.text.words import Word, words

if TYPE_CHECKING:
    from grice.matching.patterns import Pattern


MAX_PHRASE = 1_000
_PATTERN = re.compile(r"/(.+)/([A-Za-z]*)", re.DOTALL)
_FENCE = re.compile(r"(?m)^[ \t]*(?:`{3,}|~{3,})[^\n]*")
# Between the words of a phrase these do not count: white space, marks of Markdown, quotes, hyphens.
_NOTHING = re.compile(r"[\s*_~`#|>\"'\u00ad-]+")
_MAX_WORD_GAP = 40


class Phrase(NamedTuple):
    """What a rule looks for: a pattern with its flags, or words with what stands before, between, behind."""

    given: str
    pattern: str | None = None
    flags: str = ""
    parts: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()
    before: str = ""
    behind: str = ""

    @classmethod
    def of(cls, given: str) -> Phrase:
        """The phrase that a rule gives as text."""
        found = _PATTERN.fullmatch(given.strip())
        if found is not None:
            return cls(given, found[1], found[2])
        plain = normalise(given).text.strip() or given.strip()
        cut = words(plain)
        if not cut:
            return cls(given, before=plain.casefold())
        gaps = tuple(_gap(plain[one.end : next_.start]) for one, next_ in pairwise(cut))
        return cls(
            given,
            parts=tuple(one.text for one in cut),
            gaps=gaps,
            before=_mark(plain[: cut[0].start]),
            behind=_mark(plain[cut[-1].end :]),
        )

    def compiled(self) -> Pattern:
        """The pattern ready for use. Raises PatternError."""
        from grice.matching.patterns import compile_pattern

        return compile_pattern(self.pattern or "", self.flags)


def phrase_problem(given: str) -> str | None:
    """What is wrong with a phrase; None when nothing is."""
    phrase = Phrase.of(given)
    if phrase.pattern is None:
        return None
    from grice.matching.patterns import PatternError

    try:
        phrase.compiled()
    except PatternError as error:
        return f"the pattern {error}" if str(error).startswith(("'", '"')) else str(error)
    return None


def _gap(between: str) -> str:
    return _NOTHING.sub("", between)


def _mark(outside: str) -> str:
    """What stands directly before or behind the words of a phrase; sentence marks and quotes do not count."""
    return outside.strip(" \n\"'.,;:!?\u2026*_`()").casefold()


class SearchedText:
    """A text prepared for the search for phrases; each form of it is made when it is first needed."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def normal(self) -> Normalised:
        """Its prose; code counts like prose."""
        return normalise(_FENCE.sub(lambda found: " " * len(found[0]), self.text))

    @cached_property
    def words(self) -> Sequence[Word]:
        """The words of its prose."""
        return words(self.normal.text)

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """The positions, counted in words, at which a word stands."""
        places: dict[str, list[int]] = {}
        for number, word in enumerate(self.words):
            places.setdefault(word.text, []).append(number)
        return places

    @cached_property
    def sentences(self) -> list[tuple[int, int]]:
        """Where the sentences of its prose stand in the text."""
        from grice.text.sentences import sentence_spans

        return [self.normal.span(start, end) for start, end in sentence_spans(self.normal.text)]

    def find(self, phrase: Phrase) -> Iterator[tuple[int, int]]:
        """The places of a phrase in the text, in order."""
        if phrase.pattern is not None:
            yield from self._matches(phrase)
        elif not phrase.parts:
            yield from self._marks(phrase.before)
        else:
            for number in self.places.get(phrase.parts[0], ()):
                if self._is_here(phrase, number):
                    last = self.words[number + len(phrase.parts) - 1]
                    yield self.normal.span(self.words[number].start, last.end + len(phrase.behind))

    def _is_here(self, phrase: Phrase, number: int) -> bool:
        found, parts = self.words, phrase.parts
        if number + len(parts) > len(found):
            return False
        if any(found[number + step].text != part for step, part in enumerate(parts)):
            return False
        text = self.normal.text
        for step, gap in enumerate(phrase.gaps):
            between = text[found[number + step].end : found[number + step + 1].start]
            if len(between) > _MAX_WORD_GAP or _gap(between) != gap:
                return False
        start, end = found[number].start, found[number + len(parts) - 1].end
        before = text[max(0, start - len(phrase.before)) : start].casefold()
        return before == phrase.before and text[end : end + len(phrase.behind)].casefold() == phrase.behind

    def _marks(self, mark: str) -> Iterator[tuple[int, int]]:
        place = self.normal.text.find(mark)
        while place >= 0:
            yield self.normal.span(place, place + len(mark))
            place = self.normal.text.find(mark, place + len(mark))

    def _matches(self, phrase: Phrase) -> Iterator[tuple[int, int]]:
        """The first match, and after it one in every later sentence: each that could be excused alone."""
        from grice.matching.patterns import MAX_SUBJECT

        pattern = phrase.compiled()
        text, offset = self.text[:MAX_SUBJECT], 0
        while offset < len(text):
            found = pattern.search(text[offset:])
            if found is None:
                return
            start, end = found[0] + offset, found[1] + offset
            yield start, end
            offset = next((one for _, one in self.sentences if one >= max(end, start + 1)), len(text))
