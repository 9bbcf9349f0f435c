"""The criteria of a suite file, and the names of criteria that its checks use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import msgspec

from grice.files.locate import JsonPath
from grice.judging.criterion import Criterion, criterion, is_name
from grice.matching.matcher import Matcher
from grice.records import JsonValue
from grice.text import did_you_mean
from grice.typed import Closed, NotBlank, Problem, says

_Name = Annotated[
    str, says("a name of letters, digits, _ and -, such as 'on_topic'", pattern=r"^[\w-]{1,100}$(?!\n)")
]
_Pair = Annotated[tuple[NotBlank, NotBlank], says("a pair [reply, why]")]
_Triple = Annotated[tuple[NotBlank, bool, NotBlank], says("a triple [reply, whether it meets the rule, why]")]
_Score = Annotated[str, says("a whole score from 1 to 5", pattern="^[1-5]$")]


class CriterionFields(Closed, frozen=True, kw_only=True):
    """What a criterion in a file may have; criteria of code are written in Python."""

    text: Annotated[NotBlank, says(description="What is wanted, in words.")]
    good: Annotated[tuple[_Pair, ...], says(description="Replies that meet it: [reply, why].")] = ()
    bad: Annotated[tuple[_Pair, ...], says(description="Replies that do not: [reply, why].")] = ()
    edge: Annotated[tuple[_Triple, ...], says(description="Borderline replies.")] = ()
    at_least: Annotated[float, says("a score from 1 to 5", ge=1, le=5)] | None = None
    anchors: Annotated[dict[_Score, NotBlank], says(description="What scores mean.")] | None = None

    @classmethod
    def wrong(cls, fields: Mapping[str, Any]) -> Iterator[Problem]:
        """Only what is graded has scores."""
        if fields.get("anchors") is not None and fields.get("at_least") is None:
            yield Problem(("anchors",), "there are anchors for scores, but no at_least: it is not graded")


Criteria = dict[_Name, NotBlank | CriterionFields]


def read_criterion(name: str, raw: JsonValue) -> Criterion:
    """A criterion of a file that is right: a text, or an object with the arguments of `criterion`."""
    if isinstance(raw, str):
        return criterion(name, raw)
    fields = msgspec.structs.asdict(msgspec.convert(raw, CriterionFields))
    if fields["anchors"] is not None:
        fields["anchors"] = {int(score): words for score, words in fields["anchors"].items()}
    return criterion(name, **fields)


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
