"""OpenAI's own client: completions, responses, and the pieces of both."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any

from grice.agents.errors import BadReturn
from grice.agents.frameworks.protocol import NativeAgent, belongs_to, responses_of
from grice.agents.openai_reply import Deltas, read_completion
from grice.formats import read_message
from grice.records import AgentResponse, clean_json

_COMPLETION = "chat.completion"
_CHUNK = "chat.completion.chunk"
_ENDS = ("response.completed", "response.incomplete", "response.failed")


def adapt(agent: object) -> NativeAgent | None:
    """None: a client is no agent."""
    del agent
    return None


def is_reply(value: object) -> bool:
    """A completion, a response, a chunk or an event of one."""
    if not belongs_to(value, "openai"):
        return False
    kinds = (_COMPLETION, _CHUNK, "response")
    return getattr(value, "object", None) in kinds or str(getattr(value, "type", "")).startswith("response.")


def stream_of(value: object) -> AsyncIterator[object] | None:
    """None: its streams are iterators."""
    del value
    return None


def responses(pieces: Sequence[Any]) -> list[AgentResponse]:
    """The response of the model: whole, or assembled from its pieces."""
    said: list[AgentResponse] = []
    deltas = Deltas()
    for piece in pieces:
        kind = getattr(piece, "object", None)
        if kind == _COMPLETION:
            said.append(read_completion(clean_json(piece)))
        elif kind == _CHUNK:
            deltas.add(clean_json(piece))
        elif kind == "response":
            said += _of_response(piece)
        elif piece.type in _ENDS:
            said += _of_response(piece.response)
    if deltas.begun:
        said.append(read_completion(deltas.body()))
    if not said:
        raise BadReturn("the stream of the model ended before its reply did")
    return said


def _of_response(response: Any) -> list[AgentResponse]:
    items = [clean_json(item) for item in response.output]
    messages = [one for item in items for one in read_message(item, format="openai_responses")]
    return responses_of([one for one in messages if one.content or one.tool_calls or one.role == "tool"])
