"""Read the items that people and judges are asked about, and the labels in their rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from grice.files.document import FileError, FileErrors, WholeFileError
from grice.formats import FormatError, read_conversation
from grice.formats.detection import detect_clean
from grice.formats.logs import HOLDING, Entry, entry_of
from grice.formats.pairing import orphan_results, orphans_told
from grice.records import Conversation, Reply
from grice.text import did_you_mean, value_text
from grice.validation.examples import CallFields, Earlier, conversation_of
from grice.validation.rows import MAX_ERRORS, Row, read_rows

_APART = ("system", "instructions")


class NoReply(msgspec.Struct, frozen=True):
    """A conversation in which nobody replied: there is nothing to judge."""

    message: str = "no reply in the conversation: there is nothing to judge"


class LoggedMessages:
    """The rows of a log with one message a line, by the id of their conversation."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[Row, list[dict[str, Any]]]] = {}

    def take(self, row: Row, entry: Entry) -> bool:
        """Keep a row if it is a message; whether it is one."""
        if entry.kind != "message" or not _is_message(entry.messages[0]):
            return False
        self._found.setdefault(entry.id, (row, []))[1].append(entry.messages[0])
        return True

    def conversations(self) -> Iterator[tuple[Row, Conversation | NoReply | FileError]]:
        """Every conversation, with the row of its first message."""
        for name, (row, messages) in self._found.items():
            named = msgspec.structs.replace(row, fields={"id": name})
            try:
                yield named, _to_last_reply(read_conversation(messages, id=name))
            except FormatError as error:
                yield named, row.error((), f"conversation {name}: {error}")


def _is_message(raw: dict[str, Any]) -> bool:
    """Whether it is a message beyond doubt: rows of labels may have a `type` too."""
    return "role" in raw or detect_clean([raw]) != "openai_chat"


def is_logged(row: Row, entry: Entry) -> bool:
    """Whether the row holds a whole conversation."""
    if entry.kind in ("conversation", "record") or (entry.kind == "malformed" and entry.messages):
        return True
    return any(row.fields.get(key) is not None for key in HOLDING)


def logged_conversation(row: Row, entry: Entry) -> Conversation | NoReply | FileError:
    """The conversation of a row up to its last reply, or what is wrong with it."""
    if entry.kind == "record":
        return _grice_conversation(row)
    if entry.kind != "conversation":
        return NoReply(entry.problem) if entry.messages else row.error((), entry.problem)
    holder = entry.holder if isinstance(entry.holder, dict) else {}
    beside = (*_APART, "metadata") if entry.within == "conversation" else _APART
    apart = {key: holder[key] for key in beside if key in holder}
    try:
        messages = [*entry.messages, *entry.reply]
        return _to_last_reply(read_conversation({**apart, "messages": messages}, id=entry.id))
    except FormatError as error:
        return row.error((), str(error))


def _grice_conversation(row: Row) -> Conversation | NoReply | FileError:
    own = isinstance(row.fields.get("turns"), list)
    value = row.fields if own else row.fields["conversation"]
    try:
        return _to_last_reply(msgspec.convert(value, Conversation))
    except msgspec.ValidationError as error:
        where = () if own else ("conversation",)
        return row.error(where, f"not a conversation of Grice: {error}")


def _to_last_reply(conversation: Conversation) -> Conversation | NoReply:
    turns = conversation.turns
    spoken = [
        place for place, turn in enumerate(turns, 1) if any(one.role == "assistant" for one in turn.messages)
    ]
    if not spoken:
        return NoReply()
    return msgspec.structs.replace(conversation, turns=turns[: spoken[-1]])


LabelValue = bool | float | str

"""Whether a criterion is met, a score from 1 to 5, or one of some choices (which reply is better)."""


class Item(msgspec.Struct, frozen=True):
    """One thing to be judged: the last reply of a conversation.

    `cluster` names what it shares with others, such as the conversation that several items are cut from;
    it is the item's own id where nothing is said. `text` is the reply's. `extra` are the fields of its row
    that say nothing of what is judged. `line` counts from 1.
    """

    id: str
    conversation: Conversation
    cluster: str = ""
    text: str = ""
    file: str = ""
    line: int = 1
    extra: Mapping[str, Any] = {}

    @property
    def subject(self) -> Reply:
        """The last reply, which is what is judged."""
        return Reply(self.conversation, len(self.conversation.turns))


class Label(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one person said of one item. `value` is None where they could not tell.

    `criterion` is the name of what they were asked, `fingerprint` that criterion's content then, `question`
    what they were asked without one. `at` is when (ISO 8601), `seconds` how long they took; 0 is unknown.
    """

    item: str
    value: LabelValue | None
    rater: str = ""
    criterion: str = ""
    note: str = ""
    file: str = ""
    line: int = 1
    fingerprint: str = ""
    question: str = ""
    at: str = ""
    seconds: float = 0.0


class FoundItems(msgspec.Struct, frozen=True):
    """Items, what is wrong with the files, and the conversations in which nobody replied (`silent`)."""

    items: list[Item]
    errors: list[FileError]
    silent: list[FileError]


class _Named(msgspec.Struct):
    """What names an item, among the fields of its row."""

    id: str | int | None = None
    item: str | int | None = None
    cluster: str | int | None = None


class _Judged(msgspec.Struct):
    """What is judged, and what was before, among the fields of a row."""

    text: str
    user: str | None = None
    data: Any = None
    tool_calls: tuple[CallFields, ...] = ()
    duration: float = 0
    earlier: tuple[Earlier, ...] = ()


_WANTED = "expected text (the reply to judge) or messages (a conversation that ends with it)"


def read_items(files: Iterable[Path]) -> list[Item]:
    """The items of the files. Raises FileErrors with everything that is wrong.

    Rows are objects in JSON Lines (gzip too), in a JSON list, or rows of CSV with a header. A row has an `id`
    and what is to be judged: `text`, a reply, with optional `user`, `earlier`, `tool_calls` and `data`; or
    `messages` in any format that is known, or a conversation of Grice, whose last reply it is. `cluster`, or
    a text as `conversation` or `scenario`, names what items have in common. Messages may stand one a line,
    with the id of their conversation. A row of which only labels can be read is passed over.
    """
    found = find_items(files)
    errors = sorted([*found.errors, *found.silent], key=lambda one: (one.path, one.line, one.column))
    if errors:
        raise FileErrors(errors[:MAX_ERRORS])
    return found.items


def find_items(files: Iterable[Path]) -> FoundItems:
    """The items of the files, and everything that is wrong with them."""
    reading = _Reading()
    given = list(files)
    for file in given:
        messages = LoggedMessages()
        for row in read_rows(file, reading.errors):
            entry = entry_of(row.fields, row.line)
            if not messages.take(row, entry):
                reading.add(row, entry)
        for row, found in messages.conversations():
            reading.add_logged(row, found)
    if given and not (reading.items or reading.errors or reading.silent):
        reading.errors.append(WholeFileError(given[0], f"holds no items: {_WANTED}"))
    return FoundItems(reading.items, reading.errors, reading.silent)


def has_label(row: Row) -> bool:
    """Whether the row holds a person's label."""
    return any(name in ("label", "value", "labels", "retracts") for name in row.fields) or any(
        name.startswith("label:") for name in row.fields
    )


def orphan_notes(items: Iterable[Item]) -> list[str]:
    """A note on each file in which tool results match no call."""
    found = Counter[str]()
    for item in items:
        found[item.file] += orphan_results(item.conversation.messages)
    return [f"{file}: {orphans_told(count)}" for file, count in found.items() if count]


def reply_key(text: str) -> str:
    """A key that is the same for replies that differ in white space and case only."""
    return " ".join(text.split()).casefold()


class _Reading:
    """Collects items; an id is that of one item, which labelled rows may repeat."""

    def __init__(self) -> None:
        self.items: list[Item] = []
        self.errors: list[FileError] = []
        self.silent: list[FileError] = []
        self._rows: dict[str, Row] = {}
        self._taken: dict[str, Item] = {}

    def add(self, row: Row, entry: Entry) -> None:
        fields = row.fields
        if is_logged(row, entry):
            self.add_logged(row, logged_conversation(row, entry))
        elif "text" in fields:
            self._add_judged(row)
        elif not (has_label(row) and ("item" in fields or "id" in fields)):
            near = next((hint for name in fields if (hint := did_you_mean(name, ("text", "messages")))), "")
            self.errors.append(row.error((), f"nothing to judge: {_WANTED}{near}"))

    def add_logged(self, row: Row, found: Conversation | NoReply | FileError) -> None:
        """Add a conversation of a log; the id of its line is its id where it has none."""
        problems = row.problems(_Named)
        if isinstance(found, NoReply):
            self.silent.append(row.error((), found.message))
        elif isinstance(found, FileError):
            self.errors += [*problems, found]
        elif problems:
            self.errors += problems
        else:
            self._take(row, _id_of(row) or found.id or f"{Path(row.file).name}:{row.line}", found)

    def _add_judged(self, row: Row) -> None:
        problems = row.problems(_Named) + row.problems(_Judged)
        if not _id_of(row) and not problems:
            problems.append(row.error((), "missing field 'id', which labels name the item by"))
        if problems:
            self.errors += problems
        else:
            self._take(row, _id_of(row), conversation_of(row.fields))

    def _take(self, row: Row, name: str, conversation: Conversation) -> None:
        cluster = next((text for key in _CLUSTERS if (text := _text_of(row.fields.get(key)))), name)
        item = Item(
            id=name,
            conversation=conversation,
            cluster=cluster,
            text=conversation.turns[-1].text,
            file=row.file,
            line=row.line,
            extra={key: value for key, value in row.fields.items() if key not in _READ},
        )
        first = self._taken.setdefault(name, item)
        if first is item:
            self._rows[name] = row
            self.items.append(item)
            return
        same = f"line {first.line}" if first.file == item.file else f"{first.file}:{first.line}"
        if not (has_label(row) and has_label(self._rows[name])):
            message = f"the id {value_text(name)} is that of {same} too"
        elif first.conversation != conversation:
            message = f"the id {value_text(name)} is that of {same} too, where another reply is judged"
        else:
            return  # the same item once more, with a label of somebody else
        self.errors.append(row.error(("id",) if "id" in row.fields else (), message))


_CLUSTERS = ("cluster", "conversation", "scenario")

_READ = frozenset({*_Judged.__struct_fields__, "id", "item", "messages", "turns", "conversation", "cluster"})


def _text_of(value: object) -> str:
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""


def _id_of(row: Row) -> str:
    return _text_of(row.fields.get("id")) or _text_of(row.fields.get("item"))
