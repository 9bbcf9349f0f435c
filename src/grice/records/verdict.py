"""A verdict: one outcome with its evidence."""

from __future__ import annotations

from typing import Literal

import msgspec

from grice.records.capture import JsonValue
from grice.records.llm import Judgement
from grice.records.outcome import Outcome

Mode = Literal["hard", "soft"]

PathMatch = Literal["ANY", "ALL"]
"""How the verdicts on several values become one: at least one of them holds, or every one."""

_NAMES = {
    "path_match": "pathMatch",
    "id": "assertionId",
    "value_count": "valueCount",
    "samples": "actualSamples",
}


class Evidence(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """What a verdict looked at.

    `start` and `end` are character offsets into the text of the subject; `turn` counts from 1; `path` is a
    place inside structured data, such as `messages[2]` or `arguments.capacity`.
    """

    quote: str = ""
    turn: int | None = None
    start: int | None = None
    end: int | None = None
    path: str | None = None
    note: str = ""


class Selection(msgspec.Struct, frozen=True, omit_defaults=True, rename=_NAMES, gc=False):
    """The values at a path that were judged, as an assertion on data says it.

    `id` is that of the assertion, `on` what it looks at (`reply`, `reply.data`), both "" where nothing says
    so. `samples` are the first of the `value_count` values; what is cut ends in "...truncated", and `sha256`
    is then the digest of the canonical JSON of all of them. `message` says path, matcher, mode, what was
    expected and what was found. Of what the conversation beside it holds as such there are no samples.
    """

    path: str
    path_match: PathMatch = "ANY"
    id: str = ""
    on: str = ""
    value_count: int = 0
    samples: list[JsonValue] = []
    message: str = ""
    truncated: bool = False
    sha256: str | None = None


class Verdict(msgspec.Struct, frozen=True, omit_defaults=True, repr_omit_defaults=True, gc=False):
    """One outcome of one check on one subject.

    `claim` is the whole sentence that was checked ("the reply to contain 'x'"), `reason` says why the outcome
    is what it is. `mode` is the caller's choice: `soft` verdicts never change pass or fail. `unresolved`
    marks one that rests on a path that resolved nothing, `trivially_true` one that passes for a reason that
    has nothing to do with what was said, such as an empty pattern; in a matcher's answer it marks a fail too,
    whose negation then is.

    `criterion` names the quality rule that was judged, "" where there is none. `layer` is how: 0 by what was
    measured, 1 by rules on the text, 2 against evidence, 3 by an LLM, 4 by similarity of meaning; None when
    its matcher does not say. `score` is in the points of a graded check (1 to 5). `judgement` says how an LLM
    came to it, and `uncalibrated` that nobody has measured how far it agrees with people. `parts` are the
    verdicts of which it is made, such as one a criterion. `softened` says why a check of a bundle is soft
    that nobody made so (`first look 12/16`). `visit` is the number of the visit to a topic whose expectation
    it is. `detail` is what was checked as data, such as `{"max": 10, "actual": 5}`;
    the word of a test's body has the fingerprint of its `code` there. `selection` says which values of the
    subject were judged, where a path chose them.

    As a condition, such as in `assert evaluate(reply).to_contain("x")`, a pass is true and a fail false; the
    other outcomes are neither and raise ValueError.
    """

    outcome: Outcome
    reason: str = ""
    evidence: tuple[Evidence, ...] = ()
    matcher: str = ""
    claim: str = ""
    negated: bool = False
    mode: Mode = "hard"
    turn: int | None = None
    unresolved: bool = False
    criterion: str = ""
    layer: int | None = None
    score: float | None = None
    judgement: Judgement | None = None
    uncalibrated: bool = False
    parts: tuple[Verdict, ...] = ()
    visit: int | None = None
    detail: dict[str, JsonValue] = {}
    trivially_true: bool = False
    selection: Selection | None = None
    softened: str = ""

    def __bool__(self) -> bool:
        __tracebackhide__ = True
        if self.outcome is Outcome.PASS or self.outcome is Outcome.FAIL:
            return self.outcome is Outcome.PASS
        claim = f"expected {self.claim}" if self.claim else ""
        about = ": ".join(filter(None, (f"it is {self.outcome}", claim, self.reason)))
        raise ValueError(
            f"the verdict is neither true nor false, {about} (ask its .outcome where that may be)"
        )


def passed(reason: str = "", *, evidence: tuple[Evidence, ...] = (), trivially_true: bool = False) -> Verdict:
    """A verdict that the check holds, perhaps for a trivial reason."""
    return Verdict(Outcome.PASS, reason, evidence, trivially_true=trivially_true)


def failed(reason: str, *, evidence: tuple[Evidence, ...] = (), trivially_true: bool = False) -> Verdict:
    """A verdict that the check does not hold, and why; with `trivially_true` its negation says nothing."""
    return Verdict(Outcome.FAIL, reason, evidence, trivially_true=trivially_true)


def inconclusive(reason: str, *, evidence: tuple[Evidence, ...] = ()) -> Verdict:
    """A verdict that the check could not tell, or found nothing to look at."""
    return Verdict(Outcome.INCONCLUSIVE, reason, evidence)


def errored(reason: str, *, evidence: tuple[Evidence, ...] = ()) -> Verdict:
    """A verdict that the check itself broke."""
    return Verdict(Outcome.ERROR, reason, evidence)


def skipped(reason: str) -> Verdict:
    """A verdict that the check does not apply."""
    return Verdict(Outcome.SKIPPED, reason)
