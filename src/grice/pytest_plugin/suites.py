"""Suite files as pytest items: one item a scenario."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import pytest

from grice.files.settings import Settings
from grice.files.settings_files import SettingsError
from grice.files.suite_files import SuiteErrors, load_suite
from grice.files.suite_records import SuiteScenario
from grice.pytest_plugin.file_items import ConversationItem
from grice.pytest_plugin.judging import RECORDED, judge_llm_of
from grice.pytest_plugin.projects import llms_of, projects_of, settings_of
from grice.pytest_plugin.repeats import repeated
from grice.pytest_plugin.session import activate
from grice.running.file_work import play
from grice.running.planned_conversations import Held
from grice.running.scripted import path_of_scenario
from grice.running.suite import left_out


def scenario_items(file: pytest.File) -> Iterator[pytest.Item]:
    """One item for each scenario of the file and repeat. Raises CollectError with everything wrong in it.

    What its `run_mode` leaves out is skipped, and says why with `-rs`.
    """
    activate(file.config)
    settings_of(file.config, file.path)
    try:
        modules = projects_of(file.config).matcher_modules(file.path)
        scenarios = load_suite(file.path, llms_of(file.config).criteria(file.path), modules)
    except (SettingsError, SuiteErrors) as error:
        raise file.CollectError(str(error)) from error
    for scenario, reason in zip(scenarios, left_out(scenarios), strict=True):
        for name, repeat in repeated(file.config, scenario.id)[: 1 if reason else None]:
            item = ScenarioItem.from_parent(file, name=name, scenario=scenario, repeat=repeat)
            if reason:
                item.left_out = reason
                item.add_marker(pytest.mark.skip(reason=reason))
            yield item


class ScenarioItem(ConversationItem):
    """One scenario."""

    kind = "scenario"

    def __init__(self, *, scenario: SuiteScenario, **kwargs: Any) -> None:
        super().__init__(what=scenario, **kwargs)
        self.scenario = scenario

    def played(self, agent: object, settings: Settings) -> Held:
        """Run the scenario."""
        result, notes = play(
            self.scenario,
            agent,
            settings,
            llms_of(self.config),
            mode=self.config.getoption("--grice-record") or "",
            update=bool(self.config.getoption("--grice-update")),
            judge_llm=partial(judge_llm_of, self),
        )
        if notes:
            self.stash[RECORDED] = "\n".join(notes)
        return Held(result)


def report_collisions(config: pytest.Config, items: Sequence[pytest.Item]) -> None:
    """Report scenarios of two files with one stable id as collection errors."""
    first: dict[str, pytest.Item] = {}
    for item in items:
        if not isinstance(item, ScenarioItem) or item.repeat > 1:
            continue
        path = path_of_scenario(item.scenario)
        known = first.setdefault(path, item)
        if known.nodeid != item.nodeid:
            message = (
                f"two scenarios have one stable id ({path}):\n  {known.nodeid}\n  {item.nodeid}\n"
                "give one of them another id, or its suite another name"
            )
            report = pytest.CollectReport(item.nodeid, "failed", message, None)
            config.hook.pytest_collectreport(report=report)
