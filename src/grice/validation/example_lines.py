"""The lines of files of examples, before anybody knows what they are examples of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from grice.formats.lines import Unreadable, open_log, read_lines
from grice.records import JsonValue
from grice.suites.files import (
    Document,
    FieldType,
    FileError,
    WholeFileError,
    check_fields,
    load_file,
    parse_document,
)
from grice.suites.locate import JsonPath

__all__ = ["ExampleLine", "example_lines"]

MAX_EXAMPLES = 100_000


class ExampleLine(msgspec.Struct, frozen=True):
    """The place of an example in a file: its document, where in that, and lines before it."""

    document: Document
    place: JsonPath
    before: int

    def error(self, where: JsonPath, message: str, *, key: bool = False) -> FileError:
        """What is wrong at a place inside the example."""
        line, column = self.document.position((*self.place, *where), key=key)
        return FileError(self.document.path, line + self.before, column, message)

    def problems(
        self,
        where: JsonPath,
        value: JsonValue,
        optional: Mapping[str, FieldType],
        required: Mapping[str, FieldType] | None = None,
    ) -> list[FileError]:
        """What is wrong with the fields of an object inside the example."""
        found = check_fields(
            self.document, (*self.place, *where), value, required=required or {}, optional=optional
        )
        return [
            FileError(one.path, one.line + self.before, one.column, one.message.removeprefix("the file: "))
            for one in found
        ]


def example_lines(file: Path, errors: list[FileError]) -> Iterator[tuple[ExampleLine, JsonValue]]:
    """Every example as it stands in the file. Raises FileError for a file that cannot be read at all."""
    if file.suffix.lower() != ".jsonl":
        document = load_file(file)
        several = document.value if isinstance(document.value, list) else None
        if several is None:
            yield ExampleLine(document, (), 0), document.value
            return
        yield from ((ExampleLine(document, (place,), 0), one) for place, one in enumerate(several))
        return
    try:
        with open_log(file) as stream:
            for count, (number, line) in enumerate(read_lines(stream)):
                if count >= MAX_EXAMPLES:
                    raise WholeFileError(file, f"holds more than {MAX_EXAMPLES:,} examples")
                read = _document(file, number, line)
                if isinstance(read, FileError):
                    errors.append(read)
                else:
                    yield ExampleLine(read, (), number - 1), read.value
    except Unreadable as problem:
        raise WholeFileError(file, str(problem)) from None


def _document(file: Path, number: int, line: bytes | None) -> Document | FileError:
    """The line as a document of its own, or what is wrong with it."""
    if line is None:
        return FileError(str(file), number, 1, "the line is too long")
    try:
        return parse_document(line.decode().rstrip("\r\n"), path=file)
    except UnicodeDecodeError as error:
        return FileError(str(file), number, 1, f"not UTF-8: byte 0x{line[error.start]:02x}")
    except FileError as error:
        return FileError(str(file), number, error.column, error.message)
