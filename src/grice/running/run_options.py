"""What `grice.run` takes by name, and what is wrong with it before anything is held."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict

from grice.judging.criterion import CriterionLevel
from grice.llm import Budget
from grice.records import Scenario
from grice.running.run_one import ConversationConfig
from grice.running.state_sources import check_source
from grice.text import did_you_mean, value_text
from grice.users.protocol import UserConfigError
from grice.users.scenarios import scenario_place
from grice.users.settings import merged, user_of
from grice.wire.cassettes.tape import MODES

MOST_TOLD = 20


class RunOptions(TypedDict, total=False):
    """What `grice.run` takes by name."""

    user: object
    topics: object
    ask: bool
    state: object
    concurrency: int
    repeat: int
    judge_llm: object
    user_llm: object
    criteria: CriterionLevel
    budget: Budget | None
    seed: int
    record: str
    name: str
    tags: Sequence[str]
    journal: bool | str | Path
    resume: str
    mix: bool


def _is_number(least: int | None) -> Callable[[object], bool]:
    def fits(value: object) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and (least is None or value >= least)

    return fits


def _is_one_of(*types: Any) -> Callable[[object], bool]:
    return lambda value: isinstance(value, types)


def _is_texts(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)


_WANTED: Mapping[str, tuple[str, Callable[[object], bool]]] = {
    "concurrency": ("a number from 1", _is_number(1)),
    "repeat": ("a number from 1", _is_number(1)),
    "seed": ("a whole number", _is_number(None)),
    "ask": ("True or False", _is_one_of(bool)),
    "mix": ("True or False", _is_one_of(bool)),
    "name": ("a text", _is_one_of(str)),
    "tags": ("a list of texts", _is_texts),
    "resume": ("the id of a run", _is_one_of(str)),
    "journal": ("True, False or a folder", _is_one_of(bool, str, Path)),
    "budget": ("a Budget", _is_one_of(Budget, type(None))),
}


def check_options(options: Mapping[str, Any], checks: object) -> None:
    """Raise TypeError for an unknown option and checks that are no list, ValueError for a wrong value."""
    known = RunOptions.__optional_keys__
    strange = next((name for name in options if name not in known), None)
    if strange is not None:
        raise TypeError(f"grice.run has no option {strange!r}{did_you_mean(strange, known)}")
    if not isinstance(checks, Sequence) or isinstance(checks, str):
        raise TypeError(f"checks: expected a list of matchers and functions, found {value_text(checks)}")
    for name, (wanted, fits) in _WANTED.items():
        if name in options and not fits(options[name]):
            raise ValueError(f"{name}: expected {wanted}, found {value_text(options[name])}")
    if options.get("resume") and options.get("journal") is False:
        raise ValueError(
            "resume= goes on with a run that is kept, and journal=False keeps none: leave one out"
        )
    if options.get("state") is not None:
        check_source(options["state"])
    record = options.get("record", "")
    if record not in ("", *MODES):
        hint = did_you_mean(record, MODES) if isinstance(record, str) else ""
        raise ValueError(f"record: expected {', '.join(MODES)}, found {value_text(record)}{hint}")


def check_users(config: ConversationConfig, scenarios: Sequence[Scenario | None]) -> None:
    """Raise UserConfigError, which names every scenario whose user cannot be played."""
    how = config.simulated
    if how is None or how.plans:
        return
    marked = config.body.users() if config.body is not None else ()
    common = merged(*marked, *how.levels)
    problems: list[str] = []
    for scenario in scenarios:
        try:
            own = common if scenario is None else user_of(scenario)
        except UserConfigError as error:
            problems += str(error).split("\n")
            continue
        if not (common.goal or common.template or own.goal):
            where = f"{config.file.name}::{config.name}" if scenario is None else scenario_place(scenario)
            problems.append(f"{where}: a simulated user needs a goal: {_way_to_goal(scenario)}")
    more = [f"and {len(problems) - MOST_TOLD} more"] if len(problems) > MOST_TOLD else []
    if problems:
        raise UserConfigError("\n".join([*problems[:MOST_TOLD], *more]))


def _way_to_goal(scenario: Scenario | None) -> str:
    if scenario is None:
        return "@simulated(goal='Find a room for 20'), or scenarios that have one"
    return 'give the scenario one, "goal": "Find a room for 20"'
