"""The verdict on the values at a path: ANY or ALL of them."""

from __future__ import annotations

from typing import Any

import msgspec

from grice.identity import redact
from grice.identity.secret_hints import is_harmless, is_harmless_name
from grice.matching.assertion_words import finds_several
from grice.matching.context import Context
from grice.matching.details import TRUNCATED, digest_of
from grice.matching.limits import Deadline, Limits, LimitsError
from grice.matching.matcher import Matcher, Prefilter
from grice.matching.paths import PathError
from grice.matching.plain import is_scalar
from grice.matching.redacted import at_place, without_secrets
from grice.matching.selection_message import Judged, message_of, refusal_of, selection_words
from grice.matching.selector import ValueSelector, wrong_choice
from grice.matching.subjects import value_of
from grice.matching.values import MISSING, NOTHING_RESOLVED, Found, Source
from grice.matching.verdicts import answer_of, claim_of, complete, with_value
from grice.records import (
    Conversation,
    JsonValue,
    Outcome,
    Reply,
    Selection,
    Turn,
    Verdict,
    clean_json,
    clean_text,
    errored,
    failed,
    fold_all,
    fold_any,
    negate,
)
from grice.text import shorten, visible

MAX_PLACE = 200
AT_PATH = f"{NOTHING_RESOLVED} at "
MAX_PLAIN = 10_000
MAX_LOOKED_AT = 20
"""Values that are looked at to tell whether they are kept."""
UNDEFINED: JsonValue = {"$undefined": True}
"""How MISSING is written as JSON."""
_ON: dict[type, str] = {Reply: "reply", Conversation: "conversation"}


def judge_selected(at: ValueSelector, matcher: Matcher[Any], subject: object, context: Context) -> Verdict:
    """The verdict of the matcher on what the path finds in the subject, negation applied. Never raises.

    The subject may be the `Source` that others use, too.
    """
    source = subject if isinstance(subject, Source) else Source(subject, at.parse)
    try:
        context.bounds  # noqa: B018 - the environment may set one wrongly
    except LimitsError as error:
        return complete(matcher, errored(str(error)), context)
    if not finds_several(at.path):
        return _judge_within(None, at, matcher, source, context)
    with Deadline(context.bounds) as deadline:
        return _judge_within(deadline, at, matcher, source, context)


def _judge_within(
    deadline: Deadline | None, at: ValueSelector, matcher: Matcher[Any], source: Source, context: Context
) -> Verdict:
    try:
        if problem := wrong_choice(at.match, at.parse):
            return _refused(at, matcher, problem, context)
        found = source.find(at.path, deadline)
    except PathError as error:
        return _refused(at, matcher, str(error), context)
    except Exception as error:  # a value of somebody's own class can raise anywhere
        problem = f"the value cannot be looked at: {type(error).__name__}"
        return _refused(at, matcher, problem, context)
    if context.outcome_only:
        claim = ""
    elif found.values[0] is source.subject:
        claim = claim_of(matcher, context.noun)
    else:
        claim = _claim(at, matcher, context.noun, len(found.values))
    as_value = context.as_value or not isinstance(found.values[0], Reply | Turn)
    if context.as_value is not as_value or context.negated is not matcher.negated:
        context = msgspec.structs.replace(context, as_value=as_value, negated=matcher.negated)
    judged = _judge_values(matcher, found, at, context, deadline)
    if context.outcome_only:
        bare = Verdict(judged.outcome, unresolved=found.unresolved)
        return complete(matcher, bare, context, claim)
    if found.why.startswith(AT_PATH) and judged.outcome is (
        Outcome.PASS if matcher.negated else Outcome.FAIL
    ):
        found = msgspec.structs.replace(found, why=found.why + source.near_miss(at.path))
    return _verdict(at, matcher, judged, found, source.subject, context, claim)


def _verdict(
    at: ValueSelector,
    matcher: Matcher[Any],
    judged: Judged,
    found: Found,
    subject: object,
    context: Context,
    claim: str,
) -> Verdict:
    outcome = negate(judged.outcome) if matcher.negated else judged.outcome
    answer = judged.answer
    if judged.total > 1 or found.why or answer.turn is not None or answer.unresolved:
        answer = msgspec.structs.replace(
            answer,
            outcome=judged.outcome,
            reason=_reason(judged, found),
            evidence=answer.evidence if judged.total == 1 else (),
            turn=None,
            unresolved=found.unresolved,
        )
    if outcome is not Outcome.PASS or not all(map(is_harmless_name, found.names)):
        value = found.values[min(judged.index, len(found.values) - 1)]
        standing = at_place(found.place(judged.index), value, *matcher.args, *matcher.kwargs.values())
        answer = without_secrets(answer, standing, subject)
    selection = _selection(at, matcher, outcome, judged, found, subject, context)
    return complete(matcher, answer, context, claim, selection)


def _selection(
    at: ValueSelector,
    matcher: Matcher[Any],
    outcome: Outcome,
    judged: Judged,
    found: Found,
    subject: object,
    context: Context,
) -> Selection:
    """What is kept of the values: copies of the first ones, but none of what the conversation holds as such.

    Those are the whole subject, and lists and objects that passed.
    """
    words = at.words or selection_words(at, matcher)
    message = message_of(words, matcher, outcome, judged, found)
    count = 0 if found.unresolved else len(found.values)
    on = at.on or _ON.get(type(subject), "")
    if context.conversation is not None and (
        found.values[0] is subject
        or (outcome is Outcome.PASS and not all(map(is_scalar, found.values[:MAX_LOOKED_AT])))
    ):
        return Selection(at.path, at.match, at.id, on, count, message=message)
    samples, cut, digest = _samples_of(found, context.bounds)
    if cut:
        message += f" (samples: {len(samples)} of {len(found.values)} values, {TRUNCATED})"
    return Selection(at.path, at.match, at.id, on, count, samples, message, cut, digest)


def _samples_of(found: Found, limits: Limits) -> tuple[list[JsonValue], bool, str | None]:
    """Copies of the first values without secrets, whether there are more, and the digest of all if so."""
    if found.unresolved:
        return [dict(UNDEFINED)], False, None
    first = map(value_of, found.values[: limits.max_samples])
    samples: list[JsonValue] = [clean_text(one) if type(one) is str else clean_json(one) for one in first]
    if not (
        all(map(is_scalar, samples))
        and all(map(is_harmless_name, found.names))
        and is_harmless("\n".join([one for one in samples if type(one) is str]))
    ):
        samples = [_without_secrets(one, found.place(place)) for place, one in enumerate(samples)]
    if len(samples) == len(found.values):
        return samples, False, None
    return samples, True, digest_of(clean_json([value_of(one) for one in found.values]))


def _without_secrets(sample: JsonValue, place: str) -> JsonValue:
    """The sample without what its name or the value itself says is secret."""
    shows = is_harmless(sample) if isinstance(sample, str) else is_scalar(sample)
    if shows and is_harmless_name(place):
        return sample
    ((hidden,),) = redact(at_place(place, sample)).values()
    return hidden


def _refused(at: ValueSelector, matcher: Matcher[Any], problem: str, context: Context) -> Verdict:
    """The error that a question is which cannot be asked of the subject."""
    message = refusal_of(at.words or selection_words(at, matcher), problem, at, matcher)
    selection = Selection(at.path, at.match, at.id, at.on, message=message)
    return complete(matcher, errored(problem), context, _claim(at, matcher, context.noun, 1), selection)


def _judge_values(
    matcher: Matcher[Any], found: Found, at: ValueSelector, context: Context, deadline: Deadline | None
) -> Judged:
    """Judge the values one after the other until the outcome is clear. Never raises.

    ANY stops at the first pass, ALL at the first fail. With mixed outcomes ANY: pass beats error beats
    inconclusive beats fail; ALL: fail beats error beats inconclusive beats pass. The time is looked at
    between values.
    """
    values = found.values
    if len(values) == 1:
        answer = _said_of(matcher, values[0], context)
        return Judged(answer.outcome, with_value(answer, values[0]), 0, 1, 1, at.match)
    decisive = Outcome.PASS if at.match == "ANY" else Outcome.FAIL
    holds = _holds_of(matcher, context)
    longest = min(MAX_PLAIN, context.bounds.regex_max_test_str_len)
    outcomes: list[Outcome] = []
    answers: dict[int, Verdict] = {}
    for index, value in enumerate(values):
        if deadline is not None and index and deadline.is_over():
            spent = f"{deadline.milliseconds:g} ms"
            late = errored(f"out of time after {spent}, when {index} of {len(values)} values were examined")
            return Judged(Outcome.ERROR, late, index - 1, index, len(values), at.match)
        if holds is not None and _is_plain_text(value, longest):
            outcomes.append(Outcome.PASS if holds(value) else Outcome.FAIL)
        else:
            answers[index] = _said_of(matcher, value, context)
            outcomes.append(answers[index].outcome)
        if outcomes[index] is decisive:
            break
    outcome = (fold_any if at.match == "ANY" else fold_all)(outcomes)
    alike = [place for place, one in enumerate(outcomes) if one is outcome]
    index = alike[0] if alike else 0
    answer = answers[index] if index in answers else _said_of(matcher, values[index], context)
    answer = with_value(answer, values[index])
    if (
        outcome is not decisive
        and answer.trivially_true
        and not all(place in answers and answers[place].trivially_true for place in alike)
    ):
        answer = msgspec.structs.replace(answer, trivially_true=False)  # the other values say something
    return Judged(outcome, answer, index, len(outcomes), len(values), at.match)


def _said_of(matcher: Matcher[Any], value: object, context: Context) -> Verdict:
    """What the matcher says of one value; most fail on MISSING."""
    if value is MISSING and not matcher.factory.judges_missing:
        return failed(NOTHING_RESOLVED)
    return answer_of(matcher, value, context)


def _holds_of(matcher: Matcher[Any], context: Context) -> Prefilter | None:
    """What tells of each of many texts whether the matcher holds, without the words for those that do not
    decide; None where only judging tells."""
    make = matcher.factory.prefilter
    if make is None or (context.conversation is not None and not context.conversation.turns):
        return None
    if context.limits is not None:  # a prefilter keeps to those in force
        return None
    try:
        return make(*matcher.args, **matcher.kwargs)
    except Exception:  # wrong arguments: judging says so
        return None


def _is_plain_text(value: object, longest: int) -> bool:
    """Whether it is a text of which a prefilter tells what judging does, which looks at no more of it."""
    return type(value) is str and value.isascii() and len(value) <= longest and value.strip() != ""


def _claim(at: ValueSelector, matcher: Matcher[Any], noun: str, total: int) -> str:
    """The sentence that is checked; "not ANY" is said as what it means: no value."""
    where = f"at {_shown(at.path)} of {noun}"
    if total == 1 and not finds_several(at.path):
        return claim_of(matcher, f"the value {where}")
    if at.match == "ANY":
        return f"{'no' if matcher.negated else 'some'} value {where} to {matcher.words}"
    if matcher.negated:
        return f"some value {where} not to {matcher.words}"
    return f"every value {where} to {matcher.words}"


def _shown(path: object) -> str:
    return visible(shorten(str(path), MAX_PLACE), newlines=False)


def _reason(judged: Judged, found: Found) -> str:
    """Which value decided and what was said of it, or what all of them had in common."""
    if found.unresolved:
        return found.why
    if judged.total == 1:
        return judged.answer.reason
    if judged.none_holds:
        return f"none of {judged.total} values does; {_shown(found.place(0))}: {judged.answer.reason}"
    if judged.all_hold:
        return f"all {judged.total} values do; {_shown(found.place(0))}: {judged.answer.reason}"
    rest = f", {judged.total - judged.examined} not examined" if judged.examined < judged.total else ""
    said = f": {judged.answer.reason}" if judged.answer.reason else ""
    return f"{_shown(found.place(judged.index))} (value {judged.index + 1} of {judged.total}{rest}){said}"
