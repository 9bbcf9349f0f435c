"""`grice prompt diff`: what differs between two versions of a prompt."""

from __future__ import annotations

from grice.cli.commands import declared
from grice.cli.given import Given, Number, argument
from grice.cli.options import URL
from grice.cli.prompt_history import PROMPT

__all__ = ["Arguments", "command"]


class Arguments(Given):
    """What `grice prompt diff` was given."""

    prompt: str = PROMPT
    before: int = argument(type=Number(1), metavar="A", help="A version.")
    after: int | None = argument(
        type=Number(1), metavar="[B]", required=False, help="Another one (default: the latest)."
    )
    url: str = URL


@declared(Arguments)
def command(given: Arguments) -> int:
    """Print what differs between two versions of a prompt, line by line.

    Exit code 0: done, also where nothing differs. 2: there is no such version, the database cannot be used,
    or wrong usage.
    """
    from grice.cli.prompt_work import show_difference

    return show_difference(given)
