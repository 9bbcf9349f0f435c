"""How a home-made log is read: where its conversations, messages, roles and texts stand."""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice, pairwise
from pathlib import Path as FilePath
from typing import Annotated, Any, Literal, NamedTuple
from unicodedata import combining, normalize

import msgspec

from grice.formats.content import as_list, identifier, json_text
from grice.formats.errors import FormatError, kind_of
from grice.formats.gathering import sort_keys
from grice.formats.lines import parse_line
from grice.formats.tables import holds_json
from grice.records import JsonValue, clean_json
from grice.text import did_you_mean, shorten
from grice.typed import Closed, Problem, says

MappedRole = Literal["user", "assistant", "system", "tool", "skip"]
"""Who speaks; what is said by "skip" is left out."""
Path = Annotated[str, says("a path such as 'who' or 'sender.type', '.' for the whole")]
Names = Annotated[tuple[str, ...], says("a list of names, such as [who, texts]")]
Skipped = Annotated[
    dict[str, list[str | int | float | bool]], says("a table of what is left out, such as {kind: [note]}")
]
Roles = Annotated[dict[str, MappedRole], says("a table of roles, such as {customer: user, bot: assistant}")]

SAMPLED = 2_000
"""The lines that a mapping is proposed from."""
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
    """Who a value such as `Customer` or `agent_2` means, None where it tells nobody.

    The last word counts, as in `customer support`, before what the name is `of` or `for`; a note is one
    whoever writes it.
    """
    whole = identifier(value)[:100]
    for name in dict.fromkeys((_BEHIND.split(whole, maxsplit=1)[0], whole)):
        words = words_of(name)
        if len(words) > 4:  # a sentence is no name
            continue
        telling = [word for word in words if len(words) == 1 or len(word) > 1 or not word.isascii()]
        if _WAYS.issuperset(words[:1]):
            telling = words[:1]  # as in `outbound-api`
        found: list[MappedRole] = [role for role in _ROLES if not WORDS[role].isdisjoint(telling)]
        if found and found[0] in ("skip", "tool"):
            return found[0]
        if found:
            return max(found, key=lambda role: max(n for n, one in enumerate(telling) if one in WORDS[role]))
    words = words_of(whole)
    return next((role for role in _SIDES if len(words) < 5 and _is_compound(words, role)), None)


def _is_compound(words: list[str], role: MappedRole) -> bool:
    """Whether the last word ends with one of the role, as a bookseller is a seller."""
    return bool(words) and any(len(one) > 4 and words[-1].endswith(one) for one in WORDS[role])


_WAYS = frozenset({"inbound", "outbound", "incoming", "outgoing"})
_SIDES: tuple[MappedRole, ...] = ("assistant", "user")
_BEHIND = re.compile(
    r"(?i)\s*(?:[(,;]|\b(?:between|of|for|from|to|by|de|del|von|an|pour|para|per)\b)|(?<=\w)[-_]to[-_]"
)
"""What stands behind the noun that a name is about."""
_ROLES: tuple[MappedRole, ...] = ("skip", "tool", "assistant", "user", "system")


class Mapped(NamedTuple):
    """What a line holds by a mapping; `problem` says what of it could not be read."""

    id: str
    messages: list[Any]
    at: JsonValue = None
    problem: str = ""


Joining = Literal["joined", "replaced", "deleted", "repeated", "alone", ""]


class JoinedRows(NamedTuple):
    """Rows that are one message: their places, one row with what they say, and why it is none, if so.

    `how` says what was done with their texts; "" where the last one was taken, and nothing tells that it
    is right.
    """

    places: tuple[int, ...]
    row: JsonValue
    problem: str = ""
    how: Joining = ""


class LogMapping(Closed, frozen=True, kw_only=True, omit_defaults=True):
    """Where what matters stands in a log. Paths are names with dots between: `data.sender.type`.

    `each` is the list of conversations or rows in a document, or in a line; "*" stands for any name. What
    stands around a conversation is a field of it, too. `messages` is the list of the messages in a line;
    without it a line is a message. `columns` are lists of one length instead, which hold a field of each
    message. `conversation` is the id of the conversation, by which lines are brought
    together, `order` the time or number by which messages are ordered, or two: "date, time". In a message,
    `role` says who speaks and `roles` what its values mean ("agent*": all that begin so, "*": all others, "":
    where there is none), and `text` is what is said. Where a path may stand, several may: of "text | delta"
    the first counts that is there.
    The role of a person stands at "people[id=by].kind", where `by` is the id in the message.
    Rows of one conversation with one `message_id` are one message: pieces of a stream are joined, an edited
    text or the whole one replaces what was there, a row that came twice counts once, and a deleted message is
    left out. Pieces without an id are joined where they follow each other; with "." no row has one.
    `said` is for messages with a field for each role, as question and answer; beside `messages` with a role
    these are fields of the line, and come behind them. With `speakers` a text names who speaks before each
    speech, as `roles` has them; "*" is any name behind a time, as in exports of messengers. `skip` has the
    values of fields by which a message is none, as an internal note. `first` is who speaks first where
    messages alternate.
    `opening` is what the user wrote before the messages and beside them, as in a ticket, if they do not
    repeat it. `system` is the system prompt; `tool_calls`, `tool_call_id` and `tool` are the calls of a
    message, and the call and the name of the tool that a message is the result of.
    """

    each: Path = ""
    messages: Path = ""
    conversation: Path = ""
    columns: Names = ()
    order: Path = ""
    message_id: Path = ""
    role: Path = ""
    roles: Roles = msgspec.field(default_factory=dict)
    text: Path = ""
    said: Roles = msgspec.field(default_factory=dict)
    speakers: bool = False
    first: Literal["user", "assistant", ""] = ""
    skip: Skipped = msgspec.field(default_factory=dict)
    opening: Path = ""
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
        if fields.get("message_id") and not fields.get("text"):
            yield Problem((), "rows of one message are joined at their text; expected text", "message_id")
        if fields.get("speakers") and not fields.get("roles"):
            yield Problem((), "expected roles with the names that stand before the speeches", "speakers")
        if fields.get("first") and not fields.get("messages"):
            yield Problem((), "only messages of one line alternate; expected messages", "first")
        if fields.get("opening") and not fields.get("messages"):
            yield Problem((), "an opening stands before the messages of a line; expected messages", "opening")
        if fields.get("columns") and not fields.get("messages"):
            yield Problem((), 'expected messages too, "." where they stand in the line itself', "columns")

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
            messages = [] if self.message_id else self.messages_of(value)
            return Mapped(name, messages, order_of(value, self.order))
        opening = value_at(value, self.opening) if self.opening else None
        nobody_replied = _is_said(opening) and value_at(value, self.messages) is None
        joined = [] if nobody_replied else self._joined_items(value)
        found, problems = self._of_items([one.row for one in joined if not one.problem], value)
        problems += [f"{self.messages}: {one.problem}" for one in joined if one.problem]
        first = {"role": "user", "content": _content(opening)}
        if _is_said(opening) and not any(_is_same(one["content"], first["content"]) for one in found):
            found.insert(0, first)
        if self.is_said_beside:
            found += [{"role": role, "content": _content(one)} for role, one in self._pairs(value)]
        if self.system and isinstance(system := value_at(value, self.system), str) and system.strip():
            found.insert(0, {"role": "system", "content": system})
        problem = ""
        if problems:
            more = f" (and {len(problems) - 1} more messages)" if len(problems) > 1 else ""
            problem = f"{problems[0]}{more}"
        return Mapped(name, found, None, problem)

    def messages_of(self, row: JsonValue) -> list[dict[str, Any]]:
        """What is said in a row that stands alone. Raises FormatError where that is nothing."""
        messages = list(self._of_item(row, 0, row))
        if not messages:
            raise FormatError("left out by the mapping")
        return messages

    def _joined_items(self, value: JsonValue) -> list[JoinedRows]:
        items = self.items(value)
        if self.message_id:
            return self.joined(items)
        return [JoinedRows((place,), one) for place, one in enumerate(items)]

    def items(self, value: JsonValue) -> list[JsonValue]:
        """What stands in the list of messages, in order. Raises FormatError where there is none."""
        found = told(value_at(value, self.messages))
        if self.columns:
            found = _zipped(found, self.columns)
        elif isinstance(found, dict):
            found = list(found.values())
        if isinstance(found, str) and self.speakers:
            return [found]
        items = as_list(found)
        if items is None:
            there = "no messages" if found is None else f"{kind_of(found)}, expected a list,"
            raise FormatError(f"{there} at {self.messages}{_hint(value, self.messages)}")
        keys = sort_keys([order_of(one, self.order) for one in items]) if self.order else None
        if keys is None:
            return items
        return [items[place] for place in sorted(range(len(items)), key=keys.__getitem__)]

    def message_name(self, row: JsonValue) -> str:
        """The id of the message that a row is or is part of, "" where it has none."""
        return "" if self.message_id == "." else identifier(value_at(row, self.message_id))

    def joined(self, rows: Sequence[JsonValue]) -> list[JoinedRows]:
        """The messages of a conversation, in order, of which each is one row or more."""
        groups: dict[tuple[str, int], list[int]] = {}
        before: list[int] = []
        for place, row in enumerate(rows):
            name = self.message_name(row)
            if not name and before and self._goes_on(rows[before[-1]], row):
                before.append(place)
                continue
            places = groups.setdefault((name, -1 if name else place), [])
            places.append(place)
            before = [] if name or not self._piece(row) else places
        messages = [one for places in groups.values() for one in self._by_side(places, rows)]
        return [self._as_one(one, rows) for one in sorted(messages)]

    def _by_side(self, places: list[int], rows: Sequence[JsonValue]) -> list[list[int]]:
        """The rows of one id, apart where it is the id of a question and of its answer."""
        if not self.role or len(places) == 1:
            return [places]
        spoken = [self._named(identifier(role_at(rows[place], self.role, None)).strip()) for place in places]
        if not {"user", "assistant"}.issubset(spoken):
            return [places]
        first = _marks(rows[places[0]])
        changes = [not _marks(rows[place]).isdisjoint({"edited", "deleted"} - first) for place in places]
        if not {"user", "assistant"}.issubset(
            role for role, edits in zip(spoken, changes, strict=True) if not edits
        ):
            return [places]  # others may edit a message
        runs: list[tuple[str | None, list[int]]] = []
        for place, role, edits in zip(places, spoken, changes, strict=True):
            near = runs[::-1] if edits else runs[-1:]
            held = next((run for side, run in near if role in (None, side)), None)
            if held is None:
                runs.append((role, [place]))
            else:
                held.append(place)
        return [run for _, run in runs]

    def _goes_on(self, before: JsonValue, row: JsonValue) -> bool:
        """Whether a row without an id goes on with the piece before it, of the same speaker."""
        roles = [identifier(role_at(one, self.role, None)) for one in (before, row)] if self.role else [""]
        return self._piece(row) and ("" in roles or len(set(roles)) == 1)

    def _piece(self, row: JsonValue) -> bool:
        text, path = self._text_in(row)
        return isinstance(text, str) and text != "" and (is_piece_path(path) or "piece" in _marks(row, text))

    def _text_in(self, row: JsonValue) -> tuple[JsonValue, str]:
        """What a row says, with the path where it stands."""
        found = ((value_at(row, path), path) for path in self.text.split(" | "))
        return next(((text, path) for text, path in found if text is not None), (None, ""))

    def _as_one(self, places: Sequence[int], rows: Sequence[JsonValue]) -> JoinedRows:
        """The rows of one message as one row, which has their fields, and the text under its path."""
        if len(places) == 1:
            return JoinedRows((places[0],), rows[places[0]], how="alone")
        group = [rows[place] for place in places]
        numbers = _numbers_in(group, "step_field")
        versions = _numbers_in(group, "version_field")
        order = versions or numbers or [0] * len(group)
        said: list[_Said] = []
        row: JsonValue = group[0]
        first = _marks(row, self._text_in(row)[0])
        for place in sorted(range(len(group)), key=order.__getitem__):
            one = group[place]
            text, path = self._text_in(one)
            marks = _marks(one, text)
            new = marks - first
            is_piece = is_piece_path(path) or "piece" in marks
            if "deleted" in new and not (is_piece and text):  # as a piece with `intent: delete_account`
                return JoinedRows(tuple(places), group[0], "the message was deleted", "deleted")
            row = _merged(row, one)
            if text is not None and text != "":
                said.append(_Said(text, order[place], is_piece, is_edit="edited" in new))
        is_counted = numbers is not None and versions is None and max(numbers) <= len(numbers)
        text, how = _one_text(said, is_counted=is_counted)
        return JoinedRows(tuple(places), {**row, self.text: text} if isinstance(row, dict) else row, how=how)

    def _of_items(self, items: Iterable[JsonValue], unit: JsonValue) -> tuple[list[Any], list[str]]:
        found: list[Any] = []
        problems: list[str] = []
        for index, item in enumerate(items):
            try:
                if self.speakers and found and isinstance(item, str) and not cut(item, tuple(self.roles)):
                    found[-1] = {**found[-1], "content": f"{found[-1]['content']}\n{item}"}  # it goes on
                else:
                    found += self._of_item(item, index, unit)
            except FormatError as error:
                problems.append(f"{self.messages}[{index}]: {error.detail}")
        return found, problems

    def _of_item(self, item: JsonValue, index: int, unit: JsonValue) -> Iterator[dict[str, Any]]:
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
            role = self._role(item, unit)
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
            one = value_at(item, path)
            if _is_said(one) and not (
                isinstance(one, dict) and any(o.startswith(f"{path}.") for o in self.said)
            ):
                found.append((role, one))
        return found

    def _message(self, role: str, item: JsonValue) -> dict[str, Any]:
        text = value_at(item, self.text)
        calls = told(value_at(item, self.tool_calls)) if self.tool_calls else None
        if not calls and role != "tool" and not _is_said(text):
            if text is None and not _has(item, self.text):
                raise FormatError(f"no text at {self.text}{_hint(item, self.text)}")
            if role == "user" or _has_attachment(item):
                raise FormatError(f"neither text at {self.text} nor a call")
        message: dict[str, Any] = {"role": role, "content": _content(text)}
        if calls:
            message["tool_calls"] = calls
        for name, path in (("tool_call_id", self.tool_call_id), ("name", self.tool)):
            if path and role == "tool" and (found := identifier(value_at(item, path))):
                message[name] = found
        return message

    def _role(self, item: JsonValue, unit: JsonValue) -> MappedRole:
        value = role_at(item, self.role, unit)
        name = identifier(value).strip()
        role = self._named(name)
        if role is not None:
            return role
        if not name:
            raise FormatError(f"nobody speaks: nothing at {self.role}{_hint(item, self.role)}")
        hint = did_you_mean(name, self.roles) or f"; the mapping has {', '.join(self.roles) or 'none'}"
        said = f"the role {shorten(json_text(value), 60)} is not in roles{hint}"
        raise FormatError(f"{said}: say in a map (--map FILE) whose it is, or skip")

    def _named(self, name: str) -> MappedRole | None:
        """Who a value of the role means: by its name, or by the longest beginning that has a star."""
        if not self.roles:
            return role_in(name) if name else None
        known = _folded_roles(tuple(self.roles.items()))
        folded = name.casefold()
        if folded in known:
            return known[folded]
        if not folded:
            return known.get("*")
        stars = [one for one in known if one.endswith("*") and folded.startswith(one[:-1])]
        return known.get(max(stars, key=len, default=""))

    def _spoken(self, text: JsonValue) -> Iterator[dict[str, Any]]:
        if not isinstance(text, str):
            raise FormatError(f"found {kind_of(text)} at {self.text or self.messages}; expected a text")
        speeches = cut(text, tuple(self.roles))
        if not speeches:
            names = ", ".join(self.roles)
            raise FormatError(
                f"nobody speaks {shorten(text.strip(), 60)!r}; expected one of {names} before it"
            )
        if len(speeches) > 1 and not speeches[-1][1]:
            speeches.pop()  # a prompt ends with who is to speak next
        for name, said in speeches:
            role = (self._named(name) or "skip") if name else "system"
            if role != "skip":
                yield {"role": role, "content": said}


# -- rows that are one message


@lru_cache(maxsize=4096)
def marks_of(name: str) -> frozenset[str]:
    """Whether a name, or the value of a field as `type`, tells of a piece, an edit or a deletion."""
    words = words_of(name)
    found = {kind for kind in ("edited", "deleted") if not WORDS[kind].isdisjoint(words)}
    return frozenset({*found, "piece"} if words and words[-1] in WORDS["piece"] else found)


def is_piece_path(path: str) -> bool:
    """Whether a name in the path tells of a piece, as `data.delta.text` does."""
    return bool(path) and any("piece" in marks_of(one) for one in path.split("."))


def _marks(row: JsonValue, text: JsonValue = None) -> set[str]:
    """What the fields of a row tell of it, but for its text: that it is a piece, an edit, a deletion."""
    found: set[str] = set()
    for path, value in islice(_leaves(row), _MOST_FIELDS):
        if isinstance(value, str) and len(value) <= _LONGEST_NAME and value != text and not _SPACE(value):
            found |= marks_of(value)
        if value and str(value).lower() not in _NOTHING:
            found |= marks_of(path.rpartition(".")[2]) & {"edited", "deleted"}
    return found


_LONGEST_NAME = 60
_SPACE = re.compile(r"\s").search
_NOTHING = frozenset({"false", "no", "n", "none", "null", "0"})


def _leaves(value: JsonValue, above: str = "", depth: int = 0) -> Iterator[tuple[str, JsonValue]]:
    """The values of a row that are no objects, with their paths."""
    value = told(value)
    if isinstance(value, dict) and depth < _DEEPEST_MARK:
        for key, inner in value.items():
            yield from _leaves(inner, f"{above}.{key}", depth + 1)
    else:
        yield above, value


_DEEPEST_MARK = 3
_MOST_FIELDS = 40


def _numbers_in(rows: Sequence[JsonValue], kind: str) -> list[int] | None:
    """The numbers of rows, None where they have none, or most the same."""
    fields = [dict(islice(_leaves(row), _MOST_FIELDS)) for row in rows]
    for path in fields[0]:
        words = words_of(path.rpartition(".")[2])
        if not words or words[-1] not in WORDS[kind]:
            continue
        found = [identifier(one.get(path)) for one in fields]
        if all(one.isdecimal() for one in found) and 2 * len(set(found)) > len(found):
            return [int(one) for one in found]
    return None


def _merged(first: JsonValue, second: JsonValue) -> JsonValue:
    """What two rows of a message tell together: the second where both tell it."""
    if isinstance(first, str) and isinstance(second, str):
        first, second = told(first), told(second)
    if isinstance(first, dict) and isinstance(second, dict):
        return {**first, **{key: _merged(first.get(key), one) for key, one in second.items()}}
    return first if second is None or second == "" else second


class _Said(NamedTuple):
    """What a row says of a message, and its number there."""

    text: JsonValue
    number: int
    is_piece: bool
    is_edit: bool


def _one_text(said: Sequence[_Said], *, is_counted: bool) -> tuple[JsonValue, Joining]:
    """What the rows of a message say together, and how that was told; `is_counted` if they have numbers."""
    said = list(dict.fromkeys(said)) if is_counted else said  # some came twice
    texts = [one.text for one in said]
    last = texts[-1] if texts else ""
    if len(texts) < 2:
        return last, "alone"
    if not all(isinstance(one, str) for one in texts):
        return last, ""
    if len(texts) > 2 and all(_grows(one, other) for one, other in pairwise(texts)):
        return last, "replaced"
    named = any(one.is_piece for one in said)
    whole = ""
    how: Joining = "repeated"
    for n, one in enumerate(said):
        text = str(one.text)
        if n == 0:
            whole = text
        elif text == whole and (n > 1 or not one.is_piece):
            continue
        elif one.is_piece or (is_counted and not named and not one.is_edit and not _says_again(text, whole)):
            whole, how = whole + text, "joined"
        else:
            how = "replaced" if one.is_edit or named or _says_again(text, whole) else ""
            whole = text
    return whole, how


def _grows(before: JsonValue, text: JsonValue) -> bool:
    return isinstance(before, str) and isinstance(text, str) and text.startswith(before)


def _says_again(text: str, before: str) -> bool:
    """Whether a text has most words of another, as its edited form or the whole of it has."""
    if len(before) > 7 and text.startswith(before):
        return True
    if 5 * len(text) <= 3 * len(before):
        return False
    words = before.lower().split()
    again = set(text.lower().split())
    return sum(one in again for one in words) > 0.6 * len(words)


# -- texts that name who speaks

_AROUND = " \t\r\n|;/"
CLOCK = r"(?:\d{4}-\d\d-\d\d[T ])?\d{1,2}:\d\d(?::\d\d)?(?:\s*[ap]m)?"
_TIMES = re.compile(rf"(?i)\s*[\[(]?\b{CLOCK}[\])]?\s*(?:[-\u2013]\s*)?\Z|^\s*-+\s*\Z")
"""A time before the name of the next speaker."""
_NOTICE = re.compile(rf"(?im)^(?:[\[(]{CLOCK}[\])]|\*{{2,}}(?=[^*\n]+\*{{2,}}\s*$)|[-=]{{3,}})\s*")
"""How a line begins that nobody speaks."""
STAMPED = re.compile(
    r"(?im)^[\u200e\u200f\ufeff ]*(?:\[?\d{1,4}[-./]\d{1,2}[-./]\d{2,4},?[T ]\s*\d{1,2}[:.]\d\d(?:[:.]\d\d)?"
    r"(?:\s*[ap]\.?\s?m\.?)?\]?|[\[(]\d{1,2}:\d\d(?::\d\d)?(?:\s*[ap]\.?\s?m\.?)?[\])])"
    r"(?:\s+[-\u2013])?\s+(?:([^:\n]{1,40}):(?:[^\S\n]|$))?"
)
"""A date and a time, or a time in brackets, and who speaks, at the beginning of a line; else nobody does."""


def cut(text: str, names: tuple[str, ...]) -> list[tuple[str, str]]:
    """The speeches in a text, each with who speaks, "" for a notice; nothing where none of the names speaks.

    A name begins a line, or stands behind a sign in a text of one line. For any name ("*") it stands behind a
    date and a time.
    """
    pattern = STAMPED if "*" in names else speaker_pattern(names, in_lines=True)
    places = list(pattern.finditer(text))
    if len(places) < 2 and "*" not in names:
        places = max(places, list(speaker_pattern(names, in_lines=False).finditer(text)), key=len)
    if not places:
        return []
    ends = [one.start() for one in places[1:]] + [len(text)]
    speeches = [
        ("", text[: places[0].start()]),
        *((one[1] or "", text[one.end() : end]) for one, end in zip(places, ends, strict=True)),
    ]
    if "*" in names:
        return [(name, said.strip()) for name, said in speeches if name or said.strip()]
    found: list[tuple[str, str]] = []
    for name, said in speeches:
        spoken, *notices = _NOTICE.split(_TIMES.sub("", said))
        if name or spoken.strip(_AROUND):
            found.append((name, spoken.strip(_AROUND)))
        found += [("", one.strip(f"{_AROUND}*-=")) for one in notices if one.strip(f"{_AROUND}*-=")]
    return found


@lru_cache(maxsize=64)
def speaker_pattern(names: tuple[str, ...], *, in_lines: bool) -> re.Pattern[str]:
    """What finds where one of these begins to speak: a name and a colon, at the beginning or after an end."""
    either = "|".join(
        re.escape(one).removesuffix(r"\*") + (r"[^:\n]{0,25}" if one.endswith("*") else "")
        for one in sorted(names, key=len, reverse=True)
        if one not in ("", "*")
    )
    date = r"(?:\d{1,4}[-./]\d{1,2}[-./]\d{2,4},?[ T])?"
    stamp = rf"(?:[\[(<]?{date}{CLOCK}[.,\d]*[\])>]?\s*(?:[-\u2013|]\s*)?)?"
    before = rf"^[ \t>]*{stamp}" if in_lines else r"(?:^|(?<=[\s|;\])>/]))"
    aside = r"\s*(?:\([^)\n]{0,40}\))?\s*"
    return re.compile(
        rf"(?im){before}[*_<\[]*({either})(?:[*_>\]]*{aside}[*_]*(?::|->|=>)|>(?=\s))[*_]*[^\S\n]*"
    )


@lru_cache(maxsize=64)
def _folded_roles(roles: tuple[tuple[str, MappedRole], ...]) -> dict[str, MappedRole]:
    return {name.strip().casefold(): role for name, role in roles}


def _has_attachment(item: JsonValue) -> bool:
    """Whether something is sent with a message, as a picture."""
    named = item.items() if isinstance(item, dict) else ()
    return any(held and not WORDS["attachment_field"].isdisjoint(words_of(name)) for name, held in named)


def _is_same(text: JsonValue, other: JsonValue) -> bool:
    """Whether two texts differ in spaces only."""
    return isinstance(text, str) and isinstance(other, str) and text.split() == other.split()


def _is_said(value: JsonValue) -> bool:
    return value is not None and not (isinstance(value, str) and not value.strip())


def _content(value: JsonValue) -> JsonValue:
    """The text, or the blocks, that a message has as its content."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    parts = text_parts(value)
    if parts is not None:
        return "\n".join(parts)
    if isinstance(value, list) and all(isinstance(one, dict) and "type" in one for one in value):
        return value
    return json_text(value)


def text_parts(value: JsonValue) -> list[str] | None:
    """The texts of what is said in parts, `[{"type": "text", "text": ...}]`; None for anything else.

    Bare texts with objects between them are one text, of which some is marked.
    """
    if not isinstance(value, list) or not value:
        return None
    parts = [one.get("text") if isinstance(one, dict) else one for one in value]
    texts = [one for one in parts if isinstance(one, str)]
    if len(texts) < len(parts):
        return None
    bare = sum(isinstance(one, str) for one in value)
    return ["".join(texts)] if 0 < bare < len(value) else texts


# -- paths


def told(value: JsonValue) -> JsonValue:
    """The value, decoded where it is JSON in a text."""
    if not isinstance(value, str) or not holds_json(value):
        return value
    try:
        return parse_line(value.encode())
    except (FormatError, UnicodeError):
        found = python_value(value)
        return value if found is None else found


def python_value(text: str) -> JsonValue:
    """The value of a text as Python prints lists and objects, `{'who': 'user'}`; None where it is none."""
    if not holds_json(text) or "'" not in text or len(text) > _LONGEST_PYTHON:
        return None
    try:
        return clean_json(literal_eval(text.strip()))
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None


_LONGEST_PYTHON = 1_000_000


def value_at(value: JsonValue, path: str) -> JsonValue:
    """What stands at a path, None where nothing does. JSON in a text is looked into."""
    path = path.removesuffix("[]")
    if path in ("", "."):
        return value
    if isinstance(value, str):
        value = told(value)
    if isinstance(value, dict):
        return value[path] if path in value else _in_object(value, path)
    if isinstance(value, list):
        step, _, rest = path.partition(".")
        if step.isdecimal():
            return value_at(value[int(step)], rest) if int(step) < len(value) else None
        several = [value_at(one, path) for one in value]
        return [one for inner in several if isinstance(inner, list) for one in inner] or None
    return None


def _in_object(value: dict[str, JsonValue], path: str) -> JsonValue:
    if " | " in path:
        several = (value_at(value, one) for one in path.split(" | "))
        return next((one for one in several if one is not None), None)
    for key, inner in value.items():
        if path.startswith(key) and path[len(key) : len(key) + 1] in (".", "["):
            found = value_at(inner, path[len(key) :].removeprefix("[]").removeprefix("."))
            if found is not None:
                return found
    return None


def items_at(value: JsonValue, path: str) -> list[JsonValue] | None:
    """The conversations or rows of a document, each with the fields of what it stands in.

    Those under names are objects with `key` and `value`. None where the value is itself one.
    """
    if not path:
        return value if isinstance(value, list) else None
    found = [*_items(value, path, {})]
    return found[0] if len(found) == 1 else [one for each in found for one in each] if found else None


def _items(value: JsonValue, path: str, above: dict[str, JsonValue]) -> Iterator[list[JsonValue]]:
    value = told(value)
    if path in ("", "."):
        if isinstance(value, list):
            yield [{**above, **one} if isinstance(one, dict) else one for one in value]
        elif isinstance(value, dict):
            yield [{**above, "key": key, "value": one} for key, one in value.items()]
    elif isinstance(value, list):
        for one in value:
            yield from _items(one, path, above)
    elif isinstance(value, dict):
        for key, inner in value.items():
            star = path.startswith("*")
            step = "*" if star else key
            if path == step or path.startswith(f"{step}."):
                beside = {"key": key} if star else {name: one for name, one in value.items() if name != key}
                yield from _items(inner, path[len(step) + 1 :], {**above, **beside})


def order_of(value: JsonValue, path: str) -> JsonValue:
    """What a message is ordered by: what stands at the path, or at both of two."""
    if "," not in path:
        return value_at(value, path) if path else None
    parts = [identifier(value_at(value, one.strip())) for one in path.split(",")]
    return " ".join(parts) if all(parts) else None


_PERSON = re.compile(r"(.+)\[(?:([^=\]]+)=)?([^\]]+)\]\.?(.*)")


def role_at(item: JsonValue, path: str, unit: JsonValue) -> JsonValue:
    """Who speaks a message: what stands at the path, or what is said elsewhere of the person with that id."""
    found = _PERSON.fullmatch(path)
    if found is None:
        return value_at(item, path)
    people, key, by, kind = found.groups()
    held = told(value_at(unit, people))
    name = identifier(value_at(item, by))
    if isinstance(held, list):
        held = _by_id(held, key or "id")
    person = held.get(name) if isinstance(held, dict) else None
    return value_at(person, kind)


_last: tuple[JsonValue, str, dict[str, JsonValue]] = (None, "", {})


def _by_id(people: list[JsonValue], key: str) -> dict[str, JsonValue]:
    """People by their ids; those of the last list are kept, as a document may have thousands."""
    global _last
    if _last[0] is not people or _last[1] != key:
        _last = (people, key, {identifier(value_at(one, key)): one for one in people})
    return _last[2]


def _zipped(value: JsonValue, columns: Sequence[str]) -> list[JsonValue]:
    """The messages of which each list holds one field; a text is a list of letters."""
    lists = {name: told(value_at(value, name)) for name in columns}
    held = {name: one for name, one in lists.items() if isinstance(one, list | str)}
    sizes = {name: len(one) for name, one in held.items()}
    if len(held) < len(columns) or len(set(sizes.values())) > 1:
        there = ", ".join(f"{name} {sizes.get(name, 'is no list')}" for name in columns)
        raise FormatError(f"expected lists of one length; found {there}")
    return [dict(zip(held, row, strict=True)) for row in zip(*held.values(), strict=True)]


def _has(item: JsonValue, path: str) -> bool:
    """Whether the field is there, be it null; in a table an empty cell is no field."""
    above, _, name = path.rpartition(".")
    held = value_at(item, above) if above and not (isinstance(item, dict) and path in item) else item
    return isinstance(held, dict) and (name in held or path in held)


def _hint(value: JsonValue, path: str) -> str:
    if not isinstance(value, dict):
        return ""
    return did_you_mean(path, value) or f"; there are {shorten(', '.join(value), 120) or 'no fields'}"
