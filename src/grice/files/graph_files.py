"""Topic graphs in files: JSON or YAML, with topics, what tells them, and what is expected in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from os import PathLike
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, UnsetType

from grice.files.document import Document, FileError, FileErrors, load_file
from grice.files.locate import JsonPath
from grice.files.typed import errors_in, named
from grice.matching.assertions.assertion import read_fields
from grice.matching.calls.data import read_call_tool
from grice.matching.json_text import json_text
from grice.matching.matcher import ArgumentError
from grice.records import JsonValue
from grice.text import did_you_mean, value_text
from grice.topics.graph import TopicGraph, read_graph
from grice.topics.topic import Topic, expectation, topic
from grice.topics.triggers import (
    TopicError,
    Trigger,
    after_turns_in,
    on_reply_match,
    on_tool_call,
    on_user_match,
)
from grice.typed import Closed, Problem, problems_in, right_part, says, within

VERSION = 1
Texts = str | list[Any]


class _OnToolCall(Closed, frozen=True):
    on_tool_call: str
    arguments: dict[str, Any] = msgspec.field(default_factory=dict, name="with")


class _OnReply(Closed, frozen=True):
    on_reply: str
    flags: str = ""


class _OnUser(Closed, frozen=True):
    on_user: str
    flags: str = ""


class _AfterTurns(Closed, frozen=True):
    after_turns_in: str
    count: int


_TRIGGERS: dict[str, type[Closed]] = {
    "on_tool_call": _OnToolCall,
    "on_reply": _OnReply,
    "on_user": _OnUser,
    "after_turns_in": _AfterTurns,
}


def _wrong_triggers(listed: list[Any]) -> Iterator[Problem]:
    for index, raw in enumerate(listed):
        yield from within((index,), _wrong_trigger(raw))


def _wrong_trigger(raw: Any) -> Iterator[Problem]:
    kinds = [name for name in _TRIGGERS if isinstance(raw, dict) and name in raw]
    if len(kinds) != 1:
        keys = list(raw) if isinstance(raw, dict) and not kinds else []
        hint = next(filter(None, (did_you_mean(str(one), _TRIGGERS) for one in keys)), "")
        said = f"expected a trigger, an object with one of {', '.join(_TRIGGERS)}"
        yield Problem((), f"{said}; found {json_text(raw)}{hint}")
        return
    problems = problems_in(raw, _TRIGGERS[kinds[0]])
    yield from problems
    if not problems:
        try:
            _trigger(kinds[0], raw)
        except TopicError as error:
            yield Problem((kinds[0],), str(error).partition(": ")[2])


def _wrong_checks(listed: list[Any]) -> Iterator[Problem]:
    for index, raw in enumerate(listed):
        yield from within((index,), _wrong_check(raw))


def _wrong_check(raw: Any) -> Iterator[Problem]:
    """What is wrong with the name of a criterion, a text, or an object with a matcher."""
    if isinstance(raw, dict):
        matcher, problems = read_fields(raw, _CHECK)
        for name, said, _ in problems:
            if said.startswith("unknown field"):
                yield Problem((), said.replace("unknown field", f"unknown field {value_text(name)}", 1), name)
            else:
                yield Problem((name,), said)
        raw = matcher
    elif not isinstance(raw, str):
        said = "expected the name of a criterion, a text, or an object with a matcher"
        yield Problem((), f"{said}, found {json_text(raw)}")
        return
    if raw is not None:
        try:
            expectation("it", raw)
        except TopicError as error:
            yield Problem((), str(error).removeprefix("it: "))


_CHECK = ("matcher", "expected", "options", "not")


def _check(raw: Any) -> Any:
    """What `topic(expect=...)` takes of a check of a file that is right."""
    return read_fields(raw, _CHECK)[0] if isinstance(raw, dict) else raw


def _wrong_next(given: Any) -> Iterator[Problem]:
    for index, one in enumerate(given if isinstance(given, list) else ()):
        if not isinstance(one, str) or not one.strip():
            yield Problem((index,), f"expected the name of a topic, found {json_text(one)}")


Checks = Annotated[list[Any], says(check=_wrong_checks)]


def _as_option(name: str) -> msgspec.Meta:
    """That `topic(...)` takes the value as this option."""

    def check(value: Any) -> str:
        try:
            topic("x", **{name: value})
        except TopicError as error:
            said = str(error).removeprefix(f"topic 'x': {name} is ")
            return f"expected {said}"
        return ""

    return says(check=check)


class _Topic(Closed, frozen=True):
    characteristic: Annotated[str, _as_option("characteristic")] | UnsetType = UNSET
    intent: Annotated[str, _as_option("intent")] | UnsetType = UNSET
    next: Annotated[str | list[Any] | None, says(check=_wrong_next)] = None
    triggers: Annotated[list[Any], says(check=_wrong_triggers)] = msgspec.field(default_factory=list)
    expect: Checks = msgspec.field(default_factory=list)
    evaluate: Checks = msgspec.field(default_factory=list)
    grounding: Annotated[Texts, _as_option("grounding")] | UnsetType = UNSET
    forbid_claims: Annotated[Texts, _as_option("forbid_claims")] | UnsetType = UNSET
    forbid_tools: Annotated[Texts, _as_option("forbid_tools")] | UnsetType = UNSET
    required: bool | UnsetType = UNSET
    max_turns: Annotated[int, _as_option("max_turns")] | UnsetType = UNSET

    @property
    def options(self) -> dict[str, Any]:
        """The arguments of `topic(...)`."""
        given = {name: getattr(self, name) for name in _PLAIN}
        plain = {name: one for name, one in given.items() if one is not UNSET}
        triggers = [_trigger(next(kind for kind in _TRIGGERS if kind in raw), raw) for raw in self.triggers]
        checks = {mode: [_check(raw) for raw in getattr(self, mode)] for mode in ("expect", "evaluate")}
        return {**plain, **checks, "triggers": triggers}


_PLAIN = ("characteristic", "intent", "grounding", "forbid_claims", "forbid_tools", "required", "max_turns")


def _wrong_version(version: int) -> str:
    return "" if version == VERSION else f"this Grice reads version {VERSION}, found {version}"


class GraphFile(Closed, frozen=True):
    """What a file of a topic graph may say."""

    topics: dict[str, _Topic | None]
    version: Annotated[int, says(check=_wrong_version)] = VERSION
    schema: str = msgspec.field(default="", name="$schema")


class GraphErrors(FileErrors):
    """Everything wrong with a file of a topic graph, one FileError each."""

    __module__ = "grice"


def load_graph(path: str | PathLike[str], declared: Iterable[Topic] = ()) -> TopicGraph:
    """The topic graph in a file: `topics`, an object of topics by name, the initial one first.

    A topic has the arguments of `topic(...)`, and `next`, the names of those that may follow: of topics in
    the file, or `declared` ones. Raises GraphErrors with everything that is wrong, by line and column.
    """
    document = load_file(path, errors=GraphErrors)
    errors = errors_in(document, document.value, GraphFile)
    graph = _graph(document, list(declared), errors)
    if errors or graph is None:
        found = {(error.line, error.column, error.message): error for error in errors}
        raise GraphErrors([found[place] for place in sorted(found)])
    return graph


def _graph(document: Document, declared: list[Topic], errors: list[FileError]) -> TopicGraph | None:
    """The graph, and what is wrong with it as a whole; a wrong topic stands there by its name alone."""
    raw: Any = document.value.get("topics") if isinstance(document.value, dict) else None
    if not isinstance(raw, dict):
        return None
    made: dict[str, Topic] = {}
    for name, fields in raw.items():
        made[name] = _made(name, fields)
        try:
            topic(name)
        except TopicError as error:
            errors.append(named(document, (), Problem(("topics",), str(error), name)))
    following = {made[name]: _following(fields) for name, fields in raw.items()}
    graph, problems = read_graph(following, declared)
    for one in problems:
        place = ("topics", one.topic) if one.topic else ("topics",)
        if one.successor:
            place = (*place, "next", *_index_of(raw[one.topic]["next"], one.successor))
        key = bool(one.topic) and not one.successor
        errors.append(FileError(document.path, *document.position(place, key=key), one.text))
    return graph


def _made(name: str, fields: JsonValue) -> Topic:
    """The topic, without what is wrong with it; by its name alone where that is wrong."""
    given = fields if isinstance(fields, dict) else {}
    right = right_part(given, _Topic) or {}
    try:
        return topic(name, **msgspec.convert(right, _Topic).options)
    except TopicError:
        return Topic(name)


def _following(fields: JsonValue) -> list[str]:
    """The names of the topics that may follow, without what is none."""
    listed = fields.get("next") if isinstance(fields, dict) else None
    names = [listed] if isinstance(listed, str) else listed if isinstance(listed, list) else []
    return [one for one in names if isinstance(one, str) and one.strip()]


def _index_of(listed: JsonValue, name: str) -> JsonPath:
    """Where the name stands in `next`, the last time."""
    if not isinstance(listed, list):
        return ()
    return (max(index for index, one in enumerate(listed) if one == name),)


def _trigger(kind: str, fields: Mapping[str, Any]) -> Trigger:
    if kind == "on_tool_call":
        return _on_tool_call(fields[kind], fields.get("with", {}))
    if kind == "after_turns_in":
        return after_turns_in(fields[kind], count=fields["count"])
    make = on_reply_match if kind == "on_reply" else on_user_match
    return make(fields[kind], fields.get("flags", ""))


def _on_tool_call(name: str, arguments: Mapping[str, Any]) -> Trigger:
    try:
        (expected,), _ = read_call_tool({"name": name, "arguments": dict(arguments)})
    except ArgumentError as error:
        raise TopicError(f"on_tool_call: {error}") from None
    return on_tool_call(expected)
