"""The connections that the conversations of a loop share."""

import asyncio

from grice.wire.http import shared_session


def test_they_end_with_their_loop():
    async def opened():
        return await shared_session()

    assert asyncio.run(opened()).closed


def test_those_of_a_loop_that_was_only_closed_end_when_others_begin():
    loop = asyncio.new_event_loop()
    left = loop.run_until_complete(shared_session())
    loop.close()
    assert not left.closed
    asyncio.run(shared_session())
    assert left.closed
