"""`grice serve`: pages for people, and the service for programs."""

from __future__ import annotations

from pathlib import Path

from grice.cli.arguments import Given, Number, option
from grice.cli.options import RUNS, URL


class Command(Given):
    """Show this project in a browser, and serve it to programs, over HTTP on this machine.

    Whoever asks needs the token; `grice token add` makes more of them, which may only read, or read and run.

    Exit code 0: it was ended by Ctrl-C or SIGTERM. 2: the port is taken, another server starts the runs of
    this folder, the token or the database cannot be used, or wrong usage.
    """

    port: int = option(
        type=Number(0, 65_535),
        metavar="N",
        default=8765,
        show_default=True,
        help="The port on 127.0.0.1; 0 takes a free one.",
    )
    token_file: Path | None = option(
        metavar="FILE", help="The file with the token (default: a new one, which is printed as a link)."
    )
    allow_code: bool = option(
        help="Let whoever may edit name other agents, modules and files in suites. They run as you do.",
    )
    runs_at_once: int = option(
        type=Number(1, 64),
        metavar="N",
        default=2,
        show_default=True,
        help="How many runs go on at once that are started here; the others wait.",
    )
    url: str = URL
    runs: Path | None = RUNS

    def __call__(self) -> int:
        from grice.cli.serve_work import serve_project

        return serve_project(self)
