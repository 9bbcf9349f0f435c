"""`grice demo`: the bundled example, then a bug in it."""

from __future__ import annotations

from grice.cli.arguments import Given, option


class Command(Given):
    """Replay the bundled example, then catch a bug in it.

    Exit code 0 when everything went as it should: nothing found without a bug, and every bug caught. 1 when
    it did not, or when anything ended in an error.
    """

    bug: str | None = option(default=None, metavar="A|B", help="Replay with this bug switched on only.")

    def __call__(self) -> int:
        from grice.cli.demo_work import run_demo

        return run_demo(self.bug)
