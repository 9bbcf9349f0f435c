"""The fixed address of a conversation's model, where the settings name a port."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from grice.records import MODEL_ADDRESS
from grice.running.conversation import OpenConversation
from grice.wire import ScriptedModel

__all__ = ["at_model_address"]


@contextmanager
def at_model_address(
    live: OpenConversation, model: ScriptedModel | None, port: int | None, *, key: str, wait: float
) -> Iterator[None]:
    """Play the model at the port while the conversation lasts, and say so in its metadata.

    Does nothing without a port. Raises AddressTaken when it cannot be had within `wait` seconds.
    """
    if port is None or model is None:
        yield
        return
    from grice.wire.fixed import fixed_address

    with fixed_address(model, port, key=key, wait=wait) as url:
        live.note(MODEL_ADDRESS, url)
        yield
