"""`grice run`: suites, goldens, tests and scenario sets, and its options."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grice.cli.arguments import Given, Number, argument, option
from grice.cli.options import RUNS, SAVE, SAVE_TO, OneOf, given_text, json_file, run_with_json, verbose

if TYPE_CHECKING:
    from grice.running.run_options import RunOptions


RECORD_MODES = ("none", "once", "new", "all", "off")


class Target(click.Path):
    """A path, or the id of a test, which stays as it is written."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path, or the id as it is."""
        return value if "::" in str(value) else super().convert(value, param, ctx)


class Named(click.ParamType[str]):
    """What a run can be called; without a default, an empty text is none."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The text. Raises BadParameter for what no run can be called."""
        from grice.running.run_names import name_problem

        problem = name_problem(value)
        if problem:
            self.fail(problem, param, ctx)
        return str(value)


class RunId(click.ParamType[str]):
    """The id of a run that is to begin, as Grice makes them."""

    name = "id"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The id. Raises BadParameter for a text of another form."""
        from grice.running.journal.experiment import is_experiment_id

        if not is_experiment_id(value):
            self.fail(f"expected exp_ and 12 hex digits, found {value!r}", param, ctx)
        return str(value)


class Command(Given):
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

    paths: tuple[Path | str, ...] = argument(
        nargs=-1,
        required=True,
        type=Target(),
        metavar="PATH...",
        help="Suites, goldens and test files, or folders of them; single ones (test_it.py::test_one, "
        "suite.grice.yaml::id) and scenario sets (.json, .jsonl, .yaml, .csv).",
    )
    agent: str = option(
        metavar="MODULE:NAME",
        callback=given_text,
        help="The agent under test, or its address (http://...). It wins over the agent that a file names, "
        "which wins over that of the settings (grice.toml or [tool.grice] of pyproject.toml, nearest "
        "upwards).",
    )
    json: Path | None = json_file("the results")
    update: bool = option(
        "--grice-update",
        help="Rewrite what goldens observed, never their rules, and record cassettes that exist anew.",
    )
    record: str = option(
        type=OneOf(RECORD_MODES, empty=True),
        metavar="MODE",
        help="Record what LLMs say into cassettes: once (where there is none yet), new, or all; none only "
        "replays, off leaves cassettes alone.",
    )
    repeat: int = option(
        type=Number(1), default=1, metavar="N", help="Run everything so often, as a measurement."
    )
    concurrency: int | None = option(
        type=Number(1),
        metavar="N",
        help="How many conversations are held at once (default: concurrency in [tool.grice], 20, for sets "
        "and @simulated tests; everything else runs one after the other).",
    )
    resume: str = option(
        metavar="RUN",
        help="Run only what an earlier run has not finished: its id, the beginning of it, its name, or "
        "latest.",
    )
    strict: bool = option(
        help="Fail hard checks that are trivially true, and tests with an expect(...) that checks nothing."
    )
    name: str | None = option(type=Named(), default=None, help="What the run is called.")
    tags: tuple[str, ...] = option(
        "--tag", type=Named(), help="A word to find the run by later. May be given several times."
    )
    run_id: str | None = option(
        type=RunId(),
        default=None,
        metavar="ID",
        help="The id of the run, for who starts it and wants to know it beforehand: exp_ and 12 hex digits "
        "(default: a new one).",
    )
    seed: int = option(default=0, help="The seed of random draws.")
    checks: tuple[str, ...] = option(
        "--check",
        metavar="MODULE:NAME",
        help="What is checked of each conversation of a scenario set: a matcher, or a function of it "
        "(default: that its goal was achieved). May be given several times.",
    )
    topics: Path | None = option(metavar="FILE", help="The topic graph that scenario sets follow.")
    ask: bool = option(
        "--ask/--no-ask",
        default=True,
        help="Ask the judge for the topic of a turn that no trigger of --topics decides.",
    )
    state: str = option(
        metavar="MODULE:NAME",
        help="Where the state is read that conversations of sets may change, a function or an address; a "
        "--check judges it.",
    )
    mix: bool = option(
        help="Go on with --resume though agent, models, criteria or code are not those that the run began "
        "with; its report says so."
    )
    keyword: str = option("-k", metavar="EXPRESSION", help="As for pytest: which tests to run.")
    stop_at_first: bool = option("-x", "--exitfirst", help="As for pytest: end with the first that fails.")
    last_failed: bool = option(
        "--last-failed", "--lf", help="As for pytest: only what failed in the last session."
    )
    workers: str = option(
        "-n", metavar="N", help="As for pytest-xdist: processes that tests are spread over."
    )
    engine: str = option(
        type=OneOf(("ray",), empty=True),
        help="Hold the conversations of scenario sets on the machines of Ray. Default: on this one.",
    )
    runs: Path | None = RUNS
    save: bool = SAVE
    save_to: Path | None = SAVE_TO
    verbose: bool = verbose("every verdict and transcript")

    @property
    def for_pytest(self) -> str:
        """The first option that only pytest has, "" where none is given."""
        given = {
            "-k": self.keyword,
            "-x": self.stop_at_first,
            "--last-failed": self.last_failed,
            "-n": self.workers,
        }
        return next((name for name, value in given.items() if value), "")

    @property
    def options(self) -> RunOptions:
        """The same for conversations that are held many at once."""
        options: RunOptions = {"repeat": self.repeat, "seed": self.seed, "record": self.record}
        if self.concurrency:
            options["concurrency"] = self.concurrency
        if self.topics is not None:
            options["topics"] = self.topics
            options["ask"] = self.ask
        if self.state:
            options["state"] = self.state
        return options

    def __call__(self) -> int:
        from grice.cli.run_work import run_paths

        return run_with_json(run_paths, self, sys.stderr)
