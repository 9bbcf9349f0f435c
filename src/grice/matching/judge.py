"""The one way to judge."""

from __future__ import annotations

from typing import Any

from grice.matching.context import Context
from grice.matching.matcher import Matcher
from grice.matching.selector import ValueSelector
from grice.matching.verdicts import AsyncVerdict, judge_whole
from grice.matching.waiting import waited
from grice.records import Verdict


def judge(
    matcher: Matcher[Any], subject: object, context: Context, at: ValueSelector | None = None
) -> Verdict:
    """Give the verdict of `matcher` on `subject`, negation applied; wait for an async matcher.

    With `at` the values that a path finds in the subject are judged; the subject may be the `Source` that
    others use, too. A check that breaks is `error`. Raises LoopIsRunning for an async matcher inside a
    running event loop, and nothing else.
    """
    verdict = judge_later(matcher, subject, context, at)
    return verdict if isinstance(verdict, Verdict) else waited(verdict.run, verdict.close)


def judge_later(
    matcher: Matcher[Any], subject: object, context: Context, at: ValueSelector | None = None
) -> Verdict | AsyncVerdict:
    """Judge as `judge` does, but give for an async matcher what becomes its verdict, to be awaited.

    On values at a path an async matcher is waited for.
    """
    if at is None:
        return judge_whole(matcher, subject, context)
    from grice.matching.selected import judge_selected  # paths are loaded by who uses them

    return judge_selected(at, matcher, subject, context)
