"""`grice stub`: play the model for an agent in any language."""

from __future__ import annotations

from pathlib import Path

from grice.cli.arguments import Given, Number, argument, option


class Command(Given):
    """Play the model for an agent in any language, and show what it sends.

    Speaks OpenAI Chat Completions, Responses and embeddings, and Anthropic Messages, streaming too. Every
    request is shown with what is wrong in its messages. With --upstream a real model answers. Exit code 0:
    all was answered. 1: something was not. 2: a file or an option is wrong, or the port is taken.
    """

    files: tuple[Path, ...] = argument(
        metavar="[SCRIPT]...", help="A script of replies and rules, or goldens. Without: an echo."
    )
    port: int = option(
        type=Number(0, 65_535),
        metavar="N",
        default=8799,
        show_default=True,
        help="The port on 127.0.0.1; 0 takes a free one.",
    )
    key: str = option(
        help="The API key to ask for (default: GRICE_MODEL_KEY, else a new one). Those in ANTHROPIC_API_KEY "
        "and OPENAI_API_KEY are taken too."
    )
    record: Path | None = option(
        metavar="FILE", help="Append every exchange to this JSONL file, secrets redacted."
    )
    upstream: str = option(
        metavar="URL", help="Pass requests on to the real model at this address, and show its replies."
    )
    upstream_key_env: str = option(
        metavar="NAME",
        help="The environment variable with the real model's API key (default: ANTHROPIC_API_KEY or "
        "OPENAI_API_KEY, as the request is). Clients keep the stub's.",
    )
    cassette: Path | None = option(
        metavar="FILE",
        help="Record the real model's replies there; once the file exists, answer from it and ask nobody.",
    )

    def __call__(self) -> int:
        from grice.cli.stub_work import serve_stub

        return serve_stub(self)
