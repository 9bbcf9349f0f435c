"""The folder that tests are written to: what people edited stays, an index says what is there."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from grice.extracting.extraction import Extracted, is_as_written, is_extracted
from grice.user_files import replacing

INDEX = "extracted.md"
_NOTHING = "# Extracted findings\n"

Written = Literal["written", "the same", "edited", "there"]
"""What became of a test: `edited` and `there` leave the file that stands in its place."""


def write_test(folder: Path, test: Extracted, *, update: bool = False) -> Written:
    """Write the test, unless a file of that name is there that says something else. Raises OSError.

    With `update` such a file is written anew, but only where nobody edited it.
    """
    path = folder / test.file
    if path.exists():
        there = path.read_text(encoding="utf-8", errors="replace")
        if there == test.text:
            return "the same"
        if not is_as_written(there):
            return "edited"
        if not update:
            return "there"
    folder.mkdir(parents=True, exist_ok=True)
    with replacing(path) as stream:
        stream.write(test.text.encode())
    return "written"


def write_index(folder: Path) -> Path:
    """List the tests of the folder that were extracted: the finding, its place, how far each is proved.

    Raises OSError.
    """
    rows = [
        _row(path, head)
        for path in sorted(folder.iterdir())
        if path.suffix in (".yaml", ".py") and (head := _head(path))
    ]
    table = ["| test | finding | where | proved |", "|---|---|---|---|", *rows]
    path = folder / INDEX
    with replacing(path) as stream:
        stream.write("\n".join([_NOTHING, *table, ""]).encode())
    return path


def _head(path: Path) -> list[str]:
    text = path.read_text(encoding="utf-8", errors="replace")
    if not is_extracted(text):
        return []
    lines: list[str] = []
    for line in text.split("\n")[1:]:
        if not line.startswith("# "):
            break
        lines.append(line.removeprefix("# "))
    return lines


def _row(path: Path, head: list[str]) -> str:
    finding = head[0] if head else ""
    where = next(
        (one.removeprefix("Found in ").rstrip(".") for one in head if one.startswith("Found in")), ""
    )
    proved = "yes" if any(one.startswith("Proved:") for one in head) else "no"
    cells = (f"[{path.name}]({path.name})", finding, where, proved)
    return f"| {' | '.join(one.replace('|', '&#124;').replace('<', '&lt;') for one in cells)} |"
