"""The settings of the projects that one pytest session runs tests of."""

from __future__ import annotations

from pathlib import Path

import pytest

from grice.running.settings import Projects, Settings, SettingsError

__all__ = ["projects_of", "settings_of"]

_PROJECTS = pytest.StashKey[Projects]()


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
