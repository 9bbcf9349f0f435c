"""`grice token list`: the tokens of the service."""

from __future__ import annotations

from grice.cli.commands import declared
from grice.cli.given import Given
from grice.cli.options import URL

__all__ = ["Arguments", "command"]


class Arguments(Given):
    """What `grice token list` was given."""

    url: str = URL


@declared(Arguments)
def command(given: Arguments) -> int:
    """List the tokens of `grice serve` with their roles.

    Exit code 0: listed. 2: the database cannot be used.
    """
    from grice.cli.token_work import list_tokens

    return list_tokens(given)
