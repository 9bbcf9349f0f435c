"""`grice prompt history`: the versions of a prompt."""

from __future__ import annotations

from grice.cli.commands import declared
from grice.cli.given import Given, argument
from grice.cli.options import URL

__all__ = ["PROMPT", "Arguments", "command"]

PROMPT = argument(metavar="FILE", help="The file of a prompt, or the name of one that has none.")


class Arguments(Given):
    """What `grice prompt history` was given."""

    prompt: str = PROMPT
    url: str = URL


@declared(Arguments)
def command(given: Arguments) -> int:
    """List the versions of a prompt that the database keeps, the latest first, with the runs that used each.

    Exit code 0: done. 2: no version of it is kept, the database cannot be used, or wrong usage.
    """
    from grice.cli.prompt_work import list_versions

    return list_versions(given)
