"""What an id of a golden or scenario may look like: it is a name on command lines and in reports."""

from __future__ import annotations

from grice.text.display import shorten, visible

__all__ = ["id_problem"]


def id_problem(id_: str) -> str:
    """What is wrong with the id, "" when nothing is."""
    shown = shorten(visible(id_.replace("\t", "\\t"), newlines=False), 60)
    if not id_.strip():
        return f"expected a text that is not empty, found {id_!r}"
    if visible(id_, newlines=False) != id_ or "\t" in id_:
        return f"an id is one line of characters that can be seen, found '{shown}'"
    if id_ != id_.strip():
        return f"an id has no blanks around it, found '{shown}'"
    if "::" in id_:
        return f"an id has no '::', which divides file and name for pytest, found '{shown}'"
    return ""
