"""Runs of pytest inside pytest: in process, where every module of Grice stays loaded."""

import msgspec  # noqa: F401
import pytest
import re2  # noqa: F401
import rfc8785  # noqa: F401
import sentencex  # noqa: F401
import yaml  # noqa: F401
from inner_projects import ECHO, TALKER, Run

# pytester forgets the modules that a run imported; these are loaded before, so that there is one of each.
# (What Grice imports when needed, too: a second copy of yaml raises errors that the first does not know.)
import grice.matchers
import grice.pytest_plugin.failures
import grice.pytest_plugin.goldens
import grice.running.update
import grice.suites.folders  # noqa: F401


@pytest.fixture(autouse=True)
def _only_grice(monkeypatch: pytest.MonkeyPatch) -> None:
    """The runs inside have this plugin and no other, unless they ask for it."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTEST_PLUGINS", "grice.pytest_plugin")
    monkeypatch.setenv("COLUMNS", "100")


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
