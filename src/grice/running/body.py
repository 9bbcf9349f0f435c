"""A test body: a function of a conversation, and perhaps a scenario, with what is declared on it."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from grice.identity import stable_path
from grice.records import Scenario
from grice.running.simulated import Simulated, simulated_of

if TYPE_CHECKING:
    from grice.judging.criterion import CriterionLevel
    from grice.topics.topic import Topic
    from grice.users.settings import SimulatedUser


CONVERSATIONS = ("conversation", "async_conversation")
ARGUMENTS = (*CONVERSATIONS, "scenario")
_KINDS = (CONVERSATIONS, ("scenario",))


@dataclass(frozen=True, eq=False)
class Body:
    """A check as a function, with its place and what is declared around it, outermost first.

    `suite` is the stem of its module. `arguments` are what it asks for, of `conversation` (or
    `async_conversation`) and `scenario`. `tags` are the names of its markers, innermost first.
    """

    function: Callable[..., Any]
    title: str
    arguments: tuple[str, ...]
    suite: str = ""
    file: str = ""
    line: int | None = None
    simulated: Simulated | None = None
    marks: tuple[dict[str, Any], ...] = ()
    tags: tuple[str, ...] = ()

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
        return stable_path(self.suite, self.title, scenario=None if scenario is None else scenario.key)

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


def body_of(function: Callable[..., Any]) -> Body:
    """The body that a function is.

    One of one or two arguments takes the conversation and the scenario, whatever their names. Raises
    ValueError for one that asks for others: those are fixtures, which only pytest has.
    """
    name = getattr(function, "__name__", type(function).__name__)
    wanted = _arguments(function)
    others = [one for one in wanted if one not in ARGUMENTS]
    if others or not set(wanted) & set(CONVERSATIONS):
        found = ", ".join(wanted) or "nothing"
        raise ValueError(
            f"{name} asks for {found}: a check is a function of conversation, and perhaps scenario; a test "
            "that has fixtures is run by pytest, or by grice run with its file"
        )
    module = sys.modules.get(getattr(function, "__module__", ""))
    code = getattr(inspect.unwrap(function), "__code__", None)
    file = code.co_filename if code is not None else ""
    return Body(
        function,
        name,
        tuple(wanted),
        suite=Path(file).stem if file else "",
        file=file,
        line=code.co_firstlineno if code is not None else None,
        simulated=simulated_of(function),
        marks=tuple(mark for one in (module, function) for mark in _marked(one)),
        tags=tuple(mark.name for one in (function, module) for mark in _markers(one)),
    )


def _marked(one: object) -> Iterator[dict[str, Any]]:
    """The arguments of the markers `grice` on a module or function, without pytest."""
    for mark in _markers(one):
        if mark.name == "grice":
            yield dict(getattr(mark, "kwargs", {}))


def _markers(one: object) -> list[Any]:
    """The markers on a module or function, without pytest."""
    marks = getattr(one, "pytestmark", None)
    return [mark for mark in (marks if isinstance(marks, list | tuple) else [marks]) if hasattr(mark, "name")]


def _arguments(function: Callable[..., Any]) -> list[str]:
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return []
    plain = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    names = [one.name for one in parameters if one.default is one.empty and one.kind in plain]
    if len(names) not in (1, 2) or "self" in names:
        return names
    left = [kind for kind in _KINDS if not set(kind) & set(names)]
    return [name if name in ARGUMENTS or not left else left.pop(0)[0] for name in names]
