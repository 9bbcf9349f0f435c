"""Reading a table of gates: every mistake in it is found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from sys import float_info
from typing import NamedTuple, get_args

from grice.experiments.aggregation.matcher_use import python_matcher
from grice.experiments.gates.kinds import (
    BUNDLES,
    DROP,
    LAYERS,
    LEVELS,
    RISE,
    SINGLE,
    TABLES,
    VALIDITY,
    Kind,
    Unit,
)
from grice.experiments.gates.records import Gate, Rule
from grice.text import did_you_mean, value_text

__all__ = ["RULES", "Declaration", "Problem", "found_text", "read_gates"]

RULES = get_args(Rule)


class Problem(NamedTuple):
    """A mistake: the key of the settings, or the option, and what is wrong."""

    where: str
    text: str
    option: bool = False


@dataclass
class Declaration:
    """What a table says. `off` names gates that it takes away, `baseline` is that of its regressions."""

    origin: str
    rule: str = ""
    bundles: Sequence[str] = ()
    gates: dict[str, Gate] = field(default_factory=dict)
    off: list[str] = field(default_factory=list)
    baseline: str = ""
    allow_unfinished: bool = False
    problems: list[Problem] = field(default_factory=list)

    def wrong(self, key: str, text: str) -> None:
        """Keep a mistake in what stands under the key of the table."""
        self.problems.append(Problem(key, text))


def found_text(value: object) -> str:
    """A value for a message; true and false as the settings write them."""
    return str(value).lower() if isinstance(value, bool) else value_text(value)


def read_gates(
    table: Mapping[str, object], bundles: Sequence[str] = (), *, origin: str, rule: str = ""
) -> Declaration:
    """The gates of a table as in `[tool.grice.gates]`, with these bundles; `rule` is that of rates in it."""
    found = Declaration(origin, rule, bundles)
    for key, value in table.items():
        if key in SINGLE:
            _read_single(found, key, value)
        elif key in TABLES or (key in bundles and BUNDLES[key]):
            _read_table(found, key, value)
        elif key == "regression":
            _read_regression(found, value)
        elif key == "allow_unfinished":
            found.allow_unfinished = value is True
            if not isinstance(value, bool):
                found.wrong(key, f"{key}: expected true or false, found {found_text(value)}")
        elif key != "bundle":
            found.wrong(key, _unknown(key))
    return found


NAMES = (*SINGLE, *TABLES, "regression", "bundle", "allow_unfinished")


def _unknown(key: str) -> str:
    if key in BUNDLES:
        return f'{key}: is a bundle: declare it with bundle = "{key}"'
    if key in ("validity", "max_rise"):
        example = {
            "validity": 'regression = {validity = "MEDIUM"}',
            "max_rise": "tokens_p95 = {max_rise = 0.2}",
        }
        return f"{key}: belongs to another gate: {example[key]}"
    hint = did_you_mean(key, NAMES) or f": there are {', '.join(NAMES)}"
    return f"unknown gate {value_text(key)}{hint}"


def _read_single(found: Declaration, name: str, value: object) -> None:
    """A gate by its name; it may be a limit and a rise over a baseline at once."""
    kind = SINGLE[name]
    if not kind.rises or not isinstance(value, Mapping) or not {"max_rise", "baseline"} & set(value):
        _read_limit(found, name, name, value, kind)
        return
    rest = {key: one for key, one in value.items() if key not in ("max_rise", "baseline")}
    if rest:
        _read_limit(found, name, name, rest, kind)
    baseline = _read_baseline(found, name, name, value.get("baseline", ""))
    if "max_rise" in value:
        _read_limit(found, name, f"{name}.max_rise", value["max_rise"], RISE, baseline=baseline)
    else:
        found.wrong(name, f"{name}: baseline goes with max_rise, such as {{max_rise = 0.2}}")


def _read_table(found: Declaration, key: str, value: object) -> None:
    for name, limit in _limits(found, key, key, value).items():
        if key in BUNDLES:
            _read_row(found, key, name, limit)
            continue
        named = {"layers": _layer, "matchers": python_matcher}.get(key, str)(name)
        if named is None or not named.strip():
            words = f"one of 0 to 4, {', '.join(LAYERS)}" if key == "layers" else "a name"
            hint = did_you_mean(name, LAYERS) if key == "layers" else ""
            found.wrong(key, f"{key}: expected {words}, found {value_text(name)}{hint}")
        else:
            _read_limit(found, key, f"{key}.{named}", limit, TABLES[key])


def _read_row(found: Declaration, bundle: str, row: str, limit: object) -> None:
    rows = BUNDLES[bundle]
    if row in rows:
        _read_limit(found, bundle, f"{bundle}.{row}", limit, rows[row].kind)
        return
    hint = did_you_mean(row, rows) or f": there are {', '.join(rows)}"
    found.wrong(bundle, f"the bundle {bundle} has no gate {value_text(row)}{hint}")


def _layer(name: str) -> str | None:
    """The name of a layer that is given by name or number; None for no layer."""
    if name in LAYERS:
        return name
    return LAYERS[int(name)] if name in map(str, range(len(LAYERS))) else None


def _read_regression(found: Declaration, value: object) -> None:
    key = "regression"
    given = _table(found, key, key, value)
    baseline, rule = given.get("baseline", ""), given.get("rule", found.rule or "point")
    found.baseline = named = baseline.strip() if isinstance(baseline, str) else "?"
    how = str(rule) if rule in RULES else "point"
    limits = given.keys() - {"baseline", "rule"}
    if isinstance(value, Mapping) and not limits:
        words = "expected completion, evaluation, criteria or validity, such as {completion = 0.02}"
        found.wrong(key, f"{key}: {words}")
    for name, limit in given.items():
        if name == "baseline":
            _read_baseline(found, key, key, limit)
        elif name == "rule" and rule not in RULES:
            found.wrong(key, _wrong_rule(key, rule))
        elif name == "validity":
            _read_validity(found, key, limit, named)
        elif name == "criteria":
            for criterion, one in _limits(found, key, f"{key}.criteria", limit).items():
                _read_limit(found, key, f"{key}.criteria.{criterion}", one, DROP, baseline=named, rule=how)
        elif name in _FALLING:
            _read_limit(found, key, f"{key}.{name}", limit, DROP, baseline=named, rule=how)
        elif name != "rule":
            known = (*_FALLING, "criteria", "validity", "baseline", "rule")
            words = f"expected {', '.join(known)}, found {value_text(name)}{did_you_mean(name, known)}"
            found.wrong(key, f"{key}: {words}")


_FALLING = ("completion", "evaluation")


def _read_validity(found: Declaration, key: str, value: object, baseline: str) -> None:
    """What the comparison has to be worth: a level by its name, or false."""
    name, levels = f"{key}.validity", LEVELS[1:]
    if value is False:
        found.off.append(name)
    elif value in levels:
        limit = float(LEVELS.index(value))
        found.gates[name] = Gate(name, limit, VALIDITY.bound, baseline=baseline, origin=found.origin)
    else:
        hint = did_you_mean(value, levels) if isinstance(value, str) else ""
        found.wrong(key, f"{name}: expected {', '.join(levels)}, found {found_text(value)}{hint}")


def _table(found: Declaration, key: str, name: str, value: object) -> Mapping[str, object]:
    """The value as a table, an empty one where it is none, which is a mistake."""
    if isinstance(value, Mapping):
        return value
    found.wrong(key, f"{name}: expected a table of names and limits, found {found_text(value)}")
    return {}


def _limits(found: Declaration, key: str, name: str, value: object) -> Mapping[str, object]:
    """The value as a table of limits, which has one at least."""
    limits = _table(found, key, name, value)
    if isinstance(value, Mapping) and not limits:
        found.wrong(key, f"{name}: expected a name and a limit, found {{}}: nothing would be gated")
    return limits


def _read_baseline(found: Declaration, key: str, name: str, value: object) -> str:
    if isinstance(value, str):
        return value.strip()
    words = 'the name of a baseline or experiment, such as "main" or "7 days ago"'
    found.wrong(key, f"{name}: baseline: expected {words}, found {found_text(value)}")
    return "?"  # that it is missing is no second mistake


def _read_limit(
    found: Declaration,
    key: str,
    name: str,
    value: object,
    kind: Kind,
    *,
    baseline: str = "",
    rule: str = "",
) -> None:
    """A number, false, or a table with the number and a rule; every mistake in it is kept."""
    if name in found.gates or name in found.off:
        found.wrong(key, f"{name}: is given twice")
        return
    if value is False:
        found.off.append(name)
        return
    word = kind.bound.replace(" ", "_")
    given = value if isinstance(value, Mapping) else {word: value}
    usual = rule or (found.rule if kind.rules else "") or "point"
    how = given.get("rule", usual) if kind.rules else usual
    wrong = _wrong_limit(name, given, word, kind)
    if how not in RULES:
        wrong.append(_wrong_rule(name, how))
    for one in wrong:
        found.wrong(key, one)
    if not wrong:
        limit = float(given[word])  # type: ignore[arg-type]
        found.gates[name] = Gate(name, limit, kind.bound, how, baseline, found.origin)  # type: ignore[arg-type]


def _wrong_limit(name: str, given: Mapping[str, object], word: str, kind: Kind) -> list[str]:
    """What is wrong with a table of a limit, but for its rule; the word is that for the limit."""
    known = (word, "rule") if kind.rules else (word,)
    wrong = [
        f"{name}: expected {' and '.join(known)}, found {value_text(one)}{did_you_mean(one, known)}"
        for one in given
        if one not in known
    ]
    if word not in given:
        return wrong or [f"{name}: {word} is missing"]
    if not _is_in(given[word], kind.unit):
        wrong.append(f"{name}: expected {_WORDS[kind.unit]}, found {found_text(given[word])}")
    return wrong


def _wrong_rule(name: str, rule: object) -> str:
    hint = did_you_mean(rule, RULES) if isinstance(rule, str) else ""
    return f"{name}: rule: expected {', '.join(RULES)}, found {found_text(rule)}{hint}"


def _is_in(limit: object, unit: Unit) -> bool:
    if isinstance(limit, bool) or not isinstance(limit, int | float) or not abs(limit) <= float_info.max:
        return False
    low, high = _BOUNDS[unit]
    is_kind = limit > 0 if unit in _POSITIVE else unit != "number" or limit == int(limit)
    return is_kind and low <= limit <= high


_BOUNDS: Mapping[Unit, tuple[float, float]] = {
    "share": (0, 1),
    "points": (1, 5),
    "turns": (0, inf),
    "seconds": (0, inf),
    "tokens": (0, inf),
    "number": (0, inf),
    "drop": (0, 1),
    "rise": (0, inf),
    "level": (0, len(LEVELS) - 1),
}
_POSITIVE = ("turns", "seconds", "tokens")
_WORDS: Mapping[Unit, str] = {
    "share": "a share from 0 to 1 (0.8 is 80 %)",
    "points": "points from 1 to 5",
    "turns": "a number of turns above 0",
    "seconds": "a number of seconds above 0",
    "tokens": "a number of tokens above 0",
    "number": "a whole number from 0 up",
    "drop": "a drop from 0 to 1 (0.02 is 2 points)",
    "rise": "a share from 0 up (0.2 is 20 % more)",
    "level": f"one of {', '.join(LEVELS[1:])}",
}
