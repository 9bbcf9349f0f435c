"""The commands of `grice`; their bodies are imported when they run."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from grice._runner import begin_session
from grice.cli.compare_app import compare
from grice.cli.gate_app import baseline, gate
from grice.cli.label_app import label
from grice.cli.report_app import report
from grice.cli.run_options import Runs, given_text, profile_name, record_mode, run_name, run_tags
from grice.cli.validate_app import validate

__all__ = ["app"]

app = typer.Typer(
    name="grice",
    help="Test conversations with chatbots and LLM agents.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _version(wanted: bool) -> None:
    if wanted:
        from grice._version import __version__

        typer.echo(f"grice {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[  # noqa: ARG001 - its callback shows it
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Test conversations with chatbots and LLM agents."""
    begin_session()


@app.command()
def run(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="PATH",
            help="Suites, goldens and test files, or folders of them; single tests (test_it.py::test_one, "
            "'test_it.py::test_one[scenario]') and scenario sets (.json, .jsonl, .yaml, .csv).",
            show_default=False,
        ),
    ],
    agent: Annotated[
        str | None,
        typer.Option(
            "--agent",
            metavar="MODULE:NAME",
            callback=given_text,
            show_default=False,
            help="The agent under test. It wins over the agent that a file names, which wins over agent in "
            "[tool.grice] of the nearest pyproject.toml upwards from the file.",
        ),
    ] = None,
    json: Annotated[Path | None, typer.Option("--json", help="Write the results to this file.")] = None,
    update: Annotated[
        bool,
        typer.Option(
            "--grice-update",
            help="Rewrite what goldens observed, never their rules, and record cassettes that exist anew.",
        ),
    ] = False,
    record: Annotated[
        str,
        typer.Option(
            "--record",
            metavar="MODE",
            callback=record_mode,
            show_default=False,
            help="Record what LLMs say into cassettes: once (where there is none yet), new, or all; none "
            "only replays, off leaves cassettes alone.",
        ),
    ] = "",
    repeat: Annotated[
        int, typer.Option("--repeat", min=1, metavar="N", help="Run everything so often, as a measurement.")
    ] = 1,
    concurrency: Annotated[
        int | None,
        typer.Option(
            "--concurrency",
            min=1,
            metavar="N",
            show_default=False,
            help="How many conversations are held at once (default: concurrency in [tool.grice], 20, for "
            "tests and sets; goldens and suites run one after the other).",
        ),
    ] = None,
    resume: Annotated[
        str,
        typer.Option(
            "--resume",
            metavar="RUN",
            show_default=False,
            help="Run only what an earlier run has not finished: its id, the beginning of it, its name, or "
            "latest.",
        ),
    ] = "",
    strict: Annotated[
        bool,
        typer.Option(
            "--strict",
            help="Fail hard checks that are trivially true, and tests with an expect(...) that checks "
            "nothing.",
        ),
    ] = False,
    name: Annotated[
        str | None,
        typer.Option("--name", callback=run_name, help="What the run is called.", show_default=False),
    ] = None,
    tag: Annotated[
        list[str] | None,
        typer.Option(
            "--tag",
            callback=run_tags,
            show_default=False,
            help="A word to find the run by later. May be given several times.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="The seed of random draws.")] = 0,
    check: Annotated[
        list[str] | None,
        typer.Option(
            "--check",
            metavar="MODULE:NAME",
            show_default=False,
            help="What is checked of each conversation of a scenario set: a matcher, or a function of it "
            "(default: that its goal was achieved). May be given several times.",
        ),
    ] = None,
    topics: Annotated[
        Path | None,
        typer.Option("--topics", metavar="FILE", help="The topic graph that scenario sets follow."),
    ] = None,
    ask: Annotated[
        bool,
        typer.Option(
            "--ask/--no-ask",
            help="Ask the judge for the topic of a turn that no trigger of --topics decides.",
        ),
    ] = True,
    mix: Annotated[
        bool,
        typer.Option(
            "--mix",
            help="Go on with --resume though agent, models, criteria or code are not those that the run "
            "began with; its report says so.",
        ),
    ] = False,
    keyword: Annotated[
        str,
        typer.Option(
            "-k", metavar="EXPRESSION", show_default=False, help="As for pytest: which tests to run."
        ),
    ] = "",
    stop_at_first: Annotated[
        bool, typer.Option("-x", "--exitfirst", help="As for pytest: end with the first that fails.")
    ] = False,
    last_failed: Annotated[
        bool,
        typer.Option("--last-failed", "--lf", help="As for pytest: only what failed in the last session."),
    ] = False,
    workers: Annotated[
        str,
        typer.Option(
            "-n",
            metavar="N",
            show_default=False,
            help="As for pytest-xdist: processes that tests are spread over.",
        ),
    ] = "",
    runs: Runs = None,
    save: Annotated[
        bool,
        typer.Option(
            "--save", help="Write the report to results/<id>.json (or set results in [tool.grice])."
        ),
    ] = False,
    save_to: Annotated[
        Path | None,
        typer.Option("--save-to", metavar="FOLDER", help="As --save, to <id>.json in this folder."),
    ] = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show every verdict and transcript.")
    ] = False,
) -> None:
    """Run suites, goldens, tests and scenario sets.

    A suite (*.grice.yaml) is a file of scenarios: what the user says, what the model answers, and checks. A
    golden (*.golden.json) is a recorded conversation whose model replies are scripted. The tests of a Python
    file are held many at once when they ask for `conversation` and `scenario` only; a set has a user played
    for each of its scenarios. Every result stands in the journal of the run before the next thing starts.

    Exit code 0: all passed. 1: something did not. 2: wrong usage, a file or agent that cannot be loaded, or
    nothing to test, as when every scenario is skipped; the rest is run all the same when one agent cannot be
    made. 130: interrupted; what was finished is reported and written. 141: nobody reads the output any more.
    """
    from grice.cli.run import RunArguments, run_paths

    raise typer.Exit(
        run_paths(
            RunArguments(
                paths,
                agent=agent or None,
                json=json,
                update=update,
                verbose=verbose,
                record=record,
                repeat=repeat,
                concurrency=concurrency or 0,
                resume=resume,
                strict=strict,
                name=name or "",
                tags=tag or (),
                seed=seed,
                topics=topics,
                ask=ask,
                checks=check or (),
                runs=runs,
                save=save,
                save_to=save_to,
                command=("grice", *sys.argv[1:]),
                mix=mix,
                keyword=keyword,
                stop_at_first=stop_at_first,
                last_failed=last_failed,
                workers=workers,
            )
        )
    )


@app.command()
def demo(
    bug: Annotated[
        str | None, typer.Option("--bug", metavar="A|B", help="Replay with this bug switched on only.")
    ] = None,
) -> None:
    """Replay the bundled example, then catch a bug in it.

    Exit code 0 when everything went as it should: nothing found without a bug, and every bug caught. 1 when
    it did not, or when anything ended in an error.
    """
    from grice.cli.demo import run_demo

    raise typer.Exit(run_demo(bug))


@app.command()
def scan(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE",
            help="JSONL logs, one conversation or message with conversation_id a line; .gz too; - is stdin.",
            show_default=False,
        ),
    ],
    json: Annotated[Path | None, typer.Option("--json", help="Write every finding to this file.")] = None,
    fail_on_findings: Annotated[
        bool, typer.Option("--fail-on-findings", help="Exit with 1 when something is found.")
    ] = False,
    checks: Annotated[
        str | None,
        typer.Option(
            "--checks",
            metavar="NAMES|FILE",
            show_default=False,
            help="Apply these checks instead: rules or matchers with commas (openers,toBeFreeOf,"
            "module:my_matcher), a group (all, tone, structure, evidence, "
            "semantics, tool_flow, contradiction), or a .yaml or .json "
            "file with a list of checks.",
        ),
    ] = None,
    profile: Annotated[
        str,
        typer.Option("--profile", metavar="seed|robust", show_default=False, help="The profile of --checks."),
    ] = "",
) -> None:
    """Find bad replies in chat logs: no key, no set-up.

    Exits with 0 when the logs were scanned, 2 when a file could not be read or nothing was examined, and for
    --checks that are wrong, broke or could tell nothing.
    """
    from grice.cli.scan import scan_files, scan_files_with

    if checks is not None or profile:
        code = scan_files_with(checks or "", files, json, profile=profile, fail_on_findings=fail_on_findings)
        raise typer.Exit(code)
    raise typer.Exit(scan_files(files, json, fail_on_findings=fail_on_findings))


@app.command()
def rubric(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE",
            help="Conversations as JSON or JSON Lines: lists of messages, or objects with messages or "
            "conversation; .gz too, or folders of such files; - is stdin.",
            show_default=False,
        ),
    ],
    profile: Annotated[
        str,
        typer.Option(
            "--profile", metavar="seed|robust", callback=profile_name, help="Which rule is applied."
        ),
    ] = "robust",
) -> None:
    """Say of each conversation whether the assistant contradicts itself: one line, true or false, and why.

    Exit code 0: no contradiction. 1: a contradiction, or a result that is not the expectedResult of its file.
    2: a file cannot be read, or nothing could be compared in any conversation.
    """
    from grice.cli.rubric import rubric_files

    raise typer.Exit(rubric_files(paths, profile="seed" if profile == "seed" else "robust"))


@app.command()
def lint(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILE...",
            help="JSON or JSON Lines of requests, message arrays, recorded conversations or results; .gz "
            "too; - is stdin.",
            show_default=False,
        ),
    ] = None,
    dialect: Annotated[
        str | None,
        typer.Option(
            "--dialect", help="anthropic, openai_chat or openai_responses; else the content tells it."
        ),
    ] = None,
    json: Annotated[Path | None, typer.Option("--json", help="Write every finding to this file.")] = None,
    ignore: Annotated[
        list[str] | None, typer.Option("--ignore", metavar="RULE", help="Leave this rule out; repeatable.")
    ] = None,
    fail_on_warnings: Annotated[
        bool, typer.Option("--fail-on-warnings", help="Exit with 1 for warnings too.")
    ] = False,
    rules: Annotated[bool, typer.Option("--rules", help="List the rules.")] = False,
) -> None:
    """Find what is wrong with message arrays: what a provider rejects, what misleads a model.

    Exit code 0: no errors. 1: errors found. 2: wrong usage, something could not be read or written, or
    nothing was examined.
    """
    from grice.cli.lint import lint_files, list_rules

    if rules:
        raise typer.Exit(list_rules())
    code = lint_files(
        files or [], dialect=dialect, json=json, ignore=ignore or (), fail_on_warnings=fail_on_warnings
    )
    raise typer.Exit(code)


@app.command()
def stub(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="SCRIPT",
            help="A script of replies and rules, or goldens. Without: an echo.",
            show_default=False,
        ),
    ] = None,
    port: Annotated[
        int,
        typer.Option("--port", min=0, max=65_535, help="The port on 127.0.0.1; 0 takes a free one."),
    ] = 8799,
    key: Annotated[
        str | None,
        typer.Option(
            "--key",
            help="The API key to ask for (default: GRICE_MODEL_KEY, else a new one). Those in "
            "ANTHROPIC_API_KEY and OPENAI_API_KEY are taken too.",
        ),
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option("--record", help="Append every exchange to this JSONL file, secrets redacted."),
    ] = None,
) -> None:
    """Play the model for an agent in any language, and show what it sends.

    Speaks OpenAI Chat Completions, Responses and embeddings, and Anthropic Messages, streaming too. Every
    request is shown with what is wrong in its messages. Exit code 0: all was answered as scripted. 1:
    something was not. 2: a file cannot be read, or the port is taken.
    """
    from grice.cli.stub import serve_stub

    raise typer.Exit(serve_stub(files or [], port=port, key=key, record=record))


suite = typer.Typer(help="Work with suite files, *.grice.yaml and *.grice.json.", no_args_is_help=True)
app.add_typer(suite, name="suite")


@suite.command("convert")
def suite_convert(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A suite file.", show_default=False)],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the new suite to this file.")
    ] = None,
    write: Annotated[bool, typer.Option("--write", help="Change the file itself.")] = False,
) -> None:
    """Write each expected_output as a toEqual in expect, and leave the rest of the file as it is.

    The new suite is printed unless an option says otherwise. Exit code 0: done, also when there was nothing
    to convert. 2: wrong usage, or a file that cannot be read or written. 141: nobody reads the output any
    more.
    """
    from grice.cli.suite import convert_suite

    raise typer.Exit(convert_suite(file, output=output, write=write))


app.command("compare")(compare)
app.command("gate")(gate)
app.command("baseline")(baseline)
app.command("label")(label)
app.command("report")(report)
app.add_typer(validate, name="validate")


@app.command()
def matchers(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME", help="Only these, with all that is known of them.", show_default=False
        ),
    ] = None,
    json: Annotated[Path | None, typer.Option("--json", help="Write them to this file.")] = None,
) -> None:
    """List the matchers that files may name: built-in ones, the project's, and those of packages.

    The project's are those of the modules that [tool.grice] matchers names. Exit code 0: listed. 2: a name is
    none, a module or package cannot be loaded, or the file cannot be written. 141: nobody reads the output.
    """
    from grice.cli.matchers import show_matchers

    raise typer.Exit(show_matchers(names or (), json=json))


schema = typer.Typer(help="Print the JSON Schemas of files, for editors.", no_args_is_help=True)
app.add_typer(schema, name="schema")


@schema.command("suite")
def schema_suite() -> None:
    """Print the JSON Schema of suite files, with your own matchers where [tool.grice] matchers names them.

    Save it beside them and begin a suite with: # yaml-language-server: $schema=grice-suite.schema.json
    """
    from grice.cli.suite import print_suite_schema

    raise typer.Exit(print_suite_schema())
