"""`grice extract`: a test from a finding."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from grice.cli.arguments import Given, Number, argument, option
from grice.cli.completion import check_names
from grice.cli.options import MAP, RUNS, OneOf

FORMS = ("suite", "golden", "pytest")
STAND_INS = Path(".grice", "private", "stand-ins.json")


class KofN(click.ParamType[tuple[int, int]]):
    """How often of how many times: `2/3`."""

    name = "K/N"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        """Both numbers. Raises BadParameter."""
        needed, _, times = str(value).partition("/")
        if not (needed.isdecimal() and times.isdecimal() and 0 < int(needed) <= int(times)):
            self.fail(f"expected K/N, as in 2/3 for two of three times, found {value!r}", param, ctx)
        return int(needed), int(times)


class Command(Given):
    """Write a test that fails for a finding and passes once it is mended.

    The conversation is shrunk to what the finding needs; secrets, names, addresses and ids are replaced (what
    stood for what is kept in .grice/private); the test is run at once, and its first lines say what is
    proved. Exits with 0 when tests were written or are there already, 1 when nothing was found, 2 when
    something cannot be read or written.
    """

    where: str = argument(
        metavar="LOG:LINE|RUN@ID|LOG",
        help="A log and the line of a conversation, a run and the key of a test in it, or a whole log, of "
        "which alike findings make one test.",
    )
    turn: int | None = option(type=Number(1), metavar="N", help="The turn with the finding (default: all).")
    label: tuple[str, ...] = option(
        metavar="LABEL", help="Findings of this check only, as grice scan names it; repeatable."
    )
    checks: str = option(
        metavar="NAMES|FILE",
        shell_complete=check_names,
        help="The checks to make, as grice scan takes them.",
    )
    map: str | None = MAP
    out: Path = option(
        "-o", "--out", default=Path("tests"), show_default=True, metavar="FOLDER", help="Where to write."
    )
    form: str | None = option(
        "--as",
        type=OneOf(FORMS),
        help="What to write: a suite, a golden, or a pytest function (default: a golden of tool-flow or lint "
        "where the model's replies are known, else a suite).",
    )
    simulated: bool = option(
        help="Write a test in which a simulated user wants the same: goal, persona and facts are drawn by "
        "rules, or by the project's user_llm, and are to be read."
    )
    agent: str = option(metavar="MODULE:NAME", help="The agent that the test names (default: the project's).")
    keep: tuple[str, ...] = option(
        metavar="VALUE", help="Leave this name, id or address as it is; repeatable."
    )
    at_most: int = option(
        type=Number(1), default=60, show_default=True, metavar="N", help="Checks made to shrink a test."
    )
    ask: tuple[int, int] | None = option(
        type=KofN(),
        default=None,
        metavar="K/N",
        help="Ask the agent itself N times at each step: what it fails less than K times without stays.",
    )
    update: bool = option(help="Write tests anew that nobody edited since they were extracted.")
    runs: Path | None = RUNS

    def __call__(self) -> int:
        from grice.cli.extract_work import extract_tests

        return extract_tests(self)
