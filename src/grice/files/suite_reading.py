"""Reading the scenarios of a suite file, and everything that is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from grice.agents import AgentLoadError
from grice.files.document import Document, FileError
from grice.files.each_row import scenarios_of_rows
from grice.files.locate import JsonPath
from grice.files.matcher_modules import MatcherModules, names_unknown_matcher
from grice.files.prompt_files import PromptErrors, PromptFile, input_problems, load_prompt, prompt_place
from grice.files.stub_scripts import model_reply
from grice.files.suite_check_reading import Mode, expected_output_check, read_check, size_problem
from grice.files.suite_check_reading import Problem as CheckProblem
from grice.files.suite_criteria import named_criteria, read_criterion, unknown_criterion
from grice.files.suite_records import SuiteCheck, SuiteScenario, SuiteTurn, id_problem
from grice.files.suite_types import (
    VERSION,
    Scenarios,
    SuiteFile,
    has_hard_checks,
    inputs_without_prompt,
    is_empty_output,
    read_suite_agent,
)
from grice.files.typed import named
from grice.identity import scenario_key, stable_path
from grice.judging.criterion import Criterion
from grice.matching.limits import Limits
from grice.records import JsonValue
from grice.typed import Problem, problems_in, within
from grice.wire.addresses import meant_as_address

_ALIAS = r"(?:^|[\s\[{,])[&*][^\s,\[\]{}]"


class FieldLines:
    """The lines of fields by name and place.

    The n-th field of a name stands where its name is found for the n-th time in the text. When the numbers of
    both differ (the name stands in a text too) and where YAML has aliases, or the name in a comment, the
    document is asked, which is slower.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self._of_one_line = "\n" not in document.text
        self._lines: dict[str, dict[JsonPath, int]] = {}

    def line(self, place: JsonPath, name: str) -> int:
        """The line of the field `name` of the object at `place`."""
        if self._of_one_line:
            return 1
        if name not in self._lines:
            self._lines[name] = self._found(name)
        found = self._lines[name].get(place)
        return self._document.position((*place, name), key=True)[0] if found is None else found

    def _found(self, name: str) -> dict[JsonPath, int]:
        text = self._document.text
        places: list[JsonPath] = []
        _add_places(places, self._document.value, name, ())
        written = re.escape(name)
        if self._document.syntax == "json":
            pattern = rf'(?<!\\)"{written}"\s*:'
        else:
            if re.search(rf"(?m){_ALIAS}|(?:^|\s)#.*{written}", text):
                return {}
            pattern = rf"(?m)(?:^|(?<=[\s{{,\[]))(?:{written}[ \t]*:(?=\s|$)|([\"']){written}\1[ \t]*:)"
        offsets = [found.start() for found in re.finditer(pattern, text)]
        if len(offsets) != len(places):
            return {}
        lines: list[int] = []
        line, seen = 1, 0
        for offset in offsets:
            line += text.count("\n", seen, offset)
            seen = offset
            lines.append(line)
        return dict(zip(places, lines, strict=True))


def _add_places(found: list[JsonPath], value: JsonValue, name: str, place: JsonPath) -> None:
    """Add the places of the objects with a field of that name, in the order of the file."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key == name:
                found.append(place)
            if isinstance(item, dict | list):
                _add_places(found, item, name, (*place, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            if isinstance(item, dict | list):
                _add_places(found, item, name, (*place, index))


_MODES: tuple[tuple[str, Mode], ...] = (("expect", "hard"), ("evaluate", "soft"))


class SuiteReader:
    """Reads the scenarios of one document and collects what is wrong with them.

    A wrong scenario is read on, so that every error is found, and then thrown away. `suite` is the name of
    the suite when the file gives none. `known` are the criteria of its project, which its checks may name;
    None when nobody knows them, and then names are not looked up here. `modules` are where its matchers come
    from: those that the file names are imported first, and agents when a check names a matcher that is not
    known by then. `prompt` is that of a suite whose prompt stands in no file, whatever the document names.
    """

    def __init__(
        self,
        document: Document,
        suite: str,
        limits: Limits,
        known: Mapping[str, Criterion] | None = None,
        modules: MatcherModules | None = None,
        prompt: PromptFile | None = None,
    ) -> None:
        self.document = document
        self._modules = modules or MatcherModules()
        self._known = known
        self._criteria: dict[str, Criterion] = {}
        self._prompt = prompt
        self.problems: list[Problem] = []
        self._suite = suite
        self._limits = limits
        self._lines = FieldLines(document)
        self._alike: dict[tuple[Mode, bytes], SuiteCheck] = {}

    def scenarios(self) -> list[SuiteScenario]:
        """The scenarios of the document, in order; not to be used when there are errors."""
        value = self.document.value
        whole = not isinstance(value, list)
        fields: dict[str, Any] = value if isinstance(value, dict) else {"scenarios": value}
        version = fields.get("version", VERSION)
        if isinstance(version, int) and version is not True and version > VERSION:
            newer = f"{version} is newer than this Grice reads, which is {VERSION}: upgrade Grice"
            self._refuse(Problem(("version",), newer))
            return []
        self._import_matchers(fields.get("matchers"))
        self._import_agents()
        start: JsonPath = ("scenarios",) if whole else ()
        listed = fields.get("scenarios")
        made, of_data = scenarios_of_rows(listed if isinstance(listed, list) else [], self.document.path)
        self.problems += within(start, of_data)
        raws = [one.raw for one in made]
        if isinstance(listed, list) and listed:
            if not made:
                return []  # there is nothing but data that cannot be read
            fields = {**fields, "scenarios": raws}
            value = fields if whole else raws
        problems = problems_in(value, SuiteFile if whole else Scenarios)
        if not (whole or problems):
            problems = list(inputs_without_prompt(raws))
        places = [(*start, one.place) for one in made]
        for one in problems:
            own = one.path[: len(start)] == start and len(one.path) > len(start)
            path = (*places[int(one.path[len(start)])], *one.path[len(start) + 1 :]) if own else one.path
            self._refuse(one._replace(path=path))
        right = _right(fields, problems) if whole else {}
        self._suite = right.get("name", self._suite)
        self._criteria = {name: read_criterion(name, raw) for name, raw in right.get("criteria", {}).items()}
        wrong = {one.path[: len(start) + 1] for one in problems}
        agent = _agent_of(right)
        self._state = right.get("state", "")
        if self._prompt is None:
            self._prompt = self._read_prompt(right.get("prompt"))
        found: list[SuiteScenario] = []
        for index, (raw, place) in enumerate(zip(raws, places, strict=True)):
            if isinstance(raw, dict):
                is_wrong = (*start, index) in wrong
                found.append(self._scenario(raw, place, agent, len(raws), wrong=is_wrong))
            else:
                found.append(SuiteScenario(id="", turns=()))
        for index, message in duplicates(found, {}):
            self._refuse(
                Problem((*places[index], *(("id",) if "id" in found[index].content else ())), message)
            )
        self.problems = list(dict.fromkeys(self.problems))  # what rows of data have in common is told once
        return found

    @property
    def errors(self) -> list[FileError]:
        """What is wrong with the document, by position."""
        found = [named(self.document, (), problem) for problem in self.problems]
        return sorted(found, key=lambda error: (error.line, error.column))

    def _read_prompt(self, said: str | None) -> PromptFile | None:
        """The prompt that the file names; what is wrong with that is told where it is named."""
        if said is None:
            return None
        try:
            return load_prompt(prompt_place(self.document.path, said))
        except (FileError, PromptErrors) as error:
            for one in error.errors if isinstance(error, PromptErrors) else [error]:
                self._refuse(Problem(("prompt",), str(one)))
        return None

    def _refuse(self, problem: Problem) -> None:
        self.problems.append(problem)

    def _import_matchers(self, names: object) -> None:
        for index, name in enumerate(names if isinstance(names, list) else ()):
            try:
                if isinstance(name, str):
                    self._modules.load_module(name)
            except AgentLoadError as error:
                self._refuse(Problem(("matchers", index), str(error)))

    def _import_agents(self) -> None:
        """Import agents until every matcher is known: a project may have its matchers beside them.

        One that cannot be imported is told of when a matcher stays unknown; else running the suite tells it.
        """
        problems: list[Problem] = []
        places = _agents(self.document.value)
        for name in self._modules.agents:
            places.setdefault(name, ())
        for name, place in places.items():
            if not names_unknown_matcher(self.document.value):
                return
            try:
                self._modules.load_agent(name)
            except AgentLoadError as error:
                problems.append(Problem(place, str(error)))
        if problems and names_unknown_matcher(self.document.value):
            for problem in problems:
                self._refuse(problem)

    def _scenario(
        self, raw: dict[str, Any], place: JsonPath, agent: object, set_size: int, *, wrong: bool
    ) -> SuiteScenario:
        """The scenario; of a wrong one only its own id counts, which no other one may have."""
        before = len(self.problems)
        prompt = self._prompt
        if prompt is not None and "inputs" in raw and not wrong:
            for one in within(("inputs",), input_problems(prompt, raw["inputs"])):
                self._refuse(one._replace(path=(*place, *one.path)))
        listed = raw.get("turns")
        turns = [one if isinstance(one, dict) else {} for one in listed] if isinstance(listed, list) else []
        of_turns = [self._checks(one, (*place, "turns", i)) for i, one in enumerate(turns)]
        checks = self._checks(raw, place)
        if problem := size_problem(_all_checks([raw, *turns]), self._limits):
            self._refuse(Problem(place, problem))
        state = raw.get("state", self._state)
        for check in [*checks, *(one for own in of_turns for one in own)] if not state else ():
            if check.target.kind == "state":
                said = "the scenario has no 'state' that says where it is read"
                self._refuse(Problem((*check.place, "on"), said))
        if wrong or len(self.problems) > before:
            return self._broken(raw, place)
        self._unique_ids([*(check for own in of_turns for check in own), *checks])
        key = scenario_key(raw, set_size=set_size)
        if not checks and not any(of_turns):
            nothing = f"scenario {key!r} asserts nothing; add 'expect' or 'evaluate'"
            self._refuse(Problem(place, nothing))
        return SuiteScenario(
            id=key,
            turns=_turns(raw, of_turns, prompt),
            checks=checks,
            history=tuple(raw.get("history") or ()),
            description=raw.get("description", ""),
            run_mode=raw.get("run_mode", "DEFAULT"),
            agent=_agent_of(raw) or agent,
            state=state,
            skipped_checks=_skipped(raw),
            suite=self._suite,
            file=self.document.path,
            line=self._lines.line(place, next(iter(raw))),
            content=raw,
            criteria=tuple(self._criteria.values()),
            prompt=prompt,
        )

    def _broken(self, raw: dict[str, Any], place: JsonPath) -> SuiteScenario:
        id_ = raw.get("id")
        if (
            not isinstance(id_, str | int)
            or isinstance(id_, bool)
            or (isinstance(id_, str) and id_problem(id_))
        ):
            return SuiteScenario(id="", turns=())
        return SuiteScenario(
            id=scenario_key(raw),
            turns=(),
            suite=self._suite,
            file=self.document.path,
            line=self._lines.line(place, next(iter(raw))),
            content=raw,
        )

    def _checks(self, fields: Mapping[str, Any], place: JsonPath) -> tuple[SuiteCheck, ...]:
        """The checks of a scenario or a turn, an expected output among them; wrong ones are errors."""
        checks: list[SuiteCheck] = []
        if "expected_output" in fields and not has_hard_checks(fields):
            expected, kind = fields["expected_output"], fields.get("output_type", "string")
            if kind == "json" or isinstance(expected, str):  # else it is told as wrong
                trims = fields.get("should_trim_whitespace") is True
                check = expected_output_check(expected, kind, place, self._lines.line, trims=trims)
                checks.append(check)
        for name, mode in _MODES:
            listed = fields.get(name)
            for index, raw in enumerate(listed if isinstance(listed, list) else ()):
                here = (*place, name, index)
                read = self._check(raw, here, mode)
                if isinstance(read, SuiteCheck):
                    checks.append(read)
                    continue
                for field, said, unknown in read:
                    path = here if unknown or not field else (*here, field)
                    self._refuse(Problem(path, said, field if unknown else ""))
        return tuple(checks)

    def _check(self, raw: Any, place: JsonPath, mode: Mode) -> SuiteCheck | list[CheckProblem]:
        """The check, or what is wrong with it. What is right and written alike is read once."""
        try:
            written = mode, msgspec.json.encode(raw)
        except ValueError:  # a lone surrogate
            written = mode, b""
        alike = self._alike.get(written)
        if alike is not None:
            return replace(alike, place=place, line=self._lines.line(place, "matcher"))
        read = read_check(raw, place, mode, self._lines.line)
        if isinstance(read, SuiteCheck):
            before = len(self.problems)
            self._refuse_unknown(read)
            self._refuse_no_text(read, raw)
            if written[1] and len(self.problems) == before:
                self._alike[written] = read
        return read

    def _refuse_unknown(self, check: SuiteCheck) -> None:
        """Keep an error for a criterion that neither the file nor its project has."""
        if self._known is not None:
            known = {**self._known, **self._criteria}
            for name, step in named_criteria(check.matcher):
                if problem := unknown_criterion(name, known):
                    self._refuse(Problem((*check.place, "expected", *step), problem))

    def _refuse_no_text(self, check: SuiteCheck, raw: Mapping[str, Any]) -> None:
        """Keep an error for a number that is looked for in the text of a reply, which holds texts only."""
        of_text = check.target.kind in ("reply", "trimmed") and "path" not in raw
        if not (of_text and check.matcher.factory.name == "toContain"):
            return
        if isinstance(next(iter((*check.matcher.args, *check.matcher.kwargs.values()))), int | float):
            said = (
                'a text contains texts only, found a number or truth value: put it in quotes, such as "8"; a '
                'cell of data is text where text stands beside it, such as "{{price}} EUR"'
            )
            self._refuse(Problem((*check.place, "expected"), said))

    def _unique_ids(self, checks: Sequence[SuiteCheck]) -> None:
        first: dict[str, SuiteCheck] = {}
        for check in checks:
            if not check.id or check.place[-1] == "expected_output":
                continue
            known = first.setdefault(check.id, check)
            if known is not check:
                where = f", on line {known.line}" if self.document.path else ""
                message = f"the id {check.id!r} is used already in this scenario{where}"
                self._refuse(Problem((*check.place, "id"), message))


def duplicates(scenarios: Sequence[SuiteScenario], first: dict[str, str]) -> Iterator[tuple[int, str]]:
    """The scenarios whose id is used already, by index, and what to say of each.

    `first` has where each id stands that is used, and gets those of the scenarios.
    """
    for index, scenario in enumerate(scenarios):
        if not scenario.id:
            continue
        path = stable_path(scenario.suite, scenario=scenario.id)
        if path not in first:
            first[path] = f"{scenario.file}:{scenario.line}" if scenario.file else f"scenarios[{index}]"
        elif "id" in scenario.content:
            yield index, f"the id {scenario.id!r} is used already, at {first[path]}"
        else:
            yield index, f"the same scenario stands at {first[path]}: give both an id"


def _right(fields: Mapping[str, Any], problems: Sequence[Problem]) -> dict[str, Any]:
    """The fields of a file in which nothing is wrong."""
    wrong = {(*one.path, one.key)[0] for one in problems}
    return {name: one for name, one in fields.items() if name not in wrong}


def _agent_of(fields: Mapping[str, Any]) -> object:
    """The agent that a file or a scenario gives, None where it gives none."""
    return read_suite_agent(fields["agent"]) if "agent" in fields else None


def _turns(
    raw: Mapping[str, Any], checks: Sequence[tuple[SuiteCheck, ...]], prompt: PromptFile | None
) -> tuple[SuiteTurn, ...]:
    """The turns of a scenario: the filled prompt, those of `turns`, or one for each text of `say`."""
    if "inputs" in raw:
        return (SuiteTurn(say=prompt.fill(raw["inputs"]), model=_model(raw)),) if prompt is not None else ()
    if "turns" not in raw:
        texts = [raw["say"]] if isinstance(raw["say"], str) else raw["say"]
        tools = raw.get("tools", {})
        return tuple(
            SuiteTurn(say=text, model=None if number else _model(raw), tools=tools)
            for number, text in enumerate(texts)
        )
    return tuple(
        SuiteTurn(say=one["say"], model=_model(one), tools=one.get("tools", {}), checks=own)
        for one, own in zip(raw["turns"], checks, strict=True)
    )


def _model(fields: Mapping[str, Any]) -> tuple[Any, ...] | None:
    return tuple(map(model_reply, fields["model"])) if "model" in fields else None


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


def _all_checks(places: Sequence[Mapping[str, Any]]) -> Iterator[JsonValue]:
    """All checks of a scenario and its turns as they are written."""
    for place in places:
        for name, _ in _MODES:
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
