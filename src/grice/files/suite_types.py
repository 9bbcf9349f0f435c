"""What a suite file may say, as types: files are read as these, and the JSON Schema is made from them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, UnsetType

from grice.files.golden_records import History
from grice.files.locate import JsonPath
from grice.files.stub_scripts import wrong_replies
from grice.files.suite_criteria import Criteria
from grice.files.suite_records import id_problem
from grice.matching.assertions.evaluation import OutputType, RunMode
from grice.matching.json_parsing import NotJson, parse_json
from grice.matching.json_text import json_text
from grice.records import JsonValue
from grice.typed import NotBlank, Problem, says, within
from grice.wire.addresses import meant_as_address
from grice.wire.environment import PREFIX
from grice.wire.placeholders import placeholders

TYPES = ("http", "openai")

_SETTINGS = "in the settings, where it is yours"


def read_suite_agent(said: str | dict[str, JsonValue]) -> object | list[Problem]:
    """The agent of a table or an address, or everything that is wrong with it; a name stays one.

    A suite may come from somebody else: it starts no program, and sends no variable of the environment.
    """
    if isinstance(said, str) and not meant_as_address(said):
        return said
    if isinstance(said, dict) and isinstance(kind := said.get("type"), str) and kind not in TYPES:
        from grice.text import did_you_mean, value_text

        expected = " or ".join(map(repr, TYPES))
        more = f"; a program is described {_SETTINGS}" if kind == "subprocess" else did_you_mean(kind, TYPES)
        return [Problem(("type",), f"expected {expected} in a suite, found {value_text(kind)}{more}")]
    sent, made = [*_from_environment(said, ())], _made(said)
    return [*sent, *(made if isinstance(made, list) else [])] if sent else made


def _from_environment(value: JsonValue, place: JsonPath) -> Iterator[Problem]:
    """The variables of the environment that a table or address would send."""
    if isinstance(value, str):
        try:
            named = [name for name in placeholders(value, "") if name.startswith(PREFIX)]
        except ValueError:
            return  # told by the agent
        key = place[-1] if place and isinstance(place[-1], str) else ""
        for name in named:  # the key is said behind the place: `Authorization: word` is redacted as a secret
            message = (
                f"{f'{key!r} holds' if key else 'found'} ${{{name}}}, and a suite sends no variable of the "
                f"environment: describe this agent {_SETTINGS}"
            )
            yield Problem(place[:-1] if key else place, message, key)
    elif isinstance(value, dict | list):
        for step, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _from_environment(one, (*place, step))


def _made(said: str | dict[str, JsonValue]) -> object | list[Problem]:
    from grice.agents.configured import AgentTableError, agent_at, agent_from_table

    try:
        if isinstance(said, str):
            return agent_at(said)
        key = {"api_key": ""} if said.get("type") == "openai" else {}
        return agent_from_table({**key, **said}, Path(), TYPES)
    except AgentTableError as error:
        return [Problem(*fault) for fault in error.faults]
    except ValueError as error:
        return [Problem((), str(error).removeprefix("agent: "))]


VERSION = 1


def has_hard_checks(fields: Mapping[str, Any]) -> bool:
    """Whether the scenario or turn has checks that count, so that its expected output is not looked at."""
    return bool(fields.get("expect"))


def is_empty_output(fields: Mapping[str, Any]) -> bool:
    """Whether there is no expected output, or one that says nothing beside checks."""
    return fields.get("expected_output") in (None, "")


def _items(name: str) -> dict[str, Any]:
    return {"items": {"$ref": f"#/$defs/{name}"}}


def _filled(listed: list[Any], problem: str) -> str:
    return "" if listed else problem


# -- what is checked, and what the model and the tools answer
Model = Annotated[
    list[Any],
    says(
        check=wrong_replies,
        description="What the agent's model answers, one entry for each request.",
        extra_json_schema=_items("modelReply"),
    ),
]

Tools = Annotated[dict[str, Any], says(description="The answers of tools that the client runs, by name.")]

Hard = Annotated[
    list[Any],
    says(
        description="Hard checks: one that does not pass fails the scenario.",
        extra_json_schema=_items("check"),
    ),
]

Soft = Annotated[
    list[Any],
    says(description="Soft checks: recorded and shown, never a failure.", extra_json_schema=_items("check")),
]

Output = Annotated[
    Any, says(description="What the reply has to be, word for word. Not looked at beside expect.")
]

HowCompared = Annotated[
    OutputType, says(description="How expected_output compares: as a text, or as a JSON value.")
]


Trims = Annotated[
    bool, says(description="Leave white space around the reply and around expected_output, a text, out.")
]


def _wrong_state(said: str | dict[str, str]) -> Iterator[Problem]:
    """A place that neither is an address nor names a function."""
    named = {"": said} if isinstance(said, str) else said
    for name, one in named.items():
        if not one.lower().startswith(("http://", "https://")) and not _FUNCTION.fullmatch(one):
            message = f"expected an address, or a function as 'module:name', found {json_text(one)}"
            yield Problem((name,) if name else (), message)


_FUNCTION = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.[^\W\d]\w*)*")

StateSource = Annotated[
    NotBlank | dict[str, NotBlank],
    says(
        check=_wrong_state,
        description="What checks on state read before and after: an address that answers JSON, a function "
        "as module:name, or several by name.",
    ),
]


class _Checked(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a scenario and a turn have in common."""

    model: Model | UnsetType = UNSET
    tools: Tools = {}
    expect: Hard = []
    evaluate: Soft = []
    expected_output: Output = UNSET
    output_type: HowCompared | UnsetType = UNSET
    should_trim_whitespace: Trims | UnsetType = UNSET

    @classmethod
    def wrong(cls, fields: Mapping[str, Any]) -> Iterator[Problem]:
        """An expected output that its type does not allow."""
        if "expected_output" not in fields:
            if "output_type" in fields:
                yield Problem(("output_type",), "there is no 'expected_output' whose type it says")
            if "should_trim_whitespace" in fields:
                yield Problem(("should_trim_whitespace",), "there is no 'expected_output' that it goes with")
            return
        if fields.get("should_trim_whitespace") is True and fields.get("output_type") == "json":
            yield Problem(
                ("should_trim_whitespace",), "white space around JSON never counts: it goes with a text"
            )
        if not has_hard_checks(fields):
            expected, place = fields["expected_output"], ("expected_output",)
            if fields.get("output_type", "string") == "json":
                if isinstance(expected, str) and (problem := _no_json(expected)):
                    yield Problem(place, problem)
            elif not isinstance(expected, str):
                found = json_text(expected)
                yield Problem(
                    place, f"expected a text, found {found}; 'output_type: json' compares JSON values"
                )


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


# -- turns and scenarios
class Turn(_Checked, frozen=True, kw_only=True):
    """One turn, with its own script and checks."""

    say: Annotated[NotBlank, says(description="What the user says.")]


def _wrong_agent(said: Any) -> Iterator[Problem] | list[Problem]:
    read = read_suite_agent(said)
    return read if isinstance(read, list) else []


def _wrong_texts(texts: list[Any]) -> str:
    return _filled(texts, "the list of texts is empty")


def _wrong_turns(turns: list[Any]) -> str:
    return _filled(turns, "a scenario needs at least one turn")


def _wrong_scenarios(scenarios: list[Any]) -> str:
    return _filled(scenarios, "the file holds no scenario: it is an empty list")


def _agent(whose: str) -> msgspec.Meta:
    told = f"The agent under test, module:name, an address, or what describes it, {whose}."
    return says(check=_wrong_agent, description=told)


_ID = r"^(?![\s\S]*(::|[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f]))\S(.*\S)?$"

Id = Annotated[
    Annotated[str, says(check=id_problem, extra_json_schema={"pattern": _ID})] | int,
    says(description="Its name, unique in the suite; without, one is derived from its content."),
]

Texts = Annotated[list[NotBlank], says(check=_wrong_texts, extra_json_schema={"minItems": 1})]

_ALONE = ("say", "model", "tools")

_NOT_OF_PROMPTS = {
    "say": "the filled prompt is what the user says",
    "turns": "the filled prompt is the only turn",
    "tools": "a prompt is sent without tools",
    "agent": "an LLM answers the prompt",
}


class Scenario(_Checked, frozen=True, kw_only=True):
    """One conversation with its checks."""

    id: Id | UnsetType = UNSET
    description: str = ""
    each: (
        Annotated[
            NotBlank,
            says(
                description="A file of data, .csv or .jsonl, from this one: the scenario is held for each of "
                "its rows, whose values stand for {{name}} in its texts and expected values."
            ),
        ]
        | UnsetType
    ) = UNSET
    run_mode: Annotated[
        RunMode, says(description="SKIP leaves it out; where any scenario has ONLY, the others are left out.")
    ] = "DEFAULT"
    agent: Annotated[NotBlank | dict[str, Any], _agent("of this scenario")] | UnsetType = UNSET
    state: StateSource | UnsetType = UNSET
    history: Annotated[
        History,
        says(
            description="Messages from before the first turn.",
            extra_json_schema={"items": {"type": "object"}},
        ),
    ] = None
    say: (
        Annotated[NotBlank | Texts, says(description="What the user says: a text, or several, one a turn.")]
        | UnsetType
    ) = UNSET
    turns: (
        Annotated[
            list[Turn],
            says(
                check=_wrong_turns,
                description="The turns, where they have checks of their own.",
                extra_json_schema={"minItems": 1},
            ),
        ]
        | UnsetType
    ) = UNSET

    inputs: (
        Annotated[
            dict[str, Any],
            says(description="The values of the suite's prompt by name; {} where it has no placeholder."),
        ]
        | UnsetType
    ) = UNSET

    @classmethod
    def wrong(cls, fields: Mapping[str, Any]) -> Iterator[Problem]:
        """A scenario says something, in one way."""
        if "inputs" in fields:
            for name, why in _NOT_OF_PROMPTS.items():
                if name in fields:
                    yield Problem((), f"'{name}' does not go beside 'inputs': {why}", name)
        elif "turns" in fields:
            for name in _ALONE:
                if name in fields:
                    yield Problem((), f"'{name}' does not go beside 'turns': write it in them", name)
        elif "say" not in fields:
            yield Problem(
                (), "missing field 'say', a text or a list of texts; or 'turns'; or 'inputs' of a prompt"
            )
        yield from super().wrong(fields)


Scenarios = Annotated[list[Scenario], says(check=_wrong_scenarios, extra_json_schema={"minItems": 1})]


# -- the file
def _wrong_version(version: int) -> str:
    return "" if version == VERSION else f"expected {VERSION}, found {version}"


Module = Annotated[
    str, says("the name of a module", extra_json_schema={"pattern": r"^[^\W\d]\w*(\.[^\W\d]\w*)*$"})
]


class SuiteHead(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a suite says beside its scenarios."""

    schema: str = msgspec.field(default="", name="$schema")
    agent: Annotated[NotBlank | dict[str, Any], _agent("of all scenarios that name none")] | UnsetType = UNSET
    state: StateSource | UnsetType = UNSET
    prompt: (
        Annotated[
            NotBlank,
            says(
                description="The file of a prompt, from this one: instead of an agent an LLM answers it, "
                "filled with the inputs of each scenario."
            ),
        ]
        | UnsetType
    ) = UNSET
    name: (
        Annotated[NotBlank, says(description="The name of the suite; without, that of the file.")] | UnsetType
    ) = UNSET
    version: Annotated[
        int,
        says(
            check=_wrong_version,
            description="The version of this format.",
            extra_json_schema={"minimum": 1, "maximum": VERSION},
        ),
    ] = VERSION
    criteria: Annotated[
        Criteria, says(description="Quality rules that checks may name: toSatisfy with the name as expected.")
    ] = {}
    matchers: Annotated[
        list[Module], says(description="Modules of your own in which matchers are: my_project.matchers.")
    ] = []


class SuiteFile(SuiteHead, frozen=True, kw_only=True):
    """A file of scenarios."""

    scenarios: Scenarios

    @classmethod
    def wrong(cls, fields: Mapping[str, Any]) -> Iterator[Problem]:
        """A prompt stands in place of an agent, and its scenarios say nothing but inputs."""
        if "prompt" not in fields:
            yield from within(("scenarios",), inputs_without_prompt(fields["scenarios"]))
            return
        if "agent" in fields:
            yield Problem((), f"'agent' does not go beside 'prompt': {_NOT_OF_PROMPTS['agent']}", "agent")
        for index, one in enumerate(fields["scenarios"]):
            for name in ("say", "turns"):
                if name in one:
                    said = f"'{name}' does not go with the suite's prompt: {_NOT_OF_PROMPTS[name]}"
                    yield Problem(("scenarios", index), f"{said}; write 'inputs'", name)


def inputs_without_prompt(scenarios: Sequence[Mapping[str, Any]]) -> Iterator[Problem]:
    """Inputs of scenarios for which there is no prompt."""
    for index, one in enumerate(scenarios):
        if "inputs" in one:
            yield Problem(
                (index,), "'inputs' fill a prompt, and the suite names none: 'prompt: FILE'", "inputs"
            )
