"""Triggers: what shows in a turn, without asking a model, that it belongs to a topic."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Protocol, TypeGuard

import msgspec

from grice.identity.code import name_of_code
from grice.matching.calls.count import verdict_on_call
from grice.matching.calls.fit import Fit, fit_of
from grice.matching.calls.spec import ExpectedCall, named
from grice.matching.limits import limits_in_force
from grice.matching.matcher import ArgumentError
from grice.records import Conversation, Turn, clean_text
from grice.text import shorten, value_text

MAX_PATTERN = 200


class TopicError(ValueError):
    """A topic or trigger was given wrong arguments."""

    __module__ = "grice"


class TriggerBroken(Exception):
    """A trigger gave no answer; the text says why."""


class Trigger(Protocol):
    """Decides whether the last turn of a conversation belongs to a topic.

    `words` say when it does, as a clause: "the agent calls search". `of_turn` says that it looks at the turn
    alone, so that it tells where the conversation is wherever it was before.
    """

    @property
    def words(self) -> str: ...  # noqa: D102
    @property
    def of_turn(self) -> bool: ...  # noqa: D102

    def fires(self, turn: Turn, conversation: Conversation) -> bool:
        """Whether the trigger fires on `turn`, the last of the conversation. May raise what user
        code raises.
        """
        ...


def is_trigger(value: object) -> TypeGuard[Trigger]:
    """Whether the value is a trigger, and not a class or function that makes one."""
    return callable(getattr(value, "fires", None)) and not isinstance(value, type)


class _OnToolCall(msgspec.Struct, frozen=True):
    call: ExpectedCall
    words: str
    of_turn: bool = True

    def fires(self, turn: Turn, conversation: Conversation) -> bool:  # noqa: ARG002
        fits = [fit_of(self.call, one, "subset") for one in turn.tool_calls]
        if Fit.BROKEN in fits and Fit.FITS not in fits:
            raise TriggerBroken(verdict_on_call(turn.tool_calls, (turn,), self.call).reason)
        return Fit.FITS in fits


class _OnMatch(msgspec.Struct, frozen=True):
    pattern: Any
    by_user: bool
    most: int
    words: str
    of_turn: bool = True

    def fires(self, turn: Turn, conversation: Conversation) -> bool:  # noqa: ARG002
        text = clean_text(turn.user if self.by_user else turn.full_text)
        return self.pattern.search(text[: self.most]) is not None


class _AfterTurnsIn(msgspec.Struct, frozen=True):
    topic: str
    count: int
    words: str
    of_turn: bool = False

    def fires(self, turn: Turn, conversation: Conversation) -> bool:
        spent = sum(one.topic == self.topic for one in conversation.turns if one.number < turn.number)
        return spent >= self.count


class _OnCondition(msgspec.Struct, frozen=True):
    condition: Callable[..., object]
    whole: bool
    words: str
    of_turn: bool = False

    def fires(self, turn: Turn, conversation: Conversation) -> bool:
        answer = self.condition(conversation) if self.whole else self.condition(turn, conversation)
        if isinstance(answer, Coroutine):
            answer.close()
            raise TriggerBroken("it is async: a condition is a plain function")
        if answer is True or answer is False:
            return answer
        raise TriggerBroken(f"it returned {value_text(answer)}, expected True or False")


def on_tool_call(tool: str | ExpectedCall, /, **arguments: object) -> Trigger:
    """Fires when the agent calls the tool in the turn, with at least these arguments.

    The rules are those of `call_tool`: named arguments must be there and equal as JSON or by their own `==`
    (dirty-equals), others may be anything; `call(...)` asks for more. Raises TopicError.
    """
    try:
        if isinstance(tool, ExpectedCall):
            if arguments:
                raise ArgumentError(f"beside call(...) stand no arguments, found {', '.join(arguments)}")
            expected = tool
        elif not isinstance(tool, str) or not tool:
            raise ArgumentError(f"a tool is a name that is not empty, or call(...), found {value_text(tool)}")
        else:
            expected = named(tool, arguments)
    except ArgumentError as error:
        raise TopicError(f"on_tool_call: {error}") from None
    return _OnToolCall(expected, f"the agent calls {expected.words}")


def on_reply_match(pattern: str, flags: str = "") -> Trigger:
    """Fires when something that the agent says in the turn matches the pattern.

    Patterns are those of `match`: JavaScript's, on RE2, with the flags i, m, s and u. Raises TopicError that
    says what is wrong with one, and where.
    """
    return _on_match("on_reply_match", pattern, flags, by_user=False)


def on_user_match(pattern: str, flags: str = "") -> Trigger:
    """Fires when what the user says matches the pattern, see `on_reply_match`. Raises TopicError."""
    return _on_match("on_user_match", pattern, flags, by_user=True)


def _on_match(name: str, pattern: object, flags: object, *, by_user: bool) -> Trigger:
    if not isinstance(pattern, str) or not isinstance(flags, str):
        wrong = flags if isinstance(pattern, str) else pattern
        raise TopicError(f"{name}: pattern and flags are texts, found {value_text(wrong)}")
    if not pattern:
        raise TopicError(f"{name}: an empty pattern matches everything")
    from grice.matching.patterns import PatternError, compile_pattern

    limits = limits_in_force()
    try:
        compiled = compile_pattern(
            pattern,
            flags,
            max_source=limits.regex_max_source_len,
            allowed_flags=limits.regex_allowed_flags,
        )
    except PatternError as error:
        raise TopicError(f"{name}: {error}") from None
    words = f"the {'user' if by_user else 'agent'} says /{shorten(pattern, MAX_PATTERN)}/{flags}"
    return _OnMatch(compiled, by_user, limits.regex_max_test_str_len, words)


def after_turns_in(topic: Any, *, count: int) -> Trigger:
    """Fires when at least `count` turns before this one belong to the topic, all visits to it together.

    `topic` is a Topic or its name. Raises TopicError.
    """
    name = topic if isinstance(topic, str) else getattr(topic, "name", None)
    if not isinstance(name, str) or not name:
        raise TopicError(f"after_turns_in: expected a topic or its name, found {value_text(topic)}")
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise TopicError(
            f"after_turns_in: count is a whole number of turns from 1 up, found {value_text(count)}"
        )
    turns = "turn" if count == 1 else "turns"
    return _AfterTurnsIn(name, count, f"after {count} {turns} in {name}")


def on_condition(condition: Callable[..., bool], *, name: str = "") -> Trigger:
    """Fires when the function returns True; it takes (turn, conversation), or the conversation alone.

    The conversation ends with the turn. `name` is what reports call it. Raises TopicError.
    """
    taken = arguments_taken(condition)
    if not taken:
        raise TopicError(
            "on_condition: expected a function of (turn, conversation) or (conversation), "
            f"found {value_text(condition)}"
        )
    return _OnCondition(condition, taken == 1, f"{clean_text(name) or name_of_code(condition)} holds")


def arguments_taken(function: object) -> int:
    """2 for a function that can take two arguments, 1 for one that can take one, else 0."""
    if not callable(function) or isinstance(function, type):
        return 0
    import inspect

    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # some built-in functions have none
        return 2
    for count in (2, 1):
        try:
            signature.bind(*(None,) * count)
        except TypeError:
            continue
        return count
    return 0
