"""Whether an assistant takes the opposite of what it said before, without saying that it changed its mind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grice.checks.contradiction.stances import Pairs, SelfContradiction
from grice.checks.profiles import Profile
from grice.matching.context import Context
from grice.matching.matcher import matcher
from grice.records import Conversation, Reply, Verdict

__all__ = ["avoid_self_contradiction", "self_contradiction"]


def self_contradiction(
    conversation: Conversation | Sequence[Mapping[str, Any]] | Any,
    *,
    pairs: Pairs | None = None,
    proposition: str = "",
    agreement_acknowledges: bool = False,
    language: str | None = None,
    profile: Profile = "robust",
) -> SelfContradiction:
    """Whether the assistant contradicts itself. Source: seed 004."""
    raise NotImplementedError


def _describe(
    *,
    pairs: Pairs | None = None,
    proposition: str = "",
    agreement_acknowledges: bool = False,
    language: str | None = None,
    profile: Profile = "robust",
) -> str:
    return "avoid self-contradiction"


@matcher("toAvoidSelfContradiction", layer=1, describe=_describe)
def avoid_self_contradiction(
    subject: Conversation | Reply,
    ctx: Context,
    *,
    pairs: Pairs | None = None,
    proposition: str = "",
    agreement_acknowledges: bool = False,
    language: str | None = None,
    profile: Profile = "robust",
) -> Verdict:
    """The assistant does not reverse its position unacknowledged. Source: seed 004."""
    raise NotImplementedError
