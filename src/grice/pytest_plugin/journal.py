"""The journal of a pytest session: a line for each test that held a conversation, where it is asked for."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from grice.pytest_plugin.criteria import criteria_of
from grice.pytest_plugin.projects import llms_of, settings_of
from grice.pytest_plugin.results import results_of
from grice.pytest_plugin.support import marked_users, simulated_item, support_of
from grice.running.journal.experiment import Experiment, new_experiment
from grice.running.journal.form import JournalError
from grice.running.journal.writing import Journal

if TYPE_CHECKING:
    from grice.running.holding import Recipe

__all__ = ["WORKERS", "SessionJournal"]

WORKERS = "grice_experiment"
"""Under which name workers of xdist are told the run that they belong to."""

_CONVERSATIONS = frozenset({"conversation", "async_conversation"})


@dataclass(eq=False)
class _Course:
    """How a test went: its seconds, and what was raised in each phase."""

    seconds: float = 0.0
    raised: list[tuple[str, BaseException]] = field(default_factory=list)


_COURSE = pytest.StashKey[_Course]()


class SessionJournal:
    """Writes the results of the session's tests below `root`; each worker of xdist has a file of its own."""

    def __init__(self, config: pytest.Config, root: Path, items: Sequence[pytest.Item]) -> None:
        self._config = config
        self._root = root
        self._items = items
        self._journal: Journal | None = None
        self._problem = ""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Open the journal before anything is held that could not be kept."""
        item.stash[_COURSE] = _Course()
        if _holds(item) and self._journal is None:
            try:
                self._open()
            except JournalError as error:
                self._problem = str(error)
        if _holds(item) and self._problem:
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
        course.seconds += call.duration
        if call.excinfo is not None:
            course.raised.append((call.when, call.excinfo.value))
        report.grice_kept = str(self._journal.path.parent)
        if call.when == "teardown" and not self._problem:
            try:
                for result in results_of(item, course.raised, course.seconds):
                    self._journal.append(result)
            except JournalError as error:
                self._problem = str(error)
                report.outcome, report.longrepr = "failed", str(error)
        return report

    def pytest_unconfigure(self) -> None:
        """Close the file."""
        if self._journal is not None:
            self._journal.close()

    def _open(self) -> None:
        experiment = self._experiment()
        worker = getattr(self._config, "workerinput", {}).get("workerid", "main")
        self._journal = Journal.create(self._root / experiment.id, experiment, worker=worker)

    def _experiment(self) -> Experiment:
        """The identity of the session, which all its workers share."""
        given = getattr(self._config, "workerinput", {}).get(WORKERS)
        identity, began = given or ("", None)
        holding = [item for item in self._items if _holds(item)]
        how = [simulated_item(item) for item in holding]
        return new_experiment(
            id=identity,
            clock=None if began is None else partial(datetime.fromtimestamp, began, UTC),
            folder=self._config.rootpath,
            planned=sum(1 if one is None else one.runs for one in how),
            command=("pytest", *map(str, self._config.invocation_params.args)),
            **_head(holding),
        )


def _holds(item: pytest.Item) -> bool:
    """Whether the test holds a conversation, or is one."""
    return hasattr(item, "kind") or not _CONVERSATIONS.isdisjoint(getattr(item, "fixturenames", ()))


def _head(items: Sequence[pytest.Item]) -> dict[str, Any]:
    """What the head says of criteria, graphs, users and models of the tests."""
    from grice.running.run_head import run_head

    recipes = list(_recipes(items))
    return run_head(recipes) if recipes else {}


def _recipes(items: Sequence[pytest.Item]) -> Iterator[Recipe]:
    """The tests as far as a head describes them, each function once."""
    from grice.running.following import graph_of
    from grice.running.holding import Recipe
    from grice.running.simulated import Simulated

    seen: set[object] = set()
    for item in items:
        if isinstance(item, pytest.Function) and (item.cls, item.originalname) not in seen:
            seen.add((item.cls, item.originalname))
            how = simulated_item(item)
            marked = Simulated(users=tuple(marked_users(item)))
            described = marked if how is None else replace(how, users=(*marked.users, *how.users))
            with suppress(Exception):  # a wrong graph is told of by its test
                described = replace(
                    described,
                    topics=graph_of(described.topics, support_of(item).find_topics, item.path.parent),
                )
            find = partial(llms_of(item.config).llm, item.path)
            yield Recipe(
                name=item.name,
                find_agent=lambda: None,
                settings=settings_of(item.config, item.path),
                find_judge_llm=partial(find, "judge_llm"),
                find_user_llm=partial(find, "user_llm"),
                find_criteria=partial(criteria_of, item),
                file=item.path,
                simulated=described,
            )
