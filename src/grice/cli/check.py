"""`grice check`: what is wrong with files, without running them."""

from __future__ import annotations

from pathlib import Path

from grice.cli.arguments import Given, argument
from grice.cli.options import json_file, run_with_json


class Command(Given):
    """Say everything that is wrong with files, with its place and what to write, and run nothing.

    Matchers of your own are imported where a file or the settings name their modules.

    Exit code 0: all files are right. 1: something is wrong. 2: a path is not there, or nothing was found.
    """

    paths: tuple[Path, ...] = argument(
        metavar="PATH...",
        help="Suites, goldens, scenario sets, topic graphs, personas, rules on wording, stub scripts, logs, "
        "mappings and checks of logs, labels, examples, anchors, vocabulary, pyproject.toml and grice.toml; "
        "of a folder what the names tell (default: the current folder).",
    )
    json: Path | None = json_file("every file with its errors")

    def __call__(self) -> int:
        from grice.cli.check_work import check_paths

        return run_with_json(check_paths, self)
