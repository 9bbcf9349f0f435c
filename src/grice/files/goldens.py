"""Reading golden files: the seed's fixture schema, in JSON and YAML.

Source: seed 000, layer 4. Beyond it a file may hold a list of goldens, and a golden several `turns`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Literal, cast

from grice.files.document import Document, FieldType, FileError, FileErrors, check_fields, load_file
from grice.files.folders import files_named
from grice.files.golden_records import (
    Assertions,
    FinalText,
    Golden,
    GoldenTurn,
    ScriptedReply,
    ToolResultStep,
    Validator,
)
from grice.files.ids import id_problem
from grice.files.locate import JsonPath
from grice.formats import FormatError, read_message
from grice.identity import stable_path
from grice.records import JsonValue
from grice.text import did_you_mean, value_text

__all__ = ["GoldenErrors", "find_goldens", "is_golden_file", "load_all", "load_goldens"]

STEPS = ("chat", "tool-result")
STATUSES = ("success", "pending", "error", "none")
PROFILES = ("seed", "robust")
SUFFIXES = (".golden.json", ".golden.yaml", ".golden.yml")

_TURN_REQUIRED: dict[str, FieldType] = {"userMessage": str, "mockLlmResponses": list}
_TURN_OPTIONAL: dict[str, FieldType] = {"toolExecResult": (dict, list, type(None)), "assertions": dict}
_GOLDEN_OPTIONAL: dict[str, FieldType] = {
    "description": str,
    "conversationHistory": (list, type(None)),
    "agent": str,
    "$schema": str,
}
_RESULT_OPTIONAL: dict[str, FieldType] = {"result": object, "error": object}
_RESULT_FIELDS = {"success", "result", "error"}


class GoldenErrors(FileErrors):
    """Everything wrong with the golden files that were read, one FileError each."""

    __module__ = "grice"


def is_golden_file(name: str) -> bool:
    """Whether a file of that name is a golden file: `*.golden.json`, `*.golden.yaml` or `*.golden.yml`."""
    return name.endswith(SUFFIXES)


def find_goldens(paths: Iterable[str | PathLike[str]]) -> list[Path]:
    """The golden files that the paths name: a file as it is, of a folder all golden files in it, sorted.

    Hidden folders, environments and builds in a folder are left out. Raises GoldenErrors for a path that is
    not there and a folder without golden files, with whatever is wrong in the files that are.
    """
    found, errors = files_named(
        paths,
        is_golden_file,
        "no golden files in this folder; they are named *.golden.json or *.golden.yaml",
    )
    if errors:
        try:
            load_all(found)
        except GoldenErrors as others:
            errors += others.errors
        raise GoldenErrors(errors)
    return found


def load_all(files: Iterable[Path]) -> list[Golden]:
    """The goldens of all files. Raises GoldenErrors with every error, an id used in two files included."""
    goldens: list[Golden] = []
    errors: list[FileError] = []
    for file in files:
        try:
            goldens += load_goldens(file)
        except GoldenErrors as error:
            errors += error.errors
    errors += _duplicates(goldens)
    if errors:
        raise GoldenErrors(errors)
    return goldens


def load_goldens(path: str | PathLike[str]) -> list[Golden]:
    """The goldens of one file, in order. Raises GoldenErrors with everything wrong in it."""
    try:
        document = load_file(path)
    except FileError as error:
        raise GoldenErrors([error]) from error
    reader = _Reader(document)
    if isinstance(document.value, list):
        goldens = [reader.golden(value, (index,)) for index, value in enumerate(document.value)]
        if not goldens:
            reader.refuse((), "the file holds no golden: it is an empty list")
    else:
        goldens = [reader.golden(document.value, ())]
    errors = reader.errors + _duplicates([golden for golden in goldens if golden.id])
    if errors:
        raise GoldenErrors(sorted(errors, key=lambda error: (error.line, error.column)))
    return goldens


def _duplicates(goldens: Sequence[Golden]) -> list[FileError]:
    first: dict[str, Golden] = {}
    errors = []
    for golden in goldens:
        known = first.setdefault(stable_path("golden", golden.id), golden)
        if known is not golden:
            message = f"the id {golden.id!r} is used already, at {known.file}:{known.line}"
            errors.append(FileError(golden.file, golden.line, 1, message))
    return errors


class _Reader:
    """Reads the goldens of one document and collects what is wrong with them.

    After an error it reads on with what is there, so that every error is found; such records are thrown away.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self.errors: list[FileError] = []
        self._seen = 0  # the text up to here has been read by line_of, and this line reached
        self._line = 1

    def line_of(self, id_: str) -> int:
        """The line on which an id is written; ids are asked for in the order of the file.

        Looking for the text is much cheaper than `position`, and all that a wrong hit costs is a wrong line.
        """
        text = self.document.text
        found = text.find(id_, self._seen)
        if found >= 0:
            self._line += text.count("\n", self._seen, found)
            self._seen = found
        return self._line

    def refuse(self, place: JsonPath, message: str) -> None:
        steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in place)
        where = "".join(steps).removeprefix(".")
        text = f"{where}: {message}" if where else message
        self.errors.append(FileError(self.document.path, *self.document.position(place), text))

    def fields(
        self,
        place: JsonPath,
        value: JsonValue,
        required: Mapping[str, FieldType],
        optional: Mapping[str, FieldType] | None = None,
    ) -> dict[str, Any]:
        """Those fields of the object that are right; errors are kept for the others."""
        known = {**required, **(optional or {})}
        found = check_fields(self.document, place, value, required=required, optional=optional)
        if not found:
            return cast("dict[str, Any]", value)
        self.errors += found
        given = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
        return {
            name: item
            for name, item in given.items()
            if name in known
            and not check_fields(self.document, place, {name: item}, required={}, optional=known)
        }

    def golden(self, value: JsonValue, place: JsonPath) -> Golden:
        several = isinstance(value, dict) and "turns" in value
        required: dict[str, FieldType] = {"id": str, **({"turns": list} if several else _TURN_REQUIRED)}
        optional = _GOLDEN_OPTIONAL if several else {**_GOLDEN_OPTIONAL, **_TURN_OPTIONAL}
        before = len(self.errors)
        fields = self.fields(place, value, required, optional)
        if problem := id_problem(fields.get("id", "id")):
            self.refuse((*place, "id"), problem if fields["id"].strip() else "the id is empty")
        if not several:
            turns = [self.turn(fields, place)]
        else:
            listed = fields.get("turns", [])
            if "turns" in fields and not listed:
                self.refuse((*place, "turns"), "a golden needs at least one turn")
            turns = [self.own_turn(turn, (*place, "turns", index)) for index, turn in enumerate(listed)]
        history = fields.get("conversationHistory") or []
        self.history(history, (*place, "conversationHistory"))
        if len(self.errors) == before and all(turn.assertions.empty for turn in turns):
            self.refuse(place, f"golden {fields['id']!r} asserts nothing; add 'assertions'")
        return Golden(
            id=fields.get("id", ""),
            turns=tuple(turns),
            description=fields.get("description", ""),
            history=tuple(history),
            agent=fields.get("agent"),
            file=self.document.path,
            line=self.line_of(fields["id"]) if place and "id" in fields else 1,
            content=fields,
        )

    def history(self, messages: list[JsonValue], place: JsonPath) -> None:
        for index, message in enumerate(messages):
            try:
                read_message(message)
            except FormatError as error:
                self.refuse((*place, index), str(error))

    def own_turn(self, value: JsonValue, place: JsonPath) -> GoldenTurn:
        return self.turn(self.fields(place, value, _TURN_REQUIRED, _TURN_OPTIONAL), place)

    def turn(self, fields: Mapping[str, Any], place: JsonPath) -> GoldenTurn:
        if not fields.get("userMessage", "text").strip():
            self.refuse((*place, "userMessage"), "the user's message is empty")
        replies = self.replies(fields.get("mockLlmResponses"), (*place, "mockLlmResponses"))
        steps = sum(reply.step == "tool-result" for reply in replies)
        return GoldenTurn(
            user=fields.get("userMessage", ""),
            replies=replies,
            tool_results=self.results(fields.get("toolExecResult"), (*place, "toolExecResult")),
            assertions=self.assertions(fields.get("assertions", {}), (*place, "assertions"), steps),
            path=place,
        )

    def results(self, value: JsonValue, place: JsonPath) -> tuple[JsonValue, ...]:
        """One entry for each round: a result with `success`, or results by tool call id."""
        if value is None:
            return ()
        if not isinstance(value, list):
            self.result(value, place)
            return (value,)
        for index, one in enumerate(value):
            self.result(one, (*place, index))
        return tuple(value)

    def result(self, value: JsonValue, place: JsonPath) -> None:
        by_id = isinstance(value, dict) and value and not value.keys() & _RESULT_FIELDS
        if by_id and all(isinstance(one, dict) for one in value.values()):
            for id_, one in value.items():
                self.one_result(one, (*place, id_))
        else:
            self.one_result(value, place)

    def one_result(self, value: JsonValue, place: JsonPath) -> None:
        fields = self.fields(place, value, {"success": bool}, _RESULT_OPTIONAL)
        if fields.get("success") and fields.get("error") is not None:
            self.refuse((*place, "error"), "a result that succeeded has no error; is success false?")

    def replies(self, values: list[JsonValue] | None, place: JsonPath) -> tuple[ScriptedReply, ...]:
        if values is not None and not values:
            self.refuse(place, "a turn needs at least one scripted reply of the model")
        return tuple(self.reply(value, (*place, index)) for index, value in enumerate(values or []))

    def reply(self, value: JsonValue, place: JsonPath) -> ScriptedReply:
        fields = self.fields(
            place, value, {"step": str, "content": (list, str)}, {"stop_reason": (str, type(None))}
        )
        step = fields.get("step", "chat")
        self.one_of(step, STEPS, (*place, "step"))
        if place[-1] == 0 and step == "tool-result":
            self.refuse((*place, "step"), "the first reply of a turn is for step 'chat'")
        content = fields.get("content", "")
        self.blocks(content, (*place, "content"))
        return ScriptedReply(cast("Literal['chat', 'tool-result']", step), content, fields.get("stop_reason"))

    def blocks(self, content: JsonValue, place: JsonPath) -> None:
        called: set[str] = set()
        for index, block in enumerate(content if isinstance(content, list) else []):
            here = (*place, index)
            kind = block.get("type") if isinstance(block, dict) else None
            if not isinstance(kind, str):
                self.refuse(here, f"expected a content block with a 'type', found {value_text(block)}")
            elif kind == "text":
                self.fields(here, block, {"type": str, "text": str}, {"citations": object})
            elif kind == "tool_use":
                fields = self.fields(here, block, {"type": str, "id": str, "name": str, "input": object})
                if fields.get("id") in called:
                    self.refuse((*here, "id"), f"the id {fields['id']!r} is used already in this reply")
                called.add(fields.get("id", ""))

    def one_of(self, value: str, known: Sequence[str], place: JsonPath) -> None:
        if value not in known:
            hint = did_you_mean(value, known)
            self.refuse(place, f"expected one of {', '.join(known)}, found {value_text(value)}{hint}")

    def assertions(self, value: JsonValue, place: JsonPath, steps: int) -> Assertions:
        optional: dict[str, FieldType] = {
            "finalText": dict,
            "toolResultMessages": (dict, list),
            "validator": dict,
            "lint": (bool, dict),
        }
        fields = self.fields(place, value, {}, optional)
        step_values = fields.get("toolResultMessages")
        every: ToolResultStep | None = None
        each: tuple[ToolResultStep | None, ...] = ()
        here = (*place, "toolResultMessages")
        if isinstance(step_values, list):
            each = tuple(
                None if one is None else self.step(one, (*here, i)) for i, one in enumerate(step_values)
            )
            if len(each) != steps:
                self.refuse(here, f"{len(each)} entries for {steps} tool-result steps")
        elif step_values is not None:
            every = self.step(step_values, here)
            if not steps:
                self.refuse(here, "there is no tool-result step to check")
        return Assertions(
            final_text=self.final_text(fields.get("finalText", {}), (*place, "finalText")),
            tool_result_steps=each,
            every_step=every,
            validator=self.validator(fields["validator"], (*place, "validator"))
            if "validator" in fields
            else None,
            lint_ignore=self.lint(fields["lint"], (*place, "lint")) if "lint" in fields else (),
        )

    def lint(self, value: JsonValue, place: JsonPath) -> tuple[str, ...] | None:
        """The rules that do not count; None when the lint is switched off."""
        if isinstance(value, bool):
            return () if value else None
        from grice.checks.message_lint import RULES

        names = self.texts(self.fields(place, value, {"ignore": list}).get("ignore", []), (*place, "ignore"))
        for index, name in enumerate(names):
            self.one_of(name, tuple(RULES), (*place, "ignore", index))
        return names

    def final_text(self, value: JsonValue, place: JsonPath) -> FinalText:
        optional: dict[str, FieldType] = {
            "contains": (list, str),
            "notContains": (list, str),
            "maxSentences": int,
            "equals": str,
        }
        fields = self.fields(place, value, {}, optional)
        limit = fields.get("maxSentences")
        if limit is not None and limit < 1:
            self.refuse((*place, "maxSentences"), f"expected a number from 1 up, found {limit}")
        return FinalText(
            contains=self.texts(fields.get("contains", []), (*place, "contains")),
            not_contains=self.texts(fields.get("notContains", []), (*place, "notContains")),
            max_sentences=limit,
            equals=fields.get("equals"),
        )

    def texts(self, value: JsonValue, place: JsonPath) -> tuple[str, ...]:
        values = [value] if isinstance(value, str) else value
        for index, one in enumerate(values):
            if not isinstance(one, str) or not one:
                here = (*place, index) if isinstance(value, list) else place
                self.refuse(here, f"expected a text that is not empty, found {value_text(one)}")
        return tuple(values)

    def step(self, value: JsonValue, place: JsonPath) -> ToolResultStep:
        fields = self.fields(place, value, {}, {"userMessageInHistory": bool, "toolResultsInHistory": list})
        ids = fields.get("toolResultsInHistory", [])
        return ToolResultStep(
            user_message=fields.get("userMessageInHistory"),
            tool_results=self.texts(ids, (*place, "toolResultsInHistory")),
        )

    def validator(self, value: JsonValue, place: JsonPath) -> Validator:
        fields = self.fields(
            place, value, {"expectValid": bool}, {"toolStatus": (str, type(None)), "profile": str}
        )
        status = fields.get("toolStatus")
        if status is not None:
            self.one_of(status, STATUSES, (*place, "toolStatus"))
        profile = fields.get("profile", "seed")
        self.one_of(profile, PROFILES, (*place, "profile"))
        return Validator(fields.get("expectValid", True), status, profile)
