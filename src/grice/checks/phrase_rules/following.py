"""The matcher `follow_rules`: a reply breaks none of the rules on wording that users wrote."""

from __future__ import annotations

from grice.checks.phrase_rules.rule import PhraseRule
from grice.matching.context import Context
from grice.matching.matcher import matcher
from grice.matching.subjects import Speech
from grice.records import Verdict

__all__ = ["follow_rules"]


@matcher("toFollowRules", layer=1)
def follow_rules(subject: Speech, ctx: Context, *rules: PhraseRule | str) -> Verdict:
    """The reply breaks none of the rules."""
    raise NotImplementedError
