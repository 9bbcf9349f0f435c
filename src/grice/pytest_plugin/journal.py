"""The journal of a pytest session: a line for each test that held a conversation, where it is asked for."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from grice.pytest_plugin.criteria import criteria_beside, criteria_of
from grice.pytest_plugin.projects import llms_of, project_folder, settings_of
from grice.pytest_plugin.results import Course, begun_by, fingerprint_of, results_of
from grice.pytest_plugin.resumed import Resumed, refuse_other_tests, resumed_run, tell_door
from grice.pytest_plugin.selection import leave_out
from grice.pytest_plugin.support import marked_users, runs_of, simulated_item, support_of
from grice.pytest_plugin.workers import WORKERS, RunIdentity, new_run
from grice.running.journal.changes import changes_since, refuse_changes
from grice.running.journal.experiment import Experiment, new_experiment
from grice.running.journal.folders import session_began, session_ended
from grice.running.journal.form import Begun, JournalError
from grice.running.journal.reading import first_head
from grice.running.journal.writing import Journal

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter

    from grice.running.run_one import ConversationConfig


_CONVERSATIONS = frozenset({"conversation", "async_conversation"})


_COURSE = pytest.StashKey[Course]()


class SessionJournal:
    """Keeps what the session's tests begin and finish below `root`; each worker of xdist has its own file."""

    def __init__(self, config: pytest.Config, root: Path, items: Sequence[pytest.Item]) -> None:
        self._config = config
        self._root = root
        self._items = items
        self._resumed: Resumed | None = None
        self._head: Experiment | None = None
        self._journal: Journal | None = None
        self._problem = ""
        self._notes: list[str] = []
        self._uncollected = items[0].session.testsfailed if items else 0  # no test has run yet

    def resume(self, items: list[pytest.Item], resumed: Resumed) -> None:
        """Go on with a run: deselect the tests that it has finished.

        Raises JournalError where it began with another configuration, or is one of other tests.
        """
        holding = [item for item in items if _holds(item)]
        if not holding:
            return
        _, began, command = self._identity()
        head = self._experiment(resumed.experiment.id, began, command, holding)
        if not self._config.getoption("--grice-mix"):
            by_grice = self._config.pluginmanager.has_plugin("grice-door")
            option = "--mix" if by_grice else "--grice-mix"
            refuse_changes(resumed.experiment, head, resumed.folder, option)
        refuse_other_tests(resumed, {begun.id for item in holding for begun in begun_by(item)})
        gone = leave_out(self._config, items, lambda item: _holds(item) and _is_finished(item, resumed))
        self._resumed = resumed
        self._head = msgspec.structs.replace(
            head,
            name=resumed.experiment.name,
            tags=resumed.experiment.tags,
            finished_before=sum(len(runs_of(item)) for item in gone),
        )

    def pytest_report_collectionfinish(self) -> list[str]:
        """Say what was finished before, and what is different now."""
        if self._resumed is None or self._head is None:
            return []
        mixed = changes_since(self._resumed.experiment, self._head)
        done, planned = self._head.finished_before, self._head.planned
        before = f"{done} of {planned} were finished before"
        return [before, *(f"the run goes on with {one}" for one in mixed)]

    def pytest_terminal_summary(self, terminalreporter: TerminalReporter) -> None:
        """Say once what was cut off, and that tests which talk by themselves run one after the other."""
        if (self._config.getoption("--grice-concurrency") or 1) > 1:
            talking = sum(_talks(item) for item in self._items)
            if talking > 1:
                self._notes.append(
                    f"{talking} tests talk by themselves and ran one after the other: the concurrency is "
                    "for @simulated tests; spread these with -n N (pytest-xdist)"
                )
        for note in self._notes:
            terminalreporter.write_line(note)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Keep that the test begins, before anything is held that could not be kept."""
        item.stash[_COURSE] = Course()
        if not _holds(item):
            return
        if not self._problem:
            try:
                journal = self._opened()
                for begun in begun_by(item):
                    journal.begin(begun)
            except JournalError as error:
                self._problem = str(error)
        if self._problem:
            raise pytest.fail.Exception(self._problem, pytrace=False)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, Any, Any]:
        """Keep the result when the test is over; one that cannot be kept fails it."""
        report = yield
        course = item.stash.get(_COURSE, None)
        if course is None or not _holds(item) or self._journal is None:
            return report
        course.add(report, call)
        report.grice_kept = str(self._journal.path.parent)
        if call.when == "teardown" and not self._problem:
            try:
                for result in results_of(item, course):
                    self._journal.append(result)
            except JournalError as error:
                self._problem = str(error)
                report.outcome, report.longrepr = "failed", str(error)
        return report

    def pytest_unconfigure(self) -> None:
        """Close the file."""
        if self._journal is not None:
            self._journal.close()
            session_ended(self._journal.path.parent)

    def _opened(self) -> Journal:
        """The file of this worker. Raises JournalError."""
        if self._journal is None:
            worker = getattr(self._config, "workerinput", {}).get("workerid", "main")
            if self._resumed is not None and self._head is not None:
                folder = self._resumed.folder
                self._journal = Journal.resume(folder, self._head, worker=worker)
                if self._journal.cut:
                    cut = f"its torn last line ({self._journal.cut} bytes) was cut off"
                    self._notes.append(f"{self._journal.path}: {cut}")
            else:
                id_, began, command = self._identity()
                folder = self._root / id_
                holding = [item for item in self._items if _holds(item)]
                experiment = _head_in(folder) or self._experiment(id_, began, command, holding)
                self._journal = Journal.create(folder, experiment, worker=worker)
            session_began(folder)
            for begun in self._not_collected():
                self._journal.begin(begun)
        return self._journal

    def _not_collected(self) -> Iterator[Begun]:
        """A line for each file that could not be collected: nobody knows what would have been held in it."""
        for number in range(1, self._uncollected + 1):
            of = f" ({number} of {self._uncollected})" if self._uncollected > 1 else ""
            yield Begun(f"collection:{number}", f"a file that could not be collected{of}")

    def _identity(self) -> RunIdentity:
        """What tells the run from others, which the controller of xdist knows."""
        told: RunIdentity | None = getattr(self._config, "workerinput", {}).get(WORKERS)
        return told or new_run(self._config)

    def _experiment(
        self, id_: str, began: float, command: Sequence[str], holding: Sequence[pytest.Item]
    ) -> Experiment:
        """The identity of the session, as its first worker sees it."""
        return new_experiment(
            id=id_,
            name=self._config.getoption("--grice-name") or "",
            tags=self._config.getoption("--grice-tag") or (),
            clock=partial(datetime.fromtimestamp, began, UTC),
            folder=project_folder(self._config),
            planned=sum(len(runs_of(item)) for item in holding) + self._uncollected,
            repeat=max((runs_of(item)[-1] for item in holding), default=1),
            concurrency=self._config.getoption("--grice-concurrency"),
            seed=self._config.getoption("--grice-seed"),
            command=command,
            agent=_agent(self._config),
            **_head(holding),
        )


def keep_journal(config: pytest.Config, items: list[pytest.Item], folder: Path) -> None:
    """Keep a journal of the session below the folder, or go on with the run that is asked for."""
    if not config.pluginmanager.has_plugin("grice-journal"):
        journal = SessionJournal(config, folder, items)
        config.pluginmanager.register(journal, "grice-journal")
        if config.option.grice_resume is not None:
            _resume(config, journal, items)


def _resume(config: pytest.Config, journal: SessionJournal, items: list[pytest.Item]) -> None:
    """Have the journal go on with the run that is asked for; what hinders it ends the session."""
    try:
        resumed = resumed_run(config)
        journal.resume(items, resumed)
        tell_door(config, resumed.folder)
    except JournalError as error:
        report = pytest.CollectReport("--grice-resume", "failed", str(error), None)
        config.hook.pytest_collectreport(report=report)


def _talks(item: pytest.Item) -> bool:
    """Whether the test holds its conversation in its body."""
    return _holds(item) and not _kind(item) and simulated_item(item) is None


def _is_finished(item: pytest.Item, resumed: Resumed) -> bool:
    """Whether the run has a result for each of the test's conversations."""
    content = fingerprint_of(item)
    return all((begun.id, begun.repeat, content) in resumed.finished for begun in begun_by(item))


def _head_in(folder: Path) -> Experiment | None:
    """What another worker wrote first; all of them say the same, also those that begin later."""
    for file in sorted(folder.glob("*.jsonl")):
        with suppress(JournalError, OSError):
            head = first_head(file)
            if head is not None:
                return head
    return None


def _agent(config: pytest.Config) -> str:
    """The agent that the command line or the settings name, "" where they name none."""
    named = config.getoption("--grice-agent") or settings_of(config, config.rootpath).agent
    return named if isinstance(named, str) else ""


def _holds(item: pytest.Item) -> bool:
    """Whether the test holds a conversation, or is one."""
    return bool(_kind(item)) or not _CONVERSATIONS.isdisjoint(getattr(item, "fixturenames", ()))


def _kind(item: pytest.Item) -> str:
    """What an item from a file is called, "" for other tests."""
    return str(getattr(item, "kind", ""))


def _head(items: Sequence[pytest.Item]) -> dict[str, Any]:
    """What the head says of criteria, graphs, users and models of the tests."""
    from grice.running.run_head import configs_of_suites, prompts_of_suites, run_head

    config = items[0].config
    scenarios: list[Any] = [getattr(one, "scenario", None) for one in items if _kind(one) == "scenario"]
    in_suites = configs_of_suites(scenarios, llms_of(config), partial(settings_of, config))
    tested = prompts_of_suites(scenarios, llms_of(config), partial(settings_of, config))
    return run_head([*_configs(items), *in_suites], list(criteria_beside(items)), tested)


def _configs(items: Sequence[pytest.Item]) -> Iterator[ConversationConfig]:
    """The tests as far as a head describes them, each function once."""
    from grice.running.run_one import ConversationConfig
    from grice.running.simulated import Simulated

    seen: set[object] = set()
    for item in items:
        if isinstance(item, pytest.Function) and (item.cls, item.originalname) not in seen:
            seen.add((item.cls, item.originalname))
            how = simulated_item(item)
            marked = Simulated(users=tuple(marked_users(item)))
            described = marked if how is None else replace(how, users=(*marked.users, *how.users))
            if described.topics is not None:
                described = replace(described, topics=_graph(item, described.topics))
            find = partial(llms_of(item.config).llm, item.path)
            yield ConversationConfig(
                name=item.originalname,
                find_agent=lambda: None,
                settings=settings_of(item.config, item.path),
                find_judge_llm=partial(find, "judge_llm"),
                find_user_llm=partial(find, "user_llm"),
                find_criteria=partial(criteria_of, item),
                file=item.path,
                simulated=described,
            )


def _graph(item: pytest.Item, given: object) -> object:
    """The graph that is meant; what cannot be read as one is left as it is, and told of by its test."""
    from grice.files.graph_files import GraphErrors
    from grice.files.settings_files import SettingsError
    from grice.running.following import graph_of
    from grice.topics.graph import TopicGraphError

    with suppress(GraphErrors, TopicGraphError, SettingsError):
        return graph_of(given, support_of(item).find_topics, item.path.parent)
    return given
