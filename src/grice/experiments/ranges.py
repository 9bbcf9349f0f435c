"""What numbers of an experiment can be: what is beyond is a mistake in a file or a runner."""

from __future__ import annotations

from math import isfinite
from typing import Annotated

from msgspec import Meta

MOST = 10**12
"""Of anything that is counted: tokens are the most, and no turn has so many."""
MOST_CHECKS = 10**7
"""Checks of all attempts of an experiment together, which rates hold in memory one by one."""
MOST_SECONDS = 1e9
"""Of a turn: some thirty years."""
LOWEST, HIGHEST = 1, 5

Count = Annotated[int, Meta(ge=0, le=MOST)]
Repeat = Annotated[int, Meta(ge=1, le=MOST)]
Times = Annotated[int, Meta(ge=1, le=MOST_CHECKS)]
Mean = Annotated[float, Meta(ge=0, le=MOST)]
Seconds = Annotated[float, Meta(ge=0, le=MOST_SECONDS)]
Points = Annotated[float, Meta(ge=LOWEST, le=HIGHEST)]


def is_count(number: float) -> bool:
    """Whether so many can be counted, or be the mean of counts."""
    return 0 <= number <= MOST


def is_part(part: int, whole: int) -> bool:
    """Whether so many of so many can be counted."""
    return 0 <= part <= whole <= MOST


def is_seconds(number: float) -> bool:
    """Whether something can have taken so long."""
    return isfinite(number) and 0 <= number <= MOST_SECONDS


def is_points(number: float) -> bool:
    """Whether a judge can have given so many."""
    return LOWEST <= number <= HIGHEST
