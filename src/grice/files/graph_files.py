"""Topic graphs in files: JSON or YAML, with topics, what tells them, and what is expected in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from os import PathLike
from typing import Any, cast

from grice.files.document import Document, FieldType, FileError, FileErrors, check_fields, load_file
from grice.files.locate import JsonPath
from grice.matching.assertions.assertion import read_fields
from grice.matching.calls.data import read_call_tool
from grice.matching.json_text import json_text
from grice.matching.matcher import ArgumentError
from grice.records import JsonValue
from grice.text import did_you_mean, value_text
from grice.topics.graph import TopicGraph, read_graph
from grice.topics.topic import Topic, TopicCheck, expectation, topic
from grice.topics.triggers import (
    TopicError,
    Trigger,
    after_turns_in,
    on_reply_match,
    on_tool_call,
    on_user_match,
)

__all__ = ["GraphErrors", "load_graph"]

VERSION = 1
_FILE: Mapping[str, FieldType] = {"$schema": str, "version": int}
_TEXTS: FieldType = (str, list)
_TOPIC: Mapping[str, FieldType] = {
    "characteristic": str,
    "intent": str,
    "next": (str, list, type(None)),
    "triggers": list,
    "expect": list,
    "evaluate": list,
    "grounding": _TEXTS,
    "forbid_claims": _TEXTS,
    "forbid_tools": _TEXTS,
    "required": bool,
    "max_turns": int,
}
_PLAIN = (
    "characteristic",
    "intent",
    "grounding",
    "forbid_claims",
    "forbid_tools",
    "required",
    "max_turns",
)
_TRIGGERS: Mapping[str, Mapping[str, FieldType]] = {
    "on_tool_call": {"with": dict},
    "on_reply": {"flags": str},
    "on_user": {"flags": str},
    "after_turns_in": {"count": int},
}
_CHECK = ("matcher", "expected", "options", "not")


class GraphErrors(FileErrors):
    """Everything wrong with a file of a topic graph, one FileError each."""

    __module__ = "grice"


def load_graph(path: str | PathLike[str], declared: Iterable[Topic] = ()) -> TopicGraph:
    """The topic graph in a file: `topics`, an object of topics by name, the initial one first.

    A topic has the arguments of `topic(...)`, and `next`, the names of those that may follow: of topics in
    the file, or `declared` ones. Raises GraphErrors with everything that is wrong, by line and column.
    """
    try:
        document = load_file(path)
    except FileError as error:
        raise GraphErrors([error]) from error
    reader = _Reader(document)
    graph = reader.graph(list(declared))
    if reader.errors or graph is None:
        found = {(error.line, error.column, error.message): error for error in reader.errors}
        raise GraphErrors([found[place] for place in sorted(found)])
    return graph


class _Reader:
    def __init__(self, document: Document) -> None:
        self._document = document
        self.errors: list[FileError] = []

    def graph(self, declared: list[Topic]) -> TopicGraph | None:
        value: Any = self._document.value
        self.errors += check_fields(self._document, (), value, required={"topics": dict}, optional=_FILE)
        if not isinstance(value, dict) or not isinstance(value.get("topics"), dict):
            return None
        self._check_version(value.get("version", VERSION))
        raw = cast("dict[str, JsonValue]", value["topics"])
        topics = {name: self._topic(name, fields) for name, fields in raw.items()}
        following = {topics[name]: self._following(name, fields) for name, fields in raw.items()}
        graph, problems = read_graph(following, declared)
        for problem in problems:
            place: JsonPath = ("topics", problem.topic) if problem.topic else ("topics",)
            if problem.successor:
                place = self._place_of_successor(problem.topic, problem.successor)
                self._add(place, problem.text)
            else:
                self._add(place, problem.text, key=bool(problem.topic))
        return graph

    def _add(self, place: JsonPath, message: str, *, key: bool = False) -> None:
        position = self._document.position(place, key=key)
        self.errors.append(FileError(self._document.path, *position, message))

    def _check_version(self, version: object) -> None:
        if isinstance(version, int) and version != VERSION:
            self._add(("version",), f"version: this Grice reads version {VERSION}, found {version}")

    def _place_of_successor(self, name: str, successor: str) -> JsonPath:
        fields: Any = self._document.value
        listed = fields["topics"][name].get("next")
        if isinstance(listed, list):
            places = [index for index, one in enumerate(listed) if one == successor]
            return ("topics", name, "next", places[-1] if places else 0)
        return ("topics", name, "next")

    def _following(self, name: str, fields: JsonValue) -> list[str]:
        listed = fields.get("next") if isinstance(fields, dict) else None
        if isinstance(listed, str):
            return [listed]
        names: list[str] = []
        for index, one in enumerate(listed if isinstance(listed, list) else ()):
            if isinstance(one, str) and one.strip():
                names.append(one)
            else:
                place = ("topics", name, "next", index)
                self._add(
                    place,
                    f"topics.{name}.next[{index}]: expected the name of a topic, found {json_text(one)}",
                )
        return names

    def _topic(self, name: str, fields: JsonValue) -> Topic:
        """The topic, without what is wrong with it; a stand-in where its very name is."""
        place: JsonPath = ("topics", name)
        if fields is None:
            fields = {}
        self.errors += check_fields(self._document, place, fields, required={}, optional=_TOPIC)
        options: dict[str, Any] = {}
        if isinstance(fields, dict):
            known = cast("dict[str, Any]", fields)
            options = {one: known[one] for one in _PLAIN if one in known}
            options["triggers"] = self._each(place, known, "triggers", self._trigger)
            for mode in ("expect", "evaluate"):
                options[mode] = self._each(place, known, mode, self._check)
        return self._made(name, place, options)

    def _made(self, name: str, place: JsonPath, options: dict[str, Any]) -> Topic:
        """The topic with these options; those that are wrong are left out, and reported unless they are."""
        kept: dict[str, Any] = {}
        for option, value in options.items():
            try:
                topic("x", **{option: value})
            except TopicError as error:
                typed = {option: value} if option in _PLAIN else {}
                if not check_fields(self._document, place, typed, required={}, optional=_TOPIC):
                    said = str(error).removeprefix("topic 'x': ")
                    self._add((*place, option), f"topics.{name}: {said}")
            else:
                kept[option] = value
        try:
            return topic(name, **kept)
        except TopicError as error:
            self._add(place, str(error), key=True)
            return Topic(name)

    def _each(
        self,
        place: JsonPath,
        fields: Mapping[str, Any],
        name: str,
        read: Callable[[JsonValue, JsonPath], Any],
    ) -> list[Any]:
        listed = fields.get(name)
        if not isinstance(listed, list):
            return []
        made = [read(one, (*place, name, index)) for index, one in enumerate(listed)]
        return [one for one in made if one is not None]

    def _trigger(self, raw: JsonValue, place: JsonPath) -> Trigger | None:
        where = _written(place)
        names = [name for name in _TRIGGERS if isinstance(raw, dict) and name in raw]
        if len(names) != 1:
            keys = list(raw) if isinstance(raw, dict) and not names else []
            hint = next(filter(None, (did_you_mean(str(one), _TRIGGERS) for one in keys)), "")
            said = f"expected a trigger, an object with one of {', '.join(_TRIGGERS)}"
            self._add(place, f"{where}: {said}; found {json_text(raw)}{hint}")
            return None
        kind = names[0]
        fields = cast("dict[str, Any]", raw)
        required: dict[str, FieldType] = {kind: str}
        optional = dict(_TRIGGERS[kind])
        if kind == "after_turns_in":
            required, optional = {**required, **optional}, {}
        wrong = check_fields(self._document, place, fields, required=required, optional=optional)
        self.errors += wrong
        if wrong:
            return None
        try:
            return _trigger(kind, fields)
        except TopicError as error:
            self._add((*place, kind), f"{where}: {str(error).partition(': ')[2]}")
        return None

    def _check(self, raw: JsonValue, place: JsonPath) -> TopicCheck | None:
        where = _written(place)
        made: Any = raw
        if isinstance(raw, dict):
            matcher, problems = read_fields(cast("dict[str, Any]", raw), _CHECK)
            for name, said in problems:
                unknown = said.startswith("unknown field")
                said = said.replace("unknown field", f"unknown field {value_text(name)}", 1)
                self._add((*place, name), f"{where}: {said}", key=unknown)
            if problems or matcher is None:
                return None
            made = matcher
        elif not isinstance(raw, str):
            said = "expected the name of a criterion, a text, or an object with a matcher"
            self._add(place, f"{where}: {said}, found {json_text(raw)}")
            return None
        try:
            return expectation(where, made)
        except TopicError as error:
            self._add(place, str(error))
        return None


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


def _written(place: JsonPath) -> str:
    parts = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in place)
    return "".join(parts).removeprefix(".")
