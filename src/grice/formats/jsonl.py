"""JSON Lines of conversations: one a line."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from grice.formats import lines
from grice.formats.conversation import SYSTEM_SOURCE, read_conversation
from grice.formats.detection import Format, known_format
from grice.formats.errors import FormatError, kind_of
from grice.formats.losses import Loss, report
from grice.formats.writing import write_conversation, written_system
from grice.records import Conversation, clean_json

_STACK = 3  # the frames from the warning up to who called the writer


def read_conversations(
    path_or_lines: str | os.PathLike[str] | Iterable[str | bytes],
    *,
    format: Format | None = None,  # noqa: A002 - the word of the field
) -> Iterator[Conversation]:
    """The conversations of a JSON Lines file (gzip too, "-" is standard input) or of its lines, one by one.

    A line holds an object with `messages`, or a bare list of them, in any format that `read_conversation`
    knows; each tells its own, unless `format` is given. Blank lines are skipped. Raises FormatError, which
    names file and line, at the first line that cannot be read or is longer than 50,000,000 bytes.
    """
    form = None if format is None else known_format(format)
    if isinstance(path_or_lines, str | os.PathLike):
        return _of_file(os.fspath(path_or_lines), form)
    return _read_each(_numbered(path_or_lines), form, "line ")


def _of_file(path: str, form: Format | None) -> Iterator[Conversation]:
    name = lines.name_of(path)
    try:
        with lines.open_log(path) as stream:
            yield from _read_each(lines.read_lines(stream), form, f"{name}:")
    except lines.Unreadable as problem:
        raise FormatError(f"{name}: {problem}") from None


def _numbered(given: Iterable[str | bytes]) -> Iterator[tuple[int, bytes | None]]:
    for number, line in enumerate(given, start=1):
        if not isinstance(line, str | bytes):
            raise FormatError(f"line {number}: found {kind_of(line)}; expected a line of JSON")
        raw = line.encode("utf-8", "replace") if isinstance(line, str) else line
        if number == 1:
            raw = raw.removeprefix(lines.UTF8_MARK)
        if raw.strip():
            yield number, raw if len(raw) <= lines.MAX_LINE else None


def _read_each(
    numbered: Iterable[tuple[int, bytes | None]], form: Format | None, place: str
) -> Iterator[Conversation]:
    for number, line in numbered:
        try:
            if line is None:
                raise FormatError(lines.long_line())
            conversation = read_conversation(lines.parse_line(line), format=form)
        except FormatError as error:
            raise FormatError(f"{place}{number}: {error}") from None
        yield conversation


def to_jsonl(
    conversations: Conversation | Iterable[Conversation],
    *,
    format: Format = "openai_chat",  # noqa: A002 - the word of the field
    losses: list[Loss] | None = None,
) -> str:
    """The conversations as JSON Lines, each line an object with `messages` in this format.

    It has `id`, `metadata` and `system` beside them where a conversation has these; `system` only where the
    format does not have the system prompt in the list. What has no place in the format is added to `losses`;
    without it, a FormatLossWarning says so.
    """
    form = known_format(format)
    found: list[Loss] = []
    written: list[bytes] = []
    given = [conversations] if isinstance(conversations, Conversation) else conversations
    for number, one in enumerate(given):
        line, lost = _line(one, form)
        written.append(msgspec.json.encode(clean_json(line)) + b"\n")
        found += [Loss(f"conversations[{number}].{loss.path}", loss.what) for loss in lost]
    report(found, form, losses, _STACK)
    return b"".join(written).decode()


def _line(conversation: Conversation, form: Format) -> tuple[dict[str, Any], list[Loss]]:
    messages, losses = write_conversation(conversation, form)
    line: dict[str, Any] = {"id": conversation.id} if conversation.id else {}
    line["messages"] = messages
    metadata = {key: value for key, value in conversation.metadata.items() if key != SYSTEM_SOURCE}
    if conversation.system is not None and not written_system(conversation, form)[0]:
        line["system"] = conversation.system
    return line | ({"metadata": metadata} if metadata else {}), losses
