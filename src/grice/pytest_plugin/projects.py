"""The settings of the projects that one pytest session runs tests of."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from grice.running.settings import Projects, Settings, SettingsError

if TYPE_CHECKING:
    from grice.running.project_llms import ProjectLLMs

__all__ = ["journal_folder", "llms_of", "projects_of", "settings_of"]

_RUNS = ".grice/runs"
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


def journal_folder(config: pytest.Config) -> Path | None:
    """The folder for the runs of pytest: the command line's, else the settings', else None."""
    given = config.getoption("--grice-store")
    if given is not None:
        return config.invocation_params.dir / (given or _RUNS)
    settings = settings_of(config, config.rootpath)
    if not settings.store:
        return None
    return settings.root / (settings.store if isinstance(settings.store, str) else _RUNS)


def llms_of(config: pytest.Config) -> ProjectLLMs:
    """The LLMs and criteria that the projects of the session configure."""
    if _LLMS not in config.stash:
        from grice.running.project_llms import ProjectLLMs

        config.stash[_LLMS] = ProjectLLMs(projects_of(config))
    return config.stash[_LLMS]
