"""Check the settings of an endpoint; `names` are the placeholders that may stand in them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from grice.identity import redact_text
from grice.text import value_text
from grice.wire.placeholders import check_text

ADDRESS = re.compile(r"(?i:https?)://[^/?#\s]")
_MEANT = re.compile(r"\w+:/|[\w.-]+:\d|\[")
_HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")


def meant_as_address(name: str) -> bool:
    """Whether a name is meant as an address, right or wrong: no `module:attribute` looks like one."""
    return _MEANT.match(name) is not None


def check_address(url: object, field: str = "url", *, names: tuple[str, ...] = ()) -> None:
    """Raise ValueError for what cannot be an address; one from the environment is checked later."""
    check_text(url, field, names=names)
    text = str(url)
    if not text.startswith("${") and not ADDRESS.match(text):
        raise ValueError(f"{field}: {no_address(redact_text(text))}")


def check_headers(headers: Any, *, names: tuple[str, ...] = ()) -> None:
    """Raise ValueError for what are no headers; their values are not shown."""
    if not isinstance(headers, Mapping):
        raise ValueError(f"headers: expected a mapping of names to texts, found a {type(headers).__name__}")
    for name, text in headers.items():
        if not isinstance(name, str) or not _HEADER_NAME.fullmatch(name):
            raise ValueError(f"headers: {value_text(name)} is not the name of a header")
        if not isinstance(text, str):
            raise ValueError(f"headers.{name}: expected a text, found a {type(text).__name__}")
        check_text(text, f"headers.{name}", names=names)
        if any(sign in text for sign in "\r\n\0"):
            raise ValueError(f"headers.{name}: a header is one line, found several")


def check_number(value: object, field: str, *, least: int) -> None:
    """Raise ValueError for what is not a whole number of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ValueError(f"{field}: expected a whole number of at least {least}, found {value_text(value)}")


def no_address(found: str) -> str:
    """The message for a text that is no address."""
    return f"expected an address such as http://127.0.0.1:8000/chat, found {value_text(found)}"
