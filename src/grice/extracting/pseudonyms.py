"""Other values for secrets, names, addresses and ids: the same for equal ones, in the same format.

What stood for what is kept in a file that stays outside of the repository, so that a later extraction gives
the same value the same stand-in.
"""

from __future__ import annotations

import hmac
import os
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from grice.files.writing import replacing
from grice.identity.redaction import redact
from grice.identity.secret_hints import lower, may_hold_secrets
from grice.identity.secret_names import kind_of
from grice.identity.secret_search import without_shapes
from grice.records import Conversation, JsonValue
from grice.user_files import open_file

VERSION = 1
_SHORTEST = 2
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
_PHONE = re.compile(r"(?<![\w.,+-])\+?\(?\d[\d ().-]{7,18}\d(?![\w-]|[.,]\d)")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}:\d{2}")
_ADDRESS_OF_HOST = re.compile(r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.])")
_STREET = re.compile(
    r"(?<!\w)\d{1,5} (?:[A-Z][\w'’-]{1,30} ){1,3}"
    r"(?:Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Boulevard|Blvd|Way|Court|Ct|Place|Pl)(?!\w)"
)
_TOKEN = re.compile(r"(?<![\w.-])[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*(?![\w-])")
_MEASURE = re.compile(r"\d+[A-Za-z]{1,8}|(?:v\d+)|[A-Za-z]+-\d{1,3}|\d+-[A-Za-z-]+")
_LONG_NUMBER = re.compile(r"(?<![\w.,-])\d{7,19}(?![\w-]|[.,]\d)")
_NAME = r"[A-Z][a-zà-öø-ÿ'’-]{1,30}(?: [A-Z][a-zà-öø-ÿ'’-]{1,30}){0,2}"
_NAMED = re.compile(
    r"(?:\b[Mm]y (?:full |first |last )?name is|\b[Nn]ame(?:'s|:)|\b[Tt]his is|\bI(?:'m|’m| am)|\b[Cc]all me|"
    rf"\b(?:Mr|Mrs|Ms|Dr|Miss)\.?|\b(?:Hi|Hello|Dear|Thanks|Thank you),?) +({_NAME})"
)
_WORDS = (
    "a afraid and assistant bye certainly dear everyone for from good goodbye great hello here hi how i "
    "i'd i'll i'm if in is it let maybe no not of okay ok please sir sorry sure thank thanks that the "
    "there this to madam we welcome well what when where which who why yes you your the an monday "
    "tuesday wednesday thursday friday saturday sunday january february march july september october "
    "november december looking trying calling writing going having just also very glad happy so still "
    "unable "
)
_NO_NAMES = frozenset(_WORDS.split())
"""Words with a capital that begin a sentence, or stand where a name may."""
_PERSON_FIELDS = re.compile(
    r"(?:first|last|full|middle|given|family|maiden|user|customer|passenger|guest|contact|patient|person)_?names?"
    r"|surname|firstname|lastname|passengers?|traveller|traveler|customer|guest"
)
_ADDRESS_FIELDS = re.compile(r"(?:.*_)?(?:address\d?|street|zip|zip_?code|postal_?code|postcode)")
_ID_FIELDS = re.compile(r"(?:.*_)?(?:ids?|uuid|guid|account|iban|ssn|number|reference|ref)|.*[a-z]Id")
_CALL_FIELDS = frozenset({"tool_call_id", "call_id"})
_NAMES = (
    "Alma Bodo Cleo Dario Edda Falk Gesa Hanno Ilka Jorin Kaja Lasse Malin Nuri Oda Pelle Quirin Rieke "
    "Sanna Tjark Ulla Veit Wanda Xenia Yara Zeno Arvid Birte Carlo Dunja Enno Frauke Gero Hedda Ivo "
    "Jette "
)
_FAKE_NAMES = tuple(_NAMES.split())


class Pseudonyms:
    """Stand-ins for what should not be committed. Equal values, whatever their case, have the same one.

    `keep` are values that stay as they are. `path` is the file that has what stood for what, which is read
    first where it is there; None keeps that in no file.
    """

    def __init__(self, path: Path | None = None, keep: Iterable[str] = ()) -> None:
        self.path = path
        self._keep = {one.casefold() for one in keep}
        self._key = secrets.token_hex(16)
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

    def conversation(
        self, conversation: Conversation, known_from: Conversation | None = None
    ) -> Conversation:
        """The conversation with stand-ins, everywhere in it.

        What is private is looked for in `known_from` too: the whole of which the conversation is a part.
        """
        plain: Any = msgspec.to_builtins(conversation)
        whole = plain if known_from is None else msgspec.to_builtins(known_from)
        calls = (known_from or conversation).tool_calls
        fixed = {*_names_in(whole), *(one.name for one in calls)}
        found = {one.casefold(): (one, kind) for one, kind in (*_private(whole), *_private(plain))}
        found = {
            folded: one
            for folded, one in found.items()
            if len(folded) >= _SHORTEST
            and folded not in self._keep
            and one[0] not in fixed
            and folded not in _NO_NAMES
        }
        if not found:
            return conversation
        for folded, (value, kind) in sorted(found.items()):
            if folded not in self._known:
                self._known[folded] = self._stand_in(value, kind)
            self.replaced.add(folded)
        longest = sorted(found, key=lambda one: (-len(one), one))
        pattern = re.compile(rf"(?<![^\W_])(?:{'|'.join(map(re.escape, longest))})(?![^\W_])", re.IGNORECASE)
        changed = _mapped(plain, lambda text: pattern.sub(self._replacement, text), self._number)
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


# -- what should not be committed


def _private(value: JsonValue, field: str = "") -> Iterator[tuple[str, str]]:
    """The values to be replaced, each with its kind; the JSON that stands in texts is looked into."""
    if isinstance(value, Mapping):
        for name, item in value.items():
            yield from _private(item, str(name))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _private(item, field)
    elif isinstance(value, str):
        yield from _of_field(value, field)
        yield from _of_text(value)
        if value[:1] in ("{", "["):
            try:
                inner = msgspec.json.decode(value)
            except (ValueError, RecursionError):
                return
            yield from _private(inner)
    elif isinstance(value, int) and not isinstance(value, bool) and _is_id(field) and value >= 1000:
        yield str(value), "id"


def _is_id(field: str) -> bool:
    return field not in _CALL_FIELDS and _ID_FIELDS.fullmatch(field) is not None


def _of_field(value: str, field: str) -> Iterator[tuple[str, str]]:
    if not value.strip() or len(value) > 200:
        return
    folded = field.lower()
    if kind_of(field) is not None:
        yield value, "secret"
    elif _PERSON_FIELDS.fullmatch(folded):
        for part in value.split():
            if part[:1].isalpha():
                yield part.strip(".,"), "name"
    elif _ADDRESS_FIELDS.fullmatch(folded):
        yield value, "address"
    elif _is_id(field) and any(one.isdecimal() for one in value) and not _DATE.search(value):
        yield value, "id"


def _of_text(text: str) -> Iterator[tuple[str, str]]:
    if may_hold_secrets(lower(text)):
        hidden: list[str] = []

        def hide(secret: str, _: str) -> str:
            hidden.append(secret)
            return "[hidden]"

        without_shapes(text, hide)
        yield from ((one, "secret") for one in hidden)
    yield from ((one[0], "email") for one in _EMAIL.finditer(text))
    yield from ((one[0], "address") for one in _ADDRESS_OF_HOST.finditer(text))
    yield from ((one[0], "address") for one in _STREET.finditer(text))
    for one in _PHONE.finditer(text):
        if sum(map(str.isdecimal, one[0])) >= 9 and not _DATE.search(one[0]):
            yield one[0], "phone"
    yield from ((one[0], "id") for one in _LONG_NUMBER.finditer(text))
    for one in _TOKEN.finditer(text):
        if _looks_like_id(one[0]):
            yield one[0], "id"
    for found in _NAMED.finditer(text):
        for part in found[1].split():
            if part.casefold() in _NO_NAMES:
                break
            yield part.removesuffix("'s").removesuffix("’s").rstrip("'’-"), "name"


def _looks_like_id(token: str) -> bool:
    """Whether the token mixes letters and digits as an id does, and no measure, version or date."""
    digits = sum(map(str.isdecimal, token))
    letters = sum(map(str.isalpha, token))
    return (
        len(token) >= 5
        and digits >= 2
        and letters >= 1
        and not _MEASURE.fullmatch(token)
        and not _DATE.match(token)
    )


def _names_in(value: JsonValue) -> Iterator[str]:
    """The names of fields, which stay."""
    if isinstance(value, Mapping):
        for name, item in value.items():
            yield str(name)
            yield from _names_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from _names_in(item)


def _mapped(value: JsonValue, of_text: Any, of_number: Any) -> JsonValue:
    if isinstance(value, str):
        return of_text(value)
    if isinstance(value, dict):
        return {name: _mapped(item, of_text, of_number) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_mapped(item, of_text, of_number) for item in value]
    return of_number(value) if isinstance(value, int) and not isinstance(value, bool) else value
