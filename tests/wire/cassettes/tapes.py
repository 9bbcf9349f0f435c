"""Recording and playing cassettes for tests, without CI's environment."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from grice.records import LLMMetadata, LLMRequest, LLMResponse
from grice.wire.cassettes import Cassette, Entry, Header
from grice.wire.cassettes.tape import write_tape


def cassette(path: Path, mode: str = "none", **options: Any) -> Cassette:
    """The cassette as it is outside CI."""
    return Cassette.open(path, mode, **{"environ": {}, **options})


def record(
    path: Path, *calls: tuple[str, dict[str, Any], Any], mode: str = "all", **options: Any
) -> Cassette:
    """The finished recording of the calls: their kinds, requests and answers."""
    with cassette(path, mode, **options) as recorded:
        for kind, request, answer in calls:
            recorded.begin(kind, request).record(answer)  # type: ignore[arg-type]
    return recorded


def asked(text: str) -> dict[str, Any]:
    """A request with that text."""
    return {"messages": [{"role": "user", "content": text}]}


def write_entries(path: Path, *entries: Entry, grice: str = "0.0.1") -> None:
    """A file with good digests, as another version wrote it, whatever is in it."""
    write_tape(path, Header(1, grice=grice), entries)


def edit(path: Path, old: str, new: str) -> None:
    """Change the file as an editor does."""
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


class Echo:
    """An LLM that says what it was asked, and counts."""

    def __init__(self, provider: str = "stub", model: str = "echo-1") -> None:
        self.name, self.provider, self.model = "echo", provider, model
        self.asked = 0

    async def ask(self, request: LLMRequest) -> LLMResponse:
        self.asked += 1
        said = msgspec.json.encode(request.messages[-1]["content"]).decode()
        return LLMResponse(said, metadata=LLMMetadata(self.provider, self.model, 12.5, 7, 3))


def question(text: str, **fields: Any) -> LLMRequest:
    """A judge's request with that text."""
    return LLMRequest(({"role": "user", "content": text},), **{"subject": "polite", **fields})
