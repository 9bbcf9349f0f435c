"""`@simulated`: a test whose conversation arrives finished, held by a played user."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from grice.records import Scenario
from grice.text import did_you_mean, value_text
from grice.users.protocol import UserConfigError
from grice.users.settings import SimulatedUser, level_of

F = TypeVar("F", bound=Callable[..., Any])

_ATTRIBUTE = "__grice_simulated__"
_SETTINGS = tuple(SimulatedUser.__struct_fields__)


@dataclass(frozen=True, eq=False)
class Simulated:
    """How a test's conversation is held before the test looks at it.

    `users` are who plays, outermost first: a script or another plan, or levels of a simulated user. `runs`
    conversations are held, of which `at_least` have to pass. `state` says where the state is read that it may
    change. The rest is as `follow` has it.
    """

    users: tuple[object, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    topics: object = None
    ask: bool = True
    strict: bool = False
    opening: tuple[str, ...] = ()
    state: object = None
    runs: int = 1
    at_least: int | None = None

    @property
    def levels(self) -> tuple[SimulatedUser, ...]:
        """What it says of a simulated user, outermost first."""
        users = [user for user in self.users if isinstance(user, SimulatedUser)]
        return (*users, level_of(self.settings))

    @property
    def plans(self) -> tuple[object, ...]:
        """Scripts and other plans that play instead of a simulated user."""
        return tuple(user for user in self.users if not isinstance(user, SimulatedUser))

    @property
    def limits(self) -> dict[str, Any]:
        """The settings that hold for any plan; those of a simulated user are among its levels."""
        if not self.plans:
            return {}
        return {name: self.settings[name] for name in ("max_turns", "stop_when") if name in self.settings}

    @property
    def needed(self) -> int:
        """How many of the runs have to pass."""
        return self.runs if self.at_least is None else self.at_least


def simulated(
    user: object = None,
    /,
    *,
    topics: object = None,
    ask: bool = True,
    strict: bool = False,
    opening: str | tuple[str, ...] | list[str] = (),
    state: object = None,
    runs: int = 1,
    at_least: int | None = None,
    **settings: Any,
) -> Callable[[F], F]:
    """Decorate a test, or a class of tests: its `conversation` arrives finished, held by a played user.

    `user` and settings are as `simulate` takes them; a scenario of the test says what its user wants.
    `topics` are followed, with `ask` and `strict` as `follow` has them; `opening` is what the user says
    first, before they are played. `state` is read before and after: a function, which gets the scenario if it
    has a parameter, an address, a function's name or several by name; the test has it as
    `conversation.state`. With `runs=5, at_least=4` five conversations are held and the test looks at
    each; it passes when four pass. Raises UserConfigError, and ValueError for impossible numbers.
    """
    _check_settings(settings)
    level_of(settings)
    _check_user(user, settings)
    for name, value in (("runs", runs), ("at_least", at_least)):
        if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < 1):
            raise ValueError(f"{name}: expected a number from 1, found {value_text(value)}")
    if at_least is not None and at_least > runs:
        raise ValueError(f"at_least={at_least} of runs={runs} can never pass")
    if state is not None:
        from grice.running.state_sources import check_source

        check_source(state)
    said = _opening(opening)
    users = () if user is None else (user,)
    made = Simulated(users, settings, topics, ask, strict, said, state, runs, at_least)

    def decorate(function: F) -> F:
        setattr(function, _ATTRIBUTE, (*vars(function).get(_ATTRIBUTE, ()), made))
        return function

    return decorate


def simulated_of(*objects: object) -> Simulated | None:
    """What is declared on a class and its function, outermost first, as one; None where nothing is."""
    levels = [level for one in objects for level in _levels(one)]
    if not levels:
        return None
    whole = levels[0]
    for inner in levels[1:]:
        whole = replace(
            whole,
            users=(*whole.users, *inner.users),
            settings={**whole.settings, **inner.settings},
            topics=inner.topics if inner.topics is not None else whole.topics,
            ask=whole.ask and inner.ask,
            strict=whole.strict or inner.strict,
            opening=inner.opening or whole.opening,
            state=inner.state if inner.state is not None else whole.state,
            runs=inner.runs if inner.runs != 1 else whole.runs,
            at_least=inner.at_least if inner.at_least is not None else whole.at_least,
        )
    return whole


def _levels(one: object) -> Iterator[Simulated]:
    """The decorations of a function, or of a class and those that it derives from, outermost first."""
    if isinstance(one, type):
        for base in reversed(one.__mro__):
            yield from reversed(vars(base).get(_ATTRIBUTE, ()))
    else:
        yield from reversed(getattr(one, _ATTRIBUTE, ()))


def _opening(given: object) -> tuple[str, ...]:
    said = (given,) if isinstance(given, str) else given
    if not isinstance(said, tuple | list) or not all(isinstance(one, str) for one in said):
        raise UserConfigError(f"opening: expected a text or a list of texts, found {value_text(given)}")
    if isinstance(given, str) and not given:
        return ()
    if not all(one.strip() for one in said):
        raise UserConfigError(f"opening: expected texts that are not blank, found {value_text(given)}")
    return tuple(said)


def _check_user(user: object, settings: Mapping[str, Any]) -> None:
    """Raise UserConfigError for what cannot play a user, a test above all: the brackets were left out."""
    if user is None or isinstance(user, SimulatedUser | Scenario):
        return
    name = getattr(user, "__name__", "")
    if name.lower().startswith("test"):
        raise UserConfigError(f"@simulated without brackets before {name}: write @simulated(...)")
    from grice.users.plans import plan_of

    plan = plan_of(user)
    unfit = next((one for one in settings if one not in ("max_turns", "stop_when")), None)
    if unfit is not None:
        raise UserConfigError(f"{unfit}: a {plan.kind} has no settings of a simulated user")


def _check_settings(settings: Mapping[str, Any]) -> None:
    strange = next((name for name in settings if name not in _SETTINGS), None)
    if strange is not None:
        known = (*_SETTINGS, "topics", "ask", "strict", "opening", "state", "runs", "at_least")
        raise UserConfigError(f"@simulated has no setting {strange!r}{did_you_mean(strange, known)}")
