"""Examples of self-contradiction as `{id, type, conversation, expectedResult, rationale}`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from grice.checks.rule_names import UnknownCheck
from grice.files.document import FileError
from grice.files.typed import FieldType
from grice.formats import FormatError, read_conversation
from grice.matching.subject_types import subject_types
from grice.records import Conversation, Outcome
from grice.text import did_you_mean, value_text
from grice.validation.examples import Example
from grice.validation.measured_rules import MeasuredRule, find_rule
from grice.validation.rows import Row

__all__ = ["is_of_seed", "read_of_seed"]

RULE = "self-contradiction"
"""The rule of those that name none."""

_TYPES = {"positive": True, "negative": False}
_REQUIRED: dict[str, FieldType] = {"conversation": list, "expectedResult": bool}
_OPTIONAL: dict[str, FieldType] = {
    "id": (str, int),
    "type": str,
    "rationale": str,
    "rule": str,
    "source": str,
}
_MESSAGE: dict[str, FieldType] = {"role": str, "content": object}


def is_of_seed(fields: Mapping[str, Any]) -> bool:
    """Whether the example is a conversation with an `expectedResult`."""
    return "conversation" in fields or "expectedResult" in fields


def read_of_seed(line: Row, rule: MeasuredRule | None) -> tuple[Example | None, list[FileError]]:
    """The example, or everything that is wrong with it.

    The result true is the outcome `fail`: the fault. False is any answer that finds none, for an
    unclear position is no contradiction.
    """
    given = line.fields
    errors = line.problems((), given, _OPTIONAL, _REQUIRED)
    if errors:
        return None, errors
    errors += [*_wrong_type(line, given), *_wrong_messages(line, given["conversation"])]
    target = _rule_of(line, given, rule)
    conversation = None if errors else _conversation(line, given["conversation"])
    errors += [one for one in (target, conversation) if isinstance(one, FileError)]
    if errors or not isinstance(target, MeasuredRule) or not isinstance(conversation, Conversation):
        return None, errors
    number = line.error((), "").line
    right = Outcome.FAIL if given["expectedResult"] else Outcome.PASS
    example = Example(
        id=str(given.get("id", f"line {number}")),
        rule=target.name,
        right=right,
        documented={"robust": right},
        conversation=conversation,
        truth_only=True,
        alarm_only=True,
        subject_kind="conversation" if "Conversation" in subject_types(target.factory) else "reply",
        why=given.get("rationale", ""),
        source=given.get("source", ""),
        file=line.file,
        line=number,
    )
    return example, []


def _wrong_type(line: Row, given: Mapping[str, Any]) -> list[FileError]:
    folder = Path(line.file).parent.name  # they may be kept in positive/ and negative/
    if _TYPES.get(folder, given["expectedResult"]) is not given["expectedResult"]:
        result = str(given["expectedResult"]).lower()
        return [
            line.error(("expectedResult",), f"expectedResult: it is {result}, and its folder is {folder}")
        ]
    kind = given.get("type")
    if kind is None:
        return []
    if kind not in _TYPES:
        hint = did_you_mean(kind, _TYPES)
        return [line.error(("type",), f"type: expected positive or negative, found {value_text(kind)}{hint}")]
    if _TYPES[kind] is not given["expectedResult"]:
        result = str(given["expectedResult"]).lower()
        return [line.error(("expectedResult",), f"expectedResult: it is {result}, and type says {kind}")]
    return []


def _wrong_messages(line: Row, messages: Sequence[Any]) -> list[FileError]:
    if not messages:
        return [line.error(("conversation",), "conversation: it has no messages")]
    errors = []
    for place, one in enumerate(messages):
        where = ("conversation", place)
        if not isinstance(one, dict):
            errors.append(
                line.error(where, f"conversation[{place}]: expected a message, found {value_text(one)}")
            )
            continue
        missing = [name for name in _MESSAGE if name not in one]
        errors += [line.error(where, f"conversation[{place}]: missing field {name!r}") for name in missing]
    return errors


def _conversation(line: Row, messages: Sequence[Any]) -> Conversation | FileError:
    try:
        return read_conversation(messages)
    except FormatError as error:
        return line.error(("conversation",), f"conversation: {error}")


def _rule_of(line: Row, given: Mapping[str, Any], rule: MeasuredRule | None) -> MeasuredRule | FileError:
    """The rule that the example names, else the one asked for, else self-contradiction."""
    try:
        return find_rule(given["rule"]) if "rule" in given else rule or find_rule(RULE)
    except UnknownCheck as error:
        return line.error(("rule",), f"rule: {error}")
