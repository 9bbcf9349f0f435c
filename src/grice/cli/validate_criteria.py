"""`grice validate criteria`: criteria on their own examples."""

from __future__ import annotations

from grice.cli.arguments import argument, option
from grice.cli.options import CRITERIA, LLM, SAMPLES, Forms, run_in_forms


class Command(Forms):
    """Try criteria on their own good, bad and edge examples, which are their unit tests.

    Each example is judged by a judge that is shown only the other examples of the criterion. Criteria by code
    need no LLM.

    Exit code 0: every example is judged as its author did. 1: one is not. 2: nothing was examined, the judge
    gave no answer, or wrong usage. 130: interrupted.
    """

    name: str = argument(default="", metavar="[NAME]", help="A criterion; without, all.")
    criteria: str = CRITERIA
    llm: str = LLM
    samples: int | None = SAMPLES
    card: bool = option(help="Write a calibration card for each, of its own examples: weak.")

    def __call__(self) -> int:
        from grice.cli.validate_judges_work import show_criteria

        return run_in_forms(show_criteria, self)
