"""The names of what is code in a configuration: fingerprints know it by its source only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from grice.identity.code import code_name
from grice.judging.criterion import Criterion
from grice.matching.matcher import Matcher
from grice.topics.graph import TopicGraph
from grice.topics.topic import Condition
from grice.users.plans import FunctionPlan
from grice.users.prober import Prober
from grice.users.script import Branch, Repeat, Step, UserScript
from grice.users.settings import SimulatedUser

__all__ = ["opaque_in_criteria", "opaque_in_graph", "opaque_in_users"]


def opaque_in_criteria(criteria: Iterable[Criterion]) -> Iterator[str]:
    """The criteria that code judges."""
    for one in criteria:
        if one.by_code:
            yield f"criterion {one.name}"


def opaque_in_graph(graph: TopicGraph) -> Iterator[str]:
    """The triggers and expectations of topics that are functions, or of somebody's class."""
    for topic in graph.topics:
        for trigger in topic.triggers:
            code = getattr(trigger, "condition", None)
            if code is not None or type(trigger).__module__ != "grice.topics.triggers":
                yield f"trigger {code_name(code or type(trigger))} of topic {topic.name}"
        for check in (*topic.expect, *topic.evaluate):
            if isinstance(check, Condition):
                yield f"expectation {check.name} of topic {topic.name}"


def opaque_in_users(users: Iterable[object]) -> Iterator[str]:
    """The functions of those who play, and plans that are not Grice's own."""
    for user in users:
        if isinstance(user, SimulatedUser):
            yield from _in_simulated(user)
        elif isinstance(user, UserScript):
            for step in user.steps:
                yield from _in_step(step)
        elif isinstance(user, FunctionPlan):
            yield f"user {code_name(user.function)}"
        elif not isinstance(user, Prober):
            yield f"user {code_name(type(user))}"


def _in_simulated(user: SimulatedUser) -> Iterator[str]:
    if user.stop_when is not None:
        yield f"stop_when {code_name(user.stop_when)}"
    for rule in user.rules:
        if callable(rule):
            yield f"user rule {code_name(rule)}"
    for different in user.during_topic.values():
        yield from _in_simulated(different)


def _in_step(step: Step) -> Iterator[str]:
    if isinstance(step, Repeat):
        yield from _in_step(step.step)
    elif isinstance(step, Branch):
        for case in step.cases:
            if not isinstance(case.condition, str | Matcher):
                yield f"script condition {code_name(case.condition)}"
