"""Many rules on wording, searched for in a text in one pass, and tried on their own examples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Annotated, Any, Literal, NamedTuple

import msgspec

from grice.checks.phrase_rules.phrases import Phrase, SearchedText
from grice.checks.phrase_rules.rule import PhraseRule, RuleExample, RuleWhen
from grice.text.display import value_text
from grice.text.languages import language_of, pack_for
from grice.text.negation import negated
from grice.text.packs.pack import LanguagePack
from grice.typed import Closed, Problem, says

_MAX_HITS = 5


class Scene(NamedTuple):
    """What is known of the turn beside its text; `called` is None for a bare text."""

    tool_status: str = "none"
    called: frozenset[str] | None = None


class Breach(NamedTuple):
    """A rule that a text breaks, and where. `undecided` says why nobody can tell, "" otherwise."""

    rule: PhraseRule
    spans: tuple[tuple[int, int], ...] = ()
    undecided: str = ""


class SelfTest(NamedTuple):
    """An example of a rule tried: which, whether the rule is broken by it, and what was found."""

    rule: str
    kind: Literal["good", "bad"]
    place: int
    text: str
    broken: bool
    found: tuple[str, ...] = ()
    note: str = ""

    @property
    def right(self) -> bool:
        """Whether the rule does on the example what it should."""
        return self.broken is (self.kind == "bad")

    @property
    def fault(self) -> str:
        """What the example shows to be wrong with its rule, in words."""
        text = value_text(self.text)
        if self.kind == "bad":
            return f"its bad example {text} does not break it: {self.note or 'nothing was found'}"
        if self.note:
            return f"its good example {text} cannot be judged: {self.note}"
        return f"its good example {text} breaks it: found {', '.join(map(value_text, self.found))}"


class _Ready(NamedTuple):
    rule: PhraseRule
    any_of: tuple[Phrase, ...]
    all_of: tuple[Phrase, ...]
    none_of: tuple[Phrase, ...]


class RuleBook:
    """Rules ready for use: one pass over the words and one of all patterns find which may be broken."""

    def __init__(self, rules: Sequence[PhraseRule]) -> None:
        self.rules = tuple(rules)
        self._ready = [_ready(rule) for rule in rules]
        self._by_word: dict[str, list[int]] = {}
        self._marks: list[int] = []
        patterns: dict[int, tuple[str, str]] = {}
        owners: list[int] = []
        for number, one in enumerate(self._ready):
            for phrase in one.any_of or one.all_of[:1]:
                if phrase.pattern is not None:
                    patterns[len(owners)] = (phrase.pattern, phrase.flags)
                    owners.append(number)
                elif phrase.parts:
                    self._by_word.setdefault(phrase.parts[0], []).append(number)
                else:
                    self._marks.append(number)
        self._patterns: Any = None
        self._owners = owners
        if patterns:
            from grice.matching.patterns.pattern_set import PatternSet

            self._patterns = PatternSet(list(patterns.values()))

    def breaches(self, text: str, scene: Scene) -> Iterator[Breach]:
        """Find the rules that a text breaks, and those that cannot be decided, in their order."""
        seen = SearchedText(text)
        near = set(self._marks)
        for word in seen.places if len(seen.places) < len(self._by_word) else self._by_word:
            if word in seen.places:
                near.update(self._by_word.get(word, ()))
        if self._patterns is not None:
            near.update(self._owners[hit] for hit in self._patterns.found_in(text))
        for number in sorted(near):
            one = self._ready[number]
            if applies(one.rule, text, scene) and (breach := _breach(one, seen)) is not None:
                yield breach

    def applying(self, text: str, scene: Scene) -> int:
        """How many of the rules apply."""
        return sum(applies(rule, text, scene) for rule in self.rules)


@lru_cache(maxsize=8)
def book_of(rules: tuple[PhraseRule, ...]) -> RuleBook:
    """The rules ready for use. Raises PatternError for a pattern that cannot be used."""
    return RuleBook(rules)


def _ready(rule: PhraseRule) -> _Ready:
    return _Ready(rule, *(tuple(map(Phrase.of, given)) for given in (rule.any_of, rule.all_of, rule.none_of)))


def applies(rule: PhraseRule, text: str, scene: Scene) -> bool:
    """Whether the rule is one for this text and this turn."""
    if rule.when != _ALWAYS and not _holds(rule.when, scene):
        return False
    if rule.language is None:
        return True
    code = language_of(text).code
    return not code or code == rule.language.lower().split("-")[0]


_ALWAYS = RuleWhen()


def _holds(when: RuleWhen, scene: Scene) -> bool:
    if when.tool_status and scene.tool_status not in when.tool_status:
        return False
    if not when.called and not when.not_called:
        return True
    if scene.called is None:
        return False
    return (not when.called or not scene.called.isdisjoint(when.called)) and scene.called.isdisjoint(
        when.not_called
    )


def _breach(one: _Ready, seen: SearchedText) -> Breach | None:
    excused = _excused(one, seen)
    undecided = ""
    spans: list[tuple[int, int]] = []
    pack: LanguagePack | str | None = None
    if one.rule.negated == "ignore":
        pack = pack_for(seen.text, one.rule.language)
    for phrases, every in ((one.all_of, True), (one.any_of, False)):
        hits: list[tuple[int, int]] = []
        for phrase in phrases:
            found = [span for span in seen.find(phrase) if not any(a <= span[0] < b for a, b in excused)]
            if isinstance(pack, str) and found:
                undecided = pack
            elif isinstance(pack, LanguagePack):
                found = [span for span in found if not _is_denied(span, seen, pack)]
            if every and not found:
                return None
            hits += found[:_MAX_HITS]
        if phrases and not hits:
            return None
        spans += hits
    return Breach(one.rule, tuple(sorted(set(spans))[:_MAX_HITS]), undecided)


def _excused(one: _Ready, seen: SearchedText) -> list[tuple[int, int]]:
    """The sentences in which one of `none_of` stands."""
    found = [span for phrase in one.none_of for span in seen.find(phrase)]
    return [
        (start, end)
        for start, end in (seen.sentences if found else ())
        if any(start <= first < end for first, _ in found)
    ]


def _is_denied(span: tuple[int, int], seen: SearchedText, pack: LanguagePack) -> bool:
    denied = negated(seen.normal.text, seen.words, pack)
    for word, is_denied in zip(seen.words, denied, strict=True):
        start, end = seen.normal.span(word.start, word.end)
        if start < span[1] and span[0] < end:
            return is_denied
    return False


def self_tests(rules: Iterable[PhraseRule]) -> list[SelfTest]:
    """Every example of the rules, tried on its own rule, good ones first. Nothing else is wrong with them."""
    tests: list[SelfTest] = []
    for rule in rules:
        ready = _ready(rule)
        tests += [_tried(ready, "good", place, one) for place, one in enumerate(rule.good)]
        tests += [_tried(ready, "bad", place, one) for place, one in enumerate(rule.bad)]
    return tests


def _tried(ready: _Ready, kind: Literal["good", "bad"], place: int, example: str | RuleExample) -> SelfTest:
    """A text alone stands for a turn in which everything that the rule wants was so."""
    rule = ready.rule
    text = example if isinstance(example, str) else example.text
    when = rule.when
    status = when.tool_status[0] if when.tool_status else "none"
    called = frozenset(when.called)
    if not isinstance(example, str):
        status = example.tool_status or status
        called = frozenset(example.called) or called
    if not applies(rule, text, Scene(status, called)):
        return SelfTest(rule.id, kind, place, text, broken=False, note="the rule does not apply to it")
    breach = _breach(ready, SearchedText(text))
    if breach is None:
        return SelfTest(rule.id, kind, place, text, broken=False, note="found nothing that counts")
    found = tuple(text[start:end] for start, end in breach.spans)
    return SelfTest(
        rule.id, kind, place, text, broken=not breach.undecided, found=found, note=breach.undecided
    )


def _wrong_examples(data: dict[str, Any]) -> Iterator[Problem]:
    for test in self_tests((msgspec.convert(data, PhraseRule),)):
        if not test.right:
            yield Problem((test.kind, test.place), test.fault)


TestedRule = Annotated[PhraseRule, says(check=_wrong_examples)]
"""A rule that judges its own examples rightly."""
Rules = Annotated[tuple[TestedRule, ...], says("a list of rules", min_length=1, once="id")]


class RulesFile(Closed, frozen=True):
    """A file of rules that may have a name for its schema."""

    rules: Rules
    version: int = 1
    schema: str = msgspec.field(default="", name="$schema")
