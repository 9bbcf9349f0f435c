"""Read files of labelled examples, and list everything that is wrong with them.

JSON Lines with an example a line, or a JSON document with one or a list of them. An example is written as the
docs say, or as conversations with an `expectedResult`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from grice.checks.profiles import Profile
from grice.checks.rule_names import UnknownCheck
from grice.files.document import FileError, FileErrors
from grice.formats import FormatError, read_conversation
from grice.matching.matcher import ArgumentError
from grice.matching.subject_types import subject_types
from grice.records import Conversation, Outcome, clean_json
from grice.text import value_text
from grice.typed import Closed, says
from grice.validation.examples import Earlier, Example, SubjectKind, TurnFields, conversation_of
from grice.validation.measured_rules import MeasuredRule, find_rule, matcher_for
from grice.validation.rows import MAX_ERRORS, Row, read_rows

RULE = "self-contradiction"

"""The rule of those that name none."""

_TYPES = {"positive": True, "negative": False}


class _Message(msgspec.Struct):
    """What every message of a conversation has."""

    role: Any
    content: Any


_SOME = says(check=lambda messages: "" if messages else "it has no messages")


class _OfSeed(Closed, frozen=True, kw_only=True):
    """What an example may have that is a conversation with an `expectedResult`."""

    conversation: Annotated[tuple[Annotated[_Message, says("a message")], ...], _SOME]
    expectedResult: bool  # noqa: N815 - as it is written
    id: str | int = ""
    type: Literal["positive", "negative"] | None = None
    rationale: str = ""
    rule: str = ""
    source: str = ""


def is_of_seed(fields: Mapping[str, Any]) -> bool:
    """Whether the example is a conversation with an `expectedResult`."""
    return "conversation" in fields or "expectedResult" in fields


def read_of_seed(line: Row, rule: MeasuredRule | None) -> tuple[Example | None, list[FileError]]:
    """Read the example, or list everything that is wrong with it.

    The result true is the outcome `fail`: the fault. False is any answer that finds none, for an
    unclear position is no contradiction.
    """
    given = line.fields
    errors = line.problems(_OfSeed)
    errors += [] if errors else _wrong_type(line, given)
    target = _named_rule(line, given, rule)
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
    if kind is not None and _TYPES[kind] is not given["expectedResult"]:
        result = str(given["expectedResult"]).lower()
        return [line.error(("expectedResult",), f"expectedResult: it is {result}, and type says {kind}")]
    return []


def _conversation(line: Row, messages: Sequence[Any]) -> Conversation | FileError:
    try:
        return read_conversation(messages)
    except FormatError as error:
        return line.error(("conversation",), f"conversation: {error}")


def _named_rule(line: Row, given: Mapping[str, Any], rule: MeasuredRule | None) -> MeasuredRule | FileError:
    """The rule that the example names, else the one asked for, else self-contradiction."""
    try:
        named = given.get("rule")
        return find_rule(named) if isinstance(named, str) else rule or find_rule(RULE)
    except UnknownCheck as error:
        return line.error(("rule",), f"rule: {error}")


SUFFIXES = (".examples.jsonl", ".jsonl", ".examples.json", ".json")

_LABELS = ("right", "robust", "expected", "seed")

_Outcome = Literal["pass", "fail", "inconclusive", "error", "skipped"]


class _ExampleFields(TurnFields, frozen=True, kw_only=True):
    """What an example may have."""

    id: str | int = ""
    rule: str = ""
    subject: SubjectKind = "reply"
    earlier: tuple[Earlier, ...] = ()
    args: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])
    why: str = ""
    source: str = ""
    right: _Outcome = "pass"
    robust: _Outcome = "pass"
    expected: _Outcome = "pass"
    seed: _Outcome = "pass"


_NO_RULE = (
    "of which rule is this an example? Name it in 'rule', in the name of the file (openers.jsonl) or on the "
    "command line"
)

_PROFILE_IN_ARGS = "args: the profile is none of them; 'seed' and 'robust' say what each of them gives"


def read_examples(
    files: Iterable[Path], rule: MeasuredRule | None = None, *, always: bool = False
) -> list[Example]:
    """The examples of the files. Raises FileErrors with everything that is wrong with any of them.

    `rule` is the rule of examples that name none, neither in `rule` nor by the name of their file
    (`openers.jsonl`); with `always` it is the rule of all. Ids are unique among the examples of a rule; one
    that is missing is the line.
    """
    errors: list[FileError] = []
    examples: list[Example] = []
    taken: dict[tuple[str, str], Example] = {}
    labelled: dict[bytes, Example] = {}
    for file in files:
        own = rule if always else _named_by(file, rule)
        wrong: list[FileError] = []
        for row in read_rows(file, wrong, clean=False):
            example, problems = _read(row, own, always=always)
            wrong += problems
            if example is not None:
                wrong += [*_taken(row, example, taken), *_labelled(row, example, labelled)]
                examples.append(example)
        errors += sorted(wrong, key=lambda one: (one.line, one.column))
    if errors:
        raise FileErrors(errors[:MAX_ERRORS])
    return examples


def _taken(line: Row, example: Example, taken: dict[tuple[str, str], Example]) -> list[FileError]:
    """What is wrong with the id when an example before this one has it. A line stands for one in its file."""
    if example.id == f"line {example.line}":
        return []
    other = taken.setdefault((example.rule, example.id), example)
    if other is example:
        return []
    same = f"{other.file}:{other.line}" if other.file != example.file else f"line {other.line}"
    return [line.error(("id",), f"the id {value_text(example.id)} is that of {same} too")]


def _labelled(line: Row, example: Example, labelled: dict[bytes, Example]) -> list[FileError]:
    """What is wrong with the label when an example before this one says otherwise of the same."""
    content = (example.rule, example.subject_kind, example.text, example.conversation, dict(example.args))
    key = msgspec.json.encode(clean_json(msgspec.to_builtins(content)), order="sorted")
    other = labelled.setdefault(sha256(key).digest(), example)
    if other.right is example.right:
        return []
    where = f"{other.file}:{other.line}" if other.file != example.file else f"line {other.line}"
    return [
        line.error((), f"it is labelled {example.right}, and the same in {where} is labelled {other.right}")
    ]


def _read(line: Row, rule: MeasuredRule | None, *, always: bool) -> tuple[Example | None, list[FileError]]:
    """The example, or everything that is wrong with it."""
    value = line.fields
    if is_of_seed(value):
        return read_of_seed(line, rule)
    errors = line.problems(_ExampleFields)
    errors += _wrong_labels(line, value)
    target = rule if always and rule is not None else _rule_of(line, value, rule)
    if isinstance(target, FileError):
        return None, [*errors, target]
    args = value.get("args", {})
    if isinstance(args, dict):
        errors += _wrong_args(line, target, args, seed="seed" in value)
    return (None, errors) if errors else (_made(line, value, target, args), [])


def _wrong_args(line: Row, target: MeasuredRule, args: Mapping[str, Any], *, seed: bool) -> list[FileError]:
    """What the check says against its arguments, under `seed` only where its outcome is given."""
    if "profile" in args and "profile" in target.factory.parameters:
        return [line.error(("args", "profile"), _PROFILE_IN_ARGS, key=True)]
    try:
        for profile in target.profiles:
            if seed or profile != "seed":
                matcher_for(target.factory, args, profile)
    except ArgumentError as error:
        return [line.error(("args",) if args else (), f"args of {target.name}: {error}")]
    return []


def _made(line: Row, value: Mapping[str, Any], target: MeasuredRule, args: Mapping[str, Any]) -> Example:
    number = line.error((), "").line
    labels = {name: Outcome(value[name]) for name in _LABELS if name in value}
    robust = labels.get("robust", labels.get("expected", labels.get("right")))
    right = labels.get("right", labels.get("expected", robust))
    documented: dict[Profile, Outcome] = {} if robust is None else {"robust": robust}
    if "seed" in labels:
        documented["seed"] = labels["seed"]
    return Example(
        id=str(value.get("id", f"line {number}")),
        rule=target.name,
        right=right or labels["seed"],
        documented=documented,
        conversation=conversation_of(value),
        truth_only="robust" not in labels and "seed" not in labels,
        subject_kind=value.get("subject", "reply"),
        text=value.get("text") or "",
        args=args,
        why=value.get("why", ""),
        source=value.get("source", ""),
        file=line.file,
        line=number,
    )


def _named_by(file: Path, rule: MeasuredRule | None) -> MeasuredRule | None:
    """The rule that the file is named after, else `rule`."""
    stem = file.name
    for suffix in SUFFIXES:
        stem = stem.removesuffix(suffix)
    try:
        return find_rule(stem)
    except UnknownCheck:
        return rule


def _rule_of(line: Row, value: Mapping[str, Any], rule: MeasuredRule | None) -> MeasuredRule | FileError:
    """The rule that the example names, else `rule`."""
    named = value.get("rule")
    if isinstance(named, str):
        try:
            return find_rule(named)
        except UnknownCheck as error:
            return line.error(("rule",), f"rule: {error}")
    return rule or line.error((), _NO_RULE)


def _wrong_labels(line: Row, value: Mapping[str, Any]) -> list[FileError]:
    """What is wrong with the outcomes and the kind of subject, together."""
    errors: list[FileError] = []
    if not any(name in value for name in ("right", "robust", "expected")):
        errors.append(line.error((), "missing field 'expected', the outcome that is right"))
    if "expected" in value and ("right" in value or "robust" in value):
        message = "expected: it says the same as right and robust; give one of them"
        errors.append(line.error(("expected",), message))
    if value.get("subject") == "text" and not isinstance(value.get("text"), str):
        errors.append(line.error(("subject",), "subject: a text is to be judged, and there is no text"))
    return errors
