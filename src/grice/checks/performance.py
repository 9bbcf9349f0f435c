"""What conversations cost over many turns: seconds, tokens, money; and a file that keeps it as a baseline."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from grice.matching.context import record_of
from grice.records import Conversation, Reply, Turn
from grice.stats.percentiles import percentile
from grice.text import value_text
from grice.user_files import open_file, replacing

VERSION = 1
MAX_BYTES = 1_000_000
MILLION = 1_000_000

Prices = Mapping[str, tuple[float, float]]
"""Prices of models for a million tokens of input and of output, as `Budget` has them."""


class BaselineError(ValueError):
    """A baseline cannot be read, or nothing can be compared with it."""

    __module__ = "grice"


class Spread(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How `count` values spread; percentiles are by nearest rank, so each is a value that was measured."""

    count: int
    mean: float
    p50: float
    p95: float
    p99: float


class Performance(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What turns cost. A figure that no turn reports is None.

    `latency` is in seconds a turn, the tokens are those of a turn's requests to its model, `tokens` of both
    kinds. `cost` is the money for all of them, at the prices that were given; None without prices, where a
    model has none (`unpriced`), and where a reply does not report its tokens: it was not free.
    """

    turns: int
    latency: Spread | None = None
    input_tokens: Spread | None = None
    output_tokens: Spread | None = None
    tokens: Spread | None = None
    cost: float | None = None
    unpriced: tuple[str, ...] = ()

    @property
    def cost_per_turn(self) -> float | None:
        """The money for a turn on average."""
        return None if self.cost is None or not self.turns else self.cost / self.turns

    def save(self, path: Path | str, *, replace: bool = False) -> None:
        """Write it as a baseline. Raises FileExistsError for a file that is there, but with `replace`."""
        file = Path(path)
        if file.exists() and not replace:
            raise FileExistsError(
                f"{file} is there already: a baseline is replaced by save(path, replace=True) only"
            )
        body = msgspec.json.format(
            msgspec.json.encode({"version": VERSION, **msgspec.to_builtins(self)}), indent=2
        )
        file.parent.mkdir(parents=True, exist_ok=True)
        with replacing(file) as stream:
            stream.write(body + b"\n")


def performance(
    measured: Conversation | Turn | Reply | Iterable[Any], *, prices: Prices | None = None
) -> Performance:
    """What conversations or turns cost: percentiles over all their turns together.

    A turn that was not timed, or a request of which reports no tokens, is left out of that figure. Raises
    TypeError for what is neither conversation nor turn, ValueError for malformed prices.
    """
    table = _read_prices(prices)
    turns = turns_measured(measured)
    durations = [turn.duration for turn in turns if _is_time(turn.duration)]
    inputs = [one for turn in turns if (one := turn.input_tokens) is not None]
    outputs = [one for turn in turns if (one := turn.output_tokens) is not None]
    both = [
        turn.input_tokens + turn.output_tokens
        for turn in turns
        if turn.input_tokens is not None and turn.output_tokens is not None
    ]
    cost, unpriced = _cost(turns, table)
    return Performance(
        len(turns),
        _spread([one for one in durations if one is not None]),
        _spread(inputs),
        _spread(outputs),
        _spread(both),
        cost,
        unpriced,
    )


def turns_measured(measured: object) -> list[Turn]:
    """The turns of conversations, or the turns themselves. Raises TypeError for anything else."""
    if isinstance(measured, Turn):
        return [measured]
    if isinstance(measured, Reply):
        return [measured.turn]
    record = record_of(measured)
    if record is not None:
        return list(record.turns)
    if isinstance(measured, Iterable) and not isinstance(measured, str | bytes | Mapping):
        return [turn for one in measured for turn in turns_measured(one)]
    raise TypeError(f"expected conversations or turns, found {value_text(measured)}")


def read_performance(path: Path | str) -> Performance:
    """A baseline from its file. Raises BaselineError that says what is wrong with it, and what to do."""
    file = Path(path)
    make = f"write one with grice.performance(conversations).save({str(file)!r})"
    try:
        with open_file(file) as stream:
            body = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise BaselineError(f"there is no baseline {file}: {make}") from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise BaselineError(f"the baseline {file} cannot be read: {why}") from error
    if len(body) > MAX_BYTES:
        raise BaselineError(f"{file} is longer than {MAX_BYTES:,} bytes, which no baseline is")
    if not body.strip():
        raise BaselineError(f"the baseline {file} is empty: {make}")
    try:
        value = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise BaselineError(f"{file} is not JSON: {error}") from None
    return _of_object(value, str(file))


def _of_object(value: object, name: str) -> Performance:
    if not isinstance(value, Mapping):
        raise BaselineError(f"{name} is an object with version and turns, found {value_text(value)}")
    version = value.get("version", VERSION)
    if isinstance(version, int) and not isinstance(version, bool) and version > VERSION:
        raise BaselineError(
            f"{name} has version {version}, newer than this Grice reads ({VERSION}): upgrade Grice"
        )
    if version != VERSION or isinstance(version, bool):
        raise BaselineError(f"{name}: expected version {VERSION}, found {value_text(version)}")
    fields = {key: one for key, one in value.items() if key != "version"}
    try:
        return msgspec.convert(fields, Performance)
    except msgspec.ValidationError as error:
        raise BaselineError(f"{name} is no baseline: {str(error).replace('`', '')}") from None


def read_baseline(given: object) -> Performance:
    """Read a baseline that was given as a value, as data or as the path of a file. Raises BaselineError."""
    if isinstance(given, Performance):
        return given
    if isinstance(given, str | os.PathLike):
        return read_performance(os.fspath(given))
    return _of_object(given, "the baseline")


def _spread(values: Sequence[float]) -> Spread | None:
    if not values:
        return None
    mean = math.fsum(values) / len(values)
    return Spread(len(values), mean, *(percentile(values, percent) for percent in (50, 95, 99)))


def _is_time(duration: float | None) -> bool:
    return duration is not None and 0 <= duration < math.inf


def _cost(turns: Sequence[Turn], prices: Prices) -> tuple[float | None, tuple[str, ...]]:
    if not prices:
        return None, ()
    total, counted, unreported = 0.0, 0, False
    unpriced: dict[str, None] = {}
    for turn in turns:
        for exchange in turn.exchanges:
            asked, said = exchange.input_tokens, exchange.output_tokens
            if asked is None and said is None:
                unreported = unreported or (exchange.reply is not None and exchange.error is None)
                continue
            counted += 1
            price = prices.get(exchange.model)
            if price is None:
                unpriced[exchange.model or "(no model named)"] = None
            else:
                total += ((asked or 0) * price[0] + (said or 0) * price[1]) / MILLION
    return (None if unpriced or unreported or not counted else total), tuple(unpriced)


def _read_prices(prices: object) -> Prices:
    if prices is None:
        return {}
    if not isinstance(prices, Mapping):
        raise ValueError(f"prices is a mapping of models to (input, output), found {value_text(prices)}")
    read: dict[str, tuple[float, float]] = {}
    for model, pair in prices.items():
        good = (
            isinstance(pair, Sequence)
            and not isinstance(pair, str)
            and len(pair) == 2
            and all(map(_is_price, pair))
        )
        if not good:
            raise ValueError(
                f"the prices of {value_text(model)} are (input, output) for a million tokens, "
                f"found {value_text(pair)}"
            )
        read[str(model)] = (float(pair[0]), float(pair[1]))
    return read


def _is_price(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < math.inf
