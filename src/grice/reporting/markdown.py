"""Markdown as GitHub renders it. What is given as text is shown as text, whatever stands in it."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence

from grice.reporting.document import Align
from grice.text import visible


def escape(text: str) -> str:
    """The text on one line, with nothing in it that Markdown, HTML or GitHub reads as more than text.

    Nobody is mentioned by an `@`, and no address becomes a link.
    """
    return _STARTS.sub(r"\1\\\2", inline(text))


def table(headers: Sequence[str], rows: Iterable[Sequence[str]], align: Sequence[Align] = ()) -> str:
    """A table of texts, which are escaped here; columns beyond `align` stand left. "" without rows.

    Raises ValueError for a row that is not as long as the headers.
    """
    rules = ["---:" if side == "right" else "---" for side in align]
    rules += ["---"] * (len(headers) - len(rules))
    cells = [list(map(inline, row)) for row in rows]
    if any(len(row) != len(headers) for row in cells):
        raise ValueError(f"every row of the table has {len(headers)} cells")
    lines = [list(map(inline, headers)), rules, *cells]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) if cells else ""


def details(summary: str, body: str) -> str:
    """A part that is folded away under its summary, which is text; the body is Markdown."""
    return f"{details_start(summary)}\n\n{body.strip()}\n\n{DETAILS_END}"


def details_start(summary: str) -> str:
    """How such a part begins; it ends with `DETAILS_END`, each a block by itself."""
    shown = _LINKED.sub("<!-- -->", html.escape(visible(summary, newlines=False), quote=False))
    return f"<details>\n<summary>{shown}</summary>"


DETAILS_END = "</details>"


def code(text: str) -> str:
    """The text on one line as code; not for tables, in which a `|` ends a cell in code too."""
    shown = visible(text, newlines=False)
    ticks = "`" * (_longest_ticks(shown) + 1)
    blank = " " if shown.startswith(("`", " ")) or shown.endswith(("`", " ")) else ""
    return f"{ticks}{blank}{shown}{blank}{ticks}" if shown else ""


def fence(text: str, language: str = "") -> str:
    """The text as a block of code, line by line."""
    shown = visible(text)
    ticks = "`" * max(_longest_ticks(shown) + 1, 3)
    return f"{ticks}{language}\n{shown}\n{ticks}"


def inline(text: str) -> str:
    """The text within a line, with nothing in it that is read as more than text."""
    shown = visible(text, newlines=False).translate(_ESCAPED)
    return _LINKED.sub("<!-- -->", shown)


def _longest_ticks(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


_ESCAPED: dict[int, str] = str.maketrans(
    {
        "&": "&amp;",
        "<": "&lt;",
        ">": "&gt;",
        "$": "<span>$</span>",  # else GitHub sets what stands between two of them as a formula
        **{sign: f"\\{sign}" for sign in "\\`*_[]|~"},
    }
)
_LINKED = re.compile(r"(?<=(?<!\w)@)(?=\w)|(?<=#)(?=\d)|(?<=:)(?=//)|(?<=\bwww)(?=\.)", re.IGNORECASE)
_STARTS = re.compile(r"^(\s*(?:\d+(?=[.)](?:\s|$)))?)([#+=.)-])")
