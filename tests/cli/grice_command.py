"""What a run of the command gives, for tests."""

from collections.abc import Callable
from typing import NamedTuple


class Run(NamedTuple):
    """The exit code, and what was written to standard output and standard error."""

    code: int
    out: str
    err: str


Grice = Callable[..., Run]
"""The command in this process: takes its arguments, and by name `stdin`, `stdout` and `columns`."""
