"""The monitors in SQLite, in memory, made from `data/monitors.csv`. Prices are US dollars, sizes inches."""

from __future__ import annotations

import csv
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent.parent / "data"

MADE = """
CREATE TABLE monitors (
    place INTEGER PRIMARY KEY, id TEXT UNIQUE, title TEXT, brand TEXT, price REAL, screen_size REAL,
    width INTEGER, height INTEGER, refresh_rate INTEGER, response_time REAL, panel TEXT, aspect_ratio TEXT
)
"""
RESOLUTIONS = {
    (1920, 1080): "Full HD (1080p)",
    (2560, 1440): "QHD (1440p)",
    (3840, 2160): "4K (2160p)",
    (3440, 1440): "ultrawide QHD",
}
ORDERS = {
    "gaming": "refresh_rate DESC, price",
    "office": "height DESC, price",
    "creative": "height DESC, panel LIKE '%OLED%' DESC, price",
    "films": "panel LIKE '%OLED%' DESC, screen_size DESC, price",
    "": "price",
}
"""What the best monitors for a use have more of."""

SIZE_TOLERANCE = 0.5
"""Inches: makers call 26.5 and 27 both 27."""


@dataclass(frozen=True)
class Wishes:
    """What a monitor is to be like. Empty fields leave it open."""

    use: str = ""
    max_price: float | None = None
    size: float | None = None
    resolution: str = ""
    panel: str = ""
    wide: bool = False
    min_refresh: int | None = None


def open_catalogue() -> sqlite3.Connection:
    """The catalogue. Any thread may read it, one at a time."""
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    connection.row_factory = sqlite3.Row
    connection.execute(MADE)
    with (DATA / "monitors.csv").open(encoding="utf-8", newline="") as file:
        rows = [_stored(place, row) for place, row in enumerate(csv.DictReader(file))]
    connection.executemany(f"INSERT INTO monitors VALUES ({', '.join('?' * 12)})", rows)
    return connection


def _stored(place: int, row: dict[str, str]) -> tuple[Any, ...]:
    words = row["name"].split()
    if words[:1] == words[1:2]:  # "Acer Acer Nitro"
        del words[0]
    width, height = row["resolution"].split(",")
    return (
        place,
        row["id"],
        " ".join(words),
        words[0],
        _number(row["price"]),
        _number(row["screen_size"]),
        int(width),
        int(height),
        _number(row["refresh_rate"]),
        _number(row["response_time"]),
        row["panel_type"],
        row["aspect_ratio"],
    )


def _number(cell: str) -> float | int | None:
    if not cell:
        return None
    number = float(cell)
    return int(number) if number.is_integer() else number


class Catalogue:
    """What the tools ask, on one database. A record is what a tool returns of a monitor."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def search(self, wishes: Wishes, *, limit: int = 3, without: Sequence[str] = ()) -> list[dict[str, Any]]:
        """The best monitors for the use that fit and can be had, one of each brand as far as that goes."""
        found = [self._record(row) for row in self._fitting(wishes) if row["id"] not in without]
        first_of_brand = {one["brand"]: one for one in reversed(found)}.values()
        return sorted(found, key=lambda one: one not in first_of_brand)[:limit]

    def _fitting(self, wishes: Wishes) -> list[sqlite3.Row]:
        conditions, values = ["price IS NOT NULL"], list[Any]()
        for condition, value in (
            ("price <= ?", wishes.max_price),
            (f"abs(screen_size - ?) <= {SIZE_TOLERANCE}", wishes.size),
            ("height = ?", {"1080p": 1080, "1440p": 1440, "4k": 2160}.get(wishes.resolution)),
            ("panel LIKE ?", f"%{wishes.panel}%" if wishes.panel else None),
            ("width >= ? * height", 2.2 if wishes.wide else None),
            ("refresh_rate >= ?", wishes.min_refresh),
        ):
            if value is not None:
                conditions.append(condition)
                values.append(value)
        query = (
            f"SELECT * FROM monitors WHERE {' AND '.join(conditions)} ORDER BY {ORDERS[wishes.use]}, place"
        )
        return self.connection.execute(query, values).fetchall()

    def details(self, product_id: str) -> dict[str, Any] | None:
        """Everything about one monitor, None where there is none of this id."""
        row = self.connection.execute("SELECT * FROM monitors WHERE id = ?", [product_id]).fetchone()
        return None if row is None else self._record(row)

    def named_in(self, text: str) -> dict[str, Any] | None:
        """The monitor that a text names by its title or by the number in it; the longest title wins."""
        said = text.casefold()
        rows = self.connection.execute("SELECT * FROM monitors ORDER BY length(title) DESC").fetchall()
        for row in rows:
            model = row["title"].split()[-1].casefold()
            numbered = len(model) > 4 and any(sign.isdigit() for sign in model)
            if row["title"].casefold() in said or (numbered and model in said):
                return self._record(row)
        return None

    def stock(self, product_id: str) -> dict[str, Any]:
        """Whether a monitor can be had."""
        record = self.details(product_id)
        if record is None:
            return {"id": product_id, "error": "there is no such product"}
        told = ("id", "title", "price", "currency", "in_stock")
        return {name: record[name] for name in told if name in record}

    def _record(self, row: sqlite3.Row) -> dict[str, Any]:
        width, height = row["width"], row["height"]
        record = {
            "id": row["id"],
            "title": row["title"],
            "brand": row["brand"],
            "price": row["price"],
            "currency": "USD",
            "screen_size_inches": row["screen_size"],
            "resolution": RESOLUTIONS.get((width, height), f"{width} x {height}"),
            "pixels": f"{width} x {height}",
            "refresh_rate_hz": row["refresh_rate"],
            "response_time_ms": row["response_time"],
            "panel": row["panel"],
            "aspect_ratio": row["aspect_ratio"],
            "in_stock": row["price"] is not None,
        }
        return {name: _tidy(value) for name, value in record.items() if value is not None}


def _tidy(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value
