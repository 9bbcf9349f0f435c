"""Named tokens with a role, kept as hashes, and the record of who changed what."""

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

_NAME = re.compile(r"[\w.@ -]{1,100}")
_PREFIX = "grice_"
OWNER = "owner"
"""What the token is called with which the server was started; no other one is."""
Clock = Callable[[], datetime]


def _now() -> datetime:
    return datetime.now(UTC)


class Role(StrEnum):
    """What a token allows; each allows what those before it allow."""

    READ = "read"
    RUN = "run"
    EDIT = "edit"

    def allows(self, needed: Role) -> bool:
        """Whether a token of this role may do what needs that role."""
        order = list(Role)
        return order.index(self) >= order.index(needed)


class Caller(NamedTuple):
    """The name and the role of the token of a request."""

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
    """Make a token that cannot be guessed."""
    return _PREFIX + secrets.token_urlsafe(32)


def hash_of(token: str) -> str:
    """The hash of a token, which is what is kept. SHA-256 is enough for 256 random bits."""
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).hexdigest()


def add_token(connection: Connection, project: str, name: str, role: Role, *, clock: Clock = _now) -> str:
    """Make a token of that name for a project; this is the only time that it is shown.

    Raises StoreError for a bad name, and for one that is taken.
    """
    if not _NAME.fullmatch(name) or name != name.strip():
        raise StoreError(f"expected a name of letters, digits, spaces and . @ _ -, found {name!r}")
    if name == OWNER:
        raise StoreError(f"{name!r} is the token with which the server is started: take another name")
    if any(one.name == name for one in token_rows(connection, project)):
        raise StoreError(f"there is a token {name!r} already: revoke it first, or take another name")
    token = new_token()
    row = {
        "project_id": project,
        "name": name,
        "hash": hash_of(token),
        "role": role.value,
        "made_at": clock(),
    }
    connection.execute(insert(tokens).values(row))
    return token


def revoke_token(connection: Connection, project: str, name: str) -> None:
    """Delete a token of a project. Raises StoreError where there is none of that name."""
    of_project = delete(tokens).where(tokens.c.project_id == project, tokens.c.name == name)
    if not connection.execute(of_project).rowcount:
        known = ", ".join(repr(one.name) for one in token_rows(connection, project)) or "none"
        raise StoreError(f"{project} has no token {name!r}; there are {known}")


def token_rows(connection: Connection, project: str) -> list[TokenRow]:
    """The tokens of a project, by name."""
    of = tokens.c
    query = select(of.name, of.role, of.made_at).where(of.project_id == project).order_by(of.name)
    return [TokenRow(name, Role(role), made_at) for name, role, made_at in connection.execute(query)]


def tokens_caller(connection: Connection, project: str, given: str) -> Caller | None:
    """Find whose token of a project has that hash; None for a wrong one. Both take equally long."""
    found = None
    of = tokens.c
    query = select(of.name, of.hash, of.role).where(of.project_id == project)
    for name, hashed, role in connection.execute(query):
        if compare_digest(given, hashed):
            found = Caller(name, Role(role))
    return found


def add_change(connection: Connection, project: str, who: str, what: str, *, clock: Clock = _now) -> None:
    """Record who changed what in a project, in the transaction of the change."""
    row = {"project_id": project, "who": who, "changed_at": clock(), "what": what}
    connection.execute(insert(changes).values(row))


def changes_of(
    connection: Connection, project: str, *, before: int | None = None, limit: int = 50
) -> list[Change]:
    """The changes in a project, the latest first; the list goes on behind the number `before`."""
    of = changes.c
    query = select(of.number, of.who, of.changed_at, of.what).where(of.project_id == project)
    if before is not None:
        query = query.where(of.number < before)
    return [Change(*row) for row in connection.execute(query.order_by(of.number.desc()).limit(limit))]
