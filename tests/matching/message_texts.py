"""The two surfaces on which a user reads of a check: a verdict of `expect`, the result of an assertion."""

from typing import Any

import grice
from grice import ExpectationFailed, Verdict, expect
from grice.matching.assertions.registry import matcher_from_data
from grice.matching.recording import CURRENT

NONE: Any = object()
"""In the place of an expected value: there is none."""


class Nowhere:
    """Takes the verdicts under test, so that they are not those of this test run."""

    name = ""

    def add(self, verdict: Verdict) -> None:
        pass


def fields_of(matcher: str, expected: Any) -> dict[str, Any]:
    return {"matcher": matcher} if expected is NONE else {"matcher": matcher, "expected": expected}


def expected_that(
    subject: Any, matcher: str, expected: Any, *, negated: bool = False, **where: Any
) -> Verdict:
    """The verdict of `expect(subject, **where)`, whether it raises or not."""
    made = matcher_from_data(fields_of(matcher, expected))
    token = CURRENT.set(Nowhere())
    try:
        return expect(subject, **where).to(~made if negated else made)
    except ExpectationFailed as failed:
        return failed.verdict
    finally:
        CURRENT.reset(token)


def failure_of(subject: Any, matcher: str, expected: Any, *, negated: bool = False, **where: Any) -> str:
    """The text of the exception that `expect` raises; "" when the check passes."""
    made = matcher_from_data(fields_of(matcher, expected))
    token = CURRENT.set(Nowhere())
    try:
        expect(subject, **where).to(~made if negated else made)
    except ExpectationFailed as failed:
        return str(failed)
    finally:
        CURRENT.reset(token)
    return ""


def result_of(subject: Any, matcher: str, expected: Any, **fields: Any) -> Any:
    """What `grice.evaluate_assertions` says of one assertion."""
    assertion = {"path": "$", **fields_of(matcher, expected), **fields}
    (result,) = grice.evaluate_assertions(subject, [assertion]).results
    return result
