"""Conversations and verdicts of the tests of one pytest session."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

import pytest

from grice.agents import AgentContext, AgentFailed, AgentLoadError, BoundAgent, bind_agent
from grice.files.settings_files import SettingsError
from grice.identity import stable_id
from grice.loops.background_loop import close_portal
from grice.matching.failure import ExpectationFailed
from grice.pytest_plugin.attempts import (
    HELD_ADDRESS,
    SECTIONS,
    TestAttempt,
    conduct_lines,
    end_held,
    held_by,
    hint_lines,
    keep,
    redaction_of_test,
    tell_conversation,
)
from grice.pytest_plugin.item_identity import marker_options, path_of
from grice.pytest_plugin.judging import (
    RECORDED,
    begin_teardown,
    cassette_of,
    close_cassette,
    forget_judge,
    judge_of_test,
    unused_answers,
)
from grice.pytest_plugin.projects import NoAgent, projects_of, settings_of
from grice.pytest_plugin.repeats import repeat_of
from grice.records import MODEL_ADDRESS, JsonValue, Outcome, Turn, Verdict
from grice.running.task import ConversationTask, log_for
from grice.running.verdict_log import VerdictLog
from grice.wire import ScriptedModel, ScriptError

if TYPE_CHECKING:
    from grice.running.async_live import AsyncConversation
    from grice.running.live import LiveConversation
    from grice.running.support import Support
    from grice.wire.cassettes import Cassette


GOLDEN_MODEL = pytest.StashKey[ScriptedModel]()
"""The model that fixtures of a golden item are given."""

UNFIT = pytest.StashKey[str]()
"""What was wrong in the end with a test that had passed so far, "" where nothing was."""

TASKS = pytest.StashKey[list[ConversationTask]]()
"""The conversations that a test holds, in the order in which it asked for them."""

_LOG = pytest.StashKey[VerdictLog]()
_REPORTED = pytest.StashKey[int]()
_BEGAN = pytest.StashKey[int]()
_REPORTED_LAST = pytest.StashKey[bool]()
_MODEL = pytest.StashKey[ScriptedModel]()


class Hooks:
    """The hooks of a session that judges conversations; registered at the first use of any of them."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._interrupted: tuple[pytest.Item, tuple[Turn, ...]] | None = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """A test that is run again begins with a judge and a cassette of its own."""
        forget_judge(item)
        end_held(item)
        item.stash[_BEGAN], item.stash[UNFIT] = 0, ""
        if _LOG in item.stash:
            item.stash[_LOG].begin_again()
            item.stash[_BEGAN] = len(item.stash[_LOG].verdicts)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> None:
        """No judge is made any more."""
        begin_teardown(item)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """End the conversation inside the test, and wait there for soft checks that still run.

        A script or a cassette that was not used up fails it.
        """
        try:
            result = yield
        except (KeyboardInterrupt, pytest.exit.Exception):
            raise
        except BaseException as error:
            _settle(item)
            _keep_live(item)
            tell_conversation(item, error)
            unwritten = close_cassette(item, passed=False)
            if unwritten:
                from grice.pytest_plugin.failures import told

                item.add_report_section("call", "grice cassette", told(unwritten))
            raise
        problem = next(filter(None, self._problems_at_end(item)), "")
        if problem:
            item.stash[UNFIT] = problem
            pytest.fail(problem, pytrace=False)
        return result

    def _problems_at_end(self, item: pytest.Item) -> Iterator[str]:
        """What is wrong after a test that has passed so far, "" where nothing is; the first one counts."""
        problem = _problem_at_end(item)
        _settle(item)
        _keep_live(item)
        stale = close_cassette(item, passed=not problem)
        if _LOG in item.stash:
            item.stash[_LOG].tell_uncalled()
        yield problem
        yield stale
        yield unused_answers(item)
        yield _forgotten(item)
        if self._config.getoption("--grice-strict-soft"):
            yield _failed_soft(item)

    @pytest.hookimpl(wrapper=True, tryfirst=True)  # forgets the test after every other has seen it
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
        if call.when == "call":
            report.sections += item.stash.get(SECTIONS, ())
            item.stash[SECTIONS] = []
        if (report.failed or report.sections) and _uses_grice(item):
            from grice.pytest_plugin.failures import clean

            clean(report, redaction_of_test(item))
        new = _unreported(item)
        report.grice_unchecked = call.when == "call" and report.passed and _checks_nothing(item)
        report.grice_hints = list(hint_lines(item)) if call.when == "call" and report.passed else []
        told = report.grice_unchecked or (call.when == "call" and next(conduct_lines(item), ""))
        if new or told or report.grice_hints or RECORDED in item.stash:
            from grice.pytest_plugin.summary import attach

            attach(item, report, new)
        if call.when == "teardown":
            end_held(item)  # the item stays until the session ends
        return report

    def pytest_keyboard_interrupt(self) -> None:
        """Remember the test in the middle of which the session is stopped, and its conversation so far."""
        running = self._config.pluginmanager.get_plugin("grice-running")
        item = running.item if running is not None else None
        if item is not None and not item.stash.get(_REPORTED_LAST, False) and _uses_grice(item):
            tasks = item.stash.get(TASKS, ())
            self._interrupted = item, tuple(turn for task in tasks for turn in task.record.turns)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self) -> None:
        """Have the summary show the test that was interrupted, once its fixtures are torn down."""
        terminal = self._config.pluginmanager.get_plugin("terminalreporter")
        if self._interrupted is not None and terminal is not None:
            from grice.pytest_plugin.summary import interrupted

            item, turns = self._interrupted
            _give_up(item)
            terminal.stats.setdefault("", []).append(interrupted(item, turns, _unreported(item)))

    def pytest_unconfigure(self) -> None:
        """Stop the background loop and the stub server."""
        close_portal()
        if "grice.wire.shared_stub" in sys.modules:
            from grice.wire.shared_stub import close_stub

            close_stub()


def _keep_live(item: pytest.Item) -> None:
    """Keep the conversation that the test has held, and look at how users were played in it."""
    for task in item.stash.get(TASKS, ()):
        if task.live is not None:
            keep(item, TestAttempt(task.live, began(item), repeat_of(item), task.conduct()))


def began(item: pytest.Item) -> int:
    """Where the verdicts of the test's last run begin in its log."""
    return item.stash.get(_BEGAN, 0)


def _uses_grice(item: pytest.Item) -> bool:
    """Whether the test judges or talks, or would have."""
    names = getattr(item, "fixturenames", ())
    talks = "conversation" in names or "async_conversation" in names
    return talks or _LOG in item.stash or _MODEL in item.stash


def _checks_nothing(item: pytest.Item) -> bool:
    """Whether the test spoke to the agent, made no verdict and asserts nothing either."""
    log = item.stash.get(_LOG, None)
    if log is not None and log.verdicts[began(item) :]:
        return False
    if not any(one.conversation.turns for one in held_by(item)):
        return False
    from grice.running.body_code import checks_nothing

    return checks_nothing(getattr(item, "function", None), getattr(item, "cls", None))


def _unreported(item: pytest.Item) -> list[Verdict]:
    """The verdicts of the test that are on no report yet; from now on they are."""
    log = item.stash.get(_LOG, None)
    if log is None:
        return []
    log.settle()
    new = log.verdicts[item.stash.get(_REPORTED, 0) :]
    item.stash[_REPORTED] = len(log.verdicts)
    return new


def _problem_at_end(item: pytest.Item) -> str:
    """End the test's conversation; what its agent did that does not fit its script, or hid."""
    model = item.stash.get(_MODEL, None)
    try:
        for task in item.stash.get(TASKS, ()):
            if task.live is not None:
                task.live.finish()
        if model is not None:
            model.verify()
    except (ScriptError, AgentFailed, ExpectationFailed) as error:
        _name_publicly(error)
        return f"{type(error).__module__}.{type(error).__name__}: {error}"
    return ""


def _settle(item: pytest.Item) -> None:
    """Wait for the soft checks of the test that still run."""
    log = item.stash.get(_LOG, None)
    if log is not None:
        log.settle()


def _give_up(item: pytest.Item) -> None:
    """Wait no more for soft checks of a test that was interrupted."""
    log = item.stash.get(_LOG, None)
    if log is not None:
        log.give_up()


def _forgotten(item: pytest.Item) -> str:
    """The hard checks of the test that were begun, and not called or not awaited to their end."""
    log = item.stash.get(_LOG, None)
    hard = [verdict for verdict in log.forgotten if verdict.mode == "hard"] if log is not None else []
    return _listed("a check was not made", hard)


def _failed_soft(item: pytest.Item) -> str:
    """The soft checks of the test's last run that did not pass."""
    log = item.stash.get(_LOG, None)
    new = log.verdicts[item.stash.get(_REPORTED, 0) :] if log is not None else []
    bad = [one for one in new if one.mode == "soft" and one.outcome not in (Outcome.PASS, Outcome.SKIPPED)]
    return _listed("--grice-strict-soft: a soft check did not pass", bad)


def _listed(what: str, verdicts: Sequence[Verdict]) -> str:
    if not verdicts:
        return ""
    from grice.reporting.text import verdict_lines

    return "\n".join([what, "", *verdict_lines(verdicts, turns=True)])


def _name_publicly(error: BaseException) -> None:
    """Have `grice.ExpectationFailed` in reports, not the module that it is made in."""
    import grice

    if type(error).__module__.startswith("grice."):
        getattr(grice, type(error).__name__, None)  # the facade gives its exceptions their public name


def activate(config: pytest.Config) -> None:
    """Register the hooks, once a session."""
    if not config.pluginmanager.has_plugin("grice-session"):
        config.pluginmanager.register(Hooks(config), "grice-session")


def factory_of(config: pytest.Config) -> Callable[..., object]:
    """What makes the configured agent; without one a test fails with what to do, and no traceback."""

    def agent_factory(context: AgentContext | Mapping[str, Any]) -> object:
        full = AgentContext.of(context)
        try:
            return bind_agent(projects_of(config).agent_for(config.rootpath / full.test_file), full)
        except AgentLoadError as error:
            raise NoAgent(str(error), pytrace=False) from None
        except SettingsError as error:
            raise pytest.fail.Exception(str(error), pytrace=False) from None

    return agent_factory


def model_of_test(item: pytest.Item) -> ScriptedModel:
    """The scripted model of the test that requests it; it is verified when the test ends."""
    activate(item.config)
    model = item.stash.get(GOLDEN_MODEL, None)
    if model is None:
        model = item.stash[_MODEL] = ScriptedModel()
    return model


def context_of_item(item: pytest.Item, model: ScriptedModel | None) -> AgentContext:
    """What the agent of the test is built with."""
    path, line, _ = item.location
    return AgentContext(
        test_name=item.nodeid,
        test_file=str(path),
        test_line=None if line is None else line + 1,
        tags=tuple(mark.name for mark in item.iter_markers()),
        scenario=_scenario_data(item),
        model=model,
        server=settings_of(item.config, item.path).find_server(),
    )


def _scenario_data(item: pytest.Item) -> JsonValue:
    """The data of the scenario that a test is run with, None without one."""
    if "grice.pytest_plugin.scenarios" not in sys.modules:
        return None
    from grice.pytest_plugin.scenarios import scenario_data

    return scenario_data(item)


C = TypeVar("C", "LiveConversation", "AsyncConversation")


@contextmanager
def open_conversation(
    kind: type[C], item: pytest.Item, agent: object, context: AgentContext, *, run: int = 0
) -> Iterator[C]:
    """The conversation of a test, with its own agent; its id is the test's stable id, its name the node's.

    `run` is its number, else that of the test's repeat.
    """
    activate(item.config)
    options = marker_options(item)
    settings = settings_of(item.config, item.path)
    log = log_of(item)
    try:
        if server := settings.find_server():
            _ = server.url
        bound = agent if isinstance(agent, BoundAgent) else bind_agent(agent, context)
    except AgentLoadError as error:
        raise NoAgent(str(error), pytrace=False) from None
    number = run or repeat_of(item)
    task = ConversationTask(
        item.nodeid,
        settings,
        id=stable_id(path_of(item)),
        model=context.model,
        find_judge=partial(judge_of_test, item),
        find_cassette=partial(_cassette_of_agent, item),
        log=log,
        turn_timeout=options.get("turn_timeout"),
        timeout=options.get("timeout"),
        repeat=number,
    )
    item.stash.setdefault(TASKS, []).append(task)
    try:
        with task.open(kind, bound, find_support=partial(_support, item, number)) as live:
            item.stash[HELD_ADDRESS] = str(live.record.metadata.get(MODEL_ADDRESS, ""))
            with cast("AbstractContextManager[object]", live):
                yield live
                # said in the call, unless the test ended before that
                with suppress(ScriptError, AgentFailed, ExpectationFailed):
                    live.finish()
    finally:
        item.stash[TASKS].remove(task)  # a rerun begins anew
        log.conversation = None  # the log stays with the item until the session ends


def _support(item: pytest.Item, run: int) -> Support:
    from grice.pytest_plugin.support import seed_of, support_of

    return support_of(item, seed=seed_of(item, run))


def _cassette_of_agent(item: pytest.Item) -> Cassette:
    """The test's cassette; one that cannot be used fails it without a traceback."""
    from grice.wire.cassettes import CassetteError

    try:
        return cassette_of(item)
    except (CassetteError, SettingsError) as error:
        raise pytest.fail.Exception(str(error), pytrace=False) from None


def log_of(item: pytest.Item) -> VerdictLog:
    """The verdict log of a test."""
    if _LOG not in item.stash:
        activate(item.config)
        item.stash[_LOG] = log_for(
            item.nodeid, settings_of(item.config, item.path), partial(judge_of_test, item)
        )
    return item.stash[_LOG]
