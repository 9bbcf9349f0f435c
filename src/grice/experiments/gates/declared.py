"""Gates as operators declare them: `[tool.grice.gates]` and options of the command line."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import msgspec

from grice.experiments.gates.kinds import BUNDLES, WEEK_AGO, kind_of, needs_baseline
from grice.experiments.gates.reading import RULES, Declaration, Problem, found_text, read_gates
from grice.experiments.gates.records import Gate, GateError
from grice.files.settings import Settings
from grice.text import did_you_mean, value_text

__all__ = ["Declared", "GateOptions", "declared_gates"]


@dataclass(frozen=True)
class GateOptions:
    """What the command line says: `NAME=LIMIT` of gates, bundles, the baseline, and a rule for the gates."""

    gates: Sequence[str] = ()
    bundles: Sequence[str] = ()
    baseline: str = ""
    rule: str = ""
    allow_unfinished: bool = False


class Declared(NamedTuple):
    """The gates in order, each name once, and whether a run that is not finished may keep them."""

    gates: tuple[Gate, ...]
    allow_unfinished: bool = False


def declared_gates(settings: Settings | None, options: GateOptions | None = None) -> Declared:
    """The gates that the settings and the options declare; an option replaces the gate of its name.

    The rule and the baseline that were declared for that one stay unless the options have others. A bundle
    stands for gates of its own, which those of the same name replace; `false` takes one away. Raises
    GateError, with a line for each mistake that begins with the file and line, or the option.
    """
    given = options or GateOptions()
    table = settings.gates if settings is not None else {}
    problems: list[Problem] = []
    bundles, wrong = _bundles(table.get("bundle", ()), given.bundles)
    problems += wrong
    file = None if settings is None else settings.file
    settled = read_gates(table, bundles, origin="[tool.grice.gates]" if file is None else file.named("gates"))
    problems += settled.problems
    optional = _of_options(given, bundles, problems)
    gates: dict[str, Gate] = _expanded(bundles)
    gates.update(settled.gates)
    _take_away(settled.off, gates)
    for one in optional:
        gates.update(
            {name: _replacing(gate, gates.get(name), given.rule) for name, gate in one.gates.items()}
        )
        _take_away(one.off, gates)
    usual = given.baseline or settled.baseline
    kept = tuple(_with_baseline(gate, given.baseline, usual) for gate in gates.values())
    problems += [_without_baseline(gate) for gate in kept if _lacks_baseline(gate)]
    problems += [] if problems else _of_no_use(given, kept, optional)
    if problems:
        raise GateError("\n".join(_said(problem, settings) for problem in _in_order(problems, table)))
    return Declared(kept, settled.allow_unfinished or given.allow_unfinished)


def _take_away(names: Sequence[str], gates: dict[str, Gate]) -> None:
    for name in names:
        gates.pop(name, None)


def _replacing(gate: Gate, before: Gate | None, rule: str) -> Gate:
    """The gate of an option, with what was declared for the one that it replaces."""
    if before is None:
        return gate
    return msgspec.structs.replace(gate, baseline=before.baseline, rule=gate.rule if rule else before.rule)


def _of_no_use(given: GateOptions, kept: Sequence[Gate], optional: Sequence[Declaration]) -> list[Problem]:
    """Options that say how a gate is held, where there is none that is held so."""
    problems: list[Problem] = []
    if given.baseline and kept and not any(needs_baseline(gate.name) for gate in kept):
        words = "no gate is held against one, as regression.completion and tokens_p95.max_rise are"
        problems.append(Problem("--baseline", words, option=True))
    gates = [gate for one in optional for gate in one.gates.values()]
    if given.rule and gates and not any(kind_of(gate).rules for gate in gates):
        words = "none of these gates has a rule: rates, regressions and flakiness have one"
        problems.append(Problem("--rule", words, option=True))
    return problems


def _bundles(declared: object, options: Sequence[str]) -> tuple[list[str], list[Problem]]:
    """The names of bundles, and what is wrong with them."""
    listed = list(declared) if isinstance(declared, list | tuple) else [declared]
    wrong = [one for one in listed if not _is_bundle(one)] or ([declared] if declared == [] else [])
    problems = [Problem("bundle", f"bundle: {_unknown_bundle(one)}") for one in wrong]
    problems += [
        Problem("--bundle", _unknown_bundle(one), option=True) for one in options if not _is_bundle(one)
    ]
    names = [one for one in (*listed, *options) if isinstance(one, str) and one in BUNDLES]
    return list(dict.fromkeys(names)), problems


def _is_bundle(name: object) -> bool:
    return isinstance(name, str) and name in BUNDLES


def _unknown_bundle(found: object) -> str:
    hint = did_you_mean(found, BUNDLES) if isinstance(found, str) else ""
    return f"expected {', '.join(BUNDLES)} or a list of them, found {found_text(found)}{hint}"


def _expanded(bundles: Sequence[str]) -> dict[str, Gate]:
    """The gates that the bundles stand for."""
    gates: dict[str, Gate] = {}
    for bundle in bundles:
        for row, one in BUNDLES[bundle].items():
            name = f"{bundle}.{row}"
            gates[name] = Gate(name, one.limit, one.kind.bound, origin=f"bundle {bundle}")
        if bundle == "performance":
            latency = Gate("latency_p95", 5.0, "below", origin="bundle performance")
            tokens = Gate(
                "tokens_p95.max_rise", 0.2, "at most", baseline=WEEK_AGO, origin="bundle performance"
            )
            gates |= {latency.name: latency, tokens.name: tokens}
    return gates


def _of_options(given: GateOptions, bundles: Sequence[str], problems: list[Problem]) -> list[Declaration]:
    rule = given.rule
    if rule and rule not in RULES:
        words = f"expected {', '.join(RULES)}, found {value_text(rule)}{did_you_mean(rule, RULES)}"
        problems.append(Problem("--rule", words, option=True))
        rule = ""
    elif rule and not given.gates:
        problems.append(
            Problem("--rule", "goes with --gate: in the settings a gate has its own", option=True)
        )
    found: list[Declaration] = []
    for text in given.gates:
        option = f"--gate {text}"
        name, sign, limit = text.rpartition("=")
        if not sign or not name.strip() or name.strip() in _NO_LIMITS:
            words = "expected NAME=LIMIT, such as completion=0.8"
            problems.append(Problem(option, f"{words}{_NO_LIMITS.get(name.strip(), '')}", option=True))
            continue
        one = read_gates(_nested(name.strip(), _number(limit.strip())), bundles, origin=option, rule=rule)
        problems += [Problem(option, problem.text, option=True) for problem in one.problems]
        before = {gate for earlier in found for gate in (*earlier.gates, *earlier.off)}
        twice = [gate for gate in (*one.gates, *one.off) if gate in before]
        problems += [Problem(option, f"{gate}: is given twice", option=True) for gate in twice]
        found.append(one)
    return found


_NO_LIMITS = {
    "bundle": "; a bundle is declared with --bundle",
    "allow_unfinished": "; that is --allow-unfinished",
    "regression.baseline": "; that is --baseline",
    "regression.rule": "; that is --rule",
}


def _nested(name: str, limit: object) -> dict[str, object]:
    """The table that a dotted name stands for: only names of gates have dots, not those of criteria."""
    first, dot, rest = name.partition(".")
    if not dot:
        return {first: limit}
    if first == "regression" and rest.startswith("criteria."):
        return {first: {"criteria": {rest.removeprefix("criteria."): limit}}}
    return {first: {rest: limit}}


def _number(text: str) -> object:
    """The limit as the settings would have it; the text where it is none."""
    if text == "false":
        return False
    if not _PLAIN.fullmatch(text):
        return text
    return float(text) if "." in text else int(text)


_PLAIN = re.compile(r"[+-]?(?:[0-9]{1,300}(?:\.[0-9]+)?|\.[0-9]+)")
"""A number as people write it: not what Python reads besides, as `1_0` and `1e3`, and of no 400 digits."""


def _with_baseline(gate: Gate, option: str, usual: str) -> Gate:
    if not needs_baseline(gate.name):
        return gate
    return msgspec.structs.replace(gate, baseline=option or gate.baseline or usual)


def _lacks_baseline(gate: Gate) -> bool:
    return needs_baseline(gate.name) and not gate.baseline


def _without_baseline(gate: Gate) -> Problem:
    words = f'{gate.name}: needs a baseline = "main" to be held against, or the option --baseline'
    option = gate.origin.startswith("--gate")
    return Problem(gate.origin if option else gate.name.partition(".")[0], words, option=option)


def _in_order(problems: Sequence[Problem], table: Mapping[str, object]) -> list[Problem]:
    """Those of the settings in the order of its lines, then those of the options."""
    place = {key: number for number, key in enumerate(table)}
    return sorted(problems, key=lambda one: (one.option, place.get(one.where, len(place)) * (not one.option)))


def _said(problem: Problem, settings: Settings | None) -> str:
    if problem.option or settings is None:
        return f"{problem.where}: {problem.text}"
    return str(settings.problem_with("gates", problem.text, key=problem.where))
