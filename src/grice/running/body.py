"""A test body: a function of a conversation, and perhaps a scenario, with what is declared on it."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from grice.identity import stable_path
from grice.records import Scenario
from grice.running.simulated import Simulated, simulated_of

if TYPE_CHECKING:
    from grice.judging.criterion import CriterionLevel
    from grice.topics.topic import Topic
    from grice.users.settings import SimulatedUser

__all__ = ["CONVERSATIONS", "Body", "body_of", "markers"]

CONVERSATIONS = ("conversation", "async_conversation")
ARGUMENTS = (*CONVERSATIONS, "scenario")
_KINDS = (CONVERSATIONS, ("scenario",))


@dataclass(frozen=True, eq=False)
class Body:
    """A check as a function, with its place and what is declared around it, outermost first.

    `names` are those of its class and itself, `suite` is the stem of its module. `arguments` are what it
    asks for, of `conversation` (or `async_conversation`) and `scenario`. `tags` are the names of its markers,
    innermost first.
    """

    function: Callable[..., Any]
    names: tuple[str, ...]
    arguments: tuple[str, ...]
    suite: str = ""
    file: str = ""
    line: int | None = None
    simulated: Simulated | None = None
    marks: tuple[dict[str, Any], ...] = ()
    tags: tuple[str, ...] = ()
    owner: type | None = field(default=None, compare=False)

    @property
    def title(self) -> str:
        """Its names, as cassettes have them."""
        return ".".join(self.names)

    @property
    def drives(self) -> bool:
        """Whether it holds its conversation itself."""
        return self.simulated is None

    @property
    def is_async(self) -> bool:
        """Whether it is a coroutine function."""
        return inspect.iscoroutinefunction(self.function)

    def path(self, scenario: Scenario | None) -> str:
        """The canonical path of which its stable id is made, as under pytest."""
        return stable_path(self.suite, *self.names, scenario=None if scenario is None else scenario.key)

    def criteria(self) -> Iterator[CriterionLevel]:
        """The criteria that are declared around it."""
        for mark in self.marks:
            if "criteria" in mark:
                yield cast("CriterionLevel", mark["criteria"])

    def users(self) -> Sequence[SimulatedUser]:
        """The levels of a simulated user that are declared around it."""
        return [mark["user"] for mark in self.marks if mark.get("user") is not None]

    def topics(self) -> Sequence[Topic]:
        """The topics that are declared around it."""
        return [topic for mark in self.marks for topic in mark.get("topics", ())]

    def option(self, name: str, default: Any = None) -> Any:
        """What the innermost mark says of a setting, else the default."""
        return next((mark[name] for mark in reversed(self.marks) if name in mark), default)

    def bound(self) -> Callable[..., Any]:
        """The function to call: of a class of tests, on an instance of its own."""
        if self.owner is None:
            return self.function
        return cast("Callable[..., Any]", getattr(self.owner(), self.function.__name__))


def body_of(function: Callable[..., Any], owner: type | None = None, *, named: bool = False) -> Body:
    """The body that a function is, a method of `owner` perhaps.

    A function of one or two arguments takes the conversation and the scenario, whatever their names; with
    `named` the names decide, as in pytest. Raises ValueError for one that asks for other arguments: those
    are fixtures, which only pytest has.
    """
    name = getattr(function, "__name__", type(function).__name__)
    wanted = _arguments(function, skip=0 if owner is None else 1, named=named)
    others = [one for one in wanted if one not in ARGUMENTS]
    if others or not set(wanted) & set(CONVERSATIONS):
        found = ", ".join(wanted) or "nothing"
        raise ValueError(
            f"{name} asks for {found}: outside of pytest a test asks for conversation, and perhaps scenario"
        )
    module = sys.modules.get(getattr(function, "__module__", ""))
    code = getattr(inspect.unwrap(function), "__code__", None)
    file = code.co_filename if code is not None else ""
    classes = () if owner is None else tuple(owner.__qualname__.split("."))
    return Body(
        function,
        (*classes, name),
        tuple(wanted),
        suite=Path(file).stem if file else "",
        file=file,
        line=code.co_firstlineno if code is not None else None,
        simulated=simulated_of(*((owner,) if owner is not None else ()), function),
        marks=tuple(mark for one in (module, owner, function) for mark in _marked(one)),
        tags=tuple(mark.name for one in (function, owner, module) for mark in markers(one)),
        owner=owner,
    )


def _marked(one: object) -> Iterator[dict[str, Any]]:
    """The arguments of the markers `grice` on a module, class or function, without pytest."""
    for mark in markers(one):
        if mark.name == "grice":
            yield dict(getattr(mark, "kwargs", {}))


def markers(one: object) -> list[Any]:
    """The markers on a module, class or function, without pytest."""
    marks = getattr(one, "pytestmark", None)
    return [mark for mark in (marks if isinstance(marks, list | tuple) else [marks]) if hasattr(mark, "name")]


def _arguments(function: Callable[..., Any], *, skip: int, named: bool) -> list[str]:
    try:
        parameters = list(inspect.signature(function).parameters.values())[skip:]
    except (TypeError, ValueError):
        return []
    plain = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    names = [one.name for one in parameters if one.default is one.empty and one.kind in plain]
    if named or len(names) not in (1, 2) or "self" in names:
        return names
    left = [kind for kind in _KINDS if not set(kind) & set(names)]
    return [name if name in ARGUMENTS or not left else left.pop(0)[0] for name in names]
