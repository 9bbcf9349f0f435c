"""A topic: a phase of a conversation, its triggers, and what is expected in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Never

import msgspec

from grice.identity.code import name_of_code
from grice.judging.criterion import Criterion
from grice.matching.matcher import ArgumentError, Matcher, MatcherFactory
from grice.matching.subject_types import RECORDS, VALUES, subject_types
from grice.records import Verdict, clean_text
from grice.text import did_you_mean, value_text
from grice.topics.triggers import TopicError, Trigger, arguments_taken, is_trigger

MAX_TURNS = 10_000
OPTIONS = (
    "characteristic",
    "intent",
    "triggers",
    "expect",
    "evaluate",
    "grounding",
    "forbid_claims",
    "forbid_tools",
    "required",
    "max_turns",
)
_NAME = re.compile(r"[\w-]{1,100}")


class Condition(msgspec.Struct, frozen=True):
    """A function that must hold for every turn of a topic.

    It takes the turn and the conversation up to it, or only the latter (`whole`), and returns True, False or
    a Verdict.
    """

    name: str
    function: Callable[..., object]
    whole: bool = False


TopicCheck = Matcher[Any] | Condition
"""One expectation of a topic, ready to be judged."""

TopicExpectation = (
    Matcher[Any] | Criterion | str | Callable[..., bool | Verdict] | tuple[str, Callable[..., bool | Verdict]]
)
"""What `expect` and `evaluate` of a topic take."""


class Topic(msgspec.Struct, frozen=True, eq=False):
    """A phase of a conversation; `topic(...)` makes one.

    It is never changed, and equal only to itself, so it can be a key of the dict that a graph is made of.
    """

    name: str
    characteristic: str = ""
    intent: str = ""
    triggers: tuple[Trigger, ...] = ()
    expect: tuple[TopicCheck, ...] = ()
    evaluate: tuple[TopicCheck, ...] = ()
    grounding: tuple[str, ...] = ()
    forbid_claims: tuple[str, ...] = ()
    forbid_tools: tuple[str, ...] = ()
    required: bool = False
    max_turns: int | None = None

    def but(self, **options: Any) -> Topic:
        """The same topic with other options, for one graph: `gathering.but(max_turns=3)`. Raises TopicError.

        In that graph name it by its name or by this new value: the one it was made of is another topic.
        """
        given = {name: getattr(self, name) for name in OPTIONS}
        return topic(self.name, **{**given, **options})

    @property
    def hard(self) -> bool:
        """Whether the topic has hard expectations: a test then depends on which turns belong to it."""
        stated = (self.expect, self.grounding, self.forbid_claims, self.forbid_tools, self.required)
        return any(stated) or self.max_turns is not None

    @property
    def judged(self) -> bool:
        """Whether an expectation of the topic needs a judge."""
        checks = (*self.expect, *self.evaluate)
        matchers = [one for one in checks if isinstance(one, Matcher)]
        return bool(self.grounding or self.forbid_claims) or any(one.judged for one in matchers)

    def __repr__(self) -> str:
        return f"<Topic {self.name}>"


def topic(
    name: str,
    characteristic: str = "",
    *,
    intent: str = "",
    triggers: Sequence[Trigger] | Trigger = (),
    expect: Sequence[TopicExpectation] | TopicExpectation = (),
    evaluate: Sequence[TopicExpectation] | TopicExpectation = (),
    grounding: Sequence[str] | str = (),
    forbid_claims: Sequence[str] | str = (),
    forbid_tools: Sequence[str] | str = (),
    required: bool = False,
    max_turns: int | None = None,
    **unknown: Never,
) -> Topic:
    """Make a topic of that name: letters, digits, `_` and `-`.

    `characteristic` says what is typical of it and `intent` what the agent is after in it; a judge that is
    asked for the topic reads both. `triggers` decide without a judge: any of them that fires.

    `expect` (hard) and `evaluate` (soft) are checked on every visit to the topic. They are matchers
    (`call_tool("search")`, `~match("sorry")`), criteria, names of criteria or texts that a judge goes by, and
    functions of (turn, conversation), or of the conversation up to that turn, that hold for every turn; a
    pair (name, function) names one. Of the matchers, those on conversations and tool calls look at all turns
    of the visit together; `match`, `contain`, `start_with`, `end_with` and `equal` want one reply that fits,
    negated none; any other holds for every reply.

    `grounding` are types of claims that have to rest on what tools returned, `forbid_claims` types of claims
    that must not be made without, `forbid_tools` tools that must not be called; all three are hard. A
    `required` topic has to be visited. At most `max_turns` turns may belong to it, all visits together.
    Raises TopicError.
    """
    where = f"topic {value_text(name)}"
    _refuse_name(name)
    _refuse_unknown(where, unknown)
    if not isinstance(required, bool):
        raise TopicError(f"{where}: required is True or False, found {value_text(required)}")
    return Topic(
        name,
        _text(where, "characteristic", characteristic),
        _text(where, "intent", intent),
        _triggers(where, triggers),
        _checks(f"{where}: expect", expect),
        _checks(f"{where}: evaluate", evaluate),
        _names(where, "grounding", "types of claims", grounding),
        _names(where, "forbid_claims", "types of claims", forbid_claims),
        _names(where, "forbid_tools", "names of tools", forbid_tools),
        required,
        _max_turns(where, max_turns),
    )


def _refuse_name(name: object) -> None:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise TopicError(
            f"a topic is named with letters, digits, _ and -{_better_name(name)}, found {value_text(name)}"
        )


def _refuse_unknown(where: str, options: Iterable[str]) -> None:
    for option in options:
        raise TopicError(
            f"{where} has an unknown option {option!r}{did_you_mean(option, OPTIONS)}: "
            f"there are {', '.join(OPTIONS)}"
        )


def _better_name(name: object) -> str:
    if isinstance(name, str) and re.search(r"\w", name) and len(name) <= 100:
        better = re.sub(r"[^\w-]+", "_", name.strip())
        return f", such as {better!r}"
    return ", at most 100 of them"


def _text(where: str, option: str, given: object) -> str:
    if not isinstance(given, str):
        raise TopicError(f"{where}: {option} is a text, found {value_text(given)}")
    return clean_text(" ".join(given.split()))


def _names(where: str, option: str, what: str, given: object) -> tuple[str, ...]:
    listed: list[object] = [given] if isinstance(given, str) else []
    if not isinstance(given, str):
        if not isinstance(given, list | tuple):
            raise TopicError(f"{where}: {option} is a list of {what}, found {value_text(given)}")
        listed = list(given)
    for one in listed:
        if not isinstance(one, str) or not one.strip():
            raise TopicError(f"{where}: {option} is a list of {what}, found {value_text(one)} in it")
    return tuple(dict.fromkeys(str(one) for one in listed))


def _max_turns(where: str, given: object) -> int | None:
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, int) or not 1 <= given <= MAX_TURNS:
        raise TopicError(
            f"{where}: max_turns is a whole number from 1 to {MAX_TURNS:,}, found {value_text(given)}"
        )
    return given


def _triggers(where: str, given: object) -> tuple[Trigger, ...]:
    listed = [given] if is_trigger(given) else given
    if not isinstance(listed, list | tuple):
        raise TopicError(f"{where}: triggers are a list, found {value_text(given)}")
    for one in listed:
        if not is_trigger(one):
            raise TopicError(
                f"{where}: a trigger is made with on_tool_call, on_reply_match, on_user_match, "
                f"after_turns_in or on_condition, found {_describe_wrong_trigger(one)}"
            )
    return tuple(listed)


def _describe_wrong_trigger(value: object) -> str:
    if isinstance(value, MatcherFactory):
        return f"the matcher {value.python_name}, which is not called yet"
    if isinstance(value, Matcher):
        return f"the matcher {value!r}"
    if callable(value):
        name = name_of_code(value)
        return f"{name}: call it, {name}(...)" if name.startswith(("on_", "after_")) else f"function {name}"
    return value_text(value)


def _checks(where: str, given: object) -> tuple[TopicCheck, ...]:
    return tuple(expectation(where, one) for one in _expectation_list(given))


def _expectation_list(given: object) -> Iterable[object]:
    pair = isinstance(given, tuple) and len(given) == 2 and isinstance(given[0], str) and _is_code(given[1])
    return given if isinstance(given, list | tuple) and not pair else [given]


def _is_code(value: object) -> bool:
    return callable(value) and not isinstance(value, Matcher | MatcherFactory | type)


def expectation(where: str, given: object) -> TopicCheck:
    """Check one expectation of a topic; `where` is its place in messages. Raises TopicError."""
    if isinstance(given, Condition):  # of another topic
        return given
    if isinstance(given, MatcherFactory):
        name = given.python_name
        raise TopicError(f"{where} has {name}, which is not yet a matcher: call it, {name}(...)")
    if isinstance(given, Matcher):
        return _fitting(where, given)
    if isinstance(given, tuple) and len(given) == 2 and isinstance(given[0], str) and _is_code(given[1]):
        return _condition(where, given[0].strip(), given[1])
    if callable(given) and _is_code(given):
        return _condition(where, name_of_code(given), given)
    from grice.judging.satisfy_criteria import satisfy

    if isinstance(given, str | Criterion):
        try:
            return satisfy(given)
        except ArgumentError as error:
            raise TopicError(f"{where}: {error}") from None
    raise TopicError(
        f"{where} takes matchers, criteria or their names, and functions of (turn, conversation), "
        f"found {value_text(given)}"
    )


def _fitting(where: str, given: Matcher[Any]) -> Matcher[Any]:
    """The matcher. Raises TopicError for one that judges neither replies nor conversations."""
    types = subject_types(given.factory)
    if types <= VALUES | RECORDS and not types & {"str", "Reply", "Turn", "Conversation"}:
        name = given.factory.python_name
        raise TopicError(f"{where} has {name}, which judges neither replies nor conversations")
    return given


def _condition(where: str, name: str, function: Callable[..., object]) -> Condition:
    taken = arguments_taken(function)
    if not name:
        raise TopicError(f"{where} has a function with an empty name")
    if not taken:
        raise TopicError(f"{where}: {name} takes neither (turn, conversation) nor the conversation alone")
    return Condition(clean_text(name), function, taken == 1)
