"""Setting a project up: what is asked, what is written, and the first run."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path, PurePosixPath

import click

from grice.agents import AgentLoadError, load_target
from grice.agents.configured import agent_at
from grice.agents.server import command_of, program_in
from grice.cli.exit_codes import UNUSABLE
from grice.cli.init import CI, FORMS, Command
from grice.cli.init_files import KEPT, Answers, Kind, NewFile, files_for, kind_of, settings_name
from grice.files.settings_files import SettingsError
from grice.reporting.console import Screen, print_line, print_problem, screen_for
from grice.text import value_text

_KINDS: dict[str, tuple[Kind, str]] = {
    "1": ("python", "a Python function or object"),
    "2": ("http", "an HTTP address"),
    "3": ("server", "a program that serves HTTP, which Grice starts and ends"),
    "4": ("none", "nothing yet"),
}
_DETAIL: dict[Kind, str] = {
    "python": "Its module and name, such as my_bot:chat",
    "http": "Its address, such as http://127.0.0.1:8000/chat",
    "server": "Its command, such as node server.js",
}


class _Unusable(ValueError):
    """What was given cannot be."""


def set_up(given: Command) -> int:
    """Ask, write and run. Returns the exit code of the run, or 2."""
    console, errors, folder = screen_for(sys.stdout), screen_for(sys.stderr), Path.cwd()
    try:
        answers = _answers(given, folder, console)
        files = files_for(answers, folder)
    except (_Unusable, SettingsError) as error:
        print_problem(errors, f"error: {error}")
        return UNUSABLE
    new = [one for one in files if not (folder / one.name).exists()]
    _announce(console, files, new, folder)
    if new and _asks(given) and not click.confirm("Write this?", default=True):
        return UNUSABLE
    try:
        for one in new:
            _write(folder / one.name, one)
    except OSError as error:
        print_problem(errors, f"error: {error.filename} cannot be written: {error.strerror or error}")
        return UNUSABLE
    return _run(console, answers)


def _asks(given: Command) -> bool:
    """Whether somebody is there to be asked, and wants to be."""
    return not given.yes and sys.stdin.isatty()


# -- what is asked


def _answers(given: Command, folder: Path, console: Screen) -> Answers:
    """What was given, the rest asked or its default. Raises _Unusable."""
    kept, asks = settings_name(folder), _asks(given)
    if kept and (given.agent or given.path or given.ready):
        raise _Unusable(f"--agent: {kept} of this folder says what the agent is: change it there")
    whole = (kept or given.agent) and given.tests and given.form and given.ci
    if not (whole or given.yes or asks):
        raise _Unusable("nobody can be asked: give --agent, --tests, --as and --ci, or --yes for defaults")
    agent, path, ready = (KEPT, "", "") if kept else _agent_answers(given, console, asks=asks)
    tests = str(given.tests or "")
    if not tests and asks:
        tests = _prompt("The folder of the tests", "tests", _folder)
    tests = tests or "tests"
    _refused("--tests", _folder, tests)
    form = given.form or _one_of("The first test in", FORMS, "yaml", asks=asks)
    if form == "pytest" and find_spec("pytest") is None:
        raise _Unusable(
            "--as pytest: pytest is not installed: pip install 'grice[pytest]', or give --as yaml"
        )
    ci = given.ci or _one_of("CI", CI, "none", asks=asks)
    return Answers(agent, PurePosixPath(tests.replace("\\", "/")), form, ci, path, ready, _source())


def _source() -> str:
    """What pip installs this Grice from, as far as another machine can have it: an address; else ""."""
    try:
        said = json.loads(distribution("grice").read_text("direct_url.json") or "{}")
        url = str(said.get("url", ""))
        git = said.get("vcs_info")
        if not url.startswith(("https://", "ssh://")):
            return ""
        return f"grice[pytest] @ {git['vcs']}+{url}@{git['commit_id']}" if git else f"grice[pytest] @ {url}"
    except (PackageNotFoundError, ValueError, KeyError):
        return ""


def _agent_answers(given: Command, console: Screen, *, asks: bool) -> tuple[str, str, str]:
    """The agent, where it is asked, and what answers once it is ready."""
    agent, path, ready = given.agent, given.path, given.ready
    if not agent and asks:
        agent = _asked_agent(console)
        if kind_of(agent) == "server":
            path = path or _prompt("The path where it is asked", "/chat", _path)
            ready = ready or _prompt("The path that answers once it is ready, - for none", "-", _ready)
    agent = agent or "none"
    _refused("--agent", _agent, agent)
    for name, check, value in (("--path", _path, path), ("--ready", _ready, ready)):
        if value and kind_of(agent) != "server":
            raise _Unusable(f"{name} is for a program that serves HTTP; the agent is {value_text(agent)}")
        if value:
            _refused(name, check, value)
    return agent, path or "/chat", "" if ready == "-" else ready


def _prompt(words: str, default: str, check: Callable[[str], object]) -> str:
    return str(click.prompt(words, default=default, value_proc=_checked(check)))


def _asked_agent(console: Screen) -> str:
    print_line(console, "What is your agent?")
    for number, (_, words) in _KINDS.items():
        print_line(console, f"{number}  {words}", indent="  ")
    kind = _KINDS[click.prompt("Number", type=click.Choice(list(_KINDS)), show_choices=False, default="4")][0]
    if kind == "none":
        return "none"

    def check(said: str) -> None:
        if kind_of(said) != kind:
            raise ValueError(f"expected one {_DETAIL[kind].partition(', ')[2]}, found {value_text(said)}")
        _agent(said)

    return str(click.prompt(_DETAIL[kind], value_proc=_checked(check)))


def _one_of(words: str, choices: tuple[str, ...], default: str, *, asks: bool) -> str:
    if not asks:
        return default
    return str(click.prompt(words, type=click.Choice(choices), default=default))


def _checked(check: Callable[[str], object]) -> Callable[[str], str]:
    """For click: what is wrong with an answer is said, and it is asked again."""

    def read(said: str) -> str:
        try:
            check(said)
        except ValueError as error:
            raise click.UsageError(str(error)) from None
        return said

    return read


def _refused(name: str, check: Callable[[str], object], value: str) -> None:
    try:
        check(value)
    except ValueError as error:
        raise _Unusable(f"{name}: {error}") from None


def _agent(said: str) -> None:
    """Raise ValueError for what can be no agent; a Python one has to be there."""
    kind = kind_of(said)
    try:
        if kind == "python":
            load_target(said, root=Path.cwd())
        elif kind == "http":
            agent_at(said)
        elif kind == "server":
            try:
                program_in(Path.cwd(), command_of(said))
            except ValueError as error:
                python = "" if " " in said or "/" in said else " (a Python agent is MODULE:NAME)"
                raise ValueError(f"{error}{python}") from None
    except AgentLoadError as error:
        raise ValueError(str(error)) from None


def _path(said: str) -> None:
    if not said.startswith("/"):
        raise ValueError(f"expected a path such as /chat, found {value_text(said)}")


def _ready(said: str) -> None:
    if said != "-":
        _path(said)


def _folder(said: str) -> None:
    path = Path(said)
    if path.is_absolute() or ".." in path.parts:
        raise ValueError(f"expected a folder below this one, found {value_text(said)}")
    if path.exists() and not path.is_dir():
        raise ValueError(f"{said} is a file, expected a folder")


# -- what is done


def _announce(console: Screen, files: list[NewFile], new: list[NewFile], folder: Path) -> None:
    """Name every file before any is written."""
    width = max(len(one.name) for one in files)
    if kept := settings_name(folder):
        print_line(console, f"The settings in {kept} stay as they are.")
    print_line(console, "These files are written:" if new else "All files are there, nothing is written:")
    for one in files:
        said = one.what if one in new else "is there and stays as it is"
        print_line(console, f"{one.name:<{width}}  {said}", indent="  ")


def _write(path: Path, file: NewFile) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("x", encoding="utf-8", newline="\n") as stream:
        stream.write(file.text)


def _run(console: Screen, answers: Answers) -> int:
    from grice.cli.run import Command as RunCommand
    from grice.cli.run_work import run_paths

    print_line(console, f"\n$ grice run {shlex.quote(str(answers.tests))}")
    return run_paths(RunCommand(paths=(Path(answers.tests),)))
