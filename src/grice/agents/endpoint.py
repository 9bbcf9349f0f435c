"""The address and the headers of an endpoint, with what the environment and the conversation put in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urljoin

from grice.agents.chat_turn import ChatTurn
from grice.agents.environment import PREFIX, Environment
from grice.agents.errors import AgentLoadError
from grice.agents.template import check_text, fill_text, names_in
from grice.identity import redact_text
from grice.records import JsonValue
from grice.text import value_text
from grice.wire.http import Request

__all__ = ["Endpoint", "check_address", "check_headers", "check_number"]

_ADDRESS = re.compile(r"https?://[^/?#\s]")
_HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")


class Endpoint:
    """Where requests go. What the environment has to give is looked up once, when it is made.

    Raises AgentLoadError for a variable that is not set, or that makes no address or header.
    """

    def __init__(self, url: str, headers: Mapping[str, str], environment: Environment) -> None:
        self.url = url
        self._headers = headers
        self._environment = environment
        self._refuse_no_address()
        for name, text in headers.items():
            self._refuse_lines(name, text)

    def request(self, turn: ChatTurn, body: bytes, path: str = "", accept: str = "*/*") -> Request:
        """The request of a turn with this body, to the address or to one that is relative to it."""
        url, shown = self._filled(self.url, turn), redact_text(self.url)
        if path:
            url = urljoin(url, self._filled(path, turn))
            shown = urljoin(shown, path) if "://" in shown else redact_text(path)
        headers = {name: self._header(name, text, turn) for name, text in self._headers.items()}
        return Request(url, shown, body, {"Accept": accept, **headers})

    def _filled(self, address: str, turn: ChatTurn) -> str:
        return fill_text(address, lambda name: self._in_address(name, turn))

    def _in_address(self, name: str, turn: ChatTurn) -> JsonValue:
        if name.startswith(PREFIX):
            return self._environment.value_of(name, "url")
        return quote(str(getattr(turn, name)), safe=":/")

    def _header(self, header: str, text: str, turn: ChatTurn) -> str:
        def value_of(name: str) -> JsonValue:
            if name.startswith(PREFIX):
                return self._environment.value_of(name, f"headers.{header}")
            return getattr(turn, name)

        return fill_text(text, value_of)

    def _refuse_no_address(self) -> None:
        def value_of(name: str) -> JsonValue:
            if name.startswith(PREFIX):
                return self._environment.value_of(name, "url")
            return "http://x" if name == "model_url" else "x"

        address = fill_text(self.url, value_of)
        if not _ADDRESS.match(address):
            raise AgentLoadError(f"url: {_no_address(self._environment.hide(address))}")

    def _refuse_lines(self, header: str, text: str) -> None:
        for name in sorted(names_in(text)):
            value = self._environment.value_of(name, f"headers.{header}") if name.startswith(PREFIX) else ""
            if any(sign in str(value) for sign in "\r\n\0"):
                variable = name.removeprefix(PREFIX)
                raise AgentLoadError(
                    f"headers.{header}: a header is one line, the environment variable {variable} has several"
                )


def check_address(url: object, field: str = "url") -> None:
    """Raise ValueError for what can be no address; one from the environment is checked when it is known."""
    check_text(url, field)
    text = str(url)
    if not text.startswith("${") and not _ADDRESS.match(text):
        raise ValueError(f"{field}: {_no_address(redact_text(text))}")


def check_headers(headers: Any) -> None:
    """Raise ValueError for what are no headers; their values are not shown."""
    if not isinstance(headers, Mapping):
        raise ValueError(f"headers: expected a mapping of names to texts, found a {type(headers).__name__}")
    for name, text in headers.items():
        if not isinstance(name, str) or not _HEADER_NAME.fullmatch(name):
            raise ValueError(f"headers: {value_text(name)} is not the name of a header")
        if not isinstance(text, str):
            raise ValueError(f"headers.{name}: expected a text, found a {type(text).__name__}")
        check_text(text, f"headers.{name}")
        if any(sign in text for sign in "\r\n\0"):
            raise ValueError(f"headers.{name}: a header is one line, found several")


def check_number(value: object, field: str, *, least: int) -> None:
    """Raise ValueError for what is not a whole number of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ValueError(f"{field}: expected a whole number of at least {least}, found {value_text(value)}")


def _no_address(found: str) -> str:
    return f"expected an address such as http://127.0.0.1:8000/chat, found {value_text(found)}"
