"""State as a check: what a conversation changed outside of it, in a database or behind an address."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from datetime import date, datetime, time
from decimal import Decimal
from functools import partial
from typing import Any
from uuid import UUID

import msgspec

from grice.identity import redact_text
from grice.matching.context import Context, record_of
from grice.matching.differences import difference_line, differences
from grice.matching.equality import json_equal
from grice.matching.jest.objects import PropertyPath, keys_of, property_of
from grice.matching.matcher import ArgumentError, matcher
from grice.matching.recording import find_recorder
from grice.matching.values import MISSING
from grice.records import (
    JsonValue,
    State,
    StateChange,
    StateReading,
    Verdict,
    clean_json,
    errored,
    failed,
    passed,
)
from grice.text import did_you_mean, shorten, value_text

TIMEOUT = 10.0
"""Seconds that an address has to answer."""

MAX_BYTES = 16_000_000
MAX_CHANGES = 10
WORDS = ("added", "removed", "changed")

Source = Any
"""A function that returns JSON, a connection or engine with a query, an address, or a mapping of these."""


def state(
    source: Source,
    query: str | Mapping[str, str] = "",
    *,
    key: str = "",
    headers: Mapping[str, str] | None = None,
) -> State:
    """Read a state now, to check later what became of it: `expect(orders).to_have_changed({...})`.

    `source` is a function that returns a JSON value; a DB-API connection, or a connection, engine or session
    of SQLAlchemy, with a `query`, or several by name; an address that is asked with GET, with `headers`; or a
    mapping of names to functions and addresses. Rows become a list of objects, with `key` an object by the
    value of that column. A state that cannot be read is an `error` of its checks. Raises TypeError for what
    is no source.
    """
    return State(reader_of(source, query, key=key, headers=headers), too_early=_turns_since())


def reader_of(
    source: Source,
    query: str | Mapping[str, str] = "",
    *,
    key: str = "",
    headers: Mapping[str, str] | None = None,
) -> Callable[[], StateReading]:
    """Make the function that reads a source; it never raises. Raises TypeError for what is no source."""
    return partial(_reading, _read_by(source, query, key, headers))


def _reading(read: Callable[[], object]) -> StateReading:
    try:
        found = read()
        if inspect.isawaitable(found):
            if inspect.iscoroutine(found):
                found.close()
            return StateReading(problem="its function is asynchronous: give one that returns the value")
        return StateReading(clean_json(found))
    except Exception as error:  # somebody's function, database or server
        return StateReading(problem=shorten(redact_text(f"{type(error).__name__}: {error}"), 500))


def _read_by(
    source: Source, query: str | Mapping[str, str], key: str, headers: Mapping[str, str] | None
) -> Callable[[], object]:
    if isinstance(source, str):
        _refuse_beside("an address", query=query, key=key)
        if not source.lower().startswith(("http://", "https://")):
            raise TypeError(
                f"the address of a state begins with http:// or https://, found {value_text(source)}"
            )
        return partial(_get, source, dict(headers or {}))
    _refuse_beside("what is no address", headers=headers)
    connected = _is_sqlalchemy(source) or callable(getattr(source, "cursor", None))
    if connected:
        if not query:
            raise TypeError("a connection needs a query: state(connection, 'select * from orders')")
        return partial(_rows_of, source, query, key)
    _refuse_beside("what is no connection", query=query, key=key)
    if isinstance(source, Mapping):
        readers = {name: _read_by(one, "", "", None) for name, one in source.items()}
        return lambda: {name: read() for name, read in readers.items()}
    if callable(source):
        return source  # type: ignore[no-any-return]
    raise TypeError(
        "a state is read by a function, from a database connection with a query, from an address or from a "
        f"mapping of these, found {value_text(source)}"
    )


def _refuse_beside(what: str, **given: object) -> None:
    for name, value in given.items():
        if value:
            raise TypeError(f"{name} does not go with {what}")


def _turns_since() -> Callable[[], str]:
    """Says whether the conversation of the test went on since now."""
    begun = _turns_taken()

    def too_early() -> str:
        taken = _turns_taken()
        if taken is None or taken > (begun or 0):
            return ""
        return (
            "the conversation has not gone on since state(...) was called: call it before the turn, and "
            "check after it"
        )

    return too_early


def _turns_taken() -> int | None:
    """How many turns the conversation of the running test has; None where there is none yet, or at all."""
    recorder = find_recorder(None)
    record = record_of(getattr(recorder, "conversation", None))
    return None if record is None else len(record.turns)


# -- databases


def _is_sqlalchemy(source: object) -> bool:
    return type(source).__module__.partition(".")[0] == "sqlalchemy"


def _rows_of(source: Any, query: str | Mapping[str, str], key: str) -> object:
    """The rows of the query, or of each query by its name."""
    ask = _ask_sqlalchemy if _is_sqlalchemy(source) else _ask_dbapi
    named = query if isinstance(query, Mapping) else {"": query}
    found = {name: _keyed(rows, key) for name, rows in ask(source, named)}
    return found if isinstance(query, Mapping) else found[""]


def _ask_dbapi(connection: Any, queries: Mapping[str, str]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    for name, query in queries.items():
        with closing(connection.cursor()) as cursor:
            cursor.execute(query)
            columns = [column[0] for column in cursor.description or ()]
            rows = [
                row if isinstance(row, Mapping) else dict(zip(columns, row, strict=True))
                for row in cursor.fetchall()
            ]
            yield name, [_row((), row) for row in rows]


def _row(columns: Sequence[str], row: Any) -> dict[str, Any]:
    values = dict(row) if isinstance(row, Mapping) else dict(zip(columns, row, strict=True))
    return {column: _as_plain_data(value) for column, value in values.items()}


def _ask_sqlalchemy(source: Any, queries: Mapping[str, str]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The rows by a new connection of an engine; a connection's own transaction is left as it was."""
    from sqlalchemy import text

    if hasattr(source, "connect"):
        with source.connect() as connection:
            yield from _ask_sqlalchemy(connection, queries)
        return
    begun = source.in_transaction()
    try:
        for name, query in queries.items():
            rows = source.execute(text(query)).mappings()
            yield name, [_row((), row) for row in rows]
    finally:
        if not begun:
            source.rollback()  # else the next reading might see what this one saw


def _keyed(rows: list[dict[str, Any]], key: str) -> object:
    if not key:
        return rows
    found: dict[str, Any] = {}
    for row in rows:
        if key not in row:
            raise ValueError(f"the rows have no column {key!r}{did_you_mean(key, list(row))}")
        if str(row[key]) in found:
            raise ValueError(f"two rows have {key} {value_text(row[key])}: it is no key")
        found[str(row[key])] = row
    return found


def _as_plain_data(value: object) -> object:
    """A value of a database as JSON has it."""
    if isinstance(value, (datetime, date, time, UUID)):
        return str(value)
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return value.hex() if isinstance(value, (bytes, memoryview)) else value


# -- addresses


def _get(url: str, headers: dict[str, str]) -> object:
    """The JSON that the address answers. Redirects are not followed: they would take the headers along."""
    from urllib.error import HTTPError
    from urllib.parse import urlsplit
    from urllib.request import HTTPRedirectHandler, OpenerDirector, ProxyHandler, Request, build_opener

    class Stay(HTTPRedirectHandler):
        def redirect_request(self, *_: Any, **__: Any) -> None:
            return None

    local = urlsplit(url).hostname in ("localhost", "127.0.0.1", "::1")
    opener: OpenerDirector = build_opener(Stay, *([ProxyHandler({})] if local else []))
    shown = redact_text(url.partition("?")[0])
    request = Request(url, headers={"Accept": "application/json", **headers})  # noqa: S310 - http(s) only
    try:
        with opener.open(request, timeout=TIMEOUT) as response:
            body = response.read(MAX_BYTES + 1)
    except HTTPError as error:
        with suppress(OSError):
            error.close()
        raise ValueError(f"GET {shown} answered {error.code}") from None
    except OSError as error:
        raise ValueError(f"GET {shown}: {getattr(error, 'reason', error)}") from None
    if len(body) > MAX_BYTES:
        raise ValueError(f"GET {shown} answered more than {MAX_BYTES:,} bytes")
    try:
        return json.loads(body)
    except ValueError:
        raise ValueError(
            f"GET {shown} answered no JSON: {shorten(body[:200].decode('utf-8', 'replace'), 100)}"
        ) from None


# -- the matchers


def _check_expected(expected: Mapping[str, object] | None = None, *, only: bool = False) -> None:
    if expected is None:
        if only:
            raise ArgumentError("only: say what is to have changed")
        return
    if not expected:
        raise ArgumentError("expected names no change; toBeUnchanged says that there is none")
    for path, change in expected.items():
        keys_of(path)
        pair = isinstance(change, Sequence) and not isinstance(change, str) and len(change) == 2
        if not pair and change not in WORDS:
            hint = did_you_mean(change, WORDS) if isinstance(change, str) else ""
            raise ArgumentError(
                f"{path}: a change is what was there and what is there now, such as ['open', 'paid'], or "
                f"{', '.join(map(repr, WORDS))}; found {value_text(change)}{hint}"
            )


def _describe_changed(expected: Mapping[str, object] | None = None, *, only: bool = False) -> str:
    if expected is None:
        return "have changed"
    told = ", ".join(f"{path} {_change_words(change)}" for path, change in expected.items())
    return f"have {'only ' if only else ''}changed {told}"


def _change_words(change: object) -> str:
    if isinstance(change, Sequence) and not isinstance(change, str):
        return " -> ".join(map(value_text, change))
    return str(change)


@matcher("toHaveChanged", layer=0, describe=_describe_changed, check=_check_expected)
def have_changed(
    subject: StateChange, ctx: Context, expected: Mapping[str, object] | None = None, *, only: bool = False
) -> Verdict:
    """The state differs from what it was before.

    `expected` says in which way: a path such as `orders.A101.status` with what was there and what is there
    now (null for nothing), or with `added`, `removed` or `changed`. With `only` nothing else may have
    changed. A state that could not be read is an `error`, and so is a path at which nothing was or is, where
    nothing was to be added.
    """
    if problem := _unread(subject):
        return errored(problem)
    before, after = subject.before.value, subject.after.value
    found = list(differences(before, after))
    if expected is None:
        return passed(_difference_lines(found)) if found else failed("it is as it was")
    wrong: list[str] = []
    for path, change in expected.items():
        keys = keys_of(path)
        was, now = _at(before, keys), _at(after, keys)
        if was is MISSING and now is MISSING and not _adds(change):
            return errored(f"there is nothing at {path}, before or after{_nearest(before, after, keys)}")
        if problem := _not_so(path, was, now, change):
            wrong.append(problem)
    if wrong:
        others = f"; changed: {_difference_lines(found)}" if found else "; nothing has changed"
        return failed("; ".join(wrong) + others)
    rest = list(differences(_without(before, expected), _without(after, expected))) if only else []
    if rest:
        return failed(f"something else changed too: {_difference_lines(rest)}")
    return passed(_difference_lines(found))


@matcher("toBeUnchanged", layer=0, describe="be unchanged[ at {paths}]")
def be_unchanged(subject: StateChange, ctx: Context, *paths: PropertyPath) -> Verdict:
    """The state, or what it has at these paths, is as it was before.

    A state that could not be read is an `error`, and so is a path at which nothing was or is.
    """
    if problem := _unread(subject):
        return errored(problem)
    before, after = subject.before.value, subject.after.value
    pairs = [("", before, after)]
    if paths:
        pairs = []
        for path in paths:
            keys = keys_of(path) if isinstance(path, str) else list(path)
            was, now = _at(before, keys), _at(after, keys)
            named = path if isinstance(path, str) else ".".join(map(str, path))
            if was is MISSING and now is MISSING:
                return errored(f"there is nothing at {named}, before or after{_nearest(before, after, keys)}")
            pairs.append((named, was, now))
    found = [one for named, was, now in pairs for one in _changes(named, was, now)]
    if found:
        return failed(_difference_lines(found))
    empty = not any(was for _, was, _ in pairs)
    said = "there was nothing, and there is nothing" if empty else "it is as it was"
    return passed(said, trivially_true=empty)


def _unread(subject: StateChange) -> str:
    if subject.before.problem:
        return f"the state could not be read before: {subject.before.problem}"
    return f"the state cannot be compared: {subject.after.problem}" if subject.after.problem else ""


def _changes(path: str, was: object, now: object) -> Iterator[tuple[str, object, object]]:
    if was is MISSING or now is MISSING:
        yield path, was, now
    else:
        yield from differences(was, now, path)


def _adds(change: Any) -> bool:
    """Whether nothing was to be there before."""
    return change == "added" if isinstance(change, str) else change[0] is None and change[1] is not None


def _not_so(path: str, was: object, now: object, change: Any) -> str:
    """Why a path has not changed as it was to; "" when it has."""
    if isinstance(change, str):
        if was is MISSING and now is MISSING:
            return f"{path} was not added"
        did = "added" if was is MISSING else "removed" if now is MISSING else "changed"
        if did == "changed" and json_equal(was, now):
            return f"{path} is still {value_text(now)}"
        return "" if change in (did, "changed") else f"{path} was {did}"
    old, new = change
    if not _is(was, old):
        return f"{path} was {_value_line(was)}, expected {value_text(old)}"
    if not _is(now, new):
        still = "still " if json_equal(was, now) else ""
        return f"{path} is {still}{_value_line(now)}, expected {value_text(new)}"
    return ""


def _is(value: object, expected: object) -> bool:
    """Whether it is what is expected; null stands for what is not there, too."""
    return expected is None if value is MISSING else json_equal(value, expected)


def _value_line(value: object) -> str:
    return "not there" if value is MISSING else value_text(value)


def _at(value: object, keys: Sequence[str | int]) -> object:
    for key in keys:
        value = property_of(value, key)
        if value is MISSING:
            break
    return value


def _nearest(before: object, after: object, keys: Sequence[str | int]) -> str:
    """The name that was meant, at the first step that leads nowhere."""
    for whole in (after, before):
        value = whole
        for key in keys:
            inside = property_of(value, key)
            if inside is MISSING and isinstance(value, Mapping):
                return did_you_mean(str(key), [str(name) for name in value])
            value = inside
    return ""


def _without(value: JsonValue, paths: Iterable[str]) -> JsonValue:
    """A copy of the value in which what stands at the paths is null or gone."""
    copied: Any = msgspec.json.decode(msgspec.json.encode(value))
    for path in paths:
        *above, last = keys_of(path)
        holder = _at(copied, above)
        if isinstance(holder, dict):
            holder.pop(str(last), None)
        elif isinstance(holder, list) and property_of(holder, last) is not MISSING:
            holder[int(last)] = None
    return copied


def _difference_lines(found: Sequence[tuple[str, object, object]]) -> str:
    lines = [difference_line(*one) for one in found[:MAX_CHANGES]]
    rest = len(found) - MAX_CHANGES
    return "; ".join([*lines, *([f"and {rest} more"] if rest > 0 else [])])
