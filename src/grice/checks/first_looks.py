"""How often rules were right when they first met examples of people who had not seen them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from grice.stats.rates import Rate, rate

_FILE = Path(__file__).parent / "first_looks.json"
"""By rule and profile: how many of how many outcomes were right in the last round that was blind."""


@cache
def _figures() -> dict[str, dict[str, tuple[int, int]]]:
    return msgspec.json.decode(_FILE.read_bytes(), type=dict[str, dict[str, tuple[int, int]]])


def first_look(rule: str, profile: str) -> Rate | None:
    """The share of outcomes that were right at the first look; None of what nobody measured so."""
    figures = _figures().get(rule, {}).get(profile)
    return None if figures is None else rate(*figures)
