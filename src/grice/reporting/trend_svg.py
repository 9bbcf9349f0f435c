"""A figure over runs as SVG: a point a run, its 95 % interval as a thin line. A page has its colours."""

from __future__ import annotations

from html import escape
from itertools import pairwise

from grice.reporting.document import Point, Trend
from grice.text import shorten, visible

_WIDTH, _HEIGHT = 720, 190
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 24, 22, 34
_NAMED = 10
"""So many points have their names and rates; of more only the first and the last."""
_LETTER = 7


def trend_svg(trend: Trend, name: str) -> str:
    """The picture, for a page that styles `.trend`; `name` tells its ids from those of other pictures."""
    points = trend.points
    last = len(points) - 1
    named = set(range(len(points))) if len(points) <= _NAMED else {0, last}
    room = (_WIDTH - _LEFT - _RIGHT) // max(1, min(len(points), _NAMED)) // _LETTER
    labelled = f'aria-labelledby="{name}-title {name}-desc"'
    shown = [
        f'<svg class="trend" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" {labelled}>',
        f'<title id="{name}-title">{_text(trend.name)}</title>',
        f'<desc id="{name}-desc">{_text("; ".join(one.text for one in points))}</desc>',
    ]
    for part in (0, 0.5, 1):
        shown.append(f'<path class="rule" d="M{_LEFT} {_y(part):.1f}H{_WIDTH - _RIGHT}"/>')
        scale = f"{part:.0%}" if not trend.most else "0" if not part else trend.most if part == 1 else ""
        shown.append(f'<text class="scale" x="{_LEFT - 8}" y="{_y(part) + 4:.1f}">{_text(scale)}</text>')
    placed = [(_x(number, last), one) for number, one in enumerate(points)]
    for (x, one), (next_x, following) in pairwise(placed):
        if one.rate is not None and following.rate is not None:
            shown.append(
                f'<path class="line" d="M{x:.1f} {_y(one.rate):.1f}L{next_x:.1f} {_y(following.rate):.1f}"/>'
            )
    for number, (x, one) in enumerate(placed):
        shown += _drawn(x, one)
        if number in named:
            below = _text(shorten(one.name, max(room, 4)))
            shown.append(f'<text class="name" x="{x:.1f}" y="{_HEIGHT - 10}">{below}</text>')
            if one.rate is not None:
                shown.append(
                    f'<text class="value" x="{x + 7:.1f}" y="{_y(one.rate) - 6:.1f}">{one.shown}</text>'
                )
    return "".join((*shown, "</svg>"))


def _drawn(x: float, one: Point) -> list[str]:
    shown: list[str] = []
    if one.low is not None and one.high is not None:
        shown.append(f'<path class="interval" d="M{x:.1f} {_y(one.low):.1f}V{_y(one.high):.1f}"/>')
    if one.rate is not None:
        shown.append(
            f'<circle cx="{x:.1f}" cy="{_y(one.rate):.1f}" r="3.5"><title>{_text(one.text)}</title></circle>'
        )
    return shown


def _x(number: int, last: int) -> float:
    width = _WIDTH - _LEFT - _RIGHT
    inset = min(40, width / (2 * (last + 1)))
    return _LEFT + inset + (width - 2 * inset) * (number / last if last else 0.5)


def _y(rate: float) -> float:
    return _TOP + (1 - rate) * (_HEIGHT - _TOP - _BOTTOM)


def _text(text: str) -> str:
    return escape(visible(text, newlines=False))
