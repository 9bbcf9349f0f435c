"""What the word of a test's body rests on: plain assertions, of which only the code is known."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import lru_cache
from types import FunctionType
from typing import Any

from grice.identity.code import called_names, code_fingerprint, code_name, has_assertion
from grice.judging.criterion import Criterion
from grice.matching.matcher import Matcher
from grice.records import JsonValue
from grice.topics.graph import TopicGraph
from grice.topics.topic import Condition
from grice.users.plans import FunctionPlan
from grice.users.prober import Prober
from grice.users.script import Branch, Repeat, Step, UserScript
from grice.users.settings import SimulatedUser

_fingerprint = lru_cache(maxsize=256)(code_fingerprint)

_has_assertion = lru_cache(maxsize=256)(has_assertion)


def code_detail(function: Any) -> dict[str, JsonValue]:
    """`{"code": "sha256:..."}` of the body of a test, for the detail of a verdict; empty without a body.

    Comparisons tell by it whether two experiments asserted the same.
    """
    return {} if function is None else {"code": _code(function)}


def asserts(function: Any) -> bool:
    """Whether the body of a test has assertions of its own: an `assert` or a `raise` in its source.

    One whose source cannot be read, or that leaves it to a function that it calls, counts as having none.
    """
    if function is None:
        return False
    return _has_assertion(function) if isinstance(function, Hashable) else has_assertion(function)


def checks_nothing(function: Any, owner: type | None = None) -> bool:
    """Whether neither the body nor any function or method that it calls, or those call, asserts anything.

    What is called `raises` or `assert...` is an assertion of another library, and what a fixture gives may be
    one where the body calls it. `owner` is its class.
    """
    return function is not None and not _may_check(function, owner, set())


def _may_check(function: Any, owner: type | None, seen: set[Any]) -> bool:
    inner = getattr(function, "__func__", function)
    if inner in seen or not isinstance(inner, FunctionType):
        return False
    seen.add(inner)
    if asserts(inner):
        return True
    given = inner.__code__.co_varnames[: inner.__code__.co_argcount + inner.__code__.co_kwonlyargcount]
    for name in called_names(inner):
        first, *rest = name.split(".")
        last = rest[-1] if rest else first
        if last.startswith("assert") or last in ("raises", "warns", "fail") or (not rest and first in given):
            return True
        called: Any = owner if first in ("self", "cls") else inner.__globals__.get(first)
        for part in rest:
            called = getattr(called, part, None)
        if _is_own(called) and _may_check(called, owner, seen):
            return True
    return False


def _is_own(called: Any) -> bool:
    """Whether it is a function of the project, and not of Python, Grice or an installed package."""
    if not isinstance(called, FunctionType):
        return False
    top = called.__module__.partition(".")[0]
    installed = "site-packages" in called.__code__.co_filename
    return not installed and top != "grice" and top not in sys.stdlib_module_names


def asserting_code(functions: Iterable[Any]) -> str:
    """The fingerprint of those bodies that have assertions of their own, "" where none has."""
    codes = [_code(one) for one in functions if asserts(one)]
    if len(codes) < 2:
        return "".join(codes)
    return f"sha256:{hashlib.sha256(' '.join(codes).encode()).hexdigest()}"


def _code(function: Callable[..., Any]) -> str:
    return _fingerprint(function) if isinstance(function, Hashable) else code_fingerprint(function)


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
