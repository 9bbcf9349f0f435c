"""`grice run`: suites, goldens, tests and scenario sets."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click
from click import argument, option

from grice.cli.commands import declared
from grice.cli.options import FILE, OneOf, given_text, json_file, run_with_json, runs, save, save_to, verbose

__all__ = ["RECORD_MODES", "command"]

RECORD_MODES = ("none", "once", "new", "all", "off")


class Target(click.Path):
    """A path, or the id of a test, which stays as it is written."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return value if "::" in str(value) else super().convert(value, param, ctx)


def _name(_ctx: click.Context, _param: click.Parameter, given: str | None) -> str:
    if given is not None:
        _refuse(given)
    return given or ""


def _tags(_ctx: click.Context, _param: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    for tag in given:
        _refuse(tag)
    return given


def _refuse(text: str) -> None:
    """Raise BadParameter for what no run can be called."""
    from grice.running.run_names import name_problem

    problem = name_problem(text)
    if problem:
        raise click.BadParameter(problem)


@declared
@argument(
    "paths",
    nargs=-1,
    required=True,
    type=Target(),
    metavar="PATH...",
    help="Suites, goldens and test files, or folders of them; single ones (test_it.py::test_one, "
    "suite.grice.yaml::id) and scenario sets (.json, .jsonl, .yaml, .csv).",
)
@option(
    "--agent",
    metavar="MODULE:NAME",
    callback=given_text,
    help="The agent under test, or its address (http://...). It wins over the agent that a file names, which "
    "wins over that of the settings (grice.toml or [tool.grice] of pyproject.toml, nearest upwards).",
)
@json_file("the results")
@option(
    "--grice-update",
    "update",
    is_flag=True,
    help="Rewrite what goldens observed, never their rules, and record cassettes that exist anew.",
)
@option(
    "--record",
    type=OneOf(RECORD_MODES, empty=True),
    metavar="MODE",
    help="Record what LLMs say into cassettes: once (where there is none yet), new, or all; none only "
    "replays, off leaves cassettes alone.",
)
@option(
    "--repeat",
    type=click.IntRange(min=1),
    default=1,
    metavar="N",
    help="Run everything so often, as a measurement.",
)
@option(
    "--concurrency",
    type=click.IntRange(min=1),
    metavar="N",
    help="How many conversations are held at once (default: concurrency in [tool.grice], 20, for sets and "
    "@simulated tests; everything else runs one after the other).",
)
@option(
    "--resume",
    metavar="RUN",
    default="",
    help="Run only what an earlier run has not finished: its id, the beginning of it, its name, or latest.",
)
@option(
    "--strict",
    is_flag=True,
    help="Fail hard checks that are trivially true, and tests with an expect(...) that checks nothing.",
)
@option("--name", callback=_name, help="What the run is called.")
@option(
    "--tag",
    "tags",
    multiple=True,
    callback=_tags,
    help="A word to find the run by later. May be given several times.",
)
@option("--seed", type=int, default=0, help="The seed of random draws.")
@option(
    "--check",
    "checks",
    multiple=True,
    metavar="MODULE:NAME",
    help="What is checked of each conversation of a scenario set: a matcher, or a function of it (default: "
    "that its goal was achieved). May be given several times.",
)
@option("--topics", type=FILE, metavar="FILE", help="The topic graph that scenario sets follow.")
@option(
    "--ask/--no-ask",
    default=True,
    help="Ask the judge for the topic of a turn that no trigger of --topics decides.",
)
@option(
    "--mix",
    is_flag=True,
    help="Go on with --resume though agent, models, criteria or code are not those that the run began with; "
    "its report says so.",
)
@option("-k", "keyword", default="", metavar="EXPRESSION", help="As for pytest: which tests to run.")
@option(
    "-x", "--exitfirst", "stop_at_first", is_flag=True, help="As for pytest: end with the first that fails."
)
@option(
    "--last-failed",
    "--lf",
    "last_failed",
    is_flag=True,
    help="As for pytest: only what failed in the last session.",
)
@option(
    "-n",
    "workers",
    default="",
    metavar="N",
    help="As for pytest-xdist: processes that tests are spread over.",
)
@runs
@save
@save_to
@verbose("every verdict and transcript")
def command(
    paths: tuple[Path | str, ...],
    agent: str,
    json: Path | None,
    record: str | None,
    concurrency: int | None,
    **more: Any,
) -> int:
    """Run suites, goldens, tests and scenario sets.

    A suite (*.grice.yaml) is a file of scenarios: what the user says, what the model answers, and checks. A
    golden (*.golden.json) is a recorded conversation whose model replies are scripted. A set has a user
    played for each of its scenarios. Python tests are run by pytest, and so are suites and goldens for which
    a conftest.py has fixtures. Every result stands in the journal of the run before the next thing starts.
    With --json - what is printed goes to standard error.

    Exit code 0: all passed. 1: something did not. 2: wrong usage, a file or agent that cannot be loaded, or
    nothing to test, as when every scenario is skipped; the rest is run all the same when one agent cannot be
    made. 130: interrupted; what was finished is reported and written. 141: nobody reads the output any more.
    """
    from grice.cli.run import RunArguments, run_paths

    def run(json: Path | None) -> int:
        return run_paths(
            RunArguments(
                paths,
                agent=agent or None,
                json=json,
                record=record or "",
                concurrency=concurrency or 0,
                command=("grice", *sys.argv[1:]),
                **more,
            )
        )

    return run_with_json(run, json, sys.stderr)
