"""Scripts for `grice stub`: a file of replies and rules, or goldens whose replies are taken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

import msgspec

from grice.matching.patterns import PatternError
from grice.records import Exchange, JsonValue
from grice.suites.files import Document, FieldType, FileError, check_fields, load_file
from grice.suites.golden_records import Golden
from grice.suites.goldens import is_golden_file, load_all
from grice.text import did_you_mean, value_text
from grice.wire import Fault, ScriptedModel, ToolUse
from grice.wire.replies import ModelReply, read_reply, structured
from grice.wire.rules import ECHO, Rule, answer_by

__all__ = ["StubScript", "load_scripts"]

Place = tuple[str | int, ...]
Otherwise = Callable[[Exchange], object]

_REPLY_FIELDS: dict[str, FieldType] = {
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
_FAULTS = ("rate_limit", "error", "timeout", "reset", "half_stream", "malformed")


class StubScript(msgspec.Struct, frozen=True):
    """What the stub says in one conversation: replies in order, then rules. `name` is a golden's id."""

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
    scripts = [_of_golden(golden) for golden in load_all(golden_files)]
    return scripts + [_load(file) for file in files if file not in golden_files]


def _of_golden(golden: Golden) -> StubScript:
    """The replies of all turns of a golden."""
    replies = [
        {"content": one.content} | ({} if one.stop_reason is None else {"stop_reason": one.stop_reason})
        for turn in golden.turns
        for one in turn.replies
    ]
    return StubScript(tuple(map(_given, replies)), (), golden.id)


def _given(reply: object) -> ModelReply:
    read = read_reply(reply)
    assert isinstance(read, ModelReply)
    return read


def _load(file: Path) -> StubScript:
    document = load_file(file)
    fields: dict[str, FieldType] = {"replies": list, "rules": list, "$schema": str}
    _refuse(check_fields(document, (), document.value, required={}, optional=fields))
    held = cast("dict[str, Any]", document.value)
    replies = [_reply(document, ("replies", i), each) for i, each in enumerate(held.get("replies") or ())]
    rules = [_rule(document, ("rules", i), each) for i, each in enumerate(held.get("rules") or ())]
    if not replies and not rules:
        raise FileError(document.path, 1, 1, "the script has neither replies nor rules")
    return StubScript(tuple(replies), tuple(rules))


def _rule(document: Document, place: Place, raw: JsonValue) -> Rule:
    kinds: dict[str, FieldType] = {"when": str, "when_result": str}
    _refuse(check_fields(document, place, raw, required={"reply": object}, optional=kinds))
    fields = cast("dict[str, Any]", raw)
    rule = Rule(
        _reply(document, (*place, "reply"), fields["reply"]), fields.get("when"), fields.get("when_result")
    )
    try:
        answer_by([rule])
    except PatternError as error:
        where = document.position((*place, "when" if "when" in fields else "when_result"))
        raise FileError(document.path, *where, str(error)) from None
    return rule


def _reply(document: Document, place: Place, raw: JsonValue) -> ModelReply | Fault:
    """One reply: a text, an object, or a list of these."""
    if isinstance(raw, str):
        return ModelReply((raw,))
    if isinstance(raw, list):
        parts: list[Any] = []
        for index, each in enumerate(raw):
            read = _reply(document, (*place, index), each)
            if isinstance(read, Fault):
                message = "a fault stands alone, not among the parts of a reply"
                raise FileError(document.path, *document.position((*place, index)), message)
            parts += read.parts
        return ModelReply(tuple(parts))
    _refuse(check_fields(document, place, raw, required={}, optional=_REPLY_FIELDS))
    fields = cast("dict[str, Any]", raw)
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
        usage=fields.get("usage", made.usage),
    )


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
    if name not in _FAULTS:
        raise ValueError(
            f"unknown fault {name!r}{did_you_mean(name, _FAULTS)}; there are {', '.join(_FAULTS)}"
        )
    if name == "rate_limit":
        return Fault.rate_limit(fields.get("retry_after", 1))
    if name == "error":
        return Fault.error(fields.get("status", 500))
    if name == "half_stream" and "text" in fields:
        return Fault.half_stream(fields["text"])
    made: Fault = getattr(Fault, name)()
    return made


def _refuse(errors: list[FileError]) -> None:
    if errors:
        raise errors[0]
