"""Reading people's labels from JSONL and CSV."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from grice.validation.judges.items import Item, Label

__all__ = ["check_labels", "read_labels"]


def read_labels(files: Iterable[Path], *, criterion: str = "") -> list[Label]:
    """The labels of the files. Raises FileErrors with everything that is wrong."""
    raise NotImplementedError


def check_labels(labels: Sequence[Label], items: Mapping[str, Item]) -> list[str]:
    """What is wrong with the labels as a whole: unknown items, one rater who says two things of one item."""
    raise NotImplementedError
