"""`grice lint`: what is wrong with message arrays."""

from __future__ import annotations

from pathlib import Path

from grice.cli.arguments import argument, option
from grice.cli.completion import lint_rule_names
from grice.cli.options import Forms, OneOf, run_in_forms

DIALECTS = ("anthropic", "openai_chat", "openai_responses")


class Command(Forms):
    """Find what is wrong with message arrays: what a provider rejects, what misleads a model.

    Exit code 0: no errors. 1: errors found. 2: wrong usage, something could not be read or written, or
    nothing was examined.
    """

    files: tuple[Path, ...] = argument(
        metavar="FILE...",
        help="JSON, JSON Lines or CSV of requests, message arrays, recorded conversations or results; "
        ".gz too; - is stdin.",
    )
    dialect: str = option(
        type=OneOf(DIALECTS, empty=True),
        metavar="API",
        help="anthropic, openai_chat or openai_responses; else the content tells it.",
    )
    ignore: tuple[str, ...] = option(
        metavar="RULE", shell_complete=lint_rule_names, help="Leave this rule out; repeatable."
    )
    fail_on_warnings: bool = option(help="Exit with 1 for warnings too.")
    rules: bool = option(help="List the rules.")

    def __call__(self) -> int:
        from grice.cli.lint_work import lint_files, list_rules

        return list_rules() if self.rules else run_in_forms(lint_files, self)
