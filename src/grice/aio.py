"""`expect` and `evaluate` for asynchronous tests: every check is awaited, and holds up no event loop.

    from grice.aio import evaluate, expect

    async def test_books_a_room(async_conversation):
        reply = await async_conversation.say("A room for ten, please")
        await evaluate(reply).to_satisfy("The reply is friendly")
        await expect(reply).to_call_tool("check_availability")

The methods and their arguments are those of `grice.expect` and `grice.evaluate`. `run` is `grice.run` for
coroutines.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Unpack

from grice._expectations import awaited_evaluate as evaluate
from grice._expectations import awaited_expect as expect

if TYPE_CHECKING:
    from grice.running.journal.reading import Run
    from grice.running.planned_conversations import Observe
    from grice.running.run_options import RunOptions

__all__ = ["evaluate", "expect", "run"]


async def run(
    scenarios: object = None,
    agent: object = None,
    checks: Sequence[object] = (),
    *,
    observers: Sequence[Observe] = (),
    **options: Unpack[RunOptions],
) -> Run:
    """Hold many conversations at once and judge each, as `grice.run` does, inside an event loop of asyncio.

    Asynchronous agents and LLMs run on that loop. When the task is cancelled, so are the conversations that
    are going on: each leaves its agent's `around()`, and what is finished stays in the journal. Takes,
    returns and raises what `grice.run` does, and RuntimeError under trio.
    """
    from grice.running.run_many import run_later

    return await run_later(scenarios, agent, checks, observers=observers, **options)
