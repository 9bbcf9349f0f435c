"""`grice lint`: what is wrong with message arrays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from click import argument, option

from grice.cli.commands import declared
from grice.cli.options import FILE, json_file, run_with_json

__all__ = ["command"]


@declared
@argument(
    "files",
    nargs=-1,
    type=FILE,
    metavar="FILE...",
    help="JSON, JSON Lines or CSV of requests, message arrays, recorded conversations or results; .gz too; - "
    "is stdin.",
)
@option("--dialect", help="anthropic, openai_chat or openai_responses; else the content tells it.")
@json_file("every finding")
@option("--ignore", multiple=True, metavar="RULE", help="Leave this rule out; repeatable.")
@option("--fail-on-warnings", is_flag=True, help="Exit with 1 for warnings too.")
@option("--rules", is_flag=True, help="List the rules.")
def command(files: tuple[Path, ...], rules: bool, json: Path | None, **given: Any) -> int:
    """Find what is wrong with message arrays: what a provider rejects, what misleads a model.

    Exit code 0: no errors. 1: errors found. 2: wrong usage, something could not be read or written, or
    nothing was examined.
    """
    from grice.cli.lint_findings import lint_files, list_rules

    if rules:
        return list_rules()
    return run_with_json(lambda path: lint_files(files, json=path, **given), json)
