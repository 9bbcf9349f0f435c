"""The settings of the projects that one pytest session runs tests of."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest
from _pytest.outcomes import Failed

from grice.files.settings_files import SettingsError, find_settings_file
from grice.running.projects import Projects

if TYPE_CHECKING:
    from grice.files.settings import Settings
    from grice.running.project_llms import ProjectLLMs


_RUNS, _RESULTS = ".grice/runs", "results"
_PROJECTS = pytest.StashKey[Projects]()
_LLMS = pytest.StashKey["ProjectLLMs"]()


def projects_of(config: pytest.Config) -> Projects:
    """The projects of the session."""
    if _PROJECTS not in config.stash:
        agent = config.getoption("--grice-agent")
        advice = "write a fixture named 'agent' that returns it"
        config.stash[_PROJECTS] = Projects(
            config.rootpath,
            agent=agent,
            option="--grice-agent",
            advice=advice,
            strict=bool(config.getoption("--grice-strict")),
            concurrency=config.getoption("--grice-concurrency"),
        )
    return config.stash[_PROJECTS]


def settings_of(config: pytest.Config, path: Path) -> Settings:
    """The settings of the file's project. Raises CollectError when they are wrong."""
    try:
        return projects_of(config).of(path)
    except SettingsError as error:
        raise pytest.Collector.CollectError(str(error)) from error


def is_named_golden(config: pytest.Config, path: Path) -> bool:
    """Whether the settings name the file as a golden. Raises CollectError where they cannot be read."""
    try:
        return projects_of(config).names_golden(path)
    except SettingsError as error:
        raise pytest.Collector.CollectError(str(error)) from error


def store_folder(config: pytest.Config) -> Path | None:
    """The folder for the runs of pytest: the command line's, else the settings', else None.

    A page is made of a run that is kept.
    """
    found = _folder(config, "store", _RUNS)
    return project_folder(config) / _RUNS if found is None and config.option.grice_html is not None else found


def results_folder(config: pytest.Config) -> Path | None:
    """The folder for what runs came to: the command line's, else the settings', else None."""
    return _folder(config, "results", _RESULTS)


def _folder(config: pytest.Config, name: Literal["store", "results"], default: str) -> Path | None:
    """The folder that the option names, else that of the project; without a project it is here."""
    given: str | None = config.getoption(f"--grice-{name}")
    if given:
        return config.invocation_params.dir / given
    settings = settings_of(config, config.rootpath)
    wanted = settings.store if name == "store" else settings.results
    if wanted:
        return settings.root / (wanted if isinstance(wanted, str) else default)
    return None if given is None else project_folder(config) / default


def project_folder(config: pytest.Config) -> Path:
    """The folder of the project, else the current one: where the commands of `grice` look."""
    here = config.invocation_params.dir
    try:
        found = find_settings_file(config.rootpath) or find_settings_file(here)
    except SettingsError as error:
        raise pytest.Collector.CollectError(str(error)) from error
    return here if found is None else found.path.parent


class NoAgent(Failed):
    """A test fails because its agent cannot be had, which says nothing about any agent."""


def check_page(config: pytest.Config) -> None:
    """Raise UsageError where the page that --grice-html asks for cannot be written."""
    from grice.reporting.renderers.html import NoJinja
    from grice.reporting.renderers.html.page import check_page as check

    page = page_file(config)
    try:
        if page is not None:
            check(page)
    except (OSError, NoJinja) as error:
        raise pytest.UsageError(f"--grice-html: {error}") from None


def page_file(config: pytest.Config) -> Path | None:
    """The page that --grice-html asks for."""
    given: str | None = config.option.grice_html
    return None if given is None else config.invocation_params.dir / given


def check_kept_run(config: pytest.Config) -> None:
    """Raise UsageError for a name or tag that no run can have, and for these options where none is kept."""
    from grice.running.run_names import name_problem

    name, tags = config.option.grice_name, config.option.grice_tag or ()
    if config.option.grice_mix and config.option.grice_resume is None:
        raise pytest.UsageError("--grice-mix goes with --grice-resume: it says how a run is gone on with")
    for option, text in (*(() if name is None else (("name", name),)), *(("tag", tag) for tag in tags)):
        problem = name_problem(text)
        if problem:
            raise pytest.UsageError(f"--grice-{option}: {problem}")
    _refuse_without_store(config)


def _refuse_without_store(config: pytest.Config) -> None:
    """Raise UsageError for options of a kept run where none is kept; wrong settings are told elsewhere."""
    with suppress(pytest.Collector.CollectError):
        if store_folder(config) is None:
            option = config.option
            given = next(
                name
                for name, value in (
                    ("--grice-results", option.grice_results),
                    ("--grice-resume", option.grice_resume),
                    ("--grice-name", option.grice_name),
                    ("--grice-tag", option.grice_tag),
                )
                if value is not None
            )
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
