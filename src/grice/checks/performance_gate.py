"""Whether conversations stay within limits of time, tokens and money, and near a baseline."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from os import PathLike
from typing import Annotated, Any, NamedTuple

from msgspec import Meta

from grice.checks.performance import (
    BaselineError,
    Performance,
    Prices,
    Spread,
    performance,
    read_baseline,
)
from grice.matching.argument_types import NotNegative, Positive
from grice.matching.context import Context
from grice.matching.matcher import ArgumentError, Unsuitable, matcher
from grice.records import (
    Conversation,
    JsonValue,
    Outcome,
    Reply,
    Turn,
    Verdict,
    errored,
    fold_all,
    inconclusive,
)
from grice.text import value_text

LATENCY_P95 = 5.0
MAX_RISE = 0.2


class _Figure(NamedTuple):
    """One number of a performance, told by `measured` of its turns."""

    name: str
    value: float | None
    unit: str
    measured: int = 0
    turns: int = 0

    def text(self, value: float) -> str:
        if self.unit == "s":
            return f"{value:.3f} s"
        return f"{value:,.0f} tokens" if self.unit == "tokens" else f"{value:.6g}"

    @property
    def told(self) -> str:
        """The figure in words, with the turns it is of where those are not all."""
        part = f" in {self.measured} of {self.turns} turns" if self.measured < self.turns else ""
        return f"the {self.name} is {self.text(self.value or 0.0)}{part}"


def _figures(one: Performance) -> dict[str, _Figure]:
    return {
        "latency": _figure("p95 of the latency", one.latency, one.turns, "s"),
        "tokens": _figure("p95 of the tokens a turn", one.tokens, one.turns, "tokens"),
        "cost": _Figure("cost a turn", one.cost_per_turn, "money", one.turns, one.turns),
    }


def _figure(name: str, spread: Spread | None, turns: int, unit: str) -> _Figure:
    return (
        _Figure(name, None, unit) if spread is None else _Figure(name, spread.p95, unit, spread.count, turns)
    )


def _check(
    *,
    baseline: object = None,
    latency_p95: object = LATENCY_P95,
    tokens_p95: object = None,
    cost: object = None,
    max_rise: object = MAX_RISE,
    prices: object = None,
) -> None:
    if baseline is None and latency_p95 is None and tokens_p95 is None and cost is None:
        raise ArgumentError("there is neither a limit nor a baseline to compare with")
    if cost is not None and not prices:
        raise ArgumentError(
            "a limit of cost needs prices={model: (input, output)}, each for a million tokens"
        )
    try:
        performance([], prices=prices)  # type: ignore[arg-type]
    except ValueError as error:
        raise ArgumentError(str(error)) from None


def _describe(
    *,
    baseline: object = None,
    latency_p95: float | None = LATENCY_P95,
    tokens_p95: float | None = None,
    cost: float | None = None,
    max_rise: float = MAX_RISE,
    **_: object,
) -> str:
    parts = [f"a p95 latency below {latency_p95:g} s"] if latency_p95 is not None else []
    parts += [f"a p95 below {tokens_p95:,} tokens a turn"] if tokens_p95 is not None else []
    parts += [f"a cost below {cost:g} a turn"] if cost is not None else []
    if baseline is not None:
        named = value_text(str(baseline)) if isinstance(baseline, str | PathLike) else "the baseline"
        parts.append(f"at most {max_rise:.0%} over {named}")
    return f"perform within {', '.join(parts)}"


Baseline = Annotated[
    Performance | Mapping[str, Any] | str | PathLike[str],
    Meta(description="a Performance or the path of a file"),
]


@matcher("toPerformWithin", layer=0, describe=_describe, check=_check)
def perform_within(
    subject: Conversation | Reply | Turn | Performance | Sequence[Conversation],
    ctx: Context,
    *,
    baseline: Baseline | None = None,
    latency_p95: Positive | None = LATENCY_P95,
    tokens_p95: Positive | None = None,
    cost: Positive | None = None,
    max_rise: NotNegative = MAX_RISE,
    prices: Prices | None = None,
) -> Verdict:
    """The turns stay below limits, and no figure rises more than `max_rise` over the baseline's.

    Figures are the p95 of a turn's seconds and of its tokens, input and output together, and with `prices`
    the money for a turn on average. The baseline is a `Performance`, or a file that `Performance.save` wrote;
    nothing overwrites it. Better than the baseline passes. A figure that is limited and was not measured is
    `inconclusive`; so is one that only the baseline has, but for its cost where no `prices` are given. A
    baseline that is missing, empty, or 0 in what is to be compared is an `error`.
    """
    try:
        now = subject if isinstance(subject, Performance) else performance(subject, prices=prices)
    except TypeError:
        raise Unsuitable(f"conversations, turns or a Performance, found {value_text(subject)}") from None
    if not now.turns:
        return inconclusive("there are no turns to measure")
    figures = _figures(now)
    limits = {"latency": latency_p95, "tokens": tokens_p95, "cost": cost}
    found = [_limited(figures[name], limit, now) for name, limit in limits.items() if limit is not None]
    if baseline is not None:
        try:
            before = read_baseline(baseline)
            found += _compared(figures, _figures(before), max_rise, now, priced=bool(prices))
        except BaselineError as error:
            return errored(str(error))
    if not found:
        return inconclusive("nothing was measured that the baseline has")
    return _folded(found, figures)


def _limited(figure: _Figure, limit: float, now: Performance) -> Verdict:
    if figure.value is None:
        return inconclusive(f"the {figure.name} was not measured in {_turns(now)}{_unpriced(figure, now)}")
    if figure.value < limit:
        return Verdict(Outcome.PASS, figure.told)
    return Verdict(Outcome.FAIL, f"{figure.told}, expected below {figure.text(limit)}")


def _compared(
    now: Mapping[str, _Figure],
    before: Mapping[str, _Figure],
    max_rise: float,
    measured: Performance,
    *,
    priced: bool,
) -> Iterator[Verdict]:
    """The verdicts on the figures that the baseline has; cost only at prices. Raises BaselineError."""
    if all(one.value is None for one in before.values()):
        raise BaselineError(
            "the baseline has no figure to compare with: measure it again on turns with times or tokens"
        )
    for name, figure in now.items():
        old = before[name].value
        if old is None:
            continue
        if not math.isfinite(old) or old <= 0:
            raise BaselineError(
                f"the {figure.name} of the baseline is {old:g}, with which nothing can be compared: "
                "measure it again"
            )
        if figure.value is None:
            if name != "cost" or priced:
                yield inconclusive(
                    f"the {figure.name} was not measured in {_turns(measured)}, and the baseline has "
                    f"{figure.text(old)}{_unpriced(figure, measured)}"
                )
            continue
        rise = figure.value / old - 1
        told = f"{figure.told}, {rise:+.1%} against {figure.text(old)}"
        if rise <= max_rise + 1e-9:
            yield Verdict(Outcome.PASS, told)
        else:
            yield Verdict(Outcome.FAIL, f"{told} in the baseline, expected {max_rise:+.0%} at most")


def _folded(found: Sequence[Verdict], figures: Mapping[str, _Figure]) -> Verdict:
    outcome = fold_all(one.outcome for one in found)
    telling = [one.reason for one in found if one.outcome is outcome]
    detail: dict[str, JsonValue] = {name: one.value for name, one in figures.items() if one.value is not None}
    return Verdict(outcome, "; ".join(dict.fromkeys(telling)), detail=detail)


def _turns(now: Performance) -> str:
    return f"{now.turns} turn{'' if now.turns == 1 else 's'}"


def _unpriced(figure: _Figure, now: Performance) -> str:
    if figure.unit != "money" or not now.unpriced:
        return ""
    return f": no price is given for {', '.join(map(value_text, now.unpriced))}"
