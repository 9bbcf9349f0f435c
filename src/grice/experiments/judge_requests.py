"""What was asked in a conversation, and of which judges: by fingerprints and names, without what was said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from grice.experiments.check_rows import single
from grice.identity import fingerprint
from grice.matching.judged_by import heard
from grice.records import Outcome, Verdict

IN_PARTS = frozenset({"toShowIntelligence", "toFollowPolicy", "toGroundProducts", "toBeSupportedBy"})
"""Matchers whose verdicts have parts by name that are no criteria: questions of Grice's own, or claims."""

_DIGITS = 16
"""Hex digits of a fingerprint that is only held against those of the same check in another experiment."""

_Question = tuple[str, bool, str, str]
"""The matcher, whether it is negated, the criterion and the claim of a check."""


class Judging(NamedTuple):
    """How something was judged: a criterion, else a matcher, by that model with that version of a prompt.

    `fingerprint` is that of the criterion. It is "" where there is none, as `model` is where nobody said it.
    """

    subject: str
    model: str
    prompt: str
    version: int
    fingerprint: str = ""


def judged_in(verdicts: Iterable[Verdict]) -> tuple[Judging, ...]:
    """What judges answered, each once, sorted."""
    found: set[Judging] = set()
    for one in single(verdicts):
        how = one.judgement
        if how is not None and heard(how):
            subject = one.criterion or one.matcher
            found.add(Judging(subject, how.model, how.prompt, how.version, how.fingerprint))
    return tuple(sorted(found))


def demands_of(verdicts: Iterable[Verdict]) -> str:
    """The fingerprint of what hard checks asked, "" where there was none.

    Of each check once, and not of its parts: these may be what the agent said. The word of a test's body
    asks what its code does. A runner that has neither is taken at its claims.
    """
    hard = [one for one in verdicts if one.mode == "hard"]
    asked = {_question(one) for one in hard if one.matcher or one.criterion}
    asked |= {("", False, "", code) for one in hard if (code := _code(one))}
    if not asked:
        told = [one for one in hard if one.outcome is Outcome.PASS and one.reason and one.claim]
        asked = {_question(one) for one in told}
    return _mark(tuple(sorted(asked))) if asked else ""


def asks_of(verdicts: Iterable[Verdict]) -> dict[str, str]:
    """The fingerprints of what soft checks asked, by criterion, else bundle, else matcher."""
    asked: dict[str, set[_Question]] = {}
    for verdict in verdicts:
        for one in _asking(verdict):
            mode = one.mode if verdict.mode == "hard" else verdict.mode
            name = one.criterion or bundle_of(verdict) or one.matcher or verdict.matcher
            if mode == "soft" and name:
                asked.setdefault(name, set()).add(_question(one))
    return _marks(tuple((name, tuple(sorted(questions))) for name, questions in sorted(asked.items())))


def _asking(verdict: Verdict) -> Iterator[Verdict]:
    """The check, or its parts where each is a criterion: what else a check has for parts may be claims."""
    whole = not verdict.parts or bundle_of(verdict) or verdict.matcher in IN_PARTS
    parts = () if whole else [part for part in verdict.parts if part.criterion]
    yield from parts or (verdict,)


def _question(verdict: Verdict) -> _Question:
    return verdict.matcher, verdict.negated, verdict.criterion, verdict.claim


@lru_cache(maxsize=4096)
def _marks(asked: tuple[tuple[str, tuple[_Question, ...]], ...]) -> dict[str, str]:
    """The one dict for all that are equal: thousands of attempts ask the same."""
    return {name: _mark(questions) for name, questions in asked}


@lru_cache(maxsize=4096)
def _mark(asked: tuple[_Question, ...]) -> str:
    return short(fingerprint([list(one) for one in asked]))


def bundle_of(verdict: Verdict) -> str:
    """The bundle that a verdict of `meet` is on, "" for others."""
    if verdict.matcher != "toMeet":
        return ""
    bundle = verdict.detail.get("bundle")
    return bundle if isinstance(bundle, str) else ""


def is_bare(verdicts: Iterable[Verdict]) -> bool:
    """Whether no hard check was seen but the word of a test's body, which gives no reason."""
    made = [one for one in verdicts if one.mode == "hard" and one.outcome is not Outcome.SKIPPED]
    words = all(not (one.matcher or one.criterion) for one in made)
    return words and any(one.outcome is Outcome.PASS and not one.reason for one in made)


def short(mark: str) -> str:
    """A fingerprint that is only held against those of the same in another experiment; "" of none."""
    return mark.rpartition(":")[2][:_DIGITS]


def _code(verdict: Verdict) -> str:
    """The fingerprint of the test's body whose word the verdict is, "" for others."""
    code = None if verdict.matcher or verdict.criterion else verdict.detail.get("code")
    return code if isinstance(code, str) else ""
