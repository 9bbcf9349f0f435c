"""`grice token add`: a token with a name and a role."""

from __future__ import annotations

from grice.cli.commands import declared
from grice.cli.given import Given, argument, option
from grice.cli.options import URL, OneOf

__all__ = ["Arguments", "command"]


class Arguments(Given):
    """What `grice token add` was given."""

    name: str = argument(help="Whose token it is, or what it is for.")
    role: str = option(
        type=OneOf(("read", "run", "edit")),
        default="read",
        show_default=True,
        help="What it allows: to read, to run suites too, or to change everything.",
    )
    url: str = URL


@declared(Arguments)
def command(given: Arguments) -> int:
    """Make a token for `grice serve`, and print it once: only its hash is kept.

    A server that runs takes it at once. Exit code 0: made. 2: the name is taken, or the database cannot be
    used.
    """
    from grice.cli.token_work import make_token

    return make_token(given)
