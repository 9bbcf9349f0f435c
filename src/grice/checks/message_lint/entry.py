"""`grice.lint_messages`: which dialect an array has, and one pass over it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, get_args

import msgspec

from grice.checks.message_events import MessageArray
from grice.checks.message_lint.anthropic import read_anthropic
from grice.checks.message_lint.chat import read_chat
from grice.checks.message_lint.current_user_message import judge_asking
from grice.checks.message_lint.dialects import dialect_of, told_by
from grice.checks.message_lint.finding import Dialect, LintFinding
from grice.checks.message_lint.inputs import judge_nested
from grice.checks.message_lint.lint_state import ForeignObject, Scan, kind_of
from grice.checks.message_lint.order import judge_order, judge_pairs
from grice.checks.message_lint.other_api import judge_array, refuse_format
from grice.checks.message_lint.responses import read_responses
from grice.checks.message_lint.schemas import check_schemas
from grice.records import Exchange, JsonValue, Turn, clean_json
from grice.text import did_you_mean

DIALECTS: tuple[Dialect, ...] = get_args(Dialect)

_NAMED: dict[str, Dialect] = {name: name for name in DIALECTS}
_READERS = {"anthropic": read_anthropic, "openai_chat": read_chat, "openai_responses": read_responses}
_STORED = ("previous_response_id", "conversation", "prompt")
_ASKING = ("max_tokens", "max_completion_tokens", "max_output_tokens", "tools", "tool_choice", "stream")
_TELLING = frozenset({"missing-role", "unknown-role", "malformed-content", "unknown-item", "empty-content"})
_NO_REQUEST: dict[str, JsonValue] = {}


def lint_messages(
    subject: Exchange | Mapping[str, JsonValue] | MessageArray,
    *,
    dialect: Dialect | None = None,
    user: str | None = None,
) -> tuple[LintFinding, ...]:
    """Find what is wrong with a message array: what a provider rejects, and what misleads a model.

    `subject` is a request (an Exchange or its body, with `messages` or `input`) or the array alone, in the
    shape of Anthropic, OpenAI Chat or OpenAI Responses: `dialect` names it, else the content tells. `user` is
    what the user said in this turn; with it a request is also judged on whether the model sees that. Raises
    TypeError for another subject, and ValueError for an unknown dialect and for an array in the format of a
    log or framework that is sent to no API (LangChain, ADK, OpenTelemetry, tau2).
    """
    if dialect is not None and dialect not in DIALECTS:
        hint = did_you_mean(dialect, DIALECTS) if isinstance(dialect, str) else ""
        raise ValueError(f"unknown dialect {dialect!r}{hint}; expected one of {', '.join(DIALECTS)}")
    return lint(subject, dialect, user)


def lint(
    subject: object,
    dialect: Dialect | None = None,
    user: str | None = None,
    calls: Collection[str] | None = None,
    earlier: Sequence[Turn] = (),
) -> tuple[LintFinding, ...]:
    """Lint a request or array, with the ids of this turn's `calls` where known and the `earlier` turns."""
    try:
        return _linted(subject, dialect, (user, calls, earlier))
    except ForeignObject:
        if isinstance(subject, Exchange):
            subject = msgspec.structs.replace(subject, request=clean_json(subject.request))
        else:
            subject = clean_json(subject)
        return _linted(subject, dialect, (user, calls, earlier))


_Said = tuple[
    str | None, Collection[str] | None, Sequence[Turn]
]  # the user, this turn's calls, earlier turns


def _linted(subject: object, dialect: Dialect | None, said: _Said) -> tuple[LintFinding, ...]:
    if isinstance(subject, Exchange):
        named = dialect or _NAMED.get(subject.dialect)
        if subject.dialect == "openai_embeddings" or (not named and holds_texts(subject.request)):
            return ()
        return _lint_request(subject.request, named, said, asks=True)
    if isinstance(subject, Mapping):
        if not dialect and holds_texts(subject):
            return ()
        return _lint_request(subject, dialect, said, asks=_asks(subject))
    if isinstance(subject, Sequence) and not isinstance(subject, str | bytes):
        told = dialect or told_by(subject) or "openai_chat"
        base = "input" if told == "openai_responses" else "messages"
        scan = Scan(told, base, _NO_REQUEST, *said)
        scan.told = dialect is None
        if not subject:
            scan.found("no-messages", None, base, "an empty list")
            return tuple(scan.findings)
        return _lint_array(scan, subject, asks=False)
    raise TypeError(f"a request or a list of messages is linted, found {type(subject).__name__}")


def _asks(request: Mapping[str, JsonValue]) -> bool:
    """Whether a mapping is a request for a reply, and not a logged conversation."""
    return any(key in request for key in _ASKING) or ("model" in request and "id" not in request)


def array_of(request: Mapping[str, JsonValue]) -> tuple[str, JsonValue]:
    """The message array of a request as it is, and the field that holds it."""
    base = "messages" if request.get("messages") is not None or "input" not in request else "input"
    held = request.get(base)
    return base, [{"role": "user", "content": held}] if base == "input" and isinstance(held, str) else held


def holds_texts(request: Mapping[str, JsonValue]) -> bool:
    """Whether a body asks for embeddings of texts, and so has no messages."""
    if "input" not in request or request.get("messages") is not None:
        return False
    held = request["input"]
    if "encoding_format" in request or "embedding" in str(request.get("model")):
        return True
    return isinstance(held, list | tuple) and bool(held) and all(isinstance(one, str) for one in held)


def _lint_request(
    request: Mapping[str, JsonValue], dialect: Dialect | None, said: _Said, *, asks: bool
) -> tuple[LintFinding, ...]:
    base, messages = array_of(request)
    rows = messages if isinstance(messages, list | tuple) else ()
    scan = Scan(dialect or dialect_of(request, base, rows) or "openai_chat", base, request, *said)
    scan.told = dialect is None
    if request.get("tools"):
        check_schemas(scan, request["tools"])
    if rows:
        return _lint_array(scan, rows, asks=asks)
    if messages is None or isinstance(messages, list | tuple):
        if not any(request.get(key) for key in _STORED):
            found = f"`{base}` is {kind_of(messages)}" if base in request else f"no `{base}`"
            scan.found("no-messages", None, base, found)
    else:
        scan.foreign(messages)
        scan.found("messages-not-list", None, base, kind_of(messages), value=messages)
    return tuple(scan.findings)


def _lint_array(scan: Scan, messages: Sequence[Any], *, asks: bool) -> tuple[LintFinding, ...]:
    dialect = scan.dialect
    if scan.told and messages[0].__class__ is dict and "turn_idx" in messages[0]:
        refuse_format(messages)
    _READERS[dialect](scan, messages)
    if dialect == "openai_responses":
        scan.begins = not _refers_back(scan.request, messages)
    if scan.open or scan.loose_calls or scan.loose_results:
        judge_pairs(scan)
    if scan.begins:
        judge_asking(scan, messages, asks=asks)
    judge_order(scan, asks=asks)
    if scan.nested:
        judge_nested(scan)
    if not scan.findings:
        return ()
    if scan.told and any(one.rule in _TELLING for one in scan.findings):
        refuse_format(messages)
    judge_array(scan, messages, asks=asks)
    return tuple(sorted(scan.findings, key=lambda one: -1 if one.index is None else one.index))


def _refers_back(request: Mapping[str, JsonValue], items: Sequence[Any]) -> bool:
    """Whether a Responses request has more before it than it says."""
    return any(request.get(key) for key in _STORED) or any(
        isinstance(item, dict) and item.get("type") in ("item_reference", "compaction") for item in items
    )
