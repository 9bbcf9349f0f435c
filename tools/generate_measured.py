"""Write docs/_measured/rules.md: how often each rule is right on its examples, for the pages of the docs.

The part between `<!-- openers -->` and `<!-- /openers -->` is about one rule, `<!-- layer 1 -->` holds the
table of a layer. Run by `make generate`; a test fails when the file is stale.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from grice.validation import Validation, validate_checks
from grice.validation.figures import NOTES
from grice.validation.markdown import fault_list, measured_table
from grice.validation.measuring import Measurement

TARGET = Path(__file__).parent.parent / "docs" / "_measured" / "rules.md"
HEADER = "<!-- Written by tools/generate_measured.py (`make generate`); do not edit. -->"


def generate(found: Validation) -> str:
    """The text of the file. Raises ValueError when an example cannot be read or is not as documented."""
    if found.problems:
        raise ValueError("\n".join(found.problems))
    if not found.as_documented:
        raise ValueError("outcomes are not as documented: see `grice validate checks`")
    layers = groupby(found.measurements, key=lambda one: one.layer)
    parts = [HEADER, *_part("meaning", "\n\n".join(NOTES))]
    rules: list[str] = []
    for layer, measured in layers:
        several = list(measured)
        parts += _part(f"layer {layer}", measured_table(several))
        for name, of_rule in groupby(several, key=lambda one: one.rule):
            rules += _part(name, "\n\n".join(_about(list(of_rule))))
    return "\n".join([*parts, *rules]) + "\n"


def _part(name: str, text: str) -> list[str]:
    return ["", f"<!-- {name} -->", "", text, "", f"<!-- /{name} -->"]


def _about(measured: list[Measurement]) -> Iterator[str]:
    """The table of a rule, and what its robust profile is known to get wrong."""
    yield measured_table(
        measured, ("profile", "n", "false", "precision", "missed", "recall", "right", "undecided")
    )
    known = [trial for one in measured if one.profile == "robust" for trial in one.faults]
    if known:
        yield "Known to be wrong:"
        yield fault_list(known)


if __name__ == "__main__":
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(generate(validate_checks()), "utf-8")
