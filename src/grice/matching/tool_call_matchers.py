"""Matchers on tool calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grice.matching.context import Context
from grice.matching.equality import json_equal
from grice.matching.matcher import matcher
from grice.matching.subjects import calls_of
from grice.matching.transcript import call_text
from grice.records import (
    Conversation,
    Evidence,
    Outcome,
    Reply,
    ToolCall,
    Turn,
    Verdict,
    errored,
    failed,
    inconclusive,
    passed,
)
from grice.text import did_you_mean, shorten, value_text

__all__ = ["call_tool", "have_called_tool"]


def _call_words(name: str, arguments: Mapping[str, object]) -> str:
    return f"{name}({', '.join(f'{key}={value_text(value)}' for key, value in arguments.items())})"


def _describe_call(name: str, /, **arguments: object) -> str:
    return f"call {_call_words(name, arguments) if arguments else name}"


@matcher("toCallTool", describe=_describe_call)
def call_tool(subject: Reply | Turn, ctx: Context, name: str, /, **arguments: object) -> Verdict:
    """The agent called the tool in this turn, with at least these arguments.

    Arguments that are not named may be anything; a named one must be there and be equal, by JSON equality
    or by its own `==` (dirty-equals). A turn without calls was examined: it did not call the tool. Failed,
    client-side and malformed calls count; a malformed one whose arguments are asked for is `inconclusive`,
    unless another call fits. So is a turn whose agent failed, or whose model asked for the tool while the
    agent reported no call of it. Source: seed 003, section 3.2.
    """
    calls = calls_of(subject)
    return _verdict_on_calls(
        calls, name, arguments, (subject.turn if isinstance(subject, Reply) else subject,)
    )


def _describe_called(name: str, /, **arguments: object) -> str:
    return f"have called {_call_words(name, arguments) if arguments else name}"


@matcher("toHaveCalledTool", describe=_describe_called)
def have_called_tool(subject: Conversation, ctx: Context, name: str, /, **arguments: object) -> Verdict:
    """Some turn of the conversation called the tool, with at least these arguments.

    The rules are those of `call_tool`.
    """
    return _verdict_on_calls(calls_of(subject), name, arguments, subject.turns)


def _verdict_on_calls(
    calls: Sequence[ToolCall], name: str, arguments: Mapping[str, object], turns: Sequence[Turn]
) -> Verdict:
    if not isinstance(name, str) or not name:
        return errored(f"the name of a tool is a text that is not empty, found {value_text(name)}")
    verdict = _verdict_on_known(calls, name, arguments)
    doubt = _doubt(turns, name) if verdict.outcome is Outcome.FAIL else None
    return verdict if doubt is None else inconclusive(f"{doubt}; {verdict.reason}")


def _doubt(turns: Sequence[Turn], name: str) -> str | None:
    """Why a call that is not on record may have been made all the same."""
    for turn in turns:
        if turn.failure is not None:
            return f"the agent failed in turn {turn.number}, and what it did there may not be known"
        reported = any(call.name == name for call in turn.tool_calls)
        if not reported and any(name in exchange.asked_tools for exchange in turn.exchanges):
            return f"in turn {turn.number} the model asked for {name}, and the agent reported no call of it"
    return None


def _verdict_on_known(calls: Sequence[ToolCall], name: str, arguments: Mapping[str, object]) -> Verdict:
    if not calls:
        return failed("no tool was called")
    same_name = [call for call in calls if call.name == name]
    for call in same_name:
        if not arguments or (call.raw_arguments is None and not _mismatches(call, arguments)):
            written = call_text(call)
            return passed(f"called {written}", evidence=(Evidence(written),))
    if not same_name:
        called = list(dict.fromkeys(call.name for call in calls))
        return failed(
            f"called only: {shorten(', '.join(called), 1_000)}{did_you_mean(name, called)}",
            evidence=tuple(Evidence(call_text(call)) for call in calls[:20]),
        )
    for position, call in enumerate(same_name, 1):
        if call.raw_arguments is not None:
            raw = value_text(call.raw_arguments)
            return inconclusive(
                f"the arguments of {name} #{position} are not a JSON object: {raw}",
                evidence=(Evidence(call_text(call)),),
            )
    nearest = min(same_name, key=lambda call: len(_mismatches(call, arguments)))
    position = next(place for place, call in enumerate(same_name, 1) if call is nearest)
    return failed(_nearest_text(nearest, position, arguments), evidence=(Evidence(call_text(nearest)),))


def _mismatches(call: ToolCall, arguments: Mapping[str, object]) -> list[str]:
    return [
        key
        for key, expected in arguments.items()
        if key not in call.arguments or not json_equal(call.arguments[key], expected)
    ]


def _nearest_text(call: ToolCall, position: int, arguments: Mapping[str, object]) -> str:
    parts = [f"nearest call: {call.name} #{position}"]
    wrong = _mismatches(call, arguments)
    for key, expected in arguments.items():
        if key not in call.arguments:
            parts.append(f"{key} missing, expected {value_text(expected)}")
        elif key in wrong:
            parts.append(f"{key} {value_text(call.arguments[key])}, expected {value_text(expected)}")
        else:
            parts.append(f"{key} {value_text(call.arguments[key])} ok")
    return "   ".join(parts)
