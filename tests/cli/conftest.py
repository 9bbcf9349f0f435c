"""The command line, in this process."""

import errno
import io
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TextIO

import pytest
from grice_command import Grice, Run

from grice.cli import main

BOTS = """
from grice import expect
from grice.matchers import call_tool

class Rooms:
    def __init__(self, context):
        self.context = context

    def chat(self, messages, on_tool_call=None):
        said = messages[-1]["content"]
        with open("held.txt", "a") as held:
            held.write(said + chr(10))
        if "down" in said:
            raise RuntimeError("out of order")
        on_tool_call("book", {"room": said}, result={"ok": True})
        return "No." if "bad" in said else f"Booked: {said}"

def agent(context):
    return Rooms(context)

def other(messages):
    return "Booked by another"

def broken(context):
    return None

def play(messages):
    done = "Booked" in messages[-1]["content"]
    said = "" if done else "A room, please"
    return {"message": said, "done": "goal_reached" if done else "no", "reason": "so"}

def is_booked(conversation):
    return "Booked" in conversation.turns[-1].text

def is_named(conversation, scenario):
    expect(conversation.turns[0].text).to_contain(scenario["room"])

def wants_more(conversation, scenario, tmp_path):
    pass

books = call_tool("book")
NUMBER = 3
"""


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred columns; no bytecode, and nobody waits for the disk, for no test here cuts the power.

    Python takes the bytecode of a module for current which was rewritten within the same second and is as
    long as before, as modules of tests may be.
    """
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setattr(os, "fsync", lambda _: None)
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # for `grice run` with Python tests


@pytest.fixture
def grice(capsys: pytest.CaptureFixture[str]) -> Grice:
    """The command, in this process; what is written to another `stdout` is not in its Run."""

    def run(*args: object, stdin: bytes | None = None, stdout: TextIO | None = None, columns: int = 0) -> Run:
        with pytest.MonkeyPatch.context() as patched:
            if stdin is not None:
                patched.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), "utf-8"))
            if stdout is not None:
                patched.setattr(sys, "stdout", stdout)
            if columns:
                patched.setenv("COLUMNS", str(columns))
            try:
                main([str(arg) for arg in args])
            except SystemExit as left:
                code = left.code
        captured = capsys.readouterr()
        assert isinstance(code, int)
        return Run(code, captured.out, captured.err)

    return run


@pytest.fixture
def nobody_reads() -> Iterator[TextIO]:
    """A pipe whose reader has left; to close it, as at the end of a process, must be no error either."""
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "w", encoding="utf-8") as stream:
        yield stream


class _Full(io.RawIOBase):
    def writable(self) -> bool:
        return True

    def write(self, _: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.fixture
def full() -> Iterator[TextIO]:
    """An output on a disk that is full."""
    stream = io.TextIOWrapper(io.BufferedWriter(_Full()), "utf-8")
    yield stream
    with suppress(OSError):
        stream.close()


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A project with agents and checks in `bots.py`, which is the current folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    tmp_path.joinpath("bots.py").write_text(BOTS)
    tmp_path.joinpath("pyproject.toml").write_text(
        '[tool.grice]\nagent = "bots:agent"\nuser_llm = "bots:play"\n'
    )
    _forget_modules()
    yield tmp_path
    _forget_modules()


def _forget_modules() -> None:
    """Forget the modules of the projects of tests, whoever imported them: another one's has the same name."""
    for name, module in list(sys.modules.items()):
        file = str(getattr(module, "__file__", ""))
        if "/pytest-of-" in file or "/grice-docs-" in file:
            del sys.modules[name]
