"""A server on 127.0.0.1 that sends what it is told, byte by byte, for what no proper server does."""

import asyncio
import json
import socket
import struct
import threading
from contextlib import contextmanager

ANSWER = {
    "model": "odd-1",
    "choices": [{"message": {"role": "assistant", "content": "fine"}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 10, "completion_tokens": 5},
}


def http(body=ANSWER, status="200 OK", kind="application/json", **headers):
    """The bytes of an answer."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    head = {"Content-Type": kind, "Content-Length": len(data)}
    head |= {name.replace("_", "-"): value for name, value in headers.items()}
    lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in head.items())]
    return "\r\n".join([*lines, "", ""]).encode() + data


def reset(writer):
    """Cut the connection with a reset."""
    held = writer.get_extra_info("socket")
    held.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


class OddServer:
    """`answers` are sent one after the other, the last one again and again.

    An answer is bytes; a list of pieces of bytes, after which the connection ends; or a coroutine function of
    the writer.
    """

    def __init__(self, *answers):
        self.answers = list(answers)
        self.bodies = []
        self.heads = []
        self.most_at_once = 0
        self.at_once = 0

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    async def serve(self, reader, writer):
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                self.heads.append(head)
                length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
                self.bodies.append(json.loads(await reader.readexactly(length)))
                self.at_once += 1
                self.most_at_once = max(self.most_at_once, self.at_once)
                answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
                try:
                    if not await self._sent(answer, writer):
                        break
                finally:
                    self.at_once -= 1
        except (asyncio.IncompleteReadError, OSError):
            pass
        finally:
            writer.close()

    async def _sent(self, answer, writer):
        """Send an answer, and say whether the connection goes on."""
        if callable(answer):
            return await answer(writer)
        for piece in [answer] if isinstance(answer, bytes) else answer:
            writer.write(piece)
            await writer.drain()
        return isinstance(answer, bytes)


@contextmanager
def odd_server(*answers):
    """An OddServer in a thread of its own, while the test runs."""
    server, ready = OddServer(*answers), threading.Event()
    loop = asyncio.new_event_loop()

    async def run():
        listening = await asyncio.start_server(server.serve, "127.0.0.1", 0)
        server.port = listening.sockets[0].getsockname()[1]
        server.over = asyncio.Event()
        ready.set()
        await server.over.wait()
        listening.close()

    def serve():
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            runner.run(run())

    thread = threading.Thread(target=serve)
    thread.start()
    ready.wait(10)
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(server.over.set)
        thread.join(10)
