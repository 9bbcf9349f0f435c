"""`expect` and `evaluate` for asynchronous tests: every check is awaited, and holds up no event loop.

    from grice.aio import evaluate, expect

    async def test_books_a_room(async_conversation):
        reply = await async_conversation.say("A room for ten, please")
        await evaluate(reply).to_satisfy("The reply is friendly")
        await expect(reply).to_call_tool("check_availability")

The methods and their arguments are those of `grice.expect` and `grice.evaluate`.
"""

from __future__ import annotations

from grice._expectations import awaited_evaluate as evaluate
from grice._expectations import awaited_expect as expect

__all__ = ["evaluate", "expect"]
