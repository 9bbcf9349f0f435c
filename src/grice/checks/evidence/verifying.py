"""Ask a verifier about the claims that no fact supports."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any

import msgspec

from grice.checks.evidence.verifier import Verified, Verifier, answer_of
from grice.claims.claim_findings import Finding, Point
from grice.claims.fact_store import FactStore
from grice.claims.terms import parse_text
from grice.matching.context import Context
from grice.matching.judge_standing import is_advisory
from grice.matching.protocols import LLMError
from grice.records import Outcome, Verdict, clean_text, errored
from grice.records.verdict import Mode
from grice.text import shorten

MAX_FACTS = 50
MAX_ERROR = 500
MAX_CLAIM = 80
MAX_REASON = 300
BY_JUDGE = 3
"""The layer of what an LLM said."""

_OUTCOMES = {"supported": Outcome.PASS, "contradicted": Outcome.FAIL}

Conclude = Callable[[Sequence[Finding]], Verdict]


def verified(
    findings: Sequence[Finding], store: FactStore, verifier: Verifier | None, ctx: Context, conclude: Conclude
) -> Verdict | Coroutine[Any, Any, Verdict]:
    """Ask the verifier about the unsupported claims, and make the verdict on all findings.

    Each claim that was asked about is a part of it. A coroutine where the verifier answers with something to
    await. An exception, or an answer that is none, is an error.
    """
    open_ = [one for one in findings if one.status == "unsupported"]
    if verifier is None or not open_:
        return conclude(findings)
    answers: list[Any] = []
    try:
        bind = getattr(verifier, "bind", None)
        asked: Any = bind(ctx) if callable(bind) else verifier
        answers.extend(asked(one.said, _lines(one, store)) for one in open_)
    except Exception as error:  # somebody's code
        _close(answers)
        return _broke(error)
    if any(inspect.isawaitable(one) for one in answers):
        return _waited(findings, open_, answers, conclude)
    return _concluded(findings, open_, answers, conclude)


async def _waited(
    findings: Sequence[Finding], open_: Sequence[Finding], answers: Sequence[Any], conclude: Conclude
) -> Verdict:
    from asyncio import gather

    said = await gather(*(_answer_or_error(one) for one in answers))
    return _concluded(findings, open_, said, conclude)


async def _answer_or_error(answer: Awaitable[Any] | object) -> Any:
    """What was answered; an exception is an answer too, so that the others are not lost."""
    if not inspect.isawaitable(answer):
        return answer
    try:
        return await answer
    except Exception as error:  # somebody's code
        return error


def _concluded(
    findings: Sequence[Finding], open_: Sequence[Finding], answers: Sequence[Any], conclude: Conclude
) -> Verdict:
    read = [_read(one) for one in answers]
    parts = tuple(_part(one, answer) for one, answer in zip(open_, read, strict=True))
    broken = next((one for one in read if isinstance(one, Verdict)), None)
    if broken is not None:
        return msgspec.structs.replace(broken, parts=parts)
    changed = {
        id(one): _settled(one, answer)
        for one, answer in zip(open_, read, strict=True)
        if isinstance(answer, Verified)
    }
    verdict = conclude([changed.get(id(one), one) for one in findings])
    mode: Mode = "hard"
    if any(map(is_advisory, parts)):
        sure = conclude([one if one not in open_ else _granted(one) for one in findings])
        mode = "hard" if sure.outcome is Outcome.FAIL else "soft"  # what rules prove, no advice takes back
    return msgspec.structs.replace(verdict, mode=mode, parts=(*verdict.parts, *parts))


def _read(given: object) -> Verified | Verdict:
    """The answer, or the error that it is."""
    if isinstance(given, Exception):
        return _broke(given)
    try:
        return answer_of(given)
    except ValueError as error:
        return errored(str(error))


def _part(finding: Finding, answer: Verified | Verdict) -> Verdict:
    """What was answered on one claim, which names the part."""
    claim = shorten(" ".join(finding.said.split()), MAX_CLAIM)
    if isinstance(answer, Verdict):
        return msgspec.structs.replace(answer, criterion=claim)
    said = f"the verifier says {answer.answer}" if answer.answer else "the verifier cannot tell"
    return Verdict(
        _OUTCOMES.get(answer.answer or "", Outcome.INCONCLUSIVE),
        shorten(clean_text(answer.reason), MAX_REASON) or said,
        criterion=claim,
        layer=None if answer.judgement is None else BY_JUDGE,
        judgement=answer.judgement,
    )


def _settled(finding: Finding, verified_: Verified) -> Finding:
    answer = verified_.answer
    if answer is None:
        return finding
    reason = shorten(clean_text(verified_.reason), MAX_REASON)
    note = f"so says the verifier{f': {reason}' if reason else ''}"
    point = Point(answer, finding.said, finding.start, finding.end, note=note)
    if answer == finding.status and not reason:
        return finding
    return msgspec.structs.replace(
        finding, status=answer, points=(*finding.points, point), share=float(answer == "supported")
    )


def _granted(finding: Finding) -> Finding:
    """The finding as if the facts supported it."""
    return msgspec.structs.replace(finding, status="supported", share=1.0)


def _lines(finding: Finding, store: FactStore) -> list[str]:
    """The facts for a claim, those that share most words with it first."""
    stems = frozenset(parse_text(finding.said, store.lexicon).stems)
    found = sorted(
        (fact for fact in store.facts if not fact.size),
        key=lambda fact: -len(stems & (fact.keys | fact.words | fact.denied)),
    )
    return [fact.line for fact in found[:MAX_FACTS]]


def _close(answers: Sequence[Any]) -> None:
    for one in answers:
        if inspect.iscoroutine(one):
            one.close()


def _broke(error: Exception) -> Verdict:
    if isinstance(error, LLMError):  # it says what to do
        return errored(shorten(clean_text(str(error)), MAX_ERROR))
    return errored(f"the verifier raised {type(error).__name__}: {shorten(str(error), MAX_ERROR)}")
