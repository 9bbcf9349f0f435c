"""A real server on 127.0.0.1 that answers as a test says, and keeps what it was asked."""

import json
import socket
import struct
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Request:
    """A request as it came."""

    path: str
    headers: dict
    body: object


@dataclass
class Server:
    """`answers` are given one after the other, the last one again and again: JSON, bytes, or a function."""

    answers: list
    port: int = 0
    requests: list = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/chat"

    @property
    def body(self):
        return self.requests[-1].body


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 60

    def do_POST(self):
        served = self.server.served
        body = self.rfile.read(int(self.headers["content-length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        served.requests.append(Request(self.path, headers, json.loads(body)))
        answer = served.answers.pop(0) if len(served.answers) > 1 else served.answers[0]
        if callable(answer):
            answer(self)
        elif isinstance(answer, bytes):
            send(self, answer)
        else:
            send(self, json.dumps(answer).encode())

    def do_GET(self):
        send(self, b"only POST is answered", status=405)

    def log_message(self, *args):
        pass


def send(handler, body, *, status=200, kind="application/json", **headers):
    handler.send_response(status)
    handler.send_header("Content-Type", kind)
    handler.send_header("Content-Length", str(len(body)))
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(body)


def answering(body=b"", **options):
    return lambda handler: send(handler, body, **options)


def status(code, body=b"{}", **options):
    return lambda handler: send(handler, body, status=code, **options)


def streaming(*chunks, broken=False, hanging=False, kind="text/event-stream"):
    """An answer that comes in these chunks; `broken` ends it without the last one, `hanging` never."""

    def answer(handler):
        handler.send_response(200)
        handler.send_header("Content-Type", kind)
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        for chunk in chunks:
            data = chunk.encode() if isinstance(chunk, str) else chunk
            handler.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
            handler.wfile.flush()
        if hanging:
            never_answers(handler)
        if broken or hanging:
            handler.close_connection = True
        else:
            handler.wfile.write(b"0\r\n\r\n")

    return answer


def events(*data, **options):
    """A stream with one event for each of these: JSON values, or texts as they are."""
    lines = [one if isinstance(one, str) else json.dumps(one) for one in data]
    return streaming(*(f"data: {line}\n\n" for line in lines), **options)


def never_answers(handler):
    handler.server.served.over.wait(300)
    handler.close_connection = True


def resets(handler):
    """Cut the connection with a reset instead of an answer."""
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()
    handler.close_connection = True
    handler.wfile = handler.rfile = open("/dev/null", "rb+", buffering=0)  # noqa: SIM115 - closed by the handler


def hangs_up(handler):
    handler.close_connection = True


def raw(data):
    """Send these bytes instead of an answer, and hang up."""

    def answer(handler):
        handler.wfile.write(data)
        handler.close_connection = True

    return answer


@contextmanager
def serving(*answers):
    """A server with these answers, while the test runs."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.served = served = Server(list(answers), server.server_port)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield served
    finally:
        served.over.set()
        server.shutdown()
        thread.join()
        server.server_close()
