"""The work of `grice serve`: the project of the current folder, until the process is asked to end."""

from __future__ import annotations

import errno
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grice.cli.db_work import in_database
from grice.cli.ending import asked_to_end
from grice.cli.exit_codes import UNUSABLE
from grice.cli.serve import Command
from grice.files.settings import Settings, find_settings
from grice.reporting.console import Screen, print_line, print_problem, screen_for
from grice.running.runs_folder import runs_folder
from grice.user_files import open_file

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from grice.api.server import ApiServer
    from grice.api.service import Service


_SHORTEST = 16
_LONGEST = 1000


class _BadToken(Exception):
    """The token cannot be used."""


def serve_project(
    given: Command, until: Callable[[], AbstractContextManager[Callable[[], object]]] = asked_to_end
) -> int:
    """Serve until SIGINT or SIGTERM, or until what `until` gives returns; the exit code."""
    errors = screen_for(sys.stderr)
    if find_spec("fastapi") is None or find_spec("uvicorn") is None:
        print_problem(errors, "error: grice serve needs FastAPI and uvicorn: pip install 'grice[web]'")
        return UNUSABLE
    try:
        token = "" if given.token_file is None else _token_in(given.token_file)
    except _BadToken as error:
        print_problem(errors, f"error: --token-file: {error}")
        return UNUSABLE

    def work(console: Screen, engine: Engine) -> bool:
        from grice.api.server import AlreadyServed, ApiServer
        from grice.api.service import Service
        from grice.store.tokens import new_token
        from grice.web.assets import NoHtmx, asset
        from grice.web.site import make_site

        settings = find_settings(Path.cwd()) or Settings(Path.cwd())
        made = token or new_token()
        runs = runs_folder(given.runs).absolute()
        service = Service(
            settings, engine, runs, made, allow_code=given.allow_code, runs_at_once=given.runs_at_once
        )
        server = ApiServer(service, given.port, make=make_site)
        try:
            asset("htmx.js")
            with until() as wait, server:
                _greet(console, server, service, "" if token else made)
                wait()
        except (NoHtmx, AlreadyServed) as error:
            print_problem(errors, f"error: {error}")
            return False
        except OSError as error:
            print_problem(errors, f"error: {_why_not(given.port, error)}")
            return False
        return True

    return in_database(given.url, work, make=True)


def _greet(console: Screen, server: ApiServer, service: Service, made: str) -> None:
    print_line(console, f"Grice serves {service.project} at {server.url}. Ctrl-C ends it.")
    if made:
        print_line(console, "Open this link. A program sends what follows `token=` as its bearer token.")
        click.echo(server.link(made), file=console.file)  # it is there to be copied
    console.file.flush()


def _token_in(path: Path) -> str:
    """The token in the file. Raises _BadToken."""
    try:
        with open_file(path) as file:
            token = file.read(_LONGEST + 2).decode("ascii").strip()
    except OSError as error:
        raise _BadToken(f"{path}: {error.strerror or error}") from error
    except UnicodeDecodeError:
        raise _BadToken(f"{path}: expected letters, digits and signs of ASCII") from None
    if not _SHORTEST <= len(token) <= _LONGEST or not token.isprintable() or " " in token:
        raise _BadToken(
            f"{path}: expected one token of {_SHORTEST} to {_LONGEST} characters without spaces, found "
            f"{len(token)} characters; `openssl rand -hex 32` makes one"
        )
    return token


def _why_not(port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is in use; --port 0 takes a free one"
    return f"it cannot be served at port {port}: {error.strerror or error}"
