"""`grice token revoke`: take a token away."""

from __future__ import annotations

from grice.cli.commands import declared
from grice.cli.given import Given, argument
from grice.cli.options import URL

__all__ = ["Arguments", "command"]


class Arguments(Given):
    """What `grice token revoke` was given."""

    name: str = argument(help="The name of the token.")
    url: str = URL


@declared(Arguments)
def command(given: Arguments) -> int:
    """Take a token of `grice serve` away. A server that runs refuses it at once.

    Exit code 0: done. 2: there is no such token, or the database cannot be used.
    """
    from grice.cli.token_work import take_token

    return take_token(given)
