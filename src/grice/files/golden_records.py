"""Goldens: recorded conversations with scripted model replies and assertions, as their files say them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from grice.files.suite_records import id_problem
from grice.formats import FormatError, read_message
from grice.identity import fingerprint, redact_text
from grice.records import JsonValue
from grice.text import value_text
from grice.typed import Closed, Problem, problems_in, says, within
from grice.wire.addresses import meant_as_address

Some = Annotated[str, says("a text that is not empty", min_length=1)]
Texts = tuple[Some, ...] | Some


class _Camel(Closed, frozen=True, rename="camel"):
    """An object of a file, whose fields are named as JavaScript names them."""


# -- what the model answers, and the tools


class _TextBlock(_Camel, frozen=True):
    type: str
    text: str
    citations: Any = None


class _ToolUse(_Camel, frozen=True):
    type: str
    id: str
    name: str
    input: Any


_BLOCKS: dict[str, type[Closed]] = {"text": _TextBlock, "tool_use": _ToolUse}


def _wrong_blocks(content: Any) -> Iterator[Problem]:
    """What is wrong with content blocks; those of other types hold what they like."""
    called: set[str] = set()
    for index, block in enumerate(content if isinstance(content, list) else []):
        kind = block.get("type") if isinstance(block, dict) else None
        if not isinstance(kind, str):
            yield Problem((index,), f"expected a content block with a 'type', found {value_text(block)}")
        elif kind in _BLOCKS:
            yield from within((index,), problems_in(block, _BLOCKS[kind]))
        if kind == "tool_use" and isinstance(block.get("id"), str):
            if block["id"] in called:
                yield Problem((index, "id"), f"the id {block['id']!r} is used already in this reply")
            called.add(block["id"])


class ScriptedReply(Closed, frozen=True):
    """What the model answers to one request: Anthropic content blocks, or a text."""

    step: Literal["chat", "tool-result"]
    content: Annotated[list[Any] | str, says(check=_wrong_blocks)]
    stop_reason: str | None = None


class _Result(_Camel, frozen=True):
    success: bool
    result: Any = None
    error: Any = None

    @classmethod
    def wrong(cls, fields: Mapping[str, Any]) -> Iterator[Problem]:
        if fields.get("success") and fields.get("error") is not None:
            yield Problem(("error",), "a result that succeeded has no error; is success false?")


def _wrong_results(value: Any) -> Iterator[Problem]:
    """What is wrong with one round's results, or with a list of rounds."""
    if not isinstance(value, list):
        yield from _wrong_round(value)
        return
    for index, one in enumerate(value):
        yield from within((index,), _wrong_round(one))


def _wrong_round(value: Any) -> Iterator[Problem]:
    """A result with `success`, or results by tool call id."""
    by_id = isinstance(value, dict) and value and not value.keys() & set(_Result.__struct_fields__)
    if by_id and any(isinstance(one, dict) for one in value.values()):
        for id_, one in value.items():
            yield from within((id_,), problems_in(one, _Result))
    elif value is not None:
        yield from problems_in(value, _Result)


def _has_decision(results: Any) -> bool:
    """Whether one of the rounds has a result that waits for the user, and another round follows."""
    from grice.checks.tool_flow.status import status_of_result

    for one in results[:-1] if isinstance(results, list) else ():
        answers = (one,) if not one or "success" in one else one.values()
        if any(
            each and each["success"] and status_of_result(each.get("result")) == "pending" for each in answers
        ):
            return True
    return False


# -- what is asserted


class FinalText(_Camel, frozen=True):
    """What is asserted of the last text of the turn."""

    contained: Texts = msgspec.field(default=(), name="contains")
    excluded: Texts = msgspec.field(default=(), name="notContains")
    max_sentences: Annotated[int, says("a number from 1 up", ge=1)] | UnsetType = UNSET
    equals: str | UnsetType = UNSET

    @property
    def contains(self) -> tuple[str, ...]:
        """What has to be in it."""
        return _texts(self.contained)

    @property
    def not_contains(self) -> tuple[str, ...]:
        """What must not be in it."""
        return _texts(self.excluded)


def _texts(given: tuple[str, ...] | str) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else given


class ToolResultStep(_Camel, frozen=True):
    """What is asserted of the messages sent to the model in a tool-result step.

    `user_message` says whether the turn's user message is in them. `tool_results` names the ids whose results
    must be there. With `content` a new result says what the golden records.
    """

    user_message: bool | UnsetType = msgspec.field(default=UNSET, name="userMessageInHistory")
    tool_results: tuple[Some, ...] = msgspec.field(default=(), name="toolResultsInHistory")
    content: bool = msgspec.field(default=True, name="toolResultContent")

    @property
    def empty(self) -> bool:
        """Whether nothing is asserted."""
        return self.user_message is UNSET and not self.tool_results


class Validator(_Camel, frozen=True):
    """What the response validator is expected to say. `tool_status` None is the turn's last one.

    `profile` is that of the rule: `robust`, or five patterns word by word (`seed`).
    """

    expect_valid: bool
    tool_status: Literal["success", "pending", "error", "none"] | None = None
    profile: Literal["seed", "robust"] = "robust"


def _wrong_rules(names: list[str]) -> Iterator[Problem]:
    from grice.checks.message_lint import RULES

    for index, name in enumerate(names):
        yield from within((index,), problems_in(name, Literal[tuple(RULES)]))


class _Lint(_Camel, frozen=True):
    ignore: Annotated[tuple[Some, ...], says(check=_wrong_rules)]


class ReplyAssertions(_Camel, frozen=True):
    """What is asserted of a reply."""

    final_text: FinalText = FinalText()
    validator: Validator | UnsetType = UNSET

    @property
    def empty(self) -> bool:
        """Whether nothing is asserted."""
        return self.final_text == FinalText() and self.validator is UNSET


class Assertions(ReplyAssertions, frozen=True):
    """Everything asserted of one turn."""

    messages: ToolResultStep | tuple[ToolResultStep | None, ...] = msgspec.field(
        default=(), name="toolResultMessages"
    )
    lint: bool | _Lint = True
    claims: bool = True

    @property
    def tool_result_steps(self) -> tuple[ToolResultStep | None, ...]:
        """What is asserted of each tool-result step, where they differ."""
        return self.messages if isinstance(self.messages, tuple) else ()

    @property
    def every_step(self) -> ToolResultStep | None:
        """What is asserted of every step alike."""
        return self.messages if isinstance(self.messages, ToolResultStep) else None

    @property
    def lint_ignore(self) -> tuple[str, ...] | None:
        """The rules of the message-array lint that do not count; None where it is switched off."""
        if isinstance(self.lint, _Lint):
            return self.lint.ignore
        return () if self.lint else None

    @property
    def empty(self) -> bool:
        """Whether nothing is asserted."""
        steps = (*self.tool_result_steps, self.every_step)
        nothing = all(step is None or step.empty for step in steps)
        return nothing and super().empty


# -- turns, and goldens of one or many


def _wrong_user(text: str) -> str:
    return "" if text.strip() else "the user's message is empty"


def _wrong_replies(replies: list[Any]) -> Iterator[Problem]:
    if not replies:
        yield Problem((), "a turn needs at least one scripted reply of the model")
    elif replies[0]["step"] == "tool-result":
        yield Problem((0, "step"), "the first reply of a turn is for step 'chat'")


class GoldenTurn(_Camel, frozen=True, kw_only=True):
    """One user message, the model's scripted replies, the results of client-side tools, the assertions."""

    user: Annotated[str, says(check=_wrong_user, extra_json_schema={"pattern": r"\S"})] = msgspec.field(
        name="userMessage"
    )
    replies: Annotated[
        tuple[ScriptedReply, ...], says(check=_wrong_replies, extra_json_schema={"minItems": 1})
    ] = msgspec.field(name="mockLlmResponses")
    given: Annotated[dict[str, Any] | list[Any] | None, says(check=_wrong_results)] = msgspec.field(
        default=None, name="toolExecResult"
    )
    assertions: Assertions = Assertions()
    pending: ReplyAssertions = msgspec.field(default=ReplyAssertions(), name="pendingAssertions")

    @classmethod
    def wrong(cls, fields: Mapping[str, Any]) -> Iterator[Problem]:
        """Entries for tool-result steps that the turn does not have, and for a decision that nobody takes."""
        if "pendingAssertions" in fields and not _has_decision(fields.get("toolExecResult")):
            nothing = "no result in toolExecResult waits for the user and has their decision behind it"
            yield Problem(("pendingAssertions",), nothing)
        messages = fields.get("assertions", {}).get("toolResultMessages")
        if messages is None:
            return
        steps = sum(reply["step"] == "tool-result" for reply in fields["mockLlmResponses"])
        place = ("assertions", "toolResultMessages")
        if isinstance(messages, list) and len(messages) != steps:
            yield Problem(place, f"{len(messages)} entries for {steps} tool-result steps")
        elif isinstance(messages, dict) and not steps:
            yield Problem(place, "there is no tool-result step to check")

    @property
    def tool_results(self) -> tuple[JsonValue, ...]:
        """One entry for each round of calls: a result, or results by tool call id."""
        if self.given is None:
            return ()
        return tuple(self.given) if isinstance(self.given, list) else (self.given,)


def _wrong_id(id_: str) -> str:
    return id_problem(id_) if id_.strip() else "the id is empty"


def _wrong_history(messages: Any) -> Iterator[Problem]:
    for index, message in enumerate(messages or ()):
        try:
            read_message(message)
        except FormatError as error:
            yield Problem((index,), str(error))


Id = Annotated[str, says(check=_wrong_id)]
History = Annotated[tuple[Any, ...] | None, says(check=_wrong_history)]


def _wrong_agent(agent: str) -> str:
    if not meant_as_address(agent):
        return ""
    found = value_text(redact_text(agent))
    return f"expected 'module:attribute', found {found}; an address stands in the settings or in a suite"


Agent = Annotated[str, says(check=_wrong_agent)]


class OneTurn(GoldenTurn, frozen=True, kw_only=True):
    """A golden of one turn in a file."""

    id: Id
    description: str = ""
    history: History = msgspec.field(default=None, name="conversationHistory")
    agent: Agent | UnsetType = UNSET
    schema: str = msgspec.field(default="", name="$schema")

    @property
    def turns(self) -> tuple[GoldenTurn, ...]:
        """Its turn."""
        return (self,)


def _wrong_turns(turns: list[Any]) -> str:
    return "" if turns else "a golden needs at least one turn"


class ManyTurns(_Camel, frozen=True, kw_only=True):
    """A golden with a list of turns in a file."""

    id: Id
    turns: Annotated[tuple[GoldenTurn, ...], says(check=_wrong_turns, extra_json_schema={"minItems": 1})]
    description: str = ""
    history: History = msgspec.field(default=None, name="conversationHistory")
    agent: Agent | UnsetType = UNSET
    schema: str = msgspec.field(default="", name="$schema")


class Golden(msgspec.Struct, frozen=True, dict=True):
    """A recorded conversation. `history` is a message array, `agent` a name such as `module:attribute`.

    `content` is what the file says at the `place`.
    """

    id: str
    turns: tuple[GoldenTurn, ...]
    description: str = ""
    history: tuple[JsonValue, ...] = ()
    agent: str | None = None
    file: str = ""
    line: int = 1
    content: JsonValue = None
    place: tuple[str | int, ...] = ()

    @cached_property
    def fingerprint(self) -> str:
        """That of what the file says."""
        return fingerprint(self.content)

    def place_of(self, turn: int) -> tuple[str | int, ...]:
        """Where a turn, counted from 0, stands in the file."""
        several = isinstance(self.content, dict) and "turns" in self.content
        return (*self.place, "turns", turn) if several else self.place
