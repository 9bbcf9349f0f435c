"""Tests that are run once for each scenario of a set."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NoReturn

import pytest

from grice.files.scenario_marks import Scenarios, declared_scenarios
from grice.files.scenario_sets import ScenarioErrors, ScenarioSet
from grice.records import JsonValue, Scenario

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter


ARGUMENT = "scenario"


class Notes:
    """Shows at the end what may be a mistake in the scenarios that were read."""

    def __init__(self) -> None:
        self.seen: dict[str, None] = {}

    def pytest_terminal_summary(self, terminalreporter: TerminalReporter) -> None:
        """Write each note once."""
        if self.seen:
            terminalreporter.section("grice scenarios", yellow=True)
            for note in self.seen:
                terminalreporter.write_line(note)


def parametrise(metafunc: pytest.Metafunc) -> None:
    """Run a test once for each scenario of its `@scenarios`; their keys are the ids.

    Raises CollectError with everything wrong in the scenarios of its module.
    """
    try:
        declared = declared_scenarios(metafunc.function, metafunc.cls)
        if declared is None:
            return
        found = declared.load()
    except TypeError as error:
        raise pytest.Collector.CollectError(str(error)) from None
    except ScenarioErrors:
        raise pytest.Collector.CollectError("\n".join(_all_problems(metafunc))) from None
    _keep_notes(metafunc.config, found)
    if ARGUMENT not in metafunc.fixturenames:
        metafunc.fixturenames.append(ARGUMENT)
    metafunc.parametrize(ARGUMENT, list(found), ids=list(found.keys))


def scenario_of(item: pytest.Item) -> Scenario | None:
    """The scenario that a test is run with, None without one."""
    callspec = getattr(item, "callspec", None)
    found = callspec.params.get(ARGUMENT) if callspec is not None else None
    return found if isinstance(found, Scenario) else None


def scenario_data(item: pytest.Item) -> JsonValue:
    """A copy of the data of a test's scenario, None without one."""
    scenario = scenario_of(item)
    return None if scenario is None else copy.deepcopy(scenario.data)


def without_scenario(ids: Sequence[str], scenario: Scenario) -> list[str]:
    """The ids of a test's parameters without that of its scenario."""
    others = list(ids)
    own = scenario.key.encode("unicode_escape").decode("ascii")
    others.remove(next((one for one in (own, scenario.key) if one in others), others[0]))
    return others


def refuse_scenario(item: pytest.Item) -> NoReturn:
    """Fail a test that asks for its scenario and has none."""
    pytest.fail(
        f"{item.name} asks for `scenario`, and nothing gives it one.\n"
        'Put @scenarios("scenarios/venues.json") before it or its class; `from grice import scenarios`.',
        pytrace=False,
    )


def _keep_notes(config: pytest.Config, found: ScenarioSet) -> None:
    if not found.notes:
        return
    notes = config.pluginmanager.get_plugin("grice-scenario-notes")
    if notes is None:
        notes = Notes()
        config.pluginmanager.register(notes, "grice-scenario-notes")
    notes.seen.update(dict.fromkeys(found.notes))


def _all_problems(metafunc: pytest.Metafunc) -> Iterator[str]:
    """What is wrong with all scenarios that the module names, each problem once."""
    seen: dict[str, None] = {}
    for declared in _declared_in(metafunc):
        try:
            declared.load()
        except ScenarioErrors as error:
            seen.update(dict.fromkeys(map(str, error.errors)))
    yield from seen


def _declared_in(metafunc: pytest.Metafunc) -> Iterator[Scenarios]:
    for target in (metafunc.function, metafunc.cls, *vars(metafunc.module).values()):
        inner = vars(target).values() if isinstance(target, type) else ()
        for one in (target, *inner):
            declared = getattr(one, "__dict__", {}).get("__grice_scenarios__")
            if isinstance(declared, Scenarios):
                yield declared
