"""`grice validate criteria`: criteria on their own examples."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from click import argument, option

from grice.cli.commands import declared
from grice.cli.options import FILE, criteria, json_file, llm, run_with_json, verbose

__all__ = ["command"]


@declared
@argument("name", default="", metavar="[NAME]", help="A criterion; without, all.")
@criteria
@llm
@option(
    "--samples",
    type=int,
    metavar="K",
    help="Ask so often about each; the majority counts (default: judge_samples in [tool.grice], 1).",
)
@json_file("the measurements")
@option("--markdown", type=FILE, metavar="FILE", help="Write the tables to this file as Markdown.")
@option("--card", is_flag=True, help="Write a calibration card for each, of its own examples: weak.")
@verbose("every example, with the judge's reason")
def command(name: str, json: Path | None, **given: Any) -> int:
    """Try criteria on their own good, bad and edge examples, which are their unit tests.

    Each example is judged by a judge that is shown only the other examples of the criterion. Criteria by code
    need no LLM.

    Exit code 0: every example is judged as its author did. 1: one is not. 2: nothing was examined, the judge
    gave no answer, or wrong usage. 130: interrupted.
    """
    from grice.cli.judge_trials import show_criteria

    return run_with_json(lambda path: show_criteria(name, json=path, **given), json)
