"""What the head of a journal says of how a run is configured: digests, models, the topic graph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from grice.identity import fingerprint
from grice.judging.criterion import Criterion, collect_criteria
from grice.judging.prompt import prompt_names, prompt_versions
from grice.matching.protocols import BoundLLM
from grice.running.holding import Recipe
from grice.running.journal.experiment import ModelUsed
from grice.topics.graph import TopicGraph, as_data
from grice.users.plans import plan_data, plan_of
from grice.users.settings import SimulatedUser
from grice.users.settings import as_data as user_data
from grice.users.simulator import PROMPTS

__all__ = ["run_head"]


def run_head(recipes: Sequence[Recipe]) -> dict[str, Any]:
    """The fields of an Experiment that follow from what is run.

    `criteria_hash` covers the criteria by name, `topic_graph_hash` the graphs, `config_hash` both and the
    played users; `prompts` has the versions that the models of the run are asked with. Source: seed 003,
    section 7.
    """
    criteria = _criteria(recipes)
    graphs = _graphs(recipes)
    users = [_users(recipe) for recipe in recipes]
    models = _models(recipes)
    by_name = {name: one.fingerprint for name, one in sorted(criteria.items())}
    shapes = [as_data(graph) for graph in graphs]
    head: dict[str, Any] = {
        "config_hash": fingerprint({"criteria": by_name, "graphs": shapes, "users": users}),
        "models": models,
        "prompts": _prompts(recipes[0], models),
    }
    if criteria:
        head["criteria_hash"] = fingerprint(by_name)
    if graphs:
        head["topic_graph_hash"] = fingerprint(shapes if len(shapes) > 1 else shapes[0])
    if len(graphs) == 1:
        names = [list(edge) for edge in graphs[0].edges]
        head["topic_graph"] = {"topics": list(graphs[0].names), "edges": names}
    return head


def _criteria(recipes: Iterable[Recipe]) -> dict[str, Criterion]:
    return collect_criteria(*[recipe.find_criteria() for recipe in recipes])


def _graphs(recipes: Iterable[Recipe]) -> list[TopicGraph]:
    """The graphs that are followed, each once."""
    found = [recipe.simulated.topics for recipe in recipes if recipe.simulated is not None]
    graphs: list[TopicGraph] = []
    for one in found:
        if isinstance(one, TopicGraph) and one not in graphs:
            graphs.append(one)
    return graphs


def _users(recipe: Recipe) -> list[Any]:
    """Who plays, as data, outermost first."""
    marked = recipe.body.users() if recipe.body is not None else ()
    how = recipe.simulated
    plans = [plan_data(plan_of(one)) for one in how.plans] if how is not None else []
    levels: tuple[SimulatedUser, ...] = how.levels if how is not None else ()
    return [*map(user_data, (*marked, *levels)), *plans]


def _prompts(recipe: Recipe, models: Mapping[str, ModelUsed]) -> dict[str, int]:
    """The version of each prompt of the judge and the played user, where there is a model for them."""
    versions: dict[str, int] = {}
    if "judge" in models:
        versions |= {name: prompt_versions(name)[0] for name in prompt_names()}
        versions |= recipe.settings.judge_prompts
    if "user" in models:
        versions |= {name: prompt_versions(name, PROMPTS)[0] for name in ("user", "user_template")}
    return versions


def _models(recipes: Sequence[Recipe]) -> dict[str, ModelUsed]:
    """The LLMs of the first recipe, as far as they can be had."""
    found: dict[str, ModelUsed] = {}
    for role, find in (("judge", "find_judge_llm"), ("user", "find_user_llm")):
        with suppress(Exception):  # one that cannot be had is told of by who asks it
            llm: BoundLLM = getattr(recipes[0], find)()
            if llm.model or llm.provider:
                found[role] = ModelUsed(llm.name, llm.provider, llm.model)
    return found
