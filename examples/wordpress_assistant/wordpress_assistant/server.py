"""The two HTTP routes that the WordPress plugin talks to. JSON in, JSON out, on the loopback address.

`POST /chat` takes `{message, conversationHistory}`. `POST /tool-result` takes `{conversationHistory,
pendingToolCalls, toolResults, assistantText}`; the last is the text that came with the calls,
and may be missing. Both answer `{text, tool_calls, stop_reason}`, or `{"error": "..."}`.
"""

from __future__ import annotations

import argparse
import json
import logging
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from .app import build_assistant
from .assistant import Assistant, Step
from .messages import JsonDict
from .model import AnthropicModel, ModelError

MAX_BODY = 1_000_000
MAX_HISTORY = 100
MAX_TOOL_RESULTS = 20
READ_TIMEOUT = 30

logger = logging.getLogger(__name__)


class RequestError(Exception):
    """The client's request cannot be answered."""

    def __init__(self, status: HTTPStatus, message: str) -> None:
        super().__init__(message)
        self.status = status


class AssistantServer(ThreadingHTTPServer):
    """A server for one assistant."""

    daemon_threads = True

    def __init__(self, assistant: Assistant, port: int) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.assistant = assistant


class Handler(BaseHTTPRequestHandler):
    """Reads one request, runs the step that its route names, writes the answer."""

    server: AssistantServer
    timeout = READ_TIMEOUT

    def do_POST(self) -> None:
        try:
            self._send(HTTPStatus.OK, dict(self._step()))
        except RequestError as error:
            self._send(error.status, {"error": str(error)})
        except ValueError as error:
            self._send(HTTPStatus.BAD_REQUEST, {"error": str(error)})
        except ModelError as error:
            self._send(HTTPStatus.BAD_GATEWAY, {"error": str(error)})
        except Exception as error:
            logger.exception("%s failed", self.path)
            self._send(HTTPStatus.INTERNAL_SERVER_ERROR, {"error": f"{type(error).__name__}: {error}"})

    def do_GET(self) -> None:
        self._send(HTTPStatus.METHOD_NOT_ALLOWED, {"error": "only POST is answered here"})

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        logger.info(format, *args)

    def _step(self) -> Step:
        routes = {"/chat": chat, "/tool-result": tool_result}
        body = self._read_body()
        if self.path not in routes:
            raise RequestError(HTTPStatus.NOT_FOUND, f"no route {self.path}; there are {', '.join(routes)}")
        return routes[self.path](self.server.assistant, _json_object(body))

    def _read_body(self) -> bytes:
        length = self.headers.get("content-length", "")
        if not (length.isascii() and length.isdigit()):
            raise RequestError(HTTPStatus.LENGTH_REQUIRED, "the request needs a content-length")
        if int(length) > MAX_BODY:
            self.rfile.read(min(int(length), 8 * MAX_BODY))  # or the client may never see the answer
            raise RequestError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"the body exceeds {MAX_BODY} bytes")
        return self.rfile.read(int(length))

    def _send(self, status: HTTPStatus, body: JsonDict) -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def chat(assistant: Assistant, body: JsonDict) -> Step:
    """The step behind `POST /chat`."""
    message = body.get("message")
    if not isinstance(message, str) or not message.strip():
        raise RequestError(HTTPStatus.BAD_REQUEST, "message must be a text that is not empty")
    return assistant.chat_step(_objects(body, "conversationHistory", at_most=MAX_HISTORY), message)


def tool_result(assistant: Assistant, body: JsonDict) -> Step:
    """The step behind `POST /tool-result`."""
    text = body.get("assistantText")
    if not isinstance(text, str | None):
        raise RequestError(HTTPStatus.BAD_REQUEST, "assistantText must be a text")
    return assistant.tool_result_step(
        _objects(body, "conversationHistory", at_most=MAX_HISTORY),
        _objects(body, "pendingToolCalls", at_most=MAX_TOOL_RESULTS),
        _objects(body, "toolResults", at_least=1, at_most=MAX_TOOL_RESULTS),
        text,
    )


def make_server(assistant: Assistant, port: int = 0) -> AssistantServer:
    """A server on 127.0.0.1, listening but not yet serving; port 0 takes a free one."""
    return AssistantServer(assistant, port)


def _json_object(body: bytes) -> JsonDict:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise RequestError(HTTPStatus.BAD_REQUEST, f"the body is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise RequestError(HTTPStatus.BAD_REQUEST, "the body must be a JSON object")
    return value


def _objects(body: JsonDict, key: str, *, at_least: int = 0, at_most: int) -> list[JsonDict]:
    """A list of objects from the body; null and a missing key are an empty one."""
    value = body.get(key) or []
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise RequestError(HTTPStatus.BAD_REQUEST, f"{key} must be a list of objects")
    if not at_least <= len(value) <= at_most:
        raise RequestError(
            HTTPStatus.BAD_REQUEST, f"{key} has {len(value)} items; allowed are {at_least} to {at_most}"
        )
    return value


def main() -> None:
    parser = argparse.ArgumentParser(description="Serve the assistant on the loopback address.")
    parser.add_argument("--port", type=int, default=8787)
    server = make_server(build_assistant(AnthropicModel.from_env()), parser.parse_args().port)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        server.server_close()


if __name__ == "__main__":
    main()
