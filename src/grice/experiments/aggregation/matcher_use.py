"""How often each matcher was used, and what came of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from grice.experiments.check_rows import CheckRow


class MatcherUse(NamedTuple):
    """The checks of one matcher in one mode; `matcher` is "" for checks without one."""

    matcher: str
    mode: str
    outcomes: Counter[str]

    @property
    def times(self) -> int:
        """How often it was used, what was skipped included."""
        return self.outcomes.total()


def matcher_use(checks: Mapping[CheckRow, int]) -> list[MatcherUse]:
    """A row a matcher and mode, the most used first."""
    found: dict[tuple[str, str], Counter[str]] = {}
    for row, times in checks.items():
        found.setdefault((row.matcher, row.mode), Counter())[row.outcome] += times
    rows = [MatcherUse(matcher, mode, outcomes) for (matcher, mode), outcomes in found.items()]
    return sorted(rows, key=lambda one: (-one.times, one.matcher, one.mode))


def python_matcher(matcher: str) -> str:
    """The one form in which matchers are shown: `call_tool` of `toCallTool`, `to_call_tool` and `call_tool`.

    Names that mean the same have the same form, however they were written.
    """
    bare = re.sub(r"^(to(?=[A-Z])|to_)", "", matcher)
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", bare).lower()
