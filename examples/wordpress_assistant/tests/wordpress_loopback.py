"""Servers on the loopback address, and a client for them."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, HTTPServer, ThreadingHTTPServer
from typing import Any

from grice import ScriptedModel
from wordpress_assistant.assistant import Assistant


@contextmanager
def serving(server: HTTPServer) -> Iterator[int]:
    """Serves in a thread; the value is the port."""
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class Client:
    """Talks JSON to the server of an assistant."""

    def __init__(self, assistant: Assistant, port: int) -> None:
        self.assistant = assistant
        self.port = port

    def post(self, path: str, body: object) -> tuple[int, dict[str, Any]]:
        """The status and the answer. A `bytes` body is sent as it is, any other as JSON."""
        return self.request("POST", path, body if isinstance(body, bytes) else json.dumps(body).encode())

    def request(self, method: str, path: str, body: bytes | None = None) -> tuple[int, dict[str, Any]]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request(method, path, body)
            with connection.getresponse() as response:
                return response.status, json.loads(response.read())
        finally:
            connection.close()


class ModelServer(ThreadingHTTPServer):
    """Plays the model over HTTP: it answers as `model` does, or with `failure` (status and body) when set."""

    def __init__(self, model: ScriptedModel) -> None:
        super().__init__(("127.0.0.1", 0), ModelHandler)
        self.model = model
        self.failure: tuple[int, bytes] | None = None
        self.requests: list[tuple[str, dict[str, str]]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class ModelHandler(BaseHTTPRequestHandler):
    server: ModelServer

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.requests.append((self.path, headers))
        status, body = self.server.failure or (200, json.dumps(self.server.model.respond(request)).encode())
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Nothing: the requests are kept."""
