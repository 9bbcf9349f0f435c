"""The labels of what is wrong in how a reply speaks of its tools, and what a validation found."""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

SeedLabel = Literal[
    "CONTRADICTORY_PREACTION_AND_ASK",
    "UNEXPECTED_TRIGGER_LANGUAGE",
    "CONFIRMATION_LANGUAGE_ON_SUCCESS",
    "REDUNDANT_CONFIRMATION_ASK",
    "SELF_INTRODUCTION",
]
FactLabel = Literal[
    "CLAIMED_WITHOUT_ACTION",
    "SUCCESS_AFTER_FAILURE",
    "FAILURE_AFTER_SUCCESS",
    "UNKNOWN_VERSION",
    "PRE_TOOL_NARRATION",
]
Label = Literal[SeedLabel, FactLabel]
LABELS: tuple[SeedLabel, ...] = get_args(SeedLabel)
"""The five labels of profile `seed`, in the order in which the validator reports them."""
FACT_LABELS: tuple[FactLabel, ...] = get_args(FactLabel)
"""The labels of what the tools really did, which only the robust profile looks at."""
ALL_LABELS: tuple[Label, ...] = (*LABELS, *FACT_LABELS)
"""All labels of the robust profile, in the order in which the validator reports them."""


class Finding(msgspec.Struct, frozen=True):
    """One bad pattern found in a text: its label and the spans (start, end) that triggered it.

    `note` says what it was held against. What does not stand in the text, such as narration before a call,
    has no spans: `said` quotes it, and `path` is where in the turn it stands.
    """

    label: Label
    spans: tuple[tuple[int, int], ...]
    note: str = ""
    said: str = ""
    path: str | None = None


class Validation(msgspec.Struct, frozen=True):
    """What the response validator found. `issues` holds the labels in the order of `ALL_LABELS`.

    `undetermined` says why the text could not be judged, as where its language is not known; "" where it was.
    """

    findings: tuple[Finding, ...] = ()
    undetermined: str = ""

    @property
    def issues(self) -> list[str]:
        """The labels that were found, in the order of profile `seed`."""
        return [finding.label for finding in self.findings]

    @property
    def valid(self) -> bool:
        """Whether the text was judged and nothing was found."""
        return not self.findings and not self.undetermined
