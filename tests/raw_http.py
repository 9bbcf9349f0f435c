"""HTTP by hand: what a client sends that no SDK would, and what comes back."""

import asyncio
import json
from contextlib import asynccontextmanager, suppress

MESSAGES = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "hi"}]}


@asynccontextmanager
async def connected(stub, **options):
    """A connection to the stub, as `(reader, writer)`."""
    reader, writer = await asyncio.open_connection("127.0.0.1", stub.port, **options)
    try:
        yield reader, writer
    finally:
        writer.close()
        with suppress(OSError):  # the server was first
            await writer.wait_closed()


def request(path, body=MESSAGES, *, key, method="POST", headers=()):
    """The bytes of a request; `body` is JSON, or bytes as they are."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    given = {"Host": "127.0.0.1", "x-api-key": key, "Content-Length": str(len(raw))} | dict(headers)
    lines = [f"{name}: {value}" for name, value in given.items() if value is not None]
    return "\r\n".join([f"{method} {path} HTTP/1.1", *lines, "", ""]).encode("utf-8", "surrogateescape") + raw


async def response(reader):
    """The next response, as `(status, headers, body)`."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:] if line)}
    if headers.get("transfer-encoding") == "chunked":
        body = b""
        while size := int(await reader.readline(), 16):
            body += await reader.readexactly(size)
            await reader.readline()
        await reader.readline()
    else:
        body = await reader.readexactly(int(headers.get("content-length", 0)))
    return int(head[0].split()[1]), headers, body


async def exchange(stub, raw):
    """The response to the bytes of one request."""
    async with connected(stub) as (reader, writer):
        writer.write(raw)
        return await asyncio.wait_for(response(reader), 60)


def ask(stub, raw):
    """The same from synchronous code; a JSON body is decoded."""
    status, headers, body = asyncio.run(exchange(stub, raw))
    return status, headers, json.loads(body) if "json" in headers.get("content-type", "") else body


async def until(holds, seconds=60.0):
    """Wait until the function says so."""
    async with asyncio.timeout(seconds):
        while not holds():
            await asyncio.sleep(0.005)
