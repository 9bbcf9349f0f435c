"""Runs of pytest inside pytest: in process, where every module of Grice stays loaded."""

import importlib
import json
import pkgutil
from collections.abc import Callable
from functools import partialmethod
from pathlib import Path

import aiohttp  # noqa: F401
import jsonschema  # noqa: F401
import pytest
import re2  # noqa: F401
import rfc8785  # noqa: F401
import sentencex  # noqa: F401
import yaml  # noqa: F401
from inner_projects import ECHO, JUDGES, TALKER, Run

import grice.pytest_plugin

# pytester forgets the modules that a run imported; these are loaded before, so that there is one of each.
# (What Grice imports when needed, too: a second copy of yaml raises errors that the first does not know.)
for module in pkgutil.walk_packages(grice.__path__, "grice."):
    if not module.name.startswith(("grice.cli", "grice.__main__")):
        importlib.import_module(module.name)


UNUSED = (
    "debugging",
    "doctest",
    "faulthandler",
    "legacypath",
    "pastebin",
    "setupplan",
    "stepwise",
    "unittest",
)
"""Parts of pytest that no run inside uses; each costs every run a fortieth of its time."""


@pytest.fixture(autouse=True)
def _only_grice(monkeypatch: pytest.MonkeyPatch) -> None:
    """The runs inside have this plugin and no other, unless they ask for it."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTEST_PLUGINS", "grice.pytest_plugin")
    monkeypatch.setenv("PYTEST_ADDOPTS", " ".join(f"-p no:{name}" for name in UNUSED))
    monkeypatch.setenv("COLUMNS", "100")


class Brief:
    """A plugin of the runs inside: what stops one has its place, and no traceback, which nobody sees.

    pytest renders it, every collection error too, by parsing the file of each frame.
    """

    @pytest.hookimpl(tryfirst=True)
    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Keep the innermost frame that pytest would show."""
        excinfo.traceback = excinfo.traceback.filter(excinfo)[-1:]


@pytest.fixture(autouse=True)
def _brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every run in this process is brief, see above, and need not look among all packages for the plugin."""
    inline_run = partialmethod(pytest.Pytester.inline_run, plugins=(Brief(), grice.pytest_plugin))
    monkeypatch.setattr(pytest.Pytester, "inline_run", inline_run)
    # A seventh of the time of each run: it looks for fixtures below other decorators in all of pytest.
    looking = "_pytest.fixtures.FixtureManager._check_for_wrapped_fixture"
    monkeypatch.setattr(looking, lambda *_: None, raising=False)


@pytest.fixture
def run(pytester: pytest.Pytester) -> Run:
    """Run the tests given as `name="source"`, after the echo agent."""

    def run(*args: object, **files: str) -> pytest.RunResult:
        pytester.makepyfile(**{name: ECHO + source for name, source in files.items()})
        return pytester.runpytest_inprocess("-p", "no:cacheprovider", *args)

    return run


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    """A project with an agent `talker:Talker`, named in its settings."""
    pytester.makepyfile(talker=TALKER)
    pytester.makepyprojecttoml('[tool.grice]\nagent = "talker:Talker"\n')
    return pytester


@pytest.fixture
def judged(pytester: pytest.Pytester) -> Run:
    """The same with a `judge_llm` that keeps what it is asked, see JUDGES."""

    def judged(*args: object, **files: str) -> pytest.RunResult:
        pytester.makepyfile(judges=JUDGES, **{name: ECHO + source for name, source in files.items()})
        if not pytester.path.joinpath("pyproject.toml").exists():
            pytester.makepyprojecttoml('[tool.grice]\njudge_llm = "judges:Kind"\n')
        return pytester.runpytest_inprocess("-p", "no:cacheprovider", *args)

    return judged


@pytest.fixture
def asked(pytester: pytest.Pytester) -> Callable[[], list[str]]:
    """What the judge of `judged` was asked since the last call: the names of criteria, sorted."""
    path: Path = pytester.path / "asked.txt"

    def asked() -> list[str]:
        found = path.read_text().splitlines() if path.exists() else []
        path.unlink(missing_ok=True)
        return sorted(found)

    return asked


@pytest.fixture
def cassettes(pytester: pytest.Pytester) -> Callable[[], dict[str, list[str]]]:
    """What every cassette in the project was recorded for: kind and subject of its calls, by path."""

    def cassettes() -> dict[str, list[str]]:
        return {
            path.relative_to(pytester.path).as_posix(): [
                "{kind} {subject}".format_map(json.loads(line))
                for line in path.read_text("utf-8").splitlines()[1:]
            ]
            for path in sorted(pytester.path.rglob("*.jsonl"))
        }

    return cassettes
