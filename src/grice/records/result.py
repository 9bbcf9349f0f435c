"""The result of one test, golden or scenario."""

from __future__ import annotations

from typing import Literal

import msgspec

from grice.records.conversation import Conversation
from grice.records.outcome import Outcome, fold_all
from grice.records.verdict import Verdict

FailureType = Literal["assertion", "error", "timeout", "max_turns", "none"]
Spoiled = Literal["", "helped", "hindered"]
"""What a played user that broke its rules did to the agent's chances, "" where it broke none."""


class Result(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One finished test: its conversation, its verdicts, its identity.

    `id` is the stable id, `key` the scenario's or golden's own key, `fingerprint` the digest of its content.
    `outcome` follows from the hard verdicts only. `duration` is in seconds. `repeat` counts from 1 where a
    scenario is run several times, `set_name` is the name of its set.

    `conduct` are the verdicts on the played user, no part of the outcome; `spoiled` says what a user
    that broke its rules did. `counts` says whether the result counts in completion: it does not when it says
    nothing about the agent. `asserts` is the fingerprint of the code of a test that has plain assertions, ""
    where it has none. `test` is the stable id of its test, suite or set without parameters and scenario. A
    test that holds several `runs` together passes when `needed` of them do.
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
    repeat: int = 1
    set_name: str = ""
    conduct: tuple[Verdict, ...] = ()
    spoiled: Spoiled = ""
    counts: bool = True
    asserts: str = ""
    test: str = ""
    runs: int = 1
    needed: int = 1


def outcome_of(verdicts: tuple[Verdict, ...]) -> Outcome:
    """The outcome of a test with these verdicts: the hard ones decide; none of them is `inconclusive`."""
    return fold_all(verdict.outcome for verdict in verdicts if verdict.mode == "hard")
