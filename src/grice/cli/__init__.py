"""The command line: `grice`. Commands translate arguments and decide nothing.

A command is a file: its options, and its body or what calls it. Whatever costs time is imported when the
command runs, so that help, errors and completion load nothing but the command line.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the `grice` command, with the arguments of the process unless others are given."""
    from grice.cli.app import app
    from grice.cli.exit_codes import UNUSABLE

    try:
        app.main(arguments, prog_name="grice")
    except OSError as error:
        if error.filename is not None:  # of a file it is told where that was to be read or written
            raise
        why = error.strerror or error
        print(f"error: the output cannot be written: standard output: {why}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left is written at the end
        sys.exit(UNUSABLE)
