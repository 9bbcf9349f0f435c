"""What only this house asks of a reply. Suites name this module under `matchers`."""

from __future__ import annotations

from grice import Evidence, Reply, Verdict
from grice.matchers import Context, failed, matcher, passed
from room_booking.rooms import demo_calendar

__all__ = ["name_a_room_for"]


@matcher("toNameARoomFor")
def name_a_room_for(reply: Reply, ctx: Context, people: int) -> Verdict:
    """The reply names a room of the house that seats so many people."""
    named = [room for room in demo_calendar().rooms.values() if room.name in reply.text]
    fitting = [room for room in named if room.seats >= people]
    if not fitting:
        return failed(", ".join(f"the {one.name} seats {one.seats}" for one in named) or "it names no room")
    start = reply.text.index(fitting[0].name)
    return passed(evidence=(Evidence(fitting[0].name, start=start, end=start + len(fitting[0].name)),))
