"""Conversations and verdicts of the tests of one pytest session."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from grice.agents import AgentContext, AgentLoadError, bind_agent, load_target
from grice.matching.failure import headline
from grice.matching.recording import CURRENT
from grice.records import Verdict
from grice.running.live import LiveConversation, VerdictLog
from grice.running.portal import close_portal
from grice.running.settings import Settings, load_settings
from grice.suites.files import FileError
from grice.text import visible
from grice.wire import ScriptedModel

__all__ = [
    "activate",
    "agent_or_failure",
    "configured_agent",
    "context_of_test",
    "log_of",
    "log_of_running_test",
    "open_conversation",
    "settings_of",
]

_LOG = pytest.StashKey[VerdictLog]()
_LIVE = pytest.StashKey[LiveConversation]()
_SETTINGS = pytest.StashKey[Settings]()
_ITEMS = pytest.StashKey[dict[str, pytest.Item]]()


class Hooks:
    """The hooks of a session that judges conversations; registered at the first use of any of them."""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """End the conversation inside the test: a script that was not used up fails it."""
        result = yield
        live = item.stash.get(_LIVE, None)
        if live is not None:
            live.finish()
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, Any, Any]:
        """Put the verdicts of the test on its report, from where workers of xdist send them on."""
        report = yield
        log = item.stash.get(_LOG, None)
        if log is not None and log.verdicts and call.when == "call":
            attach(report, log.verdicts)
        return report

    def pytest_unconfigure(self) -> None:
        """Stop the background loop."""
        close_portal()


def attach(report: Any, verdicts: list[Verdict]) -> None:
    """Put the verdicts on a report, in plain values, and the soft ones that did not pass into JUnit's properties."""
    report.grice_verdicts = [
        {
            "mode": verdict.mode,
            "outcome": str(verdict.outcome),
            "claim": headline(verdict) if verdict.outcome == "error" else visible(verdict.claim),
            "reason": visible(verdict.reason),
            "turn": verdict.turn,
        }
        for verdict in verdicts
    ]
    for verdict in verdicts:
        if verdict.mode == "soft" and verdict.outcome != "pass":
            text = visible(f"{verdict.outcome}: {verdict.claim}: {verdict.reason}", newlines=False)
            report.user_properties.append(("grice.soft", text))


def activate(config: pytest.Config) -> None:
    """Register the hooks, once a session."""
    if not config.pluginmanager.has_plugin("grice-session"):
        config.pluginmanager.register(Hooks(), "grice-session")


def settings_of(config: pytest.Config) -> Settings:
    """The project's settings. Raises pytest.UsageError when they are wrong."""
    if _SETTINGS not in config.stash:
        try:
            config.stash[_SETTINGS] = load_settings(config.rootpath)
        except FileError as error:
            raise pytest.UsageError(str(error)) from error
    return config.stash[_SETTINGS]


def configured_agent(config: pytest.Config, named: str | None = None) -> object:
    """The agent that a golden, the command line or the settings name. Raises AgentLoadError without one."""
    settings = settings_of(config)
    name = named or config.getoption("--grice-agent") or settings.agent
    if name is None:
        raise AgentLoadError(
            "no agent is configured: write a fixture named 'agent' that returns it, or name it with "
            '--grice-agent module:attribute or in pyproject.toml as [tool.grice] agent = "module:attribute"'
        )
    return load_target(name, root=config.rootpath)


def agent_or_failure(config: pytest.Config) -> object:
    """The configured agent; without one the test fails with what to do, and no traceback."""
    try:
        return configured_agent(config)
    except AgentLoadError as error:
        pytest.fail(str(error), pytrace=False)


def context_of_test(request: pytest.FixtureRequest, model: ScriptedModel) -> AgentContext:
    """The context of the test that requests it."""
    path, line, _ = request.node.location
    return AgentContext(
        test_name=request.node.nodeid,
        test_file=str(path),
        test_line=None if line is None else line + 1,
        tags=tuple(mark.name for mark in request.node.iter_markers()),
        model=model,
    )


@contextmanager
def open_conversation(
    request: pytest.FixtureRequest, agent: object, context: AgentContext
) -> Iterator[LiveConversation]:
    """The conversation of a test, with its own agent, inside the agent's `around()`."""
    activate(request.config)
    item = request.node
    options = _marker_options(item)
    settings = settings_of(request.config)
    log = log_of(item)
    bound = bind_agent(agent, context)
    live = LiveConversation(
        bound,
        id=item.nodeid,
        recorder=log,
        model=context.model,
        turn_timeout=options.get("turn_timeout", settings.turn_timeout),
        timeout=options.get("timeout", settings.timeout),
    )
    item.stash[_LIVE] = live
    token = CURRENT.set(log)
    try:
        with bound.around():
            yield live
    finally:
        CURRENT.reset(token)


def _marker_options(item: pytest.Item) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for mark in item.iter_markers("grice"):  # closest first
        unknown = set(mark.kwargs) - {"turn_timeout", "timeout", "suite"}
        if unknown or mark.args:
            found = ", ".join(sorted(unknown)) or repr(mark.args[0])
            raise pytest.UsageError(
                f"{item.nodeid}: the marker grice takes turn_timeout=, timeout= and suite=, found {found}"
            )
        options = {**mark.kwargs, **options}
    return options


def log_of(item: pytest.Item) -> VerdictLog:
    """The verdict log of a test."""
    if _LOG not in item.stash:
        item.stash[_LOG] = VerdictLog(item.nodeid)
    return item.stash[_LOG]


def log_of_running_test(config: pytest.Config) -> VerdictLog | None:
    """The verdict log of the test that runs now, for verdicts that no conversation claims."""
    nodeid = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
    session: Any = config.pluginmanager.get_plugin("session")
    if not nodeid or session is None:
        return None
    if _ITEMS not in config.stash:
        config.stash[_ITEMS] = {item.nodeid: item for item in session.items}
    item = config.stash[_ITEMS].get(nodeid)
    if item is None:
        return None
    activate(config)
    return log_of(item)
