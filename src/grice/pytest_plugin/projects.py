"""The settings of the projects that one pytest session runs tests of."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from grice.running.settings import Projects, Settings, SettingsError

if TYPE_CHECKING:
    from grice.running.project_llms import ProjectLLMs

__all__ = [
    "keep_journal",
    "llms_of",
    "projects_of",
    "refuse_without_store",
    "results_folder",
    "settings_of",
    "store_folder",
]

_RUNS, _RESULTS = ".grice/runs", "results"
_PROJECTS = pytest.StashKey[Projects]()
_LLMS = pytest.StashKey["ProjectLLMs"]()


def projects_of(config: pytest.Config) -> Projects:
    """The projects of the session."""
    if _PROJECTS not in config.stash:
        agent = config.getoption("--grice-agent")
        advice = "write a fixture named 'agent' that returns it"
        config.stash[_PROJECTS] = Projects(
            config.rootpath, agent=agent, option="--grice-agent", advice=advice
        )
    return config.stash[_PROJECTS]


def settings_of(config: pytest.Config, path: Path) -> Settings:
    """The settings of the file's project. Raises CollectError when they are wrong."""
    try:
        return projects_of(config).of(path)
    except SettingsError as error:
        raise pytest.Collector.CollectError(str(error)) from error


def store_folder(config: pytest.Config) -> Path | None:
    """The folder for the runs of pytest: the command line's, else the settings', else None."""
    return _folder(config, "store", _RUNS)


def results_folder(config: pytest.Config) -> Path | None:
    """The folder for what runs came to: the command line's, else the settings', else None."""
    return _folder(config, "results", _RESULTS)


def _folder(config: pytest.Config, name: Literal["store", "results"], default: str) -> Path | None:
    given = config.getoption(f"--grice-{name}")
    if given is not None:
        return config.invocation_params.dir / (given or default)
    settings = settings_of(config, config.rootpath)
    wanted = settings.store if name == "store" else settings.results
    return settings.root / (wanted if isinstance(wanted, str) else default) if wanted else None


def keep_journal(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep a journal of the session where that is asked for; wrong settings are told elsewhere."""
    with suppress(pytest.Collector.CollectError):
        folder = store_folder(config)
        if folder is not None and not config.pluginmanager.has_plugin("grice-journal"):
            from grice.pytest_plugin.journal import SessionJournal

            config.pluginmanager.register(SessionJournal(config, folder, items), "grice-journal")


def refuse_without_store(config: pytest.Config) -> None:
    """Raise UsageError for options of a kept run where none is kept; wrong settings are told elsewhere."""
    with suppress(pytest.Collector.CollectError):
        if store_folder(config) is None:
            results = config.getoption("--grice-results") is not None
            named = "--grice-name" if config.getoption("--grice-name") else "--grice-tag"
            given = "--grice-results" if results else named
            raise pytest.UsageError(
                f"{given} is for a run that is kept, and none is: give --grice-store too, or set store = "
                "true in [tool.grice]"
            )


def llms_of(config: pytest.Config) -> ProjectLLMs:
    """The LLMs and criteria that the projects of the session configure."""
    if _LLMS not in config.stash:
        from grice.running.project_llms import ProjectLLMs

        config.stash[_LLMS] = ProjectLLMs(projects_of(config))
    return config.stash[_LLMS]
