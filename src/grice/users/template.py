"""Instructions of a user's own for the LLM that plays a user."""

from __future__ import annotations

import re
from collections.abc import Mapping
from io import TextIOWrapper
from pathlib import Path

from grice.records import clean_text
from grice.text import did_you_mean, value_text
from grice.user_files import open_file
from grice.users.errors import UserConfigError

__all__ = ["PLACEHOLDERS", "check_template", "fill_template", "template_text"]

PLACEHOLDERS = ("goal", "role", "personality", "context", "persona", "rules", "topic", "turn")
"""What may stand in braces: the settings in words, the current topic, and the number of the next turn."""
MAX_SIZE = 100_000

_FIELD = re.compile(r"\{\{|\}\}|\{([A-Za-z_]\w*)\}")
_BRACE = re.compile(rf"{_FIELD.pattern}|(?P<single>[{{}}])")


def check_template(template: object) -> None:
    """Raise UserConfigError unless it is None, a Path, or a text whose placeholders are known."""
    if template is None or isinstance(template, Path):
        return
    if not isinstance(template, str):
        raise UserConfigError(f"template: expected a text or a Path, found {value_text(template)}")
    _check(template, "template")


def template_text(template: str | Path) -> str:
    """The text of a template, read where it is a Path. Raises UserConfigError."""
    if isinstance(template, str):
        return template
    try:
        with open_file(template) as stream, TextIOWrapper(stream, "utf-8") as lines:
            text = lines.read(MAX_SIZE + 1)
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise UserConfigError(f"template: {template} cannot be read: {why}") from error
    _check(text, str(template))
    return text


def fill_template(text: str, values: Mapping[str, str]) -> str:
    """The template with its placeholders filled; `{{` and `}}` are braces. Values are not looked into."""

    def filled(found: re.Match[str]) -> str:
        return values[found[1]] if found[1] else found[0][0]

    return _FIELD.sub(filled, text).strip()


def _check(text: str, where: str) -> None:
    if not text.strip():
        raise UserConfigError(f"{where}: the template is empty")
    if len(text) > MAX_SIZE:
        raise UserConfigError(f"{where}: the template has more than {MAX_SIZE:,} characters")
    if text != clean_text(text):
        raise UserConfigError(f"{where}: the template is not valid Unicode")
    for found in _BRACE.finditer(text):
        if found["single"] or (found[1] and found[1] not in PLACEHOLDERS):
            before = text[: found.start()]
            line, column = before.count("\n") + 1, found.start() - before.rfind("\n")
            wrong = (
                f"a single {found['single']}"
                if found["single"]
                else f"unknown placeholder {{{found[1]}}}{did_you_mean(found[1], PLACEHOLDERS)}"
            )
            raise UserConfigError(
                f"{where}:{line}:{column}: {wrong}: there are "
                f"{', '.join(PLACEHOLDERS)}; a brace of the text is written twice"
            )
