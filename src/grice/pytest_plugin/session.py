"""Conversations and verdicts of the tests of one pytest session."""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest

from grice.agents import AgentContext, AgentFailed, AgentLoadError, bind_agent
from grice.identity import stable_id
from grice.pytest_plugin.projects import projects_of, settings_of
from grice.pytest_plugin.refusals import marker_options, path_of
from grice.records import MODEL_ADDRESS, Turn, Verdict
from grice.running.live import LiveConversation, VerdictLog
from grice.running.model_address import at_model_address
from grice.running.portal import close_portal
from grice.running.settings import SettingsError
from grice.wire import ScriptedModel, ScriptError

__all__ = [
    "GOLDEN_MODEL",
    "HELD_ADDRESS",
    "activate",
    "agent_or_failure",
    "context_of_test",
    "log_of",
    "model_of_test",
    "open_conversation",
]

GOLDEN_MODEL = pytest.StashKey[ScriptedModel]()
"""The model that fixtures of a golden item are given."""

HELD_ADDRESS = pytest.StashKey[str]()
"""The fixed model address that a test's conversation had, "" without one."""

_LOG = pytest.StashKey[VerdictLog]()
_REPORTED = pytest.StashKey[int]()
_REPORTED_LAST = pytest.StashKey[bool]()
_LIVE = pytest.StashKey[LiveConversation]()
_MODEL = pytest.StashKey[ScriptedModel]()


class Hooks:
    """The hooks of a session that judges conversations; registered at the first use of any of them."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._interrupted: tuple[pytest.Item, tuple[Turn, ...]] | None = None

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """End the conversation inside the test: a script that was not used up fails it."""
        result = yield
        problem = _problem_at_end(item)
        if problem is not None:
            _name_publicly(problem)
            kind = type(problem)
            pytest.fail(f"{kind.__module__}.{kind.__name__}: {problem}", pytrace=False)
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, Any, Any]:
        """Put the test's verdicts on its report, from where workers of xdist send them on."""
        if call.excinfo is not None:
            from grice.pytest_plugin.failures import hide_own_frames

            _name_publicly(call.excinfo.value)
            call.excinfo = hide_own_frames(call.excinfo)
        report = yield
        item.stash[_REPORTED_LAST] = call.when == "teardown"
        if report.failed and _uses_grice(item):
            from grice.pytest_plugin.failures import escape

            escape(report)
        new = _unreported(item)
        if new:
            from grice.pytest_plugin.summary import attach

            attach(item, report, new)
        return report

    def pytest_keyboard_interrupt(self) -> None:
        """Remember the test in the middle of which the session is stopped, and its conversation so far."""
        running = self._config.pluginmanager.get_plugin("grice-running")
        item = running.item if running is not None else None
        if item is not None and not item.stash.get(_REPORTED_LAST, False) and _uses_grice(item):
            live = item.stash.get(_LIVE, None)
            self._interrupted = item, live.turns if live is not None else ()

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self) -> None:
        """Have the summary show the test that was interrupted, once its fixtures are torn down."""
        terminal = self._config.pluginmanager.get_plugin("terminalreporter")
        if self._interrupted is not None and terminal is not None:
            from grice.pytest_plugin.summary import interrupted

            item, turns = self._interrupted
            terminal.stats.setdefault("", []).append(interrupted(item, turns, _unreported(item)))

    def pytest_unconfigure(self) -> None:
        """Stop the background loop and the stub server."""
        close_portal()
        if "grice.wire.shared" in sys.modules:
            from grice.wire.shared import close_stub

            close_stub()


def _uses_grice(item: pytest.Item) -> bool:
    """Whether the test judges or talks, or would have."""
    return _LOG in item.stash or _MODEL in item.stash or "conversation" in getattr(item, "fixturenames", ())


def _unreported(item: pytest.Item) -> list[Verdict]:
    """The verdicts of the test that are on no report yet; from now on they are."""
    log = item.stash.get(_LOG, None)
    if log is None:
        return []
    new = log.verdicts[item.stash.get(_REPORTED, 0) :]
    item.stash[_REPORTED] = len(log.verdicts)
    return new


def _problem_at_end(item: pytest.Item) -> ScriptError | AgentFailed | None:
    """End the test's conversation; what its agent did that does not fit its script, or hid."""
    live, model = item.stash.get(_LIVE, None), item.stash.get(_MODEL, None)
    try:
        if live is not None:
            live.finish()
        if model is not None:
            model.verify()
    except (ScriptError, AgentFailed) as error:
        return error
    return None


def _name_publicly(error: BaseException) -> None:
    """Have `grice.ExpectationFailed` in reports, not the module that it is made in."""
    import grice

    if type(error).__module__.startswith("grice."):
        getattr(grice, type(error).__name__, None)  # the facade gives its exceptions their public name


def activate(config: pytest.Config) -> None:
    """Register the hooks, once a session."""
    if not config.pluginmanager.has_plugin("grice-session"):
        config.pluginmanager.register(Hooks(config), "grice-session")


def agent_or_failure(request: pytest.FixtureRequest) -> object:
    """The configured agent; without one the test fails with what to do, and no traceback."""
    try:
        return projects_of(request.config).agent_for(request.path)
    except (AgentLoadError, SettingsError) as error:
        raise pytest.fail.Exception(str(error), pytrace=False) from None


def model_of_test(request: pytest.FixtureRequest) -> ScriptedModel:
    """The scripted model of the test that requests it; it is verified when the test ends."""
    activate(request.config)
    node = request.node
    model: ScriptedModel | None = node.stash.get(GOLDEN_MODEL, None)
    if model is None:
        model = node.stash[_MODEL] = ScriptedModel()
    return model


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
    """The conversation of a test, with its own agent; its id is the test's stable id, its name the node's."""
    activate(request.config)
    item = request.node
    options = marker_options(item)
    settings = settings_of(request.config, item.path)
    log = log_of(item)
    try:
        bound = bind_agent(agent, context)
    except AgentLoadError as error:
        raise pytest.fail.Exception(str(error), pytrace=False) from None
    live = LiveConversation(
        bound,
        id=stable_id(path_of(item)),
        recorder=log,
        model=context.model,
        turn_timeout=options.get("turn_timeout", settings.turn_timeout),
        timeout=options.get("timeout", settings.timeout),
    )
    item.stash[_LIVE] = live
    address = at_model_address(
        live, context.model, settings.model_port, key=settings.model_key, wait=live.timeout
    )
    try:
        with address, live:
            item.stash[HELD_ADDRESS] = str(live.record.metadata.get(MODEL_ADDRESS, ""))
            yield live
            with suppress(ScriptError, AgentFailed):  # said in the call, unless the test ended before that
                live.finish()
    finally:
        del item.stash[_LIVE]  # a rerun begins anew
        log.conversation = None  # the log stays with the item until the session ends


def log_of(item: pytest.Item) -> VerdictLog:
    """The verdict log of a test."""
    if _LOG not in item.stash:
        activate(item.config)
        item.stash[_LOG] = VerdictLog(item.nodeid)
    return item.stash[_LOG]
