"""`grice prompt restore`: an earlier version of a prompt as its latest."""

from __future__ import annotations

from grice.cli.commands import declared
from grice.cli.given import Given, Number, argument
from grice.cli.options import URL
from grice.cli.prompt_history import PROMPT

__all__ = ["Arguments", "command"]


class Arguments(Given):
    """What `grice prompt restore` was given."""

    prompt: str = PROMPT
    version: int = argument(type=Number(1), metavar="VERSION", help="The version to go back to.")
    url: str = URL


@declared(Arguments)
def command(given: Arguments) -> int:
    """Write an earlier version of a prompt to its file, and keep that as the latest version.

    A text in the file that no version has is kept first. Exit code 0: done. 2: there is no such version, the
    file or the database cannot be used, or wrong usage.
    """
    from grice.cli.prompt_work import restore_version

    return restore_version(given)
