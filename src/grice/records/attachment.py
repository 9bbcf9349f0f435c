"""What a user sends beside the text: a picture, a document, a sound."""

from __future__ import annotations

import os
import re
from typing import Any

import msgspec

from grice.records.capture import clean_text
from grice.user_files import open_file

MAX_ATTACHMENT = 20_000_000
"""The bytes that an attachment may have."""

UNKNOWN = "application/octet-stream"
_MEDIA_TYPE = re.compile(r"[\w.+-]+/[\w.+-]+(?:;[ -~]*)?", re.ASCII)
_OTHER_ADDRESS = re.compile(r"data:|[a-z][a-z0-9+.-]+://", re.IGNORECASE)
_TYPES = {
    "csv": "text/csv",
    "gif": "image/gif",
    "jpeg": "image/jpeg",
    "jpg": "image/jpeg",
    "json": "application/json",
    "md": "text/markdown",
    "mp3": "audio/mpeg",
    "pdf": "application/pdf",
    "png": "image/png",
    "txt": "text/plain",
    "wav": "audio/wav",
    "webp": "image/webp",
}
"""Types by suffix that are the same in every version of Python."""


class Attachment(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A file beside the text of a message.

    It has its content (`data`, as base64 text, with the `sha256` of the bytes in hex) or only an address
    (`url`), which nobody fetches.
    """

    name: str
    media_type: str
    data: str | None = None
    url: str | None = None
    sha256: str = ""

    def __post_init__(self) -> None:
        if (self.data is None) == (self.url is None):
            raise ValueError("an attachment has either data or a url")

    @classmethod
    def of(cls, source: object, *, name: str = "", media_type: str = "") -> Attachment:
        """The attachment from a path, from bytes with a name, or from an http(s) address.

        The type follows from the name's suffix unless `media_type` says it. Raises FileNotFoundError (or
        what else the system says) for a file that cannot be read, ValueError for one of more than 20 MB and
        for no regular one, for bytes without a name, other addresses, an address whose type nobody knows and
        a `media_type` that is none, TypeError for anything else.
        """
        if isinstance(source, Attachment):
            return source
        if not isinstance(name, str):
            raise TypeError(f"an attachment's name is a text, found {type(name).__name__}")
        if media_type and not (isinstance(media_type, str) and _MEDIA_TYPE.fullmatch(media_type)):
            raise ValueError(f'media_type is {media_type!r}, expected one such as "image/png"')
        if isinstance(source, bytes | bytearray | memoryview):
            if not name:
                raise ValueError(
                    'an attachment made of bytes needs a name: Attachment.of(data, name="a.png")'
                )
            return _of_bytes(bytes(source), name, media_type)
        if isinstance(source, str) and source.lower().startswith(("http://", "https://")):
            return _of_address(source, name, media_type)
        if isinstance(source, str) and _OTHER_ADDRESS.match(source):
            raise ValueError(
                f"attachment {source[:60]}: expected a path or an http(s) address; "
                'content is Attachment.of(data, name="a.png")'
            )
        if isinstance(source, str | os.PathLike):
            path = os.fsdecode(source)
            return _of_bytes(_read(path), name or os.path.basename(path), media_type)
        raise TypeError(
            "an attachment is a path, an address or an Attachment, found "
            f"{type(source).__name__}; bytes need a name: Attachment.of(data, name=...)"
        )

    @property
    def size(self) -> int | None:
        """The number of bytes, None for one that has an address only."""
        return None if self.data is None else len(self.data) * 3 // 4 - self.data[-2:].count("=")

    @property
    def address(self) -> str:
        """Where the content is: `url`, or the content itself as a `data:` address."""
        return f"data:{self.media_type};base64,{self.data}" if self.url is None else self.url

    def __str__(self) -> str:
        where = _size_text(self.size) if self.size is not None else self.url
        text = f"[attachment: {self.name}, {self.media_type}, {where}]"
        return "".join([sign if sign.isprintable() else " " for sign in text])


def _of_bytes(content: bytes, name: str, media_type: str) -> Attachment:
    import base64
    import hashlib

    _refuse_too_large(len(content), name)
    data = base64.b64encode(content).decode()
    kind = media_type or _type_of(name) or UNKNOWN
    return Attachment(clean_text(name), kind, data, sha256=hashlib.sha256(content).hexdigest())


def _of_address(url: str, name: str, media_type: str) -> Attachment:
    path = url.partition("?")[0].partition("#")[0].partition("//")[2].partition("/")[2]
    name = name or path.rpartition("/")[2] or "attachment"
    kind = media_type or _type_of(name)
    if not kind:
        raise ValueError(
            f"attachment {url}: nothing tells its type, say it with "
            'Attachment.of(url, media_type="image/png")'
        )
    return Attachment(clean_text(name), kind, url=clean_text(url))


def _read(path: str) -> bytes:
    try:
        with open_file(path) as file:
            _refuse_too_large(os.fstat(file.fileno()).st_size, path)
            return file.read(MAX_ATTACHMENT + 1)
    except FileNotFoundError as error:
        raise _told(error, path, f"there is no such file, seen from {os.getcwd()}") from None
    except OSError as error:
        raise _told(error, path, f"cannot be read: {error.strerror}") from None


def _told(error: OSError, path: str, what: str) -> OSError:
    return type(error)(f"attachment {path[:200]}: {what}")


def _refuse_too_large(size: int, name: str) -> None:
    if size > MAX_ATTACHMENT:
        raise ValueError(f"attachment {name}: {size:,} bytes, expected at most {MAX_ATTACHMENT:,}")


def _type_of(name: str) -> str:
    _, dot, suffix = name.rpartition(".")
    known = _TYPES.get(suffix.lower()) if dot else ""
    if known is None:
        import mimetypes

        known, packed = mimetypes.MimeTypes().guess_type(f"a.{suffix}")
        if packed:
            known = "application/gzip" if packed == "gzip" else f"application/x-{packed}"
    return known or ""


def _size_text(size: int) -> str:
    for unit, factor in (("MB", 1_000_000), ("kB", 1_000)):
        if size >= factor:
            return f"{size / factor:.{int(size < 10 * factor)}f} {unit}"
    return f"{size} bytes"


def attachments_of(given: Any) -> tuple[Attachment, ...]:
    """A list of what `Attachment.of` takes; one on its own is refused with a TypeError."""
    if isinstance(given, str | bytes | os.PathLike | Attachment):
        raise TypeError(f"attachments is a list, found {type(given).__name__}: attachments=[...]")
    return tuple(map(Attachment.of, given))
