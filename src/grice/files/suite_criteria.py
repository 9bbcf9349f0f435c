"""The criteria of a suite file, and the names of criteria that its checks use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from grice.files.locate import JsonPath
from grice.judging.criterion import Criterion, CriterionError, criterion, is_name
from grice.matching.matcher import Matcher
from grice.records import JsonValue
from grice.text import did_you_mean, value_text

__all__ = ["FIELDS", "named_criteria", "read_criterion", "unknown_criterion"]

FIELDS = ("text", "good", "bad", "edge", "at_least", "anchors")
"""What a criterion in a file may have; criteria of code are written in Python."""


def read_criterion(name: str, raw: JsonValue) -> Criterion:
    """A criterion of a file: a text, or an object with the arguments of `criterion`.

    Raises CriterionError.
    """
    if isinstance(raw, str):
        return criterion(name, raw)
    if not isinstance(raw, dict):
        raise CriterionError(f"expected a text, or an object with one, found {value_text(raw)}")
    fields: dict[str, Any] = dict(raw)
    for field in fields:
        if field not in FIELDS:
            hint = did_you_mean(field, FIELDS)
            raise CriterionError(f"unknown field {field!r}{hint}; known are {', '.join(FIELDS)}")
    if isinstance(fields.get("anchors"), dict):
        fields["anchors"] = {_score(score): words for score, words in fields["anchors"].items()}
    return criterion(name, **fields)


def _score(key: str) -> object:
    """The score that a key stands for: keys of objects are texts in JSON."""
    return int(key) if key.isascii() and key.isdigit() and len(key) < 10 else key


def named_criteria(matcher: Matcher[Any]) -> Iterator[tuple[str, JsonPath]]:
    """The names of criteria among the arguments of `satisfy`, and where in `expected` each stands."""
    if matcher.factory.name == "toSatisfy":
        several = len(matcher.args) > 1
        for index, given in enumerate(matcher.args):
            for name in _names(given):
                yield name, (index,) if several else ()


def _names(given: object) -> Iterator[str]:
    if isinstance(given, list | tuple):
        for one in given:
            yield from _names(one)
    elif isinstance(given, str) and is_name(given.strip()):
        yield given.strip()


def unknown_criterion(name: str, known: Mapping[str, Criterion]) -> str:
    """What is wrong with a name that no criterion has, "" when one has it."""
    if name in known:
        return ""
    listed = f"known are {', '.join(sorted(known))}" if known else "the suite has none"
    return f"unknown criterion {name!r}{did_you_mean(name, known)}; {listed}"
