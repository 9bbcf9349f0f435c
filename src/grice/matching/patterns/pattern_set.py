"""Many patterns over many texts: which of them occur in a text, found in one pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar, overload

from grice.matching.patterns.javascript import PatternError
from grice.matching.patterns.pattern import FLAGS, MAX_SOURCE, Pattern, compile_pattern, encoded, searching
from grice.text import value_text

MAX_MEMORY = 64 << 20
MAX_REPEATS = 10
"""With larger counted repeats in it, as in `from.{0,40}to`, one pass has too much to keep count of: it can be
slower than one pattern after the other, and so is what such patterns get."""

Name = TypeVar("Name")
Given = str | tuple[str, str]


class PatternSet(Generic[Name]):
    r"""Many patterns that are looked for together, at hundreds of times the speed of one after the other.

    A pattern is JavaScript's, a text or a pair of text and flags, as for `to_match`:

        greetings = PatternSet({"german": ("guten (tag|abend)", "i"), "english": r"\b[Hh](ello|i)\b"})
        greetings.found_in("Hi, and guten Abend!")  # ["german", "english"]

    Of a sequence of patterns, `found_in` gives the indices. Texts may have any length. A set can be used by
    several threads, and pickled.

    Raises PatternError that names the pattern that cannot be used.
    """

    @overload
    def __init__(
        self: PatternSet[int],
        patterns: Sequence[Given],
        *,
        max_source: int = MAX_SOURCE,
        allowed_flags: str = FLAGS,
    ) -> None: ...

    @overload
    def __init__(
        self: PatternSet[Name],  # pyright: ignore[reportInvalidTypeVarUse]
        patterns: Mapping[Name, Given],
        *,
        max_source: int = MAX_SOURCE,
        allowed_flags: str = FLAGS,
    ) -> None: ...

    def __init__(self, patterns: Any, *, max_source: int = MAX_SOURCE, allowed_flags: str = FLAGS) -> None:
        if isinstance(patterns, str):
            raise TypeError(f"a PatternSet takes several patterns, found {value_text(patterns)}")
        self._given: Any = dict(patterns) if isinstance(patterns, Mapping) else tuple(patterns)
        named: dict[Any, Any] = dict(self._given if isinstance(self._given, dict) else enumerate(self._given))
        self._names: tuple[Name, ...] = tuple(named)
        self._limits = {"max_source": max_source, "allowed_flags": allowed_flags}
        compiled = [_compile(name, given, max_source, allowed_flags) for name, given in named.items()]
        groups: dict[bool, list[tuple[int, Pattern]]] = {}
        for index, pattern in enumerate(compiled):
            groups.setdefault(pattern.translation.any_line_end, []).append((index, pattern))
        self._groups = [_Group(members, any_line_end) for any_line_end, members in groups.items()]

    def found_in(self, text: str) -> list[Name]:
        """The names of the patterns that match somewhere in the text, in the order they were given."""
        found = [index for group in self._groups for index in group.found_in(text)]
        return [self._names[index] for index in sorted(found)]

    def occurs_in(self, text: str) -> bool:
        """Whether any of the patterns matches somewhere in the text."""
        return any(group.occurs_in(text) for group in self._groups)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"PatternSet of {len(self)} patterns"

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self._given, self._limits)


def _again(patterns: Any, limits: dict[str, Any]) -> PatternSet[Any]:
    return PatternSet(patterns, **limits)


def _compile(name: object, given: object, max_source: int, allowed_flags: str) -> Pattern:
    source, flags = given if isinstance(given, tuple) and len(given) == 2 else (given, "")
    if not isinstance(source, str) or not isinstance(flags, str):
        raise PatternError(
            f"pattern {value_text(name)}: a text, or a pair of text and flags, found {value_text(given)}"
        )
    try:
        return compile_pattern(source, flags, max_source=max_source, allowed_flags=allowed_flags)
    except PatternError as error:
        raise PatternError(f"pattern {value_text(name)}: {error}", error.position) from None


class _Group:
    """Patterns that read a text the same way, in as few sets of RE2 as its memory allows."""

    def __init__(self, members: list[tuple[int, Pattern]], any_line_end: bool) -> None:
        self._any_line_end = any_line_end
        counting = [each for each in members if each[1].translation.most_repeats > MAX_REPEATS]
        others = [each for each in members if each[1].translation.most_repeats <= MAX_REPEATS]
        self._sets = [*([(None, counting)] if counting else ()), *(_sets(others) if others else ())]

    def occurs_in(self, text: str) -> bool:
        """Whether any of the patterns is found."""
        subject = encoded(text, any_line_end=self._any_line_end)
        for together, members in self._sets:
            hits = together.Match(subject) if together is not None else None
            if len(hits) > 1 if hits else any(pattern.occurs_in(subject) for _, pattern in members):
                return True
        return False

    def found_in(self, text: str) -> list[int]:
        """The indices of the patterns found, in no order."""
        subject = encoded(text, any_line_end=self._any_line_end)
        found: list[int] = []
        for together, members in self._sets:
            hits = together.Match(subject) if together is not None else None
            if hits:
                found += [members[hit][0] for hit in hits if hit < len(members)]
            else:  # no set, or it ran out of memory: not even the pattern that matches every text is there
                found += [index for index, pattern in members if pattern.occurs_in(subject)]
        return found


def _sets(members: list[tuple[int, Pattern]]) -> Any:
    """The members in sets that RE2 can compile, each with one more pattern that matches every text."""
    import re2

    options = re2.Options()
    options.log_errors = False
    options.max_mem = MAX_MEMORY
    together = re2.Set.SearchSet(options)
    try:
        for _, pattern in members:
            together.Add(searching(pattern.translation))
        together.Add(r"\z")  # costs nothing on the way, where "" matches at every character
        together.Compile()
    except re2.error:
        if len(members) == 1:
            yield None, members
        else:
            half = len(members) // 2
            yield from _sets(members[:half])
            yield from _sets(members[half:])
        return
    yield together, members
