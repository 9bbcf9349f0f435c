"""What is wrong with how a reply speaks of its tools: the labels, and what a validation found."""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

__all__ = ["LABELS", "Finding", "Label", "Validation"]

Label = Literal[
    "CONTRADICTORY_PREACTION_AND_ASK",
    "UNEXPECTED_TRIGGER_LANGUAGE",
    "CONFIRMATION_LANGUAGE_ON_SUCCESS",
    "REDUNDANT_CONFIRMATION_ASK",
    "SELF_INTRODUCTION",
]
LABELS: tuple[Label, ...] = get_args(Label)
"""The five labels, in the order in which the validator reports them."""


class Finding(msgspec.Struct, frozen=True):
    """One bad pattern found in a text: its label and the spans (start, end) that triggered it."""

    label: Label
    spans: tuple[tuple[int, int], ...]


class Validation(msgspec.Struct, frozen=True):
    """What the response validator found. `issues` holds the labels in the seed's order."""

    findings: tuple[Finding, ...] = ()

    @property
    def issues(self) -> list[str]:
        """The labels that were found, in the seed's order."""
        return [finding.label for finding in self.findings]

    @property
    def valid(self) -> bool:
        """Whether nothing was found."""
        return not self.findings
