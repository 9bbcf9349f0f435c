"""A labelled example: a reply with what came before it, and the outcomes that a check should have on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET

from grice.checks.profiles import Profile
from grice.records import Conversation, JsonValue, Message, Outcome, Reply, ToolCall, Turn, clean_json
from grice.typed import Closed, says

SubjectKind = Literal["reply", "text", "conversation"]


class Example(msgspec.Struct, frozen=True):
    """A reply to try a check on, with what came before it and the outcomes that are right.

    `right` is the outcome that is right, `documented` what each profile is known to give; where it differs
    from `right` that is a known fault. `truth_only` says that just what is right was given. `conversation`
    ends with the judged turn. With `alarm_only` all that was said is whether there is to be an alarm: any
    outcome but `fail` and `error` is none. `args` are the check's arguments by name, without the profile.
    `line` counts from 1.
    """

    id: str
    rule: str
    right: Outcome
    documented: Mapping[Profile, Outcome]
    conversation: Conversation
    truth_only: bool = False
    alarm_only: bool = False
    subject_kind: SubjectKind = "reply"
    text: str = ""
    args: Mapping[str, JsonValue] = {}
    why: str = ""
    source: str = ""
    file: str = ""
    line: int = 1

    @property
    def subject(self) -> str | Reply | Conversation:
        """The part that is judged: the last reply, its bare text, or the whole conversation."""
        if self.subject_kind == "text":
            return self.text
        if self.subject_kind == "conversation":
            return self.conversation
        return Reply(self.conversation, len(self.conversation.turns))

    def allows(self, outcome: Outcome, wanted: Outcome) -> bool:
        """Whether the outcome is the wanted one, or as good."""
        if self.alarm_only and outcome is not Outcome.ERROR:
            return (outcome is Outcome.FAIL) is (wanted is Outcome.FAIL)
        return outcome is wanted

    def covers(self, profile: Profile) -> bool:
        """Whether the example has a documented outcome for the profile, or only the truth."""
        return self.truth_only or profile in self.documented


def conversation_of(fields: Mapping[str, Any]) -> Conversation:
    """The conversation of the fields of an example: the turns of `earlier`, and the judged one last.

    An earlier turn is a text, which is a reply to nobody, or an object with the same fields.
    """
    earlier: Sequence[Any] = fields.get("earlier") or ()
    given = [{"text": one} if isinstance(one, str) else one for one in earlier]
    return Conversation(turns=tuple(_turn(number, one) for number, one in enumerate([*given, fields], 1)))


def _turn(number: int, fields: Mapping[str, Any]) -> Turn:
    calls = tuple(_call(place, one) for place, one in enumerate(fields.get("tool_calls") or (), 1))
    messages = [Message("user", fields["user"])] if fields.get("user") is not None else []
    if calls:
        messages.append(Message("assistant", tool_calls=calls))
        messages += [_answer(call) for call in calls if call.answered]
    if fields.get("text") is not None:
        messages.append(Message("assistant", fields["text"]))
    duration = fields.get("duration")
    return Turn(number, tuple(messages), calls, data=fields.get("data"), duration=duration)


def _call(place: int, fields: Mapping[str, Any]) -> ToolCall:
    return ToolCall(
        fields["name"],
        fields.get("arguments") or {},
        fields.get("id") or f"call_{place}",
        result=fields.get("result", UNSET),
        error=fields.get("error"),
        duration=fields.get("duration"),
    )


def _answer(call: ToolCall) -> Message:
    if call.error is not None:
        return Message("tool", call.error, tool_call_id=call.id, is_error=True)
    plain = (
        call.result if isinstance(call.result, str) else msgspec.json.encode(clean_json(call.result)).decode()
    )
    return Message("tool", plain, tool_call_id=call.id)


class CallFields(Closed, frozen=True, kw_only=True):
    """What a call in a row may have."""

    name: str
    arguments: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])
    result: Any = None
    error: str = ""
    id: str = ""
    duration: float = 0


class TurnFields(Closed, frozen=True, kw_only=True):
    """What a turn in a row may have."""

    user: str | None = None
    text: str | None = None
    data: Any = None
    tool_calls: tuple[CallFields, ...] = ()
    duration: float = 0


Earlier = Annotated[str | TurnFields, says("a reply, or an object with user and text")]
"""A turn before the judged one."""
