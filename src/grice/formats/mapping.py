"""How a home-made log is read: where its conversations, messages, roles and texts stand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path as FilePath
from typing import Annotated, Any, Literal, NamedTuple
from unicodedata import combining, normalize

import msgspec

from grice.formats.content import as_list, identifier, json_text
from grice.formats.errors import FormatError, kind_of
from grice.formats.gathering import sort_keys
from grice.formats.lines import parse_line
from grice.formats.tables import holds_json
from grice.records import JsonValue
from grice.text import did_you_mean, shorten
from grice.typed import Closed, Problem, says

MappedRole = Literal["user", "assistant", "system", "tool", "skip"]
"""Who speaks; what is said by "skip" is left out."""
Path = Annotated[str, says("a path such as 'who' or 'sender.type', '.' for the whole")]
Skipped = Annotated[
    dict[str, list[str | int | float | bool]], says("a table of what is left out, such as {kind: [note]}")
]
Roles = Annotated[dict[str, MappedRole], says("a table of roles, such as {customer: user, bot: assistant}")]

_FILE = FilePath(__file__).with_name("log_words.json")
WORDS: dict[str, frozenset[str]] = {
    kind: frozenset(words) for kind, words in msgspec.json.decode(_FILE.read_bytes()).items()
}
"""Words in the names and values of logs, by what they tell: a role, or the kind of a field."""
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_WORD_OF_ANY = re.compile(r"[^\W\d_]+|\d+")


def words_of(name: str) -> list[str]:
    """The words of a name, without accents: `isFromBot` and `is_from_bot` have three."""
    name = name[:100]
    if name.isascii():
        return [word.lower() for word in _WORD.findall(name)]
    letters = (one for one in normalize("NFKD", name.casefold()) if not combining(one))
    return _WORD_OF_ANY.findall(normalize("NFC", "".join(letters)))


def role_in(value: JsonValue) -> MappedRole | None:
    """Who a value such as `Customer` or `agent_2` means, None where it tells nobody."""
    words = words_of(identifier(value))
    found = set(words) if len(words) <= 4 else set[str]()  # a sentence is no name
    return next((role for role in _ROLES if found & WORDS[role]), None)


_ROLES: tuple[MappedRole, ...] = ("tool", "user", "assistant", "system", "skip")


class Mapped(NamedTuple):
    """What a line holds by a mapping; `problem` says what of it could not be read."""

    id: str
    messages: list[Any]
    at: JsonValue = None
    problem: str = ""


class LogMapping(Closed, frozen=True, kw_only=True, omit_defaults=True):
    """Where what matters stands in a log. Paths are names with dots between: `data.sender.type`.

    `each` is the list of conversations or rows in a document, `messages` that of the messages in a line;
    without it a line is a message. `conversation` is the id of the conversation, by which lines are brought
    together, `order` the time or number by which messages are ordered. In a message, `role` says who speaks
    and `roles` what its values mean ("*": all others, "": where there is none), and `text` is what is said.
    `said` is for messages with a field for each role, as question and answer; beside `messages` with a role
    these are fields of the line, and come behind them. With `speakers` a text names who speaks before each
    speech, as `roles` has them; "*" is any name behind a time, as in exports of messengers. `skip` has the
    values of fields by which a message is none, as an internal note. `first` is who speaks first where
    messages alternate.
    `system` is the system prompt; `tool_calls`, `tool_call_id` and `tool` are the calls of a message, and the
    call and the name of the tool that a message is the result of.
    """

    each: Path = ""
    messages: Path = ""
    conversation: Path = ""
    order: Path = ""
    role: Path = ""
    roles: Roles = msgspec.field(default_factory=dict)
    text: Path = ""
    said: Roles = msgspec.field(default_factory=dict)
    speakers: bool = False
    first: Literal["user", "assistant", ""] = ""
    skip: Skipped = msgspec.field(default_factory=dict)
    system: Path = ""
    tool_calls: Path = ""
    tool_call_id: Path = ""
    tool: Path = ""

    @classmethod
    def wrong(cls, fields: dict[str, Any]) -> Iterator[Problem]:
        """What is wrong with the fields together."""
        beside = () if fields.get("messages") else ("said",)
        ways = [name for name in ("role", "speakers", "first", *beside) if fields.get(name)]
        if not ways and fields.get("said"):
            return
        if not ways:
            yield Problem((), "nothing says who speaks; expected role, said, speakers or first")
        elif len(ways) > 1:
            yield Problem((), f"{' and '.join(ways)} both say who speaks; expected one of them", ways[1])
        if fields.get("role") and not fields.get("text"):
            yield Problem((), "nothing says where the text is; expected text")
        if fields.get("speakers") and not fields.get("roles"):
            yield Problem((), "expected roles with the names that stand before the speeches", "speakers")
        if fields.get("first") and not fields.get("messages"):
            yield Problem((), "only messages of one line alternate; expected messages", "first")

    @property
    def is_said_beside(self) -> bool:
        """Whether the fields of `said` stand beside the messages of a line, behind which they come."""
        return bool(self.messages and self.said and (self.role or self.speakers or self.first))

    @property
    def is_flat(self) -> bool:
        """Whether a line is a message, or a pair of them, of a conversation that has more."""
        return not self.messages

    @property
    def is_whole(self) -> bool:
        """Whether a line without the id of its conversation is one."""
        return bool(self.messages or self.said)

    def read(self, value: JsonValue) -> Mapped:
        """The messages of a line. Raises FormatError where it holds none, with the reason."""
        if not isinstance(value, dict | list | str):
            raise FormatError(f"found {kind_of(value)}; expected an object")
        name = identifier(value_at(value, self.conversation)) if self.conversation else ""
        if self.conversation and not name:
            raise FormatError(f"no conversation at {self.conversation}{_hint(value, self.conversation)}")
        if self.is_flat:
            messages = list(self._of_item(value, 0))
            if not messages:
                raise FormatError("left out by the mapping")
            return Mapped(name, messages, value_at(value, self.order) if self.order else None)
        found, problems = self._of_items(self._items(value))
        if self.is_said_beside:
            found += [{"role": role, "content": _content(one)} for role, one in self._pairs(value)]
        if self.system and isinstance(system := value_at(value, self.system), str) and system.strip():
            found.insert(0, {"role": "system", "content": system})
        problem = ""
        if problems:
            more = f" (and {len(problems) - 1} more messages)" if len(problems) > 1 else ""
            problem = f"{problems[0]}{more}"
        return Mapped(name, found, None, problem)

    def _items(self, value: JsonValue) -> list[JsonValue]:
        found = told(value_at(value, self.messages))
        if isinstance(found, dict):
            found = list(found.values())
        if isinstance(found, str) and self.speakers:
            return [found]
        items = as_list(found)
        if items is None:
            there = "no messages" if found is None else f"{kind_of(found)}, expected a list,"
            raise FormatError(f"{there} at {self.messages}{_hint(value, self.messages)}")
        keys = sort_keys([value_at(one, self.order) for one in items]) if self.order else None
        if keys is None:
            return items
        return [items[place] for place in sorted(range(len(items)), key=keys.__getitem__)]

    def _of_items(self, items: Iterable[JsonValue]) -> tuple[list[Any], list[str]]:
        found: list[Any] = []
        problems: list[str] = []
        for index, item in enumerate(items):
            try:
                if self.speakers and found and isinstance(item, str) and not self._speeches.search(item):
                    found[-1] = {**found[-1], "content": f"{found[-1]['content']}\n{item}"}  # it goes on
                else:
                    found += self._of_item(item, index)
            except FormatError as error:
                problems.append(f"{self.messages}[{index}]: {error.detail}")
        return found, problems

    def _of_item(self, item: JsonValue, index: int) -> Iterator[dict[str, Any]]:
        """The messages of a line, or of an item of its list."""
        if self.skip and self._is_skipped(item):
            return
        if self.said and not self.is_said_beside:
            pairs = self._pairs(item)
            if not pairs:
                raise FormatError(f"nothing at {', '.join(self.said)}")
            yield from ({"role": role, "content": _content(one)} for role, one in pairs if role != "skip")
        elif self.speakers:
            yield from self._spoken(value_at(item, self.text))
        elif self.first:
            other = "assistant" if self.first == "user" else "user"
            yield self._message((self.first, other)[index % 2], item)
        else:
            role = self._role(item)
            if role != "skip":
                yield self._message(role, item)

    def _is_skipped(self, item: JsonValue) -> bool:
        return any(
            identifier(value_at(item, path)) in map(identifier, values) for path, values in self.skip.items()
        )

    def _pairs(self, item: JsonValue) -> list[tuple[MappedRole, JsonValue]]:
        """What the fields of `said` hold, with who says it."""
        found: list[tuple[MappedRole, JsonValue]] = []
        for path, role in self.said.items():
            if _is_said(one := value_at(item, path)):
                found.append((role, one))
        return found

    def _message(self, role: str, item: JsonValue) -> dict[str, Any]:
        text = value_at(item, self.text)
        calls = told(value_at(item, self.tool_calls)) if self.tool_calls else None
        if text is None and not calls and role != "tool" and not _has(item, self.text):
            raise FormatError(f"no text at {self.text}{_hint(item, self.text)}")
        message: dict[str, Any] = {"role": role, "content": _content(text)}
        if calls:
            message["tool_calls"] = calls
        for name, path in (("tool_call_id", self.tool_call_id), ("name", self.tool)):
            if path and role == "tool" and (found := identifier(value_at(item, path))):
                message[name] = found
        return message

    def _role(self, item: JsonValue) -> MappedRole:
        value = value_at(item, self.role)
        name = identifier(value).strip()
        known = _folded(self)
        role = known.get(name.casefold()) or (role_in(value) if name else None) or known.get("*")
        if role is not None:
            return role
        if value is None:
            raise FormatError(f"nobody speaks: nothing at {self.role}{_hint(item, self.role)}")
        hint = did_you_mean(name, self.roles) or f"; the mapping has {', '.join(self.roles) or 'none'}"
        raise FormatError(f"the role {shorten(json_text(value), 60)} is not in roles{hint}")

    @property
    def _speeches(self) -> re.Pattern[str]:
        return speaker_pattern(tuple(self.roles))

    def _spoken(self, text: JsonValue) -> Iterator[dict[str, Any]]:
        if not isinstance(text, str):
            raise FormatError(f"found {kind_of(text)} at {self.text or self.messages}; expected a text")
        places = list(self._speeches.finditer(text))
        before = text[: places[0].start()] if places else text
        if _TIMES.sub("", before).strip():
            names = ", ".join(self.roles)
            raise FormatError(
                f"nobody speaks {shorten(before.strip(), 60)!r}; expected one of {names} before it"
            )
        ends = [one.start() for one in places[1:]] + [len(text)]
        for place, end in zip(places, ends, strict=True):
            name = place[1]
            known = _folded(self)
            role = known.get(name.casefold(), known.get("*", "skip")) if name else "system"
            if role != "skip":
                said = text[place.end() : end]
                said = said.strip() if self._speeches is STAMPED else _TIMES.sub("", said).strip(_AROUND)
                yield {"role": role, "content": said}


_AROUND = " \t\r\n|;/"
_TIMES = re.compile(
    r"(?i)\s*[\[(]?\b(?:\d{4}-\d\d-\d\d[T ])?\d{1,2}:\d\d(?::\d\d)?(?:\s*[ap]m)?[\])]?\s*(?:-\s*)?\Z"
    r"|^\s*-+\s*\Z"
)
"""A time before the name of the next speaker."""


STAMPED = re.compile(
    r"(?im)^[\u200e\u200f\ufeff ]*\[?\d{1,4}[-./]\d{1,2}[-./]\d{2,4},?[T ]\s*\d{1,2}[:.]\d\d(?:[:.]\d\d)?"
    r"(?:\s*[ap]\.?\s?m\.?)?\]?(?:\s+[-\u2013])?\s+(?:([^:\n]{1,40}):(?:[^\S\n]|$))?"
)
"""A date, a time, and the name of who speaks, at the beginning of a line; without a name nobody does."""


@lru_cache(maxsize=64)
def speaker_pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    """What finds where one of these begins to speak: a name at the beginning or after an end, and a colon.

    For any name ("*") it is a name behind a time.
    """
    if "*" in names:
        return STAMPED
    either = "|".join(re.escape(one) for one in sorted(names, key=len, reverse=True) if one not in ("", "*"))
    before, aside = r"(?:^|(?<=[\s|;\])>/]))[*_<\[]*", r"\s*(?:\([^)\n]{0,40}\))?\s*"
    return re.compile(rf"(?i){before}({either})[*_>\]]*{aside}[*_]*(?::|->|=>)[*_]*\s*")


@lru_cache(maxsize=64)
def _folded_roles(roles: tuple[tuple[str, MappedRole], ...]) -> dict[str, MappedRole]:
    return {name.strip().casefold(): role for name, role in roles}


def _folded(mapping: LogMapping) -> dict[str, MappedRole]:
    return _folded_roles(tuple(mapping.roles.items()))


def _is_said(value: JsonValue) -> bool:
    return value is not None and not (isinstance(value, str) and not value.strip())


def _content(value: JsonValue) -> JsonValue:
    """The text, or the blocks, that a message has as its content."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(
        isinstance(one, str) or (isinstance(one, dict) and "type" in one) for one in value
    ):
        return value
    return json_text(value)


# -- paths


def told(value: JsonValue) -> JsonValue:
    """The value, decoded where it is JSON in a text."""
    if not isinstance(value, str) or not holds_json(value):
        return value
    try:
        return parse_line(value.encode())
    except (FormatError, UnicodeError):
        return value


def value_at(value: JsonValue, path: str) -> JsonValue:
    """What stands at a path, None where nothing does. JSON in a text is looked into."""
    path = path.removesuffix("[]")
    if path in ("", "."):
        return value
    if isinstance(value, str):
        value = told(value)
    if isinstance(value, dict):
        if path in value:
            return value[path]
        for key, inner in value.items():
            if path.startswith(key) and path[len(key) : len(key) + 1] in (".", "["):
                found = value_at(inner, path[len(key) :].removeprefix("[]").removeprefix("."))
                if found is not None:
                    return found
        return None
    if isinstance(value, list):
        step, _, rest = path.partition(".")
        if step.isdecimal():
            return value_at(value[int(step)], rest) if int(step) < len(value) else None
        several = [value_at(one, path) for one in value]
        return [one for inner in several if isinstance(inner, list) for one in inner] or None
    return None


def items_at(value: JsonValue, path: str) -> list[JsonValue] | None:
    """The conversations or rows of a document; those under names as objects with `key` and `value`.

    None where the value is itself one.
    """
    found = value_at(value, path) if path else value
    if isinstance(found, list):
        return found
    if path and isinstance(found, dict):
        return [{"key": key, "value": one} for key, one in found.items()]
    return None


def _has(item: JsonValue, path: str) -> bool:
    """Whether the field is there, be it null; in a table an empty cell is no field."""
    return isinstance(item, dict) and (path in item or path.partition(".")[0] in item)


def _hint(value: JsonValue, path: str) -> str:
    if not isinstance(value, dict):
        return ""
    return did_you_mean(path, value) or f"; there are {shorten(', '.join(value), 120) or 'no fields'}"
