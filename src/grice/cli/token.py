"""`grice token`: who may ask the service."""

from __future__ import annotations

from grice.cli.arguments import Given, argument, option
from grice.cli.options import URL, OneOf


class Add(Given):
    """Make a token for `grice serve`, and print it once: only its hash is kept.

    A server that runs takes it at once. Exit code 0: made. 2: the name is taken, or the database cannot be
    used.
    """

    name: str = argument(help="Whose token it is, or what it is for.")
    role: str = option(
        type=OneOf(("read", "run", "edit")),
        default="read",
        show_default=True,
        help="What it allows: to read, to run suites too, or to change everything.",
    )
    url: str = URL

    def __call__(self) -> int:
        from grice.cli.token_work import make_token

        return make_token(self)


class ListAll(Given):
    """List the tokens of `grice serve` with their roles.

    Exit code 0: listed. 2: the database cannot be used.
    """

    url: str = URL

    def __call__(self) -> int:
        from grice.cli.token_work import list_tokens

        return list_tokens(self)


class Revoke(Given):
    """Take a token of `grice serve` away. A server that runs refuses it at once.

    Exit code 0: done. 2: there is no such token, or the database cannot be used.
    """

    name: str = argument(help="The name of the token.")
    url: str = URL

    def __call__(self) -> int:
        from grice.cli.token_work import take_token

        return take_token(self)
