"""The result of one test, golden or scenario."""

from __future__ import annotations

from typing import Literal

import msgspec

from grice.records.conversation import Conversation
from grice.records.outcome import Outcome, fold_all
from grice.records.verdict import Verdict

__all__ = ["FailureType", "Result", "outcome_of"]

FailureType = Literal["assertion", "error", "timeout", "none"]


class Result(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One finished test: its conversation, its verdicts, its identity.

    `id` is the stable id, `key` the scenario's or golden's own key, `fingerprint` the digest of its content.
    `outcome` follows from the hard verdicts only. `duration` is in seconds.
    """

    id: str
    key: str
    outcome: Outcome
    conversation: Conversation
    verdicts: tuple[Verdict, ...] = ()
    failure: FailureType = "none"
    description: str = ""
    file: str = ""
    fingerprint: str = ""
    duration: float | None = None


def outcome_of(verdicts: tuple[Verdict, ...]) -> Outcome:
    """The outcome of a test with these verdicts: the hard ones decide; none of them is `inconclusive`."""
    return fold_all(verdict.outcome for verdict in verdicts if verdict.mode == "hard")
