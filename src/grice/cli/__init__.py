"""The command line: `grice`. Commands translate arguments and decide nothing."""

from __future__ import annotations

__all__ = ["main"]


def main() -> None:
    """Run the `grice` command."""
    from grice.cli.app import app

    app()
