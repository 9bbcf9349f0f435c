"""What all tests share: how many examples a property has, and an environment that is the same everywhere."""

import gc
import os
import signal

import pytest
from hypothesis import HealthCheck, settings

from grice._runner import begin_session

pytest_plugins = ["pytester"]

gc.disable()  # while thousands of tests are collected, nothing becomes garbage

# How many examples a property is tried on; --hypothesis-profile=ci or long asks for more. The long ones
# differ from run to run; the others are the same, so that a test turns red for a change, not by chance.
_SLOW_MACHINES = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
for name, examples in (("quick", 15), ("ci", 50), ("long", 500)):
    settings.register_profile(
        name,
        max_examples=examples,
        deadline=None,
        derandomize=name != "long",
        suppress_health_check=_SLOW_MACHINES,
        print_blob=True,
    )
settings.load_profile("quick")

# No test depends on these; one that wants a key, a CI machine or a terminal sets it itself.
_LEFT_OUT = (
    *("ANTHROPIC_", "OPENAI_", "GRICE_", "PK_"),
    *("ROOM_BOOKING_", "STORE_", "VENUE_", "WORDPRESS_ASSISTANT_"),
    *("CI", "BUILD_NUMBER", "GITHUB_", "GIT_"),
    *("CLICOLOR", "FORCE_COLOR", "NO_COLOR", "COLUMNS", "LINES", "TERM", "TTY_"),
)
for variable in list(os.environ):
    if (variable.startswith(_LEFT_OUT) and variable != "GRICE_DATA") or variable.lower().endswith("_proxy"):
        del os.environ[variable]

# A shell has its background jobs ignore Ctrl-C, and so would the processes that tests interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish() -> None:
    """Leave the thousands of tests out of what the garbage collector looks through after each of them."""
    gc.freeze()
    gc.enable()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say why a test failed beside the list of those that did: of a long log often only the end is kept."""
    for report in [*terminalreporter.getreports("failed"), *terminalreporter.getreports("error")][:10]:
        crash = getattr(report.longrepr, "reprcrash", None)
        said = str(report.longrepr) if crash is None else crash.message
        terminalreporter.write_line(f"{report.nodeid}: {' '.join(said.split())[:600]}")


def pytest_runtest_setup() -> None:
    """Let each test have an environment of its own."""
    begin_session()
