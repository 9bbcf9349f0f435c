"""Whether an assistant takes the opposite of what it said before, without saying that it changed its mind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grice.checks.contradiction.judging_stances import judged
from grice.checks.contradiction.seed_rubric import Said, seed_contradiction
from grice.checks.contradiction.stances import PAIRS, Pairs, SelfContradiction
from grice.checks.profiles import Profile, check_profile
from grice.checks.tone.speech import check_language
from grice.formats import read_conversation
from grice.matching.context import Context, record_of
from grice.matching.matcher import ArgumentError, Unsuitable, matcher
from grice.records import Conversation, Evidence, Outcome, Reply, Turn, Verdict, inconclusive
from grice.text import did_you_mean, value_text

__all__ = ["avoid_self_contradiction", "self_contradiction"]

