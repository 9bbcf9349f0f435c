"""The part of a text that a reader needs to see, with the places that matter marked."""

from __future__ import annotations

from collections.abc import Sequence

Span = tuple[int, int]

_CONTEXT = 70
_GAP = " … "


def excerpt(text: str, spans: Sequence[Span]) -> tuple[str, tuple[Span, ...]]:
    """The text around the spans, what is left out shown as an ellipsis, and the spans' places in it.

    The beginning of the text when there are no spans.
    """
    shown: list[str] = []
    marks: list[Span] = []
    length = 0
    windows = _windows(text, spans or ((0, 0),))
    for start, end in windows:
        lead = "" if start == 0 else (_GAP if shown else _GAP.lstrip())
        shift = length + len(lead) - start
        marks += [(a + shift, b + shift) for a, b in spans if start <= a and b <= end]
        shown += (lead, text[start:end])
        length = shift + end
    tail = _GAP.rstrip() if text[windows[-1][1] :].strip() else ""
    return "".join(shown) + tail, tuple(sorted(marks))


def _windows(text: str, spans: Sequence[Span]) -> list[Span]:
    windows: list[Span] = []
    for start, end in sorted(spans):
        begin, stop = _word_start(text, max(0, start - _CONTEXT), start), _word_end(text, end)
        if windows and begin <= windows[-1][1] + len(_GAP):
            windows[-1] = (windows[-1][0], max(windows[-1][1], stop))
        else:
            windows.append((begin, stop))
    return windows


def _word_start(text: str, begin: int, limit: int) -> int:
    if begin == 0:
        return 0
    space = text.find(" ", begin - 1, min(begin + 20, limit))
    return begin if space < 0 else space + 1


def _word_end(text: str, end: int) -> int:
    stop = end + _CONTEXT
    if stop >= len(text):
        return len(text)
    space = text.rfind(" ", max(end, stop - 20), stop)
    return stop if space < 0 else space
