"""Scripts for `grice stub`: a file of replies and rules, or goldens whose replies are taken."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

import msgspec

from grice.files.document import Document, FieldType, FileError, check_fields, load_file
from grice.files.golden_records import Golden
from grice.files.goldens import is_golden_file, load_all
from grice.matching.patterns import PatternError
from grice.records import Exchange, JsonValue
from grice.text import did_you_mean, value_text
from grice.wire import Fault, ScriptedModel, ToolUse
from grice.wire.replies import ModelReply, read_reply, read_usage, structured
from grice.wire.rules import ECHO, Rule, answer_by

__all__ = ["FAULTS", "REPLY_FIELDS", "StubScript", "load_scripts", "read_model_reply"]

LONGEST_NAME = 128
Place = tuple[str | int, ...]
Otherwise = Callable[[Exchange], object]

REPLY_FIELDS: dict[str, FieldType] = {
    "text": str,
    "tool": str,
    "arguments": dict,
    "id": str,
    "json": object,
    "fault": str,
    "retry_after": float,
    "status": int,
    "delay": float,
    "content": (list, str),
    "stop_reason": str,
    "usage": dict,
}
_WITH_A_REPLY = ("delay", "stop_reason", "usage")
_KINDS: dict[str, tuple[str, ...]] = {
    "content": _WITH_A_REPLY,
    "json": _WITH_A_REPLY,
    "tool": ("text", "arguments", "id", *_WITH_A_REPLY),
    "text": ("tool", *_WITH_A_REPLY),
}
"""What a reply that is no fault can be, the first that is there, with the fields that go with it."""
FAULTS: dict[str, tuple[str, ...]] = {
    "rate_limit": ("retry_after",),
    "error": ("status", "retry_after"),
    "timeout": (),
    "reset": (),
    "half_stream": ("text",),
    "malformed": (),
}
"""The faults, with the fields that each takes."""


class StubScript(msgspec.Struct, frozen=True):
    """What the stub says in one conversation: replies in order, then rules.

    `name` is a golden's id as it stands in an address: what does not belong there is a hyphen.
    """

    replies: tuple[ModelReply | Fault, ...] = ()
    rules: tuple[Rule, ...] = ()
    name: str = ""

    def model(self) -> ScriptedModel:
        """A model that begins the script anew."""
        return ScriptedModel(*self.replies, otherwise=answer_by(self.rules) if self.rules else None)


def load_scripts(files: Sequence[Path]) -> list[StubScript]:
    """The scripts in the files: one of a script file, one for each golden; echo rules without files.

    Raises GoldenErrors or FileError with the place of what is wrong.
    """
    if not files:
        return [StubScript(rules=ECHO)]
    golden_files = [file for file in files if is_golden_file(file.name)]
    goldens = load_all(golden_files)
    _check_addresses(goldens)
    scripts = [_of_golden(golden) for golden in goldens]
    return scripts + [_load(file) for file in files if file not in golden_files]


def _of_golden(golden: Golden) -> StubScript:
    """The replies of all turns of a golden."""
    replies = [
        {"content": one.content} | ({} if one.stop_reason is None else {"stop_reason": one.stop_reason})
        for turn in golden.turns
        for one in turn.replies
    ]
    return StubScript(tuple(map(_given, replies)), (), _in_address(golden.id))


def _in_address(id_: str) -> str:
    return re.sub(r"[^\w.~-]+", "-", id_)[:LONGEST_NAME].strip(".") or "-"


def _check_addresses(goldens: Sequence[Golden]) -> None:
    held: dict[str, Golden] = {}
    for golden in goldens:
        name = _in_address(golden.id)
        other = held.setdefault(name, golden)
        if other is not golden:
            message = f"the goldens {other.id!r} and {golden.id!r} would have the same address /c/{name}"
            raise FileError(golden.file, golden.line, 1, message)


def _given(reply: object) -> ModelReply:
    read = read_reply(reply)
    assert isinstance(read, ModelReply)
    return read


def _load(file: Path) -> StubScript:
    document = load_file(file)
    fields: dict[str, FieldType] = {"replies": list, "rules": list, "$schema": str}
    _refuse(check_fields(document, (), document.value, required={}, optional=fields))
    held = cast("dict[str, Any]", document.value)
    replies = [
        read_model_reply(document, ("replies", i), each) for i, each in enumerate(held.get("replies") or ())
    ]
    rules = [_rule(document, ("rules", i), each) for i, each in enumerate(held.get("rules") or ())]
    if not replies and not rules:
        raise FileError(document.path, 1, 1, "the script has neither replies nor rules")
    return StubScript(tuple(replies), tuple(rules))


def _rule(document: Document, place: Place, raw: JsonValue) -> Rule:
    kinds: dict[str, FieldType] = {"when": str, "when_result": str}
    _refuse(check_fields(document, place, raw, required={"reply": object}, optional=kinds))
    fields = cast("dict[str, Any]", raw)
    rule = Rule(
        read_model_reply(document, (*place, "reply"), fields["reply"]),
        fields.get("when"),
        fields.get("when_result"),
    )
    try:
        answer_by([rule])
    except PatternError as error:
        where = document.position((*place, "when" if "when" in fields else "when_result"))
        raise FileError(document.path, *where, str(error)) from None
    return rule


def read_model_reply(document: Document, place: Place, raw: JsonValue) -> ModelReply | Fault:
    """One scripted reply: a text, an object, or a list of these, whose parts say nothing of the whole.

    Raises FileError with the place of what is wrong first.
    """
    if isinstance(raw, str):
        return ModelReply((raw,))
    if isinstance(raw, list):
        parts: list[Any] = []
        for index, each in enumerate(raw):
            read = read_model_reply(document, (*place, index), each)
            if isinstance(read, Fault):
                message = "a fault stands alone, not among the parts of a reply"
                raise _wrong(document, (*place, index), message)
            for name in _WITH_A_REPLY:
                if isinstance(each, dict) and name in each:
                    message = f"{name!r} is of a whole reply, not of a part: write the parts as `content`"
                    raise _wrong(document, (*place, index, name), message, key=True)
            parts += read.parts
        return ModelReply(tuple(parts))
    _refuse(check_fields(document, place, raw, required={}, optional=REPLY_FIELDS))
    fields = cast("dict[str, Any]", raw)
    _check_together(document, place, fields)
    try:
        made = _made(fields)
    except (TypeError, ValueError) as error:
        raise FileError(document.path, *document.position(place), str(error)) from None
    if isinstance(made, Fault):
        return made
    return msgspec.structs.replace(
        made,
        delay=float(fields.get("delay", 0)),
        stop_reason=fields.get("stop_reason", made.stop_reason),
        usage=_usage(document, (*place, "usage"), fields),
    )


def _check_together(document: Document, place: Place, fields: dict[str, Any]) -> None:
    """Refuse fields that contradict one another, and seconds below 0: none is passed over in silence."""
    kind, others = _kind(fields)
    for name in fields:
        if name not in others and not kind.startswith(name):
            message = f"{name!r} does not go with {kind!r}, which takes {', '.join(others) or 'nothing else'}"
            raise _wrong(document, (*place, name), message, key=True)
    for name in ("delay", "retry_after"):
        if fields.get(name, 0) < 0:
            what = f"{name} is a number of seconds from 0, found {value_text(fields[name])}"
            raise _wrong(document, (*place, name), what)


def _kind(fields: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    """What a reply is by its first field that tells, and the other fields that go with it."""
    if "fault" in fields:
        return f"fault {fields['fault']}", FAULTS.get(fields["fault"], tuple(fields))
    for name, others in _KINDS.items():
        if name in fields:
            return name, others
    return "", tuple(fields)


def _usage(document: Document, place: Place, fields: dict[str, Any]) -> dict[str, Any] | None:
    try:
        return read_usage(fields.get("usage"))
    except TypeError as error:
        raise _wrong(document, place, str(error)) from None


def _wrong(document: Document, place: Place, message: str, *, key: bool = False) -> FileError:
    return FileError(document.path, *document.position(place, key=key), message)


def _made(fields: dict[str, Any]) -> ModelReply | Fault:
    if "fault" in fields:
        return _fault(fields)
    if "content" in fields:
        return _given({"content": fields["content"]})
    if "json" in fields:
        return structured(fields["json"])
    parts: list[Any] = [fields["text"]] if "text" in fields else []
    if "tool" in fields:
        parts.append(ToolUse(fields["tool"], fields.get("arguments", {}), fields.get("id", "")))
    if not parts:
        raise ValueError(f"a reply has text, tool, json, content or fault, found {value_text(fields)}")
    return ModelReply(tuple(parts))


def _fault(fields: dict[str, Any]) -> Fault:
    name = fields["fault"]
    if name not in FAULTS:
        raise ValueError(f"unknown fault {name!r}{did_you_mean(name, FAULTS)}; there are {', '.join(FAULTS)}")
    if name == "rate_limit":
        return Fault.rate_limit(fields.get("retry_after", 1))
    if name == "error":
        return Fault.error(fields.get("status", 500), retry_after=fields.get("retry_after"))
    if name == "half_stream" and "text" in fields:
        return Fault.half_stream(fields["text"])
    made: Fault = getattr(Fault, name)()
    return made


def _refuse(errors: list[FileError]) -> None:
    if errors:
        raise errors[0]
