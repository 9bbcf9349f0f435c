"""`grice prompt show`: the text of a version of a prompt."""

from __future__ import annotations

from grice.cli.commands import declared
from grice.cli.given import Given, Number, option
from grice.cli.options import URL
from grice.cli.prompt_history import PROMPT

__all__ = ["Arguments", "command"]


class Arguments(Given):
    """What `grice prompt show` was given."""

    prompt: str = PROMPT
    version: int | None = option(type=Number(1), metavar="N", help="Which version (default: the latest).")
    url: str = URL


@declared(Arguments)
def command(given: Arguments) -> int:
    """Print the text of a version of a prompt, as it is.

    Exit code 0: done. 2: there is no such version, the database cannot be used, or wrong usage.
    """
    from grice.cli.prompt_work import show_version

    return show_version(given)
