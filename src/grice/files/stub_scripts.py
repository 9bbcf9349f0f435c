"""Scripts for `grice stub`: a file of replies and rules, or goldens whose replies are taken."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, cast

import msgspec
from msgspec import UNSET, UnsetType

from grice.files.document import FileError, FileErrors, load_file
from grice.files.golden_records import Golden
from grice.files.goldens import is_golden_file, load_all
from grice.files.typed import read
from grice.matching.patterns import PatternError
from grice.records import JsonValue
from grice.text import did_you_mean, value_text
from grice.typed import Problem, problems_in, says, within
from grice.wire import Fault, ScriptedModel, ToolUse
from grice.wire.replies import ModelReply, read_reply, read_usage, structured
from grice.wire.rules import ECHO, Rule, answer_by

LONGEST_NAME = 128

FAULTS: dict[str, tuple[str, ...]] = {
    "rate_limit": ("retry_after",),
    "error": ("status", "retry_after"),
    "timeout": (),
    "reset": (),
    "half_stream": ("text",),
    "malformed": (),
}
"""The faults, with the fields that each takes."""
_WITH_A_REPLY = ("delay", "stop_reason", "usage")
_KINDS: dict[str, tuple[str, ...]] = {
    "content": _WITH_A_REPLY,
    "json": _WITH_A_REPLY,
    "tool": ("text", "arguments", "id", *_WITH_A_REPLY),
    "text": ("tool", *_WITH_A_REPLY),
}
"""What a reply that is no fault can be, the first that is there, with the fields that go with it."""

Seconds = Annotated[float, says("a number of seconds from 0", ge=0)]


class Reply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One scripted reply as an object of a file."""

    text: str | UnsetType = UNSET
    tool: str | UnsetType = UNSET
    arguments: dict[str, Any] | UnsetType = UNSET
    id: str | UnsetType = UNSET
    json: Any = UNSET
    fault: str | UnsetType = UNSET
    retry_after: Seconds | UnsetType = UNSET
    status: int | UnsetType = UNSET
    delay: Seconds | UnsetType = UNSET
    content: list[Any] | str | UnsetType = UNSET
    stop_reason: str | UnsetType = UNSET
    usage: dict[str, Any] | UnsetType = UNSET

    @classmethod
    def wrong(cls, fields: Mapping[str, Any]) -> Iterator[Problem]:
        """Fields that contradict one another: none is passed over in silence."""
        kind, others = _kind(fields)
        for name in fields:
            if name not in others and not kind.startswith(name):
                takes = ", ".join(others) or "nothing else"
                yield Problem((), f"{name!r} does not go with {kind!r}, which takes {takes}", name)
        try:
            read_usage(fields.get("usage"))
        except TypeError as error:
            yield Problem(("usage",), str(error))
        try:
            _made(fields)
        except (TypeError, ValueError) as error:
            yield Problem((), str(error))


def wrong_reply(raw: Any) -> Iterator[Problem]:
    """What is wrong with a reply: a text, an object, or a list of these, each a part of the whole."""
    if isinstance(raw, list):
        for index, each in enumerate(raw):
            if not isinstance(each, str):
                yield from within((index,), _wrong_part(each))
    elif not isinstance(raw, str):
        yield from problems_in(raw, Reply)


def _wrong_part(raw: Any) -> Iterator[Problem]:
    if isinstance(raw, dict) and "fault" in raw:
        yield Problem((), "a fault stands alone, not among the parts of a reply")
        return
    for name in _WITH_A_REPLY:
        if isinstance(raw, dict) and name in raw:
            said = f"{name!r} is of a whole reply, not of a part: write the parts as `content`"
            yield Problem((), said, name)
    yield from wrong_reply(raw)


def wrong_replies(listed: list[Any]) -> Iterator[Problem]:
    """What is wrong with a list of replies."""
    for index, raw in enumerate(listed):
        if not isinstance(raw, str):  # a text is right, and most replies are
            yield from within((index,), wrong_reply(raw))


class _Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    reply: Annotated[Any, says(check=wrong_reply)]
    when: str | None = None
    when_result: str | None = None

    @classmethod
    def wrong(cls, fields: Mapping[str, Any]) -> Iterator[Problem]:
        try:
            answer_by([Rule(model_reply(fields["reply"]), fields.get("when"), fields.get("when_result"))])
        except PatternError as error:
            yield Problem(("when" if fields.get("when") is not None else "when_result",), str(error))


class ScriptFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a file of a stub's script may say."""

    replies: Annotated[list[Any], says(check=wrong_replies)] = []
    rules: list[_Rule] = []
    schema: str = msgspec.field(default="", name="$schema")

    @classmethod
    def wrong(cls, fields: Mapping[str, Any]) -> Iterator[Problem]:
        """A script answers something."""
        if not fields.get("replies") and not fields.get("rules"):
            yield Problem((), "the script has neither replies nor rules")


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

    Raises FileErrors with everything that is wrong, and FileError where two goldens have one address.
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
    document = load_file(file, errors=FileErrors)
    script = read(document, ScriptFile, document.value)
    if isinstance(script, list):
        raise FileErrors(script)
    rules = [Rule(model_reply(one.reply), one.when, one.when_result) for one in script.rules]
    return StubScript(tuple(map(model_reply, script.replies)), tuple(rules))


def model_reply(raw: JsonValue) -> ModelReply | Fault:
    """The reply that is written so, which is right."""
    if isinstance(raw, str):
        return ModelReply((raw,))
    if isinstance(raw, list):
        parts = [cast("ModelReply", model_reply(one)).parts for one in raw]
        return ModelReply(tuple(part for own in parts for part in own))
    made = _made(raw)
    if isinstance(made, Fault):
        return made
    return msgspec.structs.replace(
        made,
        delay=float(raw.get("delay", 0)),
        stop_reason=raw.get("stop_reason", made.stop_reason),
        usage=read_usage(raw.get("usage")),
    )


def _kind(fields: Mapping[str, Any]) -> tuple[str, tuple[str, ...]]:
    """What a reply is by its first field that tells, and the other fields that go with it."""
    if "fault" in fields:
        return f"fault {fields['fault']}", FAULTS.get(fields["fault"], tuple(fields))
    for name, others in _KINDS.items():
        if name in fields:
            return name, others
    return "", tuple(fields)


def _made(fields: Mapping[str, Any]) -> ModelReply | Fault:
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


def _fault(fields: Mapping[str, Any]) -> Fault:
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
