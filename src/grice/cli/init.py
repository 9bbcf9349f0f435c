"""`grice init`: the settings, a first test and CI for a new project, and its first run."""

from __future__ import annotations

from pathlib import Path

from grice.cli.arguments import Given, option
from grice.cli.options import OneOf, given_text

FORMS = ("yaml", "pytest")
CI = ("github", "gitlab", "none")


class Command(Given):
    """Set Grice up in this folder: settings, a first test, CI; and run it.

    What is not given is asked. Every file is named before it is written, and none is written over.

    Exit code 0: the first test passed. 1: it did not. 2: wrong usage, or the agent cannot be had.
    """

    agent: str = option(
        metavar="AGENT",
        callback=given_text,
        help="The agent: MODULE:NAME of a Python function or object, an address (http://...), the command of "
        "a program that serves HTTP ('node server.js'), or none for nothing yet.",
    )
    path: str = option(
        metavar="PATH", callback=given_text, help="Where the program is asked (default: /chat)."
    )
    ready: str = option(
        metavar="PATH",
        callback=given_text,
        help="What answers once the program is ready, such as /health (default: its port takes connections).",
    )
    tests: Path | None = option(metavar="FOLDER", help="Where tests go (default: tests).")
    form: str = option(
        "--as", type=OneOf(FORMS, empty=True), help="What the first test is written in (default: yaml)."
    )
    ci: str = option(type=OneOf(CI, empty=True), help="Which CI runs the tests (default: none).")
    yes: bool = option("--yes", "-y", help="Ask nothing: take the defaults for what is not given.")

    def __call__(self) -> int:
        from grice.cli.init_work import set_up

        return set_up(self)
