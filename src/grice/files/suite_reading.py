"""Reading the scenarios of a suite file, and everything that is wrong with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast, get_args

from grice.agents import AgentLoadError
from grice.files.document import Document, FieldType, FileError, check_fields
from grice.files.ids import id_problem
from grice.files.locate import JsonPath
from grice.files.matcher_modules import MatcherModules, unknown_matchers
from grice.files.stub_scripts import model_reply, wrong_replies
from grice.files.suite_agents import read_suite_agent
from grice.files.suite_check_reading import Mode, expected_output_check, read_check, size_problem
from grice.files.suite_criteria import named_criteria, read_criterion, unknown_criterion
from grice.files.suite_lines import FieldLines
from grice.files.suite_records import SuiteCheck, SuiteScenario, SuiteTurn
from grice.files.typed import named
from grice.formats import FormatError, read_message
from grice.identity import scenario_key
from grice.judging.criterion import Criterion, CriterionError
from grice.matching.assertions.evaluation import OutputType, RunMode
from grice.matching.json_parsing import NotJson, parse_json
from grice.matching.json_text import json_text
from grice.matching.limits import Limits
from grice.records import JsonValue
from grice.text import did_you_mean, value_text
from grice.wire.addresses import meant_as_address
from grice.wire.replies import Fault, ModelReply

__all__ = ["OUTPUT_TYPES", "RUN_MODES", "VERSION", "SuiteReader", "has_hard_checks", "is_empty_output"]

VERSION = 1
RUN_MODES: tuple[str, ...] = get_args(RunMode)
OUTPUT_TYPES: tuple[str, ...] = get_args(OutputType)

_FILE: dict[str, FieldType] = {
    "agent": (str, dict),
    "name": str,
    "version": int,
    "criteria": dict,
    "matchers": list,
    "$schema": str,
}
_CHECKS: dict[str, FieldType] = {
    "expect": list,
    "evaluate": list,
    "expected_output": object,
    "output_type": str,
}
_TURN: dict[str, FieldType] = {"model": list, "tools": dict, **_CHECKS}
_SCENARIO: dict[str, FieldType] = {
    "id": (str, int),
    "description": str,
    "run_mode": str,
    "agent": (str, dict),
    "history": (list, type(None)),
    "say": (str, list),
    "turns": list,
    **_TURN,
}


def has_hard_checks(fields: Mapping[str, Any]) -> bool:
    """Whether the scenario or turn has checks that count, so that its expected output is not looked at."""
    return bool(fields.get("expect"))


def is_empty_output(fields: Mapping[str, Any]) -> bool:
    """Whether there is no expected output, or one that says nothing beside checks."""
    return fields.get("expected_output") in (None, "")


class SuiteReader:
    """Reads the scenarios of one document and collects what is wrong with them.

    After an error it reads on with what is there, so that every error is found; such records are thrown away.
    `suite` is the name of the suite when the file gives none. `known` are the criteria of its project, which
    its checks may name; None when nobody knows them, and then names are not looked up here. `modules` are
    where its matchers come from: those that the file names are imported first, and agents when a check names
    a matcher that is not known by then.
    """

    def __init__(
        self,
        document: Document,
        suite: str,
        limits: Limits,
        known: Mapping[str, Criterion] | None = None,
        modules: MatcherModules | None = None,
    ) -> None:
        self.document = document
        self._modules = modules or MatcherModules()
        self._known = known
        self._criteria: dict[str, Criterion] = {}
        self.errors: list[FileError] = []
        self._suite = suite
        self._limits = limits
        self._lines = FieldLines(document)

    def scenarios(self) -> list[SuiteScenario]:
        """The scenarios of the document, in order; not to be used when there are errors."""
        value = self.document.value
        if isinstance(value, list):
            self._import_agents()
            return self._listed(value, (), None)
        version = value.get("version") if isinstance(value, dict) else None
        if isinstance(version, int) and version is not True and version > VERSION:
            self._refuse(
                ("version",), f"{version} is newer than this Grice reads, which is {VERSION}: upgrade Grice"
            )
            return []
        fields = self._fields((), value, {"scenarios": list}, _FILE)
        if fields.get("version", VERSION) < 1:
            self._refuse(("version",), f"expected {VERSION}, found {fields['version']}")
        for name in ("name", "agent"):
            self._not_empty(fields, (), name)
        self._suite = fields.get("name", self._suite)
        self._read_criteria(fields.get("criteria", {}))
        self._import_matchers(fields.get("matchers", []))
        self._import_agents()
        return self._listed(fields.get("scenarios"), ("scenarios",), self._agent(fields, ()))

    def _agent(self, fields: Mapping[str, Any], place: JsonPath) -> object:
        """The agent that the file or a scenario gives, None where it gives none."""
        said = fields.get("agent")
        read = None if said is None else read_suite_agent(said)
        if not isinstance(read, list):
            return read
        for one in read:
            self._refuse((*place, "agent", *one.path), one.message, name=one.key)
        return None

    def _read_criteria(self, values: Mapping[str, JsonValue]) -> None:
        for name, raw in values.items():
            try:
                self._criteria[name] = read_criterion(name, raw)
            except CriterionError as error:
                self._refuse(("criteria", name), str(error))

    def _import_matchers(self, names: Sequence[JsonValue]) -> None:
        for index, name in enumerate(names):
            try:
                if not isinstance(name, str):
                    raise AgentLoadError(f"expected the name of a module, found {value_text(name)}")
                self._modules.load_module(name)
            except AgentLoadError as error:
                self._refuse(("matchers", index), str(error))

    def _import_agents(self) -> None:
        """Import agents until every matcher is known: a project may have its matchers beside them.

        One that cannot be imported is told of when a matcher stays unknown; else running the suite tells it.
        """
        problems: list[tuple[JsonPath, str]] = []
        places = _agents(self.document.value)
        for name in self._modules.agents:
            places.setdefault(name, ())
        for name, place in places.items():
            if not any(unknown_matchers(self.document.value)):
                return
            try:
                self._modules.load_agent(name)
            except AgentLoadError as error:
                problems.append((place, str(error)))
        if any(unknown_matchers(self.document.value)):
            for place, problem in problems:
                self._refuse(place, problem)

    def _refuse_unknown(self, check: SuiteCheck) -> None:
        """Keep an error for a criterion that neither the file nor its project has."""
        if self._known is not None:
            known = {**self._known, **self._criteria}
            for name, step in named_criteria(check.matcher):
                if problem := unknown_criterion(name, known):
                    self._refuse((*check.place, "expected", *step), problem)

    def _listed(self, values: list[JsonValue] | None, place: JsonPath, agent: object) -> list[SuiteScenario]:
        if values is not None and not values:
            self._refuse(place, "the file holds no scenario: it is an empty list")
        size = len(values or [])
        return [self._scenario(raw, (*place, i), agent, size) for i, raw in enumerate(values or [])]

    def _refuse(self, place: JsonPath, message: str, *, name: str = "") -> None:
        """Keep an error about the value at `place`; `name` is a field of it to point to."""
        steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in place)
        where = "".join(steps).removeprefix(".")
        position = self.document.position((*place, name) if name else place, key=bool(name))
        text = f"{where}: {message}" if where else message
        self.errors.append(FileError(self.document.path, *position, text))

    def _fields(
        self,
        place: JsonPath,
        value: JsonValue,
        required: Mapping[str, FieldType],
        optional: Mapping[str, FieldType],
    ) -> dict[str, Any]:
        """Those fields of the object that are right; errors are kept for the others."""
        found = check_fields(self.document, place, value, required=required, optional=optional)
        if not found:
            return cast("dict[str, Any]", value)
        self.errors += found
        known = {**required, **optional}
        given = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
        return {
            name: item
            for name, item in given.items()
            if name in known
            and not check_fields(self.document, place, {name: item}, required={}, optional=known)
        }

    def _scenario(self, raw: JsonValue, place: JsonPath, agent: object, set_size: int) -> SuiteScenario:
        before = len(self.errors)
        fields = self._fields(place, raw, {}, _SCENARIO)
        if isinstance(fields.get("id"), str) and (problem := id_problem(fields["id"])):
            self._refuse((*place, "id"), problem)
        self._not_empty(fields, place, "agent")
        own = self._agent(fields, place)
        self._one_of(fields, place, "run_mode", RUN_MODES)
        turns = self._turns(raw, fields, place)
        checks = self._checks(fields, place)
        history = fields.get("history") or []
        self._history(history, (*place, "history"))
        if problem := size_problem(_all_checks(fields), self._limits):
            self._refuse(place, problem)
        if len(self.errors) > before:
            return self._broken(fields, place)
        self._unique_ids([*(check for turn in turns for check in turn.checks), *checks])
        key = scenario_key(fields, set_size=set_size)
        if not checks and not any(turn.checks for turn in turns):
            self._refuse(place, f"scenario {key!r} asserts nothing; add 'expect' or 'evaluate'")
        return SuiteScenario(
            id=key,
            turns=turns,
            checks=checks,
            history=tuple(history),
            description=fields.get("description", ""),
            run_mode=fields.get("run_mode", "DEFAULT"),
            agent=agent if own is None else own,
            skipped_checks=_skipped(fields),
            suite=self._suite,
            file=self.document.path,
            line=self._lines.line(place, next(iter(fields))),
            content=fields,
            criteria=tuple(self._criteria.values()),
        )

    def _broken(self, fields: dict[str, Any], place: JsonPath) -> SuiteScenario:
        """A scenario with errors: only its own id counts, which no other one may have."""
        if "id" not in fields:
            return SuiteScenario(id="", turns=())
        line = self._lines.line(place, next(iter(fields)))
        return SuiteScenario(
            id=scenario_key(fields),
            turns=(),
            suite=self._suite,
            file=self.document.path,
            line=line,
            content=fields,
        )

    def _turns(self, raw: JsonValue, fields: Mapping[str, Any], place: JsonPath) -> tuple[SuiteTurn, ...]:
        """The turns of a scenario: those of `turns`, or one for each text of `say`."""
        if "turns" not in fields:
            texts = self._texts(raw, fields, place)
            model, tools = self._model(fields, place), fields.get("tools", {})
            return tuple(
                SuiteTurn(say=text, model=None if number else model, tools=tools)
                for number, text in enumerate(texts)
            )
        for name in ("say", "model", "tools"):
            if name in fields:
                self._refuse(place, f"'{name}' does not go beside 'turns': write it in them", name=name)
        if not fields["turns"]:
            self._refuse((*place, "turns"), "a scenario needs at least one turn")
        return tuple(self._turn(raw, (*place, "turns", i)) for i, raw in enumerate(fields["turns"]))

    def _texts(self, raw: JsonValue, fields: Mapping[str, Any], place: JsonPath) -> list[str]:
        """What the user says, where there are no `turns`."""
        if isinstance(raw, dict) and not raw.keys() & {"say", "turns"}:
            self._refuse(place, "missing field 'say', a text or a list of texts; or 'turns'")
        given = fields.get("say", ())
        if given == []:
            self._refuse((*place, "say"), "the list of texts is empty")
        texts: list[str] = [given] if isinstance(given, str) else list(given)
        for index, text in enumerate(texts):
            if not isinstance(text, str) or not text.strip():
                here = (*place, "say", index) if isinstance(given, list) else (*place, "say")
                self._refuse(here, f"expected a text that is not empty, found {value_text(text)}")
        return texts

    def _turn(self, raw: JsonValue, place: JsonPath) -> SuiteTurn:
        fields = self._fields(place, raw, {"say": str}, _TURN)
        self._not_empty(fields, place, "say")
        return SuiteTurn(
            say=fields.get("say", ""),
            model=self._model(fields, place),
            tools=fields.get("tools", {}),
            checks=self._checks(fields, place),
        )

    def _model(self, fields: Mapping[str, Any], place: JsonPath) -> tuple[ModelReply | Fault, ...] | None:
        if "model" not in fields:
            return None
        place = (*place, "model")
        found = list(wrong_replies(fields["model"]))
        self.errors += [named(self.document, place, one) for one in found]
        return () if found else tuple(map(model_reply, fields["model"]))

    def _history(self, messages: list[JsonValue], place: JsonPath) -> None:
        for index, message in enumerate(messages):
            try:
                read_message(message)
            except FormatError as error:
                self._refuse((*place, index), str(error))

    def _checks(self, fields: Mapping[str, Any], place: JsonPath) -> tuple[SuiteCheck, ...]:
        """The checks of a scenario or a turn, an expected output among them."""
        checks = self._expected_output(fields, place)
        modes: tuple[tuple[str, Mode], ...] = (("expect", "hard"), ("evaluate", "soft"))
        for name, mode in modes:
            for index, raw in enumerate(fields.get(name, [])):
                here = (*place, name, index)
                read = read_check(raw, here, mode, self._lines.line)
                if isinstance(read, SuiteCheck):
                    self._refuse_unknown(read)
                    checks.append(read)
                    continue
                for field, said, unknown in read:
                    if unknown:
                        self._refuse(here, said, name=field)
                    else:
                        self._refuse((*here, field) if field else here, said)
        return tuple(checks)

    def _expected_output(self, fields: Mapping[str, Any], place: JsonPath) -> list[SuiteCheck]:
        """The check that the expected output is, where there are no others that count."""
        self._one_of(fields, place, "output_type", OUTPUT_TYPES)
        if "expected_output" not in fields:
            if "output_type" in fields:
                self._refuse((*place, "output_type"), "there is no 'expected_output' whose type it says")
            return []
        if has_hard_checks(fields):
            return []
        expected, kind = fields["expected_output"], fields.get("output_type", "string")
        if kind == "string" and not isinstance(expected, str):
            found = json_text(expected)
            message = f"expected a text, found {found}; 'output_type: json' compares JSON values"
            self._refuse((*place, "expected_output"), message)
            return []
        if kind == "json" and isinstance(expected, str) and (problem := _no_json(expected)):
            self._refuse((*place, "expected_output"), problem)
            return []
        return [expected_output_check(expected, kind, place, self._lines.line)]

    def _unique_ids(self, checks: Sequence[SuiteCheck]) -> None:
        first: dict[str, SuiteCheck] = {}
        for check in checks:
            if not check.id or check.place[-1] == "expected_output":
                continue
            known = first.setdefault(check.id, check)
            if known is not check:
                message = f"the id {check.id!r} is used already in this scenario, on line {known.line}"
                self._refuse((*check.place, "id"), message)

    def _not_empty(self, fields: Mapping[str, Any], place: JsonPath, name: str) -> None:
        value = fields.get(name)
        if isinstance(value, str) and not value.strip():
            self._refuse((*place, name), f"expected a text that is not empty, found {value_text(value)}")

    def _one_of(self, fields: Mapping[str, Any], place: JsonPath, name: str, known: Sequence[str]) -> None:
        value = fields.get(name)
        if value is not None and value not in known:
            hint = did_you_mean(value, known)
            message = f"expected one of {', '.join(known)}, found {value_text(value)}{hint}"
            self._refuse((*place, name), message)


def _agents(value: JsonValue) -> dict[str, JsonPath]:
    """The agents that a file names, for all scenarios or for one, and where each stands first."""
    fields = value if isinstance(value, dict) else {"scenarios": value}
    start: JsonPath = ("scenarios",) if isinstance(value, dict) else ()
    scenarios = fields.get("scenarios")
    holders: list[tuple[JsonPath, dict[str, Any]]] = [((), fields)]
    if isinstance(scenarios, list):
        holders += [((*start, index), one) for index, one in enumerate(scenarios) if isinstance(one, dict)]
    found: dict[str, JsonPath] = {}
    for place, holder in holders:
        if isinstance(name := holder.get("agent"), str) and not meant_as_address(name):
            found.setdefault(name, (*place, "agent"))
    return found


def _no_json(expected: str) -> str:
    """Why a text that begins as JSON is none, or is blank; "" for any other."""
    if not expected.strip():
        return "expected JSON, found an empty text"
    if not expected.lstrip().startswith(("{", "[", '"')):
        return ""
    try:
        parse_json(expected)
    except NotJson as error:
        return f"expected JSON, as it begins like it: {error}"
    return ""


def _all_checks(fields: Mapping[str, Any]) -> Iterator[JsonValue]:
    """All checks of a scenario as they are written, those of its turns too."""
    places = [fields, *(turn for turn in fields.get("turns", []) if isinstance(turn, dict))]
    for place in places:
        for name in ("expect", "evaluate"):
            listed = place.get(name)
            yield from listed if isinstance(listed, list) else []
        if "expected_output" in place and not has_hard_checks(place):
            yield place["expected_output"]


def _skipped(fields: Mapping[str, Any]) -> str:
    """Which expected outputs are not looked at; "" when there is none."""
    turns = fields.get("turns", [])
    said = [f"of turn {number}" for number, turn in enumerate(turns, 1) if _is_skipped(turn)]
    if _is_skipped(fields):
        said.append("of the scenario" if turns else "")
    return "; ".join(f"expected_output {of}".rstrip() + " is not looked at beside 'expect'" for of in said)


def _is_skipped(fields: Mapping[str, Any]) -> bool:
    return has_hard_checks(fields) and not is_empty_output(fields)
