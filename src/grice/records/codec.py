"""The versioned JSON form of records."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from grice.records.capture import clean_json
from grice.records.conversation import Conversation
from grice.records.result import Result

FORMAT_VERSION = 1
OLDEST_VERSION = 1


class RecordFormatError(ValueError):
    """A stored record that cannot be read: not JSON, not a record, or of a newer version."""


_T = TypeVar("_T")


class _ConversationFile(msgspec.Struct, frozen=True):
    version: int
    conversation: Conversation


class _ResultsFile(msgspec.Struct, frozen=True):
    version: int
    results: tuple[msgspec.Raw, ...]


def encode(record: object) -> bytes:
    """The record, or what holds records, as UTF-8 JSON.

    Half a character, as in the message of somebody's assertion, becomes U+FFFD, as `clean_json` has it.
    """
    try:
        return msgspec.json.encode(record)
    except UnicodeEncodeError:
        return msgspec.json.encode(clean_json(msgspec.to_builtins(record)))


def encode_conversation(conversation: Conversation) -> bytes:
    """The conversation as UTF-8 JSON with its format version; equal records give equal bytes."""
    return encode(_ConversationFile(FORMAT_VERSION, conversation))


def decode_conversation(data: bytes | str) -> Conversation:
    """The conversation that `encode_conversation` wrote.

    Raises RecordFormatError when the data is not such JSON, or was written by a newer format.
    """
    return _decode(data, _ConversationFile).conversation


def encode_results(results: tuple[Result, ...]) -> bytes:
    """The results as UTF-8 JSON with their format version."""
    encoded = tuple(msgspec.Raw(encode(one)) for one in results)
    return msgspec.json.encode(_ResultsFile(FORMAT_VERSION, encoded))


def _decode(data: bytes | str, kind: type[_T]) -> _T:
    try:
        fields = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
        version = fields.get("version")
        number = msgspec.json.decode(version, type=int) if version is not None else None
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise RecordFormatError(f"not a record of Grice: {error}") from error
    if number is None:
        raise RecordFormatError('not a record of Grice: it has no "version"')
    if number > FORMAT_VERSION:
        raise RecordFormatError(
            f"format version {number} is newer than this Grice reads ({FORMAT_VERSION}); update Grice"
        )
    if number < OLDEST_VERSION:
        raise RecordFormatError(f"not a record of Grice: there is no format version {number}")
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise RecordFormatError(f"not a record of Grice: {error}") from error
