"""Tables: comma-separated values with a header."""

from __future__ import annotations

import gzip
import io
import os
import random

import pytest

from grice.formats import tables
from grice.formats.tables import Table, holds_json

FUZZED = int(os.environ.get("GRICE_FUZZED_LINES", "200"))


def problems(content: bytes) -> list[tuple[str, int, int]]:
    table = Table(io.BytesIO(content))
    return [(one.problem, one.at, one.column) for one in (*table.problems, *table) if one.problem]


def test_rows_have_the_line_on_which_they_begin() -> None:
    table = Table(io.BytesIO(b'\xef\xbb\xbf\r\n id ,text\r\n1,"two\r\nlines"\r\n,\r\n2,"a ""b"""'))
    assert (table.names, table.line, table.problems) == (("id", "text"), 2, [])
    assert [(one.number, one.line, one.cells) for one in table] == [
        (0, 3, ["1", "two\r\nlines"]),
        (1, 6, ["2", 'a "b"']),
    ]


def test_an_empty_table_has_no_names_and_no_problems() -> None:
    table = Table(io.BytesIO(b"\n\n"))
    assert (table.names, table.problems, list(table)) == ((), [], [])


@pytest.mark.parametrize(
    ("content", "problem", "line", "column"),
    [
        (b"a,b\n1\n", "a row of 1 cells, expected 2 as in the header", 2, 1),
        (
            b"a,b\n1,2,3\n",
            "a row of 3 cells, expected 2 as in the header; a cell with a comma in it needs double quotes",
            2,
            1,
        ),
        (b"a,a\n", "column 2: the column 'a' is there twice", 1, 1),
        (b"a,\n", "column 2 has no name: the first row names the columns", 1, 1),
        (b"a;b\n", "the header is one column 'a;b': expected commas between the columns", 1, 1),
        (b"a\ncaf\xe9\n", "not UTF-8: byte 0xe9; save the file as UTF-8", 2, 4),
        (b"a\nx\0y\n", "a NUL byte; expected text", 2, 2),
        (b"a\rb\r", "its lines end with a carriage return alone: save it with line feeds", 1, 1),
        (
            "a\nb\n".encode("utf-16"),
            "not UTF-8: byte 0xff; it looks like UTF-16; save the file as UTF-8",
            1,
            1,
        ),
        (
            b'a\n"' + b"x" * 140_000 + b'"\n',
            "a cell is longer than 131,072 characters; is a quote open that begins in this row?",
            2,
            1,
        ),
        (
            b'a\n"x\n',
            'not valid CSV: a quote that opens in this row is not closed: end the cell with "',
            2,
            1,
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_place(content: bytes, problem: str, line: int, column: int) -> None:
    assert problems(content) == [(problem, line, column)]


def test_a_bad_line_spoils_only_its_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "_MAX_LINE", 20)
    table = Table(io.BytesIO(b'a\n"x\n\xff"\n' + b"y" * 50 + b"\nz\n"))
    assert [(one.line, one.problem.partition(":")[0], one.at) for one in table] == [
        (2, "not UTF-8", 3),
        (4, "a line longer than 0 MB", 4),
        (5, "", 0),
    ]


def test_a_file_that_breaks_off_is_told() -> None:
    packed = gzip.compress(b"a\n" + os.urandom(50_000).hex().encode())[:20_000]
    with gzip.GzipFile(fileobj=io.BytesIO(packed)) as stream:
        table = Table(stream)  # type: ignore[arg-type]
        assert list(table)[-1].problem.startswith("cannot be read after line 1: ")


@pytest.mark.parametrize(("cell", "json"), [("[1]", True), (' {"a": 1} ', True), ("[1", False), ("", False)])
def test_a_cell_may_look_like_json(cell: str, json: bool) -> None:
    assert holds_json(cell) is json


def test_any_mutated_table_is_read_or_told() -> None:
    chance = random.Random(7)
    for _ in range(FUZZED):
        content = bytearray(b'id,text,a.b\n1,"x ""y""\nz",[1]\n2,\xc3\xa9,\n3,"",{}\n')
        for _ in range(chance.randint(1, 8)):
            at = chance.randrange(len(content) + 1)
            pieces = (b'"', b",", b"\n", b"\r", b"\0", b"\xff", b"\xff\xfe", b"")
            content[at : at + chance.randint(0, 3)] = chance.choice(pieces)
        table = Table(io.BytesIO(bytes(content)))
        assert all(one.problem or len(one.cells) == len(table.names) for one in table)
        assert all(one.problem and one.at >= 1 for one in table.problems)
