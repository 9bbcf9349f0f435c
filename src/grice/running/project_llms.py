"""The LLMs and criteria that projects configure, each made once for all conversations of a run."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from grice.matching.protocols import BoundLLM
from grice.running.projects import Projects

if TYPE_CHECKING:
    from grice.judging.criterion import Criterion

__all__ = ["ProjectLLMs", "Role"]

Role = Literal["judge_llm", "user_llm", "prompt_llm"]


class ProjectLLMs:
    """What the settings of projects name, loaded at first use.

    One LLM serves all conversations of its project, so that they share its limits and its budget.
    """

    def __init__(self, projects: Projects) -> None:
        self._projects = projects
        self._llms: dict[tuple[Path, Role], BoundLLM] = {}
        self._criteria: dict[Path, Mapping[str, Criterion]] = {}
        self._lock = threading.RLock()  # conversations in threads ask at the same time

    def llm(self, path: Path, role: Role) -> BoundLLM:
        """The LLM for a file, in that role; without one it is one that says how to configure it.

        Raises SettingsError for a setting from which no LLM can be made.
        """
        with self._lock:
            return self._llm(path, role)

    def _llm(self, path: Path, role: Role) -> BoundLLM:
        from grice.llm import LLMConfigError, bind_llm, llm_named, no_llm

        settings = self._projects.of(path)
        key = settings.root, role
        if key not in self._llms:
            named = getattr(settings, role)
            if named is None:
                self._llms[key] = no_llm(role.removesuffix("_llm"))
                return self._llms[key]
            try:
                self._llms[key] = bind_llm(llm_named(named, settings.root))
            except LLMConfigError as error:
                raise settings.problem_with(role, str(error), error.key) from error
        return self._llms[key]

    def criteria(self, path: Path) -> Mapping[str, Criterion]:
        """The criteria that the settings name for a file, by name. Raises SettingsError."""
        settings = self._projects.of(path)
        if settings.root not in self._criteria:
            found: Mapping[str, Criterion] = {}
            if settings.criteria:
                from grice.agents import AgentLoadError
                from grice.judging.criterion import CriterionError, CriterionLevel, collect_criteria

                try:
                    loaded = self._projects.load(settings.criteria, settings.root, "object")
                    found = collect_criteria(cast("CriterionLevel", loaded))
                except (CriterionError, AgentLoadError) as error:
                    raise settings.problem_with("criteria", str(error)) from error
            self._criteria[settings.root] = found
        return self._criteria[settings.root]
