"""The verdict on the values at a path, in the words of `expect` and of suites."""

from __future__ import annotations

from typing import Any

import msgspec

from grice.matching.answers import verdict_on
from grice.matching.context import Sight
from grice.matching.matcher import Matcher
from grice.matching.paths import PathError
from grice.matching.redacted import at_place, without_secrets
from grice.matching.values import Found, Judged, Source, judge_values
from grice.matching.where import Where, wrong_choice
from grice.records import Outcome, Reply, Turn, Verdict, errored, negate
from grice.records.verdict import Mode
from grice.text import shorten, visible

__all__ = ["judge_at"]

MAX_PLACE = 200


def judge_at(
    where: Where, matcher: Matcher[Any], seen: Sight, mode: Mode, source: Source | None = None
) -> Verdict:
    """The verdict of the matcher on what the path finds in the subject, negation applied. Never raises.

    `source` is the subject's, when it was made already.
    """
    context = seen.context
    problem = wrong_choice(where.match, where.parse)
    if problem:
        return verdict_on(matcher, errored(problem), context, _claim(where, matcher, seen, 1), mode)
    try:
        found = (source or Source(seen.subject, where.parse)).find(where.path)
    except PathError as error:
        return verdict_on(matcher, errored(str(error)), context, _claim(where, matcher, seen, 1), mode)
    if found.values[0] is seen.subject:
        claim = f"{seen.noun} {'not to' if matcher.negated else 'to'} {matcher.words}"
    else:
        claim = _claim(where, matcher, seen, len(found.values))
    if not isinstance(found.values[0], Reply | Turn):
        context = msgspec.structs.replace(context, as_value=True)
    if mode == "soft" and matcher.judged:
        context = msgspec.structs.replace(context, soft=True)
    judged = judge_values(matcher, found, where.match, context, context.bounds)
    reason = _reason(where, judged, found)
    evidence = judged.answer.evidence if judged.total == 1 else ()
    answer = msgspec.structs.replace(
        judged.answer,
        outcome=judged.outcome,
        reason=reason,
        evidence=evidence,
        turn=None,
        unresolved=found.unresolved,
    )
    outcome = negate(answer.outcome) if matcher.negated else answer.outcome
    if outcome is not Outcome.PASS:
        value = found.values[min(judged.index, len(found.values) - 1)]
        standing = at_place(found.place(judged.index), value, *matcher.args, *matcher.kwargs.values())
        answer = without_secrets(answer, standing, seen.subject)
    return verdict_on(matcher, answer, context, claim, mode)


def _claim(where: Where, matcher: Matcher[Any], seen: Sight, total: int) -> str:
    """The sentence that is checked; "not ANY" is said as what it means: no value."""
    at = f"at {_shown(where.path)} of {seen.noun}"
    if total == 1:
        return f"the value {at} {'not to' if matcher.negated else 'to'} {matcher.words}"
    if where.match == "ANY":
        return f"{'no' if matcher.negated else 'some'} value {at} to {matcher.words}"
    if matcher.negated:
        return f"some value {at} not to {matcher.words}"
    return f"every value {at} to {matcher.words}"


def _shown(path: object) -> str:
    return visible(shorten(str(path), MAX_PLACE), newlines=False)


def _reason(where: Where, judged: Judged, found: Found) -> str:
    """Which value decided and what was said of it, or what all of them had in common."""
    if found.unresolved:
        return found.why
    if judged.total == 1:
        return judged.answer.reason
    if judged.outcome is Outcome.FAIL and where.match == "ANY":
        return f"none of {judged.total} values does; {_shown(found.place(0))}: {judged.answer.reason}"
    if judged.outcome is Outcome.PASS and where.match == "ALL":
        return f"all {judged.total} values do; {_shown(found.place(0))}: {judged.answer.reason}"
    rest = f", {judged.total - judged.examined} not examined" if judged.examined < judged.total else ""
    said = f": {judged.answer.reason}" if judged.answer.reason else ""
    return f"{_shown(found.place(judged.index))} (value {judged.index + 1} of {judged.total}{rest}){said}"
