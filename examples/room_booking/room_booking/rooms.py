"""Rooms and their bookings, in memory. Days are ISO dates, times HH:MM, prices whole euros."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from datetime import date, time
from itertools import count
from typing import Any

OPENS, CLOSES = "08:00", "20:00"


class BookingError(Exception):
    """Something that the calendar does not do; the message is for the model."""


@dataclass(frozen=True)
class Room:
    """A room, how many people it seats, and what an hour in it costs."""

    name: str
    seats: int
    price_per_hour: int
    equipment: str


@dataclass(frozen=True)
class Booking:
    """A room for a part of one day."""

    booking: str
    room: str
    day: str
    start: str
    end: str
    people: int
    price: int


@dataclass
class Calendar:
    """Which room is taken when."""

    rooms: dict[str, Room]
    bookings: dict[str, Booking] = field(default_factory=dict)
    numbers: Iterable[int] = field(default_factory=lambda: count(1))

    def list_rooms(self) -> list[dict[str, Any]]:
        """All rooms."""
        return [asdict(room) for room in self.rooms.values()]

    def check_availability(self, room: str, day: str, start: str, end: str, people: int) -> dict[str, Any]:
        """Whether the room is free then and big enough, and the price. Raises BookingError."""
        found, hours = self._room(room), _hours(day, start, end)
        reason = self._obstacle(found, day, start, end, people)
        asked = {"room": found.name, "seats": found.seats, "day": day, "start": start, "end": end}
        if reason:
            return {**asked, "available": False, "reason": reason}
        return {**asked, "available": True, "price": round(found.price_per_hour * hours)}

    def book_room(self, room: str, day: str, start: str, end: str, people: int) -> dict[str, Any]:
        """Book it. Raises BookingError when that is not possible."""
        checked = self.check_availability(room, day, start, end, people)
        if not checked["available"]:
            raise BookingError(f"not booked: {checked['reason']}")
        number = f"B-{next(iter(self.numbers))}"
        made = Booking(number, checked["room"], day, start, end, people, checked["price"])
        self.bookings[number] = made
        return asdict(made)

    def cancel_booking(self, booking: str) -> dict[str, Any]:
        """Free the room again. Raises BookingError for an unknown number."""
        if booking not in self.bookings:
            raise BookingError(f"there is no booking {booking}")
        return {**asdict(self.bookings.pop(booking)), "cancelled": True}

    def _room(self, name: str) -> Room:
        if name not in self.rooms:
            raise BookingError(f"there is no room {name!r}; the rooms are {', '.join(self.rooms)}")
        return self.rooms[name]

    def _obstacle(self, room: Room, day: str, start: str, end: str, people: int) -> str:
        if people > room.seats:
            return f"{room.name} seats {room.seats}"
        if start < OPENS or end > CLOSES:
            return f"the house is open from {OPENS} to {CLOSES}"
        for one in self.bookings.values():
            if one.room == room.name and one.day == day and one.start < end and start < one.end:
                return f"{room.name} is taken from {one.start} to {one.end}"
        return ""


def _hours(day: str, start: str, end: str) -> float:
    try:
        date.fromisoformat(day)
        begins, ends = time.fromisoformat(start), time.fromisoformat(end)
    except ValueError as error:
        raise BookingError(f"expected a day as YYYY-MM-DD and times as HH:MM: {error}") from None
    hours = (ends.hour - begins.hour) + (ends.minute - begins.minute) / 60
    if hours <= 0:
        raise BookingError(f"the end {end} is not after the start {start}")
    return hours


def demo_calendar() -> Calendar:
    """Three rooms; the Red Room is taken on the morning of 12 March 2026."""
    rooms = [
        Room("Blue Room", 12, 40, "screen, whiteboard"),
        Room("Green Room", 20, 60, "screen, video conference"),
        Room("Red Room", 6, 25, "whiteboard"),
    ]
    taken = Booking("A-7", "Red Room", "2026-03-12", "09:00", "12:00", 4, 75)
    return Calendar({room.name: room for room in rooms}, {taken.booking: taken})
