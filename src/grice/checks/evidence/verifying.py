"""Asking a verifier about the claims that are in no fact."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

import msgspec

from grice.checks.evidence.findings import Atom, Finding
from grice.checks.evidence.sheet import FactSheet
from grice.checks.evidence.terms import read_text
from grice.checks.evidence.verifier import Verifier, answer_of
from grice.records import Verdict, errored
from grice.text import shorten

__all__ = ["verified"]

MAX_FACTS = 50
MAX_ERROR = 500


def verified(
    findings: Sequence[Finding],
    sheet: FactSheet,
    verifier: Verifier | None,
    conclude: Callable[[Sequence[Finding]], Verdict],
) -> Verdict | Coroutine[Any, Any, Verdict]:
    """The verdict on the findings, after the verifier was asked about those that are unsupported.

    A coroutine where it answers with something to await. An exception, or an answer that is none, is an
    error.
    """
    open_ = [one for one in findings if one.status == "unsupported"]
    if verifier is None or not open_:
        return conclude(findings)
    answers: list[Any] = []
    try:
        answers += [verifier(one.said, _lines(one, sheet)) for one in open_]
    except Exception as error:  # somebody's code
        return _broke(error)
    if any(inspect.isawaitable(one) for one in answers):
        return _waited(findings, open_, answers, conclude)
    return _concluded(findings, open_, answers, conclude)


async def _waited(
    findings: Sequence[Finding],
    open_: Sequence[Finding],
    answers: Sequence[Any],
    conclude: Callable[[Sequence[Finding]], Verdict],
) -> Verdict:
    try:
        said = [await one if inspect.isawaitable(one) else one for one in answers]
    except Exception as error:  # somebody's code
        for one in answers:
            if inspect.iscoroutine(one):
                one.close()
        return _broke(error)
    return _concluded(findings, open_, said, conclude)


def _concluded(
    findings: Sequence[Finding],
    open_: Sequence[Finding],
    answers: Sequence[Any],
    conclude: Callable[[Sequence[Finding]], Verdict],
) -> Verdict:
    try:
        changed = {id(one): _settled(one, answer) for one, answer in zip(open_, answers, strict=True)}
    except ValueError as error:
        return errored(str(error))
    return conclude([changed.get(id(one), one) for one in findings])


def _settled(finding: Finding, given: object) -> Finding:
    answer = answer_of(given)
    if answer is None or answer == finding.status:
        return finding
    atom = Atom(answer, finding.said, finding.start, finding.end, note="so says the verifier")
    return msgspec.structs.replace(
        finding, status=answer, atoms=(*finding.atoms, atom), share=float(answer == "supported")
    )


def _lines(finding: Finding, sheet: FactSheet) -> list[str]:
    """The facts for a claim, those that share most words with it first."""
    stems = frozenset(read_text(finding.said, sheet.lexicon).stems)
    found = sorted(sheet.facts, key=lambda fact: -len(stems & (fact.keys | fact.words | fact.denied)))
    return [fact.line for fact in found[:MAX_FACTS] if not fact.size]


def _broke(error: Exception) -> Verdict:
    return errored(f"the verifier raised {type(error).__name__}: {shorten(str(error), MAX_ERROR)}")
