"""Types of columns for text of any kind, moments and JSON, the same on SQLite and PostgreSQL."""

from __future__ import annotations

import hashlib
import json
import re
from datetime import UTC, datetime
from typing import Any

import msgspec
from sqlalchemy import DateTime, Dialect, Text
from sqlalchemy.types import String, TypeDecorator, TypeEngine, UserDefinedType

from grice.identity import canonical_json
from grice.records import JsonValue

LONGEST_ID = 200
"""Characters of an id; the columns of ids and names take 255."""

_MARK = "\x1a"
_UNSTORABLE = re.compile("[\x00\x1a\ud800-\udfff]")
_ESCAPED = re.compile("\x1a([0-9a-f]{4})")


def escaped(text: str) -> str:
    """Escape a text for both databases: NUL and half a surrogate pair become U+001A and four hex digits."""
    if _UNSTORABLE.search(text) is None:
        return text
    return _UNSTORABLE.sub(lambda found: f"{_MARK}{ord(found[0]):04x}", text)


def unescaped(text: str) -> str:
    """Undo `escaped`."""
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text) if _MARK in text else text


class Stored(TypeDecorator[str]):
    """Text of any kind, given back as it was."""

    impl = Text
    cache_ok = True

    def __init__(self, length: int | None = None) -> None:
        super().__init__()
        self.length = length

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """A string of a length, or text."""
        return dialect.type_descriptor(Text() if self.length is None else String(self.length))

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        """The text as it is stored."""
        return None if value is None else escaped(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        """The text as it was."""
        return None if value is None else unescaped(value)


class Moment(TypeDecorator[datetime]):
    """A moment in UTC: `timestamptz` on PostgreSQL, text that sorts on SQLite.

    There Knex may have written milliseconds since 1970 as a number, which are read too.
    """

    impl = DateTime
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Text, or a time with its zone."""
        sqlite = dialect.name == "sqlite"
        return dialect.type_descriptor(Text() if sqlite else DateTime(timezone=True))

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> Any:
        """The moment as it is stored."""
        if value is None or dialect.name != "sqlite":
            return value
        return f"{value.astimezone(UTC):%Y-%m-%d %H:%M:%S.%f}"

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """The moment, with its zone."""
        if value is None or isinstance(value, datetime):
            return value if value is None or value.tzinfo else value.replace(tzinfo=UTC)
        if isinstance(value, int | float) or str(value).isdigit():
            return datetime.fromtimestamp(int(value) / 1_000, UTC)
        moment = datetime.fromisoformat(str(value))
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


class JsonText(UserDefinedType[str]):
    """JSON as a text, also where PromptKitchen's server made the column one of PostgreSQL's type `json`."""

    cache_ok = True

    def get_col_spec(self, **kw: Any) -> str:  # noqa: ARG002
        """The type of the column; a value is sent without one, so that either takes it."""
        return "TEXT"

    def result_processor(self, dialect: Dialect, coltype: object) -> Any:  # noqa: ARG002
        """What makes the text of a value that psycopg has read already, as of a column of `json`."""
        return lambda value: value if value is None or isinstance(value, str) else json_text(value)


def exact_text(value: JsonValue) -> str:
    """Write a value as JSON in ASCII; `exact_value` reads exactly this value.

    The order of names, 1.0 and whole numbers of any size stay, which canonical JSON changes.
    """
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def exact_value(text: str) -> Any:
    """Read what `exact_text` wrote."""
    return json.loads(text)


def json_text(value: JsonValue) -> str:
    """Write a value as canonical JSON; half a surrogate pair in it becomes an escape in ASCII."""
    try:
        msgspec.json.encode(value)
    except UnicodeEncodeError:
        return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return canonical_json(value).decode()


def json_value(text: str) -> JsonValue:
    """Read what `json_text` wrote."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError):
        return json.loads(text)


def made_id(*parts: str) -> str:
    """Make an id of these parts, with a digest at the end where they are too long or cannot be stored."""
    whole = "/".join(parts)
    if len(whole) <= LONGEST_ID and _UNSTORABLE.search(whole) is None:
        return whole
    digest = hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return f"{_UNSTORABLE.sub('?', whole)[: LONGEST_ID - len(digest) - 1]}~{digest}"
