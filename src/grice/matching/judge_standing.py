"""What a judge's standing makes of its verdicts: one that has not earned it may decide nothing."""

from __future__ import annotations

from msgspec.structs import replace

from grice.matching.judged_by import answered, heard
from grice.records import Judgement, Outcome, Standing, Verdict

_ANSWERS = (Outcome.PASS, Outcome.FAIL)


def is_advisory(verdict: Verdict) -> bool:
    """Whether an LLM that the project has made advisory was asked for the verdict, or a part of it."""
    standing = verdict.judgement.standing if verdict.judgement is not None else None
    return (standing is not None and standing.advisory) or any(map(is_advisory, verdict.parts))


def is_calibrated(verdict: Verdict) -> bool:
    """Whether every LLM that judged the verdict, or a part of it, has a calibration card that counts."""
    if verdict.judgement is not None and heard(verdict.judgement):
        standing = verdict.judgement.standing
        if standing is None or standing.problem:
            return False
    return all(is_calibrated(one) for one in verdict.parts if one.mode == "hard" or verdict.mode == "soft")


def decided(verdict: Verdict) -> Verdict:
    """The verdict, or the error that it is where it is hard and its judge needs a card that it has not got.

    Of one that is made of parts, those have been decided before. A failure stays one while a part fails that
    another judge, or code, decided.
    """
    if verdict.mode == "soft" or verdict.outcome is Outcome.ERROR:
        return verdict
    standing = _standing(verdict)
    if standing is not None and standing.required and standing.problem:
        if verdict.outcome not in _ANSWERS:
            return verdict
        reason = (
            f"{standing.problem}; the judge's answer, {verdict.outcome}, does not count: {verdict.reason}"
        )
        return replace(verdict, outcome=Outcome.ERROR, reason=reason)
    refused = [one for one in verdict.parts if one.mode == "hard" and _is_refused(one)]
    if not refused or verdict.outcome is Outcome.SKIPPED:
        return verdict
    hard = [one.outcome for one in verdict.parts if one.mode == "hard"]
    if verdict.outcome is Outcome.FAIL and Outcome.FAIL in hard:
        return verdict
    problems = dict.fromkeys(_named_problem(one) for one in refused)
    reason = "; ".join(problems)
    return replace(verdict, outcome=Outcome.ERROR, reason=f"{reason}\n{verdict.reason}".strip())


def resting_on(verdict: Verdict, judgement: Judgement | None) -> Verdict:
    """The verdict of a rule that rests on what a judge said: marked, soft or refused as the judge's."""
    if judgement is None or verdict.outcome is Outcome.ERROR:
        return verdict
    judged = replace(verdict, judgement=judgement)
    if is_advisory(judged):
        return replace(judged, mode="soft")
    if judged.mode == "soft" or is_calibrated(judged):
        return judged
    return decided(replace(judged, uncalibrated=True))


def hardened(verdict: Verdict) -> Verdict:
    """A soft verdict of a judge as a hard one: marked or refused as such, but an advisory one stays soft."""
    if is_advisory(verdict):
        return verdict
    parts = tuple(hardened(one) for one in verdict.parts)
    made = replace(verdict, mode="hard", parts=parts)
    return made if not answered(made) or is_calibrated(made) else decided(replace(made, uncalibrated=True))


def _is_refused(part: Verdict) -> bool:
    standing = _standing(part)
    mine = standing is not None and standing.required and bool(standing.problem)
    return part.outcome is Outcome.ERROR and (mine or any(map(_is_refused, part.parts)))


def _named_problem(part: Verdict) -> str:
    standing = _standing(part)
    if standing is None:
        return next(_named_problem(one) for one in part.parts if _is_refused(one))
    return standing.problem


def _standing(verdict: Verdict) -> Standing | None:
    """What is known of the judge that answered; None where none did."""
    judgement = verdict.judgement
    return judgement.standing if judgement is not None and heard(judgement) else None
