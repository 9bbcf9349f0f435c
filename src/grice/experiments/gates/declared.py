"""Gates as operators declare them: `[tool.grice.gates]` and options of the command line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import msgspec

from grice.experiments.gates.gate_kinds import BUNDLES, WEEK_AGO, kind_of, needs_baseline
from grice.experiments.gates.gate_settings import RULES, Declaration, read_gates
from grice.experiments.gates.records import Gate, GateError
from grice.files.settings import Settings
from grice.typed import Problem, problems_in


@dataclass(frozen=True)
class GateOptions:
    """What the command line says: `NAME=LIMIT` of gates, bundles, the baseline, and a rule for the gates.

    `max_missing` is how much may be missing of each gate that does not say so itself.
    """

    gates: Sequence[str] = ()
    bundles: Sequence[str] = ()
    baseline: str = ""
    rule: str = ""
    allow_unfinished: bool = False
    max_missing: str = ""


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
    file = None if settings is None else settings.file
    bundles = [one for one in given.bundles if one in BUNDLES]
    settled = read_gates(table, bundles, origin="[tool.grice.gates]" if file is None else file.named("gates"))
    bundles = list(dict.fromkeys((*settled.bundles, *bundles)))
    wrong = [f"--bundle: {said}" for one in given.bundles if (said := _not_one_of(one, BUNDLES))]
    optional = _of_options(given, bundles, wrong)
    gates: dict[str, Gate] = _expanded(bundles)
    gates.update(settled.gates)
    _take_away(settled.off, gates)
    for one in optional:
        gates.update(
            {name: _replacing(gate, gates.get(name), given.rule) for name, gate in one.gates.items()}
        )
        _take_away(one.off, gates)
    usual = given.baseline or settled.baseline
    missing = dict(settled.max_missing)
    for one in optional:
        missing |= one.max_missing
    kept = tuple(
        _with_missing(_with_baseline(gate, given.baseline, usual), missing) for gate in gates.values()
    )
    problems = list(settled.problems)
    if not any(one.path[-1:] == ("baseline",) for one in problems):
        for gate in kept:
            if needs_baseline(gate.name) and not gate.baseline:
                said = f'{gate.name}: needs a baseline = "main" to be held against, or the option --baseline'
                if gate.origin.startswith("--gate"):
                    wrong.append(f"{gate.origin}: {said}")
                else:
                    problems.append(Problem((), said, gate.name.partition(".")[0]))
    held = any(map(needs_baseline, (*settled.gates, *settled.off, *gates)))
    if settled.baseline and not (held or problems or wrong):
        words = "no gate is held against the baseline: say by how much, such as completion = 0.02"
        problems.append(Problem((), f"regression: {words}", "regression"))
    wrong += [] if problems or wrong else _of_no_use(given, kept, optional)
    if problems or wrong:
        raise GateError("\n".join([*_told(problems, settings), *wrong]))
    return Declared(kept, settled.allow_unfinished or given.allow_unfinished)


def _told(problems: Sequence[Problem], settings: Settings | None) -> list[str]:
    """What is wrong in the settings, in the order of its lines."""
    if settings is None or settings.file is None:
        return [f"gates: {one}" for one in problems]
    file = settings.file
    places = [("gates", *one.path, *([one.key] if one.key else [])) for one in problems]
    told = sorted(zip(places, problems, strict=True), key=lambda one: file.position(one[0]))
    return [file.told(place, f"gates: {one}") for place, one in told]


def _take_away(names: Sequence[str], gates: dict[str, Gate]) -> None:
    for name in names:
        gates.pop(name, None)


def _replacing(gate: Gate, before: Gate | None, rule: str) -> Gate:
    """The gate of an option, with what was declared for the one that it replaces."""
    if before is None:
        return gate
    return msgspec.structs.replace(gate, baseline=before.baseline, rule=gate.rule if rule else before.rule)


def _of_no_use(given: GateOptions, kept: Sequence[Gate], optional: Sequence[Declaration]) -> list[str]:
    """Options that say how a gate is held, where there is none that is held so."""
    wrong: list[str] = []
    if given.baseline and kept and not any(needs_baseline(gate.name) for gate in kept):
        words = "no gate is held against one, as regression.completion and tokens_p95.max_rise are"
        wrong.append(f"--baseline: {words}")
    gates = [gate for one in optional for gate in one.gates.values()]
    if given.rule and gates and not any(kind_of(gate).rules for gate in gates):
        wrong.append("--rule: none of these gates has a rule: rates, regressions and flakiness have one")
    return wrong


def _not_one_of(given: str, known: Iterable[str]) -> str:
    """What is wrong with a name that is none of those that are known; "" for one that is."""
    return next((one.message for one in problems_in(given, Literal[tuple(known)])), "")


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


def _of_options(given: GateOptions, bundles: Sequence[str], wrong: list[str]) -> list[Declaration]:
    rule = given.rule
    if rule and (said := _not_one_of(rule, RULES)):
        wrong.append(f"--rule: {said}")
        rule = ""
    elif rule and not given.gates:
        wrong.append("--rule: goes with --gate: in the settings a gate has its own")
    found: list[Declaration] = []
    for text in given.gates:
        option = f"--gate {text}"
        name, sign, limit = text.rpartition("=")
        if not sign or not name.strip() or name.strip() in _NO_LIMITS:
            such = _NO_LIMITS.get(name.strip(), "completion=0.8")
            wrong.append(f"{option}: expected NAME=LIMIT, such as {such}")
            continue
        one = read_gates(_nested(name.strip(), _number(limit.strip())), bundles, origin=option, rule=rule)
        wrong += [f"{option}: {problem}" for problem in one.problems]
        before = {gate for earlier in found for gate in (*earlier.gates, *earlier.off)}
        twice = [gate for gate in (*one.gates, *one.off) if gate in before]
        wrong += [f"{option}: {gate}: is given twice" for gate in twice]
        found.append(one)
    if given.max_missing:
        one = read_gates({"max_missing": _number(given.max_missing)}, origin="--max-missing")
        wrong += [f"--max-missing: {problem.message}" for problem in one.problems]
        found.append(one)
    return found


_NO_LIMITS = {
    "bundle": "completion=0.8; a bundle is declared with --bundle",
    "allow_unfinished": "completion=0.8; that is --allow-unfinished",
    "max_missing": "completion=0.8; that is --max-missing",
    "regression.baseline": "completion=0.8; that is --baseline",
    "regression.rule": "completion=0.8; that is --rule",
    "regression": "regression.completion=0.02 or regression.criteria.friendly=0.05",
    "regression.criteria": "regression.criteria.friendly=0.05",
    "regression.judges": "regression.judges.naturalness=0.5",
    "criteria": "criteria.friendly=0.9",
    "judges": "judges.naturalness=3.7",
    "layers": "layers.rules=0.9",
    "matchers": "matchers.contain=0.9",
    **{bundle: f"completion=0.8; a bundle is declared with --bundle {bundle}" for bundle in BUNDLES},
}
"""What is no gate by itself: what to write, which begins with the nearest gate."""


def _nested(name: str, limit: object) -> dict[str, object]:
    """The table that a dotted name stands for: only names of gates have dots, not those of criteria."""
    first, dot, rest = name.partition(".")
    if not dot:
        return {first: limit}
    table, _, named = rest.partition(".")
    if first == "regression" and named and table in ("criteria", "judges"):
        return {first: {table: {named: limit}}}
    if first == "judges" and rest.endswith(".max_drop"):
        return {first: {rest.removesuffix(".max_drop"): {"max_drop": limit}}}
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


def _with_missing(gate: Gate, missing: Mapping[str, float]) -> Gate:
    most = missing.get(gate.name, missing.get("", 0.0))
    return msgspec.structs.replace(gate, max_missing=most) if kind_of(gate).misses else gate


def _with_baseline(gate: Gate, option: str, usual: str) -> Gate:
    if not needs_baseline(gate.name):
        return gate
    return msgspec.structs.replace(gate, baseline=option or gate.baseline or usual)
