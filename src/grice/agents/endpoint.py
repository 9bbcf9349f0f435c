"""The address and the headers of an endpoint, filled from the environment and the conversation."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote, urljoin

from grice.agents.chat_turn import ChatTurn
from grice.agents.errors import AgentLoadError
from grice.agents.template import names_in
from grice.identity import redact_text
from grice.records import JsonValue
from grice.wire.addresses import ADDRESS, no_address
from grice.wire.environment import PREFIX, Environment
from grice.wire.http import Request
from grice.wire.placeholders import fill_text


class Endpoint:
    """The endpoint of requests. Values of the environment are read once, when it is made.

    Raises AgentLoadError for a variable that is not set, or that makes no address or header.
    """

    def __init__(self, url: str, headers: Mapping[str, str], environment: Environment) -> None:
        self.url = url
        self._headers = headers
        self._environment = environment
        self._refuseno_address()
        for name, text in headers.items():
            self._refuse_lines(name, text)

    def request(self, turn: ChatTurn, body: bytes, path: str = "", accept: str = "*/*") -> Request:
        """The request of a turn with this body, to the address or to one that is relative to it."""
        url, shown = self._filled(self.url, turn), redact_text(_with_server(self.url, turn))
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

    def _refuseno_address(self) -> None:
        def value_of(name: str) -> JsonValue:
            if name.startswith(PREFIX):
                return self._environment.value_of(name, "url")
            return "http://x" if name in ("model_url", "server_url") else "x"

        address = fill_text(self.url, value_of)
        if not ADDRESS.match(address):
            raise AgentLoadError(f"url: {no_address(self._environment.hide(address))}")

    def _refuse_lines(self, header: str, text: str) -> None:
        for name in sorted(names_in(text)):
            value = self._environment.value_of(name, f"headers.{header}") if name.startswith(PREFIX) else ""
            if any(sign in str(value) for sign in "\r\n\0"):
                variable = name.removeprefix(PREFIX)
                raise AgentLoadError(
                    f"headers.{header}: a header is one line, the environment variable {variable} has several"
                )


def _with_server(address: str, turn: ChatTurn) -> str:
    """The address as messages show it: what the server adds is no secret."""
    return address.replace("${server_url}", turn.server_url) if "${server_url}" in address else address
