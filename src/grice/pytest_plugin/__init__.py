"""The pytest plugin. This module is all that an unrelated test session pays for; the rest loads when used.

PYTEST_DONT_REWRITE: it asserts nothing, and may be imported before pytest can look at it.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from grice import _runner

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter

    from grice.agents import AgentContext
    from grice.records import Scenario
    from grice.running.async_live import AsyncConversation
    from grice.running.live import LiveConversation
    from grice.running.reading import FinishedConversation
    from grice.wire import ScriptedModel

_GOLDENS = (".golden.json", ".golden.yaml", ".golden.yml")
_SUITES = (".grice.json", ".grice.yaml", ".grice.yml")
_DATA = (".json", ".yaml", ".yml")
_JUDGING = frozenset({"grice._expectations", "grice.judging.criterion"})
_MARKS = "grice.files.scenario_marks"
_SIMULATED = "grice.running.simulated"
_RUNNING_TEST = "grice-running"
_CONVERSATIONS = frozenset({"conversation", "async_conversation"})


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Add the options, each under a name that begins with grice, and the fixtures."""
    pluginmanager.register(RunningTest(), _RUNNING_TEST)  # before the plugins that override some
    group = parser.getgroup("grice", "conversations with chatbots and agents")
    group.addoption(
        "--grice-agent",
        metavar="MODULE:NAME",
        type=_value("agent_name"),
        help="the agent under test (default: agent in [tool.grice])",
    )
    group.addoption(
        "--grice-update",
        action="store_true",
        help="rewrite what goldens observed (never their rules), and record cassettes that exist anew",
    )
    group.addoption(
        "--grice-record",
        metavar="MODE",
        nargs="?",
        const="once",
        type=_value("record_mode"),
        help="record what LLMs say into cassettes: once (the default: where there is no cassette yet), new, "
        "all; none only replays, off leaves cassettes alone",
    )
    group.addoption(
        "--grice-store",
        metavar="FOLDER",
        nargs="?",
        const="",
        type=_value("folder_name", "runs", ".grice/runs"),
        help="keep the result of each test with a conversation in a journal below FOLDER (default: the "
        "project's, .grice/runs), which `grice report` reads",
    )
    group.addoption("--grice-name", metavar="NAME", help="what the kept run is called")
    group.addoption(
        "--grice-tag", metavar="TAG", action="append", help="a word to find the kept run by; repeatable"
    )
    group.addoption(
        "--grice-results",
        metavar="FOLDER",
        nargs="?",
        const="",
        type=_value("folder_name", "results", "results"),
        help="write what the kept run came to into FOLDER/<id>.json (default: results)",
    )
    group.addoption(
        "--grice-html",
        metavar="FILE",
        help="keep the run, and write it as an HTML page to FILE when the session ends (needs grice[html])",
    )
    group.addoption(
        "--grice-strict",
        action="store_true",
        help="fail a test whose hard checks are trivially true, or with an expect(...) that checks nothing",
    )
    group.addoption(
        "--grice-repeat",
        metavar="N",
        type=_value("count"),
        default=1,
        help="run every test with a conversation, golden and scenario so often, as a measurement",
    )
    group.addoption(
        "--grice-concurrency",
        metavar="N",
        type=_value("count"),
        help="how many conversations of @simulated tests are held ahead (default: concurrency in "
        "[tool.grice], 20)",
    )
    group.addoption(
        "--grice-seed", metavar="N", type=int, default=0, help="the seed of random draws (default: 0)"
    )
    group.addoption(
        "--grice-resume",
        metavar="RUN",
        help="run only what a kept run has not finished: its id, the beginning of it, its name, or latest",
    )
    group.addoption(
        "--grice-mix",
        action="store_true",
        help="go on with --grice-resume though agent, models, criteria or code are not those it began with",
    )
    group.addoption(
        "--grice-only",
        action="store_true",
        help="leave out tests that ask for no fixture of Grice",
    )
    group.addoption(
        "--grice-strict-soft",
        action="store_true",
        help="fail a test when a soft check of it fails, cannot tell, or breaks",
    )


def _value(kind: str, *of: str) -> Callable[[str], Any]:
    """Reads a value on the command line by that function of `option_values`, imported once one is given."""

    def read(text: str) -> Any:
        from grice.pytest_plugin import option_values

        return getattr(option_values, kind)(text, *of)

    return read


class RunningTest:
    """Knows the test that runs now: for verdicts that no conversation claims, and for its fixtures.

    Fixtures that ask pytest for `request` cost twice as much.
    """

    def __init__(self) -> None:
        self.item: pytest.Item | None = None
        self.outer: Callable[[], Any] | None = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Remember the test until the session ends; a test that is run again begins without soft verdicts."""
        self.item = item
        if item.user_properties:
            own = ("grice.soft", "grice.assertion")
            item.user_properties[:] = [one for one in item.user_properties if one[0] not in own]

    def log(self) -> Any:
        """The verdict log of the running test, None outside of tests."""
        if self.item is None:
            return None
        from grice.pytest_plugin.session import log_of

        return log_of(self.item)

    @property
    def _test(self) -> pytest.Item:
        assert self.item is not None, "fixtures are asked for by tests"
        return self.item

    def _held(self, kind: Any, agent: object, context: AgentContext) -> AbstractContextManager[Any]:
        """The conversation of the test: one of that kind, or what is finished of a simulated one."""
        if _is_simulated(self._test):
            from grice.pytest_plugin.prefetch import finished_conversation

            return finished_conversation(self._test, agent, context)
        from grice.pytest_plugin.session import open_conversation

        return open_conversation(kind, self._test, agent, context)

    @pytest.fixture
    def scripted_model(self) -> ScriptedModel:
        """A model that answers from a script: `scripted_model.script("Hello!", tool_use("search", q="x"))`.

        A request without a scripted reply, and a reply that was never asked for, fail the test.
        """
        from grice.pytest_plugin.session import model_of_test

        return model_of_test(self._test)

    @pytest.fixture
    def agent_context(self, scripted_model: ScriptedModel) -> AgentContext:
        """What agents are built with: the test's name, file, line and tags, and the scripted model."""
        from grice.pytest_plugin.session import context_of_item

        return context_of_item(self._test, scripted_model)

    @pytest.fixture
    def scenario(self) -> Scenario:
        """The scenario that the test is run with: `@scenarios("scenarios/venues.json")` gives it one."""
        from grice.pytest_plugin.scenarios import refuse_scenario

        refuse_scenario(self._test)

    @pytest.fixture
    def agent(self, agent_factory: Callable[..., object], agent_context: AgentContext) -> object:
        """The agent under test: override it, or `agent_factory`, or name it in [tool.grice]."""
        if _SIMULATED in sys.modules:
            from grice.pytest_plugin.prefetch import prefetch_of

            if prefetch_of(self._test.config).takes(self._test):
                return None  # its conversation was held with another
        return agent_factory(agent_context)

    @pytest.fixture
    def judge_llm(self) -> object:
        """The LLM that judges: override it, or name it as `judge_llm` in [tool.grice]."""
        from grice.pytest_plugin.judging import configured_llm

        return configured_llm(self._test, "judge_llm")

    @pytest.fixture
    def user_llm(self) -> object:
        """The LLM that plays the user: override it, or name it as `user_llm` in [tool.grice]."""
        from grice.pytest_plugin.judging import configured_llm

        return configured_llm(self._test, "user_llm")

    @pytest.fixture
    def prompt_llm(self) -> object:
        """The LLM that answers prompts of suites: override it, or name it as `prompt_llm` in [tool.grice]."""
        from grice.pytest_plugin.judging import configured_llm

        return configured_llm(self._test, "prompt_llm")

    @pytest.fixture
    def conversation(
        self, agent: object, agent_context: AgentContext
    ) -> Iterator[LiveConversation | FinishedConversation]:
        """A conversation with the agent: `reply = conversation.say("Hello")`.

        That of a test with `@simulated` arrives finished.
        """
        from grice.running.live import LiveConversation

        with self._held(LiveConversation, agent, agent_context) as held:
            yield held

    @pytest.fixture
    def async_conversation(
        self, agent: object, agent_context: AgentContext
    ) -> Iterator[AsyncConversation | FinishedConversation]:
        """The same for an async test: `reply = await async_conversation.say("Hello")`.

        An asynchronous agent runs on the test's own event loop. Checks are awaited with `grice.aio`.
        """
        from grice.running.async_live import AsyncConversation

        with self._held(AsyncConversation, agent, agent_context) as held:
            yield held


_RUNNING = pytest.StashKey[RunningTest]()
_KEPT = pytest.StashKey[list[str]]()


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker, and say how a verdict finds the running test."""
    config.addinivalue_line(
        "markers",
        "grice(turn_timeout=seconds, timeout=seconds, suite=name, record=mode, criteria=[...]): settings of "
        "a test's conversation, user=SimulatedUser(...), topics=[...]; criteria, users and topics add up "
        "from module to test",
    )
    option = config.option
    given = (option.grice_name, option.grice_tag, option.grice_results, option.grice_resume)
    if given != (None, None, None, None) or option.grice_mix:
        from grice.pytest_plugin.projects import check_kept_run

        check_kept_run(config)
    if option.grice_html is not None:
        from grice.pytest_plugin.projects import check_page

        check_page(config)
    if option.grice_repeat > 1:
        from grice.pytest_plugin.repeats import Repeats

        config.pluginmanager.register(Repeats(option.grice_repeat), "grice-repeats")
    servers: dict[str, str] = getattr(config, "workerinput", {}).get("grice_servers", {})
    for root, url in servers.items():
        from grice.agents.server import adopt_server

        adopt_server(Path(root), url)
    running: Any = config.pluginmanager.get_plugin(_RUNNING_TEST)
    config.stash[_RUNNING] = running
    running.outer, _runner.find = _runner.find, running.log
    _runner.begin_session()


def pytest_unconfigure(config: pytest.Config) -> None:
    """Forget the session; one that it ran inside of goes on as before."""
    if _RUNNING in config.stash:
        _runner.find = config.stash[_RUNNING].outer
        if _runner.find is None:  # msgspec's types may crash the last collection of a process (its issue 717)
            gc.freeze()
    if server := sys.modules.get("grice.agents.server"):
        server.end_servers()


class GoldenFile(pytest.File):
    """A file of goldens. pytest makes a node of every file beside a test that it runs; few are collected."""

    def collect(self) -> Iterator[pytest.Item]:
        """One item a golden. Everything wrong with the file is one collection error."""
        from grice.pytest_plugin.goldens import golden_items

        return golden_items(self)


class SuiteFile(pytest.File):
    """A suite file."""

    def collect(self) -> Iterator[pytest.Item]:
        """One item a scenario. Everything wrong with the file is one collection error."""
        from grice.pytest_plugin.suites import scenario_items

        return scenario_items(self)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect suites, golden files, and those that [tool.grice] names; no other file is opened."""
    name = file_path.name
    if not name.endswith(_DATA):
        return None
    if name.endswith(_SUITES):
        return SuiteFile.from_parent(parent, path=file_path)
    from grice.pytest_plugin.projects import is_named_golden

    if name.endswith(_GOLDENS) or is_named_golden(parent.config, file_path):
        return GoldenFile.from_parent(parent, path=file_path)
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests once for each scenario of their @scenarios, when anything has that mark."""
    if _MARKS in sys.modules:
        from grice.pytest_plugin.scenarios import parametrise

        parametrise(metafunc)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Refuse wrong settings and markers, and two tests or scenarios with one stable id."""
    if config.option.grice_only:
        from grice.pytest_plugin.selection import leave_out, uses_grice

        leave_out(config, items, lambda item: not uses_grice(item))
    if _collects_everything(config):
        from grice.pytest_plugin.collection_errors import report_unmatched_goldens

        report_unmatched_goldens(config)
    used = [
        item
        for item in items
        if getattr(item, "golden", None) is not None
        or not _CONVERSATIONS.isdisjoint(getattr(item, "fixturenames", ()))
    ]
    judging = items if not _JUDGING.isdisjoint(sys.modules) else used
    if judging:
        from grice.pytest_plugin.collection_errors import report_refusals

        report_refusals(config, used, judging)
    if _SIMULATED in sys.modules:
        from grice.pytest_plugin.collection_errors import report_unplayed

        report_unplayed(config, items)
    suites = sys.modules.get("grice.pytest_plugin.suites")
    if suites is not None:
        suites.report_collisions(config, items)
    if used or suites is not None:
        from grice.pytest_plugin.projects import store_folder

        with suppress(pytest.Collector.CollectError):  # wrong settings are told elsewhere
            folder = store_folder(config)
            if folder is not None:
                from grice.pytest_plugin.journal import keep_journal

                keep_journal(config, items, folder)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker of xdist which run it belongs to, in case that it keeps a journal."""
    from grice.pytest_plugin.workers import tell_worker

    tell_worker(node)


def _collects_everything(config: pytest.Config) -> bool:
    """Whether the whole project is collected, and configures goldens perhaps."""
    if config.args_source is not config.ArgsSource.TESTPATHS:
        where = config.invocation_params.dir
        if any((where / arg).resolve() != config.rootpath.resolve() for arg in config.args):
            return False
    from grice.files.settings_files import settings_mention

    return settings_mention(config.rootpath, b"goldens")


def pytest_terminal_summary(terminalreporter: TerminalReporter) -> None:
    """Show what was judged, when anything was, and where it is kept."""
    reports = [
        report
        for group, some in terminalreporter.stats.items()
        for report in some
        if group != "rerun" and getattr(report, "grice_hard", None) is not None
    ]
    if reports or _skipped_scenarios(terminalreporter):
        from grice.pytest_plugin.summary import write_summary

        write_summary(terminalreporter, reports)
    for line in terminalreporter.config.stash.get(_KEPT, ()):
        terminalreporter.write_line(line)


def _skipped_scenarios(terminal: TerminalReporter) -> bool:
    skipped = terminal.stats.get("skipped", ())
    return any(report.nodeid.split("::")[0].endswith(_SUITES) for report in skipped)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Tell and write what was kept; a session of skipped scenarios and nothing else has tested nothing."""
    terminal: Any = session.config.pluginmanager.get_plugin("terminalreporter")
    if terminal is None:
        return
    kept = {getattr(one, "grice_kept", "") for some in terminal.stats.values() for one in some} - {""}
    if kept:
        from grice.pytest_plugin.closing import closing_lines

        session.config.stash[_KEPT] = closing_lines(session, sorted(kept))
    if session.config.option.grice_resume is not None:
        from grice.pytest_plugin.resumed import finish_resumed

        finish_resumed(session)
    if session.exitstatus != pytest.ExitCode.OK or not _skipped_scenarios(terminal):
        return
    from grice.pytest_plugin.summary import nothing_ran

    if nothing_ran(terminal):
        session.exitstatus = pytest.ExitCode.NO_TESTS_COLLECTED


def _is_simulated(item: pytest.Item) -> bool:
    if _SIMULATED not in sys.modules:
        return False
    from grice.pytest_plugin.support import simulated_item

    return simulated_item(item) is not None


@pytest.fixture(scope="session")
def agent_factory(request: pytest.FixtureRequest) -> Callable[..., object]:
    """Makes the configured agent: `agent_factory(agent_context)`, or with more in its context.

    `agent_factory({**agent_context, "shop": shop})` does that. Override it, or name the agent with
    --grice-agent or as `agent` in [tool.grice].
    """
    from grice.pytest_plugin.session import factory_of

    return factory_of(request.config)
