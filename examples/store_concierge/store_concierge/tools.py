"""The five tools, as a model would call them: names, arguments, and a result that is plain data."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, TypeVar

from .catalogue import DATA, Catalogue, Wishes

T = TypeVar("T")

STORE_CARD: dict[str, dict[str, Any]] = json.loads((DATA / "store_card.json").read_text("utf-8"))


class Tools:
    """The tools on one catalogue, for one turn. Each call is told to `tell`, and kept in `used`."""

    def __init__(self, catalogue: Catalogue, tell: Callable[..., object]) -> None:
        self.catalogue = catalogue
        self.tell = tell
        self.used: list[str] = []

    def search(
        self, wishes: Wishes, *, limit: int = 3, without: tuple[str, ...] = ()
    ) -> list[dict[str, Any]]:
        """`product.search`: at most `limit` monitors that fit the wishes and can be had."""
        asked = {name: value for name, value in asdict(wishes).items() if value} | {"limit": limit}
        found = self.catalogue.search(wishes, limit=limit, without=without)
        return self._told("product.search", asked, found)

    def details(self, product_id: str) -> dict[str, Any] | None:
        """`product.details`: everything about one monitor."""
        return self._told("product.details", {"id": product_id}, self.catalogue.details(product_id))

    def stock(self, product_id: str) -> dict[str, Any]:
        """`inventory.check`: whether it can be had."""
        return self._told("inventory.check", {"id": product_id}, self.catalogue.stock(product_id))

    def store_info(self) -> dict[str, Any]:
        """`store.info`: name, hours, and where the shop delivers to."""
        return self._told("store.info", {}, STORE_CARD["shop"])

    def policy(self, topic: str) -> dict[str, Any]:
        """`policy.get`: what the shop promises about returns, shipping or warranty."""
        return self._told("policy.get", {"topic": topic}, {topic: STORE_CARD[topic]})

    def _told(self, name: str, arguments: Mapping[str, Any], result: T) -> T:
        self.used.append(name)
        self.tell(name, arguments=dict(arguments), result=result)
        return result
