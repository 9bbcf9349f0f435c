"""The name that was meant, for error messages: only where the given one looks like a typo of it.

A name is looked at word by word, so that `get_order` is no typo of `refund_order` although most of its
letters are the same, and `min_turns` none of `max_turns`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

_LONGEST_NAME = 100
_MOST_TYPOS = 2
_FEW_LETTERS = 3
"""In words up to here another letter makes another word (`get`, `set`); one more or less is a typo."""
_MANY_LETTERS = 9
"""In words from here two letters may be wrong."""
_MISSING_TO = 2
_OTHER_FORM = 3
"""What these cost beside typos, which cost one each: the nearest name is the one that costs least."""

_SHORT_FORMS = {
    "arg": "argument",
    "args": "arguments",
    "config": "configuration",
    "desc": "description",
    "dir": "directory",
    "env": "environment",
    "info": "information",
    "intro": "introduction",
    "max": "maximum",
    "min": "minimum",
    "msg": "message",
    "msgs": "messages",
    "num": "number",
    "param": "parameter",
    "params": "parameters",
    "req": "request",
    "res": "response",
    "temp": "temperature",
}

# Compiled when a name is wrong, which is rare.
_CAPITAL = r"(?<=[a-z0-9])(?=[A-Z])"
_LETTERS = r"[^\W\d_]+"


class _Name(NamedTuple):
    """A name as it is compared: without case, its words, all of it without signs, its digits."""

    folded: str
    words: tuple[str, ...]
    joined: str
    digits: tuple[str, ...]


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """` (did you mean 'x'?)` for the known name of which `word` is a typo, "" when there is none.

    Meant to be put at the end of "unknown field 'y'".
    """
    found = nearest(word, known)
    return f" (did you mean '{found}'?)" if found else ""


def nearest(word: str, known: Iterable[str]) -> str:
    """The known name of which `word` is a typo, "" when there is none; of several the one that is nearest.

    A typo is one letter too many, too few or wrong, or two in the wrong order, in a word of the name; in a
    word of nine letters or more two of them. Case, `_`, `-` and `.` count for nothing. So do `to` before the
    name and another form of a word (`args` for `arguments`), when nothing nearer is known. Another first
    letter is no typo, and neither is another number.
    """
    if len(word) > _LONGEST_NAME:
        return ""  # comparing is quadratic, and no name is so long
    wanted = _name(word)
    best, cost = "", _MISSING_TO + _MOST_TYPOS * _OTHER_FORM + 1
    for one in known:
        if len(one) > _LONGEST_NAME:
            continue
        found = _cost(wanted, _name(one))
        if found is not None and found < cost:
            best, cost = one, found
    return best


def _name(written: str) -> _Name:
    folded = re.sub(_CAPITAL, "_", written).casefold()
    words = tuple(re.findall(_LETTERS, folded))
    digits = tuple(re.findall(r"\d", folded))
    return _Name(written.casefold(), words, "".join(one for one in folded if one.isalnum()), digits)


def _cost(wanted: _Name, known: _Name) -> int | None:
    """How far the names are from each other; None when one is no typo of the other."""
    if not wanted.joined or sorted(wanted.digits) != sorted(known.digits):
        return None
    if wanted.joined == known.joined:
        return int(wanted.folded != known.folded)
    words, others = _without_to(wanted.words), _without_to(known.words)
    missing_to = _MISSING_TO if (words == wanted.words) != (others == known.words) else 0
    if len(words) != len(others):
        return _typos(wanted.joined, known.joined, 1) if len(known.joined) > 2 * _FEW_LETTERS else None
    costs = [_word_cost(one, other) for one, other in zip(words, others, strict=True)]
    found = [one for one in costs if one is not None]
    wrong = sum(map(bool, found)) + (wanted.digits != known.digits)
    if len(found) < len(costs) or wrong > _MOST_TYPOS:
        return None
    return sum(found) + missing_to + (wanted.digits != known.digits)


def _without_to(words: tuple[str, ...]) -> tuple[str, ...]:
    return words[1:] if len(words) > 1 and words[0] == "to" else words


def _word_cost(word: str, other: str) -> int | None:
    if word == other:
        return 0
    longest = max(len(word), len(other))
    if longest >= _FEW_LETTERS:
        typos = _typos(word, other, 2 if longest >= _MANY_LETTERS else 1)
        if typos is not None:
            return typos
    return _OTHER_FORM if _is_other_form(word, other) else None


def _is_other_form(word: str, other: str) -> bool:
    """Whether a word is another form of the other: `reply` and `replies`, `expect` and `expected`, `args`."""
    short, long = sorted((word, other), key=len)
    return (
        _SHORT_FORMS.get(short) == long
        or (short.endswith("y") and long == f"{short[:-1]}ies")
        or (len(short) > _FEW_LETTERS and long == f"{short}ed")
    )


def _typos(word: str, other: str, most: int) -> int | None:
    """The typos between two words that differ; None for more than `most`, or another first letter."""
    if abs(len(word) - len(other)) > most:
        return None
    if len(word) == len(other):
        differing = [place for place, pair in enumerate(zip(word, other, strict=True)) if len(set(pair)) > 1]
        if len(differing) == 1 and (differing[0] == 0 or len(word) <= _FEW_LETTERS):
            return None
    found = _distance(word, other)
    if found > most or (found > 1 and word[0] != other[0]):
        return None
    return found


def _distance(word: str, other: str) -> int:
    """The letters to add, leave out or replace, and the neighbours to swap, that make one word the other."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for place, letter in enumerate(word, 1):
        row = [place]
        for at, wanted in enumerate(other, 1):
            cost = min(last[at] + 1, row[-1] + 1, last[at - 1] + (letter != wanted))
            swapped = place > 1 and at > 1 and letter == other[at - 2] and word[place - 2] == wanted
            row.append(min(cost, before[at - 2] + 1) if swapped else cost)
        before, last = last, row
    return last[-1]
