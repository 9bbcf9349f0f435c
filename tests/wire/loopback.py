"""What tests over loopback share: a free port, and a plain request."""

import json
import socket
import urllib.error
import urllib.request
from typing import Any


def free_port() -> int:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return int(held.getsockname()[1])


def ask(url: str, key: str, text: str = "hi") -> tuple[int, dict[str, Any]]:
    """The status and body of an Anthropic request."""
    body = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": text}]}
    headers = {"x-api-key": key, "content-type": "application/json"}
    request = urllib.request.Request(f"{url}/v1/messages", json.dumps(body).encode(), headers)
    try:
        with urllib.request.urlopen(request, timeout=10) as response:
            return response.status, json.loads(response.read())
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.loads(error.read())


def said(url: str, key: str, text: str = "hi") -> str:
    """The text of the model's reply."""
    status, body = ask(url, key, text)
    assert status == 200, body
    return str(body["content"][0]["text"])
