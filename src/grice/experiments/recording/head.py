"""What the head of an own runner's journal says of criteria and graphs: the digests that other runs have."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from grice.files.settings import Settings
from grice.judging.criterion import Criterion, collect_criteria
from grice.running.following import graph_of
from grice.running.run_head import run_head
from grice.running.run_one import ConversationConfig
from grice.running.simulated import Simulated

__all__ = ["recorded_head"]


def recorded_head(criteria: Iterable[Criterion], topics: object) -> dict[str, Any]:
    """The fields of an Experiment that follow from what a runner says that it uses; {} where it says nothing.

    `topics` is a graph, a dict of topics, or a file. Raises CriterionError for what is no criterion,
    TopicGraphError for what is no graph, and GraphErrors for a file with mistakes.
    """
    given = list(collect_criteria(list(criteria)).values())
    if not given and topics is None:
        return {}
    here = Path.cwd()
    described = ConversationConfig(
        name="",
        find_agent=lambda: None,
        settings=Settings(here),
        find_judge_llm=lambda: None,
        find_user_llm=lambda: None,
        find_criteria=lambda: given,
        file=here,
        simulated=Simulated(topics=None if topics is None else graph_of(topics, tuple)),
    )
    head = run_head([described])
    return {name: value for name, value in head.items() if name not in ("models", "prompts")}
