"""What the head of a journal says of how a run is configured: digests, models, the topic graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, cast

from grice.files.prompt_files import prompt_name
from grice.files.settings import Settings
from grice.files.suite_records import SuiteScenario
from grice.identity import canonical_json, fingerprint
from grice.identity.code import code_data
from grice.judging.criterion import Criterion, collect_criteria, criteria_among
from grice.judging.prompt import prompt_names, prompt_versions
from grice.matching.protocols import BoundLLM
from grice.running.body import Body
from grice.running.body_code import opaque_in_criteria, opaque_in_graph, opaque_in_users
from grice.running.journal.experiment import ModelUsed
from grice.running.project_llms import ProjectLLMs
from grice.running.run_one import ConversationConfig
from grice.topics.graph import TopicGraph, as_data
from grice.topics.topic import Topic
from grice.users.plans import plan_data, plan_of
from grice.users.settings import SimulatedUser
from grice.users.settings import as_data as user_data
from grice.users.simulator import PROMPTS


class TestedPrompts(NamedTuple):
    """The prompts that suites test: the fingerprint of each by its name, and the LLM that answers them."""

    texts: Mapping[str, str] = {}
    models: Mapping[str, ModelUsed] = {}

    @property
    def head(self) -> dict[str, Any]:
        """The fields of an Experiment; {} where none is tested."""
        return {"prompt_files": dict(self.texts), "models": dict(self.models)} if self.texts else {}


_NO_PROMPTS = TestedPrompts()


def run_head(
    configs: Sequence[ConversationConfig],
    beside: Iterable[Criterion] = (),
    tested: TestedPrompts = _NO_PROMPTS,
) -> dict[str, Any]:
    """The fields of an Experiment that follow from what is run, in whatever order it is.

    `criteria_hash` covers the criteria by name, `topic_graph_hash` the graphs, `user_hash` the played users,
    and `config_hash` all three and what topics are recognised by. The criteria are those that tests declare,
    those that stand in their modules and classes, those given to matchers there, and those `beside`; a name
    may stand for several, and has the fingerprint of each. `prompts` has the versions that the models
    of the run are asked with, `prompt_files` the texts of those that are `tested`.
    """
    if not configs:
        return tested.head
    graphs = _distinct(_graphs(configs), key=_graph_data)
    checks = [check for graph in graphs for topic in graph for check in (*topic.expect, *topic.evaluate)]
    criteria = [*beside, *criteria_among(checks), *(one for config in configs for one in _criteria(config))]
    by_name = _fingerprints((one.name, one.fingerprint) for one in criteria)
    users = _distinct(map(_users, configs), key=_users_data)
    shapes = sorted((as_data(graph) for graph in graphs), key=canonical_json)
    played = [_users_data(one) for one in users if one]
    models = _models(configs)
    opaque = {
        *opaque_in_criteria(criteria),
        *(name for graph in graphs for name in opaque_in_graph(graph)),
        *(name for one in users for name in opaque_in_users(one)),
    }
    head: dict[str, Any] = {
        "config_hash": fingerprint(
            {"criteria": by_name, "graphs": [_graph_data(graph) for graph in graphs], "users": played}
        ),
        "criteria": by_name,
        "graphs": _fingerprints(
            (one.name, fingerprint(_graph_data(graph))) for one in configs for graph in _graphs([one])
        ),
        "users": _fingerprints(
            (one.name, fingerprint(_users_data(own))) for one in configs if (own := _users(one))
        ),
        "models": {**models, **tested.models},
        "prompts": _prompts(configs[0], models),
        "opaque": tuple(sorted(opaque)),
        "prompt_files": dict(tested.texts),
    }
    if by_name:
        head["criteria_hash"] = fingerprint(by_name)
    if played:
        head["user_hash"] = fingerprint(played)
    if shapes:
        head["topic_graph_hash"] = fingerprint(shapes if len(shapes) > 1 else shapes[0])
    if len(shapes) == 1:
        names = [list(edge) for edge in graphs[0].edges]
        head["topic_graph"] = {"topics": list(graphs[0].names), "edges": names}
    return head


def configs_of_suites(
    scenarios: Iterable[SuiteScenario], llms: ProjectLLMs, find_settings: Callable[[Path], Settings]
) -> Iterator[ConversationConfig]:
    """The scenarios of suites as far as a head describes them: of each file one that a judge looks at."""
    seen: set[str] = set()
    for one in scenarios:
        if one.file in seen or not (one.criteria or one.judged):
            continue
        seen.add(one.file)
        path, own = Path(one.file), one.criteria
        yield ConversationConfig(
            name=one.suite,
            find_agent=lambda: None,
            settings=find_settings(path),
            find_judge_llm=lambda path=path: llms.llm(path, "judge_llm"),  # type: ignore[misc]
            find_user_llm=lambda: None,
            find_criteria=lambda path=path, own=own: list(  # type: ignore[misc]
                collect_criteria(llms.criteria(path), own).values()
            ),
            file=path,
        )


def prompts_of_suites(
    scenarios: Iterable[SuiteScenario], llms: ProjectLLMs, find_settings: Callable[[Path], Settings]
) -> TestedPrompts:
    """The prompts that the scenarios test; where all have scripts of their own no LLM answers them."""
    texts: dict[str, str] = {}
    models: dict[str, ModelUsed] = {}
    for one in scenarios:
        if one.prompt is None:
            continue
        path = Path(one.file)
        texts[prompt_name(one.prompt.path, find_settings(path).root)] = one.prompt.fingerprint
        if "model" not in one.content and not models:
            models = _model_in("prompt", lambda path=path: llms.llm(path, "prompt_llm"))  # type: ignore[misc]
    return TestedPrompts(dict(sorted(texts.items())), models)


# -- criteria


def _criteria(config: ConversationConfig) -> Iterator[Criterion]:
    """What the test may name, what stands in its module, and what is given to matchers."""
    yield from collect_criteria(config.find_criteria()).values()
    yield from criteria_among(config.checks)
    for body in (config.body, *config.checks):
        if isinstance(body, Body):
            yield from criteria_among(list(getattr(body.function, "__globals__", {}).values()))


def _fingerprints(named: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """The fingerprints that stand under each name."""
    found: dict[str, set[str]] = {}
    for name, one in named:
        found.setdefault(name, set()).add(one)
    return {name: tuple(sorted(own)) for name, own in sorted(found.items())}


# -- topics


def _graphs(configs: Iterable[ConversationConfig]) -> Iterator[TopicGraph]:
    """The graphs that are followed."""
    for config in configs:
        if config.simulated is not None and isinstance(config.simulated.topics, TopicGraph):
            yield config.simulated.topics


def _graph_data(graph: TopicGraph) -> dict[str, Any]:
    """The shape, and by what its topics are recognised."""
    topics = sorted(graph.topics, key=lambda one: one.name)
    return {
        "shape": as_data(graph),
        "first": graph.initial.name,
        "topics": [[one.name, one.intent, list(_triggers(one))] for one in topics],
    }


def _triggers(topic: Topic) -> Iterator[Any]:
    """The triggers of a topic: those of code by their source."""
    for trigger in topic.triggers:
        code = getattr(trigger, "condition", None)
        own = type(trigger).__module__ == "grice.topics.triggers"
        yield trigger.words if own and code is None else code_data(code or type(trigger))


# -- users


def _users(config: ConversationConfig) -> tuple[object, ...]:
    """Who plays, outermost first: levels of a simulated user that say anything, and plans."""
    marked = config.body.users() if config.body is not None else ()
    how = config.simulated
    plans = tuple(plan_of(one) for one in how.plans) if how is not None else ()
    levels: tuple[SimulatedUser, ...] = how.levels if how is not None else ()
    return (*(one for one in (*marked, *levels) if user_data(one)), *plans)


def _users_data(users: Sequence[Any]) -> list[Any]:
    return [user_data(one) if isinstance(one, SimulatedUser) else plan_data(one) for one in users]


# -- what is used


def _prompts(config: ConversationConfig, models: Mapping[str, ModelUsed]) -> dict[str, int]:
    """The version of each prompt of the judge and the played user, where there is a model for them."""
    versions: dict[str, int] = {}
    if "judge" in models:
        versions |= {name: prompt_versions(name)[0] for name in prompt_names()}
        versions |= config.settings.judge_prompts
    if "user" in models:
        versions |= {name: prompt_versions(name, PROMPTS)[0] for name in ("user", "user_template")}
    return versions


def _models(configs: Sequence[ConversationConfig]) -> dict[str, ModelUsed]:
    """The LLMs of the first config that has them, as far as they can be had."""
    found: dict[str, ModelUsed] = {}
    for config in {one.settings.root: one for one in reversed(configs)}.values():
        for role, find in (("judge", config.find_judge_llm), ("user", config.find_user_llm)):
            found |= {name: one for name, one in _model_in(role, find).items() if name not in found}
    return found


def _model_in(role: str, find: Callable[[], object]) -> dict[str, ModelUsed]:
    """The LLM in that role, as far as it can be had."""
    with suppress(Exception):  # one that cannot be had is told of by who asks it
        llm = cast("BoundLLM", find())
        if llm.model or llm.provider:
            return {role: ModelUsed(llm.name, llm.provider, llm.model)}
    return {}


def _distinct(things: Iterable[Any], key: Callable[[Any], Any]) -> list[Any]:
    """One of each, in an order that their own does not change."""
    known = {canonical_json(key(one)): one for one in things}
    return [known[text] for text in sorted(known)]
