"""Criteria: named quality rules, judged by an LLM from a text and examples, or by code."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Literal, cast

import msgspec

from grice.matching.matcher import Matcher
from grice.records import Conversation, Message, Verdict, clean_text
from grice.text import value_text

Answer = bool | Verdict

LOWEST, HIGHEST = 1, 5
_NAME = re.compile(r"[\w-]{1,100}")


class CriterionError(ValueError):
    """A criterion cannot judge anything as it was given."""

    __module__ = "grice"


class Example(msgspec.Struct, frozen=True):
    """An example reply of a criterion.

    `verdict` is whether it meets the criterion, `explanation` why, `kind` where it was given.
    """

    text: str
    verdict: bool
    explanation: str
    kind: Literal["good", "bad", "edge"]


class Criterion(msgspec.Struct, frozen=True):
    """A named quality rule; `criterion(...)` makes one.

    Of `check`, `check_messages` and neither (an LLM judges) exactly one holds. `at_least` makes it graded:
    the score from 1 to 5 that is wanted, and `anchors` say what scores mean, as (score, words).
    """

    name: str
    text: str = ""
    examples: tuple[Example, ...] = ()
    check: Callable[[Conversation], Answer] | None = None
    check_messages: Callable[[tuple[Message, ...]], Answer] | None = None
    at_least: float | None = None
    anchors: tuple[tuple[int, str], ...] = ()

    @property
    def by_code(self) -> bool:
        """Whether code judges, and no LLM."""
        return self.check is not None or self.check_messages is not None

    @property
    def fingerprint(self) -> str:
        """`sha256:` and 64 hex digits of its content: its name, texts, examples, gate, and source of code.

        How the source of code counts, see `grice.identity.code`.
        """
        from grice.identity import fingerprint
        from grice.identity.code import code_data

        return fingerprint(
            {
                "name": self.name,
                "text": self.text,
                "examples": [[one.kind, one.text, one.verdict, one.explanation] for one in self.examples],
                "check": None if self.check is None else code_data(self.check),
                "check_messages": None if self.check_messages is None else code_data(self.check_messages),
                "at_least": self.at_least,
                "anchors": [list(anchor) for anchor in self.anchors],
            }
        )

    @property
    def wording(self) -> str:
        """`sha256:` and 64 hex digits of the question to people: its text, and for a graded one the anchors.

        Labels that people gave hold for it; another example for the judge, or another gate, is no other
        question.
        """
        from grice.identity import fingerprint

        graded = self.at_least is not None
        anchors = [list(anchor) for anchor in self.anchors]
        return fingerprint({"text": self.text or self.name, "graded": graded, "anchors": anchors})


CriterionLevel = Mapping[str, Criterion] | Iterable[Criterion] | Criterion | None
"""The criteria of one level, such as a module's: a map by name, a list, one of them, or none."""


def criterion(
    name: str,
    text: str = "",
    *,
    good: Iterable[tuple[str, str]] = (),
    bad: Iterable[tuple[str, str]] = (),
    edge: Iterable[tuple[str, bool, str]] = (),
    check: Callable[[Conversation], Answer] | None = None,
    check_messages: Callable[[tuple[Message, ...]], Answer] | None = None,
    at_least: float | None = None,
    anchors: Mapping[int, str] | None = None,
) -> Criterion:
    """Make a quality rule of that name: letters, digits, `_` and `-`.

    An LLM judges it from `text` and from examples: `good` and `bad` are pairs (reply, why), `edge` triples
    (reply, whether it meets the rule, why). With `at_least` it is graded from 1 to 5, and `anchors` may say
    what the scores mean. Or code judges it: `check` is given the conversation up to what is judged,
    `check_messages` the messages of that; either returns True, False or a Verdict. The text of such a rule
    is documentation. Examples are unit tests too, which `grice validate criteria` runs: those of code are
    nothing else, for there is nobody to show them to. Raises CriterionError.
    """
    _check_name(name)
    if not isinstance(text, str):
        raise CriterionError(f"criterion {name!r}: the text is a str, found {value_text(text)}")
    examples = (*_examples(name, "good", good), *_examples(name, "bad", bad), *_examples(name, "edge", edge))
    text = clean_text(text.strip())
    given = [
        word for word, code in (("check", check), ("check_messages", check_messages)) if code is not None
    ]
    if given:
        _check_code(name, given, check or check_messages, at_least, anchors)
    elif not text:
        raise CriterionError(
            f"criterion {name!r} has neither a text nor code: say what is wanted, or give check="
        )
    return Criterion(
        name, text, examples, check, check_messages, _gate(name, at_least), _anchors(name, at_least, anchors)
    )


def is_name(text: str) -> bool:
    """Whether the text can be the name of a criterion: letters, digits, `_` and `-`."""
    return _NAME.fullmatch(text) is not None


def _check_name(name: object) -> None:
    if not isinstance(name, str) or not is_name(name):
        raise CriterionError(
            f"a criterion is named with letters, digits, _ and -, such as 'on_topic', "
            f"found {value_text(name)}"
        )


def _check_code(name: str, given: list[str], code: object, at_least: object, anchors: object) -> None:
    if len(given) > 1:
        raise CriterionError(f"criterion {name!r} has both check and check_messages: give one of them")
    if not callable(code):
        raise CriterionError(f"criterion {name!r}: {given[0]} is a function, found {value_text(code)}")
    beside = "at_least" if at_least is not None else "anchors" if anchors else ""
    if beside:
        raise CriterionError(
            f"criterion {name!r} has {beside} beside {given[0]}: scores are an LLM's, and code judges here"
        )


def _examples(name: str, kind: Literal["good", "bad", "edge"], given: object) -> list[Example]:
    shape = "(reply, True or False, why)" if kind == "edge" else "(reply, why)"
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise CriterionError(f"criterion {name!r}: {kind} is a list of {shape}, found {value_text(given)}")
    found: list[Example] = []
    for one in given:
        parts: list[object] = list(one) if isinstance(one, tuple | list) else []
        if kind != "edge":
            parts[1:1] = [kind == "good"]
        reply, verdict, why = parts if len(parts) == 3 else (None, None, None)
        if not _is_said(reply) or not _is_said(why) or not isinstance(verdict, bool):
            raise CriterionError(
                f"criterion {name!r}: an example of {kind} is {shape}, none of them empty, "
                f"found {value_text(one)}"
            )
        found.append(Example(clean_text(str(reply)), verdict, clean_text(str(why)), kind))
    return found


def _is_said(text: object) -> bool:
    return isinstance(text, str) and bool(text.strip())


def is_score(value: object) -> bool:
    """Whether the value is a number from 1 to 5."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return math.isfinite(value) and LOWEST <= value <= HIGHEST


def _gate(name: str, at_least: object) -> float | None:
    if at_least is None:
        return None
    if not is_score(at_least) or not isinstance(at_least, int | float):
        raise CriterionError(
            f"criterion {name!r}: at_least is a score from 1 to 5, found {value_text(at_least)}"
        )
    return float(at_least)


def _anchors(name: str, at_least: object, anchors: object) -> tuple[tuple[int, str], ...]:
    if anchors is None:
        return ()
    if at_least is None:
        raise CriterionError(f"criterion {name!r} has anchors for scores, but no at_least: it is not graded")
    scores = range(LOWEST, HIGHEST + 1)
    if not isinstance(anchors, Mapping) or not anchors:
        raise CriterionError(
            f"criterion {name!r}: anchors are {{score: what it means}}, found {value_text(anchors)}"
        )
    for score, words in anchors.items():
        if isinstance(score, bool) or score not in scores or not _is_said(words):
            raise CriterionError(
                f"criterion {name!r}: an anchor is a whole score from 1 to 5 and what it means, "
                f"found {value_text(score)}: {value_text(words)}"
            )
    return tuple((score, clean_text(anchors[score].strip())) for score in scores if score in anchors)


def collect_criteria(*levels: CriterionLevel) -> dict[str, Criterion]:
    """The criteria of all levels by name, outermost level first; of the same name the innermost counts.

    Raises CriterionError for what is no criterion, for a map whose key is not the criterion's name, and for
    two different criteria of one name on one level.
    """
    collected: dict[str, Criterion] = {}
    for level in levels:
        collected.update(_of_level(level))
    return collected


def criteria_among(values: Iterable[object]) -> Iterator[Criterion]:
    """The criteria among the values, among the arguments of matchers, and in lists, tuples, sets and dicts.

    The values may be anything, as those of a module are: only their type is looked at.
    """
    for value in values:
        if type(value) is Criterion:
            yield value
        elif type(value) is Matcher:
            yield from criteria_among((*value.args, *value.kwargs.values()))
        elif type(value) in (list, tuple, set, frozenset, dict):
            held = value.values() if isinstance(value, dict) else cast("Iterable[object]", value)
            yield from criteria_among([one for one in held if type(one) in (Criterion, Matcher)])


def _of_level(level: object) -> dict[str, Criterion]:
    if level is None:
        return {}
    if isinstance(level, Criterion):
        return {level.name: level}
    if isinstance(level, str) or not isinstance(level, Iterable):
        raise CriterionError(f"expected criteria, made with criterion(...), found {value_text(level)}")
    found: dict[str, Criterion] = {}
    for one in level:
        named, key = (level[one], one) if isinstance(level, Mapping) else (one, None)
        if not isinstance(named, Criterion):
            raise CriterionError(f"expected a criterion, made with criterion(...), found {value_text(named)}")
        if key is not None and key != named.name:
            raise CriterionError(f"the criterion {named.name!r} is listed under {key!r}: use its own name")
        if found.setdefault(named.name, named) != named:
            raise CriterionError(f"two different criteria are named {named.name!r}")
    return found
