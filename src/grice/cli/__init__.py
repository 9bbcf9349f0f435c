"""The command line: `grice`. Commands translate arguments and decide nothing.

A command is a file: its options, and its body or what calls it. Whatever costs time is imported when the
command runs, so that help, errors and completion load nothing but the command line.
"""

from __future__ import annotations

import atexit
import gc
from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the `grice` command, with the arguments of the process unless others are given."""
    from grice.cli.app import app

    atexit.register(gc.freeze)  # else Python looks through all that is left once more before it ends
    app.main(arguments, prog_name="grice")
