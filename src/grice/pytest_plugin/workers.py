"""What the controller of pytest-xdist tells its workers: which run they belong to."""

from __future__ import annotations

import time
from typing import Any

import pytest

from grice.files.settings_files import settings_mention

WORKERS = "grice_experiment"
"""Under which name workers are told the run that they belong to: its id, when it began, its command line."""

RunIdentity = tuple[str, float, list[str]]
"""The id of a run, the seconds since 1970 when it began, its command line."""

_FINISHED = pytest.StashKey[Any]()
_EXPERIMENT = pytest.StashKey[RunIdentity]()


def new_run(config: pytest.Config) -> RunIdentity:
    """What tells the run of this session from all others; it begins now."""
    from grice.running.journal.experiment import new_experiment_id

    door: Any = config.pluginmanager.get_plugin("grice-door")
    if door is None:
        return new_experiment_id(), time.time(), ["pytest", *map(str, config.invocation_params.args)]
    return door.run_id or new_experiment_id(), time.time(), list(door.command)


def tell_worker(node: Any) -> None:
    """Tell a worker the run of this session, which is the same for those that begin later."""
    config: pytest.Config = node.config
    if _EXPERIMENT not in config.stash:
        config.stash[_EXPERIMENT] = new_run(config)
        if _may_store(config):
            from grice.pytest_plugin.closing import Controller

            config.pluginmanager.register(Controller(config, config.stash[_EXPERIMENT][0]))
    node.workerinput[WORKERS] = config.stash[_EXPERIMENT]
    if settings_mention(config.rootpath, b"server"):
        node.workerinput["grice_servers"] = _servers(config)
    if config.option.grice_resume is not None:
        from grice.pytest_plugin.resumed import FINISHED, finished_for_workers

        if _FINISHED not in config.stash:
            config.stash[_FINISHED] = finished_for_workers(config)
        node.workerinput[FINISHED] = config.stash[_FINISHED]


def _servers(config: pytest.Config) -> dict[str, str]:
    """The address of the project's server by its folder: it is one for all workers. Raises UsageError."""
    from grice.agents import AgentLoadError
    from grice.pytest_plugin.projects import settings_of

    try:
        settings = settings_of(config, config.rootpath)
        server = settings.find_server()
        return {} if server is None else {str(settings.root): server.url}
    except (AgentLoadError, pytest.Collector.CollectError) as error:
        raise pytest.UsageError(str(error)) from None


def _may_store(config: pytest.Config) -> bool:
    """Whether there may be a run to look after: the settings are read only then."""
    asked = config.option.grice_store is not None or config.option.grice_html is not None
    return asked or settings_mention(config.rootpath, b"store")
