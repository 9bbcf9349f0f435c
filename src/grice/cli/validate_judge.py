"""`grice validate judge`: a judge against people's labels."""

from __future__ import annotations

from pathlib import Path

from grice.cli.arguments import argument, option
from grice.cli.options import CRITERIA, LLM, SAMPLES, Forms, run_in_forms


class Command(Forms):
    """Measure how far a judge agrees with people's labels.

    What counts are the items held out: those for tuning are shown beside them. Kappa, the rates of right
    passes and fails, agreement among the people, self-consistency, bias by position and length, and cost.

    Exit code 0: it was measured. 2: it was not, or wrong usage. 130: interrupted; answers in --verdicts stay.
    """

    name: str = argument(metavar="NAME", help="A criterion, or naturalness, guidance or context_use.")
    labels: tuple[Path, ...] = argument(
        required=True,
        metavar="LABELS...",
        help="People's labels, .jsonl or .csv, as `grice label` writes them or with item and label.",
    )
    items: tuple[Path, ...] = option(
        metavar="FILE",
        help="What was labelled, where it does not stand beside the labels. May be given several times.",
    )
    verdicts: Path | None = option(
        metavar="FILE",
        help="A log of the judge's answers: those there are not asked for again, new ones are appended. "
        "Without an LLM they are what is measured.",
    )
    criteria: str = CRITERIA
    llm: str = LLM
    model: str = option(help="Measure the recorded verdicts of this model only.")
    samples: int | None = SAMPLES
    split: str = option(
        metavar="KEY=SHARE",
        help="Which items are for tuning (dev), by a hash of KEY and cluster, and what share of them "
        "(default: grice=0.5).",
    )
    card: bool = option(help="Write the calibration card, which verdicts then carry.")

    def __call__(self) -> int:
        from grice.cli.validate_judges_work import show_judge

        return run_in_forms(show_judge, self)
