"""Other values for secrets, names, addresses and ids: the same for equal ones, in the same format.

What stood for what is kept in a file that stays outside of the repository, so that a later extraction gives
the same value the same stand-in.
"""

from __future__ import annotations

import hmac
import os
import re
import secrets
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from grice.extracting.private_values import NO_NAMES, private_name, private_values
from grice.identity.redaction import redact
from grice.records import Conversation, JsonValue
from grice.user_files import open_file, replacing

VERSION = 1
_SHORTEST = 2
_NAMES = (
    "Alma Bodo Cleo Dario Edda Falk Gesa Hanno Ilka Jorin Kaja Lasse Malin Nuri Oda Pelle Quirin Rieke "
    "Sanna Tjark Ulla Veit Wanda Xenia Yara Zeno Arvid Birte Carlo Dunja Enno Frauke Gero Hedda Ivo "
    "Jette "
)
_FAKE_NAMES = tuple(_NAMES.split())


class Pseudonyms:
    """Stand-ins for what should not be committed. Equal values, whatever their case, have the same one.

    `keep` are values that stay as they are. `path` is the file that has what stood for what, which is read
    first where it is there; None keeps that in no file. `key` draws the stand-ins; left out,
    it is a new secret.
    """

    def __init__(self, path: Path | None = None, keep: Iterable[str] = (), key: str = "") -> None:
        self.path = path
        self._keep = {one.casefold() for one in keep}
        self._key = key or secrets.token_hex(16)
        self._known: dict[str, str] = {}
        if path is not None and path.is_file():
            with open_file(path) as stream:
                held: Any = msgspec.json.decode(stream.read())
            self._key, self._known = held["key"], held["values"]
        self._taken = set(self._known.values())
        self.replaced: set[str] = set()

    def save(self) -> None:
        """Keep what stood for what, in a file for its owner alone, out of git. Raises OSError."""
        if self.path is None or not self._known:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        ignored = self.path.parent / ".gitignore"
        if not ignored.exists():
            ignored.write_text("*\n", encoding="utf-8")
        with replacing(self.path) as stream:
            os.chmod(stream.fileno(), 0o600)
            held = {"version": VERSION, "key": self._key, "values": self._known}
            stream.write(msgspec.json.format(msgspec.json.encode(held), indent=1))

    def conversation(self, conversation: Conversation) -> Conversation:
        """The conversation with stand-ins, everywhere in it."""
        plain: Any = msgspec.to_builtins(conversation)
        private = dict(filter(None, map(private_name, set(_names_in(plain)))))
        fixed = {*plain, *(one.name for one in conversation.tool_calls)}
        found = {one.casefold(): (one, kind) for one, kind in (*private_values(plain), *private.items())}
        found = {
            folded: one
            for folded, one in found.items()
            if len(folded) >= _SHORTEST
            and folded not in self._keep
            and one[0] not in fixed
            and folded not in NO_NAMES
        }
        if not found:
            return msgspec.convert(redact(plain), Conversation)
        for folded, (value, kind) in sorted(found.items()):
            if folded not in self._known:
                self._known[folded] = self._stand_in(value, kind)
            self.replaced.add(folded)
        longest = sorted((one for one, _ in found.values()), key=lambda one: (-len(one), one))
        pattern = re.compile(rf"(?<![^\W_])(?:{'|'.join(map(re.escape, longest))})(?![^\W_])", re.IGNORECASE)
        changed = _mapped(plain, lambda text: pattern.sub(self._replacement, text), self._number, private)
        return msgspec.convert(redact(changed), Conversation)

    def _replacement(self, found: re.Match[str]) -> str:
        stand_in = self._known.get(found[0].casefold(), found[0])
        return stand_in.upper() if found[0].isupper() and len(found[0]) > 1 else stand_in

    def _number(self, number: int) -> int:
        known = self._known.get(str(number)) if str(number) in self.replaced else None
        return int(known) if known is not None and known.isdecimal() else number

    def _stand_in(self, value: str, kind: str) -> str:
        for attempt in range(1000):
            digest = hmac.new(
                self._key.encode(), f"{value.casefold()}\0{attempt}".encode(), "sha512"
            ).digest()
            made = _made(value, kind, digest, attempt)
            if made not in self._taken and made.casefold() != value.casefold():
                self._taken.add(made)
                return made
        raise ValueError("no stand-in is left")


def _made(value: str, kind: str, digest: bytes, attempt: int) -> str:
    """A stand-in in the format of the value, drawn by the digest."""
    if kind.startswith("secret"):
        return f"[redacted: {kind.removeprefix('secret ')} {digest.hex()[:6]}]"
    if kind == "email":
        return f"{_same_classes(value.partition('@')[0], digest)}@example.com"
    if kind == "name" and " " not in value and attempt < len(_FAKE_NAMES) * 4:
        return _FAKE_NAMES[digest[0] % len(_FAKE_NAMES)] + (chr(97 + digest[1] % 26) if attempt > 20 else "")
    return _same_classes(value, digest)


def _same_classes(value: str, digest: bytes) -> str:
    drawn: list[str] = []
    for place, one in enumerate(value):
        byte = digest[place % len(digest)] + place // len(digest)
        if one.isdecimal():
            drawn.append(str(byte % 9 + 1))
        elif one.isalpha():
            letter = chr(97 + byte % 26)
            drawn.append(letter.upper() if one.isupper() else letter)
        else:
            drawn.append(one)
    return "".join(drawn)


def _names_in(value: JsonValue) -> Iterator[str]:
    """The names of fields."""
    if isinstance(value, Mapping):
        for name, item in value.items():
            yield str(name)
            yield from _names_in(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _names_in(item)


def _mapped(value: JsonValue, of_text: Any, of_number: Any, private: Collection[str]) -> JsonValue:
    """The value with other texts and numbers, and with other names for those that are private."""
    if isinstance(value, str):
        return of_text(value)
    if isinstance(value, dict):
        return {
            of_text(name) if name in private else name: _mapped(item, of_text, of_number, private)
            for name, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [_mapped(item, of_text, of_number, private) for item in value]
    return of_number(value) if isinstance(value, int) and not isinstance(value, bool) else value
