"""Whether an assistant states two things of which one must be wrong, across turns or against tool results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from grice.matching.context import Context
from grice.matching.matcher import matcher
from grice.records import Conversation, Reply, Verdict

__all__ = [
    "FactKind",
    "FactualContradiction",
    "StatedFact",
    "avoid_factual_contradiction",
    "factual_contradictions",
]

FactKind = Literal["quantity", "money", "date", "time", "availability", "yes_no", "choice"]


class StatedFact(msgspec.Struct, frozen=True):
    """Something that was stated: `attribute` of `subject` is `value`.

    `turn` counts from 1. `start` and `end` are character offsets into the text of the reply; for a tool
    result both are 0 and `path` is the place, such as `get_order#1.total`.
    """

    kind: FactKind
    subject: str
    attribute: str
    value: str
    turn: int
    start: int = 0
    end: int = 0
    quote: str = ""
    path: str = ""


class FactualContradiction(msgspec.Struct, frozen=True):
    """Two stated facts that cannot both hold; `earlier` may be a tool result. `reason` says it in words."""

    earlier: StatedFact
    later: StatedFact
    reason: str


def factual_contradictions(
    conversation: Conversation | Sequence[Mapping[str, Any]] | Any,
    *,
    tool_results: bool = True,
    language: str | None = None,
) -> tuple[FactualContradiction, ...]:
    """What the assistant states that cannot all hold. Source: seed 004, made general."""
    raise NotImplementedError


@matcher("toAvoidFactualContradiction", layer=2)
def avoid_factual_contradiction(
    subject: Conversation | Reply,
    ctx: Context,
    *,
    tool_results: bool = True,
    language: str | None = None,
) -> Verdict:
    """The assistant states nothing that contradicts what it stated before, or its tools' results."""
    raise NotImplementedError
