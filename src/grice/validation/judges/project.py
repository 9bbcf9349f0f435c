"""The judge and the criteria of the project around the current folder, or those of options."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import cast

import msgspec

from grice.judging.criterion import Criterion, CriterionLevel, collect_criteria
from grice.judging.judge import Judge
from grice.running.project_llms import ProjectLLMs
from grice.running.projects import Projects


class JudgingProject(msgspec.Struct, frozen=True):
    """The judge and the criteria of a project. `samples` is how often the judge is asked."""

    judge: Judge
    criteria: Mapping[str, Criterion]
    samples: int
    concurrency: int
    cards: Path


def judging_project(start: Path, *, llm: str = "", criteria: str = "") -> JudgingProject:
    """Read what `[tool.grice]` around the folder `start` configures; `llm` and `criteria` override it.

    The judge answers anew: no cassette is played, and no card is asked for. Raises SettingsError,
    AgentLoadError, CriterionError and LLMConfigError for what cannot be used.
    """
    projects = Projects(start)
    settings = projects.of(start)
    llms = ProjectLLMs(projects)
    if criteria:
        known: Mapping[str, Criterion] = collect_criteria(
            cast("CriterionLevel", projects.load(criteria, settings.root, "object"))
        )
    else:
        known = llms.criteria(start)
    if llm:
        from grice.llm import bind_llm, llm_named

        bound = bind_llm(llm_named(llm, settings.root))
    else:
        bound = llms.llm(start, "judge_llm")
    try:
        judge = Judge(bound, criteria=known, prompts=settings.judge_prompts)
    except LookupError as error:
        raise settings.problem_with("judge_prompts", str(error)) from error
    return JudgingProject(
        judge, known, settings.judge_samples, settings.concurrency, settings.root / settings.cards
    )
