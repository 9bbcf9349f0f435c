"""Matchers on tool calls."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from grice.matching.argument_types import Text
from grice.matching.calls.count import COUNTS, often, verdict_on_call
from grice.matching.calls.data import CALL_SCHEMA, CALLS_SCHEMA, read_call_tool, read_call_tools
from grice.matching.calls.doubts import with_unseen_errors
from grice.matching.calls.names import meant, name_text, names_text
from grice.matching.calls.order import MAX_CALLS, ORDER_WORDS, ExpectedCalls, Order, verdict_on_calls
from grice.matching.calls.spec import ArgumentMode, ExpectedCall, call, named
from grice.matching.calls.wording import with_turn
from grice.matching.context import Context
from grice.matching.matcher import ArgumentError, matcher
from grice.matching.subjects import calls_of
from grice.matching.verdicts import tool_unheard_of
from grice.records import Conversation, Outcome, Reply, ToolCall, Turn, Verdict
from grice.text import did_you_mean, value_text

MAX_DESCRIBED = 10

Tool = Text | ExpectedCall
Calls = Annotated[Sequence[Tool], Meta(max_length=MAX_CALLS)]


def _call_words(tool: str | ExpectedCall, arguments: Mapping[str, Any]) -> str:
    if isinstance(tool, ExpectedCall):
        _check_call(tool, **arguments)
        count = often(**arguments)
        return tool.words if count is None else f"{tool.words}, {count.words}"
    _refuse_counts(tool, arguments)
    return named(tool, arguments).words


def _check_call(tool: str | ExpectedCall, /, **arguments: object) -> None:
    if not isinstance(tool, ExpectedCall):
        _refuse_counts(tool, arguments)
        named(tool, arguments)
        return
    for name in arguments:
        if name not in COUNTS:
            hint = did_you_mean(name, COUNTS) or "; arguments of the tool go into call(...)"
            found = name_text(name)
            raise ArgumentError(f"beside call(...) stand only {', '.join(COUNTS)}, found {found}{hint}")
    often(**arguments)


def _refuse_counts(name: str, arguments: Mapping[str, object]) -> None:
    """`times=2` beside a name may be meant either way, and read wrong `not_to_call_tool` would pass."""
    for count in COUNTS:
        if count in arguments:
            tool, given = value_text(name), f"{count}={value_text(arguments[count])}"
            raise ArgumentError(
                f"{count} beside a name can mean two things: for a count write call({tool}), {given}, "
                f"for an argument of the tool call({tool}, {given})"
            )


@matcher(
    "toCallTool",
    layer=0,
    describe=lambda tool, /, **arguments: f"call {_call_words(tool, arguments)}",
    check=_check_call,
    read=read_call_tool,
    schema=CALL_SCHEMA,
)
def call_tool(subject: Reply | Turn, ctx: Context, tool: Tool, /, **arguments: object) -> Verdict:
    """The agent called the tool in this turn, with at least these arguments, inside objects too.

    Arguments that are not named may be anything; a named one must be there and hold what is expected: an
    object names what has to be in it, an empty one equals only an empty object, and anything else is equal as
    JSON or by its own `==` (dirty-equals). Instead of a name `call(...)` can be given, then `times`,
    `at_least` and `at_most` count the calls that fit; beside a name these three are refused. A turn without
    calls was examined: it did not call the tool. Failed, client-side and malformed calls count; a malformed
    one whose arguments are asked for is `inconclusive`, unless another call fits. So is a turn whose agent
    failed, or whose model asked for the tool while the agent reported no call of it.
    """
    return _verdict_on_call(subject, ctx, tool, arguments)


@matcher(
    "toHaveCalledTool",
    layer=0,
    describe=lambda tool, /, **arguments: f"have called {_call_words(tool, arguments)}",
    check=_check_call,
    read=read_call_tool,
    schema=CALL_SCHEMA,
)
def have_called_tool(subject: Conversation, ctx: Context, tool: Tool, /, **arguments: object) -> Verdict:
    """Some turn called the tool, with at least these arguments, inside objects too.

    The rules are those of `call_tool`; calls are counted over all turns.
    """
    return with_turn(_verdict_on_call(subject, ctx, tool, arguments))


def _calls_and_turns(subject: Reply | Turn | Conversation) -> tuple[Sequence[ToolCall], Sequence[Turn]]:
    calls = calls_of(subject)
    if isinstance(subject, Conversation):
        turns = subject.turns
    else:
        turns = (subject.turn if isinstance(subject, Reply) else subject,)
    return with_unseen_errors(calls, turns), turns


def _verdict_on_call(
    subject: Reply | Turn | Conversation, ctx: Context, tool: str | ExpectedCall, arguments: Mapping[str, Any]
) -> Verdict:
    calls, turns = _calls_and_turns(subject)
    if isinstance(tool, ExpectedCall):
        expected, count = tool, often(**arguments)
    else:
        expected, count = named(tool, arguments), None
    verdict = verdict_on_call(calls, turns, expected, count)
    why = tool_unheard_of(expected.name, turns, ctx.conversation) if verdict.outcome is Outcome.FAIL else ""
    return replace(
        verdict,
        reason=f"{verdict.reason}; {why}" if why else verdict.reason,
        trivially_true=bool(why),
        detail={"type": "call_tool", "tool": expected.name},
    )


def _check_calls(
    calls: Sequence[str | ExpectedCall],
    /,
    *,
    order: Order = "in_order",
    args: ArgumentMode = "subset",
    forbid: Collection[str] = (),
    only: bool | Collection[str] = False,
) -> None:
    names = {one.name if isinstance(one, ExpectedCall) else one for one in calls}
    for name in forbid:
        if name in names:
            raise ArgumentError(f"{value_text(name)} is expected and forbidden at once")
    if not isinstance(only, bool):
        for name in names:
            if name not in only:
                raise ArgumentError(
                    f"only leaves out {value_text(name)}, which is expected{meant(name, only)}"
                )
    if not calls and order in ("in_order", "superset") and not forbid and only is False:
        raise ArgumentError(
            f"no call is expected, and order={order!r} allows others: there is nothing to check; "
            "for no call at all use order='exact'"
        )


def _describe_calls(
    calls: Sequence[str | ExpectedCall],
    /,
    *,
    order: Order = "in_order",
    args: ArgumentMode = "subset",
    forbid: Collection[str] = (),
    only: bool | Collection[str] = False,
) -> str:
    _check_calls(calls, order=order, args=args, forbid=forbid, only=only)
    asked = _expected_calls(calls, order, args, forbid, only)
    if calls:
        shown = [one.words for one in asked.expected[:MAX_DESCRIBED]]
        shown += [f"... and {len(calls) - MAX_DESCRIBED} more"] if len(calls) > MAX_DESCRIBED else []
        words = f"{ORDER_WORDS[order].format('tools')}: {', '.join(shown)}"
    else:
        words = "no tool" if asked.asks_for_calls else ""
    parts = [words] if words else []
    if calls and args != "subset":
        parts.append("arguments exact" if args == "exact" else "whatever the arguments")
    if asked.forbid:
        parts.append(f"{'none of' if len(asked.forbid) > 1 else 'not'} {names_text(asked.forbid)}")
    if asked.only is not None:
        named_alone = f"no tool but {names_text(asked.only)}" if asked.only else "no tool"
        parts.append("no other tool" if only is True and calls else named_alone)
    return "; ".join(parts)


def _expected_calls(
    calls: Sequence[str | ExpectedCall],
    order: Order,
    args: ArgumentMode,
    forbid: Collection[str],
    only: bool | Collection[str],
) -> ExpectedCalls:
    plain = {one: call(one) for one in calls if isinstance(one, str)}
    expected = tuple(plain[one] if isinstance(one, str) else one for one in calls)
    if isinstance(only, bool):
        allowed = list(dict.fromkeys(one.name for one in expected)) if only else None
    else:
        allowed = _stable(only)
    return ExpectedCalls(expected, order, args, _stable(forbid), allowed)


def _stable(names: Collection[str]) -> list[str]:
    return sorted(names) if isinstance(names, set | frozenset) else list(names)


@matcher(
    "toCallTools",
    layer=0,
    describe=lambda *args, **kwargs: f"call {_describe_calls(*args, **kwargs)}",
    check=_check_calls,
    read=read_call_tools,
    schema=CALLS_SCHEMA,
)
def call_tools(
    subject: Reply | Turn,
    ctx: Context,
    calls: Calls,
    /,
    *,
    order: Order = "in_order",
    args: ArgumentMode = "subset",
    forbid: Collection[Text] = (),
    only: bool | Collection[Text] = False,
) -> Verdict:
    """The agent called these tools in this turn, by default in this order, with others between them.

    `calls` are names or `call(...)`. `order`: `exact` (these and nothing else, in this order), `in_order`,
    `unordered` (these and nothing else), `superset` (at least these), `subset` (nothing but these, each at
    most once). `args` is how arguments are compared, unless a call says it itself: `subset`, `exact` (these
    and no others) or `ignore`. `forbid` are names that must not be called; `only` (True, or names) lets
    nothing else be called. Which call is which expected one is chosen so that as many as possible fit.
    What counts as a call, and what is `inconclusive`, is as for `call_tool`.
    """
    asked = _expected_calls(calls, order, args, forbid, only)
    return verdict_on_calls(*_calls_and_turns(subject), asked)


@matcher(
    "toHaveCalledTools",
    layer=0,
    describe=lambda *args, **kwargs: f"have called {_describe_calls(*args, **kwargs)}",
    check=_check_calls,
    read=read_call_tools,
    schema=CALLS_SCHEMA,
)
def have_called_tools(
    subject: Conversation,
    ctx: Context,
    calls: Calls,
    /,
    *,
    order: Order = "in_order",
    args: ArgumentMode = "subset",
    forbid: Collection[Text] = (),
    only: bool | Collection[Text] = False,
) -> Verdict:
    """The conversation called these tools, by default in this order, with others between them.

    The rules are those of `call_tools`, over the calls of all turns.
    """
    asked = _expected_calls(calls, order, args, forbid, only)
    return with_turn(verdict_on_calls(*_calls_and_turns(subject), asked))
