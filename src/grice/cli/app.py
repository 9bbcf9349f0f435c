"""The commands of `grice`; their bodies are imported when they run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

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
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Test conversations with chatbots and LLM agents."""


@app.command()
def run(
    paths: Annotated[
        list[Path],
        typer.Argument(metavar="PATH", help="Golden files, or folders of them.", show_default=False),
    ],
    agent: Annotated[
        str | None,
        typer.Option(
            "--agent",
            metavar="MODULE:NAME",
            help="The agent under test. It wins over a golden's own agent, which wins over agent in "
            "[tool.grice] of the nearest pyproject.toml upwards from the golden.",
        ),
    ] = None,
    json: Annotated[Path | None, typer.Option("--json", help="Write the results to this file.")] = None,
    update: Annotated[
        bool, typer.Option("--grice-update", help="Rewrite what goldens observed, never their rules.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show every verdict and transcript.")
    ] = False,
) -> None:
    """Replay goldens, offline.

    A golden is a recorded conversation whose model replies are scripted.

    Exit code 0: all passed. 1: something did not. 2: wrong usage, a file or agent that cannot be loaded, or
    nothing to test; the other goldens are replayed all the same when one agent cannot be made. 130:
    interrupted; what was finished is reported and written. 141: nobody reads the output any more.
    """
    from grice.cli.run import run_goldens

    raise typer.Exit(run_goldens(paths, agent=agent, json=json, update=update, verbose=verbose))


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
) -> None:
    """Find bad replies in chat logs: no key, no set-up.

    Exits with 0 when the logs were scanned, 2 when a file could not be read or nothing was examined.
    """
    from grice.cli.scan import scan_files

    raise typer.Exit(scan_files(files, json, fail_on_findings=fail_on_findings))


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
