"""`pass_lint`: the lint as a matcher."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Annotated, Any, NamedTuple

from grice.checks.message_events import MessageArray
from grice.checks.message_lint.entry import array_of, holds_texts, lint
from grice.checks.message_lint.finding import LintFinding
from grice.checks.message_lint.rules import RULES
from grice.checks.message_lint.texts import MAY_BE_LABEL, is_label, joined_words, repeats
from grice.formats import FormatError
from grice.matching.context import Context
from grice.matching.matcher import ArgumentError, Unsuitable, matcher
from grice.records import (
    Conversation,
    Evidence,
    Exchange,
    JsonValue,
    Reply,
    Turn,
    Verdict,
    failed,
    inconclusive,
    passed,
)
from grice.text import did_you_mean, plural, shorten, value_text

_LISTED = 10
_ONE = "1 message array examined"
_CLEAN = passed(_ONE)

_SYSTEM = ("system", "developer")
_PLAIN_KEYS = frozenset({"model", "messages", "system", "max_tokens", "temperature", "stream", "tools"})

_SHOWN = 12
_LENGTH = 80


class _Judged(NamedTuple):
    """One message array, how a reason calls it, and what was found in it."""

    name: str
    turn: int | None
    messages: Sequence[Any]
    findings: tuple[LintFinding, ...]


def _check_rule(name: str) -> None:
    if name not in RULES:
        raise ArgumentError(
            f"unknown rule {value_text(name)}{did_you_mean(name, RULES)}; see grice lint --rules"
        )


RuleName = Annotated[str, _check_rule]


@matcher(
    "toPassLint",
    layer=2,
    describe="pass the lint of message arrays[warnings? without warnings][, ignoring {ignore!s}]",
)
def pass_lint(
    subject: Exchange | Reply | Turn | Conversation | Mapping[str, JsonValue] | MessageArray,
    ctx: Context,
    *,
    ignore: Collection[RuleName] = (),
    warnings: bool = False,
) -> Verdict:
    """No provider would reject the message array, and the model sees what the user said in this turn.

    Of a Reply, Turn or Conversation every request to the model is judged; a mapping is the body of a request.
    `ignore` names rules that do not count; warnings fail only with `warnings=True`. Nothing to examine (no
    recorded request, an empty list, an array in the format of a log) is `inconclusive`. In the reason every
    finding says where, why, and how it is mended.
    """
    if not ignore and isinstance(subject, Exchange) and is_clean(subject, ctx.turn, ctx.earlier_turns()):
        return _CLEAN  # as nearly every request of a golden
    try:
        judged = [_without(one, ignore) for one in _judged(subject, ctx)]
    except FormatError as error:
        return inconclusive(str(error))
    if not judged:
        return inconclusive(_nothing(subject))
    faulty = [one for one in judged if one.findings]
    count = _ONE if len(judged) == 1 else f"{len(judged)} message arrays examined"
    if not faulty:
        return passed(count)
    found = [(one, finding) for one in faulty for finding in one.findings]
    counting = [pair for pair in found if warnings or pair[1].severity == "error"]
    evidence = tuple(_evidence(one, finding) for one, finding in (counting or found)[:_LISTED])
    if not counting:
        named = "; ".join(f"{finding.rule} at {finding.path}" for _, finding in found[:_LISTED])
        return passed(f"{count}; warnings: {named}", evidence=evidence)
    return failed("\n".join(_reason(count, found, faulty)), evidence=evidence)


def _judged(subject: object, ctx: Context) -> Iterator[_Judged]:
    if isinstance(subject, Exchange):
        yield from _of_exchange(subject, ctx.turn, ctx.earlier_turns(), "the request")
    elif isinstance(subject, Reply):
        yield from _of_turn(subject.turn, ctx.earlier_turns(), alone=True)
    elif isinstance(subject, Turn):
        yield from _of_turn(subject, ctx.earlier_turns(), alone=True)
    elif isinstance(subject, Conversation):
        for number, turn in enumerate(subject.turns):
            yield from _of_turn(turn, subject.turns[:number], alone=False)
    elif isinstance(subject, Mapping):
        if not holds_texts(subject):
            yield _Judged("the request", None, _rows(array_of(subject)[1]), lint(subject))
    elif isinstance(subject, Sequence) and not isinstance(subject, str | bytes):
        if subject:
            yield _Judged("the array", None, subject, lint(subject))
    else:
        kind = type(subject).__name__
        expected = "an Exchange, a Reply, a Turn, a Conversation, a request or a list of messages"
        raise Unsuitable(f"{expected}, found {kind}")


def _of_turn(turn: Turn, earlier: tuple[Turn, ...], *, alone: bool) -> Iterator[_Judged]:
    for number, exchange in enumerate(turn.exchanges, start=1):
        name = f"request {number}" if alone else f"turn {turn.number}, request {number}"
        yield from _of_exchange(exchange, turn, earlier, name)


def _of_exchange(
    exchange: Exchange, turn: Turn | None, earlier: tuple[Turn, ...], name: str
) -> Iterator[_Judged]:
    if exchange.dialect == "openai_embeddings":
        return
    number = turn.number if turn is not None else exchange.turn
    yield _Judged(name, number, _rows(array_of(exchange.request)[1]), _found_in(exchange, turn, earlier))


def is_clean(exchange: Exchange, turn: Turn | None, earlier: tuple[Turn, ...] = ()) -> bool:
    """Whether the lint finds nothing at all in a request of that turn, before which there were `earlier`."""
    if exchange.dialect == "openai_embeddings":
        return False
    if turn is not None and is_plain(exchange, turn.user):
        return True
    try:
        return not _found_in(exchange, turn, earlier)
    except FormatError:
        return False


def _found_in(exchange: Exchange, turn: Turn | None, earlier: tuple[Turn, ...]) -> tuple[LintFinding, ...]:
    if turn is None:
        return lint(exchange)
    calls = {call.id for call in turn.tool_calls if call.id} if turn.tool_calls else None
    return lint(exchange, None, turn.user or None, calls or None, earlier)


def _rows(messages: object) -> Sequence[Any]:
    return messages if isinstance(messages, list | tuple) else ()


def _without(judged: _Judged, ignore: Collection[str]) -> _Judged:
    if not ignore or not judged.findings:
        return judged
    return judged._replace(findings=tuple(one for one in judged.findings if one.rule not in ignore))


def _nothing(subject: object) -> str:
    if isinstance(subject, Reply | Turn | Conversation):
        return "no request to the model was recorded"
    if isinstance(subject, Exchange | Mapping):
        return "it holds texts to embed, no messages"
    return "the list is empty"


def _evidence(judged: _Judged, finding: LintFinding) -> Evidence:
    return Evidence(finding.found, turn=judged.turn, path=finding.path, note=finding.rule)


def _reason(count: str, found: list[tuple[_Judged, LintFinding]], faulty: list[_Judged]) -> list[str]:
    """The findings with why and how to mend them, and each faulty array with its faulty messages marked."""
    if count == _ONE:  # the claim names it
        return _array_lines(faulty[0], faulty[0].findings[:_LISTED])
    errors = sum(finding.severity == "error" for _, finding in found)
    lines = [f"{plural(errors, 'error')}, {plural(len(found) - errors, 'warning')}; {count}"]
    listed = 0
    for one in faulty:
        if listed >= _LISTED:
            break
        shown = one.findings[: _LISTED - listed]
        listed += len(shown)
        lines += [f"{one.name}:", *(f"  {row}" for row in _array_lines(one, shown))]
    return [*lines, f"and {len(found) - listed} more"] if len(found) > listed else lines


def _array_lines(judged: _Judged, shown: Sequence[LintFinding]) -> list[str]:
    lines: list[str] = []
    for finding in shown:
        lines.append(f"{finding.path}: {finding.severity} {finding.rule}: {finding.found}")
        lines.append(f"  why: {finding.why}")
        lines.append(f"  fix: {finding.fix}")
    if len(judged.findings) > len(shown):
        lines.append(f"and {len(judged.findings) - len(shown)} more")
    marked = {finding.index for finding in judged.findings if finding.index is not None}
    return lines + _shown_array(judged.messages, marked)


def is_plain(exchange: Exchange, user: str) -> bool:
    """Whether a request holds nothing but texts of user and assistant in turn, as most do, and ends with what
    the user said.

    It is the quick way to say that the lint finds nothing; False says nothing.
    """
    request = exchange.request
    messages, system = request.get("messages"), request.get("system")
    if messages.__class__ is not list or not messages or not request.keys() <= _PLAIN_KEYS:
        return False
    if system is not None and system.__class__ is not str:
        return False
    if "tools" in request and not _are_sound(request["tools"]):
        return False
    prompt = joined_words(system) if system else ""
    expected, text = "user", None
    for message in messages:
        if message.__class__ is not dict or len(message) != 2:
            return False
        role, text = message.get("role"), message.get("content")
        if text.__class__ is not str or not text or text.isspace():
            return False
        if role in _SYSTEM and message is messages[0] and exchange.dialect == "openai_chat":
            prompt = joined_words(text)
            continue
        if role != expected or (prompt and repeats(prompt, text)):
            return False
        if text[0] in MAY_BE_LABEL and is_label(text):
            return False
        expected = "assistant" if role == "user" else "user"
    return expected == "assistant" and text == user


def _are_sound(tools: JsonValue) -> bool:
    """Whether the schema of every offered tool is an object, and so are its properties."""
    if tools.__class__ is not list:
        return False
    for tool in tools:
        if tool.__class__ is not dict:
            return False
        held = tool.get("function", tool)
        if held.__class__ is not dict:
            return False
        schema = held.get("input_schema", held.get("parameters"))
        if (
            schema is None
            or schema.__class__ is not dict
            or schema.get("properties", schema).__class__ is not dict
        ):
            return False
    return True


def _shown_array(messages: Sequence[Any], marked: Collection[int]) -> list[str]:
    """A line for each message, `>` before those marked; of a long array only what is around them."""
    total = len(messages)
    wanted = set(range(total))
    if total > _SHOWN:
        near = sorted({n for index in marked for n in (index - 1, index, index + 1) if 0 <= n < total})
        wanted = set(near[:_SHOWN] or range(total - _SHOWN, total))
    rows: list[str] = []
    left_out = 0
    for index, message in enumerate(messages):
        if index not in wanted:
            left_out += 1
            continue
        if left_out:
            rows.append(f"      ... {left_out} more")
        left_out = 0
        sign = ">" if index in marked else " "
        rows.append(f"{sign} {index:>3}  {_speaker(message):<10}  {_content(message)}")
    return rows + ([f"      ... {left_out} more"] if left_out else [])


def _speaker(message: JsonValue) -> str:
    if not isinstance(message, dict):
        return "?"
    known = message.get("role") or message.get("type")
    return value_text(known)[1:-1][:20] if isinstance(known, str) else "?"


def _content(message: JsonValue) -> str:
    if not isinstance(message, dict):
        return _short(message)
    content = message.get("content")
    blocks = content if isinstance(content, list | tuple) else [content] if content else []
    parts = [_block(block) for block in blocks]
    calls = message.get("tool_calls")
    parts += [_block(call) for call in calls] if isinstance(calls, list | tuple) else []
    if message.get("role") == "tool" or message.get("type") in ("function_call", "function_call_output"):
        parts = [_block(message)]
    return shorten(" ".join(parts), 2 * _LENGTH) if parts else "nothing"


def _block(block: JsonValue) -> str:
    if not isinstance(block, dict):
        return _short(block)
    text = block.get("text")
    if isinstance(text, str):
        return _short(text)
    held = block.get("function")
    named = held if isinstance(held, dict) else block
    answers = block.get("tool_use_id") or block.get("tool_call_id")
    if answers or block.get("type") == "function_call_output":
        said = block.get("content", block.get("output"))
        return f"result of {_id(answers or block.get('call_id'))}: {_short(said)}"
    if "name" in named:
        arguments = named.get("input", named.get("arguments"))
        return f"-> {_id(named['name'])} {_id(block.get('call_id') or block.get('id'))} {_short(arguments)}"
    return _short(block)


def _id(value: JsonValue) -> str:
    shown = shorten(value_text(value), 60)
    return shown[1:-1] if isinstance(value, str) and shown[:1] == shown[-1:] else shown


def _short(value: JsonValue) -> str:
    return (
        value_text(shorten(value, _LENGTH)) if isinstance(value, str) else shorten(value_text(value), _LENGTH)
    )
