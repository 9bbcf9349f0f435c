"""When a cassette is played and when it is recorded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, get_args

from grice.text import did_you_mean

__all__ = ["MODES", "Behaviour", "Mode", "behaviour"]

Mode = Literal["auto", "none", "once", "new", "all", "off"]
MODES: tuple[Mode, ...] = get_args(Mode)

_NO = ("", "0", "false", "no", "off")


class Behaviour(NamedTuple):
    """What a cassette does: `plays` what is recorded, `records` what is not, neither when calls are live."""

    mode: Mode
    plays: bool = False
    records: bool = False


def behaviour(mode: str, *, exists: bool, environ: Mapping[str, str]) -> Behaviour:
    """What the mode means for a cassette that exists or does not.

    `none` plays, and asks nothing live. `once` plays a cassette that exists, and records one that does not.
    `new` plays what is recorded and records the rest. `all` records everything anew. `off` touches no
    cassette. `auto` plays a cassette that exists, and without one asks live and writes nothing; where the
    environment variable CI is set it is `none`. Raises ValueError for another mode.
    """
    match mode:
        case "auto" if environ.get("CI", "").strip().lower() not in _NO:
            return Behaviour("none", plays=True)
        case "auto":
            return Behaviour("auto", plays=exists)
        case "none":
            return Behaviour("none", plays=True)
        case "once":
            return Behaviour("once", plays=exists, records=not exists)
        case "new":
            return Behaviour("new", plays=True, records=True)
        case "all":
            return Behaviour("all", records=True)
        case "off":
            return Behaviour("off")
        case _:
            raise ValueError(
                f"unknown mode {mode!r}{did_you_mean(mode, MODES)}; known are {', '.join(MODES)}"
            )
