"""Which call is which expected one. All functions take rows of bits, one row an expected call.

Bit `j` of row `i` says that call `j` may be the expected call `i`. Nothing here knows what a call is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

Pairs = list[int | None]
"""For each expected call the number of its call, from 0; None without one."""


def bits(row: int) -> Iterator[int]:
    """The places of the bits that are set, lowest first."""
    while row:
        low = row & -row
        yield low.bit_length() - 1
        row ^= low


def assign(rows: Sequence[int]) -> Pairs:
    """As many pairs as possible, each call in at most one: a maximum matching of a bipartite graph.

    Every row in turn looks for an augmenting path, breadth first (Berge 1957, Kuhn 1955). What a search
    without success has reached is left out of later ones: no path leads on from there.
    """
    chosen: Pairs = [None] * len(rows)
    owner: dict[int, int] = {}
    taken = dead = 0
    for start in range(len(rows)):
        came_from: dict[int, int] = {}
        queue, seen, found = [start], dead, None
        for row in queue:  # grows while it is read
            fresh = rows[row] & ~seen
            free = fresh & ~taken
            if free:
                found = next(bits(free))
                came_from[found] = row
                break
            for column in bits(fresh):
                came_from[column] = row
                queue.append(owner[column])
            seen |= fresh
        if found is None:
            dead = seen
            continue
        taken |= 1 << found
        _augment(found, came_from, owner, chosen)
    return chosen


def _augment(column: int | None, came_from: dict[int, int], owner: dict[int, int], chosen: Pairs) -> None:
    """Give each row on the path the column that it was left by."""
    while column is not None:
        row = came_from[column]
        owner[column] = row
        column, chosen[row] = chosen[row], column


def in_order(rows: Sequence[int]) -> Pairs | None:
    """A pair for every row, with calls that follow each other; None when there is no such choice.

    The earliest call that fits is right for each row: it leaves the most to the rows behind it.
    """
    chosen: Pairs = []
    behind = 0
    for row in rows:
        left = row >> behind
        if not left:
            return None
        behind += next(bits(left))
        chosen.append(behind)
        behind += 1
    return chosen


def align(rows: Sequence[int], columns: int) -> Pairs:
    """As many pairs as possible with calls that follow each other: a longest common subsequence."""
    best = [
        [0] * (columns + 1)
    ]  # best[i][j]: the pairs possible from row i (counted from the end), call j on
    for row in reversed(rows):
        below = best[-1]
        line = [0] * (columns + 1)
        for column in range(columns - 1, -1, -1):
            if row >> column & 1:
                line[column] = below[column + 1] + 1
            else:
                line[column] = max(below[column], line[column + 1])
        best.append(line)
    best.reverse()
    chosen: Pairs = []
    column = 0
    for number, row in enumerate(rows):
        here = best[number]
        while column < columns and not row >> column & 1 and here[column + 1] == here[column]:
            column += 1
        fits = column < columns and bool(row >> column & 1)
        chosen.append(column if fits else None)
        column += fits
    return chosen


def reaches(rows: Sequence[int], columns: int, optional: Collection[int] = ()) -> bool:
    """Whether all calls are, in order, all expected ones, of which the `optional` rows may be left out."""
    ends = 1  # bit j: the rows so far can be the first j calls
    for number, row in enumerate(rows):
        ends = (ends & row) << 1 | (ends if number in optional else 0)
    return bool(ends >> columns & 1)
