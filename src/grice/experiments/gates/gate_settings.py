"""What a table of gates may say, as types, and the gates that it stands for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from sys import float_info
from typing import Annotated, Any, Literal, NamedTuple, get_args

import msgspec
from msgspec import UNSET, UnsetType

from grice.experiments.aggregation.matcher_use import python_matcher
from grice.experiments.gates.gate_kinds import (
    BUNDLES,
    DROP,
    FALL,
    LAYERS,
    LEVELS,
    RISE,
    SINGLE,
    TABLES,
    VALIDITY,
    VALIDITY_GATE,
    BundleGate,
    Kind,
    Unit,
)
from grice.experiments.gates.records import Gate, Rule
from grice.text import did_you_mean, value_text
from grice.typed import Closed, Further, NotBlank, Problem, problems_in, right_part, says, schemas_of

RULES = get_args(Rule)


class Declaration(NamedTuple):
    """What a table says. `off` names gates that it takes away, `baseline` is that of its regressions.

    `max_missing` is what each gate says of its own, by name, and that of the whole table as "".
    """

    gates: dict[str, Gate]
    off: list[str]
    problems: list[Problem]
    bundles: tuple[str, ...] = ()
    baseline: str = ""
    allow_unfinished: bool = False
    max_missing: Mapping[str, float] = {}


def read_gates(
    table: Mapping[str, Any], bundles: Sequence[str] = (), *, origin: str, rule: str = ""
) -> Declaration:
    """The gates of a table as in `[tool.grice.gates]`, beside these bundles; `rule` is that of rates in it.

    What is wrong in the table is left out, and told.
    """
    kind = _table_type()
    problems = [_said_of_gates(one) for one in problems_in(dict(table), kind)]
    right = right_part(dict(table), kind) or {}
    said = right.get("bundle", ())
    own = (said,) if isinstance(said, str) else tuple(said)
    problems += [
        Problem((), f'{key} is a bundle: declare it with bundle = "{key}"', key)
        for key in BUNDLES
        if key in table and key not in (*own, *bundles)
    ]
    gates: dict[str, Gate] = {}
    off: list[str] = []
    missing = {"": float(right["max_missing"])} if "max_missing" in right else {}
    for one in _limits(right):
        if one.name in gates or one.name in off:
            problems.append(Problem((), f"{one.name} is given twice", one.name.partition(".")[0]))
        if one.raw is False:
            off.append(one.name)
            continue
        word = _word(one.kind)
        given = one.raw if isinstance(one.raw, Mapping) else {word: one.raw}
        limit = LEVELS.index(one.raw) if one.kind is VALIDITY else given[word]
        how = given.get("rule", one.rule or (rule if one.kind.rules else "") or "point")
        gates[one.name] = Gate(one.name, float(limit), one.kind.bound, how, one.baseline.strip(), origin)
        if (most := given.get("max_missing", one.max_missing)) is not None:
            missing[one.name] = float(most)
    regression = right.get("regression", {})
    return Declaration(
        gates,
        off,
        problems,
        own,
        regression.get("baseline", "").strip(),
        right.get("allow_unfinished", False),
        missing,
    )


def _said_of_gates(problem: Problem) -> Problem:
    """The problem; a name that belongs to another gate is told where."""
    if not problem.message.startswith("unknown field"):
        return problem
    if problem.path == ("regression",) and "did you mean" not in problem.message:
        return problem._replace(message=f"{problem.message}: expected one of {', '.join(_OF_REGRESSION)}")
    if problem.path:
        return problem
    meant = _ELSEWHERE.get(problem.key)
    if meant:
        return problem._replace(message=f"{problem.key} belongs to another gate: {meant}")
    known = "" if "did you mean" in problem.message else f": there are {', '.join(_NAMES)}"
    return problem._replace(message=f"{problem.message.replace('field', 'gate', 1)}{known}")


_NAMES = (*SINGLE, *TABLES, "regression", "bundle", "max_missing", "allow_unfinished")
_OF_REGRESSION = ("completion", "evaluation", "criteria", "judges", "validity", "baseline", "rule")
_ELSEWHERE = {
    "validity": 'regression = {validity = "MEDIUM"}',
    "max_rise": "tokens_p95 = {max_rise = 0.2}",
    "max_drop": "judges = {naturalness = {max_drop = 0.5}}",
}


class _Said(NamedTuple):
    """A gate of a right table: what is said of it, and what its table says for all in it."""

    name: str
    kind: Kind
    raw: Any
    baseline: str = ""
    rule: str = ""
    max_missing: float | None = None


def _limits(table: Mapping[str, Any]) -> Iterator[_Said]:
    for key, value in table.items():
        if key in SINGLE:
            yield from _single(key, SINGLE[key], value)
        elif key in TABLES:
            for name, one in value.items():
                yield from _single(f"{key}.{_one_form(key, name)}", TABLES[key], one)
        elif key in BUNDLES:
            for name, one in value.items():
                yield _Said(f"{key}.{name}", BUNDLES[key][name].kind, one)
        elif key == "regression":
            yield from _regression(value)


def _single(name: str, kind: Kind, value: Any) -> Iterator[_Said]:
    """A gate by its name; it may be a limit and a change since a baseline at once."""
    if not isinstance(value, Mapping) or _word(kind) in value:
        yield _Said(name, kind, value)
    if isinstance(value, Mapping) and kind.change in value:
        change = _CHANGES[kind.change]
        called = f"regression.{name}" if change is FALL else f"{name}.{kind.change}"
        baseline, missing = value.get("baseline", ""), value.get("max_missing")
        yield _Said(called, change, value[kind.change], baseline, max_missing=missing)


_CHANGES = {"max_rise": RISE, "max_drop": FALL}


def _regression(value: Mapping[str, Any]) -> Iterator[_Said]:
    baseline, rule = value.get("baseline", ""), value.get("rule", "")
    for name in _FALLING:
        if name in value:
            yield _Said(f"regression.{name}", DROP, value[name], baseline, rule)
    for table, kind in (("criteria", DROP), ("judges", FALL)):
        for name, one in value.get(table, {}).items():
            yield _Said(f"regression.{table}.{name}", kind, one, baseline, rule)
    if "validity" in value:
        yield _Said(VALIDITY_GATE, VALIDITY, value["validity"], baseline)


_FALLING = ("completion", "evaluation")


def _word(kind: Kind) -> str:
    """The name of the limit in a table."""
    return kind.bound.replace(" ", "_")


def _one_form(table: str, name: str) -> str:
    """The name as gates have it, however the table writes it."""
    if table == "layers":
        return name if name in LAYERS else LAYERS[int(name)]
    return python_matcher(name) if table == "matchers" else name


# -- the types


@lru_cache
def _limit(kind: Kind) -> Any:
    """A number, false, or a table that says more; where a figure may change, also by how much."""
    words = _UNITS[kind.unit][0]
    number = Annotated[float, says(words, check=_within(kind.unit))]
    limit = (_word(kind), number | UnsetType, UNSET) if kind.change else (_word(kind), number)
    more: list[tuple[str, Any]] = []
    if kind.rules:
        more.append(("rule", Rule))
    if kind.misses:
        more.append(("max_missing", MaxMissing))
    if kind.change:
        more += [(kind.change, _limit(_CHANGES[kind.change])), ("baseline", _Baseline)]
    fields = [limit[0], kind.unit, *(name for name, _ in more)]  # a schema tells types by their names
    made = msgspec.defstruct(
        f"Limit_{'_'.join(fields)}",
        [limit, *((name, one | UnsetType, UNSET) for name, one in more)],
        bases=(Closed,),
        namespace={"wrong": classmethod(_wrong_change(kind))} if kind.change else {},
        frozen=True,
        kw_only=True,
    )
    return Annotated[number | bool | made, says(words, check=_no_true(words))]


def _wrong_change(kind: Kind) -> Callable[[type, Mapping[str, Any]], Iterator[Problem]]:
    """What is wrong with a table that may say how much a figure may change."""

    def wrong(_: type, fields: Mapping[str, Any]) -> Iterator[Problem]:
        if "baseline" in fields and kind.change not in fields:
            words = f"baseline goes with {kind.change}, such as {{{kind.change} = 0.2}}"
            yield Problem(("baseline",), words)
        elif not {_word(kind), kind.change} & fields.keys():
            yield Problem((), "there is no limit in it")

    return wrong


def _no_true(words: str) -> Further:
    return lambda value: f"expected {words}, or false, found true" if value is True else ""


def _within(unit: Unit) -> Callable[[float], str]:
    words, low, high = _UNITS[unit]

    def problem(limit: float) -> str:
        right = low <= limit <= high and (unit != "number" or limit % 1 == 0)
        return "" if right else f"expected {words}, found {value_text(limit)}"

    return problem


_TINY, _HUGE = float_info.min, float_info.max
_UNITS: Mapping[Unit, tuple[str, float, float]] = {
    "share": ("a share from 0 to 1 (0.8 is 80 %)", 0, 1),
    "points": ("points from 1 to 5", 1, 5),
    "turns": ("a number of turns above 0", _TINY, _HUGE),
    "seconds": ("a number of seconds above 0", _TINY, _HUGE),
    "tokens": ("a number of tokens above 0", _TINY, _HUGE),
    "number": ("a whole number from 0 up", 0, _HUGE),
    "drop": ("a drop from 0 to 1 (0.02 is 2 points)", 0, 1),
    "fall": ("a drop from 0 to 4 points", 0, 4),
    "rise": ("a share from 0 up (0.2 is 20 % more)", 0, _HUGE),
}
"""What a limit in the unit is called, and from where to where it may be."""

_Baseline = Annotated[str, says('the name of a baseline or experiment, such as "main" or "7 days ago"')]


def _share_or_count(value: float) -> str:
    """What is wrong with a limit of what may be missing."""
    right = 0 <= value <= _HUGE and (value < 1 or value % 1 == 0)
    return "" if right else f"expected {_MISSING}, found {value_text(value)}"


_MISSING = "a share below 1 (0.02 is 2 %), or a number of things (3)"
MaxMissing = Annotated[float, says(_MISSING, check=_share_or_count)]
"""How much may be missing of a gate."""


def _named(table: str, limit: Any, key: Any = NotBlank) -> Any:
    """A table of names and limits, which has one at least, each name once."""

    def check(value: Mapping[str, Any]) -> Iterator[Problem]:
        yield from _nothing(value)
        seen: set[str] = set()
        for name in value:
            form = _one_form(table, name)
            if form in seen:
                yield Problem((), f"{form} is given twice", name)
            seen.add(form)

    return Annotated[dict[key, limit], says("a table of names and limits", check=check)]


def _nothing(value: Mapping[str, Any]) -> Iterator[Problem]:
    if not value:
        yield Problem((), "expected a name and a limit, found {}: nothing would be gated")


def _wrong_layer(name: str) -> str:
    if name in LAYERS or name in map(str, range(len(LAYERS))):
        return ""
    hint = did_you_mean(name, LAYERS)
    return f"expected one of 0 to 4, {', '.join(LAYERS)}, found {value_text(name)}{hint}"


def _wrong_level(value: Any) -> str:
    return f"expected {_LEVELS}, found true" if value is True else ""


_REGRESSION = "a table of what may fall, such as {completion = 0.02}"
_LEVELS = f"one of {', '.join(LEVELS[1:])}, or false"


@lru_cache(maxsize=1)
def _table_type() -> type[msgspec.Struct]:
    """What `[tool.grice.gates]` may hold."""
    drop, fall = _limit(DROP), _limit(FALL)
    regression = {
        **dict.fromkeys(_FALLING, drop),
        "criteria": _named("criteria", drop),
        "judges": _named("judges", fall),
        "validity": Annotated[bool | Literal[LEVELS[1:]], says(_LEVELS, check=_wrong_level)],
        "baseline": _Baseline,
        "rule": Rule,
    }
    layer = Annotated[str, says(check=_wrong_layer)]
    bundle: Any = Literal[tuple(BUNDLES)]
    bundles = bundle | Annotated[tuple[bundle, ...], msgspec.Meta(min_length=1)]
    fields = {
        **{name: _limit(kind) for name, kind in SINGLE.items()},
        **{
            name: _named(name, _limit(kind), layer if name == "layers" else NotBlank)
            for name, kind in TABLES.items()
        },
        **{name: _rows(name, rows) for name, rows in BUNDLES.items()},
        "regression": Annotated[_table("Regression", regression), says(_REGRESSION)],
        "bundle": Annotated[bundles, says(f"one of {', '.join(BUNDLES)}, or a list of them")],
        "max_missing": MaxMissing,
        "allow_unfinished": bool,
    }
    return _table("Gates", fields)


def gates_schema() -> tuple[dict[str, Any], dict[str, Any]]:
    """The JSON Schema of that table, and what it refers to."""
    (shape,), definitions = schemas_of(_table_type())
    return shape, definitions


def _rows(bundle: str, rows: Mapping[str, BundleGate]) -> Any:
    """The gates of a bundle, where they have other limits."""
    made = _table(f"Bundle_{bundle}", {row: _limit(one.kind) for row, one in rows.items()})
    return Annotated[made, says("a table of names and limits", check=_nothing)]


def _table(name: str, fields: Mapping[str, Any]) -> type[msgspec.Struct]:
    given = [(name, one | UnsetType, UNSET) for name, one in fields.items()]
    return msgspec.defstruct(name, given, bases=(Closed,), frozen=True)
