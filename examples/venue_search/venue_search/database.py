"""Venues and their bookings in SQLite, made from the files in `data/`. Days are ISO dates, prices pounds."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent.parent / "data"

AREAS = ("centre", "north", "east", "south", "west")
SERVICES = ("catering", "overnight_rooms", "parking", "internet")
TODAY = "2026-03-09"
MOST_FOUND = 3

TABLES = """
CREATE TABLE venues (
    id INTEGER PRIMARY KEY, name TEXT, kind TEXT, address TEXT, area TEXT, stars INTEGER,
    parking INTEGER, internet INTEGER, double_room INTEGER, seats INTEGER, hire INTEGER, catering INTEGER
);
CREATE TABLE services (venue_id INTEGER, service_type TEXT, quantity INTEGER, price INTEGER);
CREATE TABLE bookings (number TEXT PRIMARY KEY, venue_id INTEGER, day TEXT, guests INTEGER, total INTEGER);
"""

OFFERS = {
    "catering": "catering IS NOT NULL",
    "overnight_rooms": "double_room IS NOT NULL",
    "parking": "parking",
    "internet": "internet",
}


class VenueError(Exception):
    """Something that a venue does not do; the message is for the model."""


def open_database() -> sqlite3.Connection:
    """The venues that hire out a room, in memory, without bookings. Any thread may use it, one at a time."""
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    connection.row_factory = sqlite3.Row
    connection.executescript(TABLES)
    rooms = {room["hotel"]: room for room in _read("event_rooms.json")}
    hotels = [hotel for hotel in _read("hotels.json") if hotel["id"] in rooms]
    connection.executemany(
        f"INSERT INTO venues VALUES ({', '.join('?' * 12)})",
        [_venue(hotel, rooms[hotel["id"]]) for hotel in hotels],
    )
    return connection


def _read(name: str) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = json.loads((DATA / name).read_text("utf-8"))
    return records


def _venue(hotel: dict[str, Any], room: dict[str, Any]) -> tuple[Any, ...]:
    double = hotel["price"].get("double")
    return (
        int(hotel["id"]),
        hotel["name"].title().replace("'S", "'s"),
        hotel["type"],
        hotel["address"].title(),
        hotel["area"],
        int(hotel["stars"]),
        hotel["parking"] == "yes",
        hotel["internet"] == "yes",
        None if double is None else int(double),
        room["seats"],
        room["hire"],
        room["catering"],
    )


class Venues:
    """What the tools do, on one database."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def search_suppliers(
        self, guests: int, area: str = "", max_hire: int = 0, services: list[str] | None = None
    ) -> list[dict[str, Any]]:
        """The venues with enough seats, cheapest first, at most three. Raises VenueError."""
        wanted = services or []
        for service in wanted:
            _known("service", service, SERVICES)
        if area:
            _known("area", area, AREAS)
        conditions = ["seats >= ?", "(? = '' OR area = ?)", "(? = 0 OR hire <= ?)"]
        conditions += [OFFERS[service] for service in wanted]
        found = self.connection.execute(
            "SELECT id AS venue_id, name, area, stars, seats, hire FROM venues "
            f"WHERE {' AND '.join(conditions)} ORDER BY hire, id LIMIT {MOST_FOUND}",
            (guests, area, area, max_hire, max_hire),
        )
        return [dict(row) for row in found]

    def get_venue(self, venue_id: int) -> dict[str, Any]:
        """Everything about one venue. Raises VenueError."""
        row = self._row(venue_id)
        return {
            "venue_id": row["id"],
            **{name: row[name] for name in ("name", "kind", "address", "area", "stars", "seats", "hire")},
            "catering_per_guest": row["catering"],
            "double_room_per_night": row["double_room"],
            "free_parking": bool(row["parking"]),
            "free_internet": bool(row["internet"]),
        }

    def add_service(self, venue_id: int, service_type: str, quantity: int = 1) -> dict[str, Any]:
        """Put a service on the order for a venue, and say what it costs. Raises VenueError."""
        row = self._row(venue_id)
        _known("service", service_type, SERVICES)
        price = {
            "catering": row["catering"],
            "overnight_rooms": row["double_room"],
            "parking": 0 if row["parking"] else None,
            "internet": 0 if row["internet"] else None,
        }[service_type]
        if price is None:
            raise VenueError(f"{row['name']} has no {service_type}")
        order = (venue_id, service_type, quantity, price * quantity)
        with self.connection:
            self.connection.execute("INSERT INTO services VALUES (?, ?, ?, ?)", order)
        return {"venue": row["name"], "service_type": service_type, "quantity": quantity, "price": order[-1]}

    def book_venue(self, venue_id: int, day: str, guests: int) -> dict[str, Any]:
        """Book a venue with the services that are on its order. Raises VenueError."""
        row = self._row(venue_id)
        if guests > row["seats"]:
            raise VenueError(f"{row['name']} seats {row['seats']}, not {guests}")
        if day <= TODAY:
            raise VenueError(f"{day} is over: today is {TODAY}")
        if self._count("bookings WHERE venue_id = ? AND day = ?", venue_id, day):
            raise VenueError(f"{row['name']} is taken on {day}")
        (services,) = self.connection.execute(
            "SELECT coalesce(sum(price), 0) FROM services WHERE venue_id = ?", (venue_id,)
        ).fetchone()
        number = f"V-{self._count('bookings') + 1}"
        total = row["hire"] + services
        with self.connection:
            booking = (number, venue_id, day, guests, total)
            self.connection.execute("INSERT INTO bookings VALUES (?, ?, ?, ?, ?)", booking)
        return {"booking": number, "venue": row["name"], "day": day, "guests": guests, "total": total}

    def _row(self, venue_id: int) -> sqlite3.Row:
        row: sqlite3.Row | None = self.connection.execute(
            "SELECT * FROM venues WHERE id = ?", (venue_id,)
        ).fetchone()
        if row is None:
            raise VenueError(f"there is no venue {venue_id}")
        return row

    def _count(self, rows: str, *values: object) -> int:
        (count,) = self.connection.execute(f"SELECT count(*) FROM {rows}", values).fetchone()
        return int(count)


def _known(what: str, name: str, names: tuple[str, ...]) -> None:
    if name not in names:
        raise VenueError(f"there is no {what} {name!r}; there are {', '.join(names)}")
