"""The work of `grice stub`: play the model for an agent in any language, and show what it sends."""

from __future__ import annotations

import errno
import os
import shlex
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import click
import msgspec

from grice.checks.message_lint import lint_messages
from grice.cli.ending import asked_to_end
from grice.cli.exit_codes import FAILED, PASSED, UNUSABLE
from grice.cli.stub import Command
from grice.files.document import FileError, FileErrors
from grice.files.stub_scripts import StubScript, load_scripts
from grice.files.writing import check_output
from grice.identity import redact
from grice.records import Exchange
from grice.reporting.console import Screen, print_line, print_problem, screen_for
from grice.text import did_you_mean, plural, shorten, visible
from grice.user_files import open_file, real_path
from grice.wire import ScriptedModel, ScriptError
from grice.wire.cassettes import Cassette
from grice.wire.cassettes.errors import CassetteError
from grice.wire.shared_stub import environment_keys
from grice.wire.stub import StubServer
from grice.wire.upstream import Upstream

_BEGINNING = b'{"conversation":'
"""How a file of exchanges begins."""


def serve_stub(
    given: Command, until: Callable[[], AbstractContextManager[Callable[[], object]]] = asked_to_end
) -> int:
    """Serve until SIGINT or SIGTERM, or until what `until` gives returns; the exit code."""
    console, errors = screen_for(sys.stdout), screen_for(sys.stderr)
    try:
        with _real_model(given) as upstream:
            return _serve(given, upstream, until, console)
    except (FileError, FileErrors, CassetteError, BadUpstream) as error:
        print_problem(errors, str(error))
        return UNUSABLE
    except BadRecord as error:
        print_problem(errors, f"error: --record: {error}")
        return UNUSABLE
    except OSError as error:
        print_problem(errors, f"error: {_why_not(given.port, error)}")
        return UNUSABLE


def _serve(
    given: Command,
    upstream: Upstream | None,
    until: Callable[[], AbstractContextManager[Callable[[], object]]],
    console: Screen,
) -> int:
    scripts = load_scripts(given.files)
    if given.record is not None:
        _check_record(given.record, given.files)
    with _output(given.record) as output:
        desk = Desk(scripts, console, output, upstream)
        own = given.key or os.environ.get("GRICE_MODEL_KEY", "")
        root = desk.new_model("") if len(scripts) == 1 else None
        keys = environment_keys() if upstream is None else ()  # the real model's key stays here
        server = StubServer(root=root, port=given.port, key=own, keys=keys, new_model=desk.new_model)
        with until() as wait, server:
            _greet(console, server, scripts, upstream)
            wait()
    return desk.finish()


class BadUpstream(Exception):
    """The real model cannot be asked as the options say."""


@contextmanager
def _real_model(given: Command) -> Iterator[Upstream | None]:
    """The real model that the options name, None without one; its cassette is written at the end."""
    if not given.upstream and given.cassette is None:
        if given.upstream_key_env:
            raise BadUpstream("error: --upstream-key-env: it goes with --upstream")
        yield None
        return
    if given.files:
        raise BadUpstream("error: a script and a real model do not go together: leave one of them out")
    if given.cassette is None:
        yield _upstream(given, None)
        return
    if not given.upstream and not given.cassette.exists():
        raise BadUpstream(f"error: --cassette: there is no {given.cassette} yet: record it with --upstream")
    from grice.wire.cassettes import Cassette

    with Cassette.open(given.cassette, "once", test="grice stub", kinds=["model"]) as cassette:
        yield _upstream(given, cassette)


def _upstream(given: Command, cassette: Cassette | None) -> Upstream:
    from grice.wire.upstream import Upstream

    try:
        upstream = Upstream(given.upstream, given.upstream_key_env, cassette=cassette)
    except ValueError as error:
        raise BadUpstream(f"error: --upstream: {error}") from None
    if upstream.missing_key:
        name = upstream.missing_key
        raise BadUpstream(f"error: --upstream-key-env: the environment variable {name} is not set")
    return upstream


class Desk:
    """Makes the model of each conversation, and shows and writes every exchange as it comes."""

    def __init__(
        self, scripts: Sequence[StubScript], console: Screen, output: Any, upstream: Upstream | None = None
    ) -> None:
        self._scripts = scripts
        self._upstream = upstream
        self._console = console
        self._output = output
        self._lock = threading.Lock()
        self._models: list[ScriptedModel] = []
        self._count = 0
        self._problems = 0

    def new_model(self, name: str) -> ScriptedModel:
        """The model of a conversation: with the golden's script of that name, or the only script."""
        script = self._script(name)
        model = script.model() if script is not None and self._upstream is None else ScriptedModel()
        model.upstream = self._upstream
        model.sink = Line(self, name)
        model.settled = partial(self.write, name)
        self._models.append(model)
        if script is None:
            names = [one.name for one in self._scripts]
            hint = did_you_mean(name, names)
            self.problem(f"there is no golden {name!r}{hint}; there are {', '.join(names)}")
        return model

    def _script(self, name: str) -> StubScript | None:
        if len(self._scripts) == 1:
            return self._scripts[0]
        return next((one for one in self._scripts if one.name == name), None)

    def exchange(self, name: str, exchange: Exchange) -> None:
        """Show an exchange with what the lint finds in its request."""
        with self._lock:
            self._count += 1
            for row in _rows(self._count, name, exchange):
                print_line(self._console, visible(row, newlines=False), hanging="       ")

    def write(self, name: str, exchange: Exchange) -> None:
        """Write an exchange whose record changes no more."""
        if self._output is None:
            return
        line = msgspec.json.encode(redact({"conversation": name, **msgspec.to_builtins(exchange)})) + b"\n"
        with self._lock:
            if not self._output.closed:  # a function that took longer than the stub ran
                self._output.write(line)
                self._output.flush()

    def problem(self, text: str) -> None:
        """Show what went wrong."""
        with self._lock:
            self._problems += 1
            print_problem(self._console, f"       {text}")

    def finish(self) -> int:
        """Say how it went; the exit code."""
        unused = sum(model.unused for model in self._models if model.asked)
        left = f"; {unused} scripted replies were not asked for" if unused else ""
        wrong = f"; {self._problems} went wrong" if self._problems else ""
        print_line(self._console, f"{self._count} request{'' if self._count == 1 else 's'}{wrong}{left}")
        return FAILED if self._problems else PASSED


class Line:
    """The sink of one conversation."""

    def __init__(self, desk: Desk, name: str) -> None:
        self._desk = desk
        self._name = name

    running = False

    def add_exchange(self, exchange: Exchange, model: object) -> None:  # noqa: ARG002
        """Show the exchange."""
        self._desk.exchange(self._name, exchange)

    def replace_exchange(self, old: Exchange, new: Exchange) -> None:
        """Say what went wrong with an exchange that was shown."""
        if new.error is not None and new.error != old.error:
            self._desk.problem(new.error)

    def add_problem(self, problem: ScriptError) -> None:
        """Show what no script answers."""
        self._desk.problem(str(problem))


def _rows(number: int, name: str, exchange: Exchange) -> Iterator[str]:
    where = f"/c/{name}  " if name else ""
    asked = f"{exchange.dialect}  {exchange.model}  {plural(len(exchange.messages), 'message')}"
    offered = f", {plural(len(exchange.offered_tools), 'tool')}" if exchange.offered_tools else ""
    yield f"{number:>5}  {where}{asked}{offered}  ->  {_said(exchange)}"
    if exchange.dialect == "openai_embeddings":
        return
    for finding in lint_messages(exchange):
        yield f"       {finding.severity}  {finding.path}  {finding.rule}: {finding.found}"


def _said(exchange: Exchange) -> str:
    if exchange.error is not None:
        return shorten(exchange.error, 200)
    called = ", ".join(exchange.asked_tools)
    return f"calls {called}" if called else f"{exchange.output_tokens or 0} tokens"


def _greet(
    console: Screen, server: StubServer, scripts: Sequence[StubScript], upstream: Upstream | None
) -> None:
    said = "goldens" if scripts[0].name else "your script"
    if len(scripts) == 1 and scripts[0].rules and not scripts[0].replies:
        said = "rules"
    if upstream is None:
        does = f"Grice plays the model at {server.url}, by {said}."
    elif upstream.replays:
        does = f"Grice plays the recorded model at {server.url}; nobody is asked."
    else:
        does = f"Grice passes requests at {server.url} on to {upstream.address}."
    print_line(console, f"{does} Ctrl-C ends it.")
    console.print()
    if len(scripts) == 1:
        base = server.url
        print_line(console, f"one conversation: {server.url}; as many as you like: {server.url}/c/<any name>")
    else:
        base = f"{server.url}/c/{quote(scripts[0].name)}"
        print_line(
            console, f"a golden each: {server.url}/c/<id>, with {', '.join(one.name for one in scripts)}"
        )
    console.print()
    key = shlex.quote(server.key)
    for line in (
        f"export ANTHROPIC_BASE_URL={shlex.quote(base)} ANTHROPIC_API_KEY={key}",
        f"export OPENAI_BASE_URL={shlex.quote(base + '/v1')} OPENAI_API_KEY={key}",
    ):
        click.echo(line, file=console.file)  # with the stub's own key, which is there to be copied
    console.print()


class BadRecord(Exception):
    """The file for the exchanges cannot be written."""


def _check_record(path: Path, inputs: Sequence[Path]) -> None:
    folder = real_path(path).parent
    if not folder.is_dir():
        raise BadRecord(f"{path}: there is no folder {folder}")
    try:
        with open_file(path) as written:
            if written.read(len(_BEGINNING)) == _BEGINNING:
                return  # of an earlier run
    except OSError:
        pass
    try:
        check_output(path, inputs)
    except OSError as error:
        raise BadRecord(str(error)) from error


def _why_not(port: int, error: OSError) -> str:
    """Why the stub cannot serve."""
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is in use; --port 0 takes a free one"
    return f"the stub cannot serve at port {port}: {error.strerror or error}"


@contextmanager
def _output(path: Path | None) -> Iterator[Any]:
    if path is None:
        yield None
        return
    with path.open("ab") as stream:
        yield stream
