"""Named tokens with a role, of which only hashes are kept, and who changed what."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Callable
from datetime import UTC, datetime
from enum import StrEnum
from hmac import compare_digest
from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select

from grice.store.errors import StoreError
from grice.store.tables import changes, tokens

__all__ = [
    "Caller",
    "Change",
    "Role",
    "TokenRow",
    "add_change",
    "add_token",
    "changes_of",
    "hash_of",
    "new_token",
    "revoke_token",
    "token_rows",
    "tokens_caller",
]

_NAME = re.compile(r"[\w.@ -]{1,100}")
_PREFIX = "grice_"
Clock = Callable[[], datetime]


def _now() -> datetime:
    return datetime.now(UTC)


class Role(StrEnum):
    """What a token allows; each allows what those before it allow."""

    READ = "read"
    RUN = "run"
    EDIT = "edit"

    def allows(self, needed: Role) -> bool:
        """Whether a token of this role may do what needs that one."""
        order = list(Role)
        return order.index(self) >= order.index(needed)


class Caller(NamedTuple):
    """Who asks: the name and the role of the token."""

    name: str
    role: Role


class TokenRow(NamedTuple):
    """A token in a list; the token itself is kept nowhere."""

    name: str
    role: Role
    made_at: datetime


class Change(NamedTuple):
    """Who changed what, and when."""

    number: int
    who: str
    changed_at: datetime
    what: str


def new_token() -> str:
    """A token that nobody can guess."""
    return _PREFIX + secrets.token_urlsafe(32)


def hash_of(token: str) -> str:
    """What is kept of a token: SHA-256 is enough for what has 256 bits of chance in it."""
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).hexdigest()


def add_token(connection: Connection, name: str, role: Role, *, clock: Clock = _now) -> str:
    """Make a token of that name; it is given back once.

    Raises StoreError for a bad name, and for one that is taken.
    """
    if not _NAME.fullmatch(name) or name != name.strip():
        raise StoreError(f"expected a name of letters, digits, spaces and . @ _ -, found {name!r}")
    if connection.execute(select(tokens.c.name).where(tokens.c.name == name)).first() is not None:
        raise StoreError(f"there is a token {name!r} already: revoke it first, or take another name")
    token = new_token()
    row = {"name": name, "hash": hash_of(token), "role": role.value, "made_at": clock()}
    connection.execute(insert(tokens).values(row))
    return token


def revoke_token(connection: Connection, name: str) -> None:
    """Take a token away. Raises StoreError where there is none of that name."""
    if not connection.execute(delete(tokens).where(tokens.c.name == name)).rowcount:
        known = ", ".join(repr(one.name) for one in token_rows(connection)) or "none"
        raise StoreError(f"there is no token {name!r}; there are {known}")


def token_rows(connection: Connection) -> list[TokenRow]:
    """The tokens, by name."""
    query = select(tokens.c.name, tokens.c.role, tokens.c.made_at).order_by(tokens.c.name)
    return [TokenRow(name, Role(role), made_at) for name, role, made_at in connection.execute(query)]


def tokens_caller(connection: Connection, given: str) -> Caller | None:
    """Whose token has that hash; None for a wrong one. It takes as long for each."""
    found = None
    for name, hashed, role in connection.execute(select(tokens.c.name, tokens.c.hash, tokens.c.role)):
        if compare_digest(given, hashed):
            found = Caller(name, Role(role))
    return found


def add_change(connection: Connection, who: str, what: str, *, clock: Clock = _now) -> None:
    """Keep that somebody changed something, in the transaction that changes it."""
    connection.execute(insert(changes).values(who=who, changed_at=clock(), what=what))


def changes_of(connection: Connection, *, before: int | None = None, limit: int = 50) -> list[Change]:
    """The changes, the latest first; `before` is the number of one to go on behind."""
    query = select(changes.c.number, changes.c.who, changes.c.changed_at, changes.c.what)
    if before is not None:
        query = query.where(changes.c.number < before)
    return [Change(*row) for row in connection.execute(query.order_by(changes.c.number.desc()).limit(limit))]
